"""A recorder in the background that is attached to this process: starting and ending it."""
import fcntl
import json
import os
import select
import stat
import tempfile
import time
from typing import Dict, Mapping, Optional, Sequence

from . import _programs
from ._errors import RecorderError
from ._extension import library as _library

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
        if record is None:
            self._start_anywhere(words)
        else:
            self._start([*words, "--record", record])

    def _start_anywhere(self, words: Sequence[str]) -> None:
        """With a record where all are; if none can be there, in a file that the one who asked for it removes."""
        try:
            self._start(words)
            if self.record or not self.is_on:
                return
            self.stop()
        except RecorderError:
            pass
        handle, temporary = tempfile.mkstemp(prefix="resource-tracker-", suffix=".jsonl")
        os.close(handle)
        try:
            self._start([*words, "--record", temporary])
            self.temporary = temporary
        except RecorderError:
            os.unlink(temporary)
            raise

    def _start(self, words: Sequence[str]) -> None:
        line = _programs.output(["--pid", str(os.getpid()), "--detach", "--quiet", *words], apart=True,
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

    def stop(self, status: int = 0) -> bool:
        """Ends it, with a last sample; its record has the status as that of a command.  False: it hangs."""
        try:
            if self._pidfd >= 0 or not _is_gone(self._pid):
                _library.ask_to_end(self._pid, self._pidfd, status)
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


def is_recorded(path: str) -> bool:
    """Whether a recorder still writes the record: it holds a lock on it.  A record that cannot be read is none for us."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):     # a FIFO's writer would take us for its reader
            return True
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.lockf(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:                                     # held; or this filesystem has no locks, so it is not known
        return True
    finally:
        os.close(handle)
    return False


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
