"""test_signals.py - signals sent to the tracker reach the command once, and signals of the terminal are not doubled."""
import os
import signal
import subprocess
import sys

import pytest

from processes import children_of, state_of, wait_for, wait_for_file
from terminal import Terminal

QUIET = ("--quiet", "--record", "none", "--")

# Reports that it is ready, appends the number of each signal to a file, and ends with 33 at the given one.
LISTENER = """
import os, signal, sys, time
log, last = sys.argv[1], int(sys.argv[2])
def got(number, frame):
    with open(log, "a") as f: f.write(f"{number}\\n")
    if number == last:
        time.sleep(0.2)     # a second one of it would be seen
        os._exit(33)
for number in (1, 2, 3, 10, 12, 15, 28, 29, 34, 64):
    signal.signal(number, got)
with open(log, "a") as f: f.write("ready\\n")
while True: time.sleep(10)
"""


@pytest.fixture
def start(tracker):
    """Starts the tracker like a script does, without a terminal; it is ended at the end of the test."""
    started = []

    def popen(*arguments, **more):
        process = subprocess.Popen([tracker, *arguments], stdin=subprocess.DEVNULL, start_new_session=True, **more)
        started.append(process)
        return process
    yield popen
    for process in started:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
                                    signal.SIGQUIT, signal.SIGWINCH, signal.SIGRTMIN,
                                    signal.SIGIO, signal.SIGRTMAX])     # the kernel sends these to the tracker, too
def test_a_signal_to_the_tracker_is_forwarded_once(start, tmp_path, number):
    # Another tracker: SIGTERM ended it with 0, and the command ran on alone.
    log = tmp_path / "log"
    process = start(*QUIET, sys.executable, "-I", "-c", LISTENER, log, str(int(number)))
    wait_for_file(log)
    process.send_signal(number)
    assert process.wait() == 33
    assert log.read_text().split() == ["ready", str(int(number))]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_a_signal_that_ends_the_command_ends_the_tracker(start, tmp_path, number):
    process = start(*QUIET, "sh", "-c", f"echo > {tmp_path}/ready; exec sleep 60")
    wait_for(lambda: (tmp_path / "ready").exists(), "the command starts")
    process.send_signal(number)
    # 128 + N, or death by the same signal, which a shell shows as the same number.
    assert process.wait() in (128 + number, -number)


def test_a_long_interval_does_not_delay_signals(start, tmp_path):
    # Another tracker: up to one interval until the signal was seen.
    process = start(*QUIET[:-1], "-i", "60", "--", "sh", "-c", f"echo > {tmp_path}/ready; exec sleep 60")
    wait_for(lambda: (tmp_path / "ready").exists(), "the command starts")
    process.terminate()
    assert process.wait() in (128 + signal.SIGTERM, -signal.SIGTERM)


def test_the_record_is_whole_after_a_signal(start, tmp_path, lines_of):
    # Another tracker: the data since the last upload was lost on SIGINT.
    record = tmp_path / "record.jsonl"
    process = start("--quiet", "--record", record, "-i", "0.05", "--", "sh", "-c",
                    f"echo > {tmp_path}/ready; exec sleep 60")
    wait_for(lambda: (tmp_path / "ready").exists(), "the command starts")
    wait_for(lambda: record.exists() and record.read_text().count("\n") > 4, "rows in the record")
    process.send_signal(signal.SIGINT)
    process.wait()
    assert lines_of(record)[-1]["end"]["signal"] == signal.SIGINT


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_watch_ends_with_0(start, tmp_path, number):
    with open(tmp_path / "out", "wb") as out:
        process = start("-f", "csv", "-i", "0.05", stdout=out)
    wait_for(lambda: (tmp_path / "out").read_text().count("\n") >= 3, "two samples")
    process.send_signal(number)
    assert process.wait() == 0
    assert (tmp_path / "out").read_text().endswith("\n")


@pytest.mark.parametrize("key, number", [("\x03", "2"), ("\x1c", "3")], ids=["interrupt", "quit"])
def test_a_key_reaches_the_command_once(tracker, tmp_path, key, number):
    log = tmp_path / "log"
    with Terminal([tracker, *QUIET, sys.executable, "-I", "-c", LISTENER, log, number]) as terminal:
        wait_for_file(log)
        terminal.type(key)
        assert terminal.process.wait() == 33
    assert log.read_text().split() == ["ready", number]


def test_a_command_can_outlive_the_interrupt_key(tracker, tmp_path):
    log = tmp_path / "log"
    with Terminal([tracker, *QUIET, sys.executable, "-I", "-c", LISTENER, log, "15"]) as terminal:
        wait_for_file(log)
        terminal.type("\x03")
        wait_for(lambda: "2" in log.read_text().split(), "the command sees ^C")
        assert terminal.process.poll() is None
        terminal.process.terminate()
        assert terminal.process.wait() == 33
    assert log.read_text().split() == ["ready", "2", "15"]


def test_stop_and_continue_sent_by_a_process(start, tmp_path):
    process = start(*QUIET, "sh", "-c", f"echo > {tmp_path}/ready; while :; do sleep 0.05; done")
    wait_for(lambda: (tmp_path / "ready").exists(), "the command starts")
    command = children_of(process.pid)[0]
    # Another process stops it while there is no terminal: only the command stops.
    os.kill(command, signal.SIGSTOP)
    wait_for(lambda: state_of(command) == "T", "the command stops")
    assert process.poll() is None
    process.send_signal(signal.SIGCONT)
    wait_for(lambda: state_of(command) != "T", "the command goes on")
    process.terminate()
    assert process.wait() in (143, -15)
