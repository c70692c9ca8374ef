"""stores.py - a store with S3's interface on loopback, and the variables that lead to it."""
import os
import pathlib
import shutil
import subprocess

import pytest

from conftest import ROOT


@pytest.fixture
def keys(monkeypatch, tmp_path, push_built):
    """keys(url, secret): the variables for a store."""
    def give(url, access="S3RVER", secret="S3RVER"):
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", access)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)
    monkeypatch.setenv("HOME", str(tmp_path))
    return give


@pytest.fixture
def store(tmp_path):
    """The URL of an s3rver with the bucket `runs`."""
    node = shutil.which("node") or shutil.which("nodejs")
    modules = pathlib.Path(os.environ.get("S3RVER_MODULES") or ROOT / "build/dev/tests/s3rver/node_modules")
    if not node or not modules.exists():
        pytest.skip("npm could not fetch s3rver")
    with (tmp_path / "s3rver.log").open("w") as log:
        process = subprocess.Popen([node, ROOT / "tests/s3rver/s3rver.mjs", tmp_path / "store", "runs"], text=True,
                                   stdout=subprocess.PIPE, stderr=log, env={**os.environ, "MODULES": str(modules)})
    port = process.stdout.readline().strip()
    assert port, (tmp_path / "s3rver.log").read_text()
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()
