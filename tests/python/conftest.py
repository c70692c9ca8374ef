"""conftest.py - the Python package as its users have it: its wheel in a fresh virtual environment."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

from package import ROOT, install

sys.path.insert(0, str(ROOT / "tests/cli"))                     # processes.py

HARMLESS = {"PATH", "HOME", "LANG", "TMPDIR", "USER", "CC"}


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """The folder with dist/ and venv/: that of ctest (tests/part-python.cmake), or one for a run by hand."""
    given = os.environ.get("PACKAGE")
    folder = pathlib.Path(given) if given else tmp_path_factory.mktemp("package")
    if not given:
        install(pathlib.Path(os.environ.get("BUILD") or ROOT / "build/dev"), folder)
    return folder


@pytest.fixture
def environment(tmp_path, package):
    """Nothing of the caller's settings, and records in a folder of the test."""
    kept = {name: value for name, value in os.environ.items() if name in HARMLESS}
    kept["PATH"] = f"{package / 'venv/bin'}:{kept['PATH']}"
    return {**kept, "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}


@pytest.fixture
def python(package, environment, tmp_path):
    """python(text, *arguments, prefix=(), fails=False, **variables): what a script with the package prints, as JSON of each line."""
    def run(text, *arguments, prefix=(), fails=False, **variables):
        script = tmp_path / "script.py"
        # The command of a recorder can begin before its record.
        script.write_text("import json, os, signal, sys, time\nimport resource_tracker\n"
                          "record = os.environ.get('RESOURCE_TRACKER_RUN')\n"
                          "while record and not (os.path.exists(record) and os.path.getsize(record)): time.sleep(0.001)\n"
                          "def show(*values): print(*map(json.dumps, values), sep='\\n', flush=True)\n" + text)
        done = subprocess.run([*map(str, prefix), package / "venv/bin/python", script, *map(str, arguments)],
                              env={**environment, **variables}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        assert (done.returncode != 0) == fails, done.stderr + done.stdout
        run.stderr = done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]
    return run


@pytest.fixture
def recorder(package):
    """The program inside the package."""
    found, = (package / "venv").glob("lib/python3*/site-packages/resource_tracker/bin/resource-tracker")
    return found
