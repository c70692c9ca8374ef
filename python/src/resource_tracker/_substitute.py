"""
What of the module in C (_library.pyi) Python can do: the main figures of the machine and of processes, from /proc.  Records
are not read.
"""
import errno
import os
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import tracker_procfs
from ._devices import disk_io, network_bytes

SENTENCE = "a record is read by the package's module in C, which is not there for this machine"
# memory.<name>_bytes, and the lines of /proc/meminfo that it is the sum of.
_MEMORY: Tuple[Tuple[str, Tuple[str, ...]], ...] = (
    ("total", ("MemTotal",)), ("free", ("MemFree",)), ("available", ("MemAvailable",)), ("buffers", ("Buffers",)),
    ("cached", ("Cached", "SReclaimable")), ("active", ("Active",)), ("inactive", ("Inactive",)), ("shmem", ("Shmem",)),
    ("swap_total", ("SwapTotal",)),
)
_CPU = (("user", (0, 1)), ("system", (2,)), ("iowait", (4,)), ("irq", (5,)), ("softirq", (6,)), ("steal", (7,)))
_BUSY = ("user", "system", "irq", "softirq", "steal")

Values = Dict[str, float]


def version() -> str:
    from importlib.metadata import version as version_of

    return version_of("resource-tracker")


def ask_to_end(pid: int, pidfd: int, status: int, /) -> None:
    raise OSError(errno.ENOSYS, SENTENCE)


class Record:
    def __init__(self, path: Optional[Union[str, "os.PathLike[str]"]], frames: str, /) -> None:
        raise OSError(errno.ENOSYS, SENTENCE)


class Tracker:
    """Of these processes with all their descendants, and of the machine; metrics by the names of the module in C."""

    def __init__(self, pids: Sequence[int], only: Optional[str] = None, /) -> None:
        for pid in pids:
            if tracker_procfs.process_start(pid) is None:
                raise OSError(errno.ESRCH, f"there is no process {pid}")
        self._pids = list(pids)
        self._readings: List[Tuple[float, Values, Values]] = []         # the last two: when, levels, counters

    def sample(self) -> None:
        levels, counters = _machine()
        if self._pids:
            of_tree = _tree(self._pids)
            levels.update(of_tree[0])
            counters.update(of_tree[1])
        self._readings = [*self._readings[-1:], (time.monotonic(), levels, counters)]
        self._timestamp = time.time()

    def tables(self) -> Dict[str, Dict[str, Any]]:
        if not self._readings:
            return {"total": {}}
        (began, _, before), (ended, levels, now) = self._readings[0], self._readings[-1]
        total = dict(levels)
        if ended > began:
            total.update((name, max(0.0, value - before[name])) for name, value in now.items() if name in before)
            total["cpu.utilization_cores"] = sum(total[f"cpu.{name}_seconds"] for name in _BUSY) / (ended - began)
            if "process.cpu_seconds" in total:
                total["process.cpu_cores"] = total["process.cpu_seconds"] / (ended - began)
        return {"total": total}

    def timestamp(self) -> float:
        return self._timestamp


def _machine() -> Tuple[Values, Values]:
    """Levels, and what is counted since boot."""
    kib = tracker_procfs.read_meminfo()
    levels: Values = {f"memory.{name}_bytes": sum(kib.get(key, 0) for key in keys) * 1024.0
                      for name, keys in _MEMORY if keys[0] in kib}
    if "MemAvailable" in kib:
        levels["memory.used_bytes"] = max(0.0, levels["memory.total_bytes"] - levels["memory.available_bytes"])
    levels["memory.swap_used_bytes"] = (kib.get("SwapTotal", 0) - kib.get("SwapFree", 0)) * 1024.0
    levels["cpu.count"] = float(os.cpu_count() or 0)
    levels.update(zip(("cpu.load_1m", "cpu.load_5m", "cpu.load_15m"), os.getloadavg()))

    words = tracker_procfs._text("stat").split("\n", 1)[0].split()[1:]
    ticks = [int(word) for word in words] + [0] * 8
    counters: Values = {f"cpu.{name}_seconds": sum(ticks[i] for i in fields) / tracker_procfs.TICKS for name, fields in _CPU}
    disks = disk_io(tracker_procfs._text("diskstats")).values()
    counters["disk_total.read_bytes"] = float(sum(disk["read_bytes"] for disk in disks))
    counters["disk_total.write_bytes"] = float(sum(disk["write_bytes"] for disk in disks))
    received, sent = network_bytes(tracker_procfs._text("net/dev"))
    counters["network_total.recv_bytes"], counters["network_total.sent_bytes"] = float(received), float(sent)
    return levels, counters


def _tree(pids: Sequence[int]) -> Tuple[Values, Values]:
    """The same of processes and their descendants, each once."""
    members = sorted({*pids}.union(*map(tracker_procfs.get_process_children, pids)))
    times = [tracker_procfs.get_process_proc_times(pid) for pid in members]
    io = [tracker_procfs.get_process_proc_io(pid) for pid in members]
    rss = [tracker_procfs.get_process_rss(pid) for pid in members]
    pss = [tracker_procfs.get_process_pss_rollup(pid) for pid in members]
    levels: Values = {"process.count": float(sum(size > 0 for size in rss)), "process.rss_bytes": sum(rss) * 1024.0}
    if all(pss):
        levels["process.pss_bytes"] = sum(pss) * 1024.0
    user, system = (sum(each[key] for each in times) / tracker_procfs.TICKS for key in ("utime", "stime"))
    return levels, {
        "process.cpu_user_seconds": user, "process.cpu_system_seconds": system, "process.cpu_seconds": user + system,
        "process.disk_read_bytes": float(sum(each.get("read_bytes", 0) for each in io)),
        "process.disk_write_bytes": float(sum(each.get("write_bytes", 0) for each in io)),
    }
