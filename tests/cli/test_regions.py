"""test_regions.py - programs that name their regions: every entry is counted, however the program ends."""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs/reference/record.schema.json").read_text())


@pytest.fixture
def regions_of(run, tmp_path, lines_of, loads):
    """regions_of(what, ...): the truth of the load, its regions by path, all lines of the record, the summary."""
    def measure(*arguments, program=None, status=0, **more):
        record = tmp_path / "record.jsonl"
        done = run("-i", 0.1, "--record", record, "--", program or loads / "load_regions", *arguments, **more)
        assert done.returncode == status, done.stderr
        lines = lines_of(record)
        validator = jsonschema.Draft202012Validator(SCHEMA)
        for line in lines[:300] + lines[-50:]:
            validator.validate(line)
        end = lines[-1]["end"]
        if end.get("regions"):
            assert "Regions" in run("summary", record).stdout and "| region |" in run("summary", "--markdown", record).stdout
            summarised = {region["name"]: region for region in json.loads(run("summary", "--json", record).stdout)["regions"]}
            for region in end["regions"]:
                for key in region.keys() - {"path", "overlap"}:
                    assert summarised[region["path"]][key] == pytest.approx(region[key], rel=1e-6, abs=1e-8)
                assert set(summarised[region["path"]]["overlap"]) <= set(region["overlap"])
        paths = {region["path"]: region for region in end.get("regions", [])}
        truth = json.loads(done.stdout.splitlines()[0]) if done.stdout.strip() else {}
        return truth, paths, lines, done.stderr
    return measure


def test_entries_are_nested(regions_of):
    """
    No entry ends after the enclosing one: its begin is reported as exactly as its length, and the frequency of the
    CPU's counter does not change between readings.
    """
    _, _, lines, _ = regions_of("nested", 30, 0.005)
    entries = [line["region"] for line in lines if isinstance(line, dict) and "region" in line]
    assert len(entries) > 60
    for inner in entries:
        around = [e for e in entries if e["tid"] == inner["tid"] and inner["path"].startswith(e["path"] + "/")
                  and e["t"] <= inner["t"] <= e["t"] + e["seconds"]]
        assert all(inner["t"] + inner["seconds"] <= e["t"] + e["seconds"] + 0.4e-6 for e in around)


@pytest.fixture
def python(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "share"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return "/usr/bin/python3"


def bounds(region, key):
    """The truth is between them; they equal the value if it is exact, and are infinite if they are unknown."""
    lower, upper = region["overlap"].get(key, [region.get(key)] * 2)
    return -math.inf if lower is None else lower, math.inf if upper is None else upper


def burnt(region, seconds):
    """Whether its CPU time is what the program burnt, with one reading of the clock more per entry."""
    return 0.99 * seconds <= region["cpu_seconds"] <= 1.02 * seconds + 0.005 * region["count"]


TRIES = 25      # for tests that other processes can disturb


def counts(paths):
    return {path: region["count"] for path, region in paths.items()}


def test_times_are_those_of_the_program(regions_of):
    truth, paths, lines, summary = regions_of("nested", 4, 0.05)
    assert counts(paths) == {"outer": 4, "outer/sleep": 4, "outer/burn": 4}
    # The load reads its clocks just inside of a region's ends and just outside of them: the truth is between the two.
    for path, (within, around, cpu_within, cpu_around) in truth.items():
        region, error = paths[path], 4 * 10e-6
        assert within * 0.999 - error <= region["seconds"] <= around * 1.001 + error
        assert cpu_within - error <= region["cpu_seconds"] <= cpu_around + error
        assert region["min_seconds"] <= region["p50_seconds"] <= region["max_seconds"]
        assert region["mean_seconds"] == pytest.approx(region["seconds"] / 4)
    assert burnt(paths["outer/burn"], 0.2)
    assert paths["outer/sleep"]["cpu_seconds"] < 0.01
    entries = [line["region"] for line in lines if isinstance(line, dict) and "region" in line]
    assert len(entries) == 12
    outer = [entry for entry in entries if entry["path"] == "outer"]
    for inner in entries:
        around = [o for o in outer if o["t"] <= inner["t"] + 2e-6
                  and inner["t"] + inner["seconds"] <= o["t"] + o["seconds"] + 2e-6]
        assert len(around) == 1
    assert "died in" not in summary and "still open" not in summary


def test_use_of_the_tree_in_each_region(regions_of):
    """A 300 MiB allocation appears in its own region, and in no other; so does the CPU time of a child."""
    changes = {"load": 0, "allocate": 300, "compute": 0, "spawn": 0, "free": -300}
    # If the recorder gets no CPU as a region begins, a value is a share, and marked so: retry until none is.
    for _ in range(TRIES):
        _, paths, _, summary = regions_of("memory", 300, 0.2)
        for path, change in changes.items():
            region = paths[path]
            lower, upper = bounds(region, "rss_change_bytes")
            assert lower / 2**20 - 12 <= change <= upper / 2**20 + 12
            assert region["rss_change_bytes"] is None or lower <= region["rss_change_bytes"] <= upper
        known = {path: paths[path]["rss_change_bytes"] for path in changes}
        if None not in known.values() and all(abs(known[path] / 2**20 - changes[path]) < 12 for path in changes) \
                and paths["allocate"]["rss_rise_bytes"] == pytest.approx(300 * 2**20, rel=0.05) \
                and paths["compute"]["peak_rss_bytes"] == pytest.approx(300 * 2**20, rel=0.05):
            break
    else:
        pytest.fail(f"never without shares: {paths}")
    assert all((paths[path]["rss_rise_bytes"] or 0) < 12 * 2**20 for path in ("load", "compute", "spawn"))
    for path, seconds in {"load": 0, "compute": 0.2, "spawn": 0.4}.items():
        lower, upper = bounds(paths[path], "tree_cpu_seconds")
        assert lower - 0.04 <= seconds <= upper + 0.04
    assert paths["spawn"]["cpu_seconds"] < 0.05
    assert re.search(r"memory \+(29|30)\d MiB", summary) and "all processes' CPU" in summary


# The kernel counts RSS in batches per CPU and kind of memory; from Linux 6.16 on a read adds them up.
BATCH_BYTES = max(32, 2 * os.cpu_count()) * os.cpu_count() * os.sysconf("SC_PAGESIZE")


def exact_change(region):
    return None if "rss_change_bytes" in region["overlap"] else region["rss_change_bytes"]


def most_are_exact(run_again, changes, enough):
    """Whether so many of these changes, in MiB, are exact in one of many runs, and each value marked exact is right."""
    for _ in range(TRIES):
        changed = {path: exact_change(region) for path, region in run_again().items() if path in changes}
        exact = {path: change for path, change in changed.items() if change is not None}
        for path, change in exact.items():
            assert abs(change - changes[path] * 2**20) < 2**20 + BATCH_BYTES, path
        if len(exact) >= enough:
            return True
    return False


def test_an_exact_change_of_memory_is_right(regions_of):
    """
    A program reports its memory as it begins and ends a region: not some time later, when the recorder reads it and
    the next region has taken 6 MiB already.
    """
    changes = {"load": 0, "allocate": 300, "compute": 0, "spawn": 0, "free": -300}
    # Nearly all; fewer if the program gets no CPU as it reports.  With readings of the recorder it was one in six.
    assert most_are_exact(lambda: regions_of("memory", 300, 0.2)[1], changes, 4)


def test_memory_of_a_child_of_a_sleeping_parent(regions_of):
    """It reports its own memory, not its parent's, and the parent's did not change meanwhile."""
    for _ in range(TRIES):
        truth, paths, _, _ = regions_of("memory-of-a-child", 100, 0.2)
        assert truth["status"] == 0
        changed = {path: exact_change(paths["parent/" + path]) for path in ("allocate", "free")}
        for path, change in (("allocate", 100), ("free", -100)):
            assert changed[path] is None or abs(changed[path] - change * 2**20) < 2**20 + BATCH_BYTES
        if None not in changed.values():
            break
    else:
        pytest.fail(f"never exact: {paths}")


@pytest.mark.parametrize("how", ["without-descriptors", "confined"])
def test_a_program_that_cannot_read_its_memory(regions_of, how):
    """No descriptors, or a filter of system calls that refuses: it goes on as before, with its errno."""
    truth, paths, _, _ = regions_of(f"memory-{how}", 1, 0.05)
    if truth["wrong"] is None:
        pytest.skip("no filter may be set")
    assert truth["wrong"] == 0 and counts(paths) == {"before": 1, "unread": 3}
    lower, upper = bounds(paths["unread"], "rss_change_bytes")
    assert lower < 2**20 + BATCH_BYTES and upper > -2**20 - BATCH_BYTES


SHARES = '''
import os, subprocess, sys, tempfile, time
from resource_tracker_regions import region
idle = subprocess.Popen(["sleep", "600"])
with tempfile.TemporaryFile(dir=sys.argv[1]) as file:
    for _ in range(300):
        file.write(os.urandom(1 << 15))
        with region("empty"):
            time.sleep(0.0005)
for _ in range(3):
    with region("allocate"):
        table = bytearray(100 << 20)
        time.sleep(0.05)
    with region("free"):
        del table
        sum(range(1000000))
idle.kill()
'''


def test_a_value_with_a_lower_bound_of_zero_is_left_out(regions_of, python, run, tmp_path):
    """Regression: an empty loop beside writes was shown with 9.54 MiB written, and 130 of 191 freed MiB were shown."""
    (tmp_path / "shares.py").write_text(SHARES)
    _, paths, _, summary = regions_of(tmp_path / "shares.py", tmp_path, program=python)
    shares = 0
    for region in paths.values():
        for key, (lower, upper) in region["overlap"].items():
            shares += 1
            assert lower is not None and upper is not None and (region[key] is None or lower > 0), (region, key)
            assert region[key] is None or lower <= region[key] <= upper
    # A value that is neither a share nor exact is unknown: there is a child, so memory is read from outside.
    assert shares > 0 and paths["empty"]["disk_write_bytes"] in (None, 0)
    assert all(exact_change(paths[path]) is None or abs(exact_change(paths[path]) - change) < 12 * 2**20
               for path, change in (("allocate", 300 * 2**20), ("free", -300 * 2**20)))
    for text in (summary, run("summary", "--markdown", tmp_path / "record.jsonl").stdout):
        assert "~" not in text.replace(str(tmp_path), "")
    compared = json.loads(run("compare", "--by", "region", "--json", tmp_path / "record.jsonl", tmp_path / "record.jsonl").stdout)
    for part in compared["regions"]:
        written = part["quantities"].get("disk_written", {"base": None})["base"]
        assert written == paths[part["name"]]["disk_write_bytes"]
    (data,) = json.loads(run("report", "--json", tmp_path / "record.jsonl").stdout)["runs"]
    for total in data["region_totals"]:
        for key, (lower, upper) in paths[total["path"]]["overlap"].items():
            name, unit = key.rsplit("_", 1)
            assert total[f"{name}_at_least_{unit}"] == lower and total[f"{name}_at_most_{unit}"] == upper
            assert total.get(key) == paths[total["path"]][key]


def test_parallel_threads_count_once(regions_of):
    _, paths, _, _ = regions_of("threads", 10, 0.2)
    burn = paths["thread/burn"]
    assert burnt(burn, 0.8)
    assert burn["max_seconds"] - 1e-3 <= burn["elapsed_seconds"] <= burn["seconds"]
    # With two CPUs or more, four threads are open at once.
    assert burn["elapsed_seconds"] < 0.9 * burn["seconds"]
    lower, upper = bounds(burn, "tree_cpu_seconds")
    assert lower * 0.95 <= 0.8 <= upper * 1.1


@pytest.mark.parametrize("what, threads, seconds", [("threads", 4, 0.1), ("threads64", 64, 0)])
def test_threads(regions_of, what, threads, seconds):
    _, paths, lines, _ = regions_of(what, 100000, seconds)
    expected = {"thread": threads, "thread/inner": threads * 100000, "thread/inner/innermost": threads * 100000}
    if seconds:
        expected["thread/burn"] = threads
        assert burnt(paths["thread/burn"], threads * seconds)
    assert counts(paths) == expected
    assert lines[-1]["end"]["regions_lost"] == 0


def test_more_threads_than_room(regions_of):
    truth, paths, lines, summary = regions_of("threads300", 10, 0.3)
    lost = lines[-1]["end"]["regions_lost"]
    # Each unknown thread would have reported 22 entries.
    known = paths["thread"]["count"]
    assert 128 <= known < truth["threads"]
    assert lost == (truth["threads"] - known) * 22
    assert counts(paths)["thread/inner"] == known * 10
    assert f"{lost} entries were lost" in summary


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """The load with ThreadSanitizer, which ends a racing program with 66."""
    program = tmp_path_factory.mktemp("tsan") / "load_regions"
    if not shutil.which("clang"):
        pytest.skip("clang is not installed")
    done = subprocess.run(["clang", "-g", "-O1", "-fsanitize=thread", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}",
                           ROOT / "tests" / "loads" / "load_regions.c", "-o", program, "-ldl", "-lpthread"],
                          capture_output=True, text=True)
    if done.returncode:
        pytest.skip("this clang has no ThreadSanitizer")
    return program


@pytest.mark.parametrize("words", [("threads", 20000, 0.02), ("threads64", 1000, 0), ("threads300", 10, 0.05), ("forks", 20),
                                   ("notes", 2000), ("jumps", 10), ("memory", 20, 0.05)])
def test_threads_do_not_race(regions_of, checked, words):
    """Lanes that pass from thread to thread, names registered by several threads, the tracker called by all at once."""
    _, paths, _, _ = regions_of(*words, program=checked)
    assert paths or words[0] == "notes"


def test_forks(regions_of):
    truth, paths, lines, _ = regions_of("forks", 400)
    assert counts(paths) == {"parent": 1, "parent/child": truth["forks"]} and truth["forks"] == 400
    assert lines[-1]["end"]["regions_lost"] == 0


def test_a_child_does_not_end_regions_of_its_parent(regions_of):
    _, paths, _, _ = regions_of("fork-returns")
    assert counts(paths) == {"parent": 1} and paths["parent"]["seconds"] >= 0.01
    assert paths["parent"]["unfinished"] == 0


def test_vfork_and_exec(regions_of):
    _, paths, _, _ = regions_of("execs", 5)
    assert counts(paths) == {"spawn": 5}


def test_longjmp(regions_of):
    _, paths, _, summary = regions_of("jumps", 10)
    assert counts(paths) == {"outer": 10, "outer/left": 10, "again": 10}
    assert [path for path in paths if paths[path]["unfinished"]] == ["again"]
    assert "still open at the end: again" in summary


def test_recursion_counts_its_time_once(regions_of):
    _, paths, lines, _ = regions_of("recursion", 1000)
    assert counts(paths) == {"depth_of": 1} and paths["depth_of"]["recursed"] == 1000
    assert lines[-1]["end"]["regions_lost"] == 0


def test_names_from_one_place_in_memory(regions_of):
    _, paths, _, _ = regions_of("names", 200)
    assert len(paths) == 101
    assert all(counts(paths)[f"name-{i:03}"] == 1 for i in range(1, 200, 2))
    assert counts(paths)["a-name-that-is-so-long-that-it-has-to-be-cut-off-at-its"] == 100


def test_more_names_than_room(regions_of):
    _, paths, lines, _ = regions_of("names", 2000)
    # 511 paths: one of the long name, 510 of the 1,000 others.
    end = lines[-1]["end"]
    assert len(paths) == 160 and end["regions_left_out"] == 351 and end["regions_lost"] == 490


def test_signal_handlers_at_any_moment(regions_of):
    truth, paths, _, _ = regions_of("signals", 1, 0.5)
    assert truth["handled"] > 100
    assert paths["first/inner"]["count"] == truth["pairs"]
    assert sum(n for path, n in counts(paths).items() if path.endswith("handler")) == truth["handled"]
    assert set(paths) <= {"first", "first/inner", "first/handler", "first/inner/handler"}


def test_killed_in_a_region(regions_of):
    _, paths, lines, summary = regions_of("killed", 1, 0.3, status=137)
    assert " ".join(summary.split()).count("died in region train/epoch 7/backward") == 1
    assert lines[-1]["end"]["reason"]["text"].endswith("; died in region train/epoch 7/backward")
    for path in ("train", "train/epoch 7", "train/epoch 7/backward"):
        assert paths[path]["unfinished"] == 1 and paths[path]["seconds"] >= 0.3
        assert paths[path]["cpu_seconds"] is None
    entries = [line["region"] for line in lines if isinstance(line, dict) and "region" in line]
    assert len(entries) == 3 and all(entry["unfinished"] for entry in entries)


def test_exit_in_a_region(regions_of):
    _, paths, _, summary = regions_of("exits", 1, 0.05)
    assert "still open at the end: train/epoch 7/backward" in " ".join(summary.split())
    assert paths["train/epoch 7/backward"]["unfinished"] == 1


def test_marks_and_values(regions_of):
    _, _, lines, _ = regions_of("notes", 100)
    values = [line["value"] for line in lines if isinstance(line, dict) and "value" in line]
    assert [v["value"] for v in values] == [i / 4 for i in range(100)]
    assert sum(isinstance(line, dict) and line.get("mark", {}).get("text") == "a mark" for line in lines) == 100
    assert all(a["t"] <= b["t"] for a, b in zip(values, values[1:]))


def lines_about(lines, *kinds):
    return sum(isinstance(line, dict) and any(kind in line for kind in kinds) for line in lines)


def test_a_flood_of_entries_is_counted_to_the_last(run, tmp_path, loads, lines_of):
    """More entries and notes between two samples than the rings hold: each has a line, or is counted as having none."""
    for words, kinds, all_of_them in ((("flood", 2500), ["region"], 2501), (("notes", 4000), ["mark", "value"], 8000)):
        done = run("-i", 5, "--record", tmp_path / "record", "--", loads / "load_regions", *words)
        assert done.returncode == 0
        lines = lines_of(tmp_path / "record")
        end = lines[-1]["end"]
        assert lines_about(lines, *kinds) + end["regions_untold"] + end["regions_lost"] == all_of_them
        assert end["dropped_lines"] == 0
        if "region" in kinds:
            assert counts({r["path"]: r for r in end["regions"]}) == {"flood": 1, "flood/entry": 2500}
            assert end["regions_lost"] == 0
        else:
            assert end["regions_lost"] > 500


def test_a_library_with_its_own_copy(regions_of, loads, monkeypatch):
    monkeypatch.setenv("REGIONS_LIBRARY", str(loads / "liblibrary_regions.so"))
    _, paths, _, _ = regions_of("library", 10)
    assert counts(paths) == {"program": 1, "program/library_work": 10, "program/after": 1}


def test_descriptors_and_user_given_up(regions_of):
    _, paths, _, _ = regions_of("daemon")
    assert counts(paths) == {"before": 1, "without descriptors": 1, "other user": 1}


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_garbage_does_not_harm_the_recorder(regions_of, seed):
    for _ in range(TRIES):
        truth, _, lines, _ = regions_of("garbage", seed, 0.3)
        assert truth["truncated"] == 0 and lines[-1]["end"]["status"] == "exited"
        if lines[-1]["end"]["dropped_lines"] == 0:          # else what writes them had no CPU
            break
    else:
        pytest.fail("lines were dropped, each time")
    assert sum(isinstance(line, list) for line in lines) >= 2


def test_without_a_tracker_nothing_is_reported(loads, tmp_path):
    for address in (None, "", "/proc/1/fd/0", "/proc/self/fd/0", "/nowhere", "/proc/99999999/fd/3"):
        environment = {} if address is None else {"RESOURCE_TRACKER_REGIONS_SHM": address}
        done = subprocess.run([loads / "load_regions", "nested", "1", "0.001"], env=environment, capture_output=True,
                              stdin=subprocess.DEVNULL)
        assert done.returncode == 0


def test_a_tracker_in_a_tracker_has_its_own(run, tracker, loads, tmp_path, lines_of):
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    done = run("-q", "--record", outer, "--", tracker, "-q", "--record", inner, "--", loads / "load_regions", "forks", 3)
    assert done.returncode == 0
    assert len(lines_of(inner)[-1]["end"]["regions"]) == 2 and "regions" not in lines_of(outer)[-1]["end"]


@pytest.mark.parametrize("compiler, standard", [("gcc", "c11"), ("clang", "c11"), ("g++", "c++17"), ("clang++", "c++17")])
def test_the_header_in_any_program(regions_of, compiler, standard, tmp_path):
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    plus = "++" in compiler
    source = tmp_path / ("program.cc" if plus else "program.c")
    block = 'try { rt::region raii("raii"); RT_REGION("thrown") { throw 1; } } catch (int) { }' if plus else ""
    source.write_text('#include "resource_tracker_regions.h"\n'
                      'static void named(void) { RT_FUNCTION(); rt_region_mark("x"); rt_region_value("y", 1); }\n'
                      'int main(void) { RT_REGION("outer") { named(); ' + block + ' } return 0; }\n')
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-O2", f"-std={standard}",
             "-DRT_REGION_WARNINGS", f"-I{ROOT / 'include'}"]
    subprocess.run([compiler, *flags, source, "-o", tmp_path / "program"], check=True)
    _, paths, _, _ = regions_of(program=tmp_path / "program")
    expected = {"outer": 1, "outer/named": 1}
    if plus:
        expected |= {"outer/raii": 1, "outer/raii/thrown": 1}
    assert counts(paths) == expected


def compiled(tmp_path, name):
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", ROOT / "examples" / f"{name}.c",
                    "-o", tmp_path / name], check=True)
    return tmp_path / name


def test_the_example(regions_of, tmp_path):
    _, paths, lines, _ = regions_of(program=compiled(tmp_path, "regions"))
    assert counts(paths) == {"load_data": 1, "fill the table": 1, "train": 1, "train/epoch": 3, "train/epoch/forward": 3,
                             "train/epoch/backward": 3}
    assert burnt(paths["train/epoch/forward"], 0.06)
    assert burnt(paths["train/epoch/backward"], 0.12)
    assert exact_change(paths["fill the table"]) in (None, pytest.approx(300 * 2**20, rel=0.2))
    assert [line["mark"]["text"] for line in lines if isinstance(line, dict) and "mark" in line] == \
        ["epoch 1", "epoch 2", "epoch 3"]


def test_the_example_of_ranks(regions_of, tmp_path):
    """Four processes in parallel: the entries of each, and the time with any of them open."""
    _, paths, _, _ = regions_of(program=compiled(tmp_path, "regions_ranks"))
    assert counts(paths) == {"step loop": 4, "step loop/compute": 12, "step loop/exchange": 12}
    assert burnt(paths["step loop/compute"], 3 * 0.02 * (1 + 2 + 3 + 4))
    assert paths["step loop/exchange"]["cpu_seconds"] < 0.02
    loop = paths["step loop"]
    assert loop["max_seconds"] - 1e-3 <= loop["elapsed_seconds"] < 0.9 * loop["seconds"]
    # The use of all processes meanwhile is the whole use: the loop is open for all of the run.
    lower, upper = bounds(loop, "tree_cpu_seconds")
    assert lower <= loop["cpu_seconds"] + 0.02 and upper >= 0.58


def test_the_example_in_python(regions_of, python):
    """
    A function called ten times with a block in it, as in the example of another tracker's event log: the values of its
    report (the mean time of each; peak and average of CPU and memory of the process), and more.
    """
    # As above: the bounds hold each time; retry until no value is a share.
    for _ in range(TRIES):
        _, paths, lines, summary = regions_of(ROOT / "examples" / "regions.py", program=python)
        lower, upper = bounds(paths["keep a table"], "rss_change_bytes")
        assert lower <= 300 * 2**20 * 1.2 and upper >= 300 * 2**20 * 0.8
        if paths["keep a table"]["rss_change_bytes"] == pytest.approx(300 * 2**20, rel=0.2):
            break
    assert counts(paths) == {"my_func": 10, "my_func/load array": 10, "keep a table": 1, "look things up": 1,
                             "look things up/one": 20000}
    assert paths["my_func"]["cpu_seconds"] >= 0.2 and paths["my_func"]["mean_seconds"] >= 0.02
    assert exact_change(paths["keep a table"]) in (None, pytest.approx(300 * 2**20, rel=0.2))
    values = [line["value"]["value"] for line in lines if isinstance(line, dict) and "value" in line]
    assert values == [sum(range(n + 1)) * 4e6 for n in range(10)]
    assert re.search(r"my_func .*10 . \d", summary) and re.search(r"Memory .*mean .*peak", summary)
    assert re.search(r"CPU  .*mean .*peak", summary)


PYTHON = '''
import asyncio, json, os, sys, threading, time
from resource_tracker_regions import monitor_function, region, mark, value
truth = {}
def clocks(): return time.monotonic(), time.thread_time()
def timed(name, function):
    begin, (first, last), end = clocks(), function(), clocks()
    truth[name] = [(last[i] - first[i], end[i] - begin[i]) for i in range(2)]       # within, and around
@monitor_function
def step(n):
    with region("block"):
        time.sleep(0.005)
    if n == 3:
        raise ValueError
@region("named")
def spin():
    first = clocks()
    while time.thread_time() < first[1] + 0.1: pass
    return first, clocks()
@region("depth")
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
def hot():
    with region("hot"):
        first = clocks()
        for i in range(20000):
            with region("a"):
                with region("b"): pass
            if i == 10000:
                with region("a"): time.sleep(0.01)
        for _ in range(100): depth(100)
        return first, clocks()
def thread():
    for _ in range(1000):
        with region("in thread"): pass
@region
async def later():
    await asyncio.sleep(0.02)
@region
def numbers():
    yield from range(3)
for n in range(10):
    try: step(n)
    except ValueError: pass
timed("named", spin)
timed("hot", hot)
threads = [threading.Thread(target=thread) for _ in range(4)]
for t in threads: t.start()
for t in threads: t.join()
with region("parent"):
    pid = os.fork()
    if pid == 0:
        for _ in range(100):
            with region("child"): pass
        with region("child"): time.sleep(0.01)
        sys.exit()
    os.waitpid(pid, 0)
asyncio.run(later())
list(numbers())
mark("all done"); value("loss", 1e-5)
print(json.dumps(truth))
'''


def test_python(regions_of, tmp_path, python):
    script = tmp_path / "program.py"
    script.write_text(PYTHON)
    # A function is known as short by the time of its first entries: that of a wait for a CPU, too.
    for _ in range(TRIES):
        truth, paths, lines, _ = regions_of(script, program=python)
        if sum(isinstance(line, dict) and "region" in line for line in lines) < 2000:
            break
    else:
        pytest.fail("most entries have a line, each time")
    assert counts(paths) == {"step": 10, "step/block": 10, "named": 1, "hot": 1, "hot/a": 20001, "hot/a/b": 20000,
                             "hot/depth": 100, "in thread": 4000, "parent": 1, "parent/child": 101, "later": 1,
                             "numbers": 1}
    assert paths["hot/depth"]["recursed"] == 10000
    assert not any(region["unfinished"] for region in paths.values())
    assert paths["step/block"]["seconds"] >= 0.05 and paths["step/block"]["cpu_seconds"] < 0.05
    assert burnt(paths["named"], 0.1)
    for path in ("named", "hot"):
        for key, (within, around) in zip(("seconds", "cpu_seconds"), truth[path]):
            assert within * 0.999 - 2e-4 <= paths[path][key] <= around * 1.001 + 2e-4
    assert paths["hot/a"]["max_seconds"] >= 0.01 and paths["hot/a"]["p50_seconds"] < 0.01
    assert paths["hot/a/b"]["cpu_seconds"] <= paths["hot/a"]["cpu_seconds"] <= paths["hot"]["cpu_seconds"]
    assert paths["parent/child"]["max_seconds"] >= 0.01 and paths["later"]["seconds"] >= 0.015
    said = [line for line in lines if isinstance(line, dict) and ("mark" in line or "value" in line)]
    assert said[0]["mark"]["text"] == "all done" and said[1]["value"]["value"] == pytest.approx(1e-5)
    # Alone it does nothing.
    assert subprocess.run([python, script], capture_output=True).returncode == 0


FORMS = """
import asyncio, functools, json, os, sys, threading, time
from resource_tracker_regions import monitor_function, monitor_region, region
class Logger:                                   # of another module: has what an event logger has
    def log_start(self, *about): sys.exit("it is not called")
    log_end = clean_up = log_start
logger = Logger()
checks = {}

@monitor_function
def bare(): return 1
@monitor_function()
def called(): return 2
@monitor_function(function_name="by name")
def named(): return 3
@monitor_function(event_logger=logger)
def logged(): return 4
@monitor_function(logger, "logger and name")
def both(): return 5
@monitor_function(None)
def none(): return 6
@monitor_function("a string")
def string(): return 7
checks["values"] = [f() for f in (bare, called, named, logged, both, none, string)] == [1, 2, 3, 4, 5, 6, 7]
checks["names"] = (bare.__name__, called.__qualname__, named.__doc__) == ("bare", "called", None)

with monitor_region("plain"): pass
with monitor_region("with logger", logger): pass
with monitor_region("event_logger", event_logger=None): pass
with monitor_region(region_name="region_name"): pass
with monitor_region(name="name"): pass
with region(7): pass
with region("around"), monitor_region("within"): pass
@monitor_region("as a decorator")
def decorated(): return 8
checks["decorator"] = decorated() == 8

class Model:
    @monitor_function()
    def method(self, n=1): return n + 1
    @monitor_function
    @staticmethod
    def above_static(n): return n
    @staticmethod
    @monitor_function()
    def below_static(n): return n
    @monitor_function()
    @classmethod
    def above_class(cls): return cls.__name__
    @property
    @monitor_function()
    def value(self): return 9
    @monitor_function()
    def fails(self): raise KeyError("on purpose")
m = Model()
checks["methods"] = [m.method(n=4), m.above_static(2), Model.below_static(3), Model.above_class(), m.value] == \
    [5, 2, 3, "Model", 9]
try: m.fails(); checks["exception"] = False
except KeyError as error: checks["exception"] = error.args == ("on purpose",)
try:
    with monitor_region("raises"): raise ValueError
except ValueError: pass
def local():
    @monitor_function()
    def inner(): return 1
    return inner()
local()
partial = region(functools.partial(bare))
partial()

@monitor_function()
def factorial(n): return 1 if n < 2 else n * factorial(n - 1)
checks["recursion"] = factorial(10) == 3628800

@monitor_function()
def numbers(n):
    got = yield 0
    try: yield got
    except LookupError: yield "caught"
    return n
def delegate(ret):
    ret.append((yield from numbers(11)))
ret = []
g = delegate(ret)
checks["generator"] = [next(g), g.send("sent"), g.throw(LookupError()), next(g, "end"), ret] == [0, "sent", "caught", "end", [11]]
half = numbers(1); next(half); half.close()

@monitor_function()
async def later(n):
    await asyncio.sleep(0.01)
    return n
@monitor_function(function_name="stream")
async def stream(n):
    try:
        for i in range(n):
            got = yield i
            if got: yield got
    except LookupError: yield "caught"
    finally: checks["closed"] = True
async def run():
    checks["await"] = await later(12) == 12
    checks["async for"] = [i async for i in stream(3)] == [0, 1, 2]
    a = stream(3)
    checks["asend"] = [await a.__anext__(), await a.asend("sent"), await a.athrow(LookupError())] == [0, "sent", "caught"]
    await a.aclose()
    checks["closed"] = False
    async for i in stream(3): break
    await asyncio.sleep(0.01)               # in which asyncio closes it
    b = stream(2); await b.__anext__(); await b.aclose()
    checks["after"] = await later(13) == 13
asyncio.run(run())
checks["is async"] = asyncio.iscoroutinefunction(later)

@monitor_function(function_name="in a thread")
def work():
    with monitor_region("part"): time.sleep(0.001)
threads = [threading.Thread(target=work) for _ in range(8)]
for t in threads: t.start()
for t in threads: t.join()
try: monitor_region(); checks["no name"] = False
except TypeError: checks["no name"] = True
print(json.dumps(checks))
"""


def test_python_with_the_functions_of_another_module(regions_of, tmp_path, python):
    """Those that users of py-resource-monitor write; alone they do the same and report nothing."""
    script = tmp_path / "program.py"
    script.write_text(FORMS)
    truth, paths, _, _ = regions_of(script, program=python)
    assert truth and all(truth.values()), truth
    expected = dict.fromkeys(["called", "by name", "logged", "logger and name", "none", "a string", "plain", "with logger",
                              "event_logger", "region_name", "name", "7", "around", "around/within", "as a decorator",
                              "Model.method", "Model.above_static", "Model.below_static", "Model.above_class", "Model.value",
                              "Model.fails", "raises", "inner", "factorial"], 1)
    expected |= {"bare": 2, "numbers": 2, "later": 2, "stream": 4, "in a thread": 8, "in a thread/part": 8}
    assert counts(paths) == expected
    # asyncio wakes up to one clock tick early.
    assert paths["factorial"]["recursed"] == 9 and paths["later"]["seconds"] >= 0.018
    assert not any(region["unfinished"] for region in paths.values())
    alone = subprocess.run([python, script], capture_output=True, text=True)
    assert alone.returncode == 0 and all(json.loads(alone.stdout).values()), alone


def test_python_reports_its_memory(regions_of, tmp_path, python):
    """As a region begins and ends, so that each gets only its own memory; not while the program has a child."""
    script = tmp_path / "program.py"
    script.write_text("import os, time\nfrom resource_tracker_regions import region\n"
                      "with region('load'): time.sleep(0.1)\n"
                      "with region('allocate'):\n    kept = b'x' * (200 << 20)\n    time.sleep(0.1)\n"
                      "with region('spawn'): os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0); time.sleep(0.1)\n"
                      "with region('free'):\n    del kept\n    time.sleep(0.1)\n")
    changes = {"load": 0, "allocate": 200, "spawn": 0, "free": -200}
    # Repeat until it is reported without a reading of the recorder: on a busy machine five of sixteen are exact.
    assert most_are_exact(lambda: regions_of(script, program=python)[1], changes, 2)


def test_python_killed(regions_of, tmp_path, python):
    script = tmp_path / "program.py"
    script.write_text("import os, time\nfrom resource_tracker_regions import region\n"
                      "with region('train'), region('epoch 7'), region('backward'):\n"
                      "    time.sleep(0.05); os.kill(os.getpid(), 9)\n")
    _, paths, _, summary = regions_of(script, program=python, status=137)
    assert "died in region train/epoch 7/backward" in " ".join(summary.split())
    assert all(region["unfinished"] == 1 for region in paths.values())


@pytest.mark.skipif(not shutil.which("Rscript"), reason="Rscript is not installed")
def test_r(regions_of, tmp_path):
    script = tmp_path / "program.R"
    script.write_text(f'source("{ROOT}/share/resource_tracker_regions.R")\n'
                      'step <- rt_function("step", function(x) rt_region("block", { Sys.sleep(0.02); x + 1 }))\n'
                      'for (n in 1:3) stopifnot(step(n) == n + 1)\n'
                      'try(rt_region("fails", stop("no")), silent = TRUE)\n'
                      'rt_region_mark("all done"); rt_region_value("loss", 1e-5)\ncat("{}\\n")\n')
    _, paths, lines, _ = regions_of(script, program=shutil.which("Rscript"))
    assert counts(paths) == {"step": 3, "step/block": 3, "fails": 1} and paths["step/block"]["seconds"] >= 0.06
    assert [line["value"]["value"] for line in lines if isinstance(line, dict) and "value" in line] == [1e-5]


def test_shell(run, tracker, tmp_path, lines_of, monkeypatch):
    monkeypatch.setenv("TRACKER_PROGRAM", str(tracker))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    done = run("--record", tmp_path / "record", "--", ROOT / "examples" / "regions.sh")
    assert done.returncode == 0 and done.stdout == "99999\n"
    end = lines_of(tmp_path / "record")[-1]["end"]
    assert counts({r["path"]: r for r in end["regions"]}) == {"load data": 1, "sort": 1}
    alone = subprocess.run([ROOT / "examples" / "regions.sh"], capture_output=True, text=True)
    assert (alone.returncode, alone.stdout, alone.stderr) == (0, "99999\n", "")
    monkeypatch.setenv("RESOURCE_TRACKER", "off")
    off = run("--", ROOT / "examples" / "regions.sh")
    assert (off.returncode, off.stdout, off.stderr) == (0, "99999\n", "")


def test_the_words_of_region(run):
    assert run("region", "begin", "x").returncode == 0                  # no tracker listens
    for words in ((), ("begin",), ("start", "x"), ("value", "x")):
        done = run("region", *words)
        assert done.returncode == 125 and "region: takes begin NAME" in done.stderr


def test_a_flood_of_garbage_in_the_file(run, tmp_path, lines_of):
    script = 'head -c 30000000 /dev/urandom >> "$RESOURCE_TRACKER_REGIONS"; echo "\nbegin x" >> "$RESOURCE_TRACKER_REGIONS"'
    done = run("-i", 0.1, "--record", tmp_path / "record", "--", "sh", "-c", script)
    lines = lines_of(tmp_path / "record")
    assert done.returncode == 0 and lines[-1]["end"]["status"] == "exited"
    assert lines[-1]["end"]["dropped_lines"] == 0


def test_a_flood_of_lines_is_read_within_the_budget(run, tmp_path, lines_of):
    """Regression: it used a third of a core.  Lines left out are reported, and have no other effect."""
    script = """
import os
fd = os.open(os.environ["RESOURCE_TRACKER_REGIONS"], os.O_WRONLY | os.O_APPEND)
for n in range(200): os.write(fd, b"begin flood\\nend flood\\n" * 1000)
os.write(fd, b"begin flood\\nend flood\\n" * 200000 + b"begin last\\n")
"""
    done = run("--record", tmp_path / "record", "--", "/usr/bin/python3", "-I", "-c", script)
    lines = lines_of(tmp_path / "record")
    end = lines[-1]["end"]
    assert end["status"] == "exited" and end["exit_code"] == 0
    # 100,000 lines at once, 5,000 a second, and the lines of the piece being read as the credit ends
    paths = {region["path"]: region for region in end["regions"]}
    assert 0 < paths["flood"]["count"] <= (100000 + 5000 * end["seconds"] + 2000) / 2
    assert "last" not in paths
    assert any("lines came faster than they are read" in line.get("notice", "") for line in lines if isinstance(line, dict))
    assert "MB of them are left out" in " ".join(done.stderr.split())
