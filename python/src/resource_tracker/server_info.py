"""What machine this is."""
import os
import platform
from collections import Counter
from typing import Any, Dict, List

from . import nvidia
from .tracker_procfs import read_meminfo


def get_total_memory_mib() -> float:
    """Memory of the machine in MiB, 0.0 where that is not known."""
    total = read_meminfo().get("MemTotal", 0) / 1024
    if not total:
        try:
            pages = os.sysconf("SC_PHYS_PAGES")
            total = pages * os.sysconf("SC_PAGE_SIZE") / 1024 ** 2
        except (ValueError, OSError):
            return 0.0
    return round(total, 2)


def get_gpu_info() -> Dict[str, Any]:
    """{count, memory_mib, gpu_names} of NVIDIA's GPUs."""
    found = nvidia.gpus()
    return {"count": len(found),
            "memory_mib": float(sum(gpu["memory_mib"] for gpu in found)),
            "gpu_names": [gpu["name"] for gpu in found]}


def get_server_info() -> Dict[str, Any]:
    """Operating system, CPUs, memory and GPUs of this machine."""
    gpu = get_gpu_info()
    names: List[str] = gpu["gpu_names"]
    most_common = Counter(names).most_common(1)
    return {
        "os": platform.system(),
        "vcpus": os.cpu_count(),
        "memory_mib": get_total_memory_mib(),
        "gpu_count": gpu["count"],
        "gpu_names": names,
        "gpu_name": most_common[0][0] if most_common else "",
        "gpu_memory_mib": gpu["memory_mib"],
    }
