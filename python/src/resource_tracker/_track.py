"""track(): what a part of a program uses, by a recorder of its own or by the one around the program."""
import contextlib
import functools
import inspect
import os
import signal
import sys
import threading
import weakref
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Type, TypeVar, cast, overload

from . import _recorder, regions
from ._block import Block
from ._callbacks import Callbacks, OnEnd, OnSample
from ._errors import RecorderError, RecordError
from ._extension import needed_for
from ._intervals import check_interval
from ._runs import Path, Run

_Function = TypeVar("_Function", bound=Callable[..., Any])

# The recorders of this process that run, in the order in which they began; and what was set before the first.
_lock = threading.RLock()
_recorders: List[_recorder.Recorder] = []
_outside: Dict[str, Optional[str]] = {}


def _forget_after_fork() -> None:
    """Recorders of the parent are around a child of fork as around any other program."""
    global _lock
    _lock = threading.RLock()
    _recorders.clear()


os.register_at_fork(after_in_child=_forget_after_fork)


def _follow_newest() -> None:
    """Variables and regions are those of the newest recorder that runs, else those from outside."""
    newest: Mapping[str, Optional[str]] = _outside
    if _recorders:
        newest = _recorders[-1].environment
    _recorder.set_environment(newest)
    regions.connect(newest.get(_recorder.REGIONS))


def _begin(recorder: _recorder.Recorder) -> None:
    with _lock:
        if not _recorders:
            _outside.clear()
            _outside.update(_recorder.environment())
        _recorders.append(recorder)
        _follow_newest()


def _end(recorder: _recorder.Recorder, status: int) -> bool:
    """As Recorder.stop."""
    with _lock:
        _recorders.remove(recorder)
        _follow_newest()
        regions.forget(recorder.environment.get(_recorder.REGIONS))
    return recorder.stop(status)


def _around() -> Optional[str]:
    """The record of the recorder around this process, if it still runs: not of one that this process started itself."""
    with _lock:
        path = _outside.get(_recorder.RUN) if _recorders else os.environ.get(_recorder.RUN)
    return path if path and _recorder.is_recorded(path) else None


def _status(error: Optional[BaseException]) -> int:
    """Of a block that was left so: as the interpreter exits if nothing catches it."""
    if error is None or isinstance(error, GeneratorExit):       # a generator that is closed has done what it was asked for
        return 0
    if isinstance(error, SystemExit):
        return 0 if error.code is None else error.code & 0xff if isinstance(error.code, int) else 1
    return 128 + signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1


@contextlib.contextmanager
def _interrupts_later() -> Iterator[None]:
    """^C within is raised at the end, when it is known what has begun and has to be ended."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield                                                   # it raises nothing here
        return
    came: List[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


@overload
def track(name: _Function) -> _Function: ...


@overload
def track(name: Optional[str] = None, interval: float = 1.0, tags: Optional[Mapping[str, str]] = None,
          record: Optional[Path] = None, on_sample: Optional[OnSample] = None,
          on_end: Optional[OnEnd] = None) -> "Track": ...


def track(name: Any = None, interval: float = 1.0, tags: Optional[Mapping[str, str]] = None,
          record: Optional[Path] = None, on_sample: Optional[OnSample] = None, on_end: Optional[OnEnd] = None) -> Any:
    """
    A context manager and a decorator, also of async functions and generators: what this process uses meanwhile, with all its
    descendants.

        with track("nightly", interval=0.5, tags={"branch": "main"}) as run:
            work()
        print(run.peak_memory)

        @track                          # or @track(interval=0.5)
        def step(): ...

    name: of the run, for the history.  interval: seconds between samples.  tags: labels of your own.  record: the file of
    the record, or its folder (with a / at its end); else the history has it.

    on_sample: called in a thread for each sample, with a dict of its known values.  on_end: called at the end, with the run.

    In a program that runs under a recorder (RESOURCE_TRACKER_RUN) none is started: the block is a region of that run, and
    `run` has the figures of that recorder's samples within it (Block).
    """
    chosen = Track(None if callable(name) else name, interval, tags, record, on_sample, on_end)
    return chosen(name) if callable(name) else chosen


class Track:
    """One block, which is measured from __enter__ to __exit__; as a decorator, a Track for each call."""

    def __init__(self, name: Optional[str] = None, interval: float = 1.0, tags: Optional[Mapping[str, str]] = None,
                 record: Optional[Path] = None, on_sample: Optional[OnSample] = None, on_end: Optional[OnEnd] = None) -> None:
        check_interval(interval)
        self.name = name
        self.interval = interval
        self.tags = dict(tags or {})
        self.record = record
        self.on_sample = on_sample
        self.on_end = on_end
        self._callbacks = Callbacks(on_sample, on_end)
        self.run: Optional[Run] = None                  # once it has begun
        self._process = 0                               # in which it has
        self._recorder: Optional[_recorder.Recorder] = None

    # ---- begin and end -----------------------------------------------------------------------------------

    def __enter__(self) -> Run:
        if self.run:
            raise RecorderError("a track measures one block; call track() again for the next")
        try:
            needed_for("track()")
            with _interrupts_later():
                outer = _around()
                self.run = self._join(outer) if outer else self._start()
                self._process = os.getpid()
            return self.run
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise

    def _join(self, outer: str) -> Run:
        block = Block(outer, self.name or "track")
        regions.region(block.name).__enter__()
        self._callbacks.follow(outer)
        return block

    def _start(self) -> Run:
        words = ["--interval", repr(float(self.interval))]
        if self.name is not None:
            words += ["--job-name", self.name]
        for key, value in self.tags.items():
            words += ["--tag", f"{key}={value}"]
        with self._callbacks.feed() as (more, descriptors):
            recorder = _recorder.Recorder([*words, *more], None if self.record is None else os.fspath(self.record), descriptors)
        self._callbacks.read_feed(skipped=1 if recorder.temporary else 0)
        run = Run(recorder.record)
        if recorder.temporary:
            weakref.finalize(run, _remove, recorder.temporary)
        if recorder.is_on:
            self._recorder = recorder
            run._goes_on = True
            _begin(recorder)
        return run

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self._process != os.getpid():                # a child of fork: the parent goes on
            return
        if isinstance(self.run, Block):
            self.run.ended()
            regions.region(self.run.name).__exit__(kind, error, trace)
            self._callbacks.end(self.run, self.run.name)
        elif self.run and self._recorder:
            failure = self._stop(self.run, self._recorder, _status(error))
            self._callbacks.end(self.run, self.name or "track")
            if failure and kind is None:
                raise failure

    def _stop(self, run: Run, recorder: _recorder.Recorder, status: int) -> Optional[RecorderError]:
        """Why the run is not whole; None: it is."""
        self._recorder = None
        run._goes_on = False
        ended = _end(recorder, status)
        try:
            if run.info["status"] != "running":
                return None
        except RecordError as error:
            return RecorderError(f"the block was not recorded: {error}")
        how = "was killed, or could not write the end of its record" if ended else "does not end"
        return RecorderError(f"the recorder {how}; {run.record_path} has the samples until then")

    # ---- as a decorator ----------------------------------------------------------------------------------

    def __call__(self, function: _Function) -> _Function:
        """Each call is a run of its own; the last one that has begun is the attribute `run` of the function."""
        if inspect.isasyncgenfunction(function):
            raise TypeError("track() does not decorate asynchronous generators; use it as a context manager in them")
        name = self.name or getattr(function, "__qualname__", None)

        def again() -> Track:
            return Track(name, self.interval, self.tags, self.record, self.on_sample, self.on_end)

        async def waits(*arguments: Any, **named: Any) -> Any:
            with again() as wrapped.run:
                return await function(*arguments, **named)

        def generates(*arguments: Any, **named: Any) -> Any:
            with again() as wrapped.run:
                return (yield from function(*arguments, **named))

        def returns(*arguments: Any, **named: Any) -> Any:
            with again() as wrapped.run:
                return function(*arguments, **named)

        wrapper: Callable[..., Any] = (waits if inspect.iscoroutinefunction(function) else
                                       generates if inspect.isgeneratorfunction(function) else returns)
        wrapped: Any = functools.wraps(function)(wrapper)
        return cast(_Function, wrapped)
