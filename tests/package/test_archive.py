"""test_archive.py - the archive: what is in it, and used on a machine that has nothing else."""
import http.server
import functools
import json
import os
import re
import shutil
import sqlite3
import subprocess
import threading

import pytest

from archive import ARM64, lacking
from conftest import NATIVE, PACKAGES, PRESETS, ROOT, archive_of, unpack
from needs import is_elf, row
from screen import Screen

COMMANDS = set(re.findall(r'^COMMAND\(\w+, "(\w+)"', (ROOT / "src/core/commands.def").read_text(), re.M))
COMPANIONS = {architecture: COMMANDS | {"analysis", "gpu"} for architecture in PRESETS}
if lacking():                   # aarch64 without libraries that are for it
    COMPANIONS["aarch64"] -= {"fleet", "push", "discover"}
LOADS = {"gpu": set(), "push": {"libcurl.so.4"}, "discover": {"libcurl.so.4"}}        # what each loads beside glibc
MOST_BYTES = 6 << 20
QEMU = shutil.which("qemu-aarch64-static")


@pytest.fixture(scope="module", params=[NATIVE] + ["aarch64"] * (NATIVE == "x86_64"))
def unpacked(request, tmp_path_factory):
    """(architecture, folder of its archive)"""
    return request.param, unpack(archive_of(request.param), tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def machine(unpacked, tmp_path_factory):
    """(architecture, folder whose programs this kernel starts, binds that they need)"""
    architecture, folder = unpacked
    if architecture == NATIVE:
        return architecture, folder, {}
    if not QEMU:
        pytest.skip("qemu-aarch64-static is missing: apt-get install qemu-user-static")
    copy = shutil.copytree(folder, tmp_path_factory.mktemp("emulated") / "folder")
    starter = copy.parent / "starter"
    subprocess.run(["gcc", "-static", f'-DEMULATOR="{QEMU}"', ROOT / "tests/package/emulated.c", "-o", starter], check=True)
    for program in [path for path in copy.rglob("resource-tracker*") if path.is_file() and is_elf(path)]:
        program.rename(f"{program}.emulated")
        shutil.copy(starter, program)
    return architecture, copy, {QEMU: QEMU}


@pytest.fixture
def at_work(machine, bare, tmp_path):
    """at_work(word..., binds): the recorder of the archive, finished, in a bare machine; files are left in tmp_path."""
    _, folder, needed = machine

    def start(*words, binds={}):
        return subprocess.run(bare({"/some where": folder, "/home": tmp_path, **needed, **binds}, [ITSELF, *words]),
                              capture_output=True, text=True, check=False)
    return start


# The one program that there is, which tests record as well.
ITSELF = "/some where/bin/resource-tracker"
SHORT = [ITSELF, "--quiet", "--record", "none", "--duration", "0.5", "-o", "/dev/null"]


def test_a_run_is_recorded_and_read(at_work, tmp_path):
    done = at_work("--record", "run.jsonl", "-i", "0.1", "--", *SHORT)
    assert done.returncode == 0 and "exit 0 after" in done.stderr, done.stderr
    lines = (tmp_path / "run.jsonl").read_text().splitlines()
    assert json.loads(lines[-1]) and sum(line.startswith('["r"') for line in lines) >= 1
    summary = at_work("summary", "run.jsonl")
    assert summary.returncode == 0 and "exit 0 after" in summary.stdout, summary.stderr
    report = at_work("report", "run.jsonl", "-o", "report.html")
    if not os.environ.get("PAGE"):
        pytest.skip("this build has no page")
    assert report.returncode == 0, report.stderr
    assert "uPlot" in (tmp_path / "report.html").read_text() and (tmp_path / "report.html").stat().st_size > 100_000


def test_the_status_is_the_command_s(at_work):
    assert at_work("--quiet", "--", "/there is none").returncode == 127
    assert at_work("--quiet", "--", ITSELF, "--nonsense").returncode == 125


def test_what_is_in_it(unpacked):
    architecture, folder = unpacked
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    programs = {f"libexec/resource-tracker/resource-tracker-{name}" for name in COMPANIONS[architecture]} | {"bin/resource-tracker"}
    pages = {f"share/man/man1/resource-tracker-{word}.1" for word in ("top", "summary", "report", "compare")}
    assert programs | pages | {
        "share/man/man1/resource-tracker.1", "share/bash-completion/completions/resource-tracker",
        "share/zsh/site-functions/_resource-tracker", "share/fish/vendor_completions.d/resource-tracker.fish",
        "include/resource_tracker_regions.h", "share/doc/resource-tracker/LICENSE"} <= names
    assert {name for name in names if os.access(folder / name, os.X_OK)} == programs
    assert {path.split("/")[0] for path in names} == {"bin", "libexec", "share", "include"}
    assert not any(path.is_symlink() for path in folder.rglob("*"))


def test_what_the_programs_need(unpacked):
    """Nothing, but for those that load a library of the machine."""
    architecture, folder = unpacked
    needs = {path.name: row(path) for path in folder.rglob("resource-tracker*") if path.is_file() and is_elf(path)}
    assert len(needs) == len(COMPANIONS[architecture]) + 1
    loading = {name: needs.pop(f"resource-tracker-{name}") for name in LOADS if name in COMPANIONS[architecture]}
    assert {found[2:] for found in needs.values()} == {("none", "none")}
    for name, found in loading.items():
        assert tuple(map(int, found[2].split("."))) <= (2, 17), found
        assert set(found[3].split()) - {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-aarch64.so.1"} == LOADS[name]
    needs |= {f"resource-tracker-{name}": found for name, found in loading.items()}
    assert sum(found[1] for found in needs.values()) < 2 * MOST_BYTES
    # The page of the documentation shows these figures.
    page = (ROOT / "docs/howto/install.md").read_text()
    for name, size, *_ in needs.values():
        shown = re.search(rf"^\| `{name}` \| (.*?)(?: MB)? \| (.*?)(?: MB)? \|", page, re.M)
        shown = float(shown[1 if architecture == "x86_64" else 2])
        assert abs(size / 1e6 - shown) < 0.05 + 0.15 * shown, f"{name}: {size} bytes, and docs/howto/install.md says {shown} MB"
    assert archive_of(architecture).stat().st_size < MOST_BYTES


def test_runs_in_sqlite(machine, at_work, tmp_path):
    """The store of a fleet, and an export."""
    if "fleet" not in COMPANIONS[machine[0]]:
        pytest.skip(lacking())
    assert at_work("--quiet", "--record", "run.jsonl", "--", *SHORT).returncode == 0
    for words in (["init"], ["push", "run.jsonl"], ["query", "oversized"]):
        done = at_work("fleet", words[0], "--store", "fleet.db", *words[1:])
        assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "fleet.db") as store:
        assert store.execute("SELECT count(*) FROM runs").fetchone() == (1,)
    assert at_work("export", "run.jsonl", "--to", "sqlite", "-o", "run.db").returncode == 0
    with sqlite3.connect(tmp_path / "run.db") as exported:
        assert exported.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.fixture
def libraries(machine):
    """({place: library} of the C library, {place: library} of all that push loads)"""
    architecture, folder, _ = machine
    if "push" not in COMPANIONS[architecture]:
        pytest.skip(lacking())
    if architecture != NATIVE:
        # Debian has the C library in /lib and libcurl in /usr/lib.
        if not list(ARM64.glob("usr/lib/*/libcurl.so.4")):
            pytest.skip("libcurl4 for arm64 is missing: tools/need.sh archive")
        return {"/lib": ARM64 / "lib"}, {"/lib": ARM64 / "lib", "/usr/lib": ARM64 / "usr/lib"}
    listing = subprocess.run(["ldd", folder / "libexec/resource-tracker/resource-tracker-push"],
                             capture_output=True, text=True, check=True).stdout
    found = {path: path for path in re.findall(r"(/\S+\.so\S*)", listing)}
    if not any("libcurl.so.4" in path for path in found):
        pytest.skip("libcurl is missing: apt-get install libcurl4")
    return {path: path for path in found if re.search("/(ld-linux|libc|libm|libdl|libpthread)[-.]", path)}, found


def test_push_with_the_machine_s_libcurl(at_work, libraries, tmp_path):
    """With the C library and libcurl of the machine and nothing else: what no receiver takes is left in files."""
    for drain in ("0.1s", "5s", "40s"):                 # until it has begun before it is asked to end
        done = at_work("-q", "--push", "influx=http://127.0.0.1:9", "--push-drain", drain, "--", *SHORT, binds=libraries[1])
        assert done.returncode == 0, done.stderr
        if list(tmp_path.glob(".local/state/resource-tracker/push/*/0-*")):
            break
    assert list(tmp_path.glob(".local/state/resource-tracker/push/*/0-*")), done.stderr
    for drain in ("0.1s", "2s", "40s", "800s"):         # until the kernel has said that nobody is there
        done = at_work("push", "--spooled", "--drain", drain, binds=libraries[1])
        if "Failed to connect" in done.stderr:
            break
    assert done.returncode == 1 and "Failed to connect to 127.0.0.1 port 9" in done.stderr, done.stderr


def test_push_without_libcurl(at_work, libraries):
    """The run is as without --push, and the loader's sentence names the library."""
    done = at_work("--push", "influx=http://127.0.0.1:9", "--", ITSELF, "--nonsense", binds=libraries[0])
    assert done.returncode == 125 and "libcurl.so.4" in done.stderr, done.stderr


def test_discover_without_a_network(at_work, libraries):
    done = at_work("discover", binds=libraries[1])
    assert (done.returncode, done.stdout) == (1, "No cloud has answered.\n"), done.stderr
    done = at_work("discover", binds=libraries[0])
    assert done.returncode == 127 and "libcurl.so.4" in done.stderr, done.stderr


def test_top_on_a_bare_machine(machine, bare, tmp_path):
    _, folder, binds = machine
    words = bare({"/some where": folder, "/home": tmp_path, **binds}, [
        ITSELF, "top", "--", ITSELF, "--quiet", "--record", "none", "--samples", "2", "-o", "/dev/null"],
        options=["--setenv", "TERM", "xterm-256color"])
    with Screen(words) as view:
        view.shows("ended, status 0")
        view.type("q")
        assert view.process.wait() == 0


def test_companions_are_found_through_links(machine, tmp_path):
    for link in (tmp_path / "one", tmp_path / "two"):
        link.symlink_to(machine[1] / "bin/resource-tracker" if link.name == "one" else "one")
    done = subprocess.run([tmp_path / "two", "summary", "--help"], capture_output=True, text=True, check=False)
    assert "Usage: resource-tracker summary" in done.stdout


# ---- install.sh ------------------------------------------------------------------------------------------------

OFFERED = PACKAGES / "archive"


def install(*words, script=OFFERED / "install.sh", **more):
    return subprocess.run(["sh", script, *map(str, words)], capture_output=True, text=True, **more)


def files_of(prefix):
    return {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}


def test_install_and_remove(tmp_path):
    prefix, runs = tmp_path / "a prefix", tmp_path / "runs"
    prefix.mkdir()
    (prefix / "bin").mkdir()
    (prefix / "bin/other").write_text("another's")
    done = install("--prefix", prefix)
    assert done.returncode == 0 and re.search(r"installed .*\d+\.\d+\.\d+ in ", done.stderr), done.stderr
    before = files_of(prefix)
    assert subprocess.run([prefix / "bin/resource-tracker", "--quiet", "--record", f"{runs}/", "--", "true"]).returncode == 0
    record, = runs.iterdir()
    assert subprocess.run([prefix / "bin/resource-tracker", "summary", record], capture_output=True).returncode == 0

    # Once more, over an older version that had another file.
    listed = prefix / "libexec/resource-tracker/installed"
    (prefix / "share/old").mkdir()
    (prefix / "share/old/file").touch()
    listed.write_text(listed.read_text() + "share/old/file\n")
    assert install("--prefix", prefix).returncode == 0
    assert files_of(prefix) == before and not (prefix / "share/old").exists()

    done = install("--prefix", prefix, "--remove")
    assert done.returncode == 0 and files_of(prefix) == {"bin/other"} and [path.name for path in prefix.iterdir()] == ["bin"]
    assert record.exists()
    done = install("--prefix", prefix, "--remove")
    assert done.returncode == 1 and "nothing that this script installed" in done.stderr


def test_install_for_a_user(tmp_path):
    """Without --prefix, and not as root."""
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    done = install(env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path / "home")})
    assert done.returncode == 0 and (tmp_path / "home/.local/bin/resource-tracker").exists()
    assert "is not on PATH" in done.stderr


@pytest.fixture
def offered(tmp_path):
    """A copy of what a release offers."""
    return shutil.copytree(OFFERED, tmp_path / "offered")


def changed(offered):
    """One byte of the archive for this machine is another; its name."""
    archive = offered / archive_of(NATIVE).name
    data = bytearray(archive.read_bytes())
    data[len(data) // 2] ^= 1
    archive.write_bytes(data)
    return archive.name


def test_another_checksum_installs_nothing(offered, tmp_path):
    name = changed(offered)
    done = install("--prefix", tmp_path / "prefix", script=offered / "install.sh")
    assert done.returncode == 1 and f"{name} of {offered} does not have the checksum" in done.stderr
    assert list((tmp_path / "prefix").rglob("*")) == []


def test_a_checksum_from_elsewhere(offered, tmp_path):
    """SHA256SUMS can be of the one who changed the archive."""
    good, = (line.split()[0] for line in (offered / "SHA256SUMS").read_text().splitlines() if line.endswith(f"{NATIVE}.tar.gz"))
    assert install("--prefix", tmp_path / "one", "--from", offered, "--sha256", good).returncode == 0
    changed(offered)
    subprocess.run("sha256sum -- *.tar.gz > SHA256SUMS", shell=True, cwd=offered, check=True)
    done = install("--prefix", tmp_path / "two", "--from", offered, "--sha256", good)
    assert done.returncode == 1 and f"does not have the checksum {good}" in done.stderr


def test_install_from_an_address(offered, tmp_path):
    if not shutil.which("curl") and not shutil.which("wget"):
        pytest.skip("neither curl nor wget is here")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=offered)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}"
            assert install("--prefix", tmp_path / "prefix", "--from", address).returncode == 0
            done = install("--prefix", tmp_path / "other", "--from", f"{address}/none")
        finally:
            server.shutdown()
            thread.join()
    assert (tmp_path / "prefix/bin/resource-tracker").exists()
    assert done.returncode == 1 and "cannot get SHA256SUMS from" in done.stderr


@pytest.mark.parametrize("words, sentence", [
    (["--nonsense"], "there is no option '--nonsense'"), (["--prefix"], "--prefix wants a value"),
    (["--from", "/there is none"], "cannot get SHA256SUMS from /there is none")])
def test_what_install_refuses(tmp_path, words, sentence):
    done = install(*words, env=os.environ | {"HOME": str(tmp_path)}, cwd=tmp_path)
    assert done.returncode == 1 and sentence in done.stderr.splitlines()[-1]


# ---- the same bytes ----------------------------------------------------------------------------------------------

def test_two_builds_are_equal():
    """build_again.py says what differs between them."""
    assert (PACKAGES / "again/out/SHA256SUMS").read_text() == (OFFERED / "SHA256SUMS").read_text()
