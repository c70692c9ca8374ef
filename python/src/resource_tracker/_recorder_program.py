"""Where the recorder lies: the variable, the package's bin/, then PATH."""
import os
import shutil
from typing import Optional

VARIABLE = "RESOURCE_TRACKER_PROGRAM"


def recorder() -> Optional[str]:
    """Path of resource-tracker, or None where there is none."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return named if os.access(named, os.X_OK) else None
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          "bin", "resource-tracker")
    if os.access(beside, os.X_OK):
        return beside
    return shutil.which("resource-tracker")
