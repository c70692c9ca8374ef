"""test_time.py - where the time of the tree's threads went: running, waiting for a CPU, throttled."""
import os
import pathlib
import re
import tempfile

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


@pytest.mark.parametrize("arguments", [
    ("--threads", 2, "--seconds", 1.2),
    ("--children", 2, "--each", 1200, "--parallel", 2),
    ("--children", 2, "--each", 1200, "--parallel", 2, "--from-thread"),
])
def test_two_burners_on_one_cpu(statistics_of, loads, arguments):
    # What a burner does not run of its life, it waits: that truth holds on a busy machine, too.
    sums, seconds, summary = statistics_of(loads / "load_cpu", *arguments, preexec_fn=one_cpu)
    truth = sums["process.cpu_seconds"] / (2 * seconds)
    ran, waited = sums["process.watched_cpu_seconds"], sums["process.run_delay_seconds"]
    assert sums["process.cpu_seconds"] == pytest.approx(2.4, abs=0.1)
    assert truth < 0.55
    # More where one of them ends before the other.
    assert truth - 0.06 < ran / (ran + waited) < truth + 0.15
    assert sums["process.cpu_seconds"] * 0.5 < ran < sums["process.cpu_seconds"] * 1.02
    shown = re.search(r"Time (\d+) % running, (\d+) % waiting for a CPU.* of \S+ awake", summary)
    assert shown and abs(int(shown[1]) / 100 - ran / (ran + waited + sums.get("process.block_delay_seconds", 0))) < 0.02


def test_what_ended_unseen_is_said(statistics_of, loads):
    sums, _, summary = statistics_of(loads / "load_cpu", "--children", 40, "--each", 20, interval=60)
    assert sums.get("process.watched_cpu_seconds", 0) < 0.2 * sums["process.cpu_seconds"]
    assert re.search(r"Time not known for \d+ % of the CPU time", summary)


def test_hardly_any_time_has_no_shares(run):
    assert "awake" not in run("--record", "none", "--", "sleep", "0.2").stderr


@pytest.fixture
def quota_group():
    """A control group of ours with a quota of a quarter of a CPU; only below a root group, and gone afterwards."""
    mount = pathlib.Path("/sys/fs/cgroup/cpu")
    ours = [line.split(":", 2)[2] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines()
            if "cpu" in line.split(":", 2)[1].split(",")]
    if os.getuid() != 0 or ours != ["/"] or not (mount / "cgroup.procs").exists():
        pytest.skip("needs root, and the root group of the cpu controller (version 1)")
    try:
        group = pathlib.Path(tempfile.mkdtemp(prefix="resource-tracker-test-", dir=mount))
    except OSError as error:
        pytest.skip(f"no control group can be made: {error}")
    try:
        (group / "cpu.cfs_period_us").write_text("100000")
        (group / "cpu.cfs_quota_us").write_text("25000")
        yield group
    finally:
        group.rmdir()


def test_a_quota(statistics_of, loads, quota_group):
    def join():
        (quota_group / "cgroup.procs").write_text(str(os.getpid()))

    sums, seconds, summary = statistics_of(loads / "load_cpu", "--threads", 1, "--seconds", 0.5, preexec_fn=join)
    told = int(re.search(r"throttled_time (\d+)", (quota_group / "cpu.stat").read_text())[1]) / 1e9
    assert sums["cgroup.cpu_throttled_seconds"] == pytest.approx(told, abs=0.1) and told > 0.1
    # Who is throttled waits for a CPU: a quarter of one is had.
    ran, waited = sums["process.watched_cpu_seconds"], sums["process.run_delay_seconds"]
    assert ran / (ran + waited) == pytest.approx(sums["process.cpu_seconds"] / seconds, abs=0.06)
    assert re.search(r"CPUs throttled for [\d.]+s by the quota \(cpu.stat\)", summary)
