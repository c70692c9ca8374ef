"""test_hooks.py - --on-end and --on-limit: programs that learn of a run, and cannot touch it."""
import json
import os
import pathlib
import re
import signal
import sys
import time

import pytest

from processes import wait_for

STILL = re.compile(r"resource-tracker: --on-end, --on-limit: \d+ of their programs still ran when recording ended, and go on\n")
BUSY = "import time\nend = time.time() + 3\nwhile time.time() < end: pass\n"


@pytest.fixture
def run(run):
    """
    As everywhere; .late: a program was not over when the recorder had waited a second for it, which is said, and left out
    of its stderr here.  All of them have ended by then: they have its stderr.
    """
    def start(*words, **more):
        began = time.monotonic()
        done = run(*words, **more)
        done.late = bool(done.stderr and STILL.search(done.stderr))
        assert not done.late or time.monotonic() - began >= 1
        done.stderr = done.stderr and STILL.sub("", done.stderr)
        return done
    return start


@pytest.fixture
def notify(tmp_path):
    """notify(text): a program that keeps what it is told, each call in a file of its own, and then runs text."""
    folder = tmp_path / "calls"
    folder.mkdir()

    def make(text="", reads=True):
        path = tmp_path / "notify"
        path.write_text(f"#!{sys.executable} -I\nimport os, sys, time, signal\n"
                        f"told = sys.stdin.read() if {reads} else ''\n"
                        f"part = '{folder}/.' + str(os.getpid())\n"
                        "open(part, 'w').write(told)\n"
                        f"os.rename(part, '{folder}/' + str(os.getpid()))\n{text}\n")
        path.chmod(0o755)
        return path
    make.calls = lambda: [json.loads(call.read_text() or "null") for call in folder.iterdir() if call.name[0] != "."]
    make.pids = lambda: [int(call.name) for call in folder.iterdir() if call.name[0] != "."]
    return make


def test_the_end_with_its_facts(run, notify, tmp_path):
    record = tmp_path / "run.jsonl"
    done = run("-i", "0.1", "-n", "nightly", "--tag", "a=b", "--record", record, "--on-end", notify(), "--",
               "sh", "-c", "sleep 0.3; exit 3")
    assert done.returncode == 3 and "on-end" not in done.stderr
    [facts] = notify.calls()
    assert (facts["event"], facts["limit"], facts["status"], facts["exit_code"]) == ("end", None, "failed", 3)
    assert facts["record"] == str(record) and facts["metadata"]["job_name"] == "nightly" and facts["command"][0] == "sh"
    of_runs = json.loads(run("summary", "--json", record).stdout)
    for key in ("id", "start", "host", "command", "pids", "samples", "status", "exit_code", "signal", "tags", "metadata"):
        assert facts.get(key) == of_runs.get(key), key
    assert facts["quantities"].keys() == of_runs["quantities"].keys()
    assert facts["quantities"]["cpu_time"] == pytest.approx(of_runs["quantities"]["cpu_time"], abs=1e-5)
    assert facts["quantities"]["duration"] == pytest.approx(of_runs["quantities"]["duration"], abs=1e-3)


def test_the_record_is_complete_by_then(run, tmp_path):
    (tmp_path / "notify").write_text(f"#!{sys.executable} -I\nimport sys, json\n"
                                     f"record = json.load(sys.stdin)['record']\n"
                                     f"open('{tmp_path}/end', 'w').write(open(record).read().splitlines()[-1])\n")
    (tmp_path / "notify").chmod(0o755)
    assert run("--on-end", tmp_path / "notify", "--", "true").returncode == 0
    assert json.loads((tmp_path / "end").read_text())["end"]["status"] == "exited"


def test_without_a_record_and_killed(run, notify):
    done = run("--record", "none", "--on-end", notify(), "--on-end", f"{notify()} again", "--", "sh", "-c", "kill -9 $$")
    assert done.returncode == 128 + signal.SIGKILL
    assert len(notify.calls()) == 2
    for facts in notify.calls():
        assert (facts["record"], facts["status"], facts["signal"]) == (None, "killed", 9)


def test_attached_and_the_machine(run, notify):
    assert run("-i", "0.1", "--samples", "2", "-o", "/dev/null", "--on-end", notify(), "--pid", os.getpid()).returncode == 0
    assert run("-i", "0.1", "--samples", "2", "-o", "/dev/null", "--on-end", notify()).returncode == 0
    assert sorted(len(facts["pids"]) for facts in notify.calls()) == [0, 1]
    assert {facts["status"] for facts in notify.calls()} == {"stopped"}


def test_a_command_that_cannot_be_run_was_no_run(run, notify):
    assert run("--on-end", notify(), "--", "no-such-command").returncode == 127
    assert not notify.calls()


@pytest.mark.parametrize("text, reads, sentence", [
    ("sys.exit(4)", True, "ended with exit status 4"),
    ("os.kill(os.getpid(), 9)", True, "was ended by signal 9"),
    ("", False, None),
])
def test_what_goes_wrong_with_one(run, notify, text, reads, sentence):
    """The status is that of the command."""
    done = run("--on-end", notify(text, reads), "--", "sh", "-c", "exit 5")
    assert done.returncode == 5 and len(notify.calls()) == 1
    assert sentence in done.stderr or done.late if sentence else "on-end" not in done.stderr


def test_one_that_is_missing(run):
    done = run("--on-end", "/no/such/program", "--", "sh", "-c", "exit 5")
    assert done.returncode == 5
    assert "--on-end: /no/such/program ended with exit status 127: not found" in done.stderr or done.late
    assert "on-end" not in run("--quiet", "--on-end", "/no/such/program", "--", "true").stderr


def test_one_that_hangs(run, notify, tmp_path):
    """It goes on, and is nobody's zombie; the command's status is there long before it ends."""
    done = run("--on-end", notify("time.sleep(1000)", reads=False), "--", "sh", "-c", "exit 5",
               stdout=open(tmp_path / "out", "w"), stderr=open(tmp_path / "err", "w"))
    assert done.returncode == 5
    assert "1 of their programs still ran when recording ended" in (tmp_path / "err").read_text()
    [pid] = wait_for(notify.pids, "it begins")
    assert pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().endswith(b"notify\0")
    os.kill(pid, signal.SIGKILL)


def test_no_shell(run, notify, tmp_path):
    done = run("--on-end", f"{notify()} ; touch {tmp_path}/made $HOME", "--", "true")
    assert done.returncode == 0 and len(notify.calls()) == 1 and not (tmp_path / "made").exists()


def test_a_limit_is_reported_once_while_it_lasts(run, notify):
    # Not more often: ten samples in which a busy machine gives it no CPU would be an end of it.
    done = run("-i", "0.5", "--on-limit", f"cpu>0.001 {notify()}", "--on-limit",
               f"memory>99.9% {notify()}", "--on-limit", f"memory>1MiB {notify()}", "--", sys.executable, "-I", "-c", BUSY)
    assert done.returncode == 0 and "on-limit" not in done.stderr
    calls = notify.calls()
    limits = sorted(facts["limit"] for facts in calls)
    assert limits == ["cpu>0.001", "memory>1MiB"]
    for facts in calls:
        assert facts["event"] == "limit" and facts["status"] == "running" and facts["exit_code"] is None
        assert facts["value"] > (0.001 if facts["limit"] == "cpu>0.001" else 1 << 20)


def test_it_is_no_part_of_the_job(run, notify, tmp_path):
    """A program that is busy: neither its CPU time nor its name is in the record, and it is reaped."""
    record, fifo = tmp_path / "run.jsonl", tmp_path / "fifo"
    os.mkfifo(fifo)
    burn = f"while time.process_time() < 0.5: pass\nopen('{fifo}', 'w').close()"
    done = run("-i", "0.1", "--record", record, "--on-limit", f"memory>4KiB {notify(burn)}", "--",
               "sh", "-c", f"cat {fifo}; sleep 0.3")
    assert done.returncode == 0
    facts = json.loads(run("summary", "--json", record).stdout)
    assert {program["name"] for program in facts["programs"]} <= {"sh", "cat", "sleep"}
    assert facts["quantities"]["cpu_time"] < 0.4


@pytest.mark.parametrize("value, sentence", [
    ("memroy>90% x", "did you mean memory?"), ("memory>90%", "needs a program"), ("memory x", "as memory>90%"),
])
def test_a_wrong_limit_is_an_error_before_anything_starts(run, tmp_path, value, sentence):
    done = run("--on-limit", value, "--", "touch", tmp_path / "made")
    assert done.returncode == 125 and sentence in done.stderr and not (tmp_path / "made").exists()


def test_too_many(run):
    done = run(*["--on-end", "x"] * 9, "--", "true")
    assert done.returncode == 125 and "more than 8" in done.stderr


def test_in_a_config_file(run, notify, tmp_path):
    config = tmp_path / "config.toml"
    config.write_text(f'[hooks]\non_end = "{notify()}"\n')
    config.chmod(0o600)
    assert run("--config", config, "--", "true").returncode == 0
    assert len(notify.calls()) == 1
    (tmp_path / "resource-tracker.toml").write_text(f'[hooks]\non_end = "{notify()}"\n')
    done = run("--", "true", cwd=tmp_path)
    assert done.returncode == 0 and len(notify.calls()) == 1 and "on_end" in done.stderr
