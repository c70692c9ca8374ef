#!/usr/bin/env python3
"""package.py BUILD FOLDER - the wheel of a build, and an environment with it, for all tests of the package."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def install(build, folder):
    """The wheel of a build, and the interpreter of an environment that has nothing else; no network is used."""
    subprocess.run([sys.executable, ROOT / "python/build_wheel.py", "--build", build, folder / "dist"], check=True)
    wheel, = (folder / "dist").glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    subprocess.run([sys.executable, "-m", "pip", "--python", folder / "venv/bin/python", "install", "--quiet", "--no-index",
                    "--no-deps", "--disable-pip-version-check", wheel], check=True)
    return folder / "venv/bin/python"


if __name__ == "__main__":
    shutil.rmtree(sys.argv[2], ignore_errors=True)
    pathlib.Path(sys.argv[2]).mkdir(parents=True)
    install(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
