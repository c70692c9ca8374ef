"""kernels.py - a notebook is executed as its users do it: in a kernel of its own, which has the package."""
import json
import os

import nbclient
import nbformat
from jupyter_client.manager import KernelManager

ENOUGH_SECONDS = 900            # tests/conftest.py ends what hangs
DEBIAN = "/usr/lib/python3/dist-packages"


def kernel(folder, python, environment):
    """Its manager; all files of Jupyter, also the kernel's description, are below `folder`, for this process too."""
    for name in ("JUPYTER_PATH", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        os.environ[name] = str(folder / "jupyter")
    os.environ["IPYTHONDIR"] = str(folder / "ipython")
    place = folder / "jupyter/kernels/package"
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps({
        "argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "package", "language": "python",
        "env": {**environment, "PYTHONPATH": DEBIAN, "IPYTHONDIR": str(folder / "ipython"), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}}))
    return KernelManager(kernel_name="package")


class Notebook:
    """execute(*sources): the cells, with their outputs; a cell that fails does not end it."""

    def __init__(self, manager):
        self.manager = manager

    def execute(self, *sources):
        cells = [nbformat.v4.new_code_cell(source) for source in ("%load_ext resource_tracker", *sources)]
        self.whole = nbformat.v4.new_notebook(cells=cells)
        client = nbclient.NotebookClient(self.whole, km=self.manager, kernel_name="package", allow_errors=True,
                                         startup_timeout=ENOUGH_SECONDS, iopub_timeout=ENOUGH_SECONDS)
        client.execute()
        return self.whole.cells[1:]


def outputs(cell, kind):
    """Those of a kind (display_data, execute_result, stream, error), in order."""
    return [output for output in cell.outputs if output.output_type == kind]


def uses(cell):
    """What was displayed of a measured block: the line and the card."""
    return [(output.data["text/plain"], output.data["text/html"]) for output in outputs(cell, "display_data")
            if "text/html" in output.data]
