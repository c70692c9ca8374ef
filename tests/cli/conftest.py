"""conftest.py - fixtures that all command-line tests share."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOB_VARIABLES = set(re.findall(r'"([A-Z]\w+)"\)', (ROOT / "src/core/job.def").read_text()))


def given_path(variable, otherwise):
    """The path passed by ctest, or that of the dev build for a run by hand."""
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


@pytest.fixture
def peak_bytes(loads, tmp_path):
    """peak_bytes(*command, **of_subprocess): the peak of resident memory of a command, which must succeed."""
    def measure(*command, **more):
        subprocess.run([loads / "load_peak", tmp_path / "peak", *command], check=True, stdout=subprocess.DEVNULL, **more)
        return int((tmp_path / "peak").read_text()) * 1024
    return measure


@pytest.fixture(scope="session")
def page_built(tracker):
    """Whether this build has the page of `report`."""
    done = subprocess.run([tracker, "report", "-o", "-", "-"], input="timestamp,cpu_usage\n1,1\n", text=True, capture_output=True)
    built = not (done.returncode == 125 and "nodejs npm" in done.stderr)
    assert done.returncode == 0 or not built, done.stderr
    return built


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch, tmp_path):
    """Hides the caller's settings and job from the tests, and the tests' records from the caller's home."""
    for name in list(os.environ):
        if name.startswith(("TRACKER_", "RESOURCE_TRACKER_", "AWS_", "CLICKHOUSE_", "SENTINEL_")) or name == "RESOURCE_TRACKER" or name in JOB_VARIABLES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def namespace():
    """The words that run a command as PID 1 of a namespace with its own /proc; skips if that is not allowed."""
    words = ["unshare", "--pid", "--fork", "--mount-proc"]
    if os.getuid() != 0:
        words.insert(1, "--map-root-user")
    if not shutil.which("unshare") or subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        pytest.skip("PID namespaces are not allowed here")
    return words


@pytest.fixture
def run(tracker):
    """
    run(*arguments, prefix=(), program=tracker, **of_subprocess): the finished tracker, started by `prefix`, with its
    output as text.
    """
    def start(*arguments, prefix=(), program=tracker, **more):
        more.setdefault("stdin", subprocess.DEVNULL)
        if "stdout" not in more and "stderr" not in more:
            more["capture_output"] = True
        return subprocess.run([*prefix, program, *map(str, arguments)], text=True, **more)
    return start


@pytest.fixture(scope="session")
def has_page(page_built):
    """Skips where the page of `report` was not built: that needs node."""
    if not page_built:
        pytest.skip("this build has no page")


@pytest.fixture
def open_path():
    """A folder that every user can reach: pytest closes tmp_path to others, again whenever another pytest begins."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="resource-tracker-test-") as folder:
        os.chmod(folder, 0o755)
        yield pathlib.Path(folder)


@pytest.fixture
def open_tracker(tracker, open_path):
    """The program at a place that every user can reach."""
    return pathlib.Path(shutil.copy(tracker, open_path))


@pytest.fixture
def lines_of():
    """lines_of(path): the JSON values of a JSON Lines file."""
    def read(path):
        return [json.loads(line) for line in pathlib.Path(path).read_text().split("\n") if line]
    return read


@pytest.fixture
def recorded_end(run, lines_of, tmp_path):
    """recorded_end(*command, options=()): the end of the command's record, and how processes of it were found."""
    def around(*command, options=()):
        record = tmp_path / "record"
        record.unlink(missing_ok=True)
        done = run("--quiet", "--record", record, *options, "--", *command)
        assert done.returncode == 0, done.stderr
        lines, membership = lines_of(record), None
        for line in lines:
            if isinstance(line, dict):
                membership = line.get("fixed", {}).get("process.membership", membership)
        return lines[-1]["end"], membership
    return around


@pytest.fixture
def cpu_group():
    """
    cpu_group(cpus=None): a control group of the test, with a quota of so many CPUs; only below a root group; removed
    afterwards.
    """
    mount = pathlib.Path("/sys/fs/cgroup/cpu")
    ours = [line.split(":", 2)[2] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines()
            if "cpu" in line.split(":", 2)[1].split(",")]
    if os.getuid() != 0 or ours != ["/"] or not (mount / "cgroup.procs").exists():
        pytest.skip("needs root, and the root group of the cpu controller (version 1)")
    groups = []

    def make(cpus=None):
        try:
            group = pathlib.Path(tempfile.mkdtemp(prefix="resource-tracker-test-", dir=mount))
        except OSError as error:
            pytest.skip(f"no control group can be made: {error}")
        groups.append(group)
        if cpus:
            (group / "cpu.cfs_period_us").write_text("100000")
            (group / "cpu.cfs_quota_us").write_text(str(int(cpus * 100000)))
        (group / "cpu.shares").write_text("262144")             # it must reach its quota beside busy processes, too
        return group
    yield make
    for group in groups:
        group.rmdir()
