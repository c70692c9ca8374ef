"""A part of a run that another recorder records: its figures are those of the samples within it."""
import os
import time
from typing import Any, Dict, List, Optional, Tuple

from ._frame import Frame
from ._recorder import is_recorded
from ._runs import Run

# By the names of docs/runs: how it is made, of which column.
_QUANTITIES: Tuple[Tuple[str, str, str], ...] = (
    ("cpu_time", "sum", "process.cpu_seconds"),
    ("peak_cpu", "max", "process.cpu_cores"),
    ("mean_memory", "mean", "process.pss_bytes"),
    ("peak_memory", "max", "process.pss_bytes"),
    ("peak_rss", "max", "process.rss_bytes"),
    ("peak_processes", "max", "process.count"),
    ("disk_read", "sum", "process.disk_read_bytes"),
    ("disk_written", "sum", "process.disk_write_bytes"),
)
_AT_LEAST = ("peak_memory", "peak_rss", "largest_process")
PEAK = "process.peak_rss_bytes"         # the highest of any one process until then
# Of a program, in the same way.
_PROGRAM = (("cpu_seconds", "sum"), ("disk_read_bytes", "sum"), ("disk_write_bytes", "sum"), ("rss_bytes", "max"),
            ("pss_bytes", "max"))

CLOCK_SECONDS = 0.001                   # so far may its clock be from ours
ENTRY = 0                               # enum rt_record_region_kind


class Block(Run):
    """
    The run is that of the recorder around the program, with all processes of its job; report() and recommend() are of
    all of it.  Questions after the end of the block wait for the sample in which it ended, for two intervals at most, and
    not if the recorder was killed.
    """

    def __init__(self, record_path: str, name: str) -> None:
        super().__init__(record_path)
        self.name = name
        self._begin = time.time()
        self._end: Optional[float] = None               # None: it goes on
        self._goes_on = True

    def ended(self) -> None:
        self._end = time.time()
        self._goes_on = False

    def _window(self) -> Tuple[float, float]:
        """Also waits as above."""
        if self._end is None:
            return self._begin, time.time()
        while True:
            info = self._record("total").info()
            samples = super()._frame("total")
            if (samples.rows and samples.numbers("timestamp_seconds")[-1] >= self._end) or info["status"] != "running" or \
                    time.time() > self._end + 2 * info["interval_seconds"] + 0.5 or not is_recorded(self._needed()):
                return self._begin, self._end
            time.sleep(0.01)

    def _frame(self, name: str) -> Frame:
        begin, end = self._window()
        frame = super()._frame(name)
        if name != "event":
            return frame.between(begin, end, "end_seconds" if name == "exit" else "timestamp_seconds")
        # They stand in the order of their ends, and have the times of their begins, of the recorder's clock.
        begins = frame.numbers("timestamp_seconds")
        return frame.select([i for i, instant in enumerate(begins) if begin - CLOCK_SECONDS <= instant < end])

    def summary(self) -> Dict[str, Optional[float]]:
        begin, end = self._window()
        samples, maxima = super()._frame("total").between(begin, end), super()._frame("maximum").between(begin, end)
        shares = _shares(samples, begin, end)
        found: Dict[str, Optional[float]] = {"duration": end - begin}
        for quantity, how, column in _QUANTITIES:
            frame = maxima if how == "max" and column in maxima else samples
            found[quantity] = _figure(how, frame, column, shares, samples)
        found["largest_process"] = _largest_process(maxima, begin, end)
        found["peak_rss"] = _most(found["peak_rss"], found["largest_process"])
        if found["peak_memory"] is None:
            found["peak_memory"] = found["peak_rss"]
        used = found["cpu_time"]
        found["mean_cpu"] = used / (end - begin) if used is not None and end > begin else None
        return found

    @property
    def programs(self) -> Dict[str, Dict[str, Any]]:
        begin, end = self._window()
        rows = super()._frame("program").between(begin, end)
        shares = _shares(rows, begin, end)
        found: Dict[str, Dict[str, Any]] = {}
        for key in dict.fromkeys(rows.texts("key")):
            mine = [share if key == other else 0.0 for share, other in zip(shares, rows.texts("key"))]
            found[key] = {column: {how: _figure(how, rows, column, mine, rows)} for column, how in _PROGRAM}
        return found

    @property
    def regions(self) -> Dict[str, Dict[str, Any]]:
        """Of the entries that have lines of their own: those of 0.1 ms or more."""
        found: Dict[str, Dict[str, Any]] = {}
        events = self.events
        for i in range(events.rows):
            event = events.row(i)
            if event["kind"] == ENTRY:
                sums = found.setdefault(event["path"], {"count": 0, "seconds": 0.0, "cpu_seconds": 0.0})
                sums["count"] += 1
                sums["seconds"] += event["seconds"]
                sums["cpu_seconds"] += event["cpu_seconds"]
        return found

    def __str__(self) -> str:
        """The figures, a line for each."""
        known = {name: value for name, value in self.summary().items() if value is not None}
        return "\n".join([f"{self.name}, within {os.path.basename(self._needed())}"]
                         + [f"  {name:<16}{'at least ' if name in _AT_LEAST else ''}{value:,.3f}".rstrip("0").rstrip(".")
                            for name, value in known.items()])


def _most(*values: Optional[float]) -> Optional[float]:
    return max((value for value in values if value is not None), default=None)


def _largest_process(maxima: Frame, begin: float, end: float) -> Optional[float]:
    """
    The kernel's own mark of one process, which no sample can miss.  None: it did not rise between two samples within the
    block, so it is possibly from before or after.
    """
    if PEAK not in maxima:
        return None
    marks = [mark for instant, mark in zip(maxima.numbers("timestamp_seconds"), maxima.numbers(PEAK))
             if begin <= instant <= end and mark == mark]
    return marks[-1] if marks and marks[-1] > marks[0] else None


def _shares(rows: Frame, begin: float, end: float) -> List[float]:
    """For each row the part of its time that is within the block."""
    shares = []
    for until, seconds in zip(rows.numbers("timestamp_seconds"), rows.numbers("interval_seconds")):
        within = min(until, end) - max(until - seconds, begin)
        shares.append(min(1.0, max(0.0, within / seconds)) if seconds > 0 else 0.0)
    return shares


def _figure(how: str, frame: Frame, column: str, shares: List[float], rows: Frame) -> Optional[float]:
    """Of rows with a share, as far as they know the value; None: none does."""
    if column not in frame:
        return None
    known = [(value, share, seconds) for value, share, seconds in
             zip(frame.numbers(column), shares, rows.numbers("interval_seconds")) if share > 0 and value == value]
    if not known:
        return None
    if how == "max":
        return max(value for value, _, _ in known)
    if how == "sum":
        return sum(value * share for value, share, _ in known)
    weight = sum(share * seconds for _, share, seconds in known)
    return sum(value * share * seconds for value, share, seconds in known) / weight
