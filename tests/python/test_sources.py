"""test_sources.py - the source distribution: all of it is compiled, installed and used, by a C compiler alone."""
import json
import os
import shutil
import subprocess
import sys

from package import ROOT
from test_wheel import shows_a_command

SCRIPT = """
import json, time, resource_tracker
with resource_tracker.track(interval=0.05) as run:
    with resource_tracker.region("part"):
        time.sleep(0.2)
    while run.samples.rows < 3: time.sleep(0.01)
print(json.dumps([run.summary()["duration"], run.samples.rows, list(run.regions), run.record_path, run.info["notices"]]))
"""


def install_from_sources(folder, compiler):
    """Without CMake, without a network and without setuptools; the interpreter that has it."""
    python = folder / "venv/bin/python"
    subprocess.run([sys.executable, ROOT / "python/build_wheel.py", "--sdist", folder], check=True)
    archive, = folder.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-build-isolation",
                    "--disable-pip-version-check", archive], check=True, cwd=folder, env={**os.environ, "CC": compiler})
    return python


def test_a_package_from_its_sources(tmp_path, environment):
    """The tree that it came from is not used."""
    python = install_from_sources(tmp_path, "ccache cc" if shutil.which("ccache") else "cc")
    done = subprocess.run([python, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, check=True, env=environment, cwd=tmp_path)
    duration, rows, regions, record, notices = json.loads(done.stdout)
    assert duration >= 0.2 and rows >= 3 and regions == ["part"] and record.startswith(str(tmp_path / "state")) and notices == []
    shows_a_command(tmp_path / "venv/bin/resource-tracker", environment, tmp_path)


def test_without_a_compiler(tmp_path, environment):
    """Of Python alone: what needs no binary works (test_substitute.py), and track() says what is missing."""
    python = install_from_sources(tmp_path, "nosuch-compiler")
    done = subprocess.run([python, "-c", "import resource_tracker as r\nprint(r.machine()['cpu.count'], r.__version__)\n"
                           "with r.track(): pass"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert done.returncode == 1 and done.stdout.split()[0] == f"{os.cpu_count()}.0"
    assert "RecorderError: track() needs the package's module in C, which is not there for this machine" in done.stderr
