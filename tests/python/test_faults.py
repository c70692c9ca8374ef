"""test_faults.py - what happens to a track when something goes wrong around it."""
import json
import os
import pathlib
import signal
import subprocess

import pytest

from processes import stat_of, wait_for, wait_for_file

# The recorders of this process that run.
RECORDERS = """
def recorders():
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{pid}/cmdline", "rb").read().split(b"\\0")
        except OSError:
            continue
        if words[1:4] == [b"--pid", str(os.getpid()).encode(), b"--detach"]:
            found.append(int(pid))
    return found
"""
PID = "recorder = __import__('resource_tracker._track')._track._recorders[-1]._pid\n"


def test_a_recorder_that_is_killed(python):
    """An exception at the end that says so, and the samples until then."""
    sentence, path, rows, fds = python(f"""
fds = sorted(os.listdir("/proc/self/fd"))
try:
    with resource_tracker.track(interval=0.02) as run:
        {PID.strip()}
        while run.samples.rows < 3:
            time.sleep(0.01)
        os.kill(recorder, signal.SIGKILL)
except resource_tracker.RecorderError as error:
    show(str(error))
show(run.record_path, run.samples.rows, fds == sorted(os.listdir("/proc/self/fd")))
""")
    assert sentence == f"the recorder was killed, or could not write the end of its record; {path} has the samples until then"
    assert rows >= 3 and fds


def test_a_recorder_that_hangs(python):
    """The program does not wait for it for ever."""
    sentence, = python(f"""
from resource_tracker import _recorder
try:
    with resource_tracker.track(interval=0.02) as run:
        {PID.strip()}
        while run.samples.rows < 1: time.sleep(0.01)
        _recorder.ENOUGH_SECONDS = 0.05
        os.kill(recorder, signal.SIGSTOP)
        while open(f"/proc/{{recorder}}/stat").read().rpartition(")")[2].split()[0] != "T": time.sleep(0.001)
except resource_tracker.RecorderError as error:
    show(str(error))
os.kill(recorder, signal.SIGCONT)
""")
    assert sentence.startswith("the recorder does not end; ")


def test_an_exception_of_the_block_is_more_than_one_of_ours(python):
    assert python(f"""
try:
    with resource_tracker.track() as run:
        {PID.strip()}
        os.kill(recorder, signal.SIGKILL)
        raise LookupError("mine")
except LookupError as error:
    show(str(error))
""") == ["mine"]


def test_a_fork_in_the_middle(python):
    """The child leaves the block, too: the parent's recorder goes on, and the child's work is part of the run."""
    child, status, used, least, most = python("""
import resource
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
def cpu(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime
pid, before = -1, cpu(resource.RUSAGE_SELF)
with resource_tracker.track(interval=0.1) as run:
    begun = cpu(resource.RUSAGE_SELF)
    pid = os.fork()
    burn(0.3)
    if pid: os.waitpid(pid, 0)
    children, ended = cpu(resource.RUSAGE_CHILDREN), cpu(resource.RUSAGE_SELF)
if pid == 0:
    show(run.info["status"])
    os._exit(0)
after = cpu(resource.RUSAGE_SELF)
show(run.info["status"], run.summary()["cpu_time"], ended - begun + children, after - before + children)
""")
    # The recorder begins and ends while this process is entering and leaving the block.
    assert (child, status) == ("running", "exited") and least >= 0.6 and least - 0.06 <= used <= most + 0.06


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_join_the_recorder_of_their_parent(python, method):
    outer, joined, regions = python(f"""
import multiprocessing
def work(n):
    with resource_tracker.track("part") as run:
        time.sleep(0.05)
    return run.record_path
if __name__ == "__main__":
    with resource_tracker.track(interval=0.1) as run:
        with multiprocessing.get_context("{method}").Pool(1) as pool:
            paths = pool.map(work, range(2))
            pool.close(); pool.join()
    show(run.record_path, paths, {{name: sums["count"] for name, sums in run.regions.items()}})
""")
    assert set(joined) == {outer} and regions == {"part": 2}


@pytest.mark.parametrize("how", ["ended", "killed", "temporary"])
def test_a_child_does_not_join_a_record_that_is_over(python, tmp_path, how):
    """It was born in the block of its parent, so its variables name that record; it has a recorder of its own then."""
    settings = {"RESOURCE_TRACKER_RECORD": "none", "TMPDIR": str(tmp_path)} if how == "temporary" else {}
    outer, inner, status, used, around, names = python(f"""
go, ask = os.pipe()
track = resource_tracker.track(interval=3600)
run = track.__enter__()
pid = os.fork()
if pid == 0:
    os.read(go, 1)
    names, before = dict(os.environ), time.process_time()
    with resource_tracker.track(interval=3600) as part:
        end = time.thread_time() + 0.3
        while time.thread_time() < end: pass
    around = time.process_time() - before
    show(part.record_path, part.info["status"], part.summary()["cpu_time"], around, dict(os.environ) == names)
    os._exit(0)
show(run.record_path)
if {how == "killed"}:
    {PID.strip()}
    os.kill(recorder, signal.SIGKILL)
try:
    track.__exit__(None, None, None)
except resource_tracker.RecorderError:
    assert {how == "killed"}
del run, track
os.write(ask, b"1")
assert os.waitpid(pid, 0)[1] == 0
""", **settings)
    assert outer != inner and status == "exited" and 0.25 <= used <= around + 0.05 and names


def test_the_interpreter_is_killed(python, tmp_path, recorder):
    """The recorder ends by itself, and the record is whole."""
    pid, path = python(f"""
track = resource_tracker.track(interval=0.05)
run = track.__enter__()
{PID}
show(recorder, run.record_path)
while not os.path.exists(run.record_path): time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)
""", fails=True)
    wait_for(lambda: not stat_of(pid), "the recorder runs on")
    assert json.loads(pathlib.Path(path).read_text().splitlines()[-1])["end"]["status"] == "roots_ended"


def test_an_interrupt_reaches_the_block_alone(package, environment, tmp_path):
    """^C goes to the whole group of the terminal: the recorder is in none of it."""
    script = tmp_path / "script.py"
    script.write_text("import resource_tracker, time\n"
                      "try:\n    with resource_tracker.track(record='r.jsonl') as run:\n        open('up', 'w').write('1')\n"
                      "        while True: time.sleep(0.01)\nexcept KeyboardInterrupt:\n    print(run.info['status'], run.info['value'])\n")
    process = subprocess.Popen([package / "venv/bin/python", script], cwd=tmp_path, env=environment, stdout=subprocess.PIPE,
                               text=True, start_new_session=True)
    wait_for_file(tmp_path / "up")
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate()[0] == "exited 130\n" and process.returncode == 0


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("usual", [True, False])
def test_an_interrupt_while_the_block_begins_leaves_no_recorder(python, when, usual):
    """It comes when the recorder's answer is on its way; with a handler of the program's own, too."""
    raised, left, restored, names = python(f"""{RECORDERS}
from resource_tracker import _programs
class Mine(Exception): pass
def handler(number, frame): raise Mine
if not {usual}:
    signal.signal(signal.SIGINT, handler)
before = signal.getsignal(signal.SIGINT)
answer = _programs.output
def interrupted(*arguments, **named):
    if "{when}" == "before": os.kill(os.getpid(), signal.SIGINT)
    line = answer(*arguments, **named)
    if "{when}" == "after": os.kill(os.getpid(), signal.SIGINT)
    return line
_programs.output = interrupted
try:
    with resource_tracker.track(interval=3600):
        show("the block runs")
except BaseException as error:
    show(type(error).__name__)
show(recorders(), signal.getsignal(signal.SIGINT) is before, [n for n in os.environ if n.startswith("RESOURCE_TRACKER")])
""")
    assert raised == ("KeyboardInterrupt" if usual else "Mine") and left == names == [] and restored


def test_interrupts_from_a_terminal_leave_no_recorder(python):
    """They reach the whole group, at each time of the beginning or the block."""
    assert python(f"""{RECORDERS}
import threading
for n in range(25):
    try:
        threading.Timer(n / 1000, os.killpg, (os.getpgrp(), signal.SIGINT)).start()
        with resource_tracker.track(interval=3600):
            while True: time.sleep(1)
    except KeyboardInterrupt:
        pass
while recorders():
    time.sleep(0.01)
show("none")
""", prefix=["setsid", "--wait"]) == ["none"]


def test_a_home_that_cannot_be_written_to(python, environment, tmp_path):
    """The record is a file that goes away with the run."""
    place = tmp_path / "file"
    place.write_text("no folder")
    path, used, left = python("""
import glob
with resource_tracker.track() as run:
    pass
show(run.record_path, run.summary()["duration"] > 0)
path = run.record_path
del run
show(os.path.exists(path))
""", XDG_STATE_HOME=str(place), TMPDIR=str(tmp_path))
    assert pathlib.Path(path).parent == tmp_path and used and not left


@pytest.mark.parametrize("record, sentence", [
    ("nosuch/r.jsonl", "the record is not written: cannot make nosuch/r.jsonl: No such file or directory"),
    ("/dev/full", "cannot write to /dev/full: No space left on device"),
])
def test_a_record_that_cannot_be_made_is_known_before_the_block(python, record, sentence):
    """Neither the block nor a decorated function runs, so no result of it is lost."""
    assert python("""
ran = []
try:
    with resource_tracker.track(record=sys.argv[1]):
        ran.append("the block")
except resource_tracker.RecorderError as error:
    show(str(error))
@resource_tracker.track(record=sys.argv[1])
def function():
    ran.append("the function")
try:
    function()
except resource_tracker.RecorderError as error:
    show(str(error))
show(ran, [n for n in os.environ if n.startswith("RESOURCE_TRACKER")])
""", record) == [sentence, sentence, [], []]


def test_no_record_in_the_settings(python, tmp_path):
    """A track needs one: it is a file that goes away with the run."""
    status, place = python("""
with resource_tracker.track() as run:
    pass
show(run.info["status"], os.path.dirname(run.record_path))
""", RESOURCE_TRACKER_RECORD="none", TMPDIR=str(tmp_path))
    assert status == "exited" and place == str(tmp_path)


def test_what_cannot_be_started_has_a_sentence(python, package, environment, tmp_path):
    sentence, = python("""
from resource_tracker import _programs
_programs._BUNDLED = "/nosuch"
try:
    with resource_tracker.track(): pass
except resource_tracker.RecorderError as error:
    show(str(error))
""", PATH="/nosuch")
    assert sentence == "resource-tracker is neither in /nosuch nor on PATH"
    sentence, = python("""
try:
    with resource_tracker.track(tags={"a=b": "\\n"}, interval=1e99): pass
except resource_tracker.RecorderError as error:
    show(str(error))
""")
    assert "--interval" in sentence


def unpacked(recorder, tmp_path):
    """The programs of the package as an unpacker leaves them that knows no modes."""
    folder = tmp_path / "unpacked"
    folder.mkdir()
    for path in recorder.parent.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
        (folder / path.name).chmod(0o644)
    return folder


def test_programs_that_cannot_be_executed_are_mended(python, tmp_path, recorder):
    folder = unpacked(recorder, tmp_path)
    duration, = python(f"""
from resource_tracker import _programs
_programs._BUNDLED = "{folder}"
with resource_tracker.track() as run: pass
show(run.summary()["duration"] > 0)
""")
    assert duration and {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o755}


def test_programs_that_cannot_be_mended_are_named(python, tmp_path, recorder):
    folder = unpacked(recorder, tmp_path)
    sentence, = python(f"""
from resource_tracker import _programs
_programs._BUNDLED = "{folder}"
def refuses(*_): raise PermissionError(1, "Operation not permitted")
os.chmod = refuses
try:
    with resource_tracker.track(): pass
except resource_tracker.RecorderError as error:
    show(str(error))
""", PATH="/nosuch")
    assert sentence == f"{folder}/resource-tracker is not executable: chmod +x {folder}/resource-tracker"


def test_a_program_on_the_path_where_none_is_bundled(python, tmp_path, recorder):
    folder = tmp_path / "programs"
    folder.mkdir()
    for path in recorder.parent.iterdir():
        (folder / path.name).symlink_to(path)
    assert python("""
from resource_tracker import _programs
_programs._BUNDLED = "/nosuch"
with resource_tracker.track() as run: pass
show(_programs.find(), run.info["status"])
""", PATH=f"{folder}:/usr/bin:/bin") == [f"{folder}/resource-tracker", "exited"]


def test_switched_off(python, tmp_path):
    """The program runs as it would: nothing is recorded, and nothing fails for that."""
    assert python("""
with resource_tracker.track() as run:
    with resource_tracker.region("a"): pass
show(run.record_path, run.samples.rows)
try:
    run.summary()
except resource_tracker.RecordError as error:
    show(str(error))
""", RESOURCE_TRACKER="off") == [None, 0, "nothing was recorded"]
    assert not (tmp_path / "state").exists()


def test_a_recorder_from_before_pidfds(python):
    """Kernels before 5.3, and sandboxes that refuse the call."""
    assert python("""
def refuses(*_): raise OSError(38, "Function not implemented")
os.pidfd_open = refuses
for _ in range(3):
    with resource_tracker.track() as run: pass
    show(run.info["status"])
""") == ["exited"] * 3
