"""test_substitute.py - the package where none of its binaries fits: absent, or of another machine."""
import json
import os
import shutil
import subprocess

import pytest

OTHER_MACHINE = 247                     # e_machine of ELF: BPF, which no machine is


def of_another_machine(path):
    text = bytearray(path.read_bytes())
    text[18:20] = OTHER_MACHINE.to_bytes(2, "little")
    path.write_bytes(text)


@pytest.fixture(params=["absent", "of another machine"])
def broken(request, package, tmp_path):
    """PYTHONPATH of a copy of the package without binaries that can be used."""
    installed, = (package / "venv").glob("lib/python3*/site-packages/resource_tracker")
    copy = tmp_path / "copy/resource_tracker"
    shutil.copytree(installed, copy)
    binaries = [copy / "_library.abi3.so", *(copy / "bin").iterdir()]
    for path in binaries:
        if request.param == "absent":
            path.unlink()
        else:
            of_another_machine(path)
    return str(tmp_path / "copy")


def test_single_questions(python, broken):
    cpus, memory, rate, count, amounts, sentence, binary = python("""
now, later = resource_tracker.machine(), resource_tracker.machine(seconds=0.05)
show(now["cpu.count"], now["memory.total_bytes"], ["cpu.user_seconds" in now, "cpu.user_seconds" in later])
import subprocess
child = subprocess.Popen(["sleep", "600"])
tree = resource_tracker.tree()
child.kill(); child.wait()
show([tree["process.count"], tree["process.rss_bytes"] >= tree["process.pss_bytes"] > 1e6])
begin = time.process_time()
from resource_tracker._substitute import Tracker
tracker = Tracker([os.getpid()])
tracker.sample()
while time.process_time() < begin + 0.3: pass
tracker.sample()
total = tracker.tables()["total"]
show(0.25 <= total["process.cpu_seconds"] and total["process.cpu_cores"] > 0 and total["cpu.utilization_cores"] > 0)
try:
    resource_tracker.tree(2 ** 22 + 99)
except resource_tracker.ResourceTrackerError as error:
    show(str(error))
from resource_tracker import _extension
show(_extension.library.__name__)
""", PYTHONPATH=broken)
    assert cpus == os.cpu_count() and memory == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") and rate == [False, True]
    assert count == [2, True] and amounts and sentence == "there is no process 4194403"
    assert binary == "resource_tracker._substitute"


def test_names_of_the_substitute_are_the_modules(python, broken):
    """What both have answers by the same names."""
    unknown, = python("""
from resource_tracker import _extension
names = set(json.loads(os.environ["NAMES"]))
show(sorted(set(resource_tracker.tree(seconds=0.05)) - names))
""", PYTHONPATH=broken, NAMES=json.dumps(python("show(*resource_tracker.tree(seconds=0.05))")))
    assert unknown == []


def regions_file(folder):
    path = f"{folder}/regions"
    open(path, "w").close()
    return {"RESOURCE_TRACKER_REGIONS": path}


def test_what_needs_no_binary(python, broken):
    implementation, rows, used, regions, stats = python("""
from resource_tracker import ResourceTracker, tracker_procfs
with ResourceTracker(interval=0.05) as tracker:
    tracker.wait_for_samples(1, timeout=float("inf"))       # use is counted from the helper's first reading on
    end = time.process_time() + 0.3
    while time.process_time() < end: pass
    tracker.wait_for_samples(tracker.n_samples + 2, timeout=float("inf"))       # one of them began after the use
show(tracker.snapshot()["metadata"]["resource_tracker"]["implementation"], tracker.n_samples >= 3)
show(sum(tracker.process_metrics["utime"]) + sum(tracker.process_metrics["stime"]) >= 0.25)
with resource_tracker.region("part"): resource_tracker.value("loss", 1)
show(open(os.environ["RESOURCE_TRACKER_REGIONS"]).read().count("begin part"))
show(tracker_procfs.get_process_stats(os.getpid())["memory_mib"] > 1)
""", PYTHONPATH=broken, **regions_file(broken))
    assert (implementation, rows, used, regions, stats) == ("procfs", True, True, 1, True)


def test_what_needs_one_says_so(python, broken, tmp_path):
    (tmp_path / "run.jsonl").write_text("{}\n")
    track, record, history = python("""
for question in (lambda: resource_tracker.track().__enter__(), lambda: resource_tracker.open("run.jsonl"), resource_tracker.runs):
    try:
        question()
    except resource_tracker.ResourceTrackerError as error:
        show(str(error))
""", PYTHONPATH=broken)
    assert track.startswith("track() needs the package's module in C, which is not there for this machine (")
    assert record == "a record is read by the package's module in C, which is not there for this machine"
    assert history.startswith(("resource-tracker is neither in ", "cannot run "))


def test_the_command_says_so(package, environment, broken):
    done = subprocess.run([package / "venv/bin/resource-tracker", "--version"], env={**environment, "PYTHONPATH": broken},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 125 and done.stdout == "" and done.stderr.startswith("resource-tracker: ") and done.stderr.count("\n") == 1
