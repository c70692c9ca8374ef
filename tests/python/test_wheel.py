"""test_wheel.py - the package as it is distributed."""
import os
import re
import subprocess
import sys
import zipfile

import pytest

from package import ROOT
from screen import Screen

MOST_BYTES = 4 << 20


def shows_a_command(program, environment, folder):
    """`top` is there, and finds the recorder that it starts around the command."""
    hold = folder / "hold"
    os.mkfifo(hold)
    with Screen([program, "top", "--", "sh", "-c", "read x < hold; exit 4"], cwd=folder,
                env={**environment, "TERM": "xterm-256color"}) as view:
        view.shows("^running")
        hold.write_text("")
        view.shows("^ended, status 4")
        view.type("q")
        view.read_to_end()
        assert view.process.wait() == 4


@pytest.fixture(scope="module")
def wheel(package):
    found, = (package / "dist").glob("*.whl")
    return found


def test_what_is_in_it(wheel):
    assert wheel.stat().st_size <= MOST_BYTES
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        mode = archive.getinfo("resource_tracker/bin/resource-tracker").external_attr >> 16
    assert {"resource_tracker/py.typed", "resource_tracker/regions.py", "resource_tracker/_library.abi3.so",
            "resource_tracker/bin/resource-tracker-analysis", "resource_tracker/bin/resource-tracker-gpu"} <= set(names)
    assert mode & 0o111 and not any(name.endswith(".c") for name in names)
    assert re.fullmatch(r"resource_tracker-\d+\.\d+\.\d+-cp39-abi3-(many)?linux_\w+\.whl", wheel.name)


def test_the_extension_needs_an_old_glibc_and_the_limited_interface_alone(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        path = archive.extract("resource_tracker/_library.abi3.so", tmp_path)
    listing = subprocess.run(["objdump", "-p", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert max(tuple(map(int, v)) for v in re.findall(r" GLIBC_(\d+)\.(\d+)", listing)) <= (2, 28)
    symbols = subprocess.run(["nm", "-D", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert [line.split()[-1] for line in symbols.splitlines() if " T " in line] == ["PyInit__library"]
    assert not re.search(r" U _Py(?!_NoneStruct|_FalseStruct|_Dealloc|\w+_SizeT)", symbols)


def test_the_same_input_gives_the_same_bytes(wheel, tmp_path):
    build = os.environ.get("BUILD") or ROOT / "build/dev"
    subprocess.run([sys.executable, ROOT / "python/build_wheel.py", "--build", build, tmp_path], check=True)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_importing_it_imports_nothing_else(python):
    """A module is loaded when one of its names is used: `import resource_tracker` takes the time of one small file."""
    mine, others = python("""
show([n for n in sys.modules if n.startswith("resource_tracker.")])
show([n for n in ("subprocess", "ctypes", "inspect", "typing_extensions", "asyncio", "threading") if n in sys.modules])
""")
    assert mine == [] and others == []


def test_every_name_is_there(python):
    names, listed, version, unknown = python("""
names = [*resource_tracker._MODULES]
show([n for n in names if not getattr(resource_tracker, n)], set(names) <= set(dir(resource_tracker)), resource_tracker.__version__)
assert set(names) - set(resource_tracker.__all__) == {"open"}
try:
    resource_tracker.nosuch
except AttributeError as error:
    show(str(error))
""")
    assert names == [] and listed and re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert unknown == "module 'resource_tracker' has no attribute 'nosuch'"


def test_the_command(package, environment):
    done = subprocess.run([package / "venv/bin/resource-tracker", "--quiet", "--", "sh", "-c", "exit 7"], env=environment)
    assert done.returncode == 7


def test_top(package, environment, tmp_path):
    shows_a_command(package / "venv/bin/resource-tracker", environment, tmp_path)
