"""test_attached_cpu.py - CPU time of running trees (--pid): children started from then on, waited for or not."""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import pytest

from processes import wait_for, wait_for_file
from test_cpu_source import LOADS, PERF_EVENT_OPEN, Measured, filtered

# The children of three threads that ran at the attachment, each a program of its own with a CPU time that no process
# reads.
THREADS = """
import os, subprocess, sys, threading
go, load, truth = threading.Event(), sys.argv[1], sys.argv[2]
def work(i):
    go.wait()
    subprocess.run([load, "--children", "20", "--each", "5", "--unwaited", "--truth", truth + str(i)], check=True)
threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
for thread in threads: thread.start()
open(truth, "w").write("up")
input()
go.set()
for thread in threads: thread.join()
"""

# A daemon that spends its time in the kernel.
KERNEL = """
import os, resource, sys, time
out, back = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        zeros, buffer = os.open("/dev/zero", os.O_RDONLY), bytearray(1 << 20)
        while time.process_time() < 0.4: os.readv(zeros, [buffer])
        os.write(back, b"%f %f" % resource.getrusage(resource.RUSAGE_SELF)[:2])
    os._exit(0)
os.wait()
open(sys.argv[1], "wb").write(os.read(out, 99))
"""

SLEEPERS = """
import sys, threading
threading.stack_size(1 << 16)
for i in range(int(sys.argv[1])): threading.Thread(target=threading.Event().wait, daemon=True).start()
open(sys.argv[2], "w").write("up")
input()
"""


class Attachment:
    """A job that waits for a line, and a recorder of it that has taken its first sample."""

    def __init__(self, tracker, rows, jobs, *arguments, **more):
        self.rows, self.jobs = rows, jobs
        rows.unlink(missing_ok=True)                # of an earlier recorder: its row must not end the wait
        self.recorder = subprocess.Popen(
            [tracker, *arguments, "-p", ",".join(str(job.pid) for job in jobs), "-i", "0.25", "-f", "json", "-o", rows,
             "--record", "none"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more)
        wait_for(lambda: self.recorder.poll() is not None or (rows.exists() and "\n" in rows.read_text()), "a row")

    def finish(self):
        for job in self.jobs:
            job.stdin.write("\n")
            job.stdin.close()
        for job in self.jobs:
            assert job.wait() == 0
        stderr = self.recorder.communicate()[1]
        assert self.recorder.returncode == 0, stderr
        return [json.loads(line) for line in self.rows.read_text().splitlines()], " ".join(stderr.split())


@pytest.fixture
def job():
    """job(*argv): a process that reads a line and then becomes argv, or argv itself, if `plain`."""
    started = []

    def start(*argv, plain=False):
        words = argv if plain else ("sh", "-c", 'read line; "$@"', "sh", *argv)
        started.append(subprocess.Popen([*map(str, words)], stdin=subprocess.PIPE, text=True))
        return started[-1]
    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def attach(tracker, tmp_path):
    def start(*jobs, source="auto", **more):
        return Attachment(tracker, tmp_path / "rows", jobs, "--cpu-source", source, **more)
    return start


@pytest.fixture
def perf(attach, job):
    rows, stderr = attach(job("true"), source="perf").finish()
    if rows[-1]["process"]["cpu_source"] != "perf":
        assert "CPU time without perf" in stderr, "it says why"
        pytest.skip("perf is refused here")


def truths(*paths):
    """The sum over loads."""
    each = [json.loads(path.read_text()) for path in paths]
    return {**each[0], **{key: sum(one[key] for one in each) for key in ("cpu_seconds", "cpu_low_seconds", "cpu_high_seconds",
                                                                         "processes_started")}}


CASES = {**LOADS, "a daemon": ("--children", 1, "--each", 1000, "--daemonised")}


@pytest.mark.parametrize("arguments", CASES.values(), ids=CASES.keys())
def test_children_after_the_attachment_are_counted(attach, job, perf, loads, tmp_path, arguments):
    attachment = attach(job(loads / "load_cpu", *arguments, "--truth", tmp_path / "truth"))
    rows, stderr = attachment.finish()
    said = Measured(rows, truths(tmp_path / "truth"), stderr)
    assert said.source == "perf"
    assert said.holds_truth()
    assert said.total >= 0.85 * said.truth["cpu_seconds"] - said.truth["processes_started"] * said.truth["exit_seconds"]
    assert said.user + said.system == pytest.approx(said.total, abs=1e-4)


@pytest.mark.parametrize("arguments", [CASES["unwaited"], CASES["a daemon"]], ids=["unwaited", "a daemon"])
def test_the_ledger_misses_children_not_waited_for(attach, job, loads, tmp_path, arguments):
    rows, stderr = attach(job(loads / "load_cpu", *arguments, "--truth", tmp_path / "truth"), source="ledger").finish()
    said = Measured(rows, truths(tmp_path / "truth"), stderr)
    assert said.source == "ledger" and "at least" in stderr
    # A daemon is found if the process that left it gets no CPU to end before the sample.
    found = "--daemonised" in arguments and any((row["process"]["count"] or 0) > 2 for row in rows)
    # A sample that meets a child has at most the time of that child.
    met = sum((row["process"]["count"] or 0) > 1 for row in rows)
    assert said.total - 0.006 * met < 0.5 * said.truth["cpu_seconds"] or found, "else the test above tests nothing"
    assert said.holds_truth()


def test_several_roots_with_running_threads(attach, job, perf, loads, tmp_path):
    jobs = [job(sys.executable, "-c", THREADS, loads / "load_cpu", tmp_path / name, plain=True) for name in "ab"]
    for name in "ab":
        wait_for_file(tmp_path / name)
    rows, stderr = attach(*jobs).finish()
    said = Measured(rows, truths(*(tmp_path / f"{name}{i}" for name in "ab" for i in range(3))), stderr)
    assert said.source == "perf"
    assert said.holds_truth()
    assert said.total >= 0.85 * said.truth["cpu_seconds"] - said.truth["processes_started"] * said.truth["exit_seconds"]


def test_time_in_the_kernel_is_counted_for_every_user(attach, job, perf, tmp_path):
    """With kernel.perf_event_paranoid at 2, events exclude the kernel; the task clock still runs there."""
    rows, stderr = attach(job(sys.executable, "-c", KERNEL, tmp_path / "truth")).finish()
    user, system = map(float, (tmp_path / "truth").read_text().split())
    assert system > 0.2, "else this tests nothing"
    said = Measured(rows, None, stderr)
    assert said.source == "perf"
    assert said.total >= 0.9 * (user + system) and said.upper >= user + system


# ---- refusals ----------------------------------------------------------------------------------

def refused(attachment):
    rows, stderr = attachment.finish()
    assert all(row["process"]["cpu_source"] == "ledger" for row in rows)
    return stderr


def sleepers(job, tmp_path, n):
    process = job(sys.executable, "-c", SLEEPERS, n, tmp_path / "up", plain=True)
    wait_for(lambda: (tmp_path / "up").exists() or process.poll() is not None, "its threads are up")
    if process.poll() is not None:
        pytest.skip("so many threads are not to be had here")
    return process


def test_more_threads_than_clocks(attach, job, tmp_path):
    assert "CPU time without perf (more than 512 threads): children that no parent waits for can be missing" in \
        refused(attach(sleepers(job, tmp_path, 520)))


def test_few_descriptors(attach, job, perf, tmp_path):
    few = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))}
    # The messages of glibc and of musl.
    assert re.search(r"CPU time without perf \((Too many open files|No file descriptors available)\)",
                     refused(attach(sleepers(job, tmp_path, 40), **few)))


@pytest.mark.skipif(PERF_EVENT_OPEN is None, reason="the numbers of system calls are not known here")
def test_perf_filtered(attach, job, loads, tmp_path):
    command = loads / "load_cpu", *CASES["waited"], "--truth", tmp_path / "truth"
    attachment = attach(job(*command), preexec_fn=filtered(PERF_EVENT_OPEN))
    assert "CPU time without perf (Operation not permitted)" in refused(attachment)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
def test_a_process_of_another_user(job, open_tracker, open_path, perf):
    rows = open_path / "rows"
    open_path.chmod(0o777)
    attachment = Attachment(open_tracker, rows, [job("true")], user=65534, group=65534, extra_groups=[], cwd=open_path)
    assert "CPU time without perf (Permission denied)" in refused(attachment)


def test_without_its_children(tracker, job, tmp_path):
    attachment = Attachment(tracker, tmp_path / "rows", [job("true")], "--cpu-source", "perf", "--no-children")
    assert "CPU time from perf needs the children of the processes as well" in refused(attachment)


def test_without_a_control_group(tracker, job, tmp_path):
    rows, stderr = Attachment(tracker, tmp_path / "rows", [job("true")], "--cpu-source", "cgroup").finish()
    assert "needs a command that the recorder starts" in stderr
    assert {row["process"]["cpu_source"] for row in rows} <= {"perf", "ledger"}


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to make a set-user-ID program")
def test_a_set_user_id_program_leaves_no_upper_bound(tracker, loads):
    """perf's events end when it execs; its use is known from its own clock, up to the last sample."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o777)
        for program in (tracker, loads / "load_cpu"):
            shutil.copy(program, folder)
        (folder / "load_cpu").chmod(0o4755)
        if os.statvfs(folder).f_flag & os.ST_NOSUID:
            pytest.skip("set-user-ID programs have no effect here")
        other = {"cwd": folder, "user": 65534, "group": 65534, "extra_groups": []}
        script = "read line; ./load_cpu --threads 1 --seconds 0.7 --truth truth; true"
        root = subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, text=True, **other)
        rows, stderr = Attachment("./resource-tracker", folder / "rows", [root], **other).finish()
        said = Measured(rows, json.loads((folder / "truth").read_text()), stderr)
    if said.source != "perf":
        pytest.skip("perf is refused to that user")
    assert "not allowed to read the I/O" in stderr or not said.has_met("load_cpu")
    assert said.lower <= said.total <= 1.1 * said.truth["cpu_seconds"] + 0.05
    assert said.upper >= 2 * said.truth["cpu_seconds"], "no bound but the machine's"
