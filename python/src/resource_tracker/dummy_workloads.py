"""Loads of a known size, to try a tracker on."""
from multiprocessing import cpu_count, get_context
from time import process_time, time


def cpu_single(duration: float = 1) -> None:
    """Keep one CPU busy for so many seconds."""
    end = time() + duration
    number = 0
    while time() < end:
        number = (number * 31 + 7) % 1000003


def _busy_seconds(duration: float) -> float:
    before = process_time()
    cpu_single(duration)
    return process_time() - before


def cpu_multi(duration: float = 1, ncores: int = cpu_count()) -> float:
    """Keep so many CPUs busy, each by a process; CPU seconds used in all."""
    with get_context().Pool(ncores) as pool:
        used = pool.map(_busy_seconds, [duration] * ncores, chunksize=1)
        pool.close()
        pool.join()
    return sum(used)
