"""Takes samples where there is no recorder: PID CHILDREN INTERVAL DESCRIPTOR.

Writes an empty line when it has begun, then [process row or null, system row]
for each.  It ends with a last one when it is asked to, and with the program
that started it.  It does not count itself.
"""
import json
import os
import signal
import sys
import threading
from typing import Any, Dict, Optional

from ._blocking import ProcessTracker, SystemTracker

STOPS = (signal.SIGTERM, signal.SIGINT)


def main(pid: int, children: bool, interval: float, descriptor: int) -> None:
    """Write rows until a signal; our stdin ends as its program does."""
    signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    processes = ProcessTracker(pid, interval=interval, children=children,
                               autostart=False, left_out=[os.getpid()])
    system = SystemTracker(interval=interval, autostart=False)
    with open(descriptor, "wb", buffering=0) as file:
        file.write(b"\n")
        for number, row in enumerate(system.rows(_stopped)):
            of_process = _next_row(processes)
            if number:
                line = json.dumps([of_process, row]) + "\n"
                file.write(line.encode("ascii"))


def _stopped(seconds: float) -> bool:
    """Was there a signal within this time?"""
    return signal.sigtimedwait(STOPS, seconds) is not None


def _end_with_stdin() -> None:
    os.read(0, 1)
    os._exit(0)


def _next_row(tracker: ProcessTracker) -> Optional[Dict[str, Any]]:
    """None once the process has ended, which stays so."""
    if tracker.status == "exited":
        return None
    row = tracker.diff_stats()
    return None if tracker.ended() else row


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] == "1", float(sys.argv[3]),
         int(sys.argv[4]))
