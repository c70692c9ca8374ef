"""line_code.py - decodes a long series of numbers of a report's data (src/report/line_code.h)."""

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def decoded(text):
    """The steps of src/report/line_code.h; None is unknown."""
    steps, last, at = [], 0, 0

    def number():
        nonlocal at
        value, shift, more = 0, 0, 32
        while more:
            digit = DIGITS.index(text[at])
            at, value, shift, more = at + 1, value | (digit & 31) << shift, shift + 5, digit & 32
        return -(value >> 1) if value & 1 else value >> 1
    while at < len(text):
        sign = text[at]
        if sign in "~_":
            at += 1
            steps += [last if sign == "~" else None] * number()
        else:
            last += number()
            steps.append(last)
    return steps
