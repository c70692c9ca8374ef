"""The module in C; where none of the package's binaries fits this machine, what Python can do in its place."""
from ._errors import RecorderError

__all__ = ["library", "needed_for"]

_absent = ""                            # why the module in C is not there
try:
    from . import _library as library
except ImportError as error:
    from . import _substitute as library  # type: ignore[no-redef]
    _absent = str(error)


def needed_for(what: str) -> None:
    """RecorderError where `what` cannot be done without it."""
    if _absent:
        raise RecorderError(f"{what} needs the package's module in C, which is not there for this machine ({_absent}): install "
                            "its wheel for this machine, or its sources with a C compiler")
