"""Rows of both trackers from the lines of the recorder's feed.

A feed is JSON lines: a header, `columns` that name what follows, and rows
`["r", seconds since the start, seconds covered, samples, values, ...]`.
"""
import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .column_maps import PROCESS_COLUMNS, SYSTEM_COLUMNS

Row = Dict[str, Any]
Pair = Tuple[Optional[Row], Row]


class Source(NamedTuple):
    """A column is this metric, divided and rounded."""

    column: str
    metric: str
    divisor: float = 1
    decimals: Optional[int] = None


MIB, GB = 1048576, 1e9

PROCESS_SOURCES = [
    Source("utime", "process.cpu_user_seconds", 1, 6),
    Source("stime", "process.cpu_system_seconds", 1, 6),
    Source("cpu_usage", "process.cpu_cores", 1, 4),
    Source("disk_read_bytes", "process.disk_read_bytes"),
    Source("disk_write_bytes", "process.disk_write_bytes"),
    Source("gpu_usage", "process.gpu_utilization_gpus", 1, 4),
    Source("gpu_vram_mib", "process.gpu_vram_bytes", MIB, 4),
    Source("gpu_utilized", "process.gpu_utilized"),
]
SYSTEM_SOURCES = [
    Source("processes", "cpu.processes"),
    Source("utime", "cpu.user_seconds", 1, 6),
    Source("stime", "cpu.system_seconds", 1, 6),
    Source("cpu_usage", "cpu.utilization_cores", 1, 4),
    *(Source(f"memory_{kind}_mib", f"memory.{kind}_bytes", MIB, 4)
      for kind in ("free", "used", "buffers", "cached", "active",
                   "inactive")),
    Source("disk_read_bytes", "disk_total.read_bytes"),
    Source("disk_write_bytes", "disk_total.write_bytes"),
    *(Source(f"disk_space_{part}_gb", f"disk_total.space_{part}_bytes", GB, 2)
      for part in ("total", "used", "free")),
    Source("net_recv_bytes", "network_total.recv_bytes"),
    Source("net_sent_bytes", "network_total.sent_bytes"),
    Source("gpu_usage", "gpu_total.utilization_gpus", 1, 4),
    Source("gpu_vram_mib", "gpu_total.vram_used_bytes", MIB, 4),
    Source("gpu_utilized", "gpu_total.utilized"),
]


def _value(source: Source, values: Dict[str, Any]) -> Any:
    """A column's value; 0 where the recorder does not know it, as ever."""
    value = values.get(source.metric)
    if value is None:
        return 0
    if source.decimals is None:
        return int(value)
    return max(0, round(value / source.divisor, source.decimals))


def _row(columns: List[str], sources: List[Source],
         values: Dict[str, Any], known: Row) -> Row:
    found = {source.column: _value(source, values) for source in sources}
    found.update(known)
    return {name: found[name] for name in columns}


def process_row(timestamp: float, pid: int, children: bool,
                values: Dict[str, Any]) -> Optional[Row]:
    """The process tracker's row; None once the process has ended."""
    memory = values.get("process.pss_bytes")
    if memory is None:
        memory = values.get("process.rss_bytes")
    if not memory:
        return None
    descendants = (values.get("process.children") or 0) if children else 0
    return _row(PROCESS_COLUMNS, PROCESS_SOURCES, values, {
        "timestamp": timestamp, "pid": pid,
        "children": descendants or None,
        "memory_mib": round(memory / MIB, 4)})


def system_row(timestamp: float, values: Dict[str, Any]) -> Row:
    """The system tracker's row."""
    return _row(SYSTEM_COLUMNS, SYSTEM_SOURCES, values,
                {"timestamp": timestamp})


class FeedRows:
    """Turns lines of a feed into rows of both trackers."""

    def __init__(self, pid: int, children: bool) -> None:
        self._pid = pid
        self._children = children
        self._start = 0.0
        self._fixed: Dict[str, Any] = {}
        self._names: List[str] = []

    def row(self, line: bytes) -> Optional[Pair]:
        """(process row or None, system row), if the line holds a sample."""
        try:
            item = json.loads(line)
        except ValueError:      # cut off by a full disk: later ones count
            return None
        if isinstance(item, dict):
            self._start = item.get("start", self._start)
            self._fixed = item.get("fixed", self._fixed)
            if "columns" in item:
                self._names = [column[0] for column in item["columns"]]
            return None
        if not isinstance(item, list) or item[:1] != ["r"] or len(item) < 5:
            return None
        values = {**self._fixed, **dict(zip(self._names, item[4] or []))}
        timestamp = round(self._start + item[1], 3)
        return (process_row(timestamp, self._pid, self._children, values),
                system_row(timestamp, values))
