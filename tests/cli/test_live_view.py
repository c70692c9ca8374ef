"""test_live_view.py - without a command: the live view for a person at a terminal, samples for everything else."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import pytest

from processes import wait_for
from screen import Screen
from terminal import Terminal

ENTERS, LEAVES = b"\x1b[?1049h", b"\x1b[?1049l"


@pytest.fixture
def process():
    with subprocess.Popen(["sleep", "1000"]) as started:
        yield started
        started.kill()


def records():
    return list(pathlib.Path(os.environ["XDG_STATE_HOME"]).rglob("*.jsonl"))


def children_of(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def after_the_view(view):
    """What is on the terminal after the view has left it."""
    view.read_to_end()
    return view.sent[view.sent.rindex(LEAVES):].decode()


def test_a_process_is_shown_and_recorded(tracker, process):
    with Screen([tracker, "-i", "0.2", "-n", "nightly", "--pid", str(process.pid)]) as view:
        view.shows("^nightly")
        view.shows("^running")
        view.shows(r"^sleep +1 ")
        view.shows("q leave and end the run")
        assert b"{" not in view.sent.replace(b"\x1b", b"")
        view.type("q")
        text = after_the_view(view)
        assert view.process.wait() == 0
    assert "CPU" in text and "Memory" in text and "feed" not in text
    assert process.poll() is None
    [record] = records()
    assert json.loads(record.read_text().splitlines()[-1])


def test_the_machine_is_shown(tracker):
    with Screen([tracker, "-i", "0.2"]) as view:
        view.shows("^the machine")
        view.shows("^running")
        view.shows("^no programs: the run measures the machine")
        view.type("\x03")
        text = after_the_view(view)
        assert view.process.wait() == 0
    assert not records() and "Memory" not in text


def test_ends_with_the_process(tracker, process):
    with Screen([tracker, "-i", "0.2", "--pid", str(process.pid)]) as view:
        view.shows("^running")
        process.kill()
        process.wait()
        text = after_the_view(view)
        assert view.process.wait() == 0
    assert "CPU" in text and "Memory" in text


def test_ends_after_its_samples(tracker, process):
    with Screen([tracker, "-i", "0.2", "--samples", "3", "--pid", str(process.pid)]) as view:
        after_the_view(view)
        assert view.process.wait() == 0
    assert ENTERS in view.sent


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_the_recorder_ends_with_its_view(tracker, process, number):
    with Screen([tracker, "-i", "0.2", "--pid", str(process.pid)]) as view:
        view.shows("^running")
        [recorder] = children_of(view.process.pid)
        view.process.send_signal(number)
        wait_for(lambda: not pathlib.Path(f"/proc/{recorder}").exists(), "the recorder goes on")
    [record] = records()
    assert json.loads(record.read_text().splitlines()[-1])
    assert process.poll() is None


@pytest.mark.parametrize("interval, shown", [("0.2", "^sleep +1 "), ("3600", "^running")], ids=["samples", "none"])
def test_a_killed_recorder_ends_the_view(tracker, process, interval, shown):
    """Regression: with samples the status was 0."""
    with Screen([tracker, "-i", interval, "--pid", str(process.pid)]) as view:
        view.shows(shown)
        [recorder] = children_of(view.process.pid)
        os.kill(recorder, signal.SIGKILL)
        after_the_view(view)
        assert view.process.wait() == 128 + signal.SIGKILL


def test_errors_come_before_the_view(tracker):
    with Screen([tracker, "--pid", "99999999"]) as view:
        view.read_to_end()
        assert view.process.wait() == 125
    assert view.sent.count(b"no process 99999999") == 1 and ENTERS not in view.sent


def test_the_options_count(tracker, process, tmp_path):
    """Those of the command line reach the recorder as they are: a record of its own, another feed, a summary's form."""
    record, feed, summary = tmp_path / "run.jsonl", tmp_path / "feed", tmp_path / "summary"
    with Screen([tracker, "-i", "0.2", "--record", record, "--feed", feed, "--summary-file", summary, "--tag", "a=b",
                 "--pid", str(process.pid)]) as view:
        view.shows("^running")
        view.type("q")
        after_the_view(view)
        assert view.process.wait() == 0
    assert "a=b" in record.read_text() and "a=b" in feed.read_text() and "CPU" in summary.read_text()


# ---- where it is not shown ----------------------------------------------------------------------------

@pytest.mark.parametrize("options, begins", [(["-f", "json"], "{"), (["-o", "-"], "{"), (["--csv", "system"], "timestamp")])
def test_samples_that_were_asked_for(tracker, options, begins):
    with Terminal([tracker, "-i", "0.2", "--samples", "1", *options]) as terminal:
        terminal.until("^" + re.escape(begins))
        assert terminal.process.wait() == 0
    assert "\x1b" not in terminal.seen


def test_samples_for_a_pipe(tracker):
    """stdin and stderr are a terminal."""
    read, write = os.pipe()
    master, slave = os.openpty()
    process = subprocess.Popen([tracker, "-i", "0.2", "--samples", "1"], stdin=slave, stdout=write, stderr=slave)
    os.close(write)
    with os.fdopen(read) as out:
        assert json.loads(out.read())["timestamp"] > 0
    assert process.wait() == 0
    os.close(slave)
    os.close(master)


def test_quiet_shows_nothing(tracker, process):
    with Terminal([tracker, "-i", "0.2", "--samples", "2", "--quiet", "--pid", str(process.pid)]) as terminal:
        assert terminal.process.wait() == 0
        os.set_blocking(terminal.master, False)
        with pytest.raises(OSError):
            os.read(terminal.master, 1)


def test_samples_in_the_background(tracker):
    """A process group that does not have the terminal would be stopped as a view."""
    script = f"set -m; '{tracker}' -i 0.2 --samples 1 & wait $!; echo status $?"
    with Terminal(["bash", "-c", script]) as terminal:
        terminal.until(r'\{.*"timestamp"')
        terminal.until("status 0")


def test_samples_where_the_view_is_not_installed(tracker, tmp_path):
    alone = shutil.copy(tracker, tmp_path)
    with Terminal([alone, "-i", "0.2", "--samples", "1"]) as terminal:
        terminal.until("no live view .resource-tracker-top: No such file or directory., so the samples follow")
        terminal.until(r'\{.*"timestamp"')
        assert terminal.process.wait() == 0
