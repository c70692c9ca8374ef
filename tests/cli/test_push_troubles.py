"""test_push_troubles.py - what is kept for a receiver: beyond its limit, on a full disk, while no name is known, and when clocks jump."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

from processes import files_below, wait_for
from receivers import Faulty, companion, faulty, push_built, start, write_request  # noqa: F401

OK, BROKEN = (204, {}, b""), (503, {}, b"")


def flat(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def record(tracker, tmp_path_factory):
    """That of a run with so many rows that they are several batches."""
    if not tracker.with_name("resource-tracker-push").exists():
        pytest.skip("this build sends nothing")
    path = tmp_path_factory.mktemp("record") / "run.jsonl"
    done = subprocess.run([tracker, "--no-config", "-q", "-i", "0.005", "--record", path, "sh", "-c",
                           "until [ $(grep -c '\"r\"' \"$RESOURCE_TRACKER_RUN\") -gt 700 ]; do sleep .1; done"], check=False)
    assert done.returncode == 0
    return path


@pytest.fixture
def send(tracker, record):
    """send(url, *words, prefix=()): the companion with the record as its feed; what it printed."""
    def begin(url, *words, prefix=()):
        with record.open("rb") as feed:
            done = subprocess.run([*prefix, tracker.with_name("resource-tracker-push"), "--feed", "--to", f"prometheus={url}",
                                   *map(str, words)], stdin=feed, capture_output=True, text=True)
        assert done.returncode == 0, done
        return flat(done.stderr)
    return begin


def batches(tmp_path):
    """The files of values that wait."""
    return [p for p in files_below(tmp_path / "state/resource-tracker/push") if p.name.startswith("0-0")]


def points(bodies):
    """All samples of these bodies: {(labels, ms): value}."""
    return {(labels, ms): value for body in bodies for labels, samples in write_request(body).items() for ms, value in samples}


def accepted(server):
    """The bodies that were accepted, in their order."""
    return [r.body for r, answer in zip(server.requests, server.answers) if answer == OK]


@pytest.fixture
def server(faulty):
    """A receiver that is broken for the first `broken` requests, and notes its answers."""
    faulty.answers, faulty.broken = [], 0
    faulty.answer = lambda number: faulty.answers.append(BROKEN if number <= faulty.broken else OK) or faulty.answers[-1]
    return faulty


def test_beyond_its_limit_the_oldest_are_dropped_and_counted(server, send, run, tmp_path):
    assert send(server.url) == ""
    bodies = accepted(server)
    assert len(bodies) >= 4, "the run is too short for this test"
    keep = len(bodies[-1]) + len(bodies[-2]) + len(bodies[-3]) // 2
    server.requests.clear()
    server.answers.clear()
    server.broken = 10 ** 9
    stderr = send(server.url, "--spool-bytes", keep, "--drain", "0.1s")
    dropped, left = (int(re.search(rf"(\d+) values {what}", stderr)[1]) for what in ("were dropped, because they could not be kept",
                                                                                     "are not delivered yet"))
    whole, kept = points(bodies), points(bodies[-2:])
    assert (dropped, left) == (len(whole) - len(kept), len(kept))
    files = batches(tmp_path)
    assert sum(p.stat().st_size for p in files) <= keep and len(files) == 2
    server.requests.clear()
    server.answers.clear()
    server.broken = 0
    server.answer = lambda number: server.answers.append(OK) or OK
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and points(accepted(server)) == kept


def test_what_another_process_kept_counts_to_the_limit(server, start, tracker, tmp_path):  # noqa: F811
    """Its companion was killed: the rows that it did not read are added to the batches that it kept."""
    def rows():
        return path.read_text().count('["r"') if path.exists() else 0
    server.broken, path = 10 ** 9, tmp_path / "run.jsonl"
    process = start("--no-config", "-q", "-i", "0.005", "--record", path, "--push", f"prometheus={server.url}", "--", "sleep", "1000")
    wait_for(lambda: len(batches(tmp_path)) >= 3, "nothing is kept")
    os.kill(companion(process), signal.SIGKILL)
    before, most = rows(), sum(p.stat().st_size for p in batches(tmp_path))
    wait_for(lambda: rows() > before + 100, "no more rows")
    process.terminate()
    process.communicate()
    done = subprocess.run([tracker.with_name("resource-tracker-push"), "--spooled", "--spool-bytes", str(most), "--drain", "0.1s"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 1 and "values were dropped, because they could not be kept" in flat(done.stderr)
    assert 0 < sum(p.stat().st_size for p in batches(tmp_path)) <= most


def test_a_full_disk(server, send, tmp_path):
    """A spool of 64 KiB: what does not fit is in memory, all of it arrives, in its order."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        pytest.skip("needs root, to mount")
    assert send(server.url) == ""
    bodies = accepted(server)
    assert sum(map(len, bodies)) > 2 * 65536
    spool = tmp_path / "state/resource-tracker/push"
    spool.mkdir(parents=True, exist_ok=True)
    script = 'mount -t tmpfs -o size=64k,mode=700 tmpfs "$1" || exit 77; shift; exec "$@"'
    probe = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", spool, "true"], capture_output=True)
    if probe.returncode != 0:
        pytest.skip("nothing can be mounted")
    server.broken = len(server.requests) + 2
    before = len(server.answers)
    assert send(server.url, "--drain", "600s", prefix=["unshare", "-m", "sh", "-c", script, "sh", spool]) == ""
    again = [r.body for r, answer in list(zip(server.requests, server.answers))[before:] if answer == OK]
    assert again == bodies and server.answers[before:before + 2] == [BROKEN] * 2


@pytest.mark.parametrize("days", [1, -1])
def test_a_clock_that_was_set_does_not_move_a_point(server, send, record, run, tmp_path, days):
    """The run ends a day later or earlier by the clock; times are those of the start and the monotonic clock."""
    send(server.url)
    usual = points(accepted(server))
    lines = record.read_text().splitlines()
    end = json.loads(lines[-1])
    end["end"]["time"] += days * 86400
    # More than its rows, so that totals are a moment of their own.
    end["end"]["statistics"]["process.cpu_seconds"][2] += 1
    (tmp_path / "jumped.jsonl").write_text("\n".join([*lines[:-1], json.dumps(end)]) + "\n")
    server.requests.clear()
    server.answers.clear()
    assert run("push", tmp_path / "jumped.jsonl", "--to", f"prometheus={server.url}").returncode == 0
    jumped = points(accepted(server))
    last = max(ms for _, ms in usual)
    assert max(ms for _, ms in jumped) - last >= 0 and min(ms for _, ms in jumped) == min(ms for _, ms in usual)
    header = json.loads(lines[0])
    assert abs(max(ms for _, ms in jumped) - 1000 * (header["start"] + end["end"]["seconds"])) <= 2


# In a network of its own: a name server that takes all questions and answers none; then the words that are given.
HANGS = """
import socket, subprocess, sys
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
subprocess.run(["mount", "--bind", sys.argv[1], sys.argv[2]], check=True)
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
process = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
asked = bool(server.recv(4096))
_, stderr = process.communicate("asked")
print(process.returncode, int(asked))
sys.stderr.write(stderr)
"""


def test_a_name_server_that_hangs(tracker, record, tmp_path):
    """The job ends as it does without it; what can be kept is kept, and each destination is named."""
    if os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("ip"):
        pytest.skip("needs root, for a network namespace")
    resolver = tmp_path / "resolv.conf"
    resolver.write_text("nameserver 127.0.0.1\noptions timeout:30 attempts:5\n")
    if subprocess.run(["unshare", "-nm", "mount", "--bind", resolver, os.path.realpath("/etc/resolv.conf")],
                      capture_output=True).returncode != 0:
        pytest.skip("no namespace can be made")
    stderr = "still ran when recording ended"
    while "still ran when recording ended" in stderr:           # the companion had no CPU in the second after its drain
        done = subprocess.run(["unshare", "-nm", sys.executable, "-c", HANGS, resolver, os.path.realpath("/etc/resolv.conf"), tracker,
                               "--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", "prometheus=http://receiver.example:9090",
                               "--push", "statsd=receiver.example:8125", "--push-drain", "3s", "sh", "-c", "read word; exit 3"],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        status, asked = map(int, done.stdout.split())
        assert status == 3 and asked > 0, "no name server is asked on this machine"
        stderr = flat(done.stderr)
    assert "values are not delivered yet; the next --push sends them" in stderr
    assert "statsd=receiver.example:8125: not all values were sent: the name server does not answer for 'receiver.example'" in stderr
    assert batches(tmp_path)
    assert '"end"' in (tmp_path / "run.jsonl").read_text().splitlines()[-1]
