"""What several modules of the drop-in share."""
import csv
import io
import os
import subprocess
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, Callable, Dict, Iterable, List, Tuple, Union

SYS_BLOCK = "/sys/class/block"
ZPOOL_SECONDS = 0.25

Stats = Dict[str, Dict[str, Any]]


def is_partition(disk_name: str) -> bool:
    """Is this block device a part of another one?  The kernel says so."""
    name = disk_name.replace("/", "!")
    return os.path.exists(os.path.join(SYS_BLOCK, name, "partition"))


def is_psutil_available() -> bool:
    """Can psutil be imported?"""
    return find_spec("psutil") is not None


def is_procfs_available() -> bool:
    """Is there a /proc that shows processes?"""
    return os.access("/proc/self/stat", os.R_OK)


def get_tracker_implementation() -> Tuple[Callable[..., Any],
                                          Callable[..., Any]]:
    """(get_process_stats, get_system_stats) for this machine.

    Raises ImportError where there is neither /proc nor psutil.
    """
    if is_procfs_available():
        from .tracker_procfs import get_process_stats, get_system_stats
        return get_process_stats, get_system_stats
    from . import tracker_psutil
    return tracker_psutil.get_process_stats, tracker_psutil.get_system_stats


def get_zfs_pools_space() -> Dict[str, Dict[str, int]]:
    """Bytes (total, used, free) of each pool, by its name."""
    command = ["zpool", "list", "-Hp", "-o", "name,size,allocated,free"]
    try:
        text = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL, timeout=ZPOOL_SECONDS, check=True,
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError):
        return {}
    pools = {}
    for line in text.splitlines():
        with suppress(ValueError):
            name, total, used, free = line.split("\t")
            pools[name] = {"total": int(total), "used": int(used),
                           "free": int(free)}
    return pools


def cleanup_files(files: List[str]) -> None:
    """Remove these files; one that cannot be removed stays."""
    for path in files:
        with suppress(OSError):
            os.unlink(path)


def cleanup_processes(processes: List[Any]) -> None:
    """End these processes (of multiprocessing or subprocess), and reap."""
    for process in processes:
        with suppress(Exception):
            process.terminate()
    for process in processes:
        wait = getattr(process, "join", None) or process.wait
        with suppress(Exception):
            wait(timeout=1)
        with suppress(Exception):
            process.kill()
        with suppress(Exception):
            wait(timeout=1)


def _mean(values: List[float]) -> float:
    return sum(values) / len(values)


_AGGREGATES: Dict[str, Callable[[List[float]], float]] = {
    "mean": _mean, "duration": _mean, "max": max, "sum": max}


def aggregate_stats(stats: List[Stats]) -> Stats:
    """Statistics of several runs as those of one.

    Means and durations are averaged, of maxima and sums the largest counts.
    Raises ValueError for a statistic with another name.
    """
    gathered: Dict[str, Dict[str, List[float]]] = {}
    for run in stats:
        for column, values in run.items():
            for name, value in values.items():
                if name not in _AGGREGATES:
                    raise ValueError(f"unknown statistic: {name}")
                gathered.setdefault(column, {}).setdefault(
                    name, []).append(value)
    return {column: {name: _AGGREGATES[name](values)
                     for name, values in names.items()}
            for column, names in gathered.items()}


def render_csv_row(row: Iterable[Union[str, float, int, None]],
                   quoting: int = csv.QUOTE_NONNUMERIC) -> bytes:
    """One line of CSV, with its line end, as the trackers write it."""
    text = io.StringIO()
    writer: Any = csv.writer
    writer(text, quoting=quoting, lineterminator="\n").writerow(row)
    return text.getvalue().encode("utf-8")
