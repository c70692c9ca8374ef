"""processes.py - the state of processes and what they leave, and waiting for conditions, in tests."""
import os
import pathlib
import time


def stat_of(pid):
    """The fields of /proc/PID/stat after the name: [0] is the state, [1] the parent; None: no such process."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    return text.rpartition(")")[2].split()


def state_of(pid):
    fields = stat_of(pid)
    return fields[0] if fields else None


def children_of(pid):
    return [int(entry) for entry in os.listdir("/proc")
            if entry.isdigit() and (stat_of(entry) or [None, "-1"])[1] == str(pid)]


def wait_for(condition, what):
    """Polls until condition() is true and returns its value.  The test's time limit applies (tests/conftest.py)."""
    while not (value := condition()):
        time.sleep(0.01)
    return value


def wait_for_file(path):
    """Waits until the file is not empty, and returns its text."""
    path = pathlib.Path(path)
    return wait_for(lambda: path.exists() and path.read_text(), f"{path} has no text")


def files_below(folder):
    """The regular files below the folder, sorted.  A process can be emptying it, where pathlib's rglob() fails."""
    paths = (pathlib.Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())
