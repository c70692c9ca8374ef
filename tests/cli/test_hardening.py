"""test_hardening.py - the protection of the built programs, and the confinement of readers of records."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest


def readelf(program, *flags):
    if not shutil.which("readelf"):
        pytest.skip("no readelf")
    return subprocess.run(["readelf", "-W", *flags, program], capture_output=True, text=True, check=True).stdout


@pytest.fixture(params=["", "-analysis", "-plot", "-push", "-verify", "-gpu"])
def program(request, tracker):
    path = pathlib.Path(f"{tracker}{request.param}")
    if not path.exists():
        pytest.skip(f"{path.name} is not built")
    if re.search("__[at]san_init", readelf(path, "--dyn-syms")):
        pytest.skip("a sanitizer's own protection")
    return path


def test_addresses_are_random_and_code_is_read_only(program):
    assert "DYN" in readelf(program, "-h")
    headers = readelf(program, "-l")
    stack = next(line for line in headers.splitlines() if "GNU_STACK" in line)
    assert " RW " in stack and "E" not in stack.split("0x")[-2]
    assert "GNU_RELRO" in headers
    assert "BIND_NOW" in readelf(program, "-d") or "NEEDED" not in readelf(program, "-d")


def test_the_checks_of_the_c_library_are_built_in(program):
    symbols = readelf(program, "--dyn-syms")
    if "GLIBC" not in symbols:
        pytest.skip("musl has none")
    assert "__stack_chk_fail" in symbols and "_chk@GLIBC" in symbols.replace("__stack_chk_fail", "")


def test_each_file_was_built_with_the_options(program):
    """By gcc's record of its options.  Regression: the parts of `verify` that make loads had none of them."""
    said = readelf(program, "--debug-dump=info")
    ours = {line for line in re.findall(r"DW_AT_producer .*(GNU C17 .*)", said) if "-std=gnu17" in line}
    if not ours:
        pytest.skip("not built by gcc with symbols for a debugger")
    for flag in "-fstack-protector-strong", "-fstack-clash-protection", "-fcf-protection", "-ftrivial-auto-var-init=zero":
        known = subprocess.run(["gcc", flag, "-S", "-x", "c", "-o", "-", "/dev/null"], capture_output=True, check=False)
        if known.returncode == 0:
            assert all(flag in line for line in ours), (flag, ours)


def landlock():
    import ctypes
    return sys.platform == "linux" and ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1


@pytest.mark.parametrize("words", [["summary", "-"], ["report", "-", "--json"], ["compare", "-", "{other}"], ["recommend", "-"],
                                   ["export", "-", "--to", "csv"], ["plot", "-", "-o", "{folder}/p.svg"]], ids=lambda words: words[0])
def test_a_reader_of_records_confines_itself_before_it_reads(tracker, tmp_path, words):
    """It waits for stdin, so its confinement can be seen from outside: no new privileges, as Landlock requires."""
    if not landlock():
        pytest.skip("this kernel has no Landlock")
    (tmp_path / "other.csv").write_text("timestamp,cpu_usage\n1,1\n2,1\n")
    words = [word.format(folder=tmp_path, other=tmp_path / "other.csv") for word in words]
    reader = subprocess.Popen([tracker, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 120
        while "NoNewPrivs:\t1" not in pathlib.Path(f"/proc/{reader.pid}/status").read_text():
            assert reader.poll() is None and time.monotonic() < until, "it reads without confinement"
            time.sleep(0.01)
    finally:
        _, said = reader.communicate("timestamp,cpu_usage\n1,1\n2,1\n")
    assert reader.returncode == 0, said


def test_confinement_does_not_change_the_answer(run, tmp_path):
    """Files that are given, a file that is replaced through a link, and a folder elsewhere."""
    record, folder = tmp_path / "rows.csv", tmp_path / "pages"
    record.write_text("timestamp,cpu_usage\n1,1\n2,1\n")
    folder.mkdir()
    (folder / "old.csv").write_text("old")
    os.symlink("pages/old.csv", tmp_path / "link.csv")
    assert run("export", record, "--to", "csv", "-o", tmp_path / "link.csv").returncode == 0
    assert (tmp_path / "link.csv").is_symlink() and "old" not in (folder / "old.csv").read_text()
    for form in "sqlite", "openmetrics", "perfetto":
        done = run("export", record, "--to", form, "-o", folder / form)
        assert done.returncode == 0, done.stderr
    assert run("summary", record, cwd=folder).stdout == run("summary", "../rows.csv", cwd=folder).stdout.replace("../", f"{tmp_path}/")
    assert "is a directory" in run("compare", record, folder).stderr
    assert "No such file" in run("summary", tmp_path / "none.csv").stderr
