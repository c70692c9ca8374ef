"""A recorder in the background that is attached to this process: starting and ending it."""
import json
import os
import select
import signal
import stat
import tempfile
import time
from typing import Dict, List, Mapping, Optional, Sequence

from . import _programs

RUN, REGIONS = "RESOURCE_TRACKER_RUN", "RESOURCE_TRACKER_REGIONS"
_VARIABLES = (RUN, REGIONS, "RESOURCE_TRACKER_REGIONS_SHM")
ENOUGH_SECONDS = 30             # the recorder itself gives a slow disk a second; beyond this it hangs


class Recorder:
    """Attached when this returns, unless it is switched off; RecorderError (of _programs): it could not be."""

    def __init__(self, words: Sequence[str], record: Optional[str], descriptors: Sequence[int] = ()) -> None:
        self._descriptors = descriptors                 # which it inherits
        self.temporary: Optional[str] = None
        self.environment: Dict[str, str] = {}           # the variables that name its record and its regions
        self._pid = 0
        self._pidfd = -1
        self._named = None if record is None or record.endswith("/") else os.path.abspath(record)
        self._start([*words, *(["--record", record] if record else [])])
        # Where its folder cannot be written to, the record is a file that the one who asked for it removes.
        if record is None and self._pid and not _can_be_made(self.record):
            self.stop()
            handle, self.temporary = tempfile.mkstemp(prefix="resource-tracker-", suffix=".jsonl")
            os.close(handle)
            self._start([*words, "--record", self.temporary])

    def _start(self, words: List[str]) -> None:
        line = _programs.output(["--pid", str(os.getpid()), "--detach", "--quiet", *words],
                                descriptors=self._descriptors)
        if not line:                                    # RESOURCE_TRACKER=off
            return
        found = json.loads(line)
        self._pid = found["pid"]
        self.environment = found["environment"]
        try:
            self._pidfd = os.pidfd_open(self._pid)
        except (AttributeError, OSError):
            self._pidfd = -1

    @property
    def is_on(self) -> bool:
        return self._pid > 0

    @property
    def record(self) -> Optional[str]:
        """The path; None: there is none.  A name that does not end in .jsonl is in no variable."""
        return self.environment.get(RUN) or self._named

    def _ended(self, seconds: float) -> bool:
        """Whether it has ended, or does within this time."""
        if self._pidfd >= 0:
            poll = select.poll()                        # also for descriptors that select() cannot take
            poll.register(self._pidfd, select.POLLIN)
            ended = bool(poll.poll(seconds * 1000))
        else:
            until = time.monotonic() + seconds
            while not (ended := _is_gone(self._pid)) and time.monotonic() < until:
                time.sleep(0.001)
        return ended

    def stop(self) -> bool:
        """Ends it, with a last sample.  False: it hangs."""
        try:
            if self._pidfd >= 0:
                signal.pidfd_send_signal(self._pidfd, signal.SIGTERM)
            elif not _is_gone(self._pid):
                os.kill(self._pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        ended = self._ended(ENOUGH_SECONDS)
        _reap(self._pid)
        if self._pidfd >= 0:
            os.close(self._pidfd)
        self._pid, self._pidfd = 0, -1
        return ended


def _reap(pid: int) -> None:
    """It is our child only where orphans come to this process: the first of a container."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass


def _is_gone(pid: int) -> bool:
    _reap(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def _can_be_made(path: Optional[str]) -> bool:
    """Whether the record can: its folder, or the one in which that will be made, is ours to write to."""
    if path is None:
        return False
    folder = os.path.dirname(path)
    while True:
        try:
            status = os.lstat(folder)
        except OSError:
            if folder == os.path.dirname(folder):
                return False
            folder = os.path.dirname(folder)
            continue
        is_ours = folder != os.path.dirname(path) or (stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid())
        return is_ours and os.access(folder, os.W_OK | os.X_OK)


def environment() -> Mapping[str, Optional[str]]:
    """The variables of the recorder around this process, as they are; None: not set."""
    return {name: os.environ.get(name) for name in _VARIABLES}


def set_environment(values: Mapping[str, Optional[str]]) -> None:
    for name in _VARIABLES:
        value = values.get(name)
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
