"""test_membership.py - the processes of the tree and their number, from the kernel's records or by walking."""
import ctypes
import json
import os
import pathlib
import platform
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading

import pytest

from processes import wait_for

STRANGER = 64341        # a user that owns nothing


def lines_so_far(path):
    text = pathlib.Path(path).read_text()
    return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]


def samples_of(lines, *names):
    """The value of these metrics in each sample."""
    columns = []
    for line in lines:
        if isinstance(line, list) and line[0] == "r":
            yield [line[4][columns.index("process." + name)] for name in names]
        elif isinstance(line, dict) and "columns" in line:
            columns = [name for name, *_ in line["columns"]]


class Recorded:
    """The last line of a run's record."""

    def __init__(self, path):
        self.lines = lines = lines_so_far(path)
        self.header, self.end = lines[0], lines[-1]["end"]
        texts = {}
        for line in lines:
            texts.update(line.get("fixed", {}) if isinstance(line, dict) else {})
        self.membership, self.reason = (texts.get("process." + name) for name in ("membership", "membership_reason"))
        self.notices = [line["notice"] for line in lines if isinstance(line, dict) and "notice" in line]

    def sum(self, name):
        values = self.end["statistics"].get("process." + name)
        return None if values is None else values[2]

    def peak(self, name):
        return self.end["statistics"]["process." + name][1]

    def samples(self, *names):
        return samples_of(self.lines, *names)

    def programs(self, name):
        rows = self.end["tables"]["program"]
        return {row["key"]: row[name][2] for row in rows if row.get(name) and row[name][2]}


@pytest.fixture
def recorded(run, tmp_path):
    """recorded(*command, options=(), **of_subprocess): runs it under the recorder and returns its Recorded."""
    def around(*command, options=(), **more):
        record = tmp_path / "run.jsonl"
        done = run("--quiet", "--record", record, *options, "--", *command, **more)
        assert done.returncode == 0, done.stderr
        return Recorded(record)
    return around


@pytest.fixture
def once(tmp_path):
    """
    once(name, value): a FIFO that is written to once the newest sample of the run has this value of process.NAME, so that
    a command which reads it is seen as it is meant to be, however long that takes.
    """
    def make(name, value, folder=tmp_path):
        record, fifo = folder / "run.jsonl", folder / "fifo"
        os.mkfifo(fifo)

        def act():
            wait_for(lambda: record.exists() and list(samples_of(lines_so_far(record), name))[-1:] == [[value]], "such a sample")
            fifo.write_text("")
        threading.Thread(target=act, daemon=True).start()
        return fifo
    return make


@pytest.fixture
def perf(recorded):
    """Skips the test if the kernel reports no forks: then only the tests of walking can run."""
    seen = recorded("true")
    if seen.membership != "perf":
        pytest.skip(f"the kernel does not tell us of forks here: {seen.reason}")
    assert seen.reason is None


def python(code, *words):
    return sys.executable, "-S", "-E", "-c", code, *words


def test_short_lived_children_are_counted_by_name(perf, recorded, tmp_path):
    """Trackers that poll never see them: they begin and end between two samples."""
    shutil.copy(shutil.which("true"), tmp_path / "shorty")
    script = f"i=0; while [ $i -lt 150 ]; do /bin/true; {tmp_path}/shorty; i=$((i+1)); done"
    seen = recorded("sh", "-c", script, options=("--interval", 0.5))
    assert seen.sum("started") == seen.sum("ended") == 301
    assert seen.sum("lost_records") == 0
    assert seen.programs("ended") == {"sh": 1, "true": 150, "shorty": 150}
    # A sample can come just between a fork and its exec, or one of the ten readings of the first second.
    started = seen.programs("started")
    assert started.pop("sh") <= 1 + seen.end["samples"] + 10
    assert started == {"true": 150, "shorty": 150}
    # Most of the CPU time is that of processes between samples: perf reported it at their ends.
    assert seen.sum("unaccounted_cpu_seconds") < 0.1 * seen.sum("cpu_seconds")
    cpu = seen.programs("cpu_seconds")
    assert cpu["true"] + cpu["shorty"] > 0.5 * seen.sum("cpu_seconds") > 0


def test_forks_of_others_are_not_counted(perf, recorded, loads):
    with subprocess.Popen([loads / "load_forks", "--rate", "3000", "--seconds", "60"]) as other:
        try:
            seen = recorded("sh", "-c", "i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i+1)); done", options=("--interval", 0.1))
        finally:
            other.kill()
    assert seen.sum("started") == seen.sum("ended") == 101 or seen.sum("lost_records") > 0
    assert set(seen.programs("ended")) == {"sh", "true"}
    assert seen.peak("count") <= 2


def test_threads_are_not_processes(perf, recorded, loads):
    seen = recorded(loads / "load_cpu", "--threads", 3, "--seconds", 0.2)
    assert seen.sum("started") == seen.sum("ended") == 1


def test_thread_that_execs(perf, recorded):
    code = "import os, threading; threading.Thread(target=lambda: os.execv('/bin/true', ['true'])).start()"
    seen = recorded(*python(code))
    assert seen.sum("started") == seen.sum("ended") == 1
    assert seen.programs("ended") == {"true": 1}


# Two processes, until a sample has seen both; they have ended where the recorder has waited for the one of no parent.
DAEMON = """
import os, signal, sys, time
first, second = os.pipe()
if os.fork() == 0:
    os.setsid()
    daemon = os.fork()
    if daemon == 0:
        while True: time.sleep(1)
    os.write(second, str(daemon).encode())
    os._exit(0)
os.wait()
daemon = int(os.read(first, 10))
session = os.fork()
if session == 0:
    os.setsid()
    while True: time.sleep(1)
open(sys.argv[1]).read()
for pid in daemon, session:
    os.kill(pid, signal.SIGKILL)
os.wait()
while os.path.exists(f"/proc/{daemon}"): time.sleep(0.01)
"""


def test_daemons_and_sessions_stay_members(perf, recorded, once):
    seen = recorded(*python(DAEMON, once("count", 3)), options=("--interval", 0.1))
    assert seen.sum("started") == seen.sum("ended") == 4
    assert seen.peak("count") == 3


def test_zombies_not_waited_for_are_seen(perf, recorded, once):
    code = "import os, sys\nfor i in range(5):\n  os.fork() or os._exit(0)\nopen(sys.argv[1]).read()"
    seen = recorded(*python(code, once("zombie", 5)), options=("--interval", 0.1))
    assert seen.sum("started") == 6
    # A sample can come between the command's exit and the recorder's wait for it: then there is one more.
    assert max(zombies for zombies, alive in seen.samples("zombie", "count") if alive) == 5
    assert all(zombies <= 5 + (alive == 0) for zombies, alive in seen.samples("zombie", "count"))


def test_a_process_left_behind_has_not_ended(perf, recorded, tmp_path):
    code = ("import os, sys, time\npid = os.fork()\nif pid == 0:\n  os.setsid(); os.closerange(0, 3); time.sleep(600)\n"
            "open(sys.argv[1], 'w').write(str(pid))")
    seen = recorded(*python(code, tmp_path / "pid"))
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    assert seen.sum("started") == 2 and seen.sum("ended") == 1
    assert seen.end["left_behind"] == 1


def test_storm_of_forks_is_counted(perf, recorded, loads, tmp_path):
    """Rings are emptied when they are half full: no record is lost at an interval far longer than a ring lasts."""
    truth = tmp_path / "truth.json"
    seen = recorded(loads / "load_forks", "--rate", 5000, "--seconds", 2, "--truth", truth,
                    options=("--interval", 10))
    forks = json.loads(truth.read_text())["forks"]
    assert forks == 10000
    # Without loss, or with the loss stated: four records for each process at most.
    missing = forks + 1 - seen.sum("started")
    assert 0 <= missing <= seen.sum("lost_records")
    assert (seen.sum("lost_records") > 0) == any("forks came too fast" in n for n in seen.notices)


def test_lost_records_are_stated_and_repaired(perf, tracker, loads, tmp_path, once):
    """While the recorder is stopped, the rings fill: the loss is reported, and a scan finds the living processes."""
    record, truth, pid = tmp_path / "run.jsonl", tmp_path / "truth.json", tmp_path / "pid"
    script = (f"kill -STOP $PPID; '{loads}/load_forks' --rate 5000 --seconds 2 --truth '{truth}'; (sleep 600 & echo $! > '{pid}'); "
              f"kill -CONT $PPID; cat '{once('count', 3)}'; read pid < '{pid}'; kill $pid")
    process = subprocess.Popen([tracker, "--quiet", "--interval", "0.2", "--record", record, "--", "sh", "-c", script])
    assert process.wait() == 0
    seen = Recorded(record)
    forks = json.loads(truth.read_text())["forks"]
    if seen.sum("lost_records") == 0:
        pytest.skip("the rings were large enough")
    assert 0 < forks + 1 - seen.sum("started") <= seen.sum("lost_records")
    assert len([notice for notice in seen.notices if "forks came too fast" in notice]) == 1
    assert seen.peak("count") == 3          # sh, cat, and sleep, which is a daemon


def test_processes_of_a_pid_namespace(perf, recorded, once):
    words = ("unshare", "--pid", "--fork", *(["--map-root-user"] if os.getuid() != 0 else []))
    if not shutil.which("unshare") or subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        pytest.skip("no PID namespace can be made here")
    seen = recorded(*words, "sh", "-c", f"/bin/true; /bin/true; cat '{once('count', 3)}'; exit 0", options=("--interval", 0.1))
    assert seen.programs("ended") == {"unshare": 1, "sh": 1, "true": 2, "cat": 1}
    assert seen.peak("count") == 3


def test_a_recorder_in_a_pid_namespace(perf, recorded, loads, once, tmp_path):
    words = ("unshare", "--pid", "--fork", "--mount-proc")
    if subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        pytest.skip("no PID namespace can be made here")
    # The daemon has ended where the recorder has waited for it.
    script = (f"for i in 1 2 3 4 5; do /bin/true; done; (sleep 600 & echo $! > '{tmp_path}/pid'); cat '{once('count', 3)}'; "
              f"read pid < '{tmp_path}/pid'; kill $pid; while kill -0 $pid 2> /dev/null; do :; done")
    with subprocess.Popen([loads / "load_forks", "--rate", "1000", "--seconds", "60"]) as other:
        try:
            seen = recorded("sh", "-c", script, options=("--interval", 0.1), prefix=words)
        finally:
            other.kill()
    assert seen.membership == "perf"
    assert seen.programs("ended") == {"sh": 2, "true": 5, "sleep": 1, "cat": 1}
    assert seen.peak("count") == 3


def test_the_tree_is_walked_on_more_cpus_than_perf_allows(perf, recorded):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("this machine has one CPU")
    seen = recorded("sh", "-c", "/bin/true; sleep 0.5; exit 0", options=("--perf-cpus", 1, "--cpu-source", "perf", "--interval", 0.1,
                                                                               "--max-overhead", "unlimited"))
    assert seen.membership == "children" and "CPUs can be used: events for more than 1 would slow forks" in seen.reason
    assert seen.sum("started") is None and seen.sum("cpu_seconds") > 0 and seen.notices == []


def test_an_attached_tree_is_walked(run, tmp_path):
    """The kernel reports only the forks of the one thread asked for, from now on: that is not the tree."""
    record = tmp_path / "run.jsonl"
    with subprocess.Popen(["sleep", "600"]) as sleeper:
        try:
            assert run("--quiet", "--interval", 0.1, "--samples", 3, "--record", record, "--pid", sleeper.pid,
                       "--output", tmp_path / "rows").returncode == 0
        finally:
            sleeper.kill()
    seen = Recorded(record)
    assert seen.sum("started") is None
    assert (seen.membership, seen.reason) == ("children", "the recorder did not start it")


KILLED_AT_EXEC = """
import os, sys, test_membership
tracker = os.open(sys.argv[1], os.O_RDONLY | os.O_CLOEXEC)
test_membership.answer(test_membership.EXECVE[test_membership.platform.machine()], 0x80000000)
os.execve(tracker, sys.argv[1:], os.environ)       # a descriptor: by execveat
"""


@pytest.mark.parametrize("options", [(), ("--interval", "0.1", "--output", "/dev/null")], ids=["summary", "samples"])
def test_a_command_killed_before_its_exec_has_ended(perf, tracker, tmp_path, options):
    """The kernel reports nothing of it by then, and its start is counted."""
    if platform.machine() not in EXECVE:
        pytest.skip("number of execve not known here")
    record = tmp_path / "killed.jsonl"
    done = subprocess.run([sys.executable, "-c", KILLED_AT_EXEC, tracker, "--quiet", "--record", record, *options, "true"],
                          cwd=pathlib.Path(__file__).parent, capture_output=True, text=True)
    assert done.returncode == 128 + signal.SIGSYS, done.stderr
    seen = Recorded(record)
    assert seen.sum("started") == seen.sum("ended") == 1
    assert "resource-tracke" not in (row["key"] for row in seen.end["tables"].get("program", []))


# ---- without the kernel's records --------------------------------------------------------------

EXECVE = {"x86_64": 59, "aarch64": 221}
PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}


def answer(number, with_what):
    """A seccomp filter for one system call, as containers have it."""
    load, jump_equal, give_back, allow = 0x20, 0x15, 0x06, 0x7fff0000
    words = [(load, 0, 0, 0), (jump_equal, 0, 1, number), (give_back, 0, 0, with_what), (give_back, 0, 0, allow)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *w) for w in words))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(words), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_seccomp, filter_mode = 38, 22, 2
    if libc.prctl(no_new_privileges, 1, 0, 0, 0) or libc.prctl(set_seccomp, filter_mode, program, 0, 0):
        os._exit(77)


def refuse_perf():
    eperm = 0x00050001
    answer(PERF_EVENT_OPEN[platform.machine()], eperm)


@pytest.mark.skipif(platform.machine() not in PERF_EVENT_OPEN, reason="number of perf_event_open not known here")
def test_a_container_that_refuses_perf(recorded, once):
    seen = recorded(*python(DAEMON, once("count", 3)), options=("--interval", 0.1), preexec_fn=refuse_perf)
    assert (seen.membership, seen.reason) == ("children", "perf_event_open: Operation not permitted")
    assert seen.sum("started") is None and seen.sum("ended") is None
    assert seen.programs("started") == {}
    assert seen.peak("count") == 3


@pytest.mark.parametrize("source", ["auto", "cgroup", "perf", "ledger", "visible"])
@pytest.mark.parametrize("refuse", [None, refuse_perf], ids=["perf", "walked"])
def test_children_of_the_recorder_are_not_the_commands(recorded, once, loads, tmp_path, monkeypatch, refuse, source):
    """
    NVIDIA's library starts nvidia-modprobe and waits for it, the recorder starts zpool: both are children of the
    recorder, as the command is.  Their life and their end are seen; taken for orphans of the command, their use would
    be the job's.
    """
    if refuse and (platform.machine() not in PERF_EVENT_OPEN or source == "perf"):
        pytest.skip("perf cannot be refused here, or is what is asked for")
    driver, truth, burner = tmp_path / "driver", tmp_path / "truth.json", tmp_path / "modprobe"
    shutil.copy(loads / "load_cpu", burner)
    driver.write_text(f"- modprobe exec {burner} --threads 1 --seconds 0.2 --truth {truth}\n")
    monkeypatch.setenv("FAKE_NVML", str(driver))
    library = loads / "nvml-3" / "libnvidia-ml.so.1"
    seen = recorded("sh", "-c", f"while [ ! -s {truth} ]; do sleep 1; done; cat {once('count', 2)}; exit 0", preexec_fn=refuse,
                    options=("--interval", 0.1, "--cpu-source", source, "--nvml", library))
    assert json.loads(truth.read_text())["cpu_seconds"] >= 0.2
    assert seen.sum("cpu_seconds") < 0.15
    assert seen.peak("count") == 2
    assert {row["key"] for row in seen.end["tables"]["program"]} <= {"resource-tracke", "sh", "sleep", "cat"}


def as_stranger(**limits):
    """preexec_fn: another user, with these limits."""
    def become():
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
        os.setgroups([])
        os.setgid(STRANGER)
        os.setuid(STRANGER)
    return become


@pytest.fixture
def open_folder():
    """A folder that any user can reach and write to."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o777)
        if os.getuid() != 0 or subprocess.run(["test", "-w", folder], preexec_fn=as_stranger()).returncode != 0:
            pytest.skip("no other user can be, or come here")
        yield folder


@pytest.mark.parametrize("become", [as_stranger(MEMLOCK=0), None], ids=["stranger", "same"])
def test_a_hundred_recorders_of_one_user(tracker, open_folder, become):
    """
    Rings are locked memory: a user has 516 KiB for each CPU, and by these limits no more.
    """
    copy = open_folder / "resource-tracker"
    shutil.copy(tracker, copy)
    running = [subprocess.Popen([copy, "--quiet", "--interval", "10", "--record", open_folder / f"{i}.jsonl", "--",
                                 "sh", "-c", "sleep 2; exit 0"], preexec_fn=become)
               for i in range(100)]
    assert [process.wait() for process in running] == [0] * 100
    records = [Recorded(open_folder / f"{i}.jsonl") for i in range(100)]
    followed = [record for record in records if record.membership == "perf"]
    assert all(record.membership == "perf" or "Operation not permitted" in record.reason for record in records)
    assert all(record.sum("started") == record.sum("ended") == 2 for record in followed)
    # Recorders without rings walk, and state it only in the record.
    assert all(record.notices == [] for record in records)
    assert all(record.end["exit_code"] == 0 for record in records)


def test_with_hidden_processes_of_others(tracker, open_folder, once):
    """/proc mounted with hidepid=2: a user's own job is complete, and another's process is absent."""
    copy, record = open_folder / "resource-tracker", open_folder / "run.jsonl"
    shutil.copy(tracker, copy)
    hidden = ("unshare", "--mount", "sh", "-c", "mount -t proc -o hidepid=2 proc /proc && exec \"$@\"", "sh")
    become = (sys.executable, "-c", f"import os, sys\nos.setgroups([])\nos.setgid({STRANGER})\nos.setuid({STRANGER})\n"
              "os.execv(sys.argv[1], sys.argv[1:])")
    if not shutil.which("unshare") or subprocess.run([*hidden, "true"], capture_output=True).returncode != 0:
        pytest.skip("no /proc can be mounted here")
    fifo = once("count", 2, open_folder)
    done = subprocess.run([*hidden, *become, copy, "--quiet", "--interval", "0.1", "--max-overhead", "unlimited", "--record", record,
                           "--", "sh", "-c", f"cat {fifo} & i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; wait; exit 0"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    seen = Recorded(record)
    assert (seen.peak("count"), seen.peak("unreadable"), seen.notices) == (2, 0, [])
    assert seen.sum("cpu_seconds") > 0 and seen.peak("rss_bytes") > 1 << 20
    assert seen.sum("started") in (2, None)             # None: perf is refused
    done = subprocess.run([*hidden, *become, copy, "--pid", "1", "--samples", "1"], capture_output=True, text=True)
    assert done.returncode == 125 and "there is no process 1" in done.stderr


@pytest.mark.parametrize("recorder", ["root's", "a user's"])
def test_a_program_that_the_kernel_stops_following(tracker, open_folder, recorder, once):
    """Events of a program that its user cannot read, or that is set-user-ID, end at exec: it is walked."""
    copy, hidden, record = open_folder / "resource-tracker", open_folder / "hidden", open_folder / "run.jsonl"
    shutil.copy(tracker, copy)
    shutil.copy(shutil.which("env"), hidden)
    hidden.chmod(0o711)
    script = f"{hidden} sh -c 'sleep 600 & cat {once('count', 4, open_folder)}; kill $!; wait'; sleep 0.1"
    other_user = ("setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups") if recorder == "root's" else ()
    done = subprocess.run([copy, "--quiet", "--interval", "0.1", "--record", record, "--", *other_user, "sh", "-c", script],
                          capture_output=True, text=True, preexec_fn=None if other_user else as_stranger())
    assert done.returncode == 0, done.stderr
    seen = Recorded(record)
    assert seen.peak("count") == 4
    if seen.membership == "perf":
        assert len([notice for notice in seen.notices if "perf events do not follow" in notice]) == 1
        assert seen.sum("started") == seen.sum("ended") == 3    # sh, hidden, and the last sleep
