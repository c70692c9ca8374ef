"""Samples taken beside the program: by the recorder, else by a Python of ours.

Either writes lines to a file; a call that asks for rows reads the new ones.
Nothing runs in the program meanwhile, not even a thread.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, Dict, List, Optional

from . import _programs
from ._blocking import machine_levels
from ._feed_rows import FeedRows, Pair
from .helpers import cleanup_processes

BEGIN_SECONDS = 30      # on a busy machine; beyond this it hangs
STOP_SECONDS = 5
CHUNK_BYTES = 1 << 20
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
        self._read_until = 0
        # Files without a name: nothing is left if the program is killed.
        self._rows = tempfile.TemporaryFile(buffering=0)
        self._said = tempfile.TemporaryFile(buffering=0)
        program = _programs.recorder()
        try:
            self.process = self._started(program, pid, children, interval)
        except OSError:
            if program is None:
                raise
            program = None      # of another machine: it cannot be run
            self.process = self._started(None, pid, children, interval)
        self.implementation = "procfs" if program is None else "recorder"
        self._row: Callable[[bytes], Optional[Pair]] = (
            _helper_row if program is None
            else FeedRows(pid, children, machine_levels).row)

    def _started(self, program: Optional[str], pid: int, children: bool,
                 interval: float) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            self._command(program, pid, children, interval),
            stdin=subprocess.PIPE if program is None else subprocess.DEVNULL,
            stdout=self._said, stderr=self._said,
            pass_fds=[self._rows.fileno()], start_new_session=True,
            env=self._environment())

    def _command(self, program: Optional[str], pid: int, children: bool,
                 interval: float) -> List[str]:
        descriptor = self._rows.fileno()
        if program is None:
            return [sys.executable, "-m", f"{__package__}._sampling_helper",
                    str(pid), str(int(children)), str(interval),
                    str(descriptor)]
        return [program, "--no-config", "--quiet", "--record", "none",
                "--pid", str(pid), "--interval", f"{interval:.6f}",
                "--only", MEASURED,
                *([] if children else ["--no-children"]),
                "--feed", f"fd:{descriptor}"]

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
        if self._rows.closed:
            return []
        text = self._new_text()
        whole = text[:text.rfind(b"\n") + 1]
        self._read_until += len(whole)
        found = map(self._row, whole.splitlines())
        return [pair for pair in found if pair is not None]

    def _new_text(self) -> bytes:
        """By pread: the place of writing is shared with the other end."""
        parts: List[bytes] = []
        at = self._read_until
        while True:
            part = os.pread(self._rows.fileno(), CHUNK_BYTES, at)
            if not part:
                return b"".join(parts)
            parts.append(part)
            at += len(part)

    def is_running(self) -> bool:
        """Has it not ended?"""
        return self.process.poll() is None

    def failure(self) -> Optional[str]:
        """Why it ended as it should not; None while it runs or if it did."""
        status = self.process.poll()
        if status in (None, 0, 143, -15):
            return None
        said = b"" if self._said.closed else os.pread(
            self._said.fileno(), CHUNK_BYTES, 0)
        text = said.decode("utf-8", "replace").strip()
        return text or f"ended with status {status}"

    def stop(self) -> None:
        """End it, with a last sample.

        In a fork's child it goes on: it is no child of that process, and
        so poll() says there that it has ended.
        """
        self._wait_for_begin()
        if self.is_running():
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                cleanup_processes([self.process])

    def _wait_for_begin(self) -> None:
        """Before that it has nothing to end with."""
        end = time.monotonic() + BEGIN_SECONDS
        while (self.is_running() and os.fstat(self._rows.fileno()).st_size == 0
               and time.monotonic() < end):
            time.sleep(0.001)

    def close(self) -> None:
        """End it and give back its files."""
        self.stop()
        self._rows.close()
        self._said.close()
        if self.process.stdin is not None:
            self.process.stdin.close()


def describe(error: str) -> Dict[str, Any]:
    """An entry of `error_queue`."""
    return {"name": "RuntimeError", "module": __name__, "message": error,
            "traceback": ""}
