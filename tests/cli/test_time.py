"""test_time.py - the time of the tree's threads: running, waiting for a CPU, throttled."""
import json
import os
import pathlib
import re

import pytest


def one_cpu():
    """For preexec_fn: the tracker and its command share one CPU."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


@pytest.fixture
def statistics_of(run, tmp_path, lines_of):
    def measure(load, *arguments, interval=0.2, **more):
        record = tmp_path / "record.jsonl"
        done = run("-i", interval, "--record", record, "--", load, *arguments, **more)
        assert done.returncode == 0, done.stderr
        summary = " ".join(done.stderr.split())
        assert re.sub(r"[\d▁-█]", "#", " ".join(run("summary", record).stdout.split())) == re.sub(r"[\d▁-█]", "#", summary)
        end = lines_of(record)[-1]["end"]
        return {name: values[2] for name, values in end["statistics"].items()}, end["seconds"], summary
    return measure


BURNERS = """if True:
    import hashlib, json, os, sys, threading, time
    kind, burners, seconds, place = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]

    def burn(i, clock):
        begun = time.monotonic()
        while clock() < seconds:
            hashlib.pbkdf2_hmac("sha256", b"", b"", 5000)       # without Python's lock
        with open(f"{place}/{i}", "w") as file:
            json.dump([clock(), time.monotonic() - begun], file)

    def child(i):
        if os.fork() == 0:
            burn(i, time.process_time)
            os._exit(0)

    if kind == "alone":
        burn(0, time.process_time)
    elif kind == "threads":
        threads = [threading.Thread(target=burn, args=(i, time.thread_time)) for i in range(burners)]
        [t.start() for t in threads]
        [t.join() for t in threads]
    else:
        fork = lambda: [child(i) for i in range(burners)] and [os.wait() for i in range(burners)]
        thread = threading.Thread(target=fork)
        thread.start() if kind == "from-thread" else fork()
        thread.join() if kind == "from-thread" else None
"""


@pytest.fixture
def burn(statistics_of, tmp_path):
    """(The share of their lives in which the burners ran, by their own clocks, and the result of statistics_of.)"""
    def measure(kind, burners, seconds, **more):
        place = tmp_path / "truth"
        place.mkdir()
        said = statistics_of("/usr/bin/python3", "-c", BURNERS, kind, burners, seconds, place, **more)
        truths = [json.loads(file.read_text()) for file in place.iterdir()]
        assert len(truths) == burners
        return sum(cpu for cpu, _ in truths) / sum(life for _, life in truths), *said
    return measure


@pytest.mark.parametrize("kind", ["threads", "children", "from-thread"])
def test_two_burners_on_one_cpu(burn, kind):
    # The part of its life in which a burner does not run, it waits: that holds on a busy machine, too.
    truth, sums, _, summary = burn(kind, 2, 1.2, preexec_fn=one_cpu)
    ran, waited = sums["process.watched_cpu_seconds"], sums["process.run_delay_seconds"]
    assert truth < 0.7
    assert ran / (ran + waited) == pytest.approx(truth, abs=0.06)
    assert sums["process.cpu_seconds"] * 0.5 < ran < sums["process.cpu_seconds"] * 1.02
    shown = re.search(r"Time ([\d.]+) % running, ([\d.]+) % waiting for a CPU", summary)
    assert shown and abs(float(shown[1]) / 100 - ran / (ran + waited + sums.get("process.block_delay_seconds", 0))) < 0.02


def test_unseen_ends_are_reported(statistics_of, loads):
    sums, _, summary = statistics_of(loads / "load_cpu", "--children", 40, "--each", 20, interval=60)
    assert sums.get("process.watched_cpu_seconds", 0) < 0.2 * sums["process.cpu_seconds"]
    assert re.search(r"Time waits unknown: [\d.]+ % of the CPU time", summary)


def test_hardly_any_time_has_no_shares(run):
    assert " Time " not in run("--record", "none", "--", "sleep", "0.2").stderr


@pytest.fixture
def quota_group(cpu_group):
    """A control group of the test with a quota of a quarter of a CPU."""
    return cpu_group(0.25)


def test_a_quota(burn, quota_group):
    def join():
        (quota_group / "cgroup.procs").write_text(str(os.getpid()))

    truth, sums, _, summary = burn("alone", 1, 0.8, preexec_fn=join)
    throttled = int(re.search(r"throttled_time (\d+)", (quota_group / "cpu.stat").read_text())[1]) / 1e9
    assert sums["cgroup.cpu_throttled_seconds"] == pytest.approx(throttled, abs=0.1) and throttled > 0.1
    # A throttled process waits for a CPU: it gets a quarter of one.  Python's own start is not in the truth.
    ran, waited = sums["process.watched_cpu_seconds"], sums["process.run_delay_seconds"]
    assert ran / (ran + waited) == pytest.approx(truth, abs=0.12)
    assert re.search(r"throttled [\d.]+s by the CPU quota", summary)


MANY_THREADS = """if True:
    import pathlib, sys, threading, time
    threading.stack_size(1 << 16)
    over, begun = threading.Event(), threading.Barrier(601)
    def wait():
        begun.wait()
        over.wait()
    threads = [threading.Thread(target=wait) for _ in range(600)]
    [t.start() for t in threads]
    begun.wait()
    while time.process_time() < 1:
        pass
    over.set()
    [t.join() for t in threads]
"""


def test_a_process_with_more_threads_than_are_read(statistics_of):
    # Regression: "not known: its processes ended before they were looked at", for a process that lived all the time.
    sums, _, summary = statistics_of("/usr/bin/python3", "-c", MANY_THREADS)
    assert "waits unknown" not in summary and "a sample of them" in summary
    assert 0.5 * sums["process.cpu_seconds"] < sums["process.watched_cpu_seconds"] < 1.1 * sums["process.cpu_seconds"]
