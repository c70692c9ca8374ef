"""What tests used before, in a JSON file, and which of them use more now."""
import json
import os
import tempfile
from typing import Dict, List, Mapping

from ._figures import bytes_text, seconds_text
from ._meter import Used

VERSION = 1
# So much more is noise, whatever the tolerance.
LEAST_CPU_SECONDS, LEAST_BYTES = 0.05, 4 << 20


def read(path: str) -> Dict[str, Used]:
    """By the tests' names; ValueError has a sentence."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        if found["resource_tracker_baseline"] != VERSION:
            raise ValueError(f"version {found['resource_tracker_baseline']} is not known")
        return {name: Used(*(float(used[field]) for field in Used._fields)) for name, used in found["tests"].items()}
    except OSError as error:
        raise ValueError(f"the baseline {path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{path} is no baseline of resource-tracker: {error!r}") from None


def write(path: str, tests: Mapping[str, Used]) -> None:
    """The whole file, or none of it; OSError."""
    rows = {name: {field: round(value, 6) for field, value in used._asdict().items()} for name, used in sorted(tests.items())}
    text = json.dumps({"resource_tracker_baseline": VERSION, "tests": rows}, indent=1)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=os.path.basename(path))
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def regressions(was: Used, now: Used, tolerance_percent: float) -> List[str]:
    """A sentence for each quantity that has grown beyond the tolerance."""
    found = []
    for used, before, least, text, noun in (
            (now.cpu_seconds, was.cpu_seconds, LEAST_CPU_SECONDS, seconds_text, "CPU time"),
            (now.memory_bytes, was.memory_bytes, float(LEAST_BYTES), bytes_text, "memory")):
        most = before + max(before * tolerance_percent / 100, least)
        if used > most:
            found.append(f"the test used {text(used)} of {noun}, in the baseline {text(before)}: "
                         f"with a tolerance of {tolerance_percent:g} % it is at most {text(most)}")
    return found
