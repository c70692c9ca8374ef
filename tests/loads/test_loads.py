"""test_loads.py - the loads burn what they report, judged by this process, which waits for them."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

import pytest

LOADS = pathlib.Path(os.environ.get("LOADS") or
                     pathlib.Path(__file__).resolve().parents[2] / "build/dev/tests").resolve()


def truth_of(name, *arguments):
    done = subprocess.run([LOADS / name, *map(str, arguments)], capture_output=True, text=True,
                          check=True)
    return json.loads(done.stdout)


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def near(value, part=0.01, least=0.0):
    return pytest.approx(value, rel=part, abs=least)


@pytest.mark.parametrize("arguments, seconds", [
    (("--threads", 1, "--seconds", 0.5), 0.5),
    (("--threads", 3, "--seconds", 0.2), 0.6),
    (("--children", 2, "--each", 300, "--parallel", 2), 0.6),
    (("--children", 40, "--each", 5, "--from-thread", "--name", "a b) c (d"), 0.2),
])
def test_cpu_is_what_the_kernel_charges(arguments, seconds):
    before = cpu_of_children()
    truth = truth_of("load_cpu", *arguments)
    charged = cpu_of_children() - before
    # The charged time includes the program's own start and Python's fork: milliseconds, more on a busy machine.
    assert truth["cpu_seconds"] == near(charged, least=0.020)
    assert truth["cpu_seconds"] >= seconds
    assert truth["own_seconds"] + truth["waited_seconds"] == near(truth["cpu_seconds"], 1e-5)


@pytest.mark.parametrize("ending", ["--unwaited", "--orphaned", "--daemonised"])
def test_children_not_waited_for_still_count(ending):
    before = cpu_of_children()
    truth = truth_of("load_cpu", "--children", 40, "--each", 10, ending, "--parallel", 2)
    charged = cpu_of_children() - before
    # A burn ends at the first reading of the clock past its amount.  If the machine's host takes the CPU away
    # between two readings, that is milliseconds later, and charged: so there is a minimum, and no maximum.
    assert truth["clock_seconds"] >= 0.4
    assert truth["unseen_seconds"] == near(truth["clock_seconds"] + 40 * truth["exit_seconds"], 1e-4)
    assert truth["cpu_low_seconds"] <= truth["cpu_seconds"] <= truth["cpu_high_seconds"]
    # They stay hidden from this process as well, which is the purpose of these loads.
    assert charged == near(truth["own_seconds"] + truth["waited_seconds"], least=0.020)
    assert charged < 0.5 * truth["cpu_seconds"]
    assert 0 <= truth["exit_seconds"] < 0.010


def test_reports_of_children_equal_the_kernels_charges():
    """Children's clocks and the probes of exits: the interval for children not
    waited for, checked on children waited for."""
    truth = truth_of("load_cpu", "--children", 100, "--each", 4)
    waited = truth["waited_seconds"] * 100 / 116       # 16 more children are the probes, which are just alike
    low, high = (truth["clock_seconds"] + 100 * truth[f"exit_{end}_seconds"] for end in ("low", "high"))
    assert low * 0.995 <= waited <= high * 1.005, "by the rule of verify"
    assert truth["exit_low_seconds"] <= truth["exit_seconds"] and high <= 1.5 * low


def test_orphans_are_charged_what_they_report():
    """Their new parent sees them: here this process is."""
    code = """import ctypes, json, os, resource, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)                 # PR_SET_CHILD_SUBREAPER
load = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
out = load.stdout.read()
charged = 0
while True:
    try:
        pid, status, usage = os.wait4(-1, 0)
    except ChildProcessError:
        break
    charged += usage.ru_utime + usage.ru_stime
print(json.dumps([json.loads(out), charged]))"""
    done = subprocess.run([sys.executable, "-c", code, LOADS / "load_cpu", "--children", "40", "--each", "10",
                           "--daemonised"], capture_output=True, text=True, check=True)
    truth, charged = json.loads(done.stdout)
    assert truth["cpu_low_seconds"] * 0.995 - 0.005 <= charged <= truth["cpu_high_seconds"] * 1.005 + 0.005


def test_truth_goes_to_a_file(tmp_path):
    path = tmp_path / "truth"
    done = subprocess.run([LOADS / "load_cpu", "--seconds", "0.01", "--truth", path],
                          capture_output=True, check=True)
    assert done.stdout == b""
    assert json.loads(path.read_text())["cpu_seconds"] >= 0.01


def test_wrong_options_are_refused():
    for arguments in (["--secondss", "1"], ["--seconds"], ["--seconds", "x"]):
        assert subprocess.run([LOADS / "load_cpu", *arguments], capture_output=True).returncode == 2


def test_memory_is_as_requested():
    truth = truth_of("load_memory", "--rss", 64, "--hold", 0)
    assert truth["rss_bytes"] == near(64 << 20, 0.05)
    assert truth["pss_bytes"] <= truth["rss_bytes"] <= truth["peak_rss_bytes"] + (1 << 20)


def test_shared_memory_counts_once_in_pss():
    truth = truth_of("load_memory", "--rss", 64, "--hold", 0, "--share", 3)
    assert truth["processes"] == 4
    assert truth["rss_bytes"] == near(4 * (64 << 20), 0.05)
    assert truth["pss_bytes"] == near(64 << 20, 0.05)


def test_a_spike_stays_in_the_peak():
    truth = truth_of("load_memory", "--rss", 32, "--spike", 64, "--spike-ms", 1, "--hold", 0)
    assert truth["peak_rss_bytes"] == near(96 << 20, 0.05)
    assert truth["rss_bytes"] == near(32 << 20, 0.1)


@pytest.mark.parametrize("arguments", [(), ("--in-child",), ("--unwaited",), ("--direct",)])
def test_bytes_reach_the_disk(tmp_path, arguments):
    try:
        truth = truth_of("load_io", "--write", 16, "--read", 8, "--directory", tmp_path, *arguments)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no such file system here: {error.stderr}")
    if truth["counted_write_bytes"] == 0:
        pytest.skip("the temporary directory is not on a disk")
    assert truth["write_bytes"] == 16 << 20
    # The file system's own blocks are added.
    assert truth["counted_write_bytes"] == near(16 << 20, 0.01, 256 << 10)
    assert truth["counted_read_bytes"] == near(8 << 20, 0.01, 256 << 10)
    assert list(tmp_path.iterdir()) == []


def test_forks_are_counted_and_charged():
    before = cpu_of_children()
    truth = truth_of("load_forks", "--rate", 200, "--seconds", 0.5, "--each", 500)
    charged = cpu_of_children() - before
    assert truth["forks"] == 100
    assert truth["cpu_seconds"] == near(charged, least=0.020)
    assert truth["waited_seconds"] >= 100 * 500e-6


def test_bytes_go_over_tcp():
    truth = truth_of("load_tcp", "--mib", 4, "--connections", 5, "--kib", 10)
    assert truth["sent_bytes"] == truth["recv_bytes"] == (4 << 20) + 5 * (10 << 10)


def test_the_tree_is_complete_and_charged(tmp_path):
    read_end, write_end = os.pipe()
    rows = tmp_path / "rows"
    rows.touch()
    before = cpu_of_children()
    tree = subprocess.Popen([LOADS / "load_tree", "--processes", "120", "--busy", "20", "--seconds", "1",
                             "--rows", str(rows), "--ready", str(write_end)], pass_fds=[write_end], stdout=subprocess.PIPE)
    os.close(write_end)
    assert os.read(read_end, 64) == b"ready\n"
    os.close(read_end)
    members, depth = descendants(tree.pid)
    while tree.poll() is None:          # it lives until lines come
        with rows.open("a") as file:
            file.write("\n")
        time.sleep(0.05)
    truth = json.loads(tree.communicate()[0])
    assert members == truth["processes"] == 120
    assert depth == 3
    assert truth["cpu_seconds"] == near(cpu_of_children() - before, least=0.020)
    assert truth["cpu_seconds"] > 20 * 50e-6           # one burst of each at least


def descendants(root):
    """The number of processes below and at root, and the number of levels below it."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                parents[int(entry.name)] = int(fields[1])
        except (FileNotFoundError, ProcessLookupError):
            pass
    level = {root: 0}
    while True:
        more = {pid: level[parent] + 1 for pid, parent in parents.items()
                if parent in level and pid not in level}
        if not more:
            return len(level), max(level.values())
        level.update(more)


def test_no_load_outlives_its_starter():
    """The shell that starts the tree is killed; the kernel ends the tree from the top."""
    read_end, write_end = os.pipe()
    shell = subprocess.Popen(["/bin/sh", "-c",
                              f"'{LOADS}/load_tree' --processes 30 --seconds 60 --ready {write_end}; :"],
                             pass_fds=[write_end], stdout=subprocess.DEVNULL)
    os.close(write_end)
    assert os.read(read_end, 64) == b"ready\n"
    shell.kill()
    shell.wait()
    # Every process of the tree holds the pipe: it ends when the last of them ends.
    assert os.read(read_end, 64) == b""
    os.close(read_end)
