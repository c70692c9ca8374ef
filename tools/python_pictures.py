#!/usr/bin/python3
"""python_pictures.py BUILD FOLDER [light|dark] - the pictures of the Python package for the documentation.

FOLDER/notebook.png is a notebook with %%track as a web page, FOLDER/pytest.svg a run of pytest in a terminal, both with the
wheel of a build.  Wants chromium, Debian's python3-nbclient, python3-ipykernel, python3-nbconvert, python3-numpy and
python3-pytest, and a machine that does nothing else.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TOOLS.parent / "tests/python"))

import kernels  # noqa: E402
from nbconvert import HTMLExporter  # noqa: E402
from package import install  # noqa: E402

CELLS = ["""%%track -n train
import numpy, resource_tracker

with resource_tracker.region("load"):
    data = numpy.random.default_rng(1).random((12_000_000, 4))
with resource_tracker.region("fit"):
    for batch in numpy.array_split(data, 6):
        with resource_tracker.region("batch"):
            u = numpy.linalg.svd(batch, full_matrices=False)[1]""",
         """%track -n mean data[:, 0].mean()"""]
SIZE = "1000,590"
TESTS = """
import subprocess, sys, time
import pytest
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
def test_load(): bytearray(b"x") * (120 << 20)
def test_fit(): burn(1.2)
def test_export(): subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.4: pass"], check=True)
def test_save(): pass
@pytest.mark.limit_memory("200 MiB")
def test_join(): bytearray(b"x") * (310 << 20)
"""


def notebook(python, folder, out, theme):
    shown = kernels.Notebook(kernels.kernel(folder, python, {"XDG_STATE_HOME": str(folder / "state")}))
    shown.execute(*CELLS)
    shown.manager.shutdown_kernel(now=True)
    text = HTMLExporter(template_name="lab", theme=theme).from_notebook_node(shown.whole)[0]
    page = folder / "notebook.html"
    page.write_text(re.sub(r"(?s)<script.*?</script>", "", text))               # they are fetched, and draw formulas
    subprocess.run([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--user-data-dir={folder / 'chromium'}", f"--window-size={SIZE}", f"--screenshot={out}", page.as_uri()],
                   check=True, stderr=subprocess.DEVNULL)


def tests(python, folder, out):
    """Its status, which is that of a test that failed, is not that of the picture."""
    command = folder / "pytest"
    command.write_text(f'#!/bin/sh\n{python} -m pytest -p no:cacheprovider --no-header "$@" || :\n')
    command.chmod(0o755)
    suite = folder / "suite"
    suite.mkdir()
    (suite / "test_model.py").write_text(TESTS)
    picture = subprocess.run([TOOLS / "terminal_svg.py", command, "--resource-tracker"], cwd=suite, check=True, stdout=subprocess.PIPE,
                             env={**os.environ, "PYTHONPATH": kernels.DEBIAN, "PYTHONDONTWRITEBYTECODE": "1"})
    out.write_bytes(picture.stdout)


def main():
    build, out, theme = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), (sys.argv[3:] or ["light"])[0]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        python = install(build.resolve(), folder)
        notebook(python, folder, out / "notebook.png", theme)
        tests(python, folder, out / "pytest.svg")


if __name__ == "__main__":
    main()
