"""
What a Python program uses: CPU, memory, disk, network and GPU, of all its processes.

    import resource_tracker

    with resource_tracker.track("nightly") as run:
        work()
    print(run)

Names are imported when they are used first, so that `import resource_tracker` costs next to nothing.
"""
TYPE_CHECKING = False           # as checkers of types know it: importing typing takes longer than all of this

if TYPE_CHECKING:
    from typing import Any, List

    from ._errors import RecorderError as RecorderError
    from ._errors import RecordError as RecordError
    from ._errors import ResourceTrackerError as ResourceTrackerError
    from ._frame import Frame as Frame
    from ._machine import machine as machine
    from ._machine import tree as tree
    from ._runs import Run as Run
    from ._runs import compare as compare
    from ._runs import open as open  # noqa: F401 - a public name
    from ._runs import runs as runs
    from ._track import track as track
    from .cloud_info import get_cloud_info as get_cloud_info
    from .regions import mark as mark
    from .regions import region as region
    from .regions import value as value
    from .server_info import get_server_info as get_server_info
    from .tracker import PidTracker as PidTracker
    from .tracker import ProcessTracker as ProcessTracker
    from .tracker import ResourceTracker as ResourceTracker
    from .tracker import SystemTracker as SystemTracker

# Each public name, and the module that has it.
_MODULES = {
    "Frame": "_frame",
    "RecordError": "_errors",
    "RecorderError": "_errors",
    "ResourceTrackerError": "_errors",
    "Run": "_runs",
    "PidTracker": "tracker",
    "ProcessTracker": "tracker",
    "ResourceTracker": "tracker",
    "SystemTracker": "tracker",
    "compare": "_runs",
    "get_cloud_info": "cloud_info",
    "get_server_info": "server_info",
    "machine": "_machine",
    "mark": "regions",
    "open": "_runs",
    "region": "regions",
    "runs": "_runs",
    "track": "_track",
    "tree": "_machine",
    "value": "regions",
}

# Without open, which would take the place of Python's own for those who import all names.
__all__ = [  # noqa: F822 - by __getattr__
    "Frame", "PidTracker", "ProcessTracker", "RecordError", "RecorderError", "ResourceTracker", "ResourceTrackerError", "Run",
    "SystemTracker", "compare", "get_cloud_info", "get_server_info", "machine", "mark", "region", "runs", "track",
    "tree", "value",
]


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name == "__version__":
        found: "Any" = import_module("._version", __name__).version()
    elif name in _MODULES:
        found = getattr(import_module("." + _MODULES[name], __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def load_ipython_extension(shell: "Any") -> None:
    """%load_ext resource_tracker: %track and %%track."""
    from ._notebook import load

    load(shell)


def unload_ipython_extension(shell: "Any") -> None:
    from ._notebook import unload

    unload(shell)


def __dir__() -> "List[str]":
    return sorted({*globals(), *_MODULES, "__version__"})
