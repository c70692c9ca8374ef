"""test_debian.py - the Debian packages: lintian, and installed, used and removed by dpkg in a root that is not this machine's."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import PACKAGES, ROOT, VERSION
from screen import Screen

DEBIAN = PACKAGES / "debian"
NAMES = re.findall(r"^Package: (\S+)$", (ROOT / "debian/control").read_text(), re.M)
TESTS = re.findall(r"^Tests: (\S+)$", (ROOT / "debian/tests/control").read_text(), re.M)
SHARED = ["bin", "lib", "lib32", "lib64", "libx32", "sbin"]         # links into /usr, or folders


@pytest.fixture(scope="module")
def packages():
    """{name: path}, without those of debug symbols."""
    found = {path.name.split("_", 1)[0]: path for path in DEBIAN.glob(f"*_{VERSION}-*.deb") if "-dbgsym_" not in path.name}
    if not found:
        pytest.skip("no packages were built: that needs debhelper, and the page of the report")
    return found


def contents(package):
    """{path: its line of `ls -l`}; folders end in /."""
    listing = subprocess.run(["dpkg-deb", "-c", package], capture_output=True, text=True, check=True).stdout
    return {line.split(" ./", 1)[1].split(" -> ")[0]: line for line in listing.splitlines() if line.split(" ./", 1)[1]}


def field(package, name):
    return subprocess.run(["dpkg-deb", "-f", package, name], capture_output=True, text=True, check=True).stdout.strip()


def test_which_there_are(packages):
    assert set(packages) == set(NAMES) and len(list(DEBIAN.glob(f"*_{VERSION}-*.dsc"))) == 1
    assert (ROOT / "debian/changelog").read_text().startswith(f"resource-tracker ({VERSION}-")
    assert len({field(path, "Version") for path in packages.values()}) == 1


def test_what_is_where(packages):
    have = {name: set(contents(path)) for name, path in packages.items()}
    multiarch = subprocess.run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"], capture_output=True, text=True, check=True).stdout.strip()
    words = re.findall(r"^(?:OWN|ANALYSIS|COMMAND)\((\w+)", (ROOT / "src/core/commands.def").read_text(), re.M)
    companions = set(re.findall(r'^COMMAND\(\w+, "(\w+)"', (ROOT / "src/core/commands.def").read_text(), re.M)) | {"analysis", "gpu"}
    assert {f"usr/share/man/man1/resource-tracker-{word}.1.gz" for word in words} | {
        f"usr/libexec/resource-tracker/resource-tracker-{name}" for name in companions} | {
        "usr/bin/resource-tracker", "usr/share/bash-completion/completions/resource-tracker",
        "usr/share/zsh/vendor-completions/_resource-tracker", "usr/share/fish/vendor_completions.d/resource-tracker.fish"
    } <= have["resource-tracker"]
    assert f"usr/lib/{multiarch}/libresource-tracker.so.0" in have["libresource-tracker0"]
    assert {f"usr/lib/{multiarch}/libresource-tracker.a", f"usr/lib/{multiarch}/pkgconfig/resource-tracker.pc",
            "usr/include/resource_tracker.h", "usr/include/resource_tracker_regions.h"} <= have["libresource-tracker-dev"]
    for name, module in (("python3-resource-tracker", "usr/lib/python3/dist-packages/resource_tracker/_library.abi3.so"),
                         ("r-other-resourcetracker", "usr/lib/R/site-library/resourcetracker/libs/resourcetracker.so")):
        assert module in have[name]
        assert not any(path.endswith(("bin/", "resource-tracker", "resource-tracker-analysis")) and "/doc/" not in path
                       for path in have[name])
        assert re.search(r"(^|, )resource-tracker \(= ", field(packages[name], "Depends"))
    assert "libc6 (>= " in field(packages["resource-tracker"], "Depends")
    for library in ("cairo", "curl"):
        assert library in field(packages["resource-tracker"], "Recommends") and library not in field(packages["resource-tracker"], "Depends")
    assert "usr/libexec/resource-tracker/spank_resource_tracker.so" in have["resource-tracker-slurm"]
    assert not [path for path in have["resource-tracker"] if "spank" in path]


def test_all_files_are_roots(packages):
    assert not [line for path in packages.values() for line in contents(path).values() if line.split()[1] != "root/root"]


def test_lintian_has_nothing_to_say():
    if not shutil.which("lintian"):
        pytest.skip("lintian is missing: apt-get install lintian")
    changes = list(DEBIAN.glob(f"*_{VERSION}-*.changes"))
    if not changes:
        pytest.skip("no packages were built")
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", *changes], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


# ---- another machine ---------------------------------------------------------------------------------------------

def link_to_host(root, place, folders):
    """Makes the folder `place` in root: the folders in it that packages need are real, all else leads to this machine's, below /host."""
    (root / place).mkdir(parents=True)
    real = {pathlib.PurePath(folder).name for folder in folders if str(pathlib.PurePath(folder).parent) == place}
    for path in pathlib.Path("/", place).iterdir() if pathlib.Path("/", place).is_dir() else ():
        if path.name not in real:
            relative = path.is_symlink() and not os.readlink(path).startswith("/")
            (root / place / path.name).symlink_to(os.readlink(path) if relative else f"/host/{place}/{path.name}")


@pytest.fixture(scope="module")
def machine(packages, bare, tmp_path_factory):
    """
    machine(words): the words of a command, as root, on a machine with the programs and libraries of this one, and with a
    dpkg that has installed nothing yet.
    """
    root, home = tmp_path_factory.mktemp("root"), tmp_path_factory.mktemp("home")
    folders = {"usr/lib/python3/dist-packages/", "usr/lib/R/site-library/"} | {
        path for package in packages.values() for path in contents(package) if path.endswith("/")}
    folders |= {f"{parent}/" for path in set(folders) for parent in pathlib.PurePath(path).parents if str(parent) != "."}
    for place in sorted(str(pathlib.PurePath(path)) for path in folders):
        link_to_host(root, place, folders)
    for name in SHARED:
        if pathlib.Path("/", name).is_symlink():
            (root / name).symlink_to(os.readlink(f"/{name}").lstrip("/"))
    for place in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/log", "var/tmp", "home", "packages", "source", "host/usr", "etc",
                  "proc", "dev", "tmp"):
        (root / place).mkdir(parents=True, exist_ok=True)
    (root / "var/lib/dpkg/status").touch()
    # Python finds its folders from where its program is: a link would lead it to this machine's.
    python = pathlib.Path("/usr/bin/python3").resolve()
    (root / "usr/bin" / python.name).unlink()
    (root / "usr/bin" / python.name).touch()
    words = ["bwrap", "--unshare-user", "--uid", "0", "--gid", "0", "--unshare-pid", "--unshare-net", "--die-with-parent", "--clearenv",
             "--bind", root, "/", "--ro-bind", "/usr", "/host/usr", "--ro-bind", "/etc", "/etc", "--proc", "/proc", "--dev", "/dev",
             "--tmpfs", "/tmp", "--bind", home, "/home", "--ro-bind", DEBIAN, "/packages", "--ro-bind", ROOT, "/source",
             "--ro-bind", python, f"/usr/bin/{python.name}", "--setenv", "HOME", "/home", "--setenv", "AUTOPKGTEST_TMP", "/home",
             "--setenv", "PATH", "/usr/sbin:/usr/bin:/sbin:/bin", "--setenv", "LC_ALL", "C.UTF-8", "--chdir", "/home", "--"]

    def start(*more):
        return subprocess.run([*map(str, words), *more], capture_output=True, text=True)
    start.root, start.home, start.words = root, home, [*map(str, words)]
    return start


def dpkg(machine, *words):
    """Dependencies are this machine's files, of which that dpkg does not know."""
    done = machine("dpkg", "--force-depends", "--force-unsafe-io", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def installed(machine, packages):
    dpkg(machine, "-i", *[f"/packages/{path.name}" for path in packages.values()])
    return machine


def files(root):
    return {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir() and not path.is_symlink() and
            not str(path.relative_to(root)).startswith("var/")}


@pytest.mark.parametrize("name", TESTS)
def test_autopkgtest(installed, name):
    done = installed("sh", "-c", f"exec /source/debian/tests/{name}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_top(installed):
    with Screen([*installed.words, "env", "TERM=xterm-256color", "resource-tracker", "top", "--", "true"]) as view:
        view.shows("ended, status 0")
        view.type("q")
        assert view.process.wait() == 0


def test_removal_leaves_records(machine, packages):
    """The last one: it takes the packages away again, as their owner does."""
    dpkg(machine, "-i", *[f"/packages/{path.name}" for path in packages.values()])
    assert "usr/bin/resource-tracker" in files(machine.root)
    done = machine("resource-tracker", "--quiet", "--", "true")
    assert done.returncode == 0, done.stderr
    records = list((machine.home / ".local/state/resource-tracker/runs").glob("*.jsonl"))
    dpkg(machine, "-P", *packages)
    assert records and all(record.exists() for record in records)
    assert files(machine.root) == {str(pathlib.Path("/usr/bin/python3").resolve()).lstrip("/")}
