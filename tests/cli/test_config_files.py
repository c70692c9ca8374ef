"""test_config_files.py - config files: their places, which of them are read, and locks of the site."""
import json
import os
import pathlib
import subprocess

import pytest

NAME = "resource-tracker.toml"
SITE = pathlib.Path("/etc") / NAME
OTHER = 65534           # a user other than root and the caller

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="files of other users: only root makes them")


@pytest.fixture
def tmp_path(open_path):
    return open_path


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The working folder, with a home beside it."""
    folder, home = tmp_path / "folder", tmp_path / "home"
    folder.mkdir()
    (home / ".config").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME")
    return folder


@pytest.fixture
def ran(run, lines_of, tmp_path):
    """ran(*options): the finished tracker around a command that succeeds, and the header of its record."""
    def start(*options, **more):
        record = tmp_path / "the-record.jsonl"
        done = run(*options, "--record", record, "--", "echo", "ran", **more)
        assert done.returncode == 0 and done.stdout == "ran\n", done.stderr
        return done, lines_of(record)[0]
    return start


def write(path, text, mode=0o644):
    path.write_text(text)
    path.chmod(mode)


def team_of(header):
    return header.get("metadata", {}).get("team")


def name_of(header):
    return header.get("metadata", {}).get("job_name")


# ---- the folder's file --------------------------------------------------------------------------

def test_options_that_the_folders_file_cannot_set(here, run, tmp_path):
    """Regression: as root it overwrote any file, deleted the history and switched masking off."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    write(here / NAME, f"""
[record]
path = "{victim}"
command = "full"
keep_bytes = 1
keep_days = 0.001
[tracker]
output = "{victim}"
root = "{tmp_path}"
[job]
pid = 1
name = "still taken"
""")
    done = run("--", "echo", "--password=hunter2", "ran")
    assert done.returncode == 0 and victim.read_text() == "precious"
    assert f"{NAME}:3: record.path: not accepted from a folder's file" in done.stderr
    assert "3 more lines are wrong" in done.stderr and done.stderr.count(NAME) <= 10
    (record,) = (pathlib.Path(os.environ["XDG_STATE_HOME"]) / "resource-tracker/runs").glob("*.jsonl")
    assert "hunter2" not in record.read_text() and "still taken" in record.read_text()


def test_an_error_in_the_folders_file_is_a_warning(here, ran):
    for text in "garbage\n", "[tracker]\ninterval = -1\n", "[tracker]\nintervall = 1\n", "[locked]\njob.name = 'x'\n", "\0" * 100:
        write(here / NAME, text)
        done, _ = ran()
        assert done.stderr.count(f"resource-tracker: {NAME}:") == 1, done.stderr


def test_a_fifo_is_not_a_config_file(here, ran):
    os.mkfifo(here / NAME)
    done, _ = ran()
    assert f"the config file {NAME} is left alone: it is not a regular file" in done.stderr


def test_a_link_is_not_followed(here, ran, tmp_path):
    write(tmp_path / "other.toml", "[job]\nname = 'linked'\n")
    (here / NAME).symlink_to(tmp_path / "other.toml")
    done, header = ran()
    assert "it is a symbolic link" in done.stderr and name_of(header) is None


@pytest.mark.parametrize("mode", [0o666, 0o664])
def test_a_file_that_others_can_write_is_ignored(here, ran, mode):
    write(here / NAME, "[job]\nname = 'theirs'\n", mode)
    done, header = ran()
    assert "others can write it; chmod go-w changes that" in done.stderr and name_of(header) is None
    (here / NAME).chmod(0o644)
    done, header = ran()
    assert NAME not in done.stderr and name_of(header) == "theirs"


@as_root
def test_another_users_file_is_ignored(here, ran):
    write(here / NAME, "[job]\nname = 'theirs'\n")
    os.chown(here / NAME, OTHER, OTHER)
    done, header = ran()
    assert f"it belongs to another user (number {OTHER})" in done.stderr and name_of(header) is None


# ---- the user's file, and a named one -------------------------------------------------------------

def test_the_users_file(here, ran, run, tmp_path, monkeypatch):
    user = pathlib.Path(os.environ["HOME"]) / ".config" / NAME
    write(user, "[job]\nname = 'user'\nteam = 'user'\n[record]\ncommand = 'name'\n")
    write(here / NAME, "[job]\nname = 'folder'\n")
    _, header = ran()
    assert name_of(header) == "folder" and team_of(header) == "user"
    assert header["command"] == ["echo"]                        # it can set every option
    for words in ["--no-config"], ["-c", tmp_path / "named"]:
        write(tmp_path / "named", "[job]\nlanguage = 'x'\n")
        _, header = ran(*words)
        assert name_of(header) is None and team_of(header) is None
    monkeypatch.setenv("RESOURCE_TRACKER_NO_CONFIG", "1")
    _, header = ran()
    assert name_of(header) is None
    # With a malformed file at 3 a.m. the job still runs.
    monkeypatch.delenv("RESOURCE_TRACKER_NO_CONFIG")
    write(user, "garbage\n")
    done, header = ran()
    assert "the file is left alone" in done.stderr and name_of(header) == "folder"
    # A named file is a request, so an error in it is fatal.
    assert run("-c", user, "--", "true").returncode == 125
    monkeypatch.setenv("RESOURCE_TRACKER_CONFIG", str(user))
    assert run("--", "true").returncode == 125
    ran("--no-config")                                          # an option has precedence over a variable


def test_the_users_file_can_be_a_link(here, ran, tmp_path):
    """As for users who keep their dotfiles elsewhere."""
    write(tmp_path / "dotfile", "[job]\nname = 'linked'\n")
    (pathlib.Path(os.environ["HOME"]) / ".config" / NAME).symlink_to(tmp_path / "dotfile")
    _, header = ran()
    assert name_of(header) == "linked"


@as_root
def test_the_home_of_another_user(here, ran):
    """sudo -E: HOME is the user's, and so are the files in it."""
    config = pathlib.Path(os.environ["HOME"]) / ".config"
    os.chown(config, OTHER, OTHER)
    done, header = ran()
    assert NAME not in done.stderr                              # there is none, so no warning
    write(config / NAME, "[job]\nname = 'theirs'\n")
    done, header = ran()
    assert "its folder belongs to another user" in done.stderr and name_of(header) is None


# ---- the site's file ------------------------------------------------------------------------------

LOCKS = """
[job]
team = "default of the site"
language = "default of the site"
[locked]
record.command = "name"
tracker.interval = 7
job.tags = ["site=one"]
"""


@pytest.fixture
def site(here, tmp_path, open_tracker):
    """site(text, *options, user): output and record header of an ordinary user's tracker with `text` at the site."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount")
    for path in here, pathlib.Path(os.environ["HOME"]), pathlib.Path(os.environ["HOME"]) / ".config":
        os.chown(path, OTHER, OTHER)

    def start(text, *options, user=OTHER, mode=0o644, owner=0):
        file, records = tmp_path / "site.toml", tmp_path / "records"
        write(file, text, mode)
        os.chown(file, owner, owner)
        records.mkdir(exist_ok=True)
        records.chmod(0o777)
        for old in records.iterdir():
            old.unlink()
        # Only /etc of this mount namespace has the file.
        mount = ('mkdir "$1/etc" 2>/dev/null; mount -t tmpfs none "$1/etc" && cp -a "$1/site.toml" "$1/etc/' + NAME + '" && '
                 'for f in passwd group ld.so.cache; do cp "/etc/$f" "$1/etc/" 2>/dev/null; done; '
                 'chmod 755 "$1/etc" && mount --bind "$1/etc" /etc && shift && exec "$@"')
        done = subprocess.run(["unshare", "-m", "sh", "-c", mount, "sh", tmp_path, "setpriv", f"--reuid={user}", f"--regid={user}",
                               "--clear-groups", open_tracker, "--record", f"{records}/", *map(str, options), "--", "echo", "ran",
                               "--password=x"], capture_output=True, text=True)
        if "mount:" in done.stderr or "unshare:" in done.stderr:
            pytest.skip(f"no mount namespace here: {done.stderr}")
        assert done.returncode == 0, done.stderr
        (record,) = records.iterdir()
        return done, json.loads(record.read_text().splitlines()[0])
    return start


def is_locked(header):
    return (header["command"], header["interval_seconds"], header.get("tags")) == (["echo"], 7, ["site=one"])


def test_defaults_of_the_site(site):
    done, header = site(LOCKS, "--team", "mine")
    assert is_locked(header) and "locked" not in done.stderr
    assert team_of(header) == "mine" and header["metadata"]["language"] == "default of the site"


@pytest.mark.parametrize("way", ["flag", "variable", "folder", "user", "named", "no-config"])
def test_an_ordinary_user_cannot_override_a_lock(site, here, monkeypatch, tmp_path, way):
    file = "[tracker]\ninterval = 1\n[record]\ncommand = 'full'\n[job]\ntags = ['mine=two']\n"
    places = {"folder": here / NAME, "user": pathlib.Path(os.environ["HOME"]) / ".config" / NAME, "named": tmp_path / "named.toml"}
    words = []
    if way == "flag":
        words = ["-i", "1", "--record-command", "full", "--tag", "mine=two", "--tag", "mine=three"]
    elif way == "variable":
        for name, value in ("INTERVAL", "1"), ("RECORD_COMMAND", "full"), ("TAG", "mine=two"):
            monkeypatch.setenv(f"RESOURCE_TRACKER_{name}", value)
    elif way == "no-config":
        words = ["--no-config"]
    else:
        write(places[way], file)
        os.chown(places[way], OTHER, OTHER)
        words = ["-c", places[way]] if way == "named" else []
    done, header = site(LOCKS, *words)
    print(way, done.stderr.splitlines()[:4])
    assert is_locked(header)
    said = [line for line in done.stderr.splitlines() if "the site has locked" in line]
    assert len(said) == {"no-config": 0, "folder": 2}.get(way, 3), done.stderr
    assert all(f"the value of {SITE}:" in line for line in said)


def test_locks_hold_for_root_too(site):
    _, header = site(LOCKS, "-i", "1", user=0)
    assert is_locked(header)


def test_a_site_file_of_another_user_is_ignored(site):
    for how in {"mode": 0o666}, {"owner": 12345}:
        done, header = site(LOCKS, **how)
        assert f"the config file {SITE} is left alone" in done.stderr and not is_locked(header)


def test_a_wrong_line_leaves_the_other_locks(site):
    done, header = site(LOCKS + "job.nome = 'x'\n")
    assert f"{SITE}:9: there is no key job.nome" in done.stderr and is_locked(header)
