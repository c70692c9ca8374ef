"""conftest.py - what all tests of the program from outside share."""
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: its truth is in what little time things take; it wants the machine for itself")


def given_path(variable, otherwise):
    """The path that ctest hands over, or the one of the dev build for a run by hand."""
    path = pathlib.Path(os.environ.get(variable) or ROOT / "build/dev" / otherwise)
    if not path.exists():
        pytest.fail(f"{path} is missing: build first, or set {variable}", pytrace=False)
    return path.resolve()


@pytest.fixture(scope="session")
def tracker():
    """Path of the resource-tracker program under test."""
    return given_path("PROGRAM_UNDER_TEST", "resource-tracker")


@pytest.fixture(scope="session")
def loads():
    """Directory of the load programs (tests/loads/README.md)."""
    return given_path("LOADS", "tests")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch, tmp_path):
    """No setting of the caller's leaks in, no record leaks out into the caller's home."""
    for name in list(os.environ):
        if name.startswith(("TRACKER_", "RESOURCE_TRACKER_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def run(tracker):
    """run(*arguments, prefix=(), **of_subprocess): the finished tracker, started by `prefix`, its output as text."""
    def start(*arguments, timeout=60, prefix=(), **more):
        more.setdefault("stdin", subprocess.DEVNULL)
        if "stdout" not in more and "stderr" not in more:
            more["capture_output"] = True
        return subprocess.run([*prefix, tracker, *map(str, arguments)], text=True, timeout=timeout, **more)
    return start


@pytest.fixture
def lines_of():
    """lines_of(path): the JSON values of a JSON Lines file."""
    def read(path):
        return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    return read
