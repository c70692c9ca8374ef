"""What track() calls for each sample and at the end; without callbacks there is no thread and no feed."""
import fcntl
import json
import os
import sys
import threading
from contextlib import contextmanager
from typing import IO, Any, Callable, Dict, Iterator, List, Optional, Tuple

from ._errors import ResourceTrackerError
from ._runs import Run

LOGGER = "resource_tracker"
OnSample = Callable[[Dict[str, float]], object]
OnEnd = Callable[[Run], object]
ENOUGH_SECONDS = 30             # for the last samples' callbacks: one that hangs does not hold the program for ever
LOOK_SECONDS = 0.1
LOGGED = (("duration", "{:.1f} s"), ("cpu_time", "CPU time {:.1f} s"), ("peak_memory", "peak memory {:,.0f} bytes"),
          ("disk_read", "read {:,.0f} bytes"), ("disk_written", "written {:,.0f} bytes"))


def _warn(text: str, *values: Any, exc_info: bool = False) -> None:
    from logging import getLogger       # not loaded before it is needed

    getLogger(LOGGER).warning(text, *values, exc_info=exc_info)


class Callbacks:
    """
    Those of one block.  on_sample is called in a thread, with the known values of a sample by the names of Run.samples;
    on_end in the thread of the block.  What they raise is logged the first time, and goes no further.
    """

    def __init__(self, on_sample: Optional[OnSample], on_end: Optional[OnEnd]) -> None:
        self._on_sample = on_sample
        self._on_end = on_end
        self._failed: List[str] = []
        self._ends = threading.Event()
        self._thread: Optional[threading.Thread] = None
        self._feed: Optional[IO[bytes]] = None          # until the thread reads it

    # ---- where samples are from -----------------------------------------------------------------------------

    @contextmanager
    def feed(self) -> Iterator[Tuple[List[str], Tuple[int, ...]]]:
        """The recorder's words for a feed, and the descriptors that it inherits."""
        if not self._on_sample:
            yield [], ()
            return
        reading, end = os.pipe()
        self._feed = open(reading, "rb")
        writing = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 3)            # the recorder takes none below
        os.close(end)
        try:
            yield ["--feed", f"fd:{writing}"], (writing,)
        except BaseException:
            self._feed.close()
            raise
        finally:
            os.close(writing)

    def read_feed(self, skipped: int) -> None:
        """From now on; of several recorders that have written to it the first ones are skipped."""
        feed, self._feed = self._feed, None
        if feed:
            self._start(_of_recorder(feed, skipped))

    def follow(self, path: str) -> None:
        """Of the recorder around the program: rows of its record from now on."""
        if self._on_sample:
            self._start(_of_record(path, self._ends))

    # ---- calling --------------------------------------------------------------------------------------------

    def _start(self, lines: Iterator[bytes]) -> None:
        self._thread = threading.Thread(target=self._read, args=(lines,), name="resource_tracker", daemon=True)
        self._thread.start()

    def _read(self, lines: Iterator[bytes]) -> None:
        for sample in samples(lines):
            self._call("on_sample", self._on_sample, sample)

    def _call(self, which: str, callback: Optional[Callable[[Any], object]], value: Any) -> None:
        try:
            if callback:
                callback(value)
        except Exception:
            if which not in self._failed:
                self._failed.append(which)
                _warn("%s failed; its further failures are not logged", which, exc_info=True)

    def end(self, run: Run, name: str) -> None:
        """Of the block, after that of its recorder: the last samples, then on_end, and the line of a log."""
        self._ends.set()
        if self._thread:
            self._thread.join(ENOUGH_SECONDS)
            if self._thread.is_alive():
                _warn("on_sample did not return within %g s: the program goes on without it", ENOUGH_SECONDS)
        self._call("on_end", self._on_end, run)
        log_end(name, run)


def _of_recorder(feed: IO[bytes], skipped: int) -> Iterator[bytes]:
    """Until its end line: the end of the file is later where a fork has the other end of the pipe."""
    with feed:
        for line in feed:
            if line.startswith(b'{"record"'):
                skipped -= 1
            if skipped < 0:
                yield line
                if line.startswith(b'{"end"'):
                    return


def _of_record(path: str, ends: threading.Event) -> Iterator[bytes]:
    """What explains rows, and the rows that are new."""
    try:
        file = open(path, "rb")
    except OSError as error:
        _warn("on_sample is not called: %s", error)
        return
    with file:
        old = os.fstat(file.fileno()).st_size
        line = b""
        while True:
            over = ends.is_set()                        # asked first: what was written until then is read
            line += file.readline()
            if line.endswith(b"\n"):
                if file.tell() > old or not line.startswith(b'["r"'):
                    yield line
                line = b""
            elif over:
                return
            else:
                ends.wait(LOOK_SECONDS)


def samples(lines: Iterator[bytes]) -> Iterator[Dict[str, float]]:
    """The known values of each row of a record or a feed."""
    start = 0.0
    names: List[str] = []
    for line in lines:
        try:
            item = json.loads(line)
        except ValueError:                              # a full disk cut it off
            continue
        if isinstance(item, dict):
            start = item.get("start", start)
            if "columns" in item:
                names = [column[0] for column in item["columns"]]
        elif item[0] == "r":
            sample = {name: value for name, value in zip(names, item[4]) if value is not None}
            yield {"timestamp_seconds": start + item[1], "interval_seconds": item[2], "samples": item[3], **sample}


def log_end(name: str, run: Run) -> None:
    """One line of its figures, where the program wants messages of this level."""
    logging = sys.modules.get("logging")
    if not logging or not logging.getLogger(LOGGER).isEnabledFor(logging.INFO) or not run.record_path:
        return
    logger = logging.getLogger(LOGGER)
    try:
        found = run.summary()
    except ResourceTrackerError as error:
        logger.info("%s: %s", name, error)
        return
    known = [text.format(found[quantity]) for quantity, text in LOGGED if found.get(quantity) is not None]
    logger.info("%s: %s; %s", name, ", ".join(known), run.record_path)
