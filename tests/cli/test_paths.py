"""test_paths.py - paths that lead elsewhere: FIFOs, devices, links, and folders of other users."""
import os
import pathlib
import shutil
import subprocess

import pytest

from processes import files_below

FIXTURES = pathlib.Path(__file__).parents[1] / "fixtures"


@pytest.fixture
def machine(tmp_path):
    """machine(name): a copy of a captured machine that can be changed."""
    def copy(name):
        root = tmp_path / name
        shutil.copytree(FIXTURES / name / "0", root, symlinks=True)
        return root
    return copy


def sample_of(run, root, *arguments):
    return run("--root", root, "-i", "0.01", "--samples", "1", "--record", "none", "-f", "json", *arguments)


@pytest.mark.parametrize("name", ["bare-metal", "container-v1", "container-v2", "zfs", "gpu-hybrid"])
def test_fifos_instead_of_the_kernels_files(run, machine, name):
    """Regression: the recorder waited for a writer, with its signals blocked, until SIGKILL."""
    root = machine(name)
    for path in files_below(root):
        path.unlink()
        os.mkfifo(path)
    # If no file of a machine can be read, the result is an error or a row of nulls, not a wait.
    assert sample_of(run, root).returncode in (0, 125)


def test_each_file_of_a_machine_can_be_a_fifo(run, machine):
    root = machine("bare-metal")
    for path in files_below(root):
        text = path.read_bytes()
        path.unlink()
        os.mkfifo(path)
        assert sample_of(run, root).returncode in (0, 125), path
        path.unlink()
        path.write_bytes(text)


def test_files_of_a_process_can_be_fifos(run, machine):
    root = machine("bare-metal")
    process = root / "proc" / "77"
    (process / "task" / "77").mkdir(parents=True)
    (process / "stat").write_text("77 (x) S 1 77 77 0 -1 0 0 0 0 0 5 5 0 0 20 0 1 0 100 4096 1 " + "0 " * 29 + "\n")
    for name in ("statm", "io", "status", "schedstat", "smaps_rollup", "cgroup", "cmdline", "comm", "task/77/children"):
        os.mkfifo(process / name)
    assert sample_of(run, root, "--pid", "77").returncode in (0, 125)


def test_a_device_is_not_read(run, machine, lines_of, tmp_path):
    root = machine("bare-metal")
    (root / "proc/meminfo").unlink()
    (root / "proc/meminfo").symlink_to("/dev/zero")
    samples = tmp_path / "samples.jsonl"
    assert sample_of(run, root, "-o", samples).returncode == 0
    assert lines_of(samples)[0]["memory"]["total_mib"] is None


# ---- output files ---------------------------------------------------------------------------------

OTHER = 65534           # a user other than root and the caller
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="files of other users: only root makes them")


def mode(path):
    return path.stat().st_mode & 0o7777


@as_root
def test_a_device_keeps_its_mode(run, tmp_path):
    """Regression: --record /dev/null as root made /dev/null 0600, for all users of the machine."""
    null = tmp_path / "null"
    subprocess.run(["mknod", "-m", "666", null, "c", "1", "3"], check=True)
    for words in ["--record", null], ["-o", null], ["--record", "none", "-o", null]:
        assert run("-q", *words, "--", "true").returncode == 0
        assert mode(null) == 0o666 and null.is_char_device()
    record = tmp_path / "record"
    run("-q", "--record", record, "--", "true")
    for words in ["export", record, "--to", "csv"], ["report", record], ["plot", record]:
        run(*words, "-o", null)                 # without the page or cairo it is refused
        assert mode(null) == 0o666 and null.is_char_device(), words


def test_an_existing_file_keeps_its_mode(run, tmp_path):
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text("x" * 100000)
    old.chmod(0o644)
    for record in new, old:
        assert run("-q", "--record", record, "--", "true").returncode == 0
        assert record.read_bytes().startswith(b'{"record":')
    assert mode(new) == 0o600 and mode(old) == 0o644
    for command in ["export", new, "--to", "csv"], ["export", new, "--to", "jsonl"]:
        assert run(*command, "-o", old).returncode == 0
        assert mode(old) == 0o644
        assert run(*command, "-o", tmp_path / "fresh").returncode == 0
        assert mode(tmp_path / "fresh") == 0o600


def test_a_fifo_without_a_reader_does_not_hold_the_job(run, tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for words in ["-o", tmp_path / "fifo"], ["--record", tmp_path / "fifo"]:
        assert run("-q", *words, "--", "true").returncode == 0


@pytest.fixture
def sticky(tmp_path):
    """As /tmp: every user can make files in it."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


@as_root
@pytest.mark.parametrize("what", ["link", "dangling", "file", "fifo"])
def test_files_planted_by_another_user_are_not_written(run, sticky, tmp_path, what):
    victim, planted, record = tmp_path / "victim", sticky / "planted", tmp_path / "record.jsonl"
    victim.write_text("precious")
    if what == "file":
        planted.write_text("precious")
    elif what == "fifo":
        os.mkfifo(planted)
    else:
        planted.symlink_to(victim if what == "link" else tmp_path / "new")
    os.chown(planted, OTHER, OTHER, follow_symlinks=False)
    assert run("-q", "--record", record, "--", "true").returncode == 0
    # Samples without a destination are refused before the job begins; without a record it runs.
    done = run("-o", planted, "--", "true")
    assert done.returncode == 125 or what == "fifo"
    assert "belongs to another user, in a folder in which every user can create files" in " ".join(done.stderr.split())
    done = run("--record", planted, "--", "true")
    assert done.returncode == 0 and "belongs to another user" in " ".join(done.stderr.split())
    for form in "csv", "sqlite":
        done = run("export", record, "--to", form, "-o", planted)
        assert done.returncode != 0 and "belongs to another user" in " ".join(done.stderr.split()), form
    assert victim.read_text() == "precious" and not (tmp_path / "new").exists()
    if what == "file":
        assert planted.read_text() == "precious"


@as_root
def test_links_of_ones_own_are_followed(run, sticky, tmp_path):
    (sticky / "mine").symlink_to(tmp_path / "target")
    assert run("-q", "--record", "none", "-f", "json", "-o", sticky / "mine", "--", "true").returncode == 0
    assert (tmp_path / "target").read_text()


# ---- the folder of runs ---------------------------------------------------------------------------

@pytest.fixture
def runs_folder():
    return pathlib.Path(os.environ["XDG_STATE_HOME"]) / "resource-tracker" / "runs"


def said(sentence, done):
    """Whether stderr has the sentence; the summary can break lines anywhere in a long path."""
    return "".join(sentence.split()) in "".join(done.stderr.split())


def long_ago(path):
    os.utime(path, (1, 1), follow_symlinks=False)


def test_pruning_follows_no_link(run, runs_folder, tmp_path):
    """Regression: as root it deleted all *.jsonl of a folder to which another user's link led."""
    victim = tmp_path / "victim"
    victim.mkdir()
    run("-q", "--", "true")
    (record,) = runs_folder.glob("*.jsonl")
    record.rename(victim / record.name)
    (victim / "data.jsonl").write_text('{"important":1}\n')
    for path in victim.iterdir():
        long_ago(path)
    shutil.rmtree(runs_folder)
    runs_folder.symlink_to(victim)
    done = run("--", "echo", "ran")
    assert done.returncode == 0 and "ran" in done.stdout and said("is a symbolic link, which is not followed", done)
    assert {path.name for path in victim.iterdir()} == {"data.jsonl", record.name}
    for words in ["prune", "--keep", "0"], ["rm", "last"]:
        done = run("runs", *words)
        assert done.returncode == 125 and said("is a symbolic link", done)
    assert {path.name for path in victim.iterdir()} == {"data.jsonl", record.name}


@as_root
def test_a_runs_folder_of_another_user(run, runs_folder):
    run("-q", "--", "true")
    (record,) = runs_folder.glob("*.jsonl")
    for path in runs_folder.iterdir():
        long_ago(path)
    os.chown(runs_folder, OTHER, OTHER)
    done = run("--", "echo", "ran")
    assert done.returncode == 0 and "ran" in done.stdout and said("belongs to another user", done)
    assert list(runs_folder.glob("*.jsonl")) == [record]
    for words in ["prune", "--keep", "0"], ["rm", "last"]:
        done = run("runs", *words)
        assert done.returncode == 125 and said("belongs to another user", done)
    assert record.exists() and run("runs").returncode == 0          # reading is allowed


@as_root
def test_no_folders_are_made_in_the_home_of_another_user(run, runs_folder):
    """Regression: sudo -E made folders of root's there, and the user's own runs could not be recorded from then on."""
    state = runs_folder.parents[1]
    state.mkdir()
    os.chown(state, OTHER, OTHER)
    done = run("--", "true")
    assert done.returncode == 0 and said("belongs to another user", done)
    assert list(state.iterdir()) == []
    assert run("runs", "prune", "--keep", "0").returncode == 0      # there is nothing


def test_pruning_removes_records_only(run, runs_folder):
    run("-q", "--", "true")
    (record,) = runs_folder.glob("*.jsonl")
    others = ["data.jsonl", "20260101T000000Z-host-7.jsonl", "x" + record.name]
    for name in others:
        (runs_folder / name).write_text('{"important":1}\n')
    for path in runs_folder.iterdir():
        long_ago(path)
    long_ago(runs_folder / ".pruned")
    assert run("-q", "--", "true").returncode == 0
    left = {path.name for path in runs_folder.glob("*.jsonl")}
    assert set(others) < left and record.name not in left and len(left) == 4


def test_a_fifo_or_link_in_the_history(run, runs_folder):
    run("-q", "--", "true")
    (record,) = runs_folder.glob("*.jsonl")
    os.mkfifo(runs_folder / "20260101T000000Z-host-7.jsonl")
    assert run("runs").returncode == 0
    assert run("runs", "prune", "--keep", "0").returncode == 0
    assert not record.exists() and (runs_folder / "20260101T000000Z-host-7.jsonl").exists()
