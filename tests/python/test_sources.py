"""test_sources.py - the source distribution: all of it is compiled, installed and used, by a C compiler alone."""
import json
import os
import shutil
import subprocess
import sys

from package import ROOT

SCRIPT = """
import json, time, resource_tracker
with resource_tracker.track(interval=0.05) as run:
    with resource_tracker.region("part"):
        time.sleep(0.2)
print(json.dumps([run.summary()["duration"], run.samples.rows, list(run.regions), run.record_path, run.info["notices"]]))
"""


def test_a_package_from_its_sources(tmp_path, environment):
    """Without CMake, without a network and without setuptools; the tree that it came from is not used."""
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, ROOT / "python/build_wheel.py", "--sdist", tmp_path], check=True)
    archive, = tmp_path.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    compiler = "ccache cc" if shutil.which("ccache") else "cc"
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-build-isolation",
                    "--disable-pip-version-check", archive], check=True, cwd=tmp_path, env={**os.environ, "CC": compiler})
    done = subprocess.run([python, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, check=True, env=environment, cwd=tmp_path)
    duration, rows, regions, record, notices = json.loads(done.stdout)
    assert duration >= 0.2 and rows >= 3 and regions == ["part"] and record.startswith(str(tmp_path / "state")) and notices == []
