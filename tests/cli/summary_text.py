"""summary_text.py - summaries of one run as texts that can be compared."""
import re


def without_digits(text):
    """
    A summary without its figures and bars.  The recorder's own is of exact sums, that of a record of six decimals: a last
    digit can be rounded the other way, and with it two bounds can become one, or ">99.99 %" becomes "100 %".
    """
    text = re.sub(r"exact(?=: )|at least(?=: )|between \S+\s+and\s+\S+(?=: )", "BOUNDS", text)
    return re.sub(r" +", " ", re.sub(r"[<>]?\d+(\.\d+)?|[▁-█]", "#", text))
