"""conftest.py - what people install, and machines on which there is nothing else."""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))

PACKAGES = pathlib.Path(os.environ.get("PACKAGES") or ROOT / "build/dev/tests/package")
NATIVE = platform.machine()
VERSION = ".".join(re.findall(r"VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (ROOT / "include/resource_tracker.h").read_text()))
BARE = ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent", "--clearenv",
        "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]


def archive_of(architecture):
    path = PACKAGES / f"archive/resource-tracker-{VERSION}-{architecture}.tar.gz"
    if not path.exists():
        pytest.fail(f"{path} is missing: packaging/archive.py {path.parent}", pytrace=False)
    return path


def unpack(archive, folder):
    """The one folder in it."""
    with tarfile.open(archive) as file:
        file.extractall(folder)
    top, = folder.iterdir()
    return top


@pytest.fixture(scope="session")
def bare():
    """
    bare(binds, words): the words of a command on a machine with nothing but /proc, /dev and what is bound: {place there:
    folder here}, which only those at /home can change.
    """
    def words_of(binds, words, options=()):
        bound = [word for place, path in binds.items()
                 for word in ("--bind" if place == "/home" else "--ro-bind", str(path), place)]
        return [*BARE, *bound, "--setenv", "HOME", "/home", "--chdir", "/home", *options, "--", *map(str, words)]

    if not shutil.which("bwrap"):
        pytest.skip("bwrap is missing: apt-get install bubblewrap")
    if subprocess.run(words_of({"/usr": "/usr", "/lib": "/lib", "/lib64": "/lib64", "/home": "/tmp"}, ["/usr/bin/true"]),
                      capture_output=True, check=False).returncode != 0:
        pytest.skip("bwrap cannot make namespaces here")
    return words_of
