"""test_adopted_child.py - a recorder around a child that was forked before it began, as the plugin of Slurm starts it."""
import json
import os
import signal
import subprocess

import pytest

# Forks the command, which waits at a pipe, and becomes its recorder.
STARTER = """
import os, sys
tracker, options, command = sys.argv[1], sys.argv[2].split(), sys.argv[3:]
go, let_go = os.pipe()
task = os.fork()
if task == 0:
    os.close(let_go)
    os.read(go, 1)
    os.execvp(command[0], command)
os.close(go)
os.set_inheritable(let_go, True)
os.execv(tracker, ["resource-tracker", f"--adopted-child={task},{let_go}", *options, "--", *command])
"""


@pytest.fixture
def start(tracker):
    """start(options, *command): the finished pair."""
    def both(options, *command, **more):
        return subprocess.run(["/usr/bin/python3", "-c", STARTER, tracker, options, *command], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, **more)
    return both


def test_the_child_is_recorded_and_its_status_is_ours(start, tmp_path, lines_of):
    done = start(f"-q --record {tmp_path}/run.jsonl", "sh", "-c", "echo out; exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, "out\n", "")
    lines = lines_of(tmp_path / "run.jsonl")
    assert lines[0]["command"] == ["sh", "-c", "echo out; exit 7"] and lines[-1]["end"]["exit_code"] == 7


def test_its_whole_use_is_in_the_record(start, run, tmp_path):
    done = start(f"-q --record {tmp_path}/run.jsonl", "/usr/bin/python3", "-c",
                 "import time\nwhile time.process_time() < 0.5: pass\nprint(time.process_time())")
    used = json.loads(run("summary", tmp_path / "run.jsonl", "--json").stdout)["quantities"]["cpu_time"]
    assert used >= float(done.stdout) * 0.97


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGUSR1, signal.SIGABRT])
def test_it_dies_of_the_same_signal(start, tmp_path, lines_of, number):
    assert start(f"-q --record {tmp_path}/run.jsonl", "sh", "-c", f"kill -{number} $$").returncode == -number
    assert lines_of(tmp_path / "run.jsonl")[-1]["end"]["signal"] == number


@pytest.mark.parametrize("options", ["--no-such-option", "--record %q", "--record a -o a", "-i 0", "-o /nonexistent/x"])
def test_whatever_is_wrong_the_child_runs(start, tmp_path, options):
    done = start(options, "sh", "-c", "echo ran; exit 5", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (5, "ran\n", 1)
    assert start(options, "sh", "-c", "kill -KILL $$", cwd=tmp_path).returncode == -signal.SIGKILL


def test_off_records_nothing_and_runs_it_once(start, tmp_path):
    done = start(f"-q --record {tmp_path}/run.jsonl", "sh", "-c", "echo ran; exit 6", env={**os.environ, "RESOURCE_TRACKER": "off"})
    assert (done.returncode, done.stdout, done.stderr) == (6, "ran\n", "") and not (tmp_path / "run.jsonl").exists()


def test_a_program_that_is_not_there_is_the_childs_matter(start, tmp_path, lines_of):
    done = start(f"-q --record {tmp_path}/run.jsonl", "no-such-program")
    assert done.returncode == 1 and "FileNotFoundError" in done.stderr
    assert lines_of(tmp_path / "run.jsonl")[-1]["end"]["exit_code"] == 1


@pytest.mark.parametrize("word", ["1,3", "0,3", "x", "", "99999999999,3", "1", "1,", "1,-1", "1,3,4"])
def test_a_process_that_is_no_child_is_refused(run, word):
    done = run(f"--adopted-child={word}", "--", "true")
    assert (done.returncode, done.stderr.count("\n")) == (125, 1) and "adopted-child" in done.stderr
