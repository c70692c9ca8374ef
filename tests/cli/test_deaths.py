"""What processes had when they ended, where the kernel tells it to us; and that nothing else changes where it does not."""
import ctypes
import json
import os
import pathlib
import platform
import re
import shutil
import socket
import struct
import subprocess
import tempfile

import pytest

# The recorder hears of a thousand ends at once; others' tests would use that up.
pytestmark = pytest.mark.alone
ALL_HEARD = 900
MIB = 2**20
PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}
NETLINK_GENERIC, CONTROLLER, NLMSG_ERROR = 16, 16, 2
DEAF = ("setpriv", "--bounding-set", "-net_admin", "--inh-caps", "-net_admin")
STRANGER = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")

# A child that nobody waits for, after the first second, in which a run is looked at ten times.
UNWAITED = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
time.sleep(1.2)
if os.fork() == 0:
    os.setsid()
    os.execv(sys.argv[1], ["shorty", "--rss", "100", "--hold", "0.02", "--truth", sys.argv[2]])
time.sleep(1)
"""


def message(kind, command, attribute, value):
    value = value.encode() + b"\0"
    body = struct.pack("=BBHHH", command, 1, 0, 4 + len(value), attribute) + value + b"\0" * (-len(value) % 4)
    return struct.pack("=IHHII", 16 + len(body), kind, 1, 0, 0) + body


def may_listen():
    """Asks the kernel, as the recorder would have to: the number of TASKSTATS, then to be told of the first CPU."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC) as way:
        way.bind((0, 0))
        way.settimeout(0.2)
        way.send(message(CONTROLLER, 3, 2, "TASKSTATS"))
        answer = way.recv(4096)
        if struct.unpack_from("=H", answer, 4)[0] == NLMSG_ERROR:
            return False
        family = struct.unpack_from("=H", answer, 16 + 4 + 4 + 12 + 4)[0]
        way.send(message(family, 1, 3, "0"))
        try:
            refused = struct.unpack_from("=H", way.recv(4096), 4)[0] == NLMSG_ERROR
        except TimeoutError:
            refused = False
        if not refused:
            way.send(message(family, 1, 4, "0"))
        return not refused


@pytest.fixture(scope="module")
def hears():
    if not may_listen():
        pytest.skip("the kernel does not tell us of ends here")


def tasks_begun():
    return int(re.search(r"^processes (\d+)", pathlib.Path("/proc/stat").read_text(), re.M)[1])


def on_a_calm_machine(start):
    """
    The Told that start() returns, when meanwhile no more tasks began on the machine than are heard of for certain, and
    none of the looks that are taken once a second met the child.
    """
    for _ in range(8):
        before = tasks_begun()
        seen = start()
        if tasks_begun() - before < ALL_HEARD and "shorty" not in seen.programs("cpu_seconds", 2):
            return seen
    return pytest.skip("too many processes begin and end on this machine")


class Told:
    def __init__(self, done, record):
        assert done.returncode == 0, done.stderr
        lines = [json.loads(line) for line in record.read_text().splitlines()]
        self.statistics, self.tables = lines[-1]["end"]["statistics"], lines[-1]["end"]["tables"]
        self.notices = [line["notice"] for line in lines if isinstance(line, dict) and "notice" in line]
        self.fixed = {}
        for line in lines:
            self.fixed.update(line.get("fixed", {}) if isinstance(line, dict) else {})
        text = " ".join(done.stderr.split())
        self.memory = text[text.index("Memory "):text.index(" Disk ")]

    def sum(self, name):
        values = self.statistics.get("process." + name)
        return None if values is None else values[2]

    def peak(self, name="peak_rss_bytes"):
        return self.statistics["process." + name][1]

    def programs(self, name, which=1):
        return {row["key"]: row[name][which] for row in self.tables["program"] if row.get(name) and row[name][which]}


@pytest.fixture
def folder():
    """A folder that any user can reach, and write into, with our programs."""
    with tempfile.TemporaryDirectory() as name:
        pathlib.Path(name).chmod(0o777)
        yield pathlib.Path(name)


@pytest.fixture
def told(tracker, loads, folder):
    """told(*command, prefix=(), interval=60): runs it under the recorder; "shorty" is a name of load_memory."""
    shutil.copy(tracker, folder / "resource-tracker")
    shutil.copy(loads / "load_memory", folder / "shorty")

    def around(*command, prefix=(), interval=60, calm=True, **more):
        if calm:
            return on_a_calm_machine(lambda: around(*command, prefix=prefix, interval=interval, calm=False, **more))
        record = folder / f"{len(list(folder.iterdir()))}.jsonl"
        done = subprocess.run([*prefix, folder / "resource-tracker", "-i", str(interval), "--record", record, "--",
                               *map(str, command)],
                              capture_output=True, text=True, timeout=60, cwd=folder,
                              stdin=subprocess.DEVNULL, **more)
        return Told(done, record)
    return around


def python(code, *arguments):
    return ("/usr/bin/python3", "-S", "-E", "-c", code, *map(str, arguments))


def test_a_child_that_nobody_waits_for(hears, told, folder):
    seen = told(*python(UNWAITED, folder / "shorty", folder / "truth"))
    truth = json.loads((folder / "truth").read_text())["peak_rss_bytes"]
    assert 100 * MIB < truth < 110 * MIB and seen.peak() == pytest.approx(truth, rel=0.01)
    assert seen.fixed["process.peak_rss_source"] == "taskstats"
    assert seen.programs("peak_rss_bytes")["shorty"] == seen.peak()
    assert f"peak {round(seen.peak() / MIB)} MiB" in seen.memory
    assert "at least: taskstats of shorty, between samples" in seen.memory
    assert seen.sum("ended") == 2 and 1 <= seen.sum("ended_heard") <= 2
    assert seen.notices == []


@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("setpriv"), reason="cannot become who may not")
@pytest.mark.parametrize("prefix", [STRANGER, DEAF], ids=["another user", "without the right"])
def test_who_may_not_listen_misses_it_and_nothing_else(told, folder, prefix):
    seen = told(*python(UNWAITED, folder / "shorty", folder / "truth"), prefix=prefix)
    assert seen.peak() < 30 * MIB
    assert seen.fixed["process.peak_rss_source"] in ("VmHWM", "ru_maxrss")
    assert "shorty" not in seen.programs("peak_rss_bytes")
    assert "process.ended_heard" not in seen.statistics or seen.sum("ended_heard") is None
    assert seen.notices == []
    if seen.fixed["process.membership"] == "perf":
        assert seen.sum("started") == seen.sum("ended") == 2
        assert seen.programs("ended", 2) == {"python3": 1, "shorty": 1}


def test_a_child_that_was_waited_for_has_a_name(hears, told, folder):
    """
    ru_maxrss says that some child had it; and says it when the parent itself has ended.  A look may meet the child: ten
    a second are taken while memory becomes less, so it is tried at other times between them.
    """
    for milliseconds in range(1200, 1370, 17):
        code = f"import subprocess, sys, time\ntime.sleep({milliseconds / 1000})\nsubprocess.run(sys.argv[1:])\ntime.sleep(0.2)"
        seen = told(*python(code, folder / "shorty", "--rss", 100, "--hold", 0.02, "--truth", folder / "truth"))
        truth = json.loads((folder / "truth").read_text())["peak_rss_bytes"]
        assert seen.programs("peak_rss_bytes")["shorty"] == pytest.approx(truth, rel=0.01)
        if "at least: VmHWM of shorty, between samples" not in seen.memory:
            break
    assert "at least: taskstats of shorty, between samples" in seen.memory


THREADS = """
import sys, threading, time
time.sleep(1.2)
memory = []
thread = threading.Thread(target=lambda: memory.append(bytearray(150 << 20)))
thread.start()
thread.join()
"""


def test_threads_have_the_memory_of_their_process(hears, told):
    seen = told("sh", "-c", 'trap "" CHLD; "$@" & sleep 2; exit 0', "sh", *python(THREADS))
    assert seen.programs("peak_rss_bytes")["python3"] == pytest.approx(158 * MIB, rel=0.05)
    assert seen.sum("ended") == 3


# Who runs it, and what it does: says how much it had, and starts another.  Nobody waits, but until they are gone.
GONE = """
try:
    os.wait()
except ChildProcessError:
    pass
"""
RAISED = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
time.sleep(1.2)
if os.fork() == 0:
    os.execv(sys.argv[1], ["raised", "-S", "-E", "-c", *sys.argv[2:]])
""" + GONE
RAISED_DOES = """
import os, resource, sys, time
time.sleep(float(sys.argv[1]))
memory = bytearray(100 << 20)
if os.fork() == 0:
    os.execv(sys.argv[2], ["shorty", "--rss", "200", "--hold", "0.02", "--truth", sys.argv[3]])
""" + GONE + """
print(os.geteuid(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, file=open(sys.argv[4], "w"))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to make a set-user-ID program")
@pytest.mark.parametrize("age", [0, 0.4], ids=["between samples", "over a sample"])
def test_a_set_user_id_program_and_what_it_starts(hears, told, folder, age):
    """Whose perf events end at exec: neither its end nor what it starts is told by them."""
    raised = folder / "raised"
    shutil.copy(os.path.realpath("/usr/bin/python3"), raised)
    os.chown(raised, 65534, 65534)
    raised.chmod(0o4755)
    if os.statvfs(folder).f_flag & os.ST_NOSUID:
        pytest.skip("set-user-ID programs have no effect here")
    seen = told(*python(RAISED, raised, RAISED_DOES, age, folder / "shorty", folder / "truth", folder / "said"), interval=0.5)
    user, peak = map(int, (folder / "said").read_text().split())
    truth = json.loads((folder / "truth").read_text())["peak_rss_bytes"]
    peaks = seen.programs("peak_rss_bytes")
    assert user == 65534 and 100 * MIB < peak < 120 * MIB
    assert peaks["raised"] == pytest.approx(peak, rel=0.01)
    assert peaks["shorty"] == seen.peak() == pytest.approx(truth, rel=0.01)
    assert seen.fixed["process.peak_rss_source"] == "taskstats"


def refuse_perf():
    """As in a container, by a seccomp filter (test_membership.py has it in words)."""
    words = [(0x20, 0, 0, 0), (0x15, 0, 1, PERF_EVENT_OPEN[platform.machine()]), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *w) for w in words))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(words), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
        os._exit(77)


@pytest.mark.skipif(platform.machine() not in PERF_EVENT_OPEN, reason="number of perf_event_open not known here")
def test_where_nobody_tells_of_forks_they_are_known_by_their_parents(hears, told, folder):
    """As on machines with more than 16 CPUs."""
    seen = told(*python(UNWAITED, folder / "shorty", folder / "truth"), preexec_fn=refuse_perf)
    assert seen.fixed["process.membership"] == "children"
    truth = json.loads((folder / "truth").read_text())["peak_rss_bytes"]
    assert seen.programs("peak_rss_bytes")["shorty"] == pytest.approx(truth, rel=0.01)
    assert "at least: taskstats of shorty, between samples" in seen.memory
    assert seen.sum("ended") is None and seen.sum("ended_heard") is None


def test_of_a_process_that_runs_already(hears, run, loads, folder):
    shutil.copy(loads / "load_memory", folder / "shorty")
    command = python(UNWAITED, folder / "shorty", folder / "truth")

    def start():
        with subprocess.Popen(command) as parent:
            done = run("-i", 60, "--record", folder / "run.jsonl", "--output", folder / "rows", "--pid", parent.pid)
        return Told(done, folder / "run.jsonl")
    seen = on_a_calm_machine(start)
    truth = json.loads((folder / "truth").read_text())["peak_rss_bytes"]
    assert seen.programs("peak_rss_bytes")["shorty"] == pytest.approx(truth, rel=0.01)
    assert seen.fixed["process.peak_rss_source"] == "taskstats"


def test_all_are_heard_where_few_end(hears, told):
    seen = told("sh", "-c", "sleep 0.2; i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done; sleep 0.2", interval=0.5)
    assert seen.sum("ended") == 303
    assert seen.sum("ended_heard") == 303
    assert 0 < seen.programs("peak_rss_bytes")["true"] < 10 * MIB


def test_a_storm_is_heard_within_the_budget(hears, told, loads, folder):
    """It would cost the job 2 % otherwise."""
    seen = told(loads / "load_forks", "--rate", 5000, "--seconds", 2, interval=0.5, calm=False)
    assert seen.sum("ended") > 9000
    assert 0 < seen.sum("ended_heard") < 9000
    assert seen.notices == []
