"""conftest.py - the R package as its users have it: checked and installed by R CMD check, into a folder of the test."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HARMLESS = {"PATH", "HOME", "LANG", "TMPDIR", "USER", "CCACHE_DIR"}


def build(folder, page=None):
    """The source package, as `make r-package` makes it."""
    subprocess.run([sys.executable, ROOT / "r/build_package.py", *(["--page", page] if page else []), folder], check=True)
    package, = folder.glob("resourcetracker_*.tar.gz")
    return package


@pytest.fixture(scope="session")
def page():
    """The report's page, where node was there to bundle it."""
    path = os.environ.get("PAGE", str(ROOT / "build/dev/report.html"))
    return path if os.path.exists(path) else None


@pytest.fixture(scope="session")
def package(tmp_path_factory, page):
    return build(tmp_path_factory.mktemp("package"), page)


@pytest.fixture(scope="session")
def settings(tmp_path_factory):
    """Nothing of the caller's; no network, and little time for the compiler, which is what the check costs."""
    folder = tmp_path_factory.mktemp("settings")
    (folder / "Makevars").write_text(f"CC = {'ccache ' if shutil.which('ccache') else ''}cc\nCFLAGS = -O1 -g0\nCPPFLAGS =\n")
    (folder / "Rprofile").write_text("options(repos = character())\n")
    kept = {name: value for name, value in os.environ.items() if name in HARMLESS}
    return {**kept, "LC_ALL": "C.UTF-8", "NOT_CRAN": "true", "R_MAKEVARS_USER": str(folder / "Makevars"),
            "R_PROFILE": str(folder / "Rprofile"), "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CONFIG_HOME": str(folder / "config")}


@pytest.fixture(scope="session")
def checked(tmp_path_factory, package, settings):
    """The folder that R CMD check leaves: its log, what the tests wrote, and the package as it is installed."""
    folder = tmp_path_factory.mktemp("check")
    done = subprocess.run(["R", "CMD", "check", "--no-manual", f"--output={folder}", package], env=settings, cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = folder / "resourcetracker.Rcheck"
    assert found.is_dir(), done.stdout
    return found


@pytest.fixture
def rscript(checked, settings, tmp_path):
    """rscript(text, **variables): the lines that a script with the package prints."""
    def run(text, **variables):
        script = tmp_path / "script.R"
        script.write_text("library(resourcetracker)\n" + text)
        done = subprocess.run(["Rscript", "--vanilla", script], env={**settings, "R_LIBS": str(checked), **variables},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout.splitlines()
    return run
