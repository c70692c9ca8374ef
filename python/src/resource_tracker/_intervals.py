"""What an interval of samples can be."""
from math import inf, nan
from typing import Any


def check_interval(interval: Any) -> None:
    """ValueError unless it is a number of seconds above 0."""
    try:
        seconds = nan if isinstance(interval, (str, bytes)) else float(interval)
    except (TypeError, ValueError, OverflowError):
        seconds = nan
    if not 0 < seconds < inf:
        raise ValueError(f"the interval is {interval!r}: it has to be a number of seconds above 0")
