"""urllib's two names, which is loaded when the first request is made.

Its import takes longer than that of all the rest.  Modules import these
names, so that tests put others into their place.
"""
from typing import Any


def urlopen(request: Any, timeout: float) -> Any:
    """urllib.request.urlopen; `request` is a Request or an address."""
    from urllib import request as web
    return web.urlopen(request, timeout=timeout)


def Request(url: str, **more: Any) -> Any:
    """urllib.request.Request."""
    from urllib import request as web
    return web.Request(url, **more)
