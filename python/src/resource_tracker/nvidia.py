"""NVIDIA's GPUs as nvidia-smi shows them.

`start_*` starts the program, `process_*` waits for it and reads what it
wrote, so that other things can be read meanwhile.
"""
import shutil
import subprocess
from contextlib import suppress
from typing import Any, Dict, List, Optional, Set, Union

ANSWER_SECONDS = 0.5
GpuStats = Dict[str, Union[int, float, Set[int]]]


def _start(*arguments: str) -> Optional["subprocess.Popen[bytes]"]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return None
    with suppress(OSError):
        return subprocess.Popen(
            [program, *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return None


def _answer(process: Optional["subprocess.Popen[bytes]"]) -> List[str]:
    """Its lines; none if it fails or takes too long.  It is reaped."""
    if process is None:
        return []
    try:
        text, _ = process.communicate(timeout=ANSWER_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return []
    if process.returncode != 0:
        return []
    return text.decode("utf-8", "replace").splitlines()


def start_nvidia_smi_pmon() -> Optional["subprocess.Popen[bytes]"]:
    """Ask what each process does on the GPUs."""
    return _start("pmon", "-c", "1", "-s", "um", "-d", "1")


def _number(text: str) -> float:
    """A cell of nvidia-smi; 0 for '-', '[N/A]' and the like."""
    words = text.split()
    with suppress(ValueError, IndexError):
        return float(words[0])
    return 0.0


def process_nvidia_smi_pmon(
        nvidia_process: Optional["subprocess.Popen[bytes]"],
        pids: Optional[Set[int]] = None) -> GpuStats:
    """Use by these processes (None: all): GPUs, MiB, and which GPUs.

    Columns are found by the header: their number differs by version.  A GPU
    is utilized if a process of these computes on it.
    """
    usage, vram, indexes = 0.0, 0.0, set()
    names: Dict[str, int] = {}
    for line in _answer(nvidia_process):
        words = line.split()
        if words and words[0].startswith("#"):
            if not names:
                titles = line.replace("#", " ").split()
                names = {title: at for at, title in enumerate(titles)}
            continue
        pid_at, fb_at = names.get("pid", 1), names.get("fb", 9)
        if len(words) <= pid_at or not words[pid_at].isdigit():
            continue
        if pids is not None and int(words[pid_at]) not in pids:
            continue
        busy = _number(words[names.get("sm", 3)]) / 100
        usage += busy
        if busy > 0:
            indexes.add(int(_number(words[names.get("gpu", 0)])))
        if len(words) > fb_at:
            vram += _number(words[fb_at])
    return {"gpu_usage": usage, "gpu_vram_mib": vram,
            "gpu_utilized": len(indexes), "gpu_utilized_indexes": indexes}


def start_nvidia_smi() -> Optional["subprocess.Popen[bytes]"]:
    """Ask for use and memory of each GPU."""
    return _start("--query-gpu=utilization.gpu,memory.used", "--format=csv")


def process_nvidia_smi(
        nvidia_process: Optional["subprocess.Popen[bytes]"]
) -> Dict[str, Union[int, float]]:
    """Use of all GPUs together: GPUs, MiB, and how many are busy."""
    usage, vram, utilized = 0.0, 0.0, 0
    for line in _answer(nvidia_process)[1:]:
        cells = line.split(",")
        if len(cells) < 2:
            continue
        busy = _number(cells[0]) / 100
        usage += busy
        vram += _number(cells[1])
        utilized += busy > 0
    return {"gpu_usage": usage, "gpu_vram_mib": vram,
            "gpu_utilized": utilized}


def gpus() -> List[Dict[str, Any]]:
    """Name and memory (MiB) of each GPU."""
    rows = [line.rpartition(",") for line in _answer(_start(
        "--query-gpu=gpu_name,memory.total", "--format=csv,noheader,nounits"))]
    return [{"name": name.strip(), "memory_mib": _number(memory)}
            for name, _, memory in rows if name.strip()]
