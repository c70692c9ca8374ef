"""test_listen.py - the newest values of a run, for scrapers."""
import json
import pathlib
import shutil
import signal
import socket
import urllib.error
import urllib.request

import pytest

from processes import wait_for, wait_for_file
from receivers import Prometheus, free_port, get, push_built, start  # noqa: F401

ROOT = pathlib.Path(__file__).resolve().parents[2]
parser = pytest.importorskip("prometheus_client.openmetrics.parser")


@pytest.fixture
def port(start, tmp_path):  # noqa: F811
    """port(*words): the port of a recorder that can be scraped."""
    def begin(*words, address="", command=("sleep", "1000")):
        number = free_port()
        process = start("--no-config", "-i", "0.05", "-n", "nightly", "--record", tmp_path / "run.jsonl", "--listen",
                        f"{address}{number}", *words, "--", *command)
        host = address.rstrip(":").replace("0.0.0.0", "127.0.0.1") or "127.0.0.1"
        wait_for(lambda: can_connect(host.strip("[]"), number), "nothing listens")
        begin.process = process
        return f"http://{host}:{number}"
    return begin


def can_connect(host, number):
    try:
        socket.create_connection((host, number)).close()
        return True
    except OSError:
        return False


def status(url, method="GET", **headers):
    try:
        return urllib.request.urlopen(urllib.request.Request(url, method=method, headers=headers)).status
    except urllib.error.HTTPError as error:
        return error.code


def families(url):
    return {family.name: family for family in parser.text_string_to_metric_families(get(url + "/metrics") or "# EOF\n")}


def test_the_newest_values(port, tmp_path):
    url = port()
    # The first values can be from before the command's exec.
    found = wait_for(lambda: "resource_tracker_program_rss_bytes" in (now := families(url)) and now, "no values")
    wait_for_file(tmp_path / "run.jsonl")
    header = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])
    cpu, rss = found["resource_tracker_process_cpu_seconds"], found["resource_tracker_program_rss_bytes"]
    assert (cpu.type, cpu.unit, rss.type, rss.unit) == ("counter", "seconds", "gauge", "bytes")
    assert cpu.samples[0].name == "resource_tracker_process_cpu_seconds_total"
    assert cpu.samples[0].labels == {"job": "nightly", "run": header["id"], "host": header["host"]["name"]}
    assert {s.labels["program"] for s in rss.samples} == {"sleep"} and rss.samples[0].value > 0
    before = found["resource_tracker_cpu_interrupts"].samples[0].value
    wait_for(lambda: families(url)["resource_tracker_cpu_interrupts"].samples[0].value > before, "the values stay")
    with urllib.request.urlopen(url + "/metrics?x=y") as answer:
        assert answer.headers["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    assert [status(url + "/"), status(url + "/metricsX"), status(url + "/metrics", method="POST")] == [404, 404, 405]
    port.process.send_signal(signal.SIGTERM)
    stderr = port.process.communicate()[1]
    assert "push:" not in stderr and get(url + "/metrics") is None


PARTS = r'''
import time
from resource_tracker_regions import region
while True:
    for name, seconds in (("small", 0.001), ("la\\rge \"\u00e9\"", 0.01)):
        with region("train"), region(name):
            end = time.thread_time() + seconds
            while time.thread_time() < end:
                pass
    with region("idle"):
        time.sleep(0.01)
    with region("outer" * 20), region("x" * 60):
        end = time.thread_time() + LONG
        while time.thread_time() < end:
            pass
'''


@pytest.mark.parametrize("long, name", [(0, None), (0.02, ("outer" * 20 + "/" + "x" * 60)[-122:])], ids=["names", "a long path"])
def test_the_region_is_an_exemplar_of_the_cpu_time(port, tmp_path, monkeypatch, long, name):
    """The entry of most CPU time since the sample before, for a strict parser; of all metrics that of the CPU time alone."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "share"))
    (tmp_path / "parts.py").write_text(PARTS.replace("LONG", str(long)))
    url = port(command=["/usr/bin/python3", tmp_path / "parts.py"])

    def exemplar():
        return families(url)["resource_tracker_process_cpu_seconds"].samples[0].exemplar
    wait_for(lambda: families(url) and exemplar(), "no exemplar")
    header = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])
    wanted = {"region": name or 'train/la\\rge "\u00e9"'}
    # The first entries can be cut into by a sample, so that a shorter one is the longest of its time.
    found = wait_for(lambda: (e := exemplar()).labels == wanted and e, "another region")
    assert found.value >= 0.01 and float(found.timestamp) > header["start"]
    assert [f.name for f in families(url).values() if any(s.exemplar for s in f.samples)] == ["resource_tracker_process_cpu_seconds"]


def test_hostile_clients_do_not_keep_others_away(port):
    url = port()
    number = int(url.rpartition(":")[2])
    idle = [socket.create_connection(("127.0.0.1", number)) for _ in range(30)]
    for s, text in zip(idle, [b"GET ", b"\0" * 100, b"G" * 10000, b"GET /metrics HTTP/1.1\r\n", b"\r\n\r\n"]):
        s.sendall(text)
    assert wait_for(lambda: families(url), "no values")
    for s in idle:
        s.close()
    assert families(url)


def test_a_token(port, run, tmp_path):
    (tmp_path / "token").write_text("only-for-us\nsecond line\n")
    url = port("--listen-token-file", tmp_path / "token", address="0.0.0.0:") + "/metrics"
    assert [status(url), status(url, Authorization="Bearer only-for-u"), status(url, Authorization="Bearer only-for-us2"),
            status(url, Authorization="Basic only-for-us"), status(url, Authorization="Bearer only-for-us")] == [401, 401, 401, 401, 200]


def test_a_page_of_another_site_gets_nothing(port, tmp_path):
    """By a name that was made to lead to this machine (DNS rebinding): the browser sends it as Host."""
    url = port()
    number = int(url.rpartition(":")[2])

    def first_line(*lines):
        with socket.create_connection(("127.0.0.1", number)) as s:
            s.sendall("\r\n".join(["GET /metrics HTTP/1.1", *lines, "", ""]).encode())
            return s.makefile().readline().split()[1]
    assert {host: first_line(f"Host: {host}") for host in (
        "127.0.0.1", f"localhost:{number}", f"[::1]:{number}", "127.9.9.9", "rebound.example", f"127.0.0.1.example:{number}", "10.0.0.1")} == {
        "127.0.0.1": "200", f"localhost:{number}": "200", f"[::1]:{number}": "200", "127.9.9.9": "403",
        "rebound.example": "403", f"127.0.0.1.example:{number}": "403", "10.0.0.1": "403"}
    assert [first_line(), first_line("Host: localhost", "Host: rebound.example"), first_line("host:localhost")] == ["400", "400", "200"]


def test_with_a_token_any_name_will_do(port, tmp_path):
    (tmp_path / "token").write_text("only-for-us\n")
    url = port("--listen-token-file", tmp_path / "token", address="0.0.0.0:") + "/metrics"
    assert [status(url, Host="node17.example", Authorization="bearer only-for-us"), status(url, Host="node17.example")] == [200, 401]


@pytest.mark.parametrize("value, sentence", [
    ("0.0.0.0:9464", "0.0.0.0 can be reached from other machines, so --listen-token-file is needed too"),
    ("[::]:9464", ":: can be reached from other machines"), ("x", "'x' is not a port from 1 to 65535, or ADDRESS:PORT"),
    ("70000", "is not a port"), ("localhost:9464", "does not begin with an address in numbers"),
])
def test_wrong_addresses(value, sentence, run):
    done = run("--no-config", "--record", "none", "--listen", value, "true")
    assert done.returncode == 125 and sentence in done.stderr and done.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_reported(run, push_built):  # noqa: F811
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        done = run("--no-config", "--record", "none", "--listen", number, "true")
    assert done.returncode == 0 and f"--listen: cannot listen on 127.0.0.1 port {number}: Address already in use" in done.stderr


def test_prometheus_scrapes_it(port, tmp_path):
    if not shutil.which("prometheus"):
        pytest.skip("prometheus is not installed")
    url = port()

    class Scraping(Prometheus):
        def words(self):
            words = super().words()
            (self.folder / "prometheus.yml").write_text(
                "scrape_configs:\n- job_name: scraped\n  scrape_interval: 1s\n  honor_labels: true\n  static_configs:\n"
                f"  - targets: ['{url.removeprefix('http://')}']\n")
            return words
    server = Scraping(tmp_path / "receiver").start()
    try:
        found = wait_for(lambda: server.series("resource_tracker_process_rss_bytes"), "nothing was scraped")
        assert [dict(labels)["job"] for labels in found] == ["nightly"]
    finally:
        server.stop(signal.SIGKILL)
