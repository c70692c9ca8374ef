"""test_truth.py - CPU time and memory that track() says of programs in numpy, with threads and with processes of all kinds."""
import subprocess

import pytest

from package import ROOT
from test_frame import folder_of


@pytest.mark.parametrize("load", ["numpy", "threads", "subprocesses", "pool by fork", "pool by spawn"])
def test_track_is_within_two_percent_of_the_kernel(package, environment, load):
    done = subprocess.run([package / "venv/bin/python", ROOT / "tests/python/track_truth.py", load], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env={**environment, "PYTHONPATH": folder_of("numpy")})
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
