"""The logs of a program: one of its resources, one of its events."""
import atexit
import functools
import os
import subprocess
import sys
from collections import Counter
from threading import Lock
from typing import (Any, Callable, Dict, List, Optional, Sequence, TypeVar,
                    Union, cast)

from .event_logger import EventLogger

Function = TypeVar("Function", bound=Callable[..., Any])
STOP_SECONDS = 5

_lock = Lock()
_resource_process: Optional["subprocess.Popen[bytes]"] = None
_event_logger: Optional[EventLogger] = None
_owner = 0              # the process that set them up; a fork is another


def setup_root_resource_logger(
        output_file: Optional[str] = None, interval: float = 1.0,
        gpu_ids: Union[int, Sequence[int], None] = None) -> None:
    """Log what this process uses, until it ends, by a process beside it.

    Returns when that has begun; RuntimeError with its words if it does not.
    """
    global _resource_process, _owner
    pid = os.getpid()
    gpus = [gpu_ids] if isinstance(gpu_ids, int) else list(gpu_ids or [])
    path = output_file or f"resource_monitor_PID{pid}.log"
    command: List[str] = [
        sys.executable, "-m", "resource_monitor", "--ready",
        "--pid", str(pid), "--interval", repr(float(interval)),
        "--output", os.path.abspath(path)]
    if gpus:
        command += ["--gpu_ids", ",".join(map(str, gpus))]
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})
    if not process.stdout or process.stdout.readline() != b"ready\n":
        said = process.communicate()[1].decode("utf-8", "replace").strip()
        raise RuntimeError(said.rpartition("\n")[2] or "no log of resources")
    clean_up_resources()
    _resource_process, _owner = process, pid


def setup_root_event_logger(output_file: Optional[str] = None) -> None:
    """Log events to this file from now on."""
    global _event_logger
    path = output_file or f"event_monitor_PID{os.getpid()}.log"
    with _lock:
        if _event_logger is not None:
            _event_logger.clean_up()
        _event_logger = EventLogger(path)


def get_root_event_logger() -> EventLogger:
    """The logger of events, which is made if there is none."""
    if _event_logger is None:
        setup_root_event_logger()
    return cast(EventLogger, _event_logger)


_numbers: Dict[str, int] = Counter()


def _number(name: str) -> int:
    """How often there was one of this name before."""
    with _lock:
        number = _numbers[name]
        _numbers[name] += 1
    return number


class MonitorRegion:
    """A part of the program from `with` to its end, however it is left."""

    def __init__(self, region_name: str,
                 event_logger: Optional[EventLogger] = None) -> None:
        self.region_name = region_name
        self._logger = event_logger
        self._open: List[int] = []

    def __enter__(self) -> "MonitorRegion":
        number = _number(self.region_name)
        logger = self._logger or get_root_event_logger()
        logger.log_start(self.region_name, number)
        self._open.append(number)
        return self

    def __exit__(self, *_: Any) -> None:
        logger = self._logger or get_root_event_logger()
        logger.log_end(self.region_name, self._open.pop())


def monitor_region(region_name: str,
                   event_logger: Optional[EventLogger] = None
                   ) -> MonitorRegion:
    """`with monitor_region("load"):` logs when the block begins and ends."""
    return MonitorRegion(region_name, event_logger)


def monitor_function(event_logger: Any = None,
                     function_name: Optional[str] = None) -> Any:
    """A decorator that logs each call, by the function's name or another.

    Also without parentheses: `@monitor_function`.
    """
    def decorate(function: Function) -> Function:
        name = function_name or function.__name__

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            with MonitorRegion(name, logger):
                return function(*args, **kwargs)
        return cast(Function, call)

    if event_logger is not None and not isinstance(event_logger, EventLogger):
        function, logger = event_logger, None
        return decorate(function)
    logger = event_logger
    return decorate


def clean_up_resources() -> None:
    """End the log of resources, after a last row."""
    global _resource_process
    process, _resource_process = _resource_process, None
    if process is None or os.getpid() != _owner:
        return
    process.terminate()
    try:
        process.communicate(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


@atexit.register
def clean_up() -> None:
    """End both logs."""
    clean_up_resources()
    if _event_logger is not None:
        _event_logger.clean_up()
