"""test_detach.py - --detach: a recorder in the background, for a program that measures itself."""
import contextlib
import ctypes
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from processes import children_of, stat_of, wait_for, wait_for_file


@pytest.fixture
def background(run, tmp_path):
    """background(*words, **of_run): the line of a recorder in the background, which is ended afterwards."""
    started = []

    def start(*words, **more):
        done = run("--detach", "-i", "3600", *words, **more)
        assert done.returncode == 0 and done.stderr == "" and done.stdout.count("\n") == 1, done
        started.append(json.loads(done.stdout))
        return started[-1]
    yield start
    for line in started:
        stop(line)


def recorders_of(pid):
    """The recorders in the background that are attached to it."""
    found = []
    for other in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{other}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if b"--detach" in words and str(pid).encode() in words:
            found.append(int(other))
    return found


def stop(line):
    if stat_of(line["pid"]):
        os.kill(line["pid"], signal.SIGTERM)
    wait_for(lambda: not stat_of(line["pid"]), "the recorder runs on")


def test_it_is_no_child_and_lets_go_of_the_terminal(background):
    line = background("-p", os.getpid())
    parent, group, session = (int(stat_of(line["pid"])[i]) for i in (1, 2, 3))
    assert parent != os.getpid() and group == session == line["pid"]
    assert {os.readlink(f"/proc/{line['pid']}/fd/{fd}") for fd in range(3)} == {"/dev/null"}


def test_what_was_used_since_the_last_sample_is_in_the_record(background, lines_of):
    """An interval of an hour: without a sample at the end there would be none at all."""
    line = background("-p", os.getpid())
    begun = time.process_time()
    while (used := time.process_time() - begun) < 0.3:
        pass
    stop(line)
    end = lines_of(line["environment"]["RESOURCE_TRACKER_RUN"])[-1]["end"]
    assert end["status"] == "stopped" and end["samples"] == 1
    assert end["statistics"]["process.cpu_seconds"][2] >= used


@pytest.mark.parametrize("value, end, shown", [
    (0, {"status": "exited", "exit_code": 0}, "ok"),
    (3, {"status": "exited", "exit_code": 3, "reason": {"cause": "failed", "certainty": "certain", "text": ""}}, "failed"),
])
def test_the_program_says_how_its_work_ended(background, run, lines_of, value, end, shown):
    """SIGTERM with a value; test_what_was_used_... is the one without."""
    line = background("-p", os.getpid())
    assert ctypes.CDLL(None, use_errno=True).sigqueue(line["pid"], signal.SIGTERM, ctypes.c_void_p(value)) == 0
    wait_for(lambda: not stat_of(line["pid"]), "the recorder runs on")
    found = lines_of(line["environment"]["RESOURCE_TRACKER_RUN"])[-1]["end"]
    assert {key: found[key] for key in ("status", "exit_code", "reason") if key in found} == end and found["samples"] == 1
    (one,) = json.loads(run("runs", "--json").stdout)
    assert (one["status"], one["exit_code"]) == (shown, value)


def test_the_process_that_waits_for_it_is_no_member(background, lines_of):
    """It is a child of the tracked process when the tree is looked at for the first time."""
    line = background("-p", os.getpid())
    stop(line)
    lines = lines_of(line["environment"]["RESOURCE_TRACKER_RUN"])
    assert not any("resource-tracker".startswith(row["key"]) for row in lines[-1]["end"]["tables"]["program"])
    assert lines[-1]["end"]["exits"] == 0


def test_an_attached_recorder_in_front_takes_a_last_sample_too(tracker, lines_of, tmp_path):
    record = tmp_path / "record"
    process = subprocess.Popen([tracker, "--quiet", "--record", record, "-i", "3600", "-p", str(os.getpid())])
    wait_for_file(record)
    process.terminate()
    assert process.wait() == 0
    assert lines_of(record)[-1]["end"]["samples"] == 1


def test_the_process_names_its_regions(background, run, lines_of):
    line = background("-p", os.getpid())
    for words in ["begin", "load"], ["end", "load"]:
        assert run("region", *words, env={**os.environ, **line["environment"]}).returncode == 0
    stop(line)
    assert [r["path"] for r in lines_of(line["environment"]["RESOURCE_TRACKER_RUN"])[-1]["end"]["regions"]] == ["load"]


def test_it_ends_with_what_it_is_attached_to(background, lines_of):
    victim = subprocess.Popen(["sleep", "600"])
    line = background("-p", victim.pid)
    victim.kill()
    wait_for(lambda: not stat_of(line["pid"]), "the recorder runs on")
    victim.wait()
    assert lines_of(line["environment"]["RESOURCE_TRACKER_RUN"])[-1]["end"]["status"] == "roots_ended"


def test_no_record_has_no_name(background):
    assert "RESOURCE_TRACKER_RUN" not in background("-p", os.getpid(), "--record", "none")["environment"]


def test_what_cannot_start_says_so(run):
    done = run("--detach", "-p", 2 ** 22 + 99)
    assert (done.returncode, done.stdout, done.stderr) == (125, "", "resource-tracker: there is no process 4194403\n")
    done = run("--detach", "--", "true")
    assert done.returncode == 125 and "--detach" in done.stderr


@pytest.mark.parametrize("record, sentence", [
    ("nosuch/record", "the record is not written: cannot make {}: No such file or directory"),
    ("file/", "the record is not written: cannot make file: Not a directory"),
    ("/dev/full", "cannot write to {}: No space left on device"),
])
def test_without_its_record_it_does_not_begin(run, tmp_path, record, sentence):
    """The record is all that is left of it, so a failure is known before the program goes on."""
    (tmp_path / "file").write_text("not a folder\n")
    done = run("--detach", "-p", os.getpid(), "--record", record, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr == f"resource-tracker: {sentence}\n".format(record)
    wait_for(lambda: recorders_of(os.getpid()) == [], "the recorder runs on")


def test_without_a_place_for_records_it_does_not_begin(run):
    kept = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_STATE_HOME")}
    done = run("--detach", "-p", os.getpid(), env=kept)
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr == "resource-tracker: there is no place for the record: XDG_STATE_HOME is not set, HOME is not set\n"


def test_its_record_has_begun_when_it_answers(background, lines_of):
    line = background("-p", os.getpid())
    assert "record" in lines_of(line["environment"]["RESOURCE_TRACKER_RUN"])[0]


def test_a_recorder_ends_that_cannot_write_its_line(tracker, tmp_path):
    record = tmp_path / "record"
    with open("/dev/full", "w") as full:
        done = subprocess.run([tracker, "--detach", "--record", record, "-p", str(os.getpid())], stdout=full,
                              stderr=subprocess.PIPE, text=True)
    assert done.returncode == 125 and done.stderr == "resource-tracker: cannot write to stdout\n"
    wait_for(lambda: record.exists() and '{"end":' in record.read_text(), "the recorder runs on")


def test_a_recorder_ends_whose_line_nothing_reads(tracker, tmp_path):
    """The reader is gone before the line: the write of it would end the process that writes."""
    record = tmp_path / "record"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([tracker, "--detach", "--record", record, "-p", str(os.getpid())], stdout=writer,
                          stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert done.returncode == 125 and done.stderr == "resource-tracker: cannot write to stdout\n"
    wait_for(lambda: recorders_of(os.getpid()) == [], "the recorder runs on")


def test_a_recorder_ends_if_its_line_was_not_printed(tracker, tmp_path):
    """The process that prints it is killed in its write to a full pipe, when it has read the line."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, bytes(4096))
    os.set_blocking(writer, True)
    front = subprocess.Popen([tracker, "--detach", "--record", tmp_path / "record", "-p", str(os.getpid())], stdout=writer)
    wchan = pathlib.Path(f"/proc/{front.pid}/wchan")
    wait_for(lambda: "pipe" in wchan.read_text(), "it does not write")
    front.kill()
    front.wait()
    wait_for(lambda: recorders_of(os.getpid()) == [], "the recorder runs on")
    assert '{"end":' in (tmp_path / "record").read_text()
    os.close(reader)
    os.close(writer)


def test_a_recorder_ends_when_the_process_that_waits_for_it_was_killed(tracker, tmp_path):
    """Caught between its fork and the line's way to stdout, which takes several attempts: without a record, or with a whole one."""
    for attempt in range(1000):
        records = tmp_path / str(attempt)
        front = subprocess.Popen([tracker, "--detach", "--record", f"{records}/", "-p", str(os.getpid())], stdout=subprocess.PIPE)
        while front.poll() is None and not (found := children_of(front.pid)):
            pass
        if front.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(found[0], signal.SIGSTOP)
            wait_for(lambda: front.poll() is not None or (stat_of(found[0]) or "Z")[0] in "TZ", "it is not stopped")
        front.kill()
        front.wait()
        for pid in recorders_of(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        line = front.communicate()[0]
        if not line:
            break
        stop(json.loads(line))
    assert not line, "it was never caught"
    wait_for(lambda: recorders_of(os.getpid()) == [], "the recorder runs on")
    assert all('{"end":' in path.read_text() for path in (records.iterdir() if records.exists() else ()))


def test_switched_off_it_has_nothing_to_say(run, monkeypatch):
    monkeypatch.setenv("RESOURCE_TRACKER", "off")
    done = run("--detach", "-p", os.getpid())
    assert done.returncode == 0 and done.stdout == ""
