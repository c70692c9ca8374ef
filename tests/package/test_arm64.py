"""test_arm64.py - Debian's packages for the archive for aarch64 are unpacked below build, and this machine stays as it is."""
import hashlib
import pathlib
import shutil
import subprocess

import pytest

from conftest import NATIVE, PRESETS, ROOT

DEVELOPMENT = {"libsqlite3-dev", "libcurl4-openssl-dev", "zlib1g-dev", "nettle-dev"}


@pytest.fixture
def mirror(tmp_path):
    """mirror({package: depends}): a mirror that has these for arm64, each with one file of its name."""
    folder = tmp_path / "mirror"
    folder.mkdir()

    def offer(packages):
        listed = ""
        for name, depends in packages.items():
            (tmp_path / name / "DEBIAN").mkdir(parents=True)
            (tmp_path / name / "usr/lib").mkdir(parents=True)
            (tmp_path / name / "usr/lib" / name).write_text(name)
            control = (f"Package: {name}\nVersion: 1\nArchitecture: arm64\nMaintainer: nobody <nobody@example.org>\nDescription: a test\n" +
                       (f"Depends: {depends}\n" if depends else ""))
            (tmp_path / name / "DEBIAN/control").write_text(control)
            file = folder / f"{name}_1_arm64.deb"
            subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tmp_path / name, file], check=True, stdout=subprocess.DEVNULL)
            data = file.read_bytes()
            listed += f"{control}Filename: ./{file.name}\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n\n"
        (folder / "Packages").write_text(listed)
    offer({})
    return offer


@pytest.fixture
def need(mirror, tmp_path):
    """need(): tools/need.sh archive, finished, in a clone that has built nothing, on a machine that knows the mirror alone."""
    if NATIVE != "x86_64" or len(PRESETS) == 1 or not shutil.which("dpkg-deb"):
        pytest.skip("this machine does not build for arm64 as another one")
    (tmp_path / "clone/tools").mkdir(parents=True)
    for name in ("need.sh", "arm64.sh"):
        shutil.copy(ROOT / "tools" / name, tmp_path / "clone/tools")
    (tmp_path / "apt").mkdir()
    (tmp_path / "apt/sources.list").write_text(f"deb [trusted=yes] file:{tmp_path}/mirror ./\n")
    words = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", str(tmp_path / "apt"), "/etc/apt", "--die-with-parent", "--"]
    if not shutil.which("bwrap") or subprocess.run([*words, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("bwrap is missing, or cannot make namespaces here: apt-get install bubblewrap")
    return lambda: subprocess.run([*words, tmp_path / "clone/tools/need.sh", "archive"], capture_output=True, text=True, check=False)


def of_the_machine():
    """What apt-get and dpkg know here."""
    asked = subprocess.run(["dpkg", "--print-foreign-architectures"], capture_output=True, text=True, check=True).stdout
    return asked, sorted(pathlib.Path("/var/lib/apt/lists").glob("*")), pathlib.Path("/var/lib/dpkg/arch").exists()


def test_they_are_unpacked_and_not_installed(need, mirror, tmp_path):
    mirror({**dict.fromkeys(DEVELOPMENT, "a-library"), "libcurl4": "a-library", "a-library": ""})
    before = of_the_machine()
    done = need()
    assert done.returncode == 0 and "missing: libsqlite3-dev:arm64 (fleet and export to SQLite there)" in done.stderr, done.stderr
    built = tmp_path / "clone/build"
    assert [path.name for path in built.iterdir()] == ["debian-arm64"]
    assert {path.name for path in (built / "debian-arm64/usr/lib").iterdir()} == {*DEVELOPMENT, "libcurl4", "a-library"}
    assert of_the_machine() == before
    again = need()
    assert (again.returncode, again.stderr) == (0, "")


def test_what_is_for_development_comes_alone(need, mirror, tmp_path):
    mirror({**dict.fromkeys(DEVELOPMENT, "a-library"), "a-library": ""})
    done = need()
    assert done.returncode == 0 and "the archive for aarch64 has no push, discover and fleet" in done.stderr, done.stderr
    root = tmp_path / "clone/build/debian-arm64"
    assert {path.name for path in (root / "usr/lib").iterdir()} == DEVELOPMENT == set((root / "packages").read_text().split())


def test_without_a_mirror_the_build_goes_on(need, tmp_path):
    done = need()
    assert done.returncode == 0 and "the archive for aarch64 has no push, discover and fleet" in done.stderr, done.stderr
    assert not (tmp_path / "clone/build/debian-arm64/packages").exists()
