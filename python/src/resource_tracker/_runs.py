"""Runs that have a record: what they were, what they used, and comparing them."""
import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _programs
from ._errors import RecordError
from ._extension import library as _library
from ._frame import Frame, empty, frame_of

Path = Union[str, "os.PathLike[str]"]


class Run:
    """
    A run, by its record.  What is asked for is read then; of a run that goes on, as far as it has got.
    """

    def __init__(self, record_path: Optional[Path]) -> None:
        self._path = None if record_path is None else os.path.abspath(os.fspath(record_path))
        self._goes_on = False                           # then its record is possibly not there yet
        self._read: Dict[str, Tuple[Tuple[int, ...], Any]] = {}         # by question: the state of the file, the answer

    @property
    def record_path(self) -> Optional[str]:
        """The file; None: there is none."""
        return self._path

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._path}>"

    def __str__(self) -> str:
        """The summary for people."""
        return _programs.output(["summary", self._needed()]).rstrip("\n")

    # ---- in a notebook ------------------------------------------------------------------------------

    def _repr_html_(self) -> str:
        from ._display import Use
        return Use(self)._repr_html_()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        from ._display import Use
        return Use(self)._repr_mimebundle_()

    # ---- reading ------------------------------------------------------------------------------------

    def _needed(self) -> str:
        if self._path is None:
            raise RecordError("nothing was recorded")
        return self._path

    def _state(self) -> Tuple[int, ...]:
        try:
            status = os.stat(self._needed())
        except OSError as error:
            raise RecordError(f"the record {self._path} cannot be read: {error.strerror}") from None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _record(self, frames: str) -> "_library.Record":
        state = self._state()
        known = self._read.get(frames)
        if known is None or known[0] != state:
            try:
                known = state, _library.Record(self._needed(), frames)
            except OSError as error:
                raise RecordError(str(error.strerror)) from None
            self._read[frames] = known
        record: "_library.Record" = known[1]
        return record

    def _frame(self, name: str) -> Frame:
        if self._path is None:
            return empty(name)
        try:
            return frame_of(self._record(name), name)
        except RecordError:
            if self._goes_on:
                return empty(name)
            raise

    def _digest(self) -> Dict[str, Any]:
        """What `resource-tracker summary --json` says."""
        state = self._state()
        known = self._read.get("summary")
        if known is None or known[0] != state:
            known = state, json.loads(_programs.output(["summary", self._needed(), "--json"]))
            self._read["summary"] = known
        digest: Dict[str, Any] = known[1]
        return digest

    # ---- what it was ----------------------------------------------------------------------------------

    @property
    def info(self) -> Dict[str, Any]:
        """What the record says of the run: id, command, tags, start_seconds, end_seconds, status, notices ..."""
        return self._record("total").info()

    # ---- what it used ---------------------------------------------------------------------------------

    def summary(self) -> Dict[str, Optional[float]]:
        """The main figures by name, in base units: duration, cpu_time, mean_cpu, peak_memory ...; None is not known."""
        quantities: Dict[str, Optional[float]] = self._digest()["quantities"]
        return dict(quantities)

    def _quantity(self, name: str) -> float:
        value = self.summary().get(name)
        return float("nan") if value is None else value

    @property
    def peak_memory(self) -> float:
        """Bytes: the most PSS in a sample; NaN: not known."""
        return self._quantity("peak_memory")

    @property
    def peak_rss(self) -> float:
        """Bytes: the most resident memory in a sample, or of one process between samples, at least; NaN: not known."""
        return self._quantity("peak_rss")

    @property
    def samples(self) -> Frame:
        """A row for each sample, in long runs for several: means of levels, sums of amounts."""
        return self._frame("total")

    @property
    def maxima(self) -> Frame:
        """In step with samples: of the levels the highest sample of the row."""
        return self._frame("maximum")

    @property
    def processes(self) -> Frame:
        """Processes that have ended: name, pid, CPU time, peak of resident memory ..."""
        return self._frame("exit")

    @property
    def events(self) -> Frame:
        """Entries of regions, marks and values, as they happened."""
        return self._frame("event")

    @property
    def programs(self) -> Dict[str, Dict[str, Any]]:
        """What each program used, by its name."""
        return _by_name(self._digest()["programs"])

    @property
    def regions(self) -> Dict[str, Dict[str, Any]]:
        """What each region came to, by its path; known when the run is over."""
        return _by_name(self._digest()["regions"])

    # ---- what to do with it ---------------------------------------------------------------------------

    def report(self, path: Path) -> str:
        """Writes the report, one HTML file; its path."""
        _programs.output(["report", self._needed(), "--output", os.fspath(path)])
        return os.path.abspath(os.fspath(path))

    def recommend(self) -> Dict[str, Any]:
        """The right size for the next run: the keys of `resource-tracker recommend --json`."""
        found: Dict[str, Any] = json.loads(_programs.output(["recommend", self._needed(), "--json"]))
        return found


def _by_name(rows: Sequence[Mapping[str, Any]]) -> Dict[str, Dict[str, Any]]:
    return {row["name"]: {key: value for key, value in row.items() if key != "name"} for row in rows}


def _word(run: Union[Run, Path]) -> str:
    if isinstance(run, Run):
        return run._needed()
    word = os.fspath(run)
    # A path is a path, whatever it looks like; the others are names in the history.
    return os.path.abspath(word) if os.path.exists(word) or os.sep in word else word


def open(run: Path = "last") -> Run:
    """A run by the path of its record, or as the history has it: "last", "last~1", the beginning of an id."""
    word = _word(run)
    if not os.path.isabs(word):
        if word.startswith("-"):
            raise RecordError(f"there is no run '{word}'")
        word = json.loads(_programs.output(["runs", "show", word, "--json"]))[0]["record"]
    found = Run(word)
    found.info
    return found


def runs(name: Optional[str] = None, limit: Optional[int] = None) -> List[Dict[str, Any]]:
    """The history, newest first: for each run its id, record, command, status, quantities ...; `name` may have * and ?."""
    words = ["runs", "--json"]
    if name is not None:
        words += ["--name", name]
    found: List[Dict[str, Any]] = json.loads(_programs.output(words))
    return found if limit is None else found[:limit]


def compare(base: Union[Run, Path], new: Union[Run, Path]) -> Dict[str, Any]:
    """The changes from one run to another: the keys of `resource-tracker compare --json`."""
    found: Dict[str, Any] = json.loads(_programs.output(["compare", _word(base), _word(new), "--json"]))
    return found
