"""python -m resource_monitor.print_report EVENTS RESOURCES [PICTURE]

Prints mean times of events, what the machine has, and peak and average of
each column; draws the columns into PICTURE where matplotlib is installed.
"""
import sys
from importlib import import_module
from typing import Any, Dict, List, Optional

from .report import parse_event_log, parse_resource_log


def _mean(values: Any) -> float:
    return float(sum(values)) / len(values)


def print_report(event_log: str, resource_log: str,
                 picture: Optional[str] = None) -> None:
    """Print what two logs say."""
    for name, times in parse_event_log(event_log).items():
        elapsed = _mean([float(end) - float(begin) for begin, end in times])
        print(f"event: {name}, mean elapse: {elapsed:.4e} s")
    facts, columns = parse_resource_log(resource_log)
    print("machine resource information:")
    for key, value in facts.items():
        print(key, ": ", value)
    times = columns.pop("time")
    for name, values in columns.items():
        if len(values):
            print(name, " peak: ", max(values), " average: ", _mean(values))
    if picture is not None:
        draw(times, columns, picture)


def draw(times: Any, columns: Dict[str, Any], picture: str) -> None:
    """A row of charts; ImportError without matplotlib."""
    pyplot: Any = import_module("matplotlib.pyplot")
    figure = pyplot.figure(figsize=(5 * len(columns), 5), facecolor="w")
    axes = figure.subplots(ncols=len(columns), nrows=1, squeeze=False)[0]
    for axis, (name, values) in zip(axes, columns.items()):
        axis.set_title(f"{name} usage")
        axis.set_xlabel("time(s)")
        axis.plot(times, values)
        axis.grid()
    pyplot.savefig(picture, bbox_inches="tight", dpi=300)


def main(arguments: List[str]) -> int:
    """2 if the logs are not named."""
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    print_report(*arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
