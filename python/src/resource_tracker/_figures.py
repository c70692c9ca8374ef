"""Figures as short text, and courses of a quantity over time; pure functions."""
import math
from typing import Iterator, List, Optional, Sequence, Tuple

from ._frame import Frame

Step = Tuple[float, float, float]               # begin and end in Unix time, and the value meanwhile

_BARS = "▁▂▃▄▅▆▇█"
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def three_digits(value: float) -> str:
    """1.50, 15.2, 412: three digits that count; more if there are more before the point."""
    # Rounded first: 9.996 has as many decimals as 10.0.
    size = abs(float(f"{value:.2e}"))
    return f"{value:.{0 if size >= 100 else 1 if size >= 10 else 2}f}"


def bytes_text(value: float) -> str:
    """0 B, 1.50 KiB, 412 MiB."""
    unit = 0
    while abs(value) >= 999.5 and unit < len(_UNITS) - 1:
        value /= 1024
        unit += 1
    return f"{value:.0f} {_UNITS[0]}" if unit == 0 else f"{three_digits(value)} {_UNITS[unit]}"


def seconds_text(value: float) -> str:
    """0.20 ms, 97.0 ms, 12.3 s, 1 min 23 s, 2 h 03 min."""
    if value < 0.9995:
        return f"{three_digits(value * 1000)} ms"
    if value < 59.95:
        return f"{three_digits(value)} s"
    minutes, seconds = divmod(round(value), 60)
    return f"{minutes} min {seconds:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def cores_text(value: float) -> str:
    """0.03 cores, 1.85 cores, 1 core."""
    text = three_digits(value).rstrip("0").rstrip(".") if value < 9.995 else f"{value:.0f}"
    return f"{text} core" if text == "1" else f"{text} cores"


# ---- courses ------------------------------------------------------------------------------------------------

def column_of(frame: Frame, names: Sequence[str]) -> Optional[str]:
    """The first of these columns that has a value; None: none has."""
    for name in names:
        if name in frame and any(value == value for value in frame.numbers(name)):
            return name
    return None


def steps(times: Frame, values: Sequence[float]) -> List[Step]:
    """A step for each row with a known value; `times` has when the rows ended, and how long they were."""
    if not times.rows:
        return []
    rows = zip(times.numbers("timestamp_seconds"), times.numbers("interval_seconds"), values)
    return [(end - seconds, end, value) for end, seconds, value in rows if seconds > 0 and value == value]


def _mean(part: Sequence[Step]) -> float:
    return sum((end - begin) * value for begin, end, value in part) / sum(end - begin for begin, end, _ in part)


def thinned(course: Sequence[Step], most: int, highest: bool = False) -> List[Step]:
    """At most this many steps: each has the mean of those that it stands for, or the highest."""
    each = math.ceil(len(course) / most)
    return [(part[0][0], part[-1][1], max(value for _, _, value in part) if highest else _mean(part))
            for part in _parts(course, each)]


def _parts(course: Sequence[Step], each: int) -> Iterator[Sequence[Step]]:
    for first in range(0, len(course), max(each, 1)):
        yield course[first:first + each]


def sparkline(values: Sequence[float]) -> str:
    """A character for each; the highest value has the highest one."""
    top = max(values, default=0.0)
    return "".join(_BARS[min(int(value / top * len(_BARS)), len(_BARS) - 1) if top > 0 else 0] for value in values)
