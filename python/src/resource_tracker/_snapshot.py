"""The layout of a tracker's snapshot, and snapshots of older versions."""
from typing import Any, Dict, List, Tuple

VERSION = 1
# The version of the interface that has this layout: its readers compare it.
LAYOUT_OF = "0.5.0"

Row = Dict[str, Any]
KIB, GIB_IN_GB = 1 / 1024, 1024 ** 3 / 1000 ** 3

# Before 0.5: name there, name here, factor.
_OLDER: List[Tuple[str, str, float]] = [
    ("pss", "memory_mib", KIB),
    ("memory", "memory_mib", KIB),
    ("read_bytes", "disk_read_bytes", 1),
    ("write_bytes", "disk_write_bytes", 1),
    ("gpu_vram", "gpu_vram_mib", 1),
    ("memory_active_anon", "memory_active_mib", KIB),
    ("memory_inactive_anon", "memory_inactive_mib", KIB),
    *((f"memory_{kind}", f"memory_{kind}_mib", KIB)
      for kind in ("free", "used", "buffers", "cached", "active",
                   "inactive")),
]
_OLDER_NAMES = {there: (here, factor) for there, here, factor in _OLDER}


def _renewed(row: Row) -> Row:
    """The row by today's names and units."""
    is_older = any(name in _OLDER_NAMES for name in row)
    found = {}
    for name, value in row.items():
        here, factor = _OLDER_NAMES.get(name, (name, 1))
        if is_older and name.startswith("disk_space_"):
            factor = GIB_IN_GB
        found[here] = (value if factor == 1 or value is None
                       else round(value * factor, 4))
    return found


def rows_of(snapshot: Dict[str, Any], which: str) -> List[Row]:
    """`process_metrics` or `system_metrics`; [] if it has none."""
    return [_renewed(row) for row in snapshot.get(which) or []]


def metadata(of: Dict[str, Any], implementation: str) -> Dict[str, Any]:
    """`of`: the tracker's settings and times."""
    return {
        "version": VERSION,
        "resource_tracker": {"version": LAYOUT_OF,
                             "implementation": implementation},
        **of,
        "duration": (round(of["stop_time"] - of["start_time"]
                           + of["interval"], 2)
                     if of["start_time"] is not None else 0),
    }
