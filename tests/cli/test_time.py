"""test_time.py - the time of the tree's threads: running, waiting for a CPU, throttled."""
import json
import os
import pathlib
import re

import pytest

from summary_text import without_digits


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
        assert without_digits(" ".join(run("summary", record).stdout.split())) == without_digits(summary)
        end = lines_of(record)[-1]["end"]
        return {name: values[2] for name, values in end["statistics"].items()}, end["seconds"], summary
    return measure


BURNERS = """if True:
    import hashlib, json, os, pathlib, struct, sys, threading, time
    kind, burners, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    place, record = map(pathlib.Path, sys.argv[4:])
    over, (reader, writer) = place / "over", os.pipe()

    def rows():
        return record.read_text().count('["r"')

    # Together from the moment in the pipe until the recorder has taken a sample after all had their seconds.
    def burn(i, clock):
        begun, = struct.unpack("d", os.read(reader, 8))
        course, last = [], None
        while not over.exists():
            hashlib.pbkdf2_hmac("sha256", b"", b"", 5000)       # without Python's lock
            course.append([clock(), time.monotonic() - begun])
            if last is None and clock() >= seconds:
                (place / str(i)).touch()
                last = rows() if len(list(place.iterdir())) == burners else None
            elif last is not None and rows() > last:
                over.touch()
        (place / str(i)).write_text(json.dumps(course))

    def begin():
        os.write(writer, burners * struct.pack("d", time.monotonic()))

    def child(i):
        if os.fork() == 0:
            burn(i, time.process_time)
            os._exit(0)

    def fork():
        [child(i) for i in range(burners)]
        begin()
        [os.wait() for i in range(burners)]

    if kind == "alone":
        begin()
        burn(0, time.process_time)
    elif kind == "threads":
        threads = [threading.Thread(target=burn, args=(i, time.thread_time)) for i in range(burners)]
        [t.start() for t in threads]
        begin()
        [t.join() for t in threads]
    else:
        thread = threading.Thread(target=fork)
        thread.start() if kind == "from-thread" else fork()
        thread.join() if kind == "from-thread" else None
"""


class Truth:
    """
    Of burners, by their own clocks: the share of their lives in which they ran, and its bounds at any time from the half
    of their CPU time on, which is when they were read last.  A share of several is between the least and the largest of one.
    """

    def __init__(self, courses, seconds):
        lives = [course[-1][1] for course in courses]
        self.share = sum(course[-1][0] for course in courses) / sum(lives)
        later = [step for course in courses for step in course if step[0] >= course[-1][0] / 2]
        # Before and after, each of them and the process that starts them can have waited for all that time.
        outside = (seconds - min(lives)) * (len(courses) + 1) / len(courses)
        self.low = min(cpu / (life + outside) for cpu, life in later)
        self.high = max(cpu / life for cpu, life in later)


@pytest.fixture
def burn(statistics_of, tmp_path):
    """burn(kind, burners, seconds, within=words before the command): (Truth, the result of statistics_of)"""
    def measure(kind, burners, seconds, within=(), **more):
        place = tmp_path / "truth"
        place.mkdir()
        sums, lasted, summary = statistics_of(*within, "/usr/bin/python3", "-c", BURNERS, kind, burners, seconds, place,
                                              tmp_path / "record.jsonl", **more)
        return Truth([json.loads((place / str(i)).read_text()) for i in range(burners)], lasted), sums, summary
    return measure


@pytest.mark.parametrize("kind", ["threads", "children", "from-thread"])
def test_two_burners_on_one_cpu(burn, kind):
    # The part of its life in which a burner does not run, it waits: that holds on a busy machine, too.
    truth, sums, summary = burn(kind, 2, 1.2, preexec_fn=one_cpu)
    ran, waited = sums["process.watched_cpu_seconds"], sums["process.run_delay_seconds"]
    assert truth.share < 0.7
    assert truth.low - 0.06 < ran / (ran + waited) < truth.high + 0.06
    assert sums["process.cpu_seconds"] * 0.5 < ran < sums["process.cpu_seconds"] * 1.02
    shown = re.search(r"Time ([\d.]+) % running, ([\d.]+) % waiting for a CPU", summary)
    assert shown and abs(float(shown[1]) / 100 - ran / (ran + waited + sums.get("process.block_delay_seconds", 0))) < 0.02


def test_unseen_ends_are_reported(statistics_of, loads, tmp_path):
    sums, seconds, summary = statistics_of(loads / "load_cpu", "--children", 40, "--each", 20, "--truth", tmp_path / "truth",
                                           interval=60)
    cpu, watched = sums["process.cpu_seconds"], sums.get("process.watched_cpu_seconds", 0)
    own = json.loads((tmp_path / "truth").read_text())["own_seconds"]
    # Between samples it looks ten times a second, at one child each time, and at what the load itself uses.
    assert watched < (cpu - own) / 40 * (10 * seconds + 2) + own
    shown = re.search(r"Time waits unknown: ([\d.]+) % of the CPU time|seen for ([\d.]+) % of the CPU time", summary)
    # On a busy machine the children live for long enough.
    assert watched >= 0.9 * cpu or shown
    assert not shown or bool(shown[1]) == (watched < 0.5 * cpu)
    assert not shown or float(shown[1] or shown[2]) / 100 == pytest.approx(1 - watched / cpu if shown[1] else watched / cpu, abs=0.01)


def test_hardly_any_time_has_no_shares(statistics_of):
    sums, _, summary = statistics_of("sleep", 0.2, interval=1)
    # It computes for a few ms.  Where it waits for a CPU, it has 0.1 s of which there are shares.
    awake = sums["process.cpu_seconds"] + sums.get("process.run_delay_seconds", 0)
    assert bool(re.search("% running|waits unknown", summary)) == (awake >= 0.1)


@pytest.fixture
def quota_group(cpu_group):
    """A control group of the test with a quota of a quarter of a CPU."""
    return cpu_group(0.25)


def test_a_quota(burn, quota_group, tmp_path):
    def join():
        (quota_group / "cgroup.procs").write_text(str(os.getpid()))

    def throttled(name):
        return int(re.search(r"throttled_time (\d+)", pathlib.Path(name).read_text())[1]) / 1e9

    stat, begin, end = quota_group / "cpu.stat", tmp_path / "begin", tmp_path / "end"
    truth, sums, summary = burn("alone", 1, 0.8, preexec_fn=join,
                                within=["sh", "-c", f'cat {stat} >{begin}; "$@"; cat {stat} >{end}', "sh"])
    # The recorder is in the group, too, before and after its command.
    inside, recorded = throttled(end) - throttled(begin), sums["cgroup.cpu_throttled_seconds"]
    assert 0.1 < inside and inside - 0.001 < recorded < throttled(stat) + 0.001
    # A throttled process waits for a CPU: it gets a quarter of one.  Python's own start is not in the truth.
    ran, waited = sums["process.watched_cpu_seconds"], sums["process.run_delay_seconds"]
    assert truth.low - 0.12 < ran / (ran + waited) < truth.high + 0.12
    assert re.search(r"throttled [\d.]+s by the CPU quota", summary)


MANY_THREADS = """if True:
    import pathlib, sys, threading, time
    record = pathlib.Path(sys.argv[1])
    rows = lambda: record.read_text().count('["r"')
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
    last = rows()
    while rows() == last:               # its CPU time is read
        pass
    over.set()
    [t.join() for t in threads]
"""


def test_a_process_with_more_threads_than_are_read(statistics_of, tmp_path):
    # Regression: "not known: its processes ended before they were looked at", for a process that lived all the time.
    sums, _, summary = statistics_of("/usr/bin/python3", "-c", MANY_THREADS, tmp_path / "record.jsonl")
    assert "waits unknown" not in summary and "a sample of them" in summary
    assert 0.5 * sums["process.cpu_seconds"] < sums["process.watched_cpu_seconds"] < 1.1 * sums["process.cpu_seconds"]
