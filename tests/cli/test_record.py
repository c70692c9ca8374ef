"""test_record.py - the place of a run's record, and its permissions."""
import errno
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import time

import pytest


def records():
    return sorted((pathlib.Path(os.environ["XDG_STATE_HOME"]) / "resource-tracker" / "runs").glob("*.jsonl"))


def test_only_its_owner_can_read_a_record(run):
    os.umask(0o000)
    assert run("--quiet", "--", "true").returncode == 0
    os.umask(0o022)
    (record,) = records()
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert stat.S_IMODE(record.parent.stat().st_mode) & 0o077 == 0
    assert record.name.endswith(".jsonl")
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert len(lines) >= 3                      # header, a row, footer


def test_a_command_that_ends_at_once_has_a_whole_record(run):
    # No thread is started for it: if the folder is known, its lines are written at the end, else by a thread.  Without a
    # sample before its end, on a busy machine as well.
    for n in range(1, 4):
        done = run("-i", "600", "--", "sh", "-c", "exit 3")
        assert done.returncode == 3 and str(records()[-1]) in done.stderr
        assert len(records()) == n
    for record in records():
        text = record.read_text()
        lines = [json.loads(line) for line in text.splitlines()]
        assert text.endswith("\n") and lines[0]["record"] == "resource-tracker"
        assert lines[0]["command"] == ["sh", "-c", "exit 3"]
        ended = [line["exit"] for line in lines if "exit" in line]
        assert [(e["name"], e["exact"]) for e in ended] == [("sh", True)]
        assert len([line for line in lines if isinstance(line, list) and line[0] == "r"]) == 1
        assert lines[-1]["end"]["exit_code"] == 3 and lines[-1]["end"]["dropped_lines"] == 0
        assert stat.S_IMODE(record.stat().st_mode) == 0o600


def test_a_command_that_cannot_be_run_leaves_no_record(run):
    assert run("--", "true").returncode == 0
    assert run("--", "/no/such/command").returncode == 127
    assert len(records()) == 1


def test_every_run_has_a_record_of_its_own(run):
    for _ in range(3):
        run("--quiet", "--", "true")
    assert len(records()) == 3


def test_a_watch_is_recorded_on_request_only(run, tmp_path):
    run("-i", "0.05", "--samples", "1")
    assert records() == []
    run("-i", "0.05", "--samples", "1", "--record", tmp_path / "mine.jsonl")
    assert records() == [] and (tmp_path / "mine.jsonl").exists()


def test_none_file_and_directory(run, tmp_path):
    run("--quiet", "--record", "none", "--", "true")
    assert records() == []
    run("--quiet", "--record", tmp_path / "one.jsonl", "--", "true")
    assert stat.S_IMODE((tmp_path / "one.jsonl").stat().st_mode) == 0o600
    run("--quiet", "--record", f"{tmp_path}/many/", "--", "true")
    run("--quiet", "--record", f"{tmp_path}/many", "--", "true")
    assert len(list((tmp_path / "many").glob("*.jsonl"))) == 2
    assert records() == []


@pytest.mark.parametrize("folder", ["many", "many/"])
def test_the_path_of_a_record_in_a_folder_has_one_slash(run, tmp_path, folder):
    (tmp_path / "many").mkdir()
    done = run("--record", f"{tmp_path}/{folder}", "--", "sh", "-c", 'echo "${RESOURCE_TRACKER_RUN-}"')
    record, = (tmp_path / "many").glob("*.jsonl")
    assert str(record) in "".join(done.stderr.split()) and "//" not in done.stdout + done.stderr
    assert done.stdout == (f"{record}\n" if folder.endswith("/") else "\n")


def test_no_home_at_all(run, monkeypatch):
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    done = run("--", "sh", "-c", "exit 3")
    assert done.returncode == 3
    assert "XDG_STATE_HOME is not set, HOME is not set" in " ".join(done.stderr.split())
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", "relative, too")
    done = run("--", "sh", "-c", "exit 3")
    assert done.returncode == 3
    assert "XDG_STATE_HOME is not an absolute path, HOME is not an absolute path" in " ".join(done.stderr.split())


@pytest.mark.parametrize("where", ["default", "--record DIR/"])
def test_the_reason_is_that_of_the_first_failure(run, monkeypatch, where):
    """No user can make a folder in /sys.  Regression: the reason was "No such file or directory", of the next try."""
    if where == "default":
        monkeypatch.setenv("XDG_STATE_HOME", "/sys")
        done, folder = run("--", "sh", "-c", "exit 3"), "/sys/resource-tracker"
    else:
        done, folder = run("--record", "/sys/new/", "--", "sh", "-c", "exit 3"), "/sys/new"
    reasons = [os.strerror(error) for error in (errno.EPERM, errno.EACCES, errno.EROFS)]
    assert done.returncode == 3
    said = " ".join(done.stderr.split())
    assert any(re.search(f"cannot make {folder}[^:]*: {reason}", said) for reason in reasons), done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
def test_a_folder_with_write_permission_only(run, open_path, open_tracker):
    """A drop box."""
    box = open_path / "box"
    box.mkdir()
    box.chmod(0o733)
    done = run("--quiet", "--record", f"{box}/", "--", "true", program=open_tracker, cwd="/", user=65534, group=65534,
               extra_groups=[])
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.suffix for path in box.iterdir()] == [".jsonl"]


def test_a_folder_that_another_run_makes_meanwhile(run, tmp_path):
    """Regression: "File exists" led to no record.  With such a link mkdir(2) returns it at any time."""
    (tmp_path / "link").symlink_to("missing")
    said = " ".join(run("--record", f"{tmp_path}/link/", "--", "true").stderr.split())
    assert f"{tmp_path}/link" in said and os.strerror(errno.ENOENT) in said and os.strerror(errno.EEXIST) not in said


def test_a_companion_that_cannot_be_run(tracker, tmp_path):
    """Not "No such file or directory", which is the error of the next folder tried."""
    shutil.copy(tracker, tmp_path / "resource-tracker")
    (tmp_path / "resource-tracker-plot").write_text("")
    done = subprocess.run([tmp_path / "resource-tracker", "plot"], capture_output=True, text=True)
    assert done.returncode == 125 and f"{tmp_path}/resource-tracker-plot: {os.strerror(errno.EACCES)}" in done.stderr


def test_a_read_only_home(run, tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a directory should be")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    done = run("--", "sh", "-c", "exit 3")
    assert done.returncode == 3
    assert str(blocked) in done.stderr


def test_no_output_of_a_run_contains_secrets(run, tmp_path):
    """Record, summary, and all forms made of the record: usual forms of secrets in the command, tags and metadata."""
    record = tmp_path / "run.jsonl"
    words = ["--pass", "HUNTER1", "--pwd=HUNTER1", "-u", "me:HUNTER1", "--token:HUNTER1", "Authorization: Basic HUNTER1",
             "Cookie: a=HUNTER1; b=HUNTER1", "https://h/?sig=HUNTER1", "AKIAHUNTER1HUNTER100", "a=b;Password=HUNTER1"]
    shown = run("--record", record, "--tag", "token=HUNTER1", "--tag", "note=a b", "--job-name", "https://me:HUNTER1@h",
                "--", "true", *words)
    assert "HUNTER" not in shown.stderr + record.read_text()
    header = json.loads(record.read_text().splitlines()[0])
    assert header["tags"] == ["token=***", "note=a b"] and header["metadata"]["job_name"] == "https://me:***@h"
    for how in ("full", "name"):
        shown = run("--record", record, "--record-command", how, "--", "true", *words, "plain")
        assert "HUNTER" not in shown.stderr
        assert ("plain" in shown.stderr) == (how == "full")


def test_secrets_of_the_command_line_are_masked(run, tmp_path):
    record = tmp_path / "record.jsonl"
    secrets = ["--password=hunter2", "--api-token", "tok_hidden", "DB_PASSWD=swordfish", "--sort-key=name"]
    run("--quiet", "--record", record, "--", "true", *secrets, "--verbose")
    text = record.read_text()
    for secret in ("hunter2", "tok_hidden", "swordfish"):
        assert secret not in text
    assert "--verbose" in text and "--password" in text
    run("--quiet", "--record", record, "--record-command", "full", "--", "true", *secrets)
    assert "hunter2" in record.read_text()
    run("--quiet", "--record", record, "--record-command", "name", "--", "true", *secrets)
    assert "--verbose" not in record.read_text()


def test_the_environment_is_never_recorded(run, tmp_path, monkeypatch):
    monkeypatch.setenv("VERY_SECRET_VARIABLE", "value-not-to-be-seen")
    run("--quiet", "--record", tmp_path / "record.jsonl", "--", "true")
    assert "value-not-to-be-seen" not in (tmp_path / "record.jsonl").read_text()


def test_old_records_are_pruned(run):
    run("--quiet", "--", "true")
    (old,) = records()
    then = time.time() - 200 * 86400
    os.utime(old, (then, then))
    stranger = old.parent / "notes.txt"
    stranger.write_text("not ours")
    os.utime(stranger, (then, then))
    for stamp in old.parent.glob(".*"):         # pruned at most once an hour: that was long ago
        os.utime(stamp, (then, then))
    run("--quiet", "--", "true")
    assert not old.exists() and len(list(old.parent.glob("*.jsonl"))) == 1
    assert stranger.exists()
    run("--quiet", "--record-keep-days", "unlimited", "--", "true")
    assert len(list(old.parent.glob("*.jsonl"))) == 2


def test_metadata_from_variables(run, tmp_path, monkeypatch):
    monkeypatch.setenv("TRACKER_PROJECT_NAME", "forest")
    monkeypatch.setenv("TRACKER_TEAM", "blue")
    run("--quiet", "--record", tmp_path / "r", "--team", "green", "--tag", "a=b=c", "--", "true")
    header = (tmp_path / "r").read_text().splitlines()[0]
    assert "forest" in header and "green" in header and "blue" not in header and "a=b=c" in header
