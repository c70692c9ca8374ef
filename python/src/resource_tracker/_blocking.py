"""Trackers that run in the calling thread and write a CSV row at a time."""
import os
import sys
import time
import warnings
from contextlib import contextmanager
from itertools import count
from typing import Any, Callable, Dict, Iterable, Iterator, Optional

from ._intervals import check_interval
from .column_maps import PROCESS_COLUMNS, SYSTEM_COLUMNS
from .helpers import get_tracker_implementation, render_csv_row

Row = Dict[str, Any]
Values = Dict[str, Any]
GB = 1000 ** 3


def amount(now: Values, before: Values, key: str) -> Any:
    """What was counted between two readings; counters never fall."""
    return max(0, now[key] - before[key])


def _times(now: Values, before: Values, seconds: float) -> Row:
    user, system = (amount(now, before, key) for key in ("utime", "stime"))
    return {"utime": max(0, round(user, 6)), "stime": max(0, round(system, 6)),
            "cpu_usage": max(0, round((user + system) / seconds, 4))}


def _gpu(now: Values) -> Row:
    return {"gpu_usage": max(0, round(now["gpu_usage"], 4)),
            "gpu_vram_mib": max(0, round(now["gpu_vram_mib"], 4)),
            "gpu_utilized": int(now["gpu_utilized"])}


def process_row(now: Values, before: Values, seconds: float) -> Row:
    """Columns of the process tracker, from two readings."""
    row = {
        "timestamp": round(now["timestamp"], 3),
        "pid": now["pid"],
        "children": now["children"] or None,
        **_times(now, before, seconds),
        "memory_mib": round(now["memory_mib"], 4),
        "disk_read_bytes": amount(now, before, "disk_read_bytes"),
        "disk_write_bytes": amount(now, before, "disk_write_bytes"),
        **_gpu(now),
    }
    return {name: row[name] for name in PROCESS_COLUMNS}


def system_row(now: Values, before: Values, seconds: float) -> Row:
    """Columns of the system tracker, from two readings."""
    disks = [(disk, before["disk_stats"][name])
             for name, disk in now["disk_stats"].items()
             if name in before["disk_stats"]]
    row = {
        "timestamp": round(now["timestamp"], 3),
        "processes": now["processes"],
        **_times(now, before, seconds),
        **{name: round(now[name], 4) for name in SYSTEM_COLUMNS
           if name.startswith("memory_")},
        **{f"disk_{way}_bytes": sum(amount(disk, then, f"{way}_bytes")
                                    for disk, then in disks)
           for way in ("read", "write")},
        **{f"disk_space_{part}_gb": round(sum(
            space[part] for space in now["disk_spaces"].values()) / GB, 2)
           for part in ("total", "used", "free")},
        **{name: amount(now, before, name)
           for name in ("net_recv_bytes", "net_sent_bytes")},
        **_gpu(now),
    }
    return {name: row[name] for name in SYSTEM_COLUMNS}


def machine_levels() -> Row:
    """Columns of the machine as it is now, without what adds up."""
    _, read = get_tracker_implementation()
    now = read()
    row = system_row(now, now, 1.0)
    return {name: row[name] for name in SYSTEM_COLUMNS
            if name == "processes" or name.startswith(
                ("memory_", "disk_space_"))}


@contextmanager
def _opened(path: Optional[str]) -> Iterator[Callable[[Iterable[Any]], None]]:
    """A function that writes a row, at once, to a file or to stdout."""
    if path is None:
        binary = getattr(sys.stdout, "buffer", None)

        def write(row: Iterable[Any]) -> None:
            if binary is None:
                sys.stdout.write(render_csv_row(row).decode("utf-8"))
            else:
                binary.write(render_csv_row(row))
            sys.stdout.flush()
        yield write
        return
    with open(path, "wb", buffering=0) as file:
        yield lambda row: (file.write(render_csv_row(row)), None)[1]


class _Tracker:
    """Reads, waits and writes; what is read is a subclass's."""

    def __init__(self, start_time: Optional[float], interval: float,
                 autostart: bool, output_file: Optional[str]) -> None:
        check_interval(interval)
        self.status = "running"
        self.interval = interval
        self.cycle = 0
        self.start_time = time.time() if start_time is None else start_time
        self.stats = self._read()
        self._read_at = time.monotonic()
        if autostart:
            self.start_tracking(output_file)

    def __call__(self) -> None:
        """Nothing: for callers that want something to call."""

    def _read(self) -> Values:
        raise NotImplementedError

    def _row(self, now: Values, before: Values, seconds: float) -> Row:
        raise NotImplementedError

    def _is_over(self) -> bool:
        return False

    def ended(self) -> bool:
        """Is there nothing to track any more?  Then `status` says so."""
        if self._is_over():
            self.status = "exited"
        return self.status == "exited"

    def diff_stats(self) -> Row:
        """A row of what happened since the last call."""
        before, before_at = self.stats, self._read_at
        self.stats, self._read_at = self._read(), time.monotonic()
        self.cycle += 1
        # Clocks can be set, and two readings can follow at once.
        seconds = max(self._read_at - before_at, 1e-6)
        return self._row(self.stats, before, seconds)

    def rows(self, wait: Optional[Callable[[float], Any]] = None
             ) -> Iterator[Row]:
        """The first row is from before start_time; then one an interval.

        Rows are due at start_time + k * interval.  Those that are overdue by
        more than that are left out: their time is part of the next one.
        wait(seconds), instead of sleeping: if true, a last row follows.
        """
        begin = time.monotonic() + max(0.0, self.start_time - time.time())
        due = begin
        last = False
        for number in count():
            last = last or bool((wait or time.sleep)(
                max(0.0, due - time.monotonic())))
            row = self.diff_stats()
            if self.ended():
                return
            yield row
            if last and number:
                return
            passed = (time.monotonic() - begin) // self.interval
            due = begin + (passed + 1) * self.interval

    def start_tracking(self, output_file: Optional[str] = None,
                       print_header: bool = True) -> None:
        """Write a row each interval until there is nothing to track.

        Without a file, to stdout.
        """
        with _opened(output_file) as write:
            for number, row in enumerate(self.rows()):
                if number:
                    write(row.values())
                elif print_header:
                    write(row)


class ProcessTracker(_Tracker):
    """Tracks a process, with `children` its descendants too, to its end.

    Without `pid` it is the calling process, without `start_time` now.
    """

    def __init__(self, pid: Optional[int] = None,
                 start_time: Optional[float] = None, interval: float = 1,
                 children: bool = True, autostart: bool = True,
                 output_file: Optional[str] = None, *,
                 left_out: Iterable[int] = ()) -> None:
        self.pid = os.getpid() if pid is None else pid
        self.children = children
        self._left_out = tuple(left_out)
        self._born = self._birth()
        super().__init__(start_time, interval, autostart, output_file)

    def _birth(self) -> Optional[float]:
        """Its start, which a later process with its pid does not have."""
        from .tracker_psutil import process_start
        return process_start(self.pid)

    def _read(self) -> Values:
        read, _ = get_tracker_implementation()
        values: Values = read(self.pid, self.children, self._left_out)
        return values

    def _row(self, now: Values, before: Values, seconds: float) -> Row:
        return process_row(now, before, seconds)

    def _is_over(self) -> bool:
        return (self._birth() is None or self._birth() != self._born
                or not self.stats["memory_mib"])


class PidTracker(ProcessTracker):
    """The older name of ProcessTracker."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn("PidTracker is ProcessTracker", DeprecationWarning,
                      stacklevel=2)
        super().__init__(*args, **kwargs)


class SystemTracker(_Tracker):
    """Tracks the machine, until the caller is interrupted."""

    def __init__(self, start_time: Optional[float] = None,
                 interval: float = 1, autostart: bool = True,
                 output_file: Optional[str] = None) -> None:
        super().__init__(start_time, interval, autostart, output_file)

    def _read(self) -> Values:
        _, read = get_tracker_implementation()
        values: Values = read()
        return values

    def _row(self, now: Values, before: Values, seconds: float) -> Row:
        return system_row(now, before, seconds)
