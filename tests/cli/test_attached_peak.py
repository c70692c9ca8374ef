"""test_attached_peak.py - the peak memory of a process of a running tree (--pid): exact, or "at least"."""
import json
import re
import subprocess
import sys

import pytest

from processes import wait_for

MIB = 1 << 20

# A child that has 200 MiB for 120 ms, ends, and is not waited for; its parent lives on until the second line.
SPIKE = """
import mmap, os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
input()
if os.fork() == 0:
    area = mmap.mmap(-1, 200 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(0, len(area), 4096): area[at] = 1
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    time.sleep(0.12)
    os.write(1, peak.encode() + b"\\n")
    os._exit(0)
input()
"""


@pytest.fixture(params=[0, 8], ids=["quiet", "busy"])
def busy(request):
    """Runs so many computing processes beside the test."""
    beside = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(request.param)]
    yield
    for process in beside:
        process.kill()
        process.wait()


@pytest.fixture
def spike():
    process = subprocess.Popen([sys.executable, "-c", SPIKE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def attach(tracker, process, record, *arguments):
    """Starts the recorder, and waits for its first reading: the record's header follows it."""
    rows = record.with_suffix(".rows")
    recorder = subprocess.Popen([tracker, "-p", str(process.pid), "-f", "json", "-o", rows, "--record", record, *arguments],
                                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: record.exists() and "\n" in record.read_text(), "a header")
    return recorder


def memory_of(summary):
    text = " ".join(summary.split())
    return text[text.index("Memory "):text.index(" Disk ")]


def ended(recorder, record):
    """The lines about memory of its summary, and the statistics of its record."""
    stderr = recorder.communicate()[1]
    assert recorder.returncode == 0, stderr
    return memory_of(stderr), json.loads(record.read_text().splitlines()[-1])["end"]["statistics"]


@pytest.mark.parametrize("interval", ["0.5", "60"])
def test_a_spike_between_samples_is_not_denied(tracker, run, busy, spike, tmp_path, interval):
    record = tmp_path / "record"
    recorder = attach(tracker, spike, record, "-i", interval)
    spike.stdin.write("\n")
    spike.stdin.flush()
    truth = int(spike.stdout.readline()) * 1024
    assert truth > 200 * MIB
    spike.stdin.write("\n")
    spike.stdin.close()
    memory, statistics = ended(recorder, record)
    # Whether a sample saw it, or only its beginning, depends on the machine.
    if statistics["process.peak_rss_bytes"][1] < 0.99 * truth:
        assert re.search(r"at least: (largest process seen|\w+ alone, between samples \(VmHWM\)|seen between samples)", memory)
        assert statistics["process.peak_rss_incomplete"][1] == 1
        (one,) = json.loads(run("report", "--json", record).stdout)["runs"]
        assert ["can have been higher" in method["meaning"] for method in one["methods"] if method["quantity"] == "Largest process"] == [True]
    assert memory_of(run("summary", record).stdout) == memory, "from the record as well"


def test_the_peak_of_a_living_process_is_known(tracker, spike, tmp_path):
    record = tmp_path / "record"
    memory, statistics = ended(attach(tracker, spike, record, "-i", "0.2", "--samples", "3", "--no-children"), record)
    assert "at least" not in memory and "largest process" in memory
    assert statistics["process.peak_rss_incomplete"][1] == 0


def test_the_peak_of_an_ended_process_is_a_lower_bound(tracker, spike, tmp_path):
    record = tmp_path / "record"
    recorder = attach(tracker, spike, record, "-i", "0.2", "--no-children")
    spike.kill()
    spike.wait()
    assert "at least" in ended(recorder, record)[0]
