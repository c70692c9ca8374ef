"""test_status.py - --status: a line in the last row of the terminal, beside a job that has the rest of it."""
import fcntl
import os
import re
import signal
import struct
import sys
import termios

import pyte
import pytest

from processes import children_of, state_of, wait_for
from screen import Screen

LINE = r"^ \d+:\d\d  CPU [\d.]+ of .* memory .* of .*%"
BARE = r"^ \d+:\d\d  "
WAIT = "while not os.path.exists('end'): time.sleep(0.02)"


class Scrolled(Screen):
    """A Screen that keeps what scrolls out of it."""

    @property
    def all_text(self):
        old = ["".join(line[x].data for x in range(self.screen.columns)).rstrip() for line in self.screen.history.top]
        return "\n".join(old + [self.text])


class Terminal(pyte.HistoryScreen):
    """A cursor that is saved behind the last column is restored there, as in a VT100, xterm and Linux; not in pyte's own."""

    def __init__(self, columns, rows):
        super().__init__(columns, rows, history=10000)

    def restore_cursor(self):
        is_behind = bool(self.savepoints) and self.savepoints[-1].cursor.x == self.columns
        super().restore_cursor()
        if is_behind:
            self.cursor.x = self.columns


@pytest.fixture(autouse=True)
def with_history(monkeypatch):
    monkeypatch.setattr(pyte, "Screen", Terminal)


def job(folder, text):
    """A program in Python that ends with status 5."""
    path = folder / "job.py"
    path.write_text(f"import os, sys, time, signal, subprocess\n{text}\nsys.exit(5)\n")
    return [sys.executable, "-I", path]


def size_of(terminal):
    return struct.unpack("HHHH", fcntl.ioctl(terminal.master, termios.TIOCGWINSZ, b"\0" * 8))[:2]


def children_named(pid, name):
    """Those of a process that has the terminal."""
    return [child for child in children_of(pid) if open(f"/proc/{child}/comm").read().startswith(name)]


def drain(screen):
    """Reads until no process has the terminal any more; one that writes is not kept waiting."""
    while screen.more():
        pass
    screen.process.wait()


def vanished(screen, rows=24, columns=80):
    """After the end: no line, no margins, the size as before."""
    drain(screen)
    assert not re.search(BARE + "CPU", screen.all_text, re.M), screen.all_text
    assert screen.screen.margins is None or (screen.screen.margins.top, screen.screen.margins.bottom) == (0, rows - 1)
    assert size_of(screen) == (rows, columns)


def test_shows_the_run_and_vanishes(tracker, tmp_path):
    with Scrolled([tracker, "-i", "0.2", "--status", "--", *job(tmp_path, f"print('begin', flush=True)\n{WAIT}")],
                  cwd=tmp_path) as screen:
        screen.shows("^begin")
        screen.shows(LINE)
        assert re.match(BARE, screen.screen.display[23]) and screen.screen.display[0].startswith("begin")
        assert size_of(screen) == (23, 80)
        (tmp_path / "end").write_text("")
        vanished(screen)
        assert screen.process.wait() == 5
    assert "Status      exit 5" in screen.all_text and screen.all_text.startswith("begin\n")


def test_never_by_itself(tracker, tmp_path):
    with Scrolled([tracker, "-i", "0.2", "--", *job(tmp_path, "time.sleep(0.7)")]) as screen:
        drain(screen)
    assert b"\x1b[1;23r" not in screen.sent


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"TERM": ""}])
def test_needs_a_terminal_that_can(tracker, tmp_path, environment):
    with Scrolled([tracker, "-i", "0.2", "--status", "--", *job(tmp_path, "time.sleep(0.7)")],
                  env={**os.environ, **environment}) as screen:
        drain(screen)
    assert b"\x1b[1;23r" not in screen.sent and "status line" not in screen.text


def test_needs_a_terminal(run):
    done = run("--status", "--", "sleep", "0.3")
    assert done.returncode == 0 and "\x1b" not in done.stderr


def test_needs_a_command(run):
    done = run("--status")
    assert done.returncode == 125 and "--status is for a command" in done.stderr


def test_the_output_of_the_job_stays_whole(tracker, tmp_path):
    """Many more lines than rows, and one of two rows that is written in pieces while the line is shown again, also when the
    cursor is behind the last column."""
    text = """
for i in range(400):
    print(f"line {i} " + "x" * (i % 70), flush=True)
    time.sleep(0.005)
for i in range(120):
    print(i % 10, end="", flush=True)
    time.sleep(1 if i == 79 else 0.02)
print("\\rover", flush=True)
"""
    with Scrolled([tracker, "-i", "0.2", "--quiet", "--status", "--", *job(tmp_path, text)]) as screen:
        screen.shows(LINE)
        vanished(screen)
    digits = "0123456789" * 12
    expected = [(f"line {i} " + "x" * (i % 70)).rstrip() for i in range(400)] + [digits[:80], "over" + digits[84:]]
    assert screen.all_text.rstrip().split("\n") == expected


def test_the_job_sees_a_row_less(tracker, tmp_path):
    """A full-screen program draws above the line; its size and its bottom row are its own."""
    text = f"""
while os.get_terminal_size(2).lines != 23: time.sleep(0.02)
rows = os.get_terminal_size(2).lines
sys.stdout.write("\\x1b[2J\\x1b[1;%dr" % rows)
sys.stdout.write("\\x1b[%d;1Hbottom\\x1b[1;1Htop" % rows); sys.stdout.flush()
{WAIT}
sys.stdout.write("\\x1b[r\\x1b[2J\\x1b[H"); sys.stdout.flush()
"""
    with Scrolled([tracker, "-i", "0.2", "--quiet", "--status", "--", *job(tmp_path, text)], cwd=tmp_path) as screen:
        screen.shows("^bottom")
        screen.shows(LINE)
        assert screen.screen.display[22].startswith("bottom") and screen.screen.display[0].startswith("top")
        (tmp_path / "end").write_text("")
        vanished(screen)


def test_follows_the_window(tracker, tmp_path):
    with Scrolled([tracker, "-i", "0.2", "--status", "--", *job(tmp_path, f"print('begin', flush=True)\n{WAIT}")],
                  cwd=tmp_path) as screen:
        screen.shows(LINE)
        for rows, columns in ((40, 120), (12, 60), (30, 100)):
            screen.resize(rows, columns)
            # What was drawn for the old size can be in the last row, too.
            wait_for(lambda: screen.more() and size_of(screen) == (rows - 1, columns) and re.match(BARE, screen.screen.display[rows - 1]),
                     "not in the last row")
            assert len(re.findall(BARE, screen.text, re.M)) == 1, screen.text
        screen.resize(3, 60)                    # too small: nothing
        wait_for(lambda: size_of(screen) == (3, 60), "size")
        screen.resize(24, 80)
        wait_for(lambda: screen.more() and re.match(BARE, screen.screen.display[23]), "not again")
        (tmp_path / "end").write_text("")
        vanished(screen)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_the_job(tracker, tmp_path, number):
    with Scrolled([tracker, "-i", "0.2", "--status", "--", "sleep", "1000"]) as screen:
        screen.shows(LINE)
        if number == signal.SIGINT:
            screen.type("\x03")
        else:
            pid, = wait_for(lambda: children_named(screen.process.pid, "sleep"), "the command runs")
            os.kill(pid, number)
        vanished(screen)
        assert screen.process.wait() in (-number, 128 + number)


def test_the_recorder_is_killed(tracker, tmp_path):
    with Scrolled([tracker, "-i", "0.2", "--status", "--", *job(tmp_path, WAIT)], cwd=tmp_path) as screen:
        screen.shows(LINE)
        screen.process.kill()
        screen.process.wait()
        wait_for(lambda: size_of(screen) == (24, 80), "the row is not given back")
        (tmp_path / "end").write_text("")
        vanished(screen)


def test_the_program_of_the_line_is_killed(tracker, tmp_path):
    """The job does not notice; the summary names it."""
    with Scrolled([tracker, "-i", "0.2", "--status", "--", *job(tmp_path, WAIT)], cwd=tmp_path, columns=200) as screen:
        screen.shows(LINE)
        # The command has that name, too, until it runs another program.
        wait_for(lambda: len(children_named(screen.process.pid, "resource-track")) == 1, "the command runs")
        pid, = children_named(screen.process.pid, "resource-track")
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not os.path.exists(f"/proc/{pid}"), "not reaped")
        (tmp_path / "end").write_text("")
        drain(screen)
        assert screen.process.wait() == 5
    assert "status line" in screen.all_text and "signal 9" in screen.all_text


def test_its_cpu_is_not_the_jobs(tracker, tmp_path):
    """Nor is it a program of the job."""
    record = tmp_path / "run.jsonl"
    with Scrolled([tracker, "-i", "0.2", "--status", "--record", record, "--", *job(tmp_path, WAIT)], cwd=tmp_path) as screen:
        screen.shows(LINE)
        (tmp_path / "end").write_text("")
        drain(screen)
        assert screen.process.wait() == 5
    assert "resource-track" not in re.sub(r'^.*?\n', "", record.read_text(), count=1)


def test_stops_with_the_job(tracker, tmp_path):
    (tmp_path / "waiter").write_text(f"#!{sys.executable} -I\nimport os, time\n{WAIT}\n")
    (tmp_path / "waiter").chmod(0o755)
    environment = dict(os.environ, PS1="READY> ", HISTFILE="", TERM="xterm-256color")
    with Scrolled(["bash", "--norc", "--noprofile", "-i"], env=environment, cwd=tmp_path) as screen:
        screen.shows("^READY>")
        screen.type(f"'{tracker}' -i 0.2 --quiet --status -- ./waiter\n")
        for n in range(2):
            screen.shows(LINE)
            screen.type("\x1a")
            screen.shows(r"Stopped")            # the row is given back, perhaps a little later
            screen.type(f"until [ \"$(stty size)\" = '24 80' ]; do sleep 0.05; done; clear; echo over {n}\n")
            screen.shows(f"^over {n}")
            assert not re.search(LINE, screen.text, re.M)
            # Else it would be continued before it stops.
            recorder, = children_of(screen.process.pid)
            wait_for(lambda: all(state_of(pid) == "T" for pid in children_of(recorder)), "the line's program stops")
            screen.type("fg\n")
        screen.shows(LINE)
        (tmp_path / "end").write_text("")
        screen.shows(r"READY>$")
        wait_for(lambda: size_of(screen) == (24, 80), "the row is not given back")
        wait_for(lambda: not re.search(LINE, screen.text, re.M) or screen.more() and False, "the line is still there")
        screen.type("exit\n")
        drain(screen)


def test_not_in_the_background(tracker, tmp_path):
    script = f"set -m; '{tracker}' -i 0.2 --quiet --status -- sleep 1 & wait $!; echo status $?"
    with Scrolled(["bash", "-c", script]) as screen:
        screen.shows("^status 0")
        drain(screen)
    assert b"\x1b[1;23r" not in screen.sent


def test_one_line_for_two_recorders(tracker, tmp_path):
    with Scrolled([tracker, "-i", "0.2", "--quiet", "--status", "--", tracker, "-i", "0.2", "--quiet", "--status", "--",
                   *job(tmp_path, WAIT)], cwd=tmp_path) as screen:
        screen.shows(LINE)
        for _ in range(3):
            screen.more()
        assert len(re.findall(BARE, screen.text, re.M)) == 1 and size_of(screen) == (23, 80)
        (tmp_path / "end").write_text("")
        vanished(screen)
        assert screen.process.wait() == 5


def test_shows_the_open_region(tracker, loads, tmp_path):
    os.mkfifo(tmp_path / "hold")
    with Scrolled([tracker, "-i", "0.2", "--quiet", "--status", "--", "sh", "-c",
                   f"exec {loads}/load_regions hold 0<> {tmp_path}/hold"], columns=140) as screen:
        screen.shows(r"  in outer/inner [\d.]+s")
        (tmp_path / "hold").write_text("\n")
        vanished(screen, columns=140)
