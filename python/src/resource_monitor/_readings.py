"""What a log of resources reads of /proc."""
import os
from typing import Dict, Tuple, Union

from resource_tracker._devices import is_counted_disk
from resource_tracker.tracker_procfs import (TICKS, get_process_proc_io,
                                             get_process_proc_times,
                                             read_meminfo)

MIB = 1024 * 1024
SECTORS = 2048          # in a MiB, of /proc/diskstats
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def process_reading(pid: int, children: bool) -> Dict[str, float]:
    """CPU seconds, memory and I/O; zeros if it has just ended."""
    words = _text(f"/proc/{pid}/statm").split() or ["0", "0"]
    times = get_process_proc_times(pid, children)
    io = get_process_proc_io(pid)
    return {
        "cpu_seconds": (times["utime"] + times["stime"]) / TICKS,
        "rss_mb": int(words[1]) * PAGE_BYTES // MIB,
        "vms_mb": int(words[0]) * PAGE_BYTES // MIB,
        "read_count": io.get("syscr", 0),
        "read_mb": io.get("read_bytes", 0) // MIB,
        "write_count": io.get("syscw", 0),
        "write_mb": io.get("write_bytes", 0) // MIB,
    }


def _ticks() -> Tuple[int, int]:
    """(all, busy) of the machine; guests are in user and nice already."""
    first = _text("/proc/stat").partition("\n")[0].split()
    ticks = [int(word) for word in first[1:9]]
    return sum(ticks), sum(ticks) - sum(ticks[3:5])


def _disk_totals() -> Dict[str, int]:
    """Requests and sectors of all disks; zeros where there is none."""
    fields = {"read_count": 3, "read": 5, "write_count": 7, "write": 9}
    totals = dict.fromkeys(fields, 0)
    for line in _text("/proc/diskstats").splitlines():
        words = line.split()
        if len(words) > 9 and is_counted_disk(words[2]):
            for name, at in fields.items():
                totals[name] += int(words[at])
    return totals


def machine_reading() -> Dict[str, Union[int, float]]:
    """The machine's columns, and its ticks until now."""
    info, disk = read_meminfo(), _disk_totals()
    all_ticks, busy_ticks = _ticks()
    used = info.get("MemTotal", 0) - info.get("MemAvailable", 0)
    swap = info.get("SwapTotal", 0) - info.get("SwapFree", 0)
    return {
        "all_ticks": all_ticks, "busy_ticks": busy_ticks,
        "vms_global_mb": used // 1024, "swap_used_mb": swap // 1024,
        "read_count_global": disk["read_count"],
        "read_mb_global": disk["read"] // SECTORS,
        "write_count_global": disk["write_count"],
        "write_mb_global": disk["write"] // SECTORS,
    }


def _physical_cores() -> int:
    """Cores without their siblings; all CPUs where that is not known."""
    cores, package = set(), ""
    for line in _text("/proc/cpuinfo").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "physical id":
            package = value.strip()
        elif key.strip() == "core id":
            cores.add((package, value.strip()))
    return len(cores) or os.cpu_count() or 1


def machine_facts() -> Dict[str, int]:
    """What the second line of the log says."""
    info = read_meminfo()
    return {"logger_process_pid": os.getpid(),
            "cpu_count": _physical_cores(),
            "vm_total_mb": info.get("MemTotal", 0) // 1024,
            "vm_available_mb": info.get("MemAvailable", 0) // 1024,
            "swap_total_mb": info.get("SwapTotal", 0) // 1024,
            "swap_free_mb": info.get("SwapFree", 0) // 1024}
