"""test_job_control.py - ^Z, fg, bg and ^C under real shells on a terminal."""
import os
import pathlib
import sys
import time

import pytest

from processes import children_of, state_of, wait_for, wait_for_file
from terminal import Terminal

# One process that forks none: a shell about to start another by vfork hangs when ^Z comes in between,
# with the tracker and without.
WAITER = """
import os, sys, time
open("up", "w").write("up")
while not os.path.exists("end"): time.sleep(0.02)
open("over", "w").write("over")
sys.exit(5)
"""

SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "dash": ["dash", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}


@pytest.fixture(params=sorted(SHELLS))
def shell(request, tmp_path):
    argv = SHELLS[request.param]
    if not os.path.exists(f"/bin/{argv[0]}") and not os.path.exists(f"/usr/bin/{argv[0]}"):
        pytest.skip(f"{argv[0]} is not installed")
    # The prompt's text is not in the typed text, only in the output of the shell.
    (tmp_path / "waiter").write_text(f"#!{sys.executable} -I\n{WAITER}")
    (tmp_path / "waiter").chmod(0o755)
    environment = dict(os.environ, PS1="RE''ADY> ".replace("''", ""), ENV="", HISTFILE="", TERM="dumb")
    with Terminal(argv, env=environment, cwd=tmp_path) as terminal:
        terminal.until("READY> ")
        terminal.type("set -m\n")
        terminal.until("READY> ")
        yield terminal


def job_of(terminal):
    """The tracker and its command, as (pid, pid)."""
    tracker = wait_for(lambda: children_of(terminal.process.pid), "the shell starts the tracker")[0]
    command = wait_for(lambda: children_of(tracker), "the tracker starts the command")[0]
    return tracker, command


def name_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None


def test_stop_key_and_fg(shell, tracker, tmp_path):
    shell.type(f"'{tracker}' --quiet --record none -- ./waiter\n")
    wait_for_file(tmp_path / "up")
    ours, command = job_of(shell)
    shell.type("\x1a")
    shell.until("READY> ")                      # the prompt is back
    assert state_of(ours) == "T"
    wait_for(lambda: state_of(command) == "T", "the command stops")
    shell.type("jobs\n")
    shell.until(r"(?i)(stopped|suspended)")
    shell.until("READY> ")
    shell.type("fg\n")
    wait_for(lambda: state_of(command) not in ("T", None) and state_of(ours) not in ("T", None), "both go on")
    (tmp_path / "end").write_text("")
    shell.until("READY> ")
    shell.type("echo status=$?\n")
    assert shell.until(r"status=(\d+)").group(1) == "5"


def test_stop_key_twice_and_bg(shell, tracker, tmp_path):
    shell.type(f"'{tracker}' --quiet --record none -- ./waiter\n")
    wait_for_file(tmp_path / "up")
    ours, command = job_of(shell)
    for resume in ("fg\n", "bg\n"):
        shell.type("\x1a")
        shell.until("READY> ")
        wait_for(lambda: state_of(ours) == "T" and state_of(command) == "T", "both stop")
        shell.type(resume)
        wait_for(lambda: state_of(ours) not in ("T", None) and state_of(command) not in ("T", None), "both go on")
    (tmp_path / "end").write_text("")
    wait_for_file(tmp_path / "over")


def test_interrupt_key_ends_the_line_and_gives_the_status(shell, tracker, tmp_path):
    shell.type(f"'{tracker}' --quiet --record none -- sh -c 'echo up > up; exec sleep 60'\n")
    wait_for_file(tmp_path / "up")
    # One process: a shell that waits for another ignores a ^C that comes before the other one runs.
    shell.type("\x03")
    shell.until("READY> ")
    shell.type("echo status=$?\n")
    assert shell.until(r"status=(\d+)").group(1) == "130"


def test_interrupt_key_ends_a_loop_of_the_shell(tracker, tmp_path):
    # A shell leaves its loop only if the program died of SIGINT: a plain status 130 would not end it.
    loop = f"for i in 1 2 3; do echo x >> turns; '{tracker}' --quiet --record none -- sleep 60; done; echo ended the loop"
    with Terminal(["bash", "--norc", "--noprofile", "-c", loop], cwd=tmp_path) as terminal:
        wait_for_file(tmp_path / "turns")
        wait_for(lambda: [c for t in children_of(terminal.process.pid) for c in children_of(t) if name_of(c) == "sleep\n"],
                 "sleep runs")
        terminal.type("\x03")
        terminal.process.wait()
    assert (tmp_path / "turns").read_text() == "x\n"


def test_the_command_can_read_the_terminal(tracker):
    with Terminal([tracker, "--quiet", "--record", "none", "--", "sh", "-c", "read word; echo \"got=$word\""]) as terminal:
        terminal.type("hello\n")
        terminal.until("got=hello")
        assert terminal.process.wait() == 0


def test_samples_of_a_stopped_job_go_on_after_it(shell, tracker, tmp_path):
    # Samples that came due while stopped are not missed: there was nothing to measure.
    shell.type(f"'{tracker}' --quiet --record none -f csv -o samples -i 0.1 -- ./waiter\n")
    wait_for_file(tmp_path / "up")
    ours, _ = job_of(shell)
    shell.type("\x1a")
    shell.until("READY> ")
    stopped = time.time()
    time.sleep(2)
    resumed = time.monotonic()
    shell.type("fg\n")
    wait_for(lambda: state_of(ours) not in ("T", None), "it goes on")
    (tmp_path / "end").write_text("")
    shell.until("READY> ")
    rows = (tmp_path / "samples").read_text().splitlines()
    # Twenty were due meanwhile.  Samples from before the stop can be written after it: their time decides.
    later = [row for row in rows[1:] if float(row.partition(",")[0]) > stopped]
    assert later and len(later) < 10 * (time.monotonic() - resumed) + 9, "no burst of samples for the time of the stop"
    assert len({line.count(",") for line in rows}) == 1
