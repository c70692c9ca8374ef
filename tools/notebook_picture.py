#!/usr/bin/python3
"""notebook_picture.py BUILD OUT.png [light|dark] - the picture of a notebook with %%track for the documentation.

Executes a small notebook with the wheel of a build, and takes a picture of it as a web page.  Wants chromium, Debian's
python3-nbclient, python3-ipykernel, python3-nbconvert and python3-numpy, and a machine that does nothing else.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/python"))

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


def main():
    build, out, theme = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), (sys.argv[3:] or ["light"])[0]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        python = install(build.resolve(), folder)
        notebook = kernels.Notebook(kernels.kernel(folder, python, {"XDG_STATE_HOME": str(folder / "state")}))
        notebook.execute(*CELLS)
        notebook.manager.shutdown_kernel(now=True)
        page = folder / "notebook.html"
        text = HTMLExporter(template_name="lab", theme=theme).from_notebook_node(notebook.whole)[0]
        page.write_text(re.sub(r"(?s)<script.*?</script>", "", text))           # they are fetched, and draw formulas
        subprocess.run([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--user-data-dir={folder / 'chromium'}", f"--window-size={SIZE}", f"--screenshot={out}", page.as_uri()],
                       check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
