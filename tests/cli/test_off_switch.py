"""test_off_switch.py - RESOURCE_TRACKER=off: nothing is recorded, wherever recording is requested."""
import json
import os
import shutil
import signal
import subprocess

import pytest

from processes import wait_for_file

STRANGER = 65534


@pytest.fixture
def off(monkeypatch):
    monkeypatch.setenv("RESOURCE_TRACKER", "off")


def nothing_was_made(tmp_path):
    return [path.name for path in tmp_path.rglob("*")] == []


def seen(program, *arguments):
    """A command's view of itself: pid, environment, descriptors, signals; its arguments, and its exit status."""
    script = ("import json, os, signal, sys; json.dump([os.getpid(), os.getppid(), dict(os.environ), sorted(os.listdir('/proc/self/fd')),"
              "[l for l in open('/proc/self/status') if l.startswith(('SigBlk', 'SigIgn'))], os.getcwd(), sys.argv[1:],"
              "open('/proc/self/cgroup').read()], sys.stdout); sys.exit(7)")
    words = [*program, "/usr/bin/python3", "-c", script, *arguments]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate()
    assert (process.returncode, err) == (7, b"")
    found = json.loads(out)
    assert found.pop(0) == process.pid
    return found


@pytest.mark.parametrize("word", ["off", "OFF", "no", "false", "0"])
def test_the_command_replaces_the_tracker(tracker, tmp_path, monkeypatch, word):
    monkeypatch.setenv("RESOURCE_TRACKER", word)
    monkeypatch.setenv("RESOURCE_TRACKER_OUTPUT", "o.csv")          # possibly of an enclosing tracker
    monkeypatch.setenv("RESOURCE_TRACKER_INTERVAL", "nonsense")
    monkeypatch.setenv("RESOURCE_TRACKER_RUN", "/the/outer.jsonl")
    monkeypatch.chdir(tmp_path)
    for options in ([], ["-i", "5", "--"], ["--csv", "combined", "-o", "x.csv", "--record", "x.jsonl"], ["-c", "no/such", "-q", "--"]):
        assert seen([tracker, *options], "-q", "a b") == seen([], "-q", "a b")
    assert nothing_was_made(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root and setpriv")
def test_for_another_user_too(off, open_tracker, open_path):
    as_stranger = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups"]
    assert seen([*as_stranger, open_tracker, "--record", f"{open_path}/x/"], "x") == seen(as_stranger, "x")
    assert sorted(os.listdir(open_path)) == ["resource-tracker"]


def test_signals_and_statuses_are_those_of_the_command(off, tracker, run, tmp_path):
    assert run("--", "sh", "-c", "exit 3").returncode == 3
    assert run("--", "sh", "-c", "kill -9 $$").returncode == -9     # not 128 + 9: there is no process in between
    pid = tmp_path / "pid"
    process = subprocess.Popen([tracker, "--", "sh", "-c", f"echo $$ > {pid}; exec sleep 1000"])
    assert int(wait_for_file(pid)) == process.pid
    process.send_signal(signal.SIGTERM)
    assert process.wait() == -signal.SIGTERM


@pytest.mark.parametrize("words, status, says", [
    (["no-such-command"], 127, "cannot run 'no-such-command'"), (["--", "/"], 126, "cannot run '/'"), (["runz"], 127, "did you mean runs?"),
    (["--no-such-option", "true"], 125, "--no-such-option"), (["--"], 125, "followed by no command"), (["-i"], 125, "-i"),
])
def test_a_command_that_cannot_be_run_gives_one_sentence(off, run, words, status, says):
    done = run(*words)
    assert (done.returncode, done.stdout) == (status, "") and done.stderr.count("\n") == 1
    assert says in done.stderr


@pytest.mark.parametrize("words", [[], ["--csv", "system"], ["--pid", "1"], ["--pid", "nonsense"], ["-o", "x.csv", "--record", "x.jsonl"]])
def test_nothing_is_watched(off, run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "resource-tracker: RESOURCE_TRACKER=off: nothing is watched and nothing is recorded\n"
    for quiet in ("-q", "--quiet", "--quiet=yes"):
        assert run(quiet, *words).stderr == ""
    assert run("--quiet=no", *words).stderr != ""
    assert nothing_was_made(tmp_path)


def test_commands_that_record_nothing_work_as_usual(off, run, tmp_path, monkeypatch):
    assert run("--help").stdout.startswith("resource-tracker ") and run("--version").returncode == 0
    assert json.loads(run("runs", "--json").stdout) == []
    assert run("top").returncode == 125
    lines = tmp_path / "lines"
    lines.touch()
    monkeypatch.setenv("RESOURCE_TRACKER_REGIONS", str(lines))      # of an enclosing tracker
    assert run("region", "begin", "load").returncode == 0 and "begin load" in lines.read_text()


@pytest.mark.parametrize("word", ["", "on", "ON", "yes", "1", "true"])
def test_on_changes_nothing(run, tmp_path, monkeypatch, word):
    monkeypatch.setenv("RESOURCE_TRACKER", word)
    done = run("--record", tmp_path / "x.jsonl", "--", "sh", "-c", "echo $RESOURCE_TRACKER")
    assert done.stdout == f"{word}\n" and "neither off" not in done.stderr and (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize("word", ["offf", "/usr/bin/resource-tracker", "2", "\x1b[31m", "x" * 10_000])
def test_another_word_is_a_warning(run, tmp_path, monkeypatch, word):
    monkeypatch.setenv("RESOURCE_TRACKER", word)
    record = tmp_path / "x.jsonl"
    done = run("--record", record, "--", "sh", "-c", "exit 3")
    assert done.returncode == 3 and record.exists()
    assert done.stderr.startswith("resource-tracker: the variable RESOURCE_TRACKER is '") and "\x1b" not in done.stderr
    assert done.stderr.partition("\n")[0].endswith("neither off nor on: it means on")
    assert run("--quiet", "--record", record, "--", "true").stderr == ""


def test_an_inner_tracker_is_off_as_well(off, run, tracker, tmp_path):
    done = run("--", tracker, "--record", f"{tmp_path}/in.jsonl", "--", tracker, "-f", "json", "--", "echo", "x")
    assert (done.returncode, done.stdout, done.stderr) == (0, "x\n", "") and nothing_was_made(tmp_path)


def test_verify_measures_all_the_same(off, run):
    done = run("verify", "--json", "--only", "threads")
    if "is not installed" in done.stderr:
        pytest.skip("not built here")
    assert done.returncode != 125, done.stderr
    assert all(figure["reported"] is not None for figure in json.loads(done.stdout)["figures"])
