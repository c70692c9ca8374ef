"""python -m resource_monitor: a log of what processes use."""
import argparse
import signal
import sys
from threading import Event
from typing import List, Optional

from .resource_logger import ResourceLogger


def _numbers(text: str) -> List[int]:
    return [int(word) for word in text.split(",") if word]


def main(arguments: Optional[List[str]] = None) -> int:
    """Log until the processes have ended, or a signal; 1 on an error."""
    parser = argparse.ArgumentParser(
        prog="python -m resource_monitor", description=__doc__)
    parser.add_argument("--pid", type=_numbers, default=None,
                        help="processes, separated by commas; without it "
                        "this one, to see the machine")
    parser.add_argument("--output", default="", metavar="FILE",
                        help="is overwritten; without it stdout")
    parser.add_argument("--gpu_ids", type=_numbers, default=[],
                        help="numbers of GPUs, separated by commas")
    parser.add_argument("--interval", type=float, default=1.0,
                        help="seconds between rows (1.0)")
    parser.add_argument("--ready", action="store_true",
                        help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        logger = ResourceLogger(given.pid, given.output or None,
                                given.interval, given.gpu_ids, stop)
    except (ValueError, RuntimeError, OSError) as error:
        print(f"resource_monitor: {error}", file=sys.stderr)
        return 1
    if given.ready:
        print("ready", flush=True)
    logger.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
