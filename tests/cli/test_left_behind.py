"""test_left_behind.py - processes that stay after the command's end, and those that end a moment later."""
import os
import shutil
import signal
import subprocess
import time

import pytest

# A process that runs is waited for at most so long: where it gets no CPU, it is left behind.
WAIT_SECONDS = 0.5


def end_of(run, lines_of, record, *command):
    done = run("--record", record, "--", *command)
    assert done.returncode == 0, done.stderr
    left = lines_of(record)[-1]["end"]["left_behind"]
    assert ("still running when recording ended" in " ".join(done.stderr.split())) == (left > 0)
    return left


LATE = """
import os, sys, time
first, second = os.pipe()
if os.fork() == 0:
    os.write(second, b"x")              # the command ends by this, and this process only now begins to
    for fd in range(3, 128):
        try:
            os.close(fd)
        except OSError:
            pass
    os._exit(0)
os.read(first, 1)
open(sys.argv[1], "w").write(str(time.monotonic()))
os._exit(0)
"""


def test_a_process_about_to_end_is_not_left_behind(run, lines_of, tmp_path):
    ended = tmp_path / "ended"
    for i in range(8):
        left = end_of(run, lines_of, tmp_path / f"record{i}", "/usr/bin/python3", "-c", LATE, ended)
        assert left == 0 or time.monotonic() - float(ended.read_text()) >= WAIT_SECONDS


def test_the_first_process_of_a_namespace(run, lines_of, tmp_path):
    """The first process of bwrap's namespace passes the status on, and ends a moment after bwrap itself."""
    words = ["bwrap", "--unshare-pid", "--dev-bind", "/", "/", "--"]
    if not shutil.which("bwrap") or subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        pytest.skip("bwrap is not installed, or may not make namespaces")
    for i in range(8):
        began = time.monotonic()
        assert end_of(run, lines_of, tmp_path / f"record{i}", *words, "true") == 0 or time.monotonic() - began >= WAIT_SECONDS


@pytest.mark.parametrize("what", ["sleep 1000", "while :; do :; done"])
def test_a_process_that_stays_is_left_behind(run, lines_of, what, tmp_path):
    pid = tmp_path / "pid"
    script = f'sh -c "echo \\$\\$ > {pid}; {what}" >/dev/null 2>&1 & while [ ! -s {pid} ]; do :; done'
    try:
        assert end_of(run, lines_of, tmp_path / "record", "sh", "-c", script) >= 1
    finally:
        os.kill(int(pid.read_text()), signal.SIGKILL)
