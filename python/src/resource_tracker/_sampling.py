"""Samples taken beside the program: by the recorder, else by a Python of ours.

Either writes lines to a file; a call that asks for rows reads the new ones.
Nothing runs in the program meanwhile, not even a thread.
"""
import json
import os
import subprocess
import sys
import tempfile
from typing import Any, Callable, Dict, List, Optional

from . import _recorder_program
from ._feed_rows import FeedRows, Pair
from .helpers import cleanup_files, cleanup_processes

STOP_SECONDS = 5
MEASURED = "cpu,memory,disk,network,gpu,process"


def _helper_row(line: bytes) -> Optional[Pair]:
    try:
        process, system = json.loads(line)
    except ValueError:
        return None
    return process, system


class Sampling:
    """One run of the recorder, or of the helper.  `implementation`: which."""

    def __init__(self, pid: int, children: bool, interval: float) -> None:
        self._owner = os.getpid()
        handle, self._path = tempfile.mkstemp(prefix="resource_tracker_",
                                              suffix=".jsonl")
        os.close(handle)
        handle, self._said_path = tempfile.mkstemp(
            prefix="resource_tracker_", suffix=".txt")
        self._read_until = 0
        program = _recorder_program.recorder()
        self.implementation = "procfs" if program is None else "recorder"
        self._row: Callable[[bytes], Optional[Pair]] = (
            _helper_row if program is None else FeedRows(pid, children).row)
        command = (self._recorder(program, pid, children, interval)
                   if program else [sys.executable, "-m", __package__ +
                                    "._sampling_helper", str(pid),
                                    str(int(children)), str(interval),
                                    self._path])
        with os.fdopen(handle, "wb") as said:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                start_new_session=True, env=self._environment())

    def _recorder(self, program: str, pid: int, children: bool,
                  interval: float) -> List[str]:
        return [program, "--no-config", "--quiet", "--record", "none",
                "--pid", str(pid), "--interval", f"{interval:.6f}",
                "--only", MEASURED,
                *([] if children else ["--no-children"]),
                "--feed", self._path]

    @staticmethod
    def _environment() -> Dict[str, str]:
        """Without what would make our recorder another, or ask it for more."""
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("TRACKER_", "RESOURCE_TRACKER"))}
        source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        path = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
        return {**kept, "PYTHONPATH": os.pathsep.join(path)}

    def rows(self) -> List[Pair]:
        """Those that are new since the last call."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._read_until)
                text = file.read()
        except OSError:
            return []
        whole = text[:text.rfind(b"\n") + 1]
        self._read_until += len(whole)
        found = map(self._row, whole.splitlines())
        return [pair for pair in found if pair is not None]

    def is_running(self) -> bool:
        """Has it not ended?"""
        return self.process.poll() is None

    def failure(self) -> Optional[str]:
        """Why it ended as it should not; None while it runs or if it did."""
        status = self.process.poll()
        if status in (None, 0, 143, -15):
            return None
        try:
            with open(self._said_path, encoding="utf-8",
                      errors="replace") as file:
                said = file.read().strip()
        except OSError:
            said = ""
        return said or f"ended with status {status}"

    def stop(self) -> None:
        """End it: it takes a last sample.  In a fork's child it goes on."""
        if os.getpid() != self._owner:
            return
        if self.is_running():
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                cleanup_processes([self.process])

    def close(self) -> None:
        """End it and remove its files."""
        if os.getpid() == self._owner:
            self.stop()
            cleanup_files([self._path, self._said_path])


def describe(error: str) -> Dict[str, Any]:
    """An entry of `error_queue`."""
    return {"name": "RuntimeError", "module": __name__, "message": error,
            "traceback": ""}
