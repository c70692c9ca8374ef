"""dropin_support.py - what the tests of the drop-in share."""
import os
import pathlib
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "python/src"
if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))

CHILD = "import subprocess, sys\nchild = subprocess.Popen(" \
    "[sys.executable, '-c', 'input()'], stdin=subprocess.PIPE)\n"
JOB = """
import resource, sys
def used():     # in us; os.times() has four sums, each cut to 10 ms
    own, waited = map(resource.getrusage, (resource.RUSAGE_SELF,
                                           resource.RUSAGE_CHILDREN))
    return sum(r.ru_utime + r.ru_stime for r in (own, waited))
print("ready", flush=True)
if sys.stdin.readline():
    before = used()
    work()
    print(used() - before, flush=True)
sys.stdin.read()
"""


def recorder_path():
    """The recorder under test, as the tests of the program find it."""
    build = pathlib.Path(os.environ.get("BUILD") or ROOT / "build/dev")
    path = pathlib.Path(os.environ.get("PROGRAM_UNDER_TEST")
                        or build / "resource-tracker")
    if not path.exists():
        pytest.fail(f"{path} is missing: build first, or set "
                    "PROGRAM_UNDER_TEST", pytrace=False)
    return str(path.resolve())


def wait_until(happened):
    """Until it has; what never does meets the limit of all tests."""
    while not happened():
        time.sleep(0.01)


class Job:
    """A process that does what it is given, then waits until it may end."""

    def __init__(self, code=""):
        self.process = subprocess.Popen(
            [sys.executable, "-c", code + "\n" + JOB],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid
        assert self.process.stdout.readline() == b"ready\n"

    def work(self):
        """Let it call its work(): CPU seconds, also of ended children."""
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self):
        """Let it end, and reap it."""
        if self.process.stdin is not None:
            self.process.stdin.close()
            self.process.stdin = None
        self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def run_python(code, *arguments, **more):
    """A finished Python that has run `code` with the packages at hand."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE),
                   **more.pop("env", {})}
    return subprocess.run(
        [sys.executable, *(("-c", code) if code else ()), *arguments],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, universal_newlines=True, **more)
