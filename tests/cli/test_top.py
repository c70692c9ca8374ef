"""test_top.py - `resource-tracker top`: the live view, as a person at a terminal sees it."""
import os
import pathlib
import re
import signal
import subprocess
import termios

import pytest

from processes import state_of, wait_for, wait_for_file
from screen import Screen

LEAVES = b"\x1b[?1049l"         # back to the usual screen
THREE_PROGRAMS = "sleep 1000 & sleep 1000 & sleep 1000 & cat {hold} & cat {hold} & read x < {hold}; exit 3"


class Job:
    """A recorded command that goes on until it is released."""

    def __init__(self, tracker, folder, script, options=()):
        self.hold = folder / "hold"
        os.mkfifo(self.hold)
        self.record = folder / "run.jsonl"
        self.process = subprocess.Popen(
            [tracker, "--quiet", "-i", "0.2", "--record", self.record, *options, "--", "sh", "-c",
             script.format(hold=self.hold)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)

    def rows(self):
        return self.record.read_text().count('\n["r"') if self.record.exists() else 0

    def release(self):
        """Lets all that reads `hold` go on; the status of the run."""
        self.hold.write_text("\n")
        return self.process.wait()

    def kill(self):
        for pid in re.findall(r"^(\d+)$", subprocess.run(["ps", "-o", "pid=", "-s", str(self.process.pid)], text=True,
                                                         capture_output=True).stdout.replace(" ", ""), re.M):
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()


@pytest.fixture
def job(tracker, tmp_path):
    started = []

    def start(script="read x < {hold}; exit 3", options=()):
        started.append(Job(tracker, tmp_path, script, options))
        wait_for(lambda: started[-1].rows() > 1, "no rows")
        return started[-1]
    yield start
    for one in started:
        one.kill()


def state():
    return pathlib.Path(os.environ["XDG_STATE_HOME"])


def table(view):
    """The first words of the rows of the table in a view of 80 columns."""
    lines = view.text.split("\n")
    title = next(i for i, line in enumerate(lines) if "CPU TIME" in line)
    return [line.split()[0] for line in lines[title + 1:-1] if line.strip()]


def has_rows(view, expected):
    """A title can be drawn before its rows."""
    wait_for(lambda: table(view) == expected or view.more() and False, f"not {expected}")


def left(view):
    """After q: the terminal is as it was."""
    view.read_to_end()
    assert LEAVES in view.sent and b"\x1b[?25h" in view.sent and b"\x1b[?1000l" in view.sent
    assert view.modes()[3] & (termios.ICANON | termios.ECHO | termios.ISIG) == (
        termios.ICANON | termios.ECHO | termios.ISIG)
    return view.process.wait()


def test_shows_the_newest_run_and_leaves_it_alone(job, tracker, tmp_path):
    one = job()
    with Screen([tracker, "top", "--directory", tmp_path]) as view:
        view.shows(r"^sh -c 'read x")
        view.shows(r"^running .*since 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC")
        view.shows(r"CPU .* of .* cores")
        view.shows(r"Memory .* of .*(RAM|limit)")
        view.shows(r"^(CPU throttled.*)?pressure")
        modes = view.modes()
        assert not modes[3] & (termios.ICANON | termios.ECHO)
        view.type("q")
        assert left(view) == 0
    assert one.process.poll() is None
    assert one.release() == 3


def test_processes_as_a_tree(job, tracker):
    one = job("sh -c 'cat {hold}; :' & read x < {hold}; exit 3")
    with Screen([tracker, "top", one.record]) as view:
        view.shows("^running")
        view.type("t")
        view.shows(r"^ +\d+ sh .*\n +\d+ {3}sh .*\n +\d+ {5}cat ")
        view.type("t")
        view.shows(r"^ +\d+ cat ")
        view.type("q")
        assert left(view) == 0


def test_stays_when_the_run_has_ended(job, tracker):
    one = job()
    with Screen([tracker, "top", one.record]) as view:
        view.shows("^running")
        assert one.release() == 3
        view.shows(r"^ended, status 3 after ")
        view.shows("no processes|PROGRAM")
        assert view.process.poll() is None
        view.type("q")
        assert left(view) == 0


def test_a_run_that_is_over_is_shown(job, tracker):
    one = job()
    one.release()
    with Screen([tracker, "top", one.record]) as view:
        view.shows(r"^ended, status 3 after ")
        view.type("\t")
        view.shows("no processes: this run is over")
        view.type("\x03")
        assert left(view) == 0


def test_a_killed_recorder_is_named(job, tracker):
    one = job()
    with Screen([tracker, "top", one.record]) as view:
        view.shows("^running")
        one.process.kill()
        view.shows("^cut off: the recorder ended without a last line")
        view.type("q")
        left(view)


def test_tables_are_sorted_by_keys_and_clicks(job, tracker):
    one = job(THREE_PROGRAMS)
    with Screen([tracker, "top", one.record]) as view:
        view.shows(r"^sleep +3 ")
        view.shows(r"^cat +2 ")
        view.type("n")
        view.shows("PROGRAM↓")
        has_rows(view, ["cat", "sh", "sleep"])
        view.type("n")
        view.shows("PROGRAM↑")
        has_rows(view, ["sleep", "sh", "cat"])
        view.type("p")
        view.shows("PROCS↓")
        has_rows(view, ["sleep", "cat", "sh"])
        row, line = next((i, line) for i, line in enumerate(view.text.split("\n")) if "PROCS" in line)
        view.type(f"\x1b[<0;{line.index('PROGRAM') + 1};{row + 1}M")
        view.shows("PROGRAM↓")
        has_rows(view, ["cat", "sh", "sleep"])
        view.type("\tp")
        view.shows("PID↓")
        wait_for(lambda: len(table(view)) == 6 or view.more() and False, "six processes")
        pids = sorted(table(view), key=int)
        has_rows(view, pids)
        view.type("p")
        view.shows("PID↑")
        has_rows(view, pids[::-1])
        view.type("q")
        left(view)


def test_every_size(job, tracker):
    one = job(THREE_PROGRAMS)
    with Screen([tracker, "top", one.record]) as view:
        view.shows("PROGRAM")
        for rows, columns, pattern in ((100, 300, r"PROGRAM.*PID PROCESS"), (10, 40, r"^q leave"), (5, 30, "too small"),
                                       (50, 160, r"PROGRAM.*PID PROCESS"), (24, 80, r"q leave, the run goes on")):
            view.resize(rows, columns)
            view.shows(pattern)
            assert len(view.screen.display) == rows
        view.type("q")
        left(view)


def test_help_opens_and_closes(job, tracker):
    with Screen([tracker, "top", job().record]) as view:
        view.shows("PROGRAM")
        view.type("?")
        view.shows("sort by CPU, memory, disk")
        view.type(" ")
        view.shows("PROGRAM")
        assert "paused" not in view.text
        view.type("q")
        left(view)


def test_a_pause_stops_the_view_alone(job, tracker):
    one = job()
    with Screen([tracker, "top", one.record]) as view:
        view.shows("^running")
        view.type(" ")
        view.shows("paused")
        shown, rows = view.shows(r"^running [^ ]*").group(), one.rows()
        wait_for(lambda: one.rows() > rows + 5, "no more rows")
        view.type("\t")
        view.shows("PID")
        assert view.shows(r"^running [^ ]*").group() == shown
        view.type(" ")
        wait_for(lambda: view.more() and view.shows(r"^running [^ ]*").group() != shown, "still paused")
        view.type("q")
        left(view)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV])
def test_a_signal_gives_the_terminal_back(job, tracker, number):
    one = job()
    with Screen([tracker, "top", one.record]) as view:
        view.shows("^running")
        view.process.send_signal(number)
        assert left(view) == -number
    assert one.process.poll() is None


def test_stops_and_goes_on_like_any_program(job, tracker):
    with Screen([tracker, "top", job().record]) as view:
        view.shows("^running")
        view.type("\x1a")
        wait_for(lambda: state_of(view.process.pid) == "T", "not stopped")
        while LEAVES not in view.sent:
            assert view.more()
        assert view.modes()[3] & termios.ICANON
        view.process.send_signal(signal.SIGCONT)
        before = len(view.sent)
        while b"\x1b[?1049h" not in view.sent[before:]:
            assert view.more()
        view.shows("^running")
        view.type("q")
        left(view)


def test_ends_with_its_terminal(job, tracker):
    one = job()
    view = Screen([tracker, "top", one.record])
    view.shows("^running")
    os.close(view.master)
    assert view.process.wait() in (0, -signal.SIGHUP)
    assert one.process.poll() is None


@pytest.mark.parametrize("environment, ascii_only, no_ink", [
    ({"TERM": "xterm", "LC_ALL": "C.UTF-8"}, False, False),
    ({"TERM": "xterm", "LC_ALL": "C"}, True, False),
    ({"TERM": "dumb", "LC_ALL": "C.UTF-8"}, False, True),
])
def test_only_what_the_terminal_can_show(job, tracker, environment, ascii_only, no_ink):
    """NO_COLOR is set for all tests."""
    one = job()
    with Screen([tracker, "top", one.record], env={**os.environ, **environment}) as view:
        view.shows("q leave")
        view.type("q")
        left(view)
    inks = set(re.findall(rb"\x1b\[([0-9;]*)m", view.sent))
    assert inks <= ({b"0"} if no_ink else {b"0", b"0;1", b"0;2", b"0;7"})
    assert view.sent.isascii() == ascii_only


def test_colours_where_they_are_wanted(job, tracker, monkeypatch):
    monkeypatch.delenv("NO_COLOR")
    with Screen([tracker, "top", job().record]) as view:
        view.shows("q leave")
        view.type("q")
        left(view)
    assert re.search(rb"\x1b\[0;3[2-6]m", view.sent)


def test_a_job_of_many_processes(job, tracker):
    one = job("i=0; while [ $i -lt 400 ]; do sleep 1000 & i=$((i+1)); done; echo > {hold}.all; read x < {hold}; exit 3")
    wait_for(one.hold.with_name("hold.all").exists, "not all have begun")
    with Screen([tracker, "top", one.record], rows=40) as view:
        view.type("\tp")
        view.shows("PID↓")
        first = int(table(view)[0])
        view.type("\x1b[6~\x1b[B")
        wait_for(lambda: int(table(view)[0]) > first or view.more() and False, "did not move")
        # Processes that start later are below the end of now.
        wait_for(lambda: int(table(view)[-1]) > first + 399 or view.type("\x1b[F") or view.more() and False, "not at the end")
        view.type("\x1b[H")
        wait_for(lambda: int(table(view)[0]) == first or view.more() and False, "not at the beginning")
        view.type("q")
        left(view)


def test_open_regions_have_their_time(tracker, loads, tmp_path, job):
    one = job(f"exec {loads}/load_regions hold 0<> {{hold}}")
    with Screen([tracker, "top", one.record], columns=100) as view:
        view.shows(r"^in outer [\d.]+s  outer/inner [\d.]+s")
        one.release()
        view.shows("^ended, status 0")
        view.shows(r"^last region outer ")
        view.type("q")
        left(view)


# ---- a recorder of the view's own ---------------------------------------------------------------------

def recorders_of(pid):
    """Recorders that are attached to the process."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"--pid" in words and str(pid).encode() in words and b"--feed" in words:
            found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize("way", ["q", "kill"])
def test_attaches_and_lets_go(tracker, way):
    with subprocess.Popen(["sleep", "1000"]) as process, \
            Screen([tracker, "top", "-i", "0.2", "--pid", str(process.pid)]) as view:
        view.shows(rf"^process {process.pid} ")
        view.shows(r"^running")
        view.shows(r"^sleep +1 ")
        assert len(recorders_of(process.pid)) == 1
        if way == "q":
            view.type("q")
            assert left(view) == 0
        else:
            view.process.kill()
        wait_for(lambda: not recorders_of(process.pid), "its recorder goes on")
        assert process.poll() is None
        process.kill()
    assert not list(pathlib.Path(os.environ["XDG_STATE_HOME"]).rglob("*.jsonl"))


def test_a_process_that_does_not_exist(tracker):
    with Screen([tracker, "top", "--pid", "99999999"]) as view:
        view.read_to_end()
        assert view.process.wait() == 125
        assert "no process 99999999" in view.text


def test_records_a_command(tracker, tmp_path):
    script = "echo out; echo err >&2; read x < hold; exit 4"
    os.mkfifo(tmp_path / "hold")
    with Screen([tracker, "top", "-i", "0.2", "--", "sh", "-c", script], cwd=tmp_path) as view:
        view.shows("^running")
        (tmp_path / "hold").write_text("")
        view.shows("^ended, status 4")
        view.type("q")
        assert left(view) == 4
        assert "what it writes: resource-tracker-top.out" in view.text
    written = (tmp_path / "resource-tracker-top.out").read_text()
    assert written.startswith("out\nerr\n") and "Status      exit 4" in written
    assert len(list(state().rglob("*.jsonl"))) == 1


def test_the_command_goes_on_without_the_view(tracker, tmp_path, run):
    os.mkfifo(tmp_path / "hold")
    with Screen([tracker, "top", "--", "sh", "-c", "echo $$ > pid; read x < hold; echo bye; exit 4"], cwd=tmp_path) as view:
        view.shows("^sh -c ")
        pid = int(wait_for_file(tmp_path / "pid"))
        wait_for(lambda: any(map(os.path.getsize, state().rglob("*.jsonl"))), "no record")     # its thread opens it
        view.type("q")
        assert left(view) == 0
        name = re.search(r"the run goes on; to see it again: resource-tracker top (\S+)", view.text.replace("\n", ""))
        assert name
    assert state_of(pid) in ("S", "R", "D")
    with Screen([tracker, "top"]) as again:
        again.shows("^running")
        (tmp_path / "hold").write_text("")
        again.shows("^ended, status 4")
        again.type("q")
        left(again)
    assert "bye" in (tmp_path / "resource-tracker-top.out").read_text()


@pytest.mark.parametrize("plant, sentence", [
    (lambda path, other: path.symlink_to(other), "it is a link"), (lambda path, other: path.hardlink_to(other), "it is not yours alone"),
    (lambda path, other: os.mkfifo(path), "it is not a regular file")], ids=["link", "second name", "fifo"])
def test_a_file_that_was_planted_for_its_output(tracker, tmp_path, plant, sentence):
    """Regression: a link was followed, and a FIFO was waited for."""
    other, folder = tmp_path / "other", tmp_path / "folder"
    other.write_text("mine\n")
    folder.mkdir()
    plant(folder / "resource-tracker-top.out", other)
    with Screen([tracker, "top", "--", "sh", "-c", "echo said"], cwd=folder) as view:
        view.read_to_end()
        assert view.process.wait() == 125
        assert sentence in " ".join(view.text.split())
    assert other.read_text() == "mine\n"


def test_a_command_that_cannot_be_run(tracker, tmp_path):
    with Screen([tracker, "top", "--", "no-such-command"], cwd=tmp_path) as view:
        view.read_to_end()
        assert view.process.wait() == 127
        assert "cannot run 'no-such-command'" in view.text


# ---- sentences --------------------------------------------------------------------------------------------

def test_needs_a_terminal(run):
    done = run("top")
    assert done.returncode == 125 and "must be a terminal" in done.stderr


@pytest.mark.parametrize("words, sentence", [
    ([], "no run is going on in "), (["nothing"], "nothing"), (["-"], "stdin is the keyboard"),
    (["a", "b"], "one run at a time"), (["--pid", "1", "last"], "either a run, --pid, or a command"),
    (["--interval", "1", "last"], "a run has its own"), (["--"], "which command?"), (["--bogus"], "bogus"),
])
def test_says_what_is_wrong(tracker, words, sentence):
    with Screen([tracker, "top", *words], columns=300) as view:
        view.read_to_end()
        assert view.process.wait() == 125
        assert sentence in view.text and LEAVES not in view.sent


def test_has_help(run):
    assert run("top", "--help").stdout.startswith("Usage: resource-tracker top [RUN]")
