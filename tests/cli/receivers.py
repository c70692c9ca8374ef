"""receivers.py - receivers of metrics, real ones, on loopback with folders of their own, and one of ours with faults."""
import collections
import http.server
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

from processes import children_of, wait_for


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def get(url):
    """The answer's text, None while nothing listens or it is not ready."""
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.read().decode()
    except (urllib.error.URLError, OSError):
        return None


class Receiver:
    """A receiver as a process that can be killed and started again, with its data."""

    def __init__(self, folder):
        self.folder, self.port, self.process = folder, free_port(), None
        folder.mkdir()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(self.words(), cwd=self.folder, stdout=subprocess.DEVNULL,
                                        stderr=(self.folder / "stderr").open("ab"))
        wait_for(self.answers, f"{self.words()[0]} does not answer")
        return self

    def answers(self):
        assert self.process.poll() is None, (self.folder / "stderr").read_text()[-2000:]
        return get(self.url + self.ready)

    def stop(self, number=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait()


class Prometheus(Receiver):
    ready = "/-/ready"

    def words(self):
        (self.folder / "prometheus.yml").write_text("global: {}\n")
        return ["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data", "--web.enable-remote-write-receiver",
                f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=warn"]

    def series(self, selector):
        """By labels (sorted pairs): the samples [(Unix time in ms, value)]."""
        query = urllib.parse.urlencode({"query": selector + "[1d]"})
        answer = json.loads(get(f"{self.url}/api/v1/query?{query}"))
        return {tuple(sorted(one["metric"].items())): [(round(t * 1000), float(v)) for t, v in one["values"]]
                for one in answer["data"]["result"]}


class VictoriaMetrics(Receiver):
    ready = "/health"

    def words(self):
        return ["victoria-metrics", "-storageDataPath=data", "-retentionPeriod=10y", f"-httpListenAddr=127.0.0.1:{self.port}"]

    def series(self, selector):
        get(f"{self.url}/internal/force_flush")
        # Without an end it leaves out the current second.
        query = urllib.parse.urlencode({"match[]": selector, "end": round(time.time()) + 3600})
        found = {}
        for line in (get(f"{self.url}/api/v1/export?{query}") or "").splitlines():
            one = json.loads(line)
            found.setdefault(tuple(sorted(one["metric"].items())), []).extend(zip(one["timestamps"], one["values"]))
        return {labels: sorted(samples) for labels, samples in found.items()}


class Vmagent(Receiver):
    """Takes remote write, and sends it on to another receiver; what that does not take yet is in its folder."""
    ready = "/health"

    def __init__(self, folder, to):
        super().__init__(folder)
        self.to = to

    def words(self):
        return ["vmagent", f"-remoteWrite.url={self.to}/api/v1/write", "-remoteWrite.tmpDataPath=data",
                "-remoteWrite.flushInterval=1s", f"-httpListenAddr=127.0.0.1:{self.port}"]


@pytest.fixture(params=[Prometheus, VictoriaMetrics], ids=["prometheus", "victoria-metrics"])
def receiver(request, tmp_path):
    program = {Prometheus: "prometheus", VictoriaMetrics: "victoria-metrics"}[request.param]
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    made = request.param(tmp_path / "receiver")
    yield made.start()
    made.stop(signal.SIGKILL)


def varint(at):
    value = shift = 0
    for byte in at:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value


def unsnappy(body):
    """Snappy's block format, without its checks."""
    at, out = iter(body), bytearray()
    length = varint(at)
    for tag in at:
        n, kind = (tag >> 2) + 1, tag & 3
        if kind == 0:
            if n > 60:
                n = int.from_bytes(bytes(next(at) for _ in range(n - 60)), "little") + 1
            out += bytes(next(at) for _ in range(n))
        else:
            offset = next(at) | next(at) << 8
            for _ in range(n):
                out.append(out[-offset])
    assert len(out) == length
    return bytes(out)


def fields(message):
    """The fields of a message of Protocol Buffers: [(number, integer or bytes)]."""
    at, found = iter(message), []
    for first in at:
        number, wire = first >> 3, first & 7
        found.append((number, varint(at) if wire == 0 else bytes(next(at) for _ in range(8 if wire == 1 else varint(at)))))
    return found


def write_request(body):
    """A remote write by labels (pairs, in their order): [(ms, value)]."""
    series = {}
    for _, one in fields(unsnappy(body)):
        labels, samples = [], []
        for number, part in fields(one):
            inner = dict(fields(part))
            if number == 1:
                labels.append((inner[1].decode(), inner[2].decode()))
            else:
                samples.append((inner[2], struct.unpack("<d", inner[1])[0]))
        series[tuple(labels)] = samples
    return series


Request = collections.namedtuple("Request", "path headers body method")


class Faulty:
    """An HTTP server that answers as the test says: `answer(number)` gives (status, headers, body), or does something."""

    def __init__(self, port=0):
        self.requests, self.answer = [], lambda number: (204, {}, b"")
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                outer.requests.append(Request(self.path, dict(self.headers), body, self.command))
                answer = outer.answer(len(outer.requests))
                if answer == "close":
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                if answer == "hang":
                    outer.over.wait()
                    self.close_connection = True
                    return
                status, headers, text = answer
                self.send_response(status)
                for name, value in {"Content-Length": str(len(text)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(b"" if self.command == "HEAD" else text)

            do_PUT = do_DELETE = do_HEAD = do_POST

            def log_message(self, *_):
                pass
        self.over = threading.Event()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self):
        """Also for those who are connected."""
        self.answer = lambda number: "close"
        self.over.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def faulty():
    server = Faulty()
    yield server
    server.close()


@pytest.fixture
def push_built(tracker):
    """Skips where the companion was not built: that needs libcurl."""
    if not tracker.with_name("resource-tracker-push").exists():
        pytest.skip("this build sends nothing")


@pytest.fixture
def start(tracker, push_built):
    """start(*words, **more): a running tracker; ended if it still runs."""
    started = []

    def begin(*words, **more):
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("stderr", subprocess.PIPE)
        started.append(subprocess.Popen([tracker, *map(str, words)], text=True, **more))
        return started[-1]
    yield begin
    for process in started:
        if process.poll() is None:      # it ends its command, and its companion with the feed
            process.terminate()
            process.communicate()


def companion(process):
    """The pid of the companion of a recorder: not the command."""
    def find():
        for pid in children_of(process.pid):
            try:
                if os.readlink(f"/proc/{pid}/exe").endswith("resource-tracker-push"):
                    return pid
            except OSError:
                pass
        return None
    return wait_for(find, "no companion")


def packets_of(*words):
    """How many packets a program sends: in a network of its own, whose only interface counts."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        pytest.skip("needs root, for a network namespace")
    script = "ip link set lo up && \"$@\" >&2 && awk '$1 == \"lo:\" { print $11 }' /proc/net/dev"
    done = subprocess.run(["unshare", "-n", "sh", "-c", script, "sh", *map(str, words)], capture_output=True, text=True)
    if "unshare failed" in done.stderr:
        pytest.skip("no network namespace can be made")
    assert done.returncode == 0, done.stderr
    return int(done.stdout)
