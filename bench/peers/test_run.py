"""run.py with two small scripts in the place of the trackers: that both are started, ended and compared."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

OURS = """#!/bin/sh
while [ "$1" != --output ]; do shift; done
echo timestamp,utime > "$2"
while :; do echo "$(date +%s.%N),2" >> "$2"; sleep 0.1; done
"""
RUST = """#!/bin/sh
echo timestamp,system_utime
while :; do echo "$(date +%s.%N),4"; sleep 0.1; done
"""
PYTHON = """
import time
class SystemTracker:
    def __init__(self, interval, output_file):
        self.file = open(output_file, "w")
        print('"timestamp","utime"', file=self.file)
        for i in range(30):
            print(f"{time.time() + i * interval},4", file=self.file)
    def stop(self):
        self.file.close()
"""


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return path


def compared(tmp_path, *peer):
    ours = script(tmp_path / "ours", OURS)
    done = subprocess.run([sys.executable, HERE / "run.py", "--ours", ours, "--interval", "0.1", "--duration", "1",
                           *peer], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if line.startswith("| utime"))
    assert " 2.000 " in row and " 4.000 " in row and row.endswith("| 50.0 % |")
    assert any(line.startswith("| theirs | ") for line in done.stdout.splitlines())


def test_a_program_as_peer(tmp_path):
    compared(tmp_path, "--peer-rust", script(tmp_path / "rust", RUST))


def test_a_package_as_peer(tmp_path):
    package = tmp_path / "site" / "resource_tracker"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(PYTHON)
    compared(tmp_path, "--peer-python", tmp_path / "site")
