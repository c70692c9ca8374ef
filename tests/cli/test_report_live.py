"""test_report_live.py - `report --live`: a page that grows with its run, for browsers of this machine alone."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import urllib.parse

import pytest

from processes import wait_for

pytestmark = pytest.mark.usefixtures("has_page")


class Job:
    """A run that goes on until end() is called."""

    def __init__(self, tracker, *words):
        self.go_on, self.pipe = os.pipe()
        self.tracker = subprocess.Popen([tracker, "--quiet", "-i", "0.1", *words, "--", "sh", "-c", "read line || :"], stdin=self.go_on,
                                        stdout=subprocess.DEVNULL)
        os.close(self.go_on)

    def end(self):
        if self.pipe is not None:
            os.close(self.pipe)
            self.pipe = None
        return self.tracker.wait()


@pytest.fixture
def job(request, tracker, tmp_path):
    """A run with samples in its record, tmp_path/run.jsonl; parametrized with more words for it."""
    one = Job(tracker, "--record", str(tmp_path / "run.jsonl"), *getattr(request, "param", ()))
    wait_for(lambda: (tmp_path / "run.jsonl").exists() and (tmp_path / "run.jsonl").read_text().count('["r"') >= 2, "two rows")
    yield one
    one.end()


@pytest.fixture
def serve(tracker, tmp_path):
    """serve(*words): the program and its address, when it has printed it."""
    with contextlib.ExitStack() as stack:
        def start(*words):
            server = stack.enter_context(subprocess.Popen([tracker, "report", "--live", *map(str, words)], stdout=subprocess.PIPE,
                                                          stderr=subprocess.PIPE, text=True))
            stack.callback(lambda: server.poll() is None and server.kill())
            return server, urllib.parse.urlsplit(server.stdout.readline().strip())
        yield start


def ask(address, method="GET", path=None, query=None, host=None):
    connection = http.client.HTTPConnection(address.hostname, address.port)
    words = f"{address.path if path is None else path}?{address.query if query is None else query}"
    connection.request(method, words, headers={"Host": host or address.netloc})
    return connection.getresponse()


def events(address):
    """Each event as (name, data), until the connection ends."""
    answer = ask(address, path="/events")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
    name = None
    for line in answer:
        word, _, rest = line.decode().rstrip("\n").partition(": ")
        if word == "event":
            name = rest
        elif word == "data":
            yield name, rest


def test_the_page_grows_and_ends_with_its_run(job, serve, tmp_path):
    server, address = serve(tmp_path / "run.jsonl")
    assert address.hostname == "127.0.0.1" and re.fullmatch("token=[0-9a-f]{32}", address.query)
    answer = ask(address)
    page = answer.read().decode()
    assert answer.status == 200 and answer.headers["Cache-Control"] == "no-store" and answer.headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'; connect-src 'self'; script-src 'sha256-" in page
    first = json.loads(re.search('id="report-data">(.*?)</script>', page, re.S).group(1))
    assert first["live"] and first["runs"][0]["outcome"] == "running"
    assert not any("no end line" in warning for warning in first["runs"][0]["warnings"])
    stream = events(address)
    lengths = []
    while len(set(lengths)) < 3:
        name, data = next(stream)
        assert name == "run"
        lengths.append(len(json.loads(data)["runs"][0]["times"]))
    assert lengths == sorted(lengths)
    job.end()
    rest = list(stream)
    last = json.loads([data for name, data in rest if name == "run"][-1])
    assert "live" not in last and last["runs"][0]["outcome"] == "succeeded" and rest[-1][0] == "over"
    assert server.wait() == 0 and server.stderr.read() == ""


def test_a_run_that_ends_before_its_page_is_opened(job, serve, tmp_path):
    server, address = serve(tmp_path / "run.jsonl")
    job.end()

    wait_for(lambda: '"live":true' not in ask(address).read().decode(), "the whole page")
    assert server.wait() == 0


def test_only_the_whole_address_is_answered(job, serve, tmp_path):
    server, address = serve(tmp_path / "run.jsonl")
    for query in ("", "token=", "token=" + "0" * 32, address.query[:-1], address.query + "0"):
        for path in ("/", "/events"):
            answer = ask(address, path=path, query=query)
            assert answer.status == 403 and b"sleep" not in answer.read()
    for host in ("evil.example", f"evil.example:{address.port}", "127.0.0.1.evil.example"):
        for path in ("/", "/events"):
            assert ask(address, path=path, host=host).status == 403
    assert ask(address, host=f"localhost:{address.port}").status == 200
    assert ask(address, "POST").status == 405
    assert ask(address, path="/../etc/passwd").status == 404
    with socket.create_connection((address.hostname, address.port)) as odd:
        odd.sendall(b"\0\1\2\r\n\r\n")
        assert odd.recv(100).startswith(b"HTTP/1.1 400")
    # No other interface of this machine.
    with socket.socket() as other, pytest.raises(OSError):
        other.connect(("127.0.0.2", address.port))
    assert server.poll() is None


def test_clients_that_say_nothing_take_nothing_or_leave(job, serve, tmp_path):
    _, address = serve(tmp_path / "run.jsonl")
    with contextlib.ExitStack() as stack:
        # More than there is room for: those that ask for nothing make room.
        for i in range(40):
            one = stack.enter_context(socket.create_connection((address.hostname, address.port)))
            one.sendall(b"GET / HTTP/1.1\r\nHos" if i % 2 else b"")
        # One that takes nothing.
        greedy = stack.enter_context(socket.socket())
        greedy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        greedy.connect((address.hostname, address.port))
        greedy.sendall(f"GET /events?{address.query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        # One that leaves in the midst of its answer.
        with socket.create_connection((address.hostname, address.port)) as hasty:
            hasty.sendall(f"GET /?{address.query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            hasty.recv(10)
        stream = events(address)
        assert [next(stream)[0] for _ in range(3)] == ["run"] * 3
        assert ask(address).status == 200


def test_many_browsers_follow_one_run(job, serve, tmp_path):
    server, address = serve(tmp_path / "run.jsonl")
    streams = [events(address) for _ in range(20)]
    for stream in streams:
        assert next(stream)[0] == "run"
    job.end()
    for stream in streams:
        assert [name for name, _ in stream][-1] == "over"
    assert server.wait() == 0


def test_a_record_that_is_removed(job, serve, tmp_path):
    server, address = serve(tmp_path / "run.jsonl")
    stream = events(address)
    next(stream)
    (tmp_path / "run.jsonl").unlink()
    name, sentence = list(stream)[-1]
    assert name == "gone" and "run.jsonl" in sentence
    assert server.wait() == 125 and "run.jsonl" in server.stderr.read()


class Traced:
    """The system calls of a recorder, by the interval between two rows that it writes."""

    def __init__(self, recorder, path):
        self.path = path
        self.strace = subprocess.Popen(["strace", "-f", "-p", str(recorder.pid), "-o", path], stderr=subprocess.DEVNULL)

    def rows(self):
        """How many calls there were until each row."""
        calls = re.findall(r"^\d+ +(\w+)\((.*)", self.path.read_text() if self.path.exists() else "", re.M)
        return [i for i, (name, words) in enumerate(calls) if name == "write" and '"[\\"r\\",' in words]

    def await_more(self, n):
        """The median number of calls for a row, of the next n rows; None: it is not traced."""
        known = len(self.rows()) + 1
        wait_for(lambda: self.strace.poll() is not None or len(self.rows()) > known + n, "rows in the trace")
        rows = self.rows()[known:known + n + 1]
        return statistics.median(b - a for a, b in zip(rows, rows[1:])) if len(rows) > n else None

    def stop(self):
        self.strace.terminate()
        self.strace.wait()


# What is read in each sample does not depend on what it costs.
@pytest.mark.parametrize("job", [("--pss", "never", "--without", "disk", "--max-overhead", "unlimited")], indirect=True, ids=["alike"])
def test_the_recorder_does_nothing_more_for_it(job, serve, tmp_path):
    """The thread that writes the rows can be late with some of them, and then writes them together: the median shows it."""
    if not shutil.which("strace"):
        pytest.skip("strace is missing")
    traced = Traced(job.tracker, tmp_path / "trace")
    try:
        alone = traced.await_more(20)
        if alone is None:
            pytest.skip("strace is not permitted here")
        _, address = serve(tmp_path / "run.jsonl")
        stream = events(address)
        next(stream)
        served = traced.await_more(20)
        assert [next(stream)[0] for _ in range(3)] == ["run"] * 3
    finally:
        traced.stop()
    assert served <= alone + 2, (alone, served)


def test_the_newest_run_that_goes_on(tracker, serve):
    one = Job(tracker)
    place = pathlib.Path(os.environ["XDG_STATE_HOME"]) / "resource-tracker/runs"
    wait_for(lambda: any('["r"' in path.read_text() for path in place.glob("*.jsonl")), "a row")
    server, address = serve()
    assert next(events(address))[0] == "run"
    server.send_signal(signal.SIGTERM)
    assert server.wait() == -signal.SIGTERM
    one.end()


def test_a_port_that_is_in_use_is_named(job, run, serve, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("report", "--live", tmp_path / "run.jsonl", "--port", taken.getsockname()[1])
        assert (done.returncode, done.stdout) == (125, "")
        assert done.stderr == f"resource-tracker report: port {taken.getsockname()[1]} of 127.0.0.1 is in use: without --port a free one is taken\n"


def test_what_cannot_be_served_is_said(run, tmp_path):
    run("--quiet", "--record", tmp_path / "over.jsonl", "--", "true")
    over = tmp_path / "over.jsonl"
    for words, part in [
        ((over,), "is over"), ((), "no run is going on"), ((over, over), "one run"), ((over, "-o", "x"), "not with -o"),
        ((over, "--json"), "not with --json"), ((over, "--open"), "not with --open"), (("-",), "stdin"), ((over, "--port", "0"), "1 to 65535"),
        ((over, "--port", "70000"), "1 to 65535"), ((over, "--port", "x"), "1 to 65535"), ((over, "--address", "localhost"), "numeric address"),
        ((tmp_path / "none.jsonl",), "none.jsonl"),
    ]:
        done = run("report", "--live", *words)
        assert done.returncode == 125 and done.stdout == "" and part in done.stderr and done.stderr.count("\n") == 1, (words, done)
    assert "for --live" in run("report", over, "--port", "80").stderr
