"""A log of what processes and the machine use, a row each interval.

Line 1 says how long a sample takes, line 2 what the machine has, line 3 names
the columns.  Time is perf_counter(), 100 percent are one core (`_global`: all
cores), `_mb` are whole MiB, counts and bytes are since the beginning.
"""
import os
import sys
from threading import Event
from time import monotonic, perf_counter
from typing import Any, Dict, List, Optional, Sequence, TextIO, Union

from resource_tracker.tracker_procfs import (get_process_children,
                                             process_start)

from ._readings import machine_facts, machine_reading, process_reading
from .gpu_logger import MIB, GpuLogger

BENCHMARK_SAMPLES = 8
OWN = ("cpu_percent", "rss_mb", "vms_mb", "read_count", "read_mb",
       "write_count", "write_mb")
HEADERS = ("time", "cpu_percent", "cpu_percent_global", "rss_mb", "vms_mb",
           "vms_global_mb", "swap_used_mb", "read_count",
           "read_count_global", "read_mb", "read_mb_global", "write_count",
           "write_count_global", "write_mb", "write_mb_global")
Ids = Union[int, Sequence[int], None]


def _list(ids: Ids) -> List[int]:
    if ids is None:
        return []
    return [ids] if isinstance(ids, int) else list(ids)


class ResourceLogger:
    """Logs the sum of these processes (None: the calling one) to their end.

    Their descendants belong to them, but for the logger itself; with
    `children=False` they do not.  Without `output` it logs to stdout.
    ValueError: no such process, or an interval less than two samples take.
    """

    RESOURCE_LOGGING_LATENCY = 0.01     # seconds that a sample takes

    def __init__(self, pid: Ids = None, output: Optional[str] = None,
                 interval: float = 1.0, gpu_ids: Ids = None,
                 stop_event: Optional[Any] = None,
                 children: bool = True) -> None:
        self.pids = _list(pid) or [os.getpid()]
        self.interval = interval
        self.gpu_ids = _list(gpu_ids)
        self.children = children
        self.stop_event: Any = Event() if stop_event is None else stop_event
        self._born = {each: process_start(each) for each in self.pids}
        gone = [each for each, born in self._born.items() if born is None]
        if gone:
            raise ValueError(f"there is no process {gone[0]}")
        self.gpu = GpuLogger(self.pids, self.gpu_ids)
        self._benchmark()
        latency = ResourceLogger.RESOURCE_LOGGING_LATENCY
        if interval < 2 * latency:
            raise ValueError(f"an interval of {interval} s is too short: "
                             f"a sample takes {latency:.4e} s")
        self._owned: Optional[TextIO] = (
            open(output, "w", encoding="utf-8") if output else None)
        self.output: TextIO = self._owned or sys.stdout
        self._write_header(latency)
        self._before = self._readings()

    def _benchmark(self) -> None:
        """The shortest of some: others' CPU time is not the sample's."""
        shortest = float("inf")
        for _ in range(BENCHMARK_SAMPLES):
            began = perf_counter()
            self._readings()
            shortest = min(shortest, perf_counter() - began)
        ResourceLogger.RESOURCE_LOGGING_LATENCY = shortest

    def _write_header(self, latency: float) -> None:
        facts = machine_facts()
        for gpu, total, free in zip(self.gpu_ids, self.gpu.get_total(),
                                    self.gpu.get_free()):
            facts[f"gpu_{gpu}_total_mb"] = total // MIB
            facts[f"gpu_{gpu}_free_mb"] = free // MIB
        headers = [*HEADERS, *(
            f"gpu_{gpu}_{what}" for gpu in self.gpu_ids
            for what in ("mem_mb", "mem_mb_global",
                         "utilization_percent_global"))]
        self.output.write(
            "In current environment, the latency of resource logging is "
            f"estimated to be {latency:.4e} s\n"
            + ",".join(f"{key}:{value}" for key, value in facts.items())
            + "\n" + ",".join(headers) + "\n")
        self.output.flush()

    def _active(self) -> List[int]:
        """Of the given processes those that live; a stopped one does."""
        return [pid for pid, born in self._born.items()
                if process_start(pid) == born]

    def _members(self, roots: List[int]) -> List[int]:
        found = set(roots)
        if self.children:
            for root in roots:
                found |= get_process_children(root)
        if os.getpid() not in self.pids:
            found.discard(os.getpid())
        return sorted(found)

    def _readings(self) -> Dict[str, Any]:
        members = self._members(self._active())
        self.gpu.set_pids(members)
        return {"time": perf_counter(), "machine": machine_reading(),
                "processes": [process_reading(pid, self.children)
                              for pid in members]}

    def get_resource_info(self) -> List[Union[int, float]]:
        """A row: what was used since the last one, and what is in use."""
        before, now = self._before, self._readings()
        self._before = now
        seconds = max(now["time"] - before["time"], 1e-6)
        busy = sum(each["cpu_seconds"] for each in now["processes"]) - sum(
            each["cpu_seconds"] for each in before["processes"])
        machine, then = now["machine"], before["machine"]
        ticks = machine["all_ticks"] - then["all_ticks"]
        own = {name: sum(each.get(name, 0) for each in now["processes"])
               for name in OWN}
        own["cpu_percent"] = round(max(0.0, busy) / seconds * 100, 1)
        values = {**own, **machine, "time": now["time"]}
        values["cpu_percent_global"] = round(
            100 * (machine["busy_ticks"] - then["busy_ticks"])
            / ticks, 1) if ticks else 0.0
        row = [values[name] for name in HEADERS]
        for cells in zip(self.gpu.get_process_used(), self.gpu.get_used(),
                         self.gpu.get_utilization()):
            row += [cells[0] // MIB, cells[1] // MIB, cells[2]]
        return row

    def _log_row(self) -> None:
        row = self.get_resource_info()
        self.output.write(",".join(map(str, row)) + "\n")
        self.output.flush()

    def run(self) -> None:
        """Log until all processes have ended, or the event is set."""
        begin, number = monotonic(), 1
        try:
            while True:
                due = begin + number * self.interval
                stopped = self.stop_event.wait(max(0.0, due - monotonic()))
                if not self._active():
                    return
                self._log_row()
                if stopped:
                    return
                passed = (monotonic() - begin) // self.interval
                number = int(passed) + 1
        except KeyboardInterrupt:
            return
        finally:
            self.clean_up()

    def clean_up(self) -> None:
        """Close the file."""
        if self._owned is not None:
            self._owned.close()
