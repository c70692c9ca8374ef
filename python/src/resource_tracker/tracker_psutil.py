"""The functions of tracker_procfs, by the name of the other backend.

Where there is a /proc it is read: psutil would read the same files, slower,
and with values of its own for loopback and for ended processes.  Elsewhere
psutil is needed.
"""
from importlib import import_module
from time import time
from typing import Any, Callable, Dict, Iterable, List, Optional

from .helpers import is_procfs_available
from .nvidia import (process_nvidia_smi, process_nvidia_smi_pmon,
                     start_nvidia_smi, start_nvidia_smi_pmon)

MIB = 1024 * 1024


def _first(*questions: Callable[[], Any]) -> Any:
    """The first answer that is not empty; None if there is none."""
    for question in questions:
        try:
            answer = question()
        except Exception:       # psutil's, and those of what a system lacks
            continue
        if answer:
            return answer
    return None


def _psutil() -> Any:
    """The module; ImportError where it is not installed."""
    return import_module("psutil")


def _by_psutil_process(pid: int, children: bool) -> Dict[str, Any]:
    psutil = _psutil()
    now = time()
    gpu = start_nvidia_smi_pmon()
    root = _first(lambda: psutil.Process(pid))
    descendants: List[Any] = []
    if root is not None and children:
        descendants = _first(lambda: root.children(recursive=True)) or []
    members = ([root] if root is not None else []) + descendants
    user, system, memory, read, written = 0.0, 0.0, 0, 0, 0
    for member in members:
        times = _first(member.cpu_times)
        if times is not None:
            waited = children and hasattr(times, "children_user")
            user += times.user + (times.children_user if waited else 0)
            system += times.system + (times.children_system if waited else 0)
        memory += _first(lambda: member.memory_full_info().pss,
                         lambda: member.memory_full_info().uss,
                         lambda: member.memory_info().rss) or 0
        io = _first(member.io_counters)
        read += io.read_bytes if io else 0
        written += io.write_bytes if io else 0
    pids = {pid, *(member.pid for member in descendants)}
    return {"timestamp": now, "pid": pid,
            "children": len(descendants) if children else None,
            "utime": user, "stime": system, "memory_mib": memory / MIB,
            "disk_read_bytes": read, "disk_write_bytes": written,
            **process_nvidia_smi_pmon(gpu, pids)}


def _by_psutil_system() -> Dict[str, Any]:
    psutil = _psutil()
    now = time()
    gpu = start_nvidia_smi()
    times, memory = psutil.cpu_times(), psutil.virtual_memory()
    disks = psutil.disk_io_counters(perdisk=True) or {}
    networks = psutil.net_io_counters(pernic=True)
    cards = [io for name, io in networks.items() if not name.startswith("lo")]
    spaces = {}
    for part in psutil.disk_partitions():
        use = _first(lambda: psutil.disk_usage(part.mountpoint))
        if use:
            spaces[part.device] = part.mountpoint, {
                "total": use.total, "used": use.used, "free": use.free}
    kinds = ("free", "buffers", "cached", "active", "inactive")
    return {
        "timestamp": now, "processes": len(psutil.pids()),
        "utime": times.user + getattr(times, "nice", 0.0),
        "stime": times.system,
        "memory_used_mib": (memory.total - memory.available) / MIB,
        **{f"memory_{kind}_mib": getattr(memory, kind, 0) / MIB
           for kind in kinds},
        "disk_stats": {name: {"read_bytes": io.read_bytes,
                              "write_bytes": io.write_bytes}
                       for name, io in disks.items()},
        "disk_spaces": dict(spaces.values()),
        "net_recv_bytes": sum(io.bytes_recv for io in cards),
        "net_sent_bytes": sum(io.bytes_sent for io in cards),
        **process_nvidia_smi(gpu)}


def process_start(pid: int) -> Optional[float]:
    """When it began, by a clock of the system's; None: it has ended."""
    if is_procfs_available():
        from . import tracker_procfs
        return tracker_procfs.process_start(pid)
    began: Optional[float] = _first(
        lambda: _psutil().Process(pid).create_time())
    return began


def get_process_stats(pid: int, children: bool = True,
                      left_out: Iterable[int] = ()) -> Dict[str, Any]:
    """As tracker_procfs.get_process_stats."""
    if not is_procfs_available():
        return _by_psutil_process(pid, children)
    from . import tracker_procfs
    return tracker_procfs.get_process_stats(pid, children, left_out)


def get_system_stats() -> Dict[str, Any]:
    """As tracker_procfs.get_system_stats."""
    if not is_procfs_available():
        return _by_psutil_system()
    from . import tracker_procfs
    return tracker_procfs.get_system_stats()


def get_pid_stats(pid: int, children: bool = True) -> Dict[str, Any]:
    """As tracker_procfs.get_pid_stats."""
    from . import tracker_procfs
    return tracker_procfs.get_pid_stats(pid, children)
