"""package.py RECORDER - the Python package beside what its users would do otherwise.  Prints JSON: CPU time in us, medians."""
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from resource_tracker import _programs, _runs, region, track
from resource_tracker.column_maps import PROCESS_COLUMNS, SYSTEM_COLUMNS
from resource_tracker.tracker import ResourceTracker

ROUNDS, PAIRS, SAMPLES, ROWS, BLOCK, COUNTS = 15, 20_000, 86_400, 36_000, 4096, 10_000_000


def locks():
    for _ in range(PAIRS):
        with threading.Lock():
            pass


def pairs():
    for _ in range(PAIRS):
        with region("pair"):
            pass


def other(value):
    """As long as it is, but not the same: what comes next cannot be learned."""
    return type(value)(round(value * random.uniform(0.5, 2), 6)) if isinstance(value, (int, float)) else value


def write_record(recorder, path):
    """A day of samples at 1 Hz: each 4,096 rows have half the resolution of those before."""
    subprocess.run([recorder, "--quiet", "--record", path, "--interval", "0.05", "--", "sleep", "0.2"], check=True)
    lines = path.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith('["r"'))
    kinds = next(json.loads(line)["columns"] for line in lines if line.startswith('{"columns"'))
    _, _, _, _, values, _, tables, *_ = json.loads(lines[first + 1])
    at, samples, rows = 0, 1, []
    while at < SAMPLES:
        at += min(samples, SAMPLES - at)
        row = [other(value) for value in values]
        maxima = [other(value) for value, kind in zip(row, kinds) if kind[2] == "level"] if samples > 1 else None
        rows.append(json.dumps(["r", at + 0.0004, samples + 0.000012, samples, row, maxima, tables], separators=(",", ":")))
        samples *= 2 if len(rows) % BLOCK == 0 else 1
    path.write_text("\n".join([*lines[:first], *rows, lines[-1], ""]))


def as_json(path):
    with path.open() as file:
        for line in file:
            json.loads(line)


def tracker():
    """With rows of a day's work."""
    def rows(columns):
        return [{name: float(at) if name == "timestamp" else random.random() for name in columns} for at in range(ROWS)]
    return ResourceTracker.from_snapshot({"metadata": {"interval": 1}, "process_metrics": rows(PROCESS_COLUMNS),
                                          "system_metrics": rows(SYSTEM_COLUMNS)})


def sums(columns):
    """What the default statistics cannot do without: copies of ten columns, and two passes over each."""
    for column in columns:
        mine = list(column)
        sum(mine)
        max(mine)


def count():
    for _ in range(COUNTS):
        pass


def tracks():
    """Costs of counting without and with a recorder of its own beside it, 10 samples a second; beginning and end left out."""
    os.environ.pop("RESOURCE_TRACKER_RUN", None)
    os.environ[_programs.VARIABLE] = sys.argv[1]
    alone, tracked = [], []
    for _ in range(ROUNDS):
        alone.append(cost(count))
        with track(interval=0.1):
            tracked.append(cost(count))
    return {"counting": statistics.median(alone), "tracked": statistics.median(tracked)}


def cost(function):
    began = time.process_time_ns()
    function()
    return (time.process_time_ns() - began) / 1000


def main():
    pairs()                             # until the measurement has shown that they are short
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "record"
        write_record(sys.argv[1], path)
        known = tracker()
        columns = [known.process_metrics[name] for name in PROCESS_COLUMNS[:10]]
        functions = {"lock": locks, "region": pairs, "json": lambda: as_json(path), "read": lambda: _runs.Run(path).samples,
                     "sums": lambda: sums(columns), "stats": known.stats}
        costs = [[cost(function) for function in functions.values()] for _ in range(ROUNDS)]
    found = dict(zip(functions, map(statistics.median, zip(*costs))))
    for name in ("lock", "region"):
        found[name] /= PAIRS
    print(json.dumps({**found, **tracks()}))


if __name__ == "__main__":
    main()
