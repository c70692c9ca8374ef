"""test_run.py - run.py with two small scripts in the place of the trackers: both are started, ended and compared."""
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


# Runs the words after `--`, after it gave a pid that has executed them.
OURS_OF_A_JOB = """
import subprocess, sys, time
output, command = sys.argv[sys.argv.index("--output") + 1], sys.argv[sys.argv.index("--") + 1:]
file = open(output, "w")
print("timestamp,memory_mib", file=file)
job = subprocess.Popen(command)
while job.poll() is None:
    print(f"{time.time()},2", file=file, flush=True)
    time.sleep(0.1)
"""
PYTHON_OF_A_JOB = """
import os, sys, time
class ProcessTracker:
    def __init__(self, pid, interval, output_file):
        with open(output_file, "w") as file:
            print('"timestamp","memory_mib"', file=file)
            while os.path.exists(f"/proc/{pid}/exe"):
                print(f"{time.time()},{4 if 'sleep' in os.readlink(f'/proc/{pid}/exe') else 0}", file=file, flush=True)
                time.sleep(interval)
"""


def test_a_job_of_both(tmp_path):
    package = tmp_path / "site" / "resource_tracker"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(PYTHON_OF_A_JOB)
    ours = script(tmp_path / "ours", f"#!{sys.executable}\n" + OURS_OF_A_JOB)
    done = subprocess.run([sys.executable, HERE / "run.py", "--ours", ours, "--interval", "0.1", "--peer-python",
                           tmp_path / "site", "--job", "sleep", "2"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if line.startswith("| memory_mib"))
    assert " 2.000 " in row and " 4.000 " in row


def test_a_job_that_ends_at_once(tmp_path):
    ours = script(tmp_path / "ours", "#!/bin/sh\nexit 0\n")
    done = subprocess.run([sys.executable, HERE / "run.py", "--ours", ours, "--peer-python", tmp_path, "--job", "true"],
                          capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "the job ended before theirs could be given its pid\n")


def test_a_package_as_peer(tmp_path):
    package = tmp_path / "site" / "resource_tracker"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(PYTHON)
    compared(tmp_path, "--peer-python", tmp_path / "site")
