"""A log of what began and ended: lines `TIME,start|end,NAME,ID`."""
import sys
from threading import Lock
from time import perf_counter
from typing import TextIO, Union


class EventLogger:
    """Writes events to a file, a stream, or stdout; each line at once.

    Time is perf_counter(), as in the log of resources.
    """

    def __init__(self, output: Union[str, TextIO, None] = None) -> None:
        self._is_ours = isinstance(output, str)
        self.output: TextIO = (
            open(output, "w", encoding="utf-8") if isinstance(output, str)
            else output or sys.stdout)
        self._lock = Lock()

    def _log(self, what: str, name: str,
             number: Union[int, str, None]) -> None:
        if "," in name or "\n" in name:
            raise ValueError(f"the name of an event has no comma: {name!r}")
        line = f"{perf_counter()},{what},{name},{number}\n"
        with self._lock:
            if not self.output.closed:
                self.output.write(line)
                self.output.flush()

    def log_start(self, event_name: str,
                  event_id: Union[int, str, None] = None) -> None:
        """It begins now."""
        self._log("start", event_name, event_id)

    def log_end(self, event_name: str,
                event_id: Union[int, str, None] = None) -> None:
        """It ends now."""
        self._log("end", event_name, event_id)

    def clean_up(self) -> None:
        """Close the file, if it is ours; later events are dropped."""
        if self._is_ours:
            self.output.close()
