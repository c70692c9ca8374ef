"""test_ending.py - the reason of a command's end: in the summary, in the record, and in the summary of the record."""
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile

import jsonschema
import pytest

from processes import state_of, wait_for, wait_for_file
from summary_text import without_digits
from terminal import Terminal

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs/reference/record.schema.json").read_text())


def one_line(text):
    """The text of a summary, without its line breaks."""
    return " ".join(text.split())


@pytest.fixture
def ending_of(run, tmp_path, lines_of):
    """ending_of(command, options=(), **of_subprocess): (the end line's object, the summary as one line)."""
    def end(command, options=(), **more):
        record = tmp_path / "record.jsonl"
        done = run("--record", record, *options, "--", *command, **more)
        lines = lines_of(record)
        for line in lines:
            jsonschema.Draft202012Validator(SCHEMA).validate(line)
        summary = run("summary", record)
        assert without_digits(done.stderr).endswith(without_digits(summary.stdout))       # the same page again
        return lines[-1]["end"], one_line(done.stderr)
    return end


def sh(script):
    return ["sh", "-c", script]


# With an output for samples the counters are read before the command starts, so that all it does is in them.
COUNTED_FROM_THE_START = ("-o", "/dev/null")

# For jobs in Python: recorder_slept(seconds) returns when the recorder has slept for so long, as it does between two
# readings.  The time for which it had no CPU does not count.
SLEPT = """
import os, time
def recorder_slept(seconds, recorder=os.getppid()):
    while seconds > 0:
        time.sleep(0.02)
        if open(f"/proc/{recorder}/stat").read().rpartition(")")[2].split()[0] == "S":
            seconds -= 0.02
"""


def test_success_needs_no_reason(ending_of):
    end, summary = ending_of(["true"])
    assert "reason" not in end and "Cause" not in summary


def test_a_plain_failure_has_nothing_to_explain(ending_of):
    end, summary = ending_of(sh("exit 3"))
    assert end["reason"] == {"cause": "failed", "certainty": "certain", "text": ""}
    assert "exit 3" in summary and "Cause" not in summary


def test_a_kill_by_itself_is_not_one_by_another_process(ending_of):
    end, summary = ending_of(sh("kill -9 $$"), options=COUNTED_FROM_THE_START)
    if end["statistics"].get("memory.oom_kills", [0, 0, 0])[2] > 0:
        pytest.skip("memory runs out on this machine right now")
    assert end["reason"]["cause"] == "killed"
    assert "Cause SIGKILL sent by a process, of the job or another: the memory counters show no out-of-memory kill" in summary


def test_without_counters_nothing_is_claimed(ending_of):
    end, summary = ending_of(sh("kill -9 $$"), options=("--without", "cgroup,memory"))
    assert (end["reason"]["cause"], end["reason"]["certainty"]) == ("killed", "possible")
    assert "no counter could be read" in summary


@pytest.mark.parametrize("code, word", [
    (124, "timeout(1)"), (125, "failure of their own"), (126, "cannot be executed"), (127, "not found"),
    (130, "128 + 2 is a shell's status for a command killed by SIGINT"), (137, "killed by SIGKILL"),
    (139, "killed by SIGSEGV"), (143, "killed by SIGTERM (asked to end)"),
])
def test_codes_in_plain_words(ending_of, code, word):
    end, summary = ending_of(sh(f"exit {code}"))
    assert end["exit_code"] == code and f"exit {code}" in summary and word in summary


def test_a_crash_of_a_child_as_the_shell_reports_it(ending_of):
    end, summary = ending_of(sh("sh -c 'kill -ABRT $$'; exit $?"))
    assert end["exit_code"] == 134 and end["reason"]["cause"] == "signal_below"
    assert "killed by SIGABRT (it gave up itself by abort()" in summary


def test_a_core_dump_is_reported(tracker, tmp_path, lines_of):
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text()
    if pattern.startswith("|"):
        pytest.skip("cores go to a program here")
    folder = tmp_path / "cores"
    folder.mkdir()
    record = tmp_path / "record.jsonl"
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    if most == 0:
        pytest.skip("no core may be dumped here")
    done = subprocess.run([tracker, "--record", record, "--", "sh", "-c", "ulimit -c unlimited; kill -SEGV $$"],
                          cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    end = lines_of(record)[-1]["end"]
    if not pattern.startswith("/") and not list(folder.iterdir()):
        pytest.skip("this filesystem takes no core")
    assert done.returncode == 139 and end["signal"] == signal.SIGSEGV
    assert end["core_dumped"] is True and "core dumped" in done.stderr
    assert end["reason"]["cause"] == "crashed"
    assert "access to memory that is not its own; an overflow of the stack looks the same" in one_line(done.stderr)


SPIN = "while :; do :; done"


@pytest.mark.parametrize("limit, number, certainties, word", [
    # ulimit sets both limits: the kernel kills at the hard one, without the limit's own signal.
    ("ulimit -t 1", signal.SIGKILL, ("likely", "possible"), "its CPU time limit of 1.00s (RLIMIT_CPU, hard)"),
    ("ulimit -S -t 1", signal.SIGXCPU, ("certain",), "its limit of CPU time was used up: 1.00s (RLIMIT_CPU)"),
])
def test_cpu_time_used_up(ending_of, limit, number, certainties, word):
    end, summary = ending_of(sh(f"{limit}; {SPIN}"))
    assert end["signal"] == number
    # The kernel counts ticks: on a busy machine it kills before the clock reaches the limit.
    assert end["reason"]["cause"] == "cpu_limit" and end["reason"]["certainty"] in certainties
    assert word in summary


def test_a_file_grown_too_large(ending_of, tmp_path):
    end, summary = ending_of(["prlimit", "--fsize=1048576", "sh", "-c",
                              f"exec dd if=/dev/zero of={tmp_path}/large bs=1M count=3 2>/dev/null"])
    assert end["signal"] == signal.SIGXFSZ
    assert (end["reason"]["cause"], end["reason"]["certainty"]) == ("file_size_limit", "certain")
    assert "it wrote beyond its limit of file size: 1.00 MiB (RLIMIT_FSIZE)" in summary


@pytest.fixture
def timed_out(tracker, tmp_path, lines_of):
    """timed_out(script): (the end line's object, the summary), of a run whose time was up when the script made the file `up`."""
    def end(script):
        record = tmp_path / "record.jsonl"
        with subprocess.Popen(["timeout", "900", tracker, "--record", record, "--", "sh", "-c", script], cwd=tmp_path, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as limit:
            wait_for_file(tmp_path / "up")
            # It knows its child only after the fork, whose end it may not have seen.
            wait_for(lambda: state_of(limit.pid) == "S", "it waits")
            limit.send_signal(signal.SIGALRM)                   # as its timer does
            stderr = limit.communicate()[1]
        return lines_of(record)[-1]["end"], one_line(stderr)
    return end


def test_a_forwarded_signal_names_its_sender(timed_out):
    end, summary = timed_out("echo ready > up; exec sleep 600")
    assert end["signal"] == signal.SIGTERM
    assert (end["reason"]["cause"], end["reason"]["certainty"]) == ("asked", "certain")
    assert "sent by process" in summary and "(timeout) and passed on" in summary


@pytest.mark.parametrize("number, reason", [
    (signal.SIGTERM, ("asked", "likely", f"sent by process {os.getpid()} \\(.*\\) to the recorder, too")),
    (signal.SIGHUP, ("signal", "likely", "asked to end")),
])
def test_a_signal_that_reached_the_command_first_names_its_sender(tracker, tmp_path, lines_of, number, reason):
    """Another one afterwards is of no interest, and reaches no process."""
    record, ids = tmp_path / "record.jsonl", tmp_path / "ids"
    with subprocess.Popen([tracker, "--quiet", "--wait-descendants", "--record", record, "--", "sh", "-c",
                           f"sleep 600 & echo $! $$ > {ids}.new; mv {ids}.new {ids}; exec sleep 600"]) as recorder:
        sleeper, command = map(int, wait_for_file(ids).split())
        os.kill(command, signal.SIGTERM)
        wait_for(lambda: not os.path.exists(f"/proc/{command}"), "the command was not reaped")
        recorder.send_signal(number)
        os.kill(sleeper, signal.SIGKILL)
        assert recorder.wait() == 128 + signal.SIGTERM
    found = lines_of(record)[-1]["end"]["reason"]
    assert (found["cause"], found["certainty"]) == reason[:2] and re.fullmatch(reason[2], found["text"])


def test_interrupted_from_the_terminal(tracker, tmp_path, lines_of):
    record = tmp_path / "record.jsonl"
    terminal = Terminal([tracker, "--record", record, "--", "sh", "-c", "echo ready; exec sleep 600"])
    terminal.until("ready")
    terminal.type("\x03")
    terminal.until(r"Cause +\^C, from the terminal")
    terminal.process.wait()
    end = lines_of(record)[-1]["end"]
    assert (end["reason"]["cause"], end["reason"]["certainty"]) == ("interrupted", "certain")


def test_a_command_that_ends_with_a_code_after_a_signal(timed_out):
    end, _ = timed_out("trap 'exit 4' TERM; echo ready > up; while :; do sleep 0.05; done")
    assert end["exit_code"] == 4
    assert (end["reason"]["cause"], end["reason"]["certainty"]) == ("asked", "likely")
    assert "after SIGTERM sent by process" in end["reason"]["text"]


def memory_group():
    """(path of the memory files of this process's control group, whether they are of version 1)."""
    paths = {}
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        paths.update({name: path for name in controllers.split(",")})
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        before, after = line.split(" - ")
        kind, _, options = after.split()[:3]
        root, point = before.split()[3:5]
        version_1 = kind == "cgroup" and "memory" in options.split(",")
        if version_1 or (kind == "cgroup2" and "memory" not in paths):
            path = paths["memory" if version_1 else ""]
            return point + path.removeprefix(root if root != "/" else "").rstrip("/"), version_1
    return None, False


@pytest.fixture
def counted_group(tmp_path):
    """A root with the machine's /proc, and memory files of the control group that the test can write."""
    path, version_1 = memory_group()
    if not path:
        pytest.skip("no control groups for memory here")
    root = tmp_path / "root"
    folder = pathlib.Path(str(root) + path)
    folder.mkdir(parents=True)
    (root / "proc").symlink_to("/proc")
    limit = 512 << 20
    if version_1:
        files = {"memory.limit_in_bytes": limit, "memory.failcnt": 0}
        (events, none, one) = (folder / "memory.oom_control", "under_oom 0\noom_kill 0\n", "under_oom 0\noom_kill 1\n")
        hit = f"echo 9 1<> {folder}/memory.failcnt"
    else:
        files = {"memory.max": limit}
        (events, none, one) = (folder / "memory.events.local", "max 0\noom_kill 0\n", "max 9\noom_kill 1\n")
        hit = ":"
    for name, value in files.items():
        (folder / name).write_text(f"{value}\n")
    events.write_text(none)
    return root, f"{hit}; printf '{one}' 1<> {shlex.quote(str(events))}"    # never empty in between, as with the kernel


@pytest.mark.parametrize("last, word", [
    ("kill -9 $$", "Cause killed by the kernel: out of memory in its control group (limit 512 MiB)"),
    ("exit 1", "Cause the kernel killed 1 process of its control group: out of memory in its control group (limit 512 MiB)"),
    ("exit 137", "killed by SIGKILL; the kernel killed 1 process of its control group: out of memory"),
])
def test_out_of_memory_counted_by_the_kernel(ending_of, counted_group, last, word):
    root, kill = counted_group
    end, summary = ending_of(sh(f"{kill}; {last}"), options=("--root", root, "-i", "0.1", *COUNTED_FROM_THE_START))
    assert (end["reason"]["cause"], end["reason"]["certainty"]) == ("out_of_memory", "likely"), summary
    assert word in summary
    assert "Warning memory ran out" not in summary


def test_the_same_counters_at_rest(ending_of, counted_group):
    root, _ = counted_group
    end, summary = ending_of(sh("kill -9 $$"), options=("--root", root, "-i", "0.1", *COUNTED_FROM_THE_START))
    assert end["reason"]["cause"] == "killed" and "show no out-of-memory kill" in summary


# until_sampled() ends the job after a sample with so much.  Then nothing can be opened any more, so the rows are open before.
UNTIL_SAMPLED = """
import mmap, os, sys, time
rows, held = open(sys.argv[1]), []
def number(row, name):
    return float((row.split('"' + name + '":')[1:] or ["-1"])[0].split(",")[0].rstrip("}\\n").replace("null", "-1"))
def until_sampled(name, least):
    while not ((row := rows.readline()).endswith("\\n") and number(row, name) >= least):
        if not row: time.sleep(0.02)
    os._exit(1)
"""
OUT_OF_FILES = UNTIL_SAMPLED + """
try:
    while True: os.dup(0)
except OSError: until_sampled("fds", 190)
"""
OUT_OF_ADDRESSES = UNTIL_SAMPLED + """
try:
    while True: held.append(mmap.mmap(-1, 64 << 20))
except OSError: until_sampled("timestamp", time.time() + 0.001)
"""


@pytest.mark.parametrize("limit, script, word", [
    ("--nofile=200:200", OUT_OF_FILES, r"it had (19\d|200) of at most 200 files open \(RLIMIT_NOFILE\)"),
    ("--as=2147483648", OUT_OF_ADDRESSES, r"its address space came to (1\.9\d|2\.00) GiB of 2\.00 GiB \(RLIMIT_AS\)"),
], ids=["files", "addresses"])
def test_limits_that_were_reached(ending_of, tmp_path, limit, script, word):
    rows = tmp_path / "rows"
    # The interpreter itself: a script in its place would make two processes of it.
    end, summary = ending_of(["prlimit", limit, os.path.realpath(sys.executable), "-c", script, rows],
                             options=("-i", "0.2", "-f", "json", "-o", rows))
    assert end["exit_code"] == 1
    assert re.search(word, summary), summary


@pytest.fixture
def small_group():
    """A control group of the test for 12 tasks; only below a root group of version 1, and removed afterwards."""
    mount = pathlib.Path("/sys/fs/cgroup/pids")
    ours = [line.split(":", 2)[2] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines()
            if "pids" in line.split(":", 2)[1].split(",")]
    if os.getuid() != 0 or ours != ["/"] or not (mount / "cgroup.procs").exists():
        pytest.skip("needs root, and the root group of the pids controller (version 1)")
    try:
        group = pathlib.Path(tempfile.mkdtemp(prefix="resource-tracker-test-", dir=mount))
    except OSError as error:
        pytest.skip(f"no control group can be made: {error}")
    (group / "pids.max").write_text("12")
    yield group
    wait_for(lambda: not (group / "cgroup.procs").read_text(), "the last of its tasks is gone")
    group.rmdir()


# Forks until that is refused.
FORKS = """
import os, signal
children = []
try:
    while (child := os.fork()) != 0: children.append(child)
    signal.alarm(900)
    signal.pause()
except OSError:
    for child in children: os.kill(child, signal.SIGKILL)
    for child in children: os.waitpid(child, 0)
os._exit(1)
"""


def test_refused_forks(ending_of, small_group):
    def join():
        (small_group / "cgroup.procs").write_text(str(os.getpid()))

    end, summary = ending_of([os.path.realpath(sys.executable), "-c", FORKS], options=("-i", "0.1", *COUNTED_FROM_THE_START),
                             preexec_fn=join)
    assert re.search(r"max ([1-9]\d*)", (small_group / "pids.events").read_text())
    assert end["exit_code"] != 0
    assert re.search(r"its control group refused \d+ new process(es)? or threads? \(limit 12\)", summary), summary


@pytest.mark.parametrize("inodes", [False, True])
def test_a_full_filesystem_is_named(tracker, tmp_path, inodes):
    if os.getuid() != 0:
        pytest.skip("needs root to mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    size = "nr_inodes=20" if inodes else "size=1m"
    fill = "i=0; while : > f$i; do i=$((i+1)); done 2>/dev/null" if inodes else "dd if=/dev/zero of=x bs=64k 2>/dev/null"
    script = f"""mount -t tmpfs -o {size} tmpfs '{disk}' || exit 77
        cd '{disk}' && exec '{tracker}' --record none -- sh -c '{fill} || exit 5; exit 5'"""
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True)
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip("mounting is not allowed here")
    assert done.returncode in (2, 5)
    assert f"no space is left on the filesystem at {disk}" in one_line(done.stderr)


def test_a_filesystem_with_room_is_not_named(ending_of):
    end, _ = ending_of(sh("exit 5"), cwd="/")
    room = os.statvfs("/")
    if room.f_bavail * room.f_frsize < 1 << 20:
        pytest.skip("the root filesystem is full")
    assert "no space" not in end["reason"]["text"]


def points_of(lines):
    """The last minute of a record as dictionaries."""
    (found,) = [line["last_minute"] for line in lines if "last_minute" in line]
    return [dict(zip(found["columns"], point)) for point in found["points"]]


def test_a_failing_run_has_its_last_minute(run, tmp_path, lines_of):
    record, rows = tmp_path / "record.jsonl", tmp_path / "rows"
    done = run("--record", record, "-i", "0.2", "-o", rows, "--", "sh", "-c",
               'while [ $(wc -l < "$0") -lt 6 ]; do sleep 0.05; done; exit 3', rows)
    lines = lines_of(record)
    points = points_of(lines)
    assert "last_minute" in lines[-2] and "end" in lines[-1]
    times = [point["t"] for point in points]
    assert times == sorted(times) and 0 < times[0] < times[-1] <= lines[-1]["end"]["seconds"] + 0.001
    assert all(point["available_bytes"] > 0 for point in points)
    assert any(point["rss_bytes"] for point in points) and points[0]["processes"] >= 1
    assert re.search(r"Last [\d.]+s +memory .* at last [\d.]+ [KM]iB", one_line(done.stderr))


@pytest.mark.parametrize("options", [("-i", "0.2"), ("-i", "5")])
def test_a_run_that_succeeds_has_no_last_minute(run, tmp_path, lines_of, options):
    record = tmp_path / "record.jsonl"
    done = run("--record", record, *options, "--", "sleep", "0.8")
    assert not any("last_minute" in line for line in lines_of(record))
    assert "Last " not in done.stderr


# Both begin after the first second, which is read often in any case.
GROW = SLEPT + """
held = []
time.sleep(1.5)
for _ in range(9):
    held.append(bytearray(b"x" * (24 << 20)))
    recorder_slept(0.25)
os.kill(os.getpid(), 9)
"""

MULTIPLY = SLEPT + """
import signal
time.sleep(1.5)
children = []
for _ in range(16):
    if (child := os.fork()) == 0:
        signal.alarm(900)
        signal.pause()
    children.append(child)
recorder_slept(2.5)
for child in children: os.kill(child, signal.SIGKILL)
for child in children: os.waitpid(child, 0)
os._exit(1)
"""


def test_growing_memory_is_read_often(run, tmp_path, lines_of, counted_group):
    # 80 MiB a second towards a limit of 512 MiB; samples come half a minute apart.
    root, _ = counted_group
    record = tmp_path / "record.jsonl"
    done = run("--root", root, "--record", record, "-i", "30", "--", sys.executable, "-c", GROW)
    assert done.returncode == 137
    lines = lines_of(record)
    points = [point for point in points_of(lines) if point["rss_bytes"]]
    rows = [line for line in lines if isinstance(line, list)]
    growing = [point for point in points if point["rss_bytes"] > 60 << 20]
    assert len(growing) >= 8 > len([row for row in rows if row[1] >= growing[0]["t"]])
    assert growing[-1]["rss_bytes"] > 150 << 20
    assert all(b["rss_bytes"] >= a["rss_bytes"] for a, b in zip(growing, growing[1:]))
    # A reading can come as early as the exec.
    rise = re.search(r"rose from ([\d.]+) (KiB|MiB) to ([\d.]+) MiB in ([\d.]+)s", one_line(done.stderr))
    assert rise and (rise[2] == "KiB" or float(rise[1]) < 60) and float(rise[3]) > 150, done.stderr
    assert without_digits(done.stderr) == without_digits(run("summary", record).stdout)


def test_multiplying_processes_are_read_often(run, tmp_path, lines_of):
    record = tmp_path / "record.jsonl"
    run("--record", record, "-i", "1", "--", os.path.realpath(sys.executable), "-c", MULTIPLY)
    points = points_of(lines_of(record))
    many = [point["t"] for point in points if point["processes"] >= 10]
    assert len(many) >= 6, points
