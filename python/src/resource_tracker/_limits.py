"""The marks limit_memory and limit_cpu of tests."""
import re
from typing import Any, List, NamedTuple, Optional

from ._figures import bytes_text, seconds_text
from ._meter import Used

_UNITS = {"": 1, "b": 1, **{letter + "b": 1000 ** power for power, letter in enumerate("kmgt", 1)},
          **{letter + "ib": 1024 ** power for power, letter in enumerate("kmgt", 1)}}


class Limits(NamedTuple):
    """None: there is none."""
    memory_bytes: Optional[float]
    cpu_seconds: Optional[float]


def bytes_of(size: Any) -> float:
    """Of "200 MiB", "1.5 GB" or a number; ValueError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", str(size).strip().lower())
    if not found or found.group(2) not in _UNITS:
        raise ValueError(f"limit_memory: {size!r} is no size: write a number with B, KiB, MiB, GiB, kB, MB or GB")
    return float(found.group(1)) * _UNITS[found.group(2)]


def _seconds_of(seconds: Any) -> float:
    try:
        found = float(seconds)
    except (TypeError, ValueError):
        found = float("nan")
    if not 0 <= found < float("inf"):
        raise ValueError(f"limit_cpu: {seconds!r} is no number of seconds")
    return found


def _argument(item: Any, name: str) -> Optional[Any]:
    """Of the nearest mark of this name; None: it has none."""
    mark = item.get_closest_marker(name)
    if mark is None:
        return None
    if len(mark.args) != 1 or mark.kwargs:
        raise ValueError(f"{name}: takes one argument")
    return mark.args[0]


def limits_of(item: Any) -> Limits:
    """Of a test; ValueError has a sentence."""
    memory, cpu = _argument(item, "limit_memory"), _argument(item, "limit_cpu")
    return Limits(None if memory is None else bytes_of(memory), None if cpu is None else _seconds_of(cpu))


def exceeded(limits: Limits, used: Used) -> List[str]:
    """A sentence for each limit that was."""
    found = []
    if limits.memory_bytes is not None and used.memory_bytes > limits.memory_bytes:
        found.append(f"the test used at least {bytes_text(used.memory_bytes)} of memory: "
                     f"its limit is {bytes_text(limits.memory_bytes)}")
    if limits.cpu_seconds is not None and used.cpu_seconds > limits.cpu_seconds:
        found.append(f"the test used {seconds_text(used.cpu_seconds)} of CPU time: "
                     f"its limit is {seconds_text(limits.cpu_seconds)}")
    return found
