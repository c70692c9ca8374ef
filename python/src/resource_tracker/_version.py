"""The version, which stands in the C header alone."""
from . import _library


def version() -> str:
    return _library.version()
