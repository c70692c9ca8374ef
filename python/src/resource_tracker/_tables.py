"""What was collected so far: a table in memory and its CSV file."""
import os
import tempfile
import threading
from logging import getLogger
from typing import Any, Container, Dict, List, Optional

from .helpers import cleanup_files, render_csv_row
from .tiny_data_frame import TinyDataFrame

logger = getLogger(__name__)
Row = Dict[str, Any]


class Table:
    """Rows of one tracker, and a file that has them when it is asked for.

    The file is as the blocking trackers write it.
    """

    def __init__(self, columns: List[str]) -> None:
        self._columns: Dict[str, List[Any]] = {name: [] for name in columns}
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._path: Optional[str] = None
        self._closed = False
        self._written = 0
        self._line_end = b"\n"

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def add(self, rows: List[Row]) -> None:
        """Append rows."""
        with self._lock:
            for row in rows:
                for name, values in self._columns.items():
                    values.append(row[name])

    def restore(self, rows: List[Row]) -> None:
        """These rows instead; the file has CRLF, as to_csv writes it."""
        frame = TinyDataFrame(rows)
        with self._lock:
            self._columns = {name: frame[name] for name in frame.columns}
            self._line_end = b"\r\n"

    def frame(self, names: Optional[Container[str]] = None) -> TinyDataFrame:
        """A copy as a table; one without columns if there are no rows.

        names: of the columns that are needed.
        """
        with self._lock:
            return TinyDataFrame({
                name: values for name, values in self._columns.items()
                if names is None or name in names} if len(self) else [])

    def path(self) -> Optional[str]:
        """Path of the file, which has all rows now; None once closed."""
        if os.getpid() != self._owner or self._closed:
            return self._path
        with self._lock:
            try:
                self._write_new_rows()
            except OSError as error:    # costs the file, not the rows
                logger.warning("%s: %s", self._path, error)
        return self._path

    def _write_new_rows(self) -> None:
        if self._path is None:
            handle, self._path = tempfile.mkstemp(
                prefix="resource_tracker_", suffix=".csv")
            os.close(handle)
        if len(self) == self._written:
            return
        header = [] if self._written else [self._columns.keys()]
        rows = zip(*(values[self._written:]
                     for values in self._columns.values()))
        with open(self._path, "ab") as file:
            file.writelines(render_csv_row(row)[:-1] + self._line_end
                            for row in [*header, *rows])
        self._written = len(self)

    def close(self) -> None:
        """Remove the file; in a fork's child it is still the parent's."""
        if os.getpid() == self._owner and not self._closed:
            self._closed = True
            if self._path is not None:
                cleanup_files([self._path])


class Appended:
    """A CSV file to which rows of a growing table are appended."""

    def __init__(self) -> None:
        self.rows = 0
        self._owner = os.getpid()
        handle, self.path = tempfile.mkstemp(prefix="resource_tracker_",
                                             suffix=".csv")
        os.close(handle)

    def add(self, frame: TinyDataFrame) -> None:
        """Append these rows, with the header if they are the first."""
        if not len(frame):
            return
        text = frame.to_csv() or ""
        if self.rows:
            text = text.partition("\r\n")[2]
        with open(self.path, "ab") as file:
            file.write(text.encode("utf-8"))
        self.rows += len(frame)

    def close(self) -> None:
        """Remove the file."""
        if os.getpid() == self._owner:
            cleanup_files([self.path])


def close_all(things: List[Optional[Any]]) -> None:
    """Close all of them, each whatever becomes of the others."""
    for thing in things:
        try:
            if thing is not None:
                thing.close()
        except Exception:       # at the interpreter's end modules are gone
            pass
