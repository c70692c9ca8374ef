"""The columns of both trackers, their names for people and their units.

A table of columns is the one place where a column is named; what the drop-in
writes, combines and labels is derived from it.
"""
from typing import Dict, List, NamedTuple, Union

MIB = 1024 * 1024
GB = 1000 * 1000 * 1000


class Column(NamedTuple):
    """A column of the trackers' files; bytes: how many a unit has, or 0."""

    name: str
    human: str
    bytes: int = 0


_GPU = [
    Column("gpu_usage", "GPU usage"),
    Column("gpu_vram_mib", "VRAM used", MIB),
    Column("gpu_utilized", "GPUs in use"),
]
_CPU = [
    Column("utime", "CPU time (user)"),
    Column("stime", "CPU time (system)"),
    Column("cpu_usage", "CPU usage"),
]
_DISK = [
    Column("disk_read_bytes", "disk read"),
    Column("disk_write_bytes", "disk write"),
]

PROCESS = [
    Column("timestamp", "Timestamp"),
    Column("pid", "PID"),
    Column("children", "children"),
    *_CPU,
    Column("memory_mib", "memory usage", MIB),
    *_DISK,
    *_GPU,
]
SYSTEM = [
    Column("timestamp", "Timestamp"),
    Column("processes", "processes"),
    *_CPU,
    Column("memory_free_mib", "free memory", MIB),
    Column("memory_used_mib", "used memory", MIB),
    Column("memory_buffers_mib", "memory buffers", MIB),
    Column("memory_cached_mib", "memory page/file cached", MIB),
    Column("memory_active_mib", "active memory", MIB),
    Column("memory_inactive_mib", "inactive memory", MIB),
    *_DISK,
    Column("disk_space_total_gb", "disk space total", GB),
    Column("disk_space_used_gb", "disk space used", GB),
    Column("disk_space_free_gb", "disk space free", GB),
    Column("net_recv_bytes", "inbound network traffic"),
    Column("net_sent_bytes", "outbound network traffic"),
    *_GPU,
]
PROCESS_COLUMNS = [column.name for column in PROCESS]
SYSTEM_COLUMNS = [column.name for column in SYSTEM]

HUMAN_NAMES_MAPPING: Dict[str, str] = {
    column.name: column.human for column in [*SYSTEM, *PROCESS]}
BYTE_MAPPING: Dict[str, int] = {
    column.name: column.bytes for column in [*SYSTEM, *PROCESS]
    if column.bytes}


def _check(process: str, system: str, factor: float,
           more: float) -> Dict[str, Union[str, float]]:
    return {"process_column": process, "system_column": system,
            "percent": factor, "absolute": more}


# A machine is shared if it uses more than `percent` times, or `absolute`
# more than, what the process does; units are those of the columns.
SERVER_ALLOCATION_CHECKS: List[Dict[str, Union[str, float]]] = [
    _check("cpu_usage", "cpu_usage", 1.25, 0.25),
    _check("memory_mib", "memory_used_mib", 1.5, 512),
    _check("gpu_usage", "gpu_usage", 1.25, 0.2),
    _check("gpu_vram_mib", "gpu_vram_mib", 1.25, 512),
]


def _both(*humans: str) -> List[str]:
    pairs = [[f"Process {human}", f"System {human}"] for human in humans]
    return ["Timestamp", *(name for pair in pairs for name in pair)]


# The columns of each chart of a report.
REPORT_CSV_MAPPING: Dict[str, List[str]] = {
    "cpu": _both("CPU usage"),
    "mem": ["Timestamp", "Process memory usage", "System used memory"],
    "disk": _both("disk read", "disk write"),
    "disk_space": ["Timestamp", "System disk space used"],
    "net": ["Timestamp", "System inbound network traffic",
            "System outbound network traffic"],
    "gpu_usage": _both("GPU usage"),
    "gpu_utilized": _both("GPUs in use"),
    "gpu_vram_mib": _both("VRAM used"),
}
