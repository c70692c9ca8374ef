"""The version, which stands in the C header alone."""
from ._extension import library as _library


def version() -> str:
    return _library.version()
