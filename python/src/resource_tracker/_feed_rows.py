"""Rows of both trackers from the lines of the recorder's feed.

A feed is JSON lines: a header, `columns` that name what follows, and rows
`["r", seconds since the start, seconds covered, samples, values, ...]`.
"""
import json
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

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
# The first of them that is known.
MEMORY = ("process.pss_bytes", "process.rss_bytes")

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


Reader = Callable[[List[Any]], Any]


def _reader(source: Source, places: Dict[str, int],
            fixed: Dict[str, Any]) -> Reader:
    """How to read a column out of a row's values.

    What the recorder does not know is 0 in these tables.
    """
    if source.metric not in places:
        constant = _unit(fixed.get(source.metric), source)
        return lambda values: constant
    at = places[source.metric]
    return lambda values: _unit(values[at], source)


def _unit(value: Any, source: Source) -> Any:
    if value is None:
        return 0
    if source.decimals is None:
        return int(value)
    return max(0, round(value / source.divisor, source.decimals))


class FeedRows:
    """Turns lines of a feed into rows of both trackers.

    levels: what the machine has now.  The recorder reads some of it now and
    then, and does not know it yet in a sample right after its begin.
    """

    def __init__(self, pid: int, children: bool,
                 levels: Callable[[], Row] = dict) -> None:
        self._pid = pid
        self._children = children
        self._levels = levels
        self._is_first = True
        self._start = 0.0
        self._fixed: Dict[str, Any] = {}
        self._process: List[Tuple[str, Reader]] = []
        self._system: List[Tuple[str, Reader]] = []
        self._memory: List[Reader] = []
        self._descendants: Reader = lambda values: 0

    def _set_columns(self, names: List[str]) -> None:
        """Rows have these values from now on."""
        places = {name: at for at, name in enumerate(names)}

        def readers(columns: List[str], sources: List[Source]
                    ) -> List[Tuple[str, Reader]]:
            by_column = {source.column: source for source in sources}
            return [(name, _reader(by_column[name], places, self._fixed)
                     if name in by_column else lambda values: None)
                    for name in columns]
        self._process = readers(PROCESS_COLUMNS, PROCESS_SOURCES)
        self._system = readers(SYSTEM_COLUMNS, SYSTEM_SOURCES)
        self._memory = [_reader(Source("", metric, MIB, 4), places,
                                self._fixed) for metric in MEMORY]
        self._descendants = _reader(Source("", "process.children"), places,
                                    self._fixed)

    def _process_row(self, timestamp: float,
                     values: List[Any]) -> Optional[Row]:
        """None once the process has ended."""
        memory = next(filter(None, (read(values) for read in self._memory)),
                      None)
        if memory is None:
            return None
        row = {name: read(values) for name, read in self._process}
        descendants = self._descendants(values) if self._children else None
        row.update(timestamp=timestamp, pid=self._pid,
                   children=descendants or None, memory_mib=memory)
        return row

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
                self._set_columns([column[0] for column in item["columns"]])
            return None
        if (not self._system or not isinstance(item, list) or len(item) < 5
                or item[0] != "r"):
            return None
        timestamp, values = round(self._start + item[1], 3), item[4]
        system = {name: read(values) for name, read in self._system}
        if self._is_first and not system["processes"]:
            system.update((name, value) for name, value
                          in self._levels().items() if not system[name])
        self._is_first = False
        system["timestamp"] = timestamp
        return self._process_row(timestamp, values), system
