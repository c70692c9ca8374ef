"""conftest.py - what people install, and machines on which there is nothing else."""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/cli"), str(ROOT / "packaging")]
from archive import NATIVE, PRESETS, version  # noqa: E402,F401

PACKAGES = pathlib.Path(os.environ.get("PACKAGES") or ROOT / "build/dev/tests/package")
VERSION = version()
BARE = ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent", "--clearenv",
        "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]


def archive_of(architecture):
    path = PACKAGES / f"archive/resource-tracker-{VERSION}-{architecture}.tar.gz"
    if architecture not in PRESETS:
        pytest.skip(f"no compiler for {architecture}: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross")
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
