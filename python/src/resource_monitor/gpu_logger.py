"""NVIDIA's GPUs by number, in bytes and percent."""
import shutil
import subprocess
from typing import Dict, List, Sequence

MIB = 1024 * 1024
ANSWER_SECONDS = 5
FIELDS = ("index", "uuid", "memory.total", "memory.used", "memory.free",
          "utilization.gpu")


def _ask(query: str) -> List[List[str]]:
    """Cells of nvidia-smi's answer; RuntimeError if there is none."""
    program = shutil.which("nvidia-smi")
    if program is None:
        raise RuntimeError("nvidia-smi is not here: no GPU can be watched")
    try:
        answer = subprocess.run(
            [program, query, "--format=csv,noheader,nounits"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, timeout=ANSWER_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise RuntimeError(f"nvidia-smi fails: {error}") from error
    lines = answer.stdout.decode("utf-8", "replace").splitlines()
    return [[cell.strip() for cell in line.split(",")]
            for line in lines if line.strip()]


def _number(text: str) -> int:
    """0 for '[N/A]' and the like."""
    try:
        return int(float(text))
    except ValueError:
        return 0


class GpuLogger:
    """Asks for these GPUs; lists of answers are in their order."""

    def __init__(self, pids: Sequence[int], gpu_ids: Sequence[int]) -> None:
        self.gpu_ids = list(gpu_ids)
        self.set_pids(pids)
        known = self._gpus() if self.gpu_ids else {}
        missing = [gpu for gpu in self.gpu_ids if gpu not in known]
        if missing:
            raise ValueError(f"no GPU has the number {missing[0]}")

    @property
    def num_gpus(self) -> int:
        """How many GPUs are watched."""
        return len(self.gpu_ids)

    @property
    def num_processes(self) -> int:
        """How many processes are watched."""
        return len(self.pids)

    def set_pids(self, pids: Sequence[int]) -> None:
        """Watch these processes from now on."""
        self.pids = set(pids)

    def _gpus(self) -> Dict[int, Dict[str, str]]:
        rows = _ask("--query-gpu=" + ",".join(FIELDS))
        return {int(row[0]): dict(zip(FIELDS, row)) for row in rows
                if len(row) == len(FIELDS)}

    def _each(self, field: str, unit: int) -> List[int]:
        if not self.gpu_ids:
            return []
        gpus = self._gpus()
        return [_number(gpus.get(gpu, {}).get(field, "")) * unit
                for gpu in self.gpu_ids]

    def get_total(self) -> List[int]:
        """Memory."""
        return self._each("memory.total", MIB)

    def get_used(self) -> List[int]:
        """Memory in use."""
        return self._each("memory.used", MIB)

    def get_free(self) -> List[int]:
        """Memory that is free."""
        return self._each("memory.free", MIB)

    def get_utilization(self) -> List[int]:
        """Percent of the time."""
        return self._each("utilization.gpu", 1)

    def get_process_used(self) -> List[int]:
        """Memory that the watched processes use."""
        if not self.gpu_ids:
            return []
        uuids = {gpu["uuid"]: at for at, gpu in self._gpus().items()}
        used = dict.fromkeys(self.gpu_ids, 0)
        for row in _ask("--query-compute-apps=pid,gpu_uuid,used_memory"):
            if len(row) != 3:
                continue
            gpu = uuids.get(row[1], -1)
            if gpu in used and _number(row[0]) in self.pids:
                used[gpu] += _number(row[2]) * MIB
        return [used[gpu] for gpu in self.gpu_ids]
