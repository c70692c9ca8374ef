"""One question: what the machine has and does, or what a tree of processes uses."""
import os
import time
from typing import Any, Dict, Optional, Sequence

from ._errors import ResourceTrackerError
from ._extension import library as _library


class Snapshot(Dict[str, Any]):
    """
    Metrics of the machine and of the tree by name ("memory.available_bytes"); `tables` has what there are several of:
    snapshot.tables["disk"]["vda"]["capacity_bytes"].  What is not known is absent.
    """

    def __init__(self, timestamp: float, tables: Dict[str, Dict[str, Any]]) -> None:
        super().__init__(tables.pop("total"))
        self.timestamp = timestamp
        self.tables = tables


def _snapshot(pids: Sequence[int], seconds: float) -> Snapshot:
    try:
        tracker = _library.Tracker(pids)
        tracker.sample()
        if seconds > 0:
            time.sleep(seconds)
            tracker.sample()
    except OSError as error:
        raise ResourceTrackerError(str(error.strerror)) from None
    return Snapshot(tracker.timestamp(), tracker.tables())


def machine(seconds: float = 0) -> Snapshot:
    """The machine now: levels and what does not change; with `seconds` also what happened in such a time."""
    return _snapshot((), seconds)


def tree(pid: Optional[int] = None, seconds: float = 0) -> Snapshot:
    """The same with what a process (None: this one) and all its descendants use: metrics "process.*"."""
    return _snapshot((os.getpid() if pid is None else pid,), seconds)
