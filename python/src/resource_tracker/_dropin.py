"""The names that the package's root has for the drop-in.

The root imports none of them before it is asked (PEP 562):

    def __getattr__(name):
        return _dropin.attribute(__name__, name)
"""
from importlib import import_module

MODULES = {
    "PidTracker": "tracker",
    "ProcessTracker": "tracker",
    "ResourceTracker": "tracker",
    "SystemTracker": "tracker",
    "get_cloud_info": "cloud_info",
    "get_server_info": "server_info",
}


def attribute(package: str, name: str) -> object:
    """What `package.name` is; AttributeError if it is none of these."""
    if name not in MODULES:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{package}.{MODULES[name]}"), name)
    return found
