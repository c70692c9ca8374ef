"""From the rows of both trackers to tables, statistics and advice.

Pure functions of tables; nothing here knows where rows are from.
"""
from bisect import bisect_left
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._sizes import round_memory
from .column_maps import (BYTE_MAPPING, HUMAN_NAMES_MAPPING,
                          SERVER_ALLOCATION_CHECKS)
from .tiny_data_frame import StatSpec, TinyDataFrame

Stats = Dict[str, Dict[str, Any]]
MARGIN = 1.2            # memory that is asked for, beyond the peak


def mean(values: List[float]) -> float:
    """The arithmetic mean."""
    return sum(values) / len(values)


def duration(timestamps: List[float]) -> float:
    """Seconds from the first to the last."""
    return max(timestamps) - min(timestamps)


MEAN_AND_MAX: List[Callable[..., Any]] = [mean, max]
DEFAULT_STATS = [
    *(StatSpec(f"process_{column}", statistic, round=2)
      for column in ("cpu_usage", "memory_mib", "gpu_usage", "gpu_vram_mib",
                     "gpu_utilized")
      for statistic in MEAN_AND_MAX),
    StatSpec("system_disk_space_used_gb", max, round=2),
    StatSpec("system_net_recv_bytes", sum),
    StatSpec("system_net_sent_bytes", sum),
    StatSpec("timestamp", duration),
]


def _pairs(process: List[float], system: List[float],
           interval: float) -> List[Tuple[int, int]]:
    """Indexes of rows of the same time: nearest, at most half a row apart."""
    if process == system:
        return [(at, at) for at in range(len(system))]
    pairs, last = [], -1
    for at, time in enumerate(process):
        right = bisect_left(system, time)
        near = min((each for each in (right - 1, right)
                    if last < each < len(system)),
                   key=lambda each: abs(system[each] - time), default=None)
        if near is not None and abs(system[near] - time) <= interval / 2:
            pairs.append((at, near))
            last = near
    return pairs


def _name(column: str, prefix: str, human_names: bool) -> str:
    human = HUMAN_NAMES_MAPPING.get(column, column) if human_names else column
    return human if column == "timestamp" else prefix + human


def _columns(table: TinyDataFrame, indexes: Optional[List[int]],
             prefix: str, human_names: bool,
             as_bytes: bool) -> Dict[str, List[Any]]:
    found = {}
    for column in table.columns:
        values = table[column]
        if indexes is not None:
            values = [values[at] for at in indexes]
        factor = BYTE_MAPPING.get(column, 1) if as_bytes else 1
        if factor != 1:
            values = [None if value is None else value * factor
                      for value in values]
        found[_name(column, prefix, human_names)] = values
    return found


def combine(process: TinyDataFrame, system: TinyDataFrame, interval: float,
            as_bytes: bool = False, human_names: bool = False,
            system_prefix: Optional[str] = None,
            process_prefix: Optional[str] = None,
            offset: Optional[int] = None) -> TinyDataFrame:
    """Both in one table, joined by time, without its first `offset` rows.

    Where only one of them was tracked, its rows alone.
    """
    of_system, of_process = (
        prefix if prefix is not None else word + (" " if human_names else "_")
        for prefix, word in (
            (system_prefix, "System" if human_names else "system"),
            (process_prefix, "Process" if human_names else "process")))
    both = process.columns and system.columns
    of_rows: Tuple[Optional[List[int]], Optional[List[int]]] = (None, None)
    if both and process["timestamp"] != system["timestamp"]:
        pairs = _pairs(process["timestamp"], system["timestamp"], interval)
        of_rows = [a for a, _ in pairs], [b for _, b in pairs]
    found = _columns(system, of_rows[1], of_system, human_names, as_bytes)
    for name, values in _columns(process, of_rows[0], of_process,
                                 human_names, as_bytes).items():
        found.setdefault(name, values)
    combined = TinyDataFrame.of_columns(found)
    if not len(combined):
        return TinyDataFrame([])
    return combined[offset:] if offset else combined


def statistics(combined: TinyDataFrame, interval: float,
               specs: List[StatSpec]) -> Stats:
    """Statistics of columns that are there; RuntimeError without rows.

    The duration has the interval that the first row stands for.
    """
    if not len(combined):
        raise RuntimeError("No metrics collected (yet)")
    found = combined.stats([
        spec for spec in specs
        if spec.column in combined.columns or specs is not DEFAULT_STATS])
    if "duration" in found.get("timestamp", {}):
        found["timestamp"]["duration"] = round(
            found["timestamp"]["duration"] + interval, 3)
    return found


def allocation(process: TinyDataFrame, system: TinyDataFrame) -> str:
    """Is the machine "dedicated" to the process, or "shared"?

    "unknown" unless both were tracked.
    """
    if not len(process) or not len(system):
        return "unknown"
    for check in SERVER_ALLOCATION_CHECKS:
        of_process, of_system = (
            mean(table[str(check[f"{name}_column"])])
            for name, table in (("process", process), ("system", system)))
        if of_system > min(of_process * float(check["percent"]),
                           of_process + float(check["absolute"])):
            return "shared"
    return "dedicated"


def recommend(stats: Stats) -> Dict[str, int]:
    """CPUs, memory, GPUs and their memory (MiB) for the next run."""
    def value(column: str, statistic: str) -> float:
        return float(stats.get(column, {}).get(statistic, 0))

    gpus = value("process_gpu_usage", "max")
    vram = value("process_gpu_vram_mib", "max")
    return {
        "cpu": max(1, round(value("process_cpu_usage", "mean"))),
        "memory": round_memory(value("process_memory_mib", "max") * MARGIN),
        "gpu": (max(1, round(gpus))
                if value("process_gpu_usage", "mean") > 0 else 0),
        "vram": round_memory(vram * MARGIN) if vram > 0 else 0,
    }
