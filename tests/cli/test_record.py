"""test_record.py - where the record of a run goes and who may read it."""
import json
import os
import pathlib
import stat
import time


def records():
    return sorted((pathlib.Path(os.environ["XDG_STATE_HOME"]) / "resource-tracker" / "runs").glob("*.jsonl"))


def test_a_command_is_recorded_for_its_owner_only(run):
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
    # Nobody starts a thread for it: where the folder is known its lines are written at the end, else by one.
    for n in range(1, 4):
        done = run("--", "sh", "-c", "exit 3")
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


def test_a_watch_is_not_recorded_unless_asked(run, tmp_path):
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


def test_no_home_at_all(run, monkeypatch):
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    done = run("--", "sh", "-c", "exit 3")
    assert done.returncode == 3


def test_a_read_only_home(run, tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a directory should be")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    done = run("--", "sh", "-c", "exit 3")
    assert done.returncode == 3
    assert str(blocked) in done.stderr


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
