"""Processes and the machine, read from /proc.

Values are cumulative where their name is an amount.  What is gone or cannot
be read is 0.  The names of two versions of the interface are here:
`get_process_*`, and `get_pid_*` with kB and its older keys.
"""
import os
from time import time
from typing import Any, Dict, Iterable, List, Optional, Set

from ._devices import disk_io, disk_spaces, network_bytes
from .nvidia import (process_nvidia_smi, process_nvidia_smi_pmon,
                     start_nvidia_smi, start_nvidia_smi_pmon)

PROC = "/proc"
SYS = "/sys"
TICKS = os.sysconf("SC_CLK_TCK")
PAGE_KIB = os.sysconf("SC_PAGE_SIZE") // 1024


def _text(*path: object) -> str:
    """A file below /proc; "" if it is gone or cannot be read."""
    try:
        with open("/".join([PROC, *map(str, path)]), "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def _stat(pid: int) -> List[str]:
    """Fields of /proc/PID/stat from the state (field 3) on.

    The name before may hold blanks and parentheses: it ends at the last one.
    """
    return _text(pid, "stat").rpartition(")")[2].split()


def _fields(text: str) -> Dict[str, int]:
    """`Key:  123 kB` lines as {Key: 123}."""
    found = {}
    for line in text.splitlines():
        key, colon, rest = line.partition(":")
        words = rest.split()
        if colon and words and words[0].isdigit():
            found[key] = int(words[0])
    return found


def read_meminfo() -> Dict[str, int]:
    """/proc/meminfo in kB."""
    return _fields(_text("meminfo"))


def _processes() -> List[int]:
    try:
        return [int(name) for name in os.listdir(PROC) if name.isdigit()]
    except OSError:
        return []


def get_sector_sizes() -> Dict[str, int]:
    """Bytes of a sector of each disk's hardware.

    /proc/diskstats does not count in these: its unit is 512 on every disk.
    """
    sizes = {}
    try:
        disks = os.listdir(os.path.join(SYS, "block"))
    except OSError:
        return {}
    for disk in disks:
        path = os.path.join(SYS, "block", disk, "queue/hw_sector_size")
        try:
            with open(path, encoding="ascii") as file:
                sizes[disk] = int(file.read())
        except (OSError, ValueError):
            sizes[disk] = 512
    return sizes


def _children_by_parents() -> Dict[int, Set[int]]:
    """For kernels without lists of children: one look at all processes."""
    children: Dict[int, Set[int]] = {}
    for pid in _processes():
        stat = _stat(pid)
        if len(stat) > 1:
            children.setdefault(int(stat[1]), set()).add(pid)
    return children


def _listed_children(pid: int) -> Set[int]:
    """The children that any thread of the process has started."""
    try:
        threads = os.listdir(f"{PROC}/{pid}/task")
    except OSError:
        return set()
    words: List[str] = []
    for thread in threads:
        words += _text(pid, "task", thread, "children").split()
    return {int(word) for word in words}


def get_process_children(pid: int) -> Set[int]:
    """All descendants of a process."""
    listed = os.path.exists(f"{PROC}/self/task/{os.getpid()}/children")
    parents = {} if listed else _children_by_parents()
    found: Set[int] = set()
    ahead = [pid]
    while ahead:
        parent = ahead.pop()
        children = (_listed_children(parent) if listed
                    else parents.get(parent, set()))
        new = children - found - {pid}
        found |= new
        ahead += new
    return found


def get_process_rss(pid: int) -> int:
    """Resident memory in KiB."""
    return _fields(_text(pid, "status")).get("VmRSS", 0)


def get_process_pss_rollup(pid: int) -> int:
    """Memory in KiB in which shared pages count by their share."""
    return _fields(_text(pid, "smaps_rollup")).get("Pss", 0)


def _memory_kib(pid: int) -> int:
    """PSS; RSS where another user's process or the kernel refuses it."""
    return get_process_pss_rollup(pid) or get_process_rss(pid)


def get_process_proc_times(pid: int, children: bool = True) -> Dict[str, int]:
    """CPU time in ticks; with that of ended children it has waited for."""
    stat = _stat(pid)
    if len(stat) < 15:
        return {"utime": 0, "stime": 0}
    user, system, waited_user, waited_system = map(int, stat[11:15])
    if children:
        user, system = user + waited_user, system + waited_system
    return {"utime": user, "stime": system}


def get_process_proc_io(pid: int) -> Dict[str, int]:
    """/proc/PID/io, by its keys."""
    return _fields(_text(pid, "io")) or {"read_bytes": 0, "write_bytes": 0}


def process_start(pid: int) -> Optional[int]:
    """Ticks after boot at which it began; None: gone, or a zombie.

    With the pid it names a process for good: pids are used again.
    """
    stat = _stat(pid)
    if len(stat) < 20 or stat[0] in "ZX":
        return None
    return int(stat[19])


def _sum_of(rows: Iterable[Dict[str, int]], key: str) -> int:
    return sum(row.get(key, 0) for row in rows)


def get_process_stats(pid: int, children: bool = True,
                      left_out: Iterable[int] = ()) -> Dict[str, Any]:
    """What a process, and with `children` its descendants, used until now.

    `left_out`: descendants that do not count, such as a tracker's own.
    """
    now = time()
    gpu = start_nvidia_smi_pmon()
    descendants = get_process_children(pid) if children else set()
    descendants -= set(left_out)
    if gpu is not None:
        descendants.discard(gpu.pid)
    members = [pid, *sorted(descendants)]
    times = [get_process_proc_times(each, children) for each in members]
    io = [get_process_proc_io(each) for each in members]
    return {
        "timestamp": now,
        "pid": pid,
        "children": len(descendants) if children else None,
        "utime": _sum_of(times, "utime") / TICKS,
        "stime": _sum_of(times, "stime") / TICKS,
        "memory_mib": sum(map(_memory_kib, members)) / 1024,
        "disk_read_bytes": _sum_of(io, "read_bytes"),
        "disk_write_bytes": _sum_of(io, "write_bytes"),
        **process_nvidia_smi_pmon(gpu, set(members)),
    }


def _machine_times() -> Dict[str, float]:
    """User time with nice; system time with that of interrupts, seconds."""
    for line in _text("stat").splitlines():
        words = line.split()
        if words and words[0] == "cpu":
            ticks = [int(word) for word in words[1:]] + [0] * 8
            user, nice, system, _, _, irq, softirq = ticks[:7]
            return {"utime": (user + nice) / TICKS,
                    "stime": (system + irq + softirq) / TICKS}
    return {"utime": 0, "stime": 0}


def _machine_memory_kib() -> Dict[str, int]:
    info = read_meminfo()
    kib = {
        "free": info.get("MemFree", 0),
        "buffers": info.get("Buffers", 0),
        "cached": info.get("Cached", 0) + info.get("SReclaimable", 0),
        "active": info.get("Active", 0),
        "inactive": info.get("Inactive", 0),
    }
    total = info.get("MemTotal", 0)
    available = info.get(
        "MemAvailable", kib["free"] + kib["buffers"] + kib["cached"])
    kib["used"] = max(0, total - available)
    return kib


def get_system_stats() -> Dict[str, Any]:
    """What the machine did until now, and what its memory and disks hold."""
    now = time()
    gpu = start_nvidia_smi()
    kib = _machine_memory_kib()
    received, sent = network_bytes(_text("net/dev"))
    parts = ("free", "used", "buffers", "cached", "active", "inactive")
    return {
        "timestamp": now,
        "processes": len(_processes()),
        **_machine_times(),
        **{f"memory_{part}_mib": kib[part] / 1024 for part in parts},
        "disk_stats": disk_io(_text("diskstats")),
        "disk_spaces": disk_spaces(_text("self/mountinfo")),
        "net_recv_bytes": received,
        "net_sent_bytes": sent,
        **process_nvidia_smi(gpu),
    }


# The older version's names.
get_pid_children = get_process_children
get_pid_rss = get_process_rss
get_pid_pss_rollup = get_process_pss_rollup
get_pid_proc_times = get_process_proc_times
get_pid_proc_io = get_process_proc_io
_OLDER_KEYS = {"disk_read_bytes": "read_bytes",
               "disk_write_bytes": "write_bytes", "gpu_vram_mib": "gpu_vram"}


def get_pid_stats(pid: int, children: bool = True) -> Dict[str, Any]:
    """As get_process_stats, by older keys; `memory` and `pss` are in kB."""
    stats = get_process_stats(pid, children)
    older = {_OLDER_KEYS.get(key, key): value for key, value in stats.items()}
    older["memory"] = older["pss"] = round(older.pop("memory_mib") * 1024)
    return older
