"""Name the parts of a Python program: what did each of them use?

    from resource_tracker_regions import region, mark, value

    with region("load data"):           # ends however the block is left
        ...

    @region                             # or @region("a name"): each call, by the function's name
    def step(): ...

    mark("checkpoint written")
    value("loss", 0.12)

Run the program as `resource-tracker -- python program.py`.  Run alone, all of it does nothing.  One file without
dependencies: copy it, or put its folder on PYTHONPATH.  Python 3.7 or later.
"""
import functools
import os
import threading
import time

__all__ = ["region", "mark", "value", "monitor_region", "monitor_function"]

_path = os.environ.get("RESOURCE_TRACKER_REGIONS")
_fd = -1


def _open():
    """Again after a fork is not needed: lines are appended."""
    global _fd
    try:
        if _path and hasattr(time, "thread_time"):
            _fd = os.open(_path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        _fd = -1


def _write(words):
    """One line by one write, with the time, the thread and its CPU time; a tracker that is gone costs nothing."""
    global _fd
    line = "t=%.9f tid=%d cpu=%.9f %s\n" % (time.monotonic(), threading.get_native_id(), time.thread_time(), words)
    try:
        os.write(_fd, line.encode("utf-8", "replace"))
    except OSError:
        _fd = -1


def _plain(text):
    return str(text).replace("\n", " ")


class region:
    """A context manager and a decorator."""

    __slots__ = ("_name", "_function", "__dict__")

    def __new__(cls, name):
        if callable(name):
            return cls(getattr(name, "__qualname__", repr(name)))(name)
        return object.__new__(cls)

    def __init__(self, name):
        self._name = _plain(name)

    def __enter__(self):
        if _fd >= 0:
            _write("begin " + self._name)
        return self

    def __exit__(self, *exception):
        if _fd >= 0:
            _write("end " + self._name)
        return False

    def __call__(self, function):
        begin, end = "begin " + self._name, "end " + self._name

        @functools.wraps(function)
        def wrapper(*arguments, **named):
            if _fd < 0:
                return function(*arguments, **named)
            _write(begin)
            try:
                return function(*arguments, **named)
            finally:
                if _fd >= 0:
                    _write(end)
        return wrapper


monitor_region = monitor_function = region


def mark(text):
    if _fd >= 0:
        _write("mark " + _plain(text))


def value(name, number):
    if _fd >= 0:
        _write("value %s %r" % (_plain(name), float(number)))


_open()
