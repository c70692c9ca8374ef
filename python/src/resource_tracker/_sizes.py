"""Steps in which memory is asked for."""
import math


def round_memory(mib: float) -> int:
    """The next size, in MiB: 128, 256, 512, 1024, then whole GiB."""
    for size in (128, 256, 512, 1024):
        if mib <= size:
            return size
    return math.ceil(mib / 1024) * 1024
