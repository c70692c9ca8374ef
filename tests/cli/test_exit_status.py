"""test_exit_status.py - the tracker ends when the command does, with its status; 125 is its own failure."""
import os
import shutil
import subprocess
import tempfile

import pytest

QUIET = ("--quiet", "--record", "none")


@pytest.mark.parametrize("code", [0, 1, 7, 125, 255])
def test_the_code_is_the_commands(run, code):
    assert run(*QUIET, "--", "sh", "-c", f"exit {code}").returncode == code


# Bug of another tracker: a command killed by a signal ended with 1.
@pytest.mark.parametrize("name, number", [("KILL", 9), ("TERM", 15), ("INT", 2), ("HUP", 1), ("USR1", 10)])
def test_a_signal_is_128_and_its_number(run, name, number):
    assert run(*QUIET, "--", "sh", "-c", f"kill -{name} $$").returncode == 128 + number


def test_a_command_that_is_not_found(run):
    done = run("--record", "none", "--", "no-such-command-anywhere")
    assert done.returncode == 127
    assert "no-such-command-anywhere" in done.stderr
    assert run(*QUIET, "--", "/no/such/path").returncode == 127


def test_an_unsearchable_folder_of_path(tracker, tmp_path, monkeypatch):
    # Another tracker: such a folder in PATH ended it with a PermissionError.  A file there does the same.
    (tmp_path / "not-a-folder").write_text("")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    more = {} if os.getuid() != 0 else {"user": 64346, "group": 64346, "extra_groups": [], "cwd": "/"}
    monkeypatch.setenv("PATH", f"{closed}:{tmp_path}/not-a-folder:{os.environ['PATH']}")
    # That user possibly cannot reach the build folder.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as reachable:
        os.chmod(reachable, 0o755)
        words = [shutil.copy(tracker, reachable), *QUIET, "--"]
        assert subprocess.run([*words, "no-such-command-anywhere"], **more).returncode == 127
        assert subprocess.run([*words, "true"], **more).returncode == 0


def test_a_command_that_cannot_be_executed(run, tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("#!/bin/sh\n")
    done = run("--record", "none", "--", tmp_path)
    assert done.returncode == 126
    assert str(tmp_path) in done.stderr
    assert run(*QUIET, "--", plain).returncode == 126


def test_a_script_without_an_interpreter_line_runs_in_sh(run, tmp_path):
    script = tmp_path / "script"
    script.write_text("exit 9\n")
    script.chmod(0o755)
    assert run(*QUIET, "--", script).returncode == 9


@pytest.mark.parametrize("bad, named", [
    (["--intervall", "1"], "--interval"),      # did you mean
    (["-i", "0"], "0"),
    (["-i", "-1"], "-1"),
    (["-i", "soon"], "soon"),
    (["-i"], "-i"),
    (["-f", "xml"], "xml"),
    (["--csv", "wide"], "wide"),
    (["--samples", "-3"], "-3"),
    (["--tag", "novalue"], "novalue"),
    (["--only", "cpu,nonsense"], "nonsense"),
    (["-c", "/no/such/file.toml"], "/no/such/file.toml"),
    (["-o", "/no/such/directory/samples"], "/no/such/directory/samples"),
    (["--root", "/no/such/root"], "/no/such/root"),
    (["-x"], "-x"),                             # another tracker: an unknown option became the command
])
def test_malformed_options_start_nothing(run, tmp_path, bad, named):
    if bad == ["-i"]:
        done = run(*bad)
    else:
        done = run(*bad, "--", "touch", tmp_path / "started")
    assert done.returncode == 125
    assert not (tmp_path / "started").exists()
    assert named in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stdout == ""


def test_a_malformed_config_is_named_with_its_line(run, tmp_path):
    # Another tracker: one bad value silently dropped the whole file.
    config = tmp_path / "odd.toml"
    config.write_text('[job]\nname = "x"\n\n[tracker]\ninterval_secs = "often"\n')
    done = run("-c", config, "--", "touch", tmp_path / "started")
    assert done.returncode == 125
    assert "/odd.toml:5: " in done.stderr
    assert not (tmp_path / "started").exists()


def test_a_pid_that_does_not_exist_is_an_error(run):
    # Other trackers: zeros for ever, or an empty file without header.
    done = run("--pid", 2 ** 22 + 12345, "--samples", "1")
    assert done.returncode == 125
    assert str(2 ** 22 + 12345) in done.stderr
    assert done.stdout == ""


def test_the_tracker_ends_with_the_command_not_with_the_interval(run):
    # Another tracker: `-i 4 -- sleep 1` took 8 s.
    assert run(*QUIET, "-i", "86400", "--", "sleep", "1").returncode == 0


def test_the_command_starts_at_once(run):
    # Another tracker: the command waited for the first interval.
    assert run(*QUIET, "-i", "86400", "--", "true").returncode == 0


def test_words_after_the_command_are_its_own(run):
    words = ["--interval", "9", "-V", "--help", "--", "-q"]
    for dashes in ([], ["--"]):
        done = run(*QUIET, *dashes, "printf", "%s,", *words)
        assert done.stdout == "".join(word + "," for word in words)
        assert done.returncode == 0


def test_after_two_dashes_everything_is_a_command(run, tmp_path, monkeypatch):
    for name in ("summary", "--odd"):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho ran {name}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert run(*QUIET, "--", "summary").stdout == "ran summary\n"
    assert run(*QUIET, "--", "--odd").stdout == "ran --odd\n"


def test_a_script_without_a_first_line_runs_in_sh(run, tmp_path, monkeypatch):
    script = tmp_path / "odd script"
    script.write_text('printf "%s," "$0" "$@"\nexit 3\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"/nowhere::{tmp_path}:{os.environ['PATH']}")
    for name in (script, script.name):
        done = run(*QUIET, "--", name, "a b", "c")
        assert (done.stdout, done.returncode) == (f"{script},a b,c,", 3)


def test_an_empty_folder_of_path_is_the_working_one(run, tmp_path, monkeypatch):
    (tmp_path / "here").symlink_to("/bin/true")
    monkeypatch.chdir(tmp_path)
    for path in (":/bin", "/bin:", "/bin::/usr/bin"):
        monkeypatch.setenv("PATH", path)
        assert run(*QUIET, "--", "here").returncode == 0
    monkeypatch.setenv("PATH", "/bin")
    assert run(*QUIET, "--", "here").returncode == 127
    assert run(*QUIET, "--", "").returncode == 127


def test_options_can_touch_their_values(run, tmp_path):
    # Another tracker: `-i2` was taken for the command.
    out = tmp_path / "samples"
    assert run(*QUIET, "-i0.05", "-fcsv", f"-o{out}", "--", "sleep", "0.2").returncode == 0
    assert out.read_text().startswith("timestamp,")


def test_help_and_version(run):
    for word in ("--help", "-h"):
        done = run(word)
        assert done.returncode == 0 and "--interval" in done.stdout and done.stderr == ""
    for word in ("--version", "-V"):
        done = run(word)
        assert done.returncode == 0 and done.stdout.startswith("resource-tracker ")


def test_a_failure_to_record_does_not_change_the_status(run, tmp_path):
    # The record's folder cannot be made: the command runs, its status is returned, and the summary states why.
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = run("--record", f"{blocked}/below/record.jsonl", "--", "sh", "-c", "exit 5")
    assert done.returncode == 5
    assert str(blocked) in done.stderr


def test_quiet_by_environment(run, monkeypatch):
    # Another tracker: TRACKER_QUIET=1 was fatal.
    monkeypatch.setenv("TRACKER_QUIET", "1")
    done = run("--record", "none", "--", "true")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_unknown_variable_is_a_warning(run, monkeypatch):
    monkeypatch.setenv("RESOURCE_TRACKER_INTERVALL", "1")
    done = run("--record", "none", "--", "sh", "-c", "exit 3")
    assert done.returncode == 3
    assert "RESOURCE_TRACKER_INTERVALL" in done.stderr
