"""regions.py - a region of the Python module, empty and around some work, beside its minimum: two readings
of the clock in a context manager.  Prints ns of CPU time, medians."""
import json
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "share"))
from resource_tracker_regions import region  # noqa: E402    # pylint: disable=wrong-import-position

ROUNDS, PAIRS = 21, 20_000


class Clocks:
    def __enter__(self):
        time.monotonic_ns()

    def __exit__(self, *exception):
        time.monotonic_ns()


def bare(n):
    for _ in range(n):
        with clocks:
            pass


def pairs(n):
    for _ in range(n):
        with region("pair"):
            pass


def nested(n):
    for _ in range(n // 2):
        with region("outer"):
            with region("inner"):
                pass


def cost(function):
    began = time.thread_time_ns()
    function(PAIRS)
    return (time.thread_time_ns() - began) / PAIRS


clocks = Clocks()
pairs(100)                              # until the measurement has shown that they are short
nested(100)
rounds = [[cost(function) for function in (bare, pairs, nested)] for _ in range(ROUNDS)]
print(json.dumps(dict(zip(("clocks_ns", "pair_ns", "nested_ns"), map(statistics.median, zip(*rounds))))))
