"""test_record_variable.py - RESOURCE_TRACKER_RUN gives a command the path of its record."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

STRANGER = 65534
NOTHING = "not set\n"
PRINT = ("sh", "-c", 'echo "${RESOURCE_TRACKER_RUN-not set}"')
needs_setpriv = pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root and setpriv")


@pytest.fixture
def variable(run, tmp_path):
    """variable(*options): the variable as seen by the command of a run in the folder tmp_path / "work"."""
    (tmp_path / "work").mkdir()

    def start(*options, **more):
        done = run("--quiet", *options, "--", *PRINT, cwd=tmp_path / "work", **more)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout
    return start


@pytest.fixture
def stranger(open_tracker, open_path):
    """stranger(*options): the variable as seen by the command of another user's run, in a folder of that user."""
    home = open_path / "home"
    home.mkdir()
    os.chown(home, STRANGER, STRANGER)
    environment = {**os.environ, "HOME": str(home)}
    del environment["XDG_STATE_HOME"]

    def start(*options, prefix=(), **more):
        words = ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", *prefix, open_tracker, *options]
        done = subprocess.run([*words, "--", *PRINT], cwd=home, env={**environment, **more}, capture_output=True, text=True)
        assert done.returncode == 0
        return done.stdout
    start.home = home
    return start


def is_the_record(text, lines_of):
    path = pathlib.Path(text.removesuffix("\n"))
    header = lines_of(path)[0]
    assert path.is_absolute() and header["command"][:2] == ["sh", "-c"]
    return path, header


@pytest.mark.parametrize("place", [None, "kept/", ".", "{}/far/"])
def test_for_a_folder_it_is_the_new_file(variable, tmp_path, lines_of, place):
    path, header = is_the_record(variable(*(["--record", place.format(tmp_path)] if place else [])), lines_of)
    assert path.stem == header["id"]
    folder = {None: pathlib.Path(os.environ["XDG_STATE_HOME"]) / "resource-tracker/runs", "kept/": tmp_path / "work/kept",
              ".": tmp_path / "work", "{}/far/": tmp_path / "far"}[place]
    assert path.parent.resolve() == folder.resolve() and [*folder.glob("*.jsonl")] == [folder / path.name]


@pytest.mark.parametrize("name", ["run.jsonl", "../run.jsonl", "a b\n\u00e4.jsonl"])
def test_for_a_file_it_is_the_absolute_path(variable, tmp_path, lines_of, name):
    path, _ = is_the_record(variable("--record", name), lines_of)
    assert path.resolve() == (tmp_path / "work" / name).resolve()


def test_it_is_set_with_samples_too(variable, tmp_path, lines_of):
    path, _ = is_the_record(variable("-o", "x.csv", "--csv", "system", "--record", "run.jsonl"), lines_of)
    assert path == tmp_path / "work/run.jsonl"


@pytest.mark.parametrize("options", [["--record", "none"], ["--record", "a-name"], ["--record", "x" * 2000 + "/"]])
def test_an_unknown_path_leaves_it_unset(variable, monkeypatch, options):
    """Nothing is recorded, or the path could be a folder as well as a file."""
    assert variable(*options) == NOTHING
    monkeypatch.setenv("RESOURCE_TRACKER_RUN", "/the/outer.jsonl")
    assert variable(*options) == NOTHING


@pytest.mark.parametrize("place", ["nowhere/run.jsonl", "a-file/run.jsonl", "a-file/x/"])
def test_it_is_unset_if_the_record_cannot_be_made(variable, tmp_path, place):
    (tmp_path / "work/a-file").write_text("")
    path = pathlib.Path(variable("--record", place).strip())
    assert str(path).startswith(str(tmp_path / "work" / place)) and not os.path.exists(path)


def test_without_a_home_it_is_unset(variable, monkeypatch):
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    assert variable() == NOTHING


@needs_setpriv
def test_another_user_gets_its_own_path(stranger, lines_of):
    path, _ = is_the_record(stranger(), lines_of)
    assert path.parent == stranger.home / ".local/state/resource-tracker/runs"
    assert is_the_record(stranger("--record", "run.jsonl"), lines_of)[0] == stranger.home / "run.jsonl"


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
@pytest.mark.parametrize("place, is_set", [(None, True), ("new/", True), ("run.jsonl", True), (".", True), ("named", False)])
def test_no_job_waits_for_a_file_server(run, tmp_path, place, is_set):
    """Before the command is started, the record's place is not accessed."""
    (tmp_path / "work").mkdir()
    trace = tmp_path / "trace"
    done = run(*(["--record", place] if place else []), "-q", "--", *PRINT, cwd=tmp_path / "work",
               prefix=["strace", "-f", "-o", trace])
    if "PTRACE" in done.stderr or "ptrace" in done.stderr:
        pytest.skip(done.stderr)
    assert (done.stdout != NOTHING) == is_set
    folder = '"."' if place == "." else f'"{place or os.environ["XDG_STATE_HOME"]}'
    before = re.split(r"\b(?:clone3?|v?fork)\(", trace.read_text())[0]    # by which call depends on what is permitted
    assert "execve" in before and not [line for line in before.splitlines() if folder in line and "execve" not in line]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_makes_no_record_in_the_home_of_another_user(variable, tmp_path, monkeypatch):
    """As with sudo -E: no folder of root's is made there, so nothing is recorded."""
    (tmp_path / "home").mkdir()
    os.chown(tmp_path / "home", STRANGER, STRANGER)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home/state"))
    assert not os.path.exists(variable().strip()) and list((tmp_path / "home").iterdir()) == []


@needs_setpriv
@pytest.mark.skipif(not shutil.which("prlimit"), reason="needs prlimit")
def test_without_a_process_to_fork_it_is_unset(stranger):
    """The command then replaces the recorder, and nothing is recorded."""
    assert stranger(prefix=("prlimit", "--nproc=0"), RESOURCE_TRACKER_RUN="/the/outer.jsonl") == NOTHING


def test_an_inner_tracker_sets_its_own(run, tracker, tmp_path):
    inner, outer = tmp_path / "inner.jsonl", tmp_path / "outer.jsonl"
    show = PRINT[2]
    script = f"{show}; {tracker} --record {inner} -- sh -c '{show}'; {tracker} -q --record none -- sh -c '{show}'; {show}"
    done = run("--quiet", "--record", outer, "--", "sh", "-c", script)
    assert done.stdout == f"{outer}\n{inner}\n{NOTHING}{outer}\n"
    assert "is not known" not in done.stderr                # it is a known variable


def test_it_names_the_run_for_the_other_commands(run, tmp_path):
    done = run("--quiet", "-n", "outer", "--", "sh", "-c", "echo $RESOURCE_TRACKER_RUN")
    shown = json.loads(run("runs", "show", done.stdout.strip(), "--json").stdout)
    assert shown[0]["metadata"]["job_name"] == "outer"


def test_an_inner_run_leaves_the_outer_run_recorded(run, tracker, tmp_path, lines_of):
    record = tmp_path / "out.jsonl"
    inner = f"RESOURCE_TRACKER=off {tracker} -n inner -- sh -c 'echo $RESOURCE_TRACKER_RUN'"
    done = run("--quiet", "--record", record, "--", "sh", "-c", inner)
    assert done.stdout == f"{record}\n"                             # the job of the inner one
    assert lines_of(record)[-1]["end"]["exit_code"] == 0
    assert [path.name for path in pathlib.Path(tmp_path).iterdir()] == ["out.jsonl"]
