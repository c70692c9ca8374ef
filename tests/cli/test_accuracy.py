"""test_accuracy.py - figures of the recorder compared with loads of known use (tests/loads/README.md)."""
import json
import os

import pytest

from truth import cpu_near, room

MIB = 1 << 20
ROWS = "rows.jsonl"     # the samples of `measure`, in its working directory


@pytest.fixture
def measure(run, loads, tmp_path):
    """measure(load, *arguments, options=(), interval=1): (rows of JSON, truth) of a load run under the recorder."""
    def around(load, *arguments, options=(), interval=1):
        rows, truth = tmp_path / ROWS, tmp_path / "truth.json"
        done = run("--interval", interval, "--format", "json", "--output", rows, "--quiet", *options,
                   "--", loads / load, *arguments, "--truth", truth, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout == "" and done.stderr == ""
        return [json.loads(line) for line in rows.read_text().splitlines()], json.loads(truth.read_text())
    return around


def total(rows, group, name):
    """An amount over the whole run; the baseline has none."""
    values = [row[group][name] for row in rows if row[group][name] is not None]
    assert values, f"{group}.{name} was never known"
    return sum(values)


def held(rows, truth):
    """The rows read from begin to end while the load was steady."""
    return [row for row, following in zip(rows, rows[1:])
            if truth["held_from"] < row["timestamp"] and following["timestamp"] < truth["held_until"]]


def peak(rows, group, name):
    return max(row[group][name] for row in rows if row[group][name] is not None)


CPU_LOADS = {
    "threads": ("--threads", 3, "--seconds", 0.2),
    "waited, 5 ms each": ("--children", 100, "--each", 5),
    "waited, 100 ms each": ("--children", 5, "--each", 100),
    "waited, 0.5 s each, alive across samples": ("--children", 2, "--each", 500, "--parallel", 2),
    "from a thread, 5 ms each": ("--children", 100, "--each", 5, "--from-thread"),
    "from a thread, 0.4 s each": ("--children", 2, "--each", 400, "--parallel", 2, "--from-thread"),
    "daemonised, 5 ms each": ("--children", 100, "--each", 5, "--daemonised", "--hold", 0.1),
    "daemonised, 0.4 s each": ("--children", 2, "--each", 400, "--parallel", 2, "--daemonised",
                               "--hold", 0.1),
    "oddly named": ("--children", 2, "--each", 400, "--parallel", 2, "--name", "a 'b) c (d 1 2"),
    "name like numbers": ("--children", 2, "--each", 400, "--parallel", 2, "--name", ") S 1 1 1 0 -1"),
}


@pytest.mark.parametrize("arguments", CPU_LOADS.values(), ids=CPU_LOADS.keys())
def test_cpu_time_of_the_tree(measure, arguments):
    rows, truth = measure("load_cpu", *arguments, interval=0.25)
    assert total(rows, "process", "cpu_seconds") == cpu_near(truth)
    # The same, by the columns that users of the Rust tracker read.
    assert total(rows, "cpu", "process_utime_secs") + total(rows, "cpu", "process_stime_secs") == cpu_near(truth)
    assert all(row["process"]["cpu_seconds"] is None or row["process"]["cpu_seconds"] >= 0 for row in rows)


def test_long_children_that_are_not_waited_for(measure):
    """Samples see them while they live; a kernel without perf hides only their last part."""
    rows, truth = measure("load_cpu", "--children", 2, "--each", 500, "--parallel", 2, "--unwaited", interval=0.25)
    seen = total(rows, "process", "cpu_seconds")
    assert seen <= truth["cpu_seconds"] + room(truth)
    assert seen >= truth["cpu_seconds"] * 0.3


def test_the_output_of_an_ended_child_is_counted(measure, tmp_path):
    rows, truth = measure("load_io", "--write", 96, "--in-child", "--hold", 1.5, "--directory", tmp_path)
    if truth["counted_write_bytes"] == 0:
        pytest.skip("the temporary directory is not on a disk")
    assert total(rows, "process", "disk_write_bytes") == pytest.approx(96 * MIB, rel=0.02)
    assert total(rows, "cpu", "process_disk_write_bytes") == pytest.approx(96 * MIB, rel=0.02)


def test_bytes_read_back_are_counted(measure, tmp_path):
    rows, truth = measure("load_io", "--write", 32, "--read", 32, "--directory", tmp_path)
    if truth["counted_read_bytes"] == 0:
        pytest.skip("the temporary directory is not on a disk")
    # The program itself is possibly read from the disk, too.
    assert 0.98 * 32 * MIB <= total(rows, "process", "disk_read_bytes") <= 32 * MIB + 8 * MIB
    assert total(rows, "process", "write_chars") == pytest.approx(32 * MIB, rel=0.02)


def test_the_machine_counts_direct_writes(measure, tmp_path):
    rows, truth = measure("load_io", "--write", 64, "--direct", "--directory", tmp_path)
    if truth["counted_write_bytes"] == 0:
        pytest.skip("the temporary directory is not on a disk")
    device = os.stat(tmp_path).st_dev
    if not os.path.exists(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}"):
        pytest.skip("the temporary directory has no block device of its own")
    written = total(rows, "disk_total", "write_bytes")
    # Other programs write as well, but eight times as much is a wrong sector size, not a neighbour.
    assert 0.98 * 64 * MIB <= written <= 4 * 64 * MIB


@pytest.mark.parametrize("policy", ["auto", "always"])
def test_steady_memory(measure, policy):
    rows, truth = measure("load_memory", "--rss", 200, "--hold", 0, "--rows", ROWS, options=("--pss", policy))
    assert peak(rows, "process", "rss_bytes") == pytest.approx(truth["rss_bytes"], rel=0.01)
    if policy == "always":
        assert peak(rows, "process", "pss_bytes") == pytest.approx(truth["pss_bytes"], rel=0.01)
    assert held(rows, truth), "a sample that began and ended while nothing changed"
    # One slow reading uses up the budget of auto for minutes: the PSS is between its bounds then, or as it was read.
    for row in (row["process"] for row in held(rows, truth)):
        assert row["pss_lower_bytes"] * 0.99 <= truth["pss_bytes"] <= row["pss_upper_bytes"] * 1.01
        assert row["pss_bytes"] in (None, pytest.approx(truth["pss_bytes"], rel=0.01))
    assert peak(rows, "cpu", "process_rss_mib") == pytest.approx(truth["rss_bytes"] / MIB, rel=0.01, abs=1)


def test_shared_memory_counts_once_in_pss(measure):
    rows, truth = measure("load_memory", "--rss", 200, "--share", 4, "--hold", 0, "--rows", ROWS, options=("--pss", "always"))
    assert peak(rows, "process", "count") == 5
    assert peak(rows, "process", "rss_bytes") == pytest.approx(truth["rss_bytes"], rel=0.01)
    # While children begin and end, the shares of a page are read at different times.
    assert held(rows, truth), "a sample that began and ended while nothing changed"
    for row in held(rows, truth):
        assert row["process"]["pss_bytes"] == pytest.approx(truth["pss_bytes"], rel=0.01)


def test_a_spike_between_samples_is_in_the_peak(measure):
    rows, truth = measure("load_memory", "--rss", 50, "--spike", 150, "--spike-ms", 50, "--hold", 2.3)
    # Two samples fall outside the 50 ms of the spike, however slow the machine is in between.
    assert truth["peak_rss_bytes"] == pytest.approx(200 * MIB, abs=8 * MIB)
    assert peak(rows, "process", "peak_rss_bytes") == pytest.approx(truth["peak_rss_bytes"], rel=0.01)


def test_a_tree_of_five_thousand_processes(measure):
    limit = int(open("/proc/sys/kernel/pid_max").read())
    if limit < 16384 or os.sysconf("SC_CHILD_MAX") not in range(-1, 0) and os.sysconf("SC_CHILD_MAX") < 6000:
        pytest.skip("too few processes allowed here")
    rows, truth = measure("load_tree", "--processes", 5000, "--seconds", 0, "--rows", ROWS)
    assert peak(rows, "process", "count") == 5000
    assert peak(rows, "process", "children") == 4999
    assert peak(rows, "cpu", "process_child_count") == 4999
    assert total(rows, "process", "cpu_seconds") == cpu_near(truth, idle=5)


@pytest.mark.parametrize("attempt", range(4))
def test_samples_while_a_tree_comes_and_goes(measure, attempt):
    """Processes end between the reading of their parent and their own, thousands at a time."""
    rows, truth = measure("load_tree", "--processes", 2000, "--seconds", 0.3, interval=0.05)
    # The place of a sample differs from run to run, and so would a time counted twice or not at all.
    slack = 0.03 * truth["cpu_seconds"]
    assert total(rows, "process", "cpu_seconds") == pytest.approx(truth["cpu_seconds"], abs=max(slack, room(truth, idle=0.3)))


def test_a_storm_of_forks(measure):
    rows, truth = measure("load_forks", "--rate", 400, "--seconds", 2.5, "--each", 500)
    assert total(rows, "process", "cpu_seconds") == cpu_near(truth, idle=2.5)
    # The load started only these; the machine can have more.
    assert total(rows, "cpu", "forks") >= truth["forks"]
