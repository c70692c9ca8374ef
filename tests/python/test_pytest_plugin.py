"""test_pytest_plugin.py - the plugin of pytest, in an interpreter that has the package and Debian's pytest."""
import json
import re
import subprocess

import pytest

DEBIAN = "/usr/lib/python3/dist-packages"
HAS_XDIST = subprocess.run(["/usr/bin/python3", "-c", "import xdist"], stderr=subprocess.DEVNULL).returncode == 0

LOADS = """
import os, subprocess, sys, threading, time
import pytest
@pytest.fixture
def child():                            # it has 80 MiB when this returns, and lives longer than the test
    children = []
    def start():
        children.append(subprocess.Popen([sys.executable, "-c", "x = bytearray(b'x') * (80 << 20)\\nprint(flush=True)\\ninput()"],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        children[0].stdout.readline()
    yield start
    children[0].communicate()
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
"""


@pytest.fixture
def suite(package, environment, tmp_path):
    """suite(text, *words): pytest's output of a file of tests; `status` is its exit status."""
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider --strict-markers\n")

    def run(text, *words, status=0, **variables):
        (folder / "test_it.py").write_text(LOADS + text)
        done = subprocess.run([package / "venv/bin/python", "-m", "pytest", *words], cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**environment, "PYTHONPATH": DEBIAN, "PYTHONDONTWRITEBYTECODE": "1", **variables})
        assert done.returncode == status, done.stdout
        return done.stdout
    run.folder = folder
    return run


def test_an_older_pytest(suite):
    """Before version 7 it did not have all names of its types; the plugin is loaded with each run, so it must not need them."""
    (suite.folder / "old_names.py").write_text("import pytest\nfor name in ('CallInfo', 'Config', 'Parser', 'TestReport'):\n"
                                               "    vars(pytest).pop(name, None)\n")
    assert "resource use of 1 test" in suite("def test_it(): burn(0.1)\n", "-p", "old_names", "--resource-tracker")


def seconds(text):
    value, unit = text.split()
    return float(value) * {"ms": 1e-3, "s": 1}[unit]


def bytes_of(text):
    value, unit = text.lstrip("+").split()
    return float(value) * {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[unit]


def table(output):
    """{test: (CPU seconds, memory bytes, seconds)}, in the order of the first table."""
    rows = re.findall(r"^ +([\d.]+ m?s) +\+(-?[\d.]+ [KMG]?i?B) +([\d.]+ m?s)  \S+::(\S+)$", output, re.M)
    found = {}
    for cpu, memory, time, name in rows:
        found.setdefault(name, (seconds(cpu), bytes_of(memory), seconds(time)))
    return found


def test_each_test_is_measured(suite):
    """CPU time of threads and children too; memory beyond what was there; fixtures are not the test's."""
    output = suite("""
KEPT = []
@pytest.fixture
def costly():
    burn(0.6)
    KEPT.append(bytearray(b"x") * (150 << 20))
    yield
    burn(0.3)
def test_fixture(costly): pass
def test_cpu(): burn(0.5)
def test_threads():
    threads = [threading.Thread(target=burn, args=(0.2,)) for _ in range(2)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
def test_child(): subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.3: pass"], check=True)
def test_memory():
    peak = bytearray(b"x") * (100 << 20)        # given back at once
def test_less_memory():
    peak = bytearray(b"x") * (60 << 20)         # below the peak of before
def test_memory_of_a_child(child): child()
def test_sleep(): time.sleep(0.2)
def test_skipped(): pytest.skip("no")
def test_failed():
    burn(0.1)
    assert False
""", "--resource-tracker", status=1)
    assert "resource use of 9 tests" in output and "9 tests: most" not in output
    found = table(output)
    assert 0.5 <= found["test_cpu"][0] <= 0.55 and 0.4 <= found["test_threads"][0] <= 0.45
    assert 0.3 <= found["test_child"][0] and found["test_fixture"][0] < 0.1 and found["test_failed"][0] >= 0.1
    assert list(found)[0] == max(found, key=lambda name: found[name][0]) and "test_skipped" not in found
    assert 99 << 20 <= found["test_memory"][1] <= 102 << 20 and 59 << 20 <= found["test_less_memory"][1] <= 62 << 20
    assert 75 << 20 <= found["test_memory_of_a_child"][1] <= 120 << 20
    assert found["test_fixture"][1] < 5 << 20 and found["test_sleep"][1] < 5 << 20
    assert found["test_sleep"][2] >= 0.2 and found["test_sleep"][0] < 0.1


def test_limits_without_an_option(suite):
    """A mark is enough; a test that uses too much fails with one sentence, without a traceback of ours."""
    output = suite("""
@pytest.mark.limit_memory("50 MiB")
def test_memory(): bytearray(b"x") * (100 << 20)
@pytest.mark.limit_memory("150 MiB")
def test_memory_is_enough(): bytearray(b"x") * (100 << 20)
@pytest.mark.limit_cpu(0.2)
def test_cpu(): burn(0.4)
@pytest.mark.limit_cpu(0.9)
def test_cpu_is_enough(): burn(0.2)
@pytest.mark.limit_memory("40 MiB")
@pytest.mark.limit_cpu(5)
def test_child(child): child()
@pytest.mark.xfail
@pytest.mark.limit_cpu(0.1)
def test_expected(): burn(0.2)
@pytest.mark.limit_cpu(0.1)
def test_own_failure():
    burn(0.2)
    assert 1 == 2
""", status=1)
    assert "4 failed, 2 passed, 1 xfailed" in output and "resource use" not in output
    sentences = re.findall(r"^the test used .*", output, re.M)
    assert len(sentences) == 3 and "_tests.py" not in output and "assert 1 == 2" in output
    memory, cpu, child = sentences
    used, = re.fullmatch(r"the test used at least (.+) of memory: its limit is 50.0 MiB", memory).groups()
    assert 99 << 20 <= bytes_of(used) <= 102 << 20
    used, = re.fullmatch(r"the test used (.+) of CPU time: its limit is 200 ms", cpu).groups()
    assert 0.4 <= seconds(used) <= 0.45
    assert re.fullmatch(r"the test used at least [\d.]+ MiB of memory: its limit is 40.0 MiB", child)


def test_marks_that_are_wrong(suite):
    """They are errors of the tests, which do not run."""
    output = suite("""
@pytest.mark.limit_memory("much")
def test_a(): assert False
@pytest.mark.limit_cpu("long")
def test_b(): assert False
@pytest.mark.limit_memory()
def test_c(): assert False
""", status=1)
    assert "3 errors" in output and "failed" not in output
    assert "limit_memory: 'much' is no size: write a number with B, KiB, MiB, GiB, kB, MB or GB" in output
    assert "limit_cpu: 'long' is no number of seconds" in output and "limit_memory: takes one argument" in output


def test_nothing_happens_unless_asked(suite):
    """No module of ours but the plugin's is loaded, and there is no thread."""
    text = """
def test_it():
    assert {n for n in sys.modules if n.startswith("resource_tracker")} == {"resource_tracker", "resource_tracker.pytest_plugin"}
    assert threading.active_count() == 1
"""
    assert "1 passed" in suite(text)
    assert "1 failed" in suite(text, "--resource-tracker", status=1)
    assert "@pytest.mark.limit_memory" in suite(text, "--markers") and "--resource-tracker-baseline=FILE" in suite(text, "--help")


def test_those_that_used_most(suite):
    text = "@pytest.mark.parametrize('n', range(12))\ndef test_it(n): burn(0.02 * n)"
    output = suite(text, "--resource-tracker")
    assert "resource use of 12 tests: most CPU time" in output and "resource use of 12 tests: most memory" in output
    first, second = output.partition("most memory")[::2]
    assert list(table(first))[:3] == ["test_it[11]", "test_it[10]", "test_it[9]"] and len(table(first)) == len(table(second)) == 10
    assert len(table(suite(text, "--resource-tracker", "-v"))) == 12


BASELINE = ("--resource-tracker-baseline", "base.json")
UPDATE = (*BASELINE, "--resource-tracker-update-baseline")
# The CPU time of memory depends on the machine and the moment, so test_memory burns what is left of a fixed time.
GROWS = """def test_cpu(): burn(%s)
def test_memory():
    end = time.thread_time() + 1.5
    bytearray(b'x') * (%d << 20)
    burn(end - time.thread_time())
"""


def test_a_baseline(suite):
    """Written, kept to, failed by what grows beyond the tolerance; only tests that passed are in it, and others stay."""
    path = suite.folder / "base.json"
    assert "has what 2 tests used" in suite(GROWS % (0.3, 40) + "def test_bad(): assert 0\n", *UPDATE, status=1)
    written = json.loads(path.read_text())
    assert written["resource_tracker_baseline"] == 1 and path.stat().st_mode & 0o777 == 0o644
    assert sorted(written["tests"]) == ["test_it.py::test_cpu", "test_it.py::test_memory"]
    assert written["tests"]["test_it.py::test_cpu"]["cpu_seconds"] >= 0.3
    assert written["tests"]["test_it.py::test_memory"]["memory_bytes"] >= 39 << 20
    text = GROWS % (0.3, 40) + "def test_new(): pass\n"
    assert "1 test of 3 not in the baseline" in suite(text, *BASELINE)
    output = suite(GROWS % (0.6, 80), *BASELINE, status=1)
    cpu, memory = re.findall(r"^the test used .*", output, re.M)
    assert re.fullmatch(r"the test used 6\d\d ms of CPU time, in the baseline 3\d\d ms: with a tolerance of 25 % it is at most \d+ ms", cpu)
    assert re.fullmatch(r"the test used [78]\d\.\d MiB of memory, in the baseline [34]\d\.\d MiB: "
                        r"with a tolerance of 25 % it is at most \d+\.\d MiB", memory)
    assert "2 passed" in suite(GROWS % (0.6, 80), *BASELINE, "--resource-tracker-tolerance", "1000")
    suite("def test_new(): burn(0.1)\n", *UPDATE)
    assert len(json.loads(path.read_text())["tests"]) == 3
    assert [entry.name for entry in suite.folder.glob("base.json*")] == ["base.json"]


def test_baselines_that_are_wrong(suite):
    text = "def test_it(): pass\n"
    assert "base.json cannot be read: No such file or directory" in suite(text, *BASELINE, status=4)
    for content in ("", "[]", '{"tests": {}}', '{"resource_tracker_baseline": 2, "tests": {}}',
                    '{"resource_tracker_baseline": 1, "tests": {"a": {"cpu_seconds": "x"}}}'):
        (suite.folder / "base.json").write_text(content)
        assert "base.json is no baseline of resource-tracker: " in suite(text, *BASELINE, status=4)
    assert "--resource-tracker-baseline names the file" in suite(text, "--resource-tracker-update-baseline", status=4)
    assert "a number of percent" in suite(text, "--resource-tracker", "--resource-tracker-tolerance", "-1", status=4)


def test_a_baseline_that_cannot_be_written(suite):
    output = suite("def test_it(): pass\n", "--resource-tracker-baseline", "nosuch/base.json", "--resource-tracker-update-baseline",
                   status=3)
    assert "1 passed" in output and re.search(r"the baseline \S+/nosuch/base.json cannot be written: No such file or directory", output)


@pytest.mark.skipif(not HAS_XDIST, reason="python3-pytest-xdist is missing")
def test_beside_each_other(suite):
    """xdist: each process measures its own tests; one table, one baseline, the same failures."""
    text = GROWS % (0.3, 40) + "@pytest.mark.limit_cpu(0.1)\ndef test_limit(): burn(0.2)\n"
    output = suite(text, "-n", "2", "--resource-tracker", *UPDATE, status=1)
    found = table(output)
    assert set(found) == {"test_cpu", "test_memory", "test_limit"} and 0.3 <= found["test_cpu"][0] <= 0.35
    assert 39 << 20 <= found["test_memory"][1] <= 42 << 20
    assert re.search(r"^the test used 2\d\d ms of CPU time: its limit is 100 ms$", output, re.M)
    assert len(json.loads((suite.folder / "base.json").read_text())["tests"]) == 2
    output = suite(GROWS % (0.6, 40), "-n", "2", *BASELINE, status=1)
    assert "1 failed, 1 passed" in output and "in the baseline" in output


def test_kinds_of_tests(suite):
    """unittest's too; a test that forks; one that ends in a child of fork."""
    output = suite("""
import unittest
class TestOfUnittest(unittest.TestCase):
    def test_it(self): burn(0.2)
def test_fork():
    pid = os.fork()
    if pid == 0:
        burn(0.2)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
""", "--resource-tracker")
    found = table(output)
    assert found["test_it"][0] >= 0.2 and found["test_fork"][0] >= 0.2


def test_where_the_peak_cannot_be_reset(python):
    """The kernel's peak counts if it has grown; below an older one samples are what there is."""
    grown, below, again = python("""
from resource_tracker import _meter
_meter._reset_peak = lambda: False
meter = _meter.Meter()
def used(size, waits):
    meter.begin()
    kept = bytearray(b"x") * (size << 20)
    while waits and meter._most < 45 << 20: time.sleep(0.01)
    del kept
    return meter.end().memory_bytes / (1 << 20)
show(used(100, False), used(50, True))
meter.close()
show(meter.end())
""")
    assert 99 <= grown <= 102 and 45 <= below <= 55 and again is None


def test_a_child_that_ends_before(python):
    """What a sample saw of it counts, and the thread that samples is not in the CPU time."""
    memory, cpu, wall = python("""
import subprocess
from resource_tracker import _meter
meter = _meter.Meter()
meter.begin()
child = subprocess.Popen([sys.executable, "-S", "-c", "x = bytearray(b'x') * (80 << 20)\\ninput()"], stdin=subprocess.PIPE)
while meter._most < 75 << 20: time.sleep(0.01)
child.communicate()
show(meter.end().memory_bytes / (1 << 20))
_meter.INTERVAL_SECONDS = 0.0001
meter.begin()
while time.clock_gettime(meter._thread_clock) < 1: time.sleep(0.1)
used = meter.end()
show(used.cpu_seconds, used.seconds)
""")
    assert 75 <= memory <= 120 and cpu < 0.5 < wall
