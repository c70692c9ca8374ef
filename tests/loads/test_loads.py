"""The loads burn what they say.  Judged by this process, which waits for them, not by their own word."""
import json
import os
import pathlib
import resource
import subprocess

import pytest

LOADS = pathlib.Path(os.environ.get("LOADS") or
                     pathlib.Path(__file__).resolve().parents[2] / "build/dev/tests").resolve()


def truth_of(name, *arguments):
    done = subprocess.run([LOADS / name, *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, check=True)
    return json.loads(done.stdout)


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def near(value, part=0.01, least=0.0):
    return pytest.approx(value, rel=part, abs=least)


@pytest.mark.parametrize("arguments, seconds", [
    (("--threads", 1, "--seconds", 0.5), 0.5),
    (("--threads", 3, "--seconds", 0.2), 0.6),
    (("--children", 2, "--each", 300, "--parallel", 2), 0.6),
    (("--children", 40, "--each", 5, "--from-thread", "--name", "a b) c (d"), 0.2),
])
def test_cpu_is_what_the_kernel_charges(arguments, seconds):
    before = cpu_of_children()
    truth = truth_of("load_cpu", *arguments)
    charged = cpu_of_children() - before
    # Ours includes the start of the program itself and of Python's fork: a few milliseconds.
    assert truth["cpu_seconds"] == near(charged, least=0.008)
    assert truth["cpu_seconds"] >= seconds
    assert truth["own_seconds"] + truth["waited_seconds"] == near(truth["cpu_seconds"], 1e-5)


@pytest.mark.parametrize("ending", ["--unwaited", "--daemonised"])
def test_children_that_nobody_waits_for_still_count(ending):
    before = cpu_of_children()
    truth = truth_of("load_cpu", "--children", 40, "--each", 10, ending, "--parallel", 2)
    charged = cpu_of_children() - before
    assert truth["unseen_seconds"] == near(0.4 + 40 * truth["exit_seconds"])
    # They stay hidden from us as well, which is the point of these loads.
    assert charged == near(truth["own_seconds"] + truth["waited_seconds"], least=0.008)
    assert charged < 0.25 * truth["cpu_seconds"]
    assert 0 <= truth["exit_seconds"] < 0.005


def test_truth_goes_to_a_file(tmp_path):
    path = tmp_path / "truth"
    done = subprocess.run([LOADS / "load_cpu", "--seconds", "0.01", "--truth", path],
                          capture_output=True, check=True, timeout=60)
    assert done.stdout == b""
    assert json.loads(path.read_text())["cpu_seconds"] >= 0.01


def test_wrong_options_are_refused():
    for arguments in (["--secondss", "1"], ["--seconds"], ["--seconds", "x"]):
        assert subprocess.run([LOADS / "load_cpu", *arguments], capture_output=True,
                              timeout=60).returncode == 2
