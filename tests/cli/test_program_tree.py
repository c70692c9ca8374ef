"""test_program_tree.py - which program started which, and what each used there, compared with wait4 of the parents."""
import json
import os
import pathlib
import shutil
import signal
import subprocess

import pytest

from processes import children_of, wait_for

# Runs each command given as JSON; writes the CPU time of each program that it waited for, by their place.
LAUNCHER = """
import json, os, sys, time
place, out, jobs = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
truth = {}
for name, argv, number in jobs:
    for _ in range(number):
        pid = os.posix_spawn(argv[0], argv, {})
        usage = os.wait4(pid, 0)[2]
        truth[name] = truth.get(name, 0) + usage.ru_utime + usage.ru_stime
with open(out, "a") as file:
    for name, seconds in truth.items():
        file.write(json.dumps([f"{place}/{name}", seconds]) + "\\n")
"""


def branches_of(end):
    """{place: row} with the programs from the root on in each place, as "sh/cc"; "?" for an unknown parent."""
    tree, places, rows = end["program_tree"], [], {}
    for at, values in enumerate(tree["branches"]):
        row = dict(zip(tree["columns"], values, strict=True))
        assert row["parent"] is None or -1 <= row["parent"] < at
        above = "?/" if row["parent"] is None else "" if row["parent"] < 0 else places[row["parent"]] + "/"
        places.append(above + (row["program"] or f"({row['branches']})"))
        assert places[-1] not in rows
        rows[places[-1]] = row
    return rows


def is_before_exec(place):
    return place.split("/")[-1:] == place.split("/")[-2:-1]


@pytest.fixture
def recorded(recorded_end):
    """recorded(*command, options=()): the branches by place, the end line, and how processes were found."""
    def around(*command, options=()):
        end, membership = recorded_end(*command, options=options)
        if membership == "perf" and (end["statistics"].get("process.lost_records") or [0, 0, 0])[2]:
            pytest.skip("the recorder got no CPU for so long that the kernel had no room for all records, as it says")
        return branches_of(end), end, membership
    return around


def assert_sums_are_those_of_the_programs(branches, end):
    """Exactly, for both are counted at one place.  The table rounds to microseconds."""
    table = {row["key"]: row for row in end["tables"]["program"]}
    for name in table.keys() | {row["program"] for row in branches.values()} - {None}:
        rows = [row for row in branches.values() if row["program"] == name]
        assert abs(sum(row["cpu_seconds"] for row in rows) - table[name]["cpu_seconds"][2]) < 1e-6, name
        if table[name].get("started"):
            assert sum(row["processes"] for row in rows) == table[name]["started"][2], name
        peaks = [row["peak_rss_bytes"] for row in rows if row["peak_rss_bytes"] is not None]
        assert max(peaks, default=None) == table[name].get("peak_rss_bytes", [0, None])[1], name


@pytest.fixture
def programs(tmp_path, loads):
    folder = tmp_path / "bin"
    folder.mkdir()
    python = os.path.realpath("/usr/bin/python3")
    for name, of in {"tiny": "/bin/true", "burner": loads / "load_cpu", "left": python, "right": python}.items():
        shutil.copy(shutil.which(of), folder / name)
    return folder


@pytest.mark.parametrize("options", [("-i", 0.2), ("-i", 60), ("-i", 1, "--cpu-source", "perf")], ids=["0.2s", "60s", "perf"])
def test_each_program_counts_where_it_was_started(recorded, programs, tmp_path, options):
    tiny, burner = [str(programs / "tiny")], [str(programs / "burner"), "--threads", "1", "--seconds", "0.05"]

    def launcher(name, *jobs):
        return [str(programs / name), "-S", "-E", "-c", LAUNCHER, name, str(tmp_path / "truth"), json.dumps(jobs)]
    script = tmp_path / "outer"
    script.write_text("#!/bin/sh\n" + "".join(
        " ".join("'" + word.replace("'", "'\\''") + "'" for word in argv) + "\n" for argv in (
            launcher("left", ("tiny", tiny, 40), ("burner", burner, 6)),
            launcher("right", ("tiny", tiny, 90), ("burner", burner, 2)))) + f"exec {' '.join(burner)}\n")
    script.chmod(0o755)
    branches, end, membership = recorded(script, options=options)
    assert_sums_are_those_of_the_programs(branches, end)
    if membership != "perf":
        pytest.skip("the kernel does not tell us of forks here")
    # If a sample met a process before its exec, it counts as another one of the program that forked it.
    numbers = {place: row["processes"] for place, row in branches.items() if not is_before_exec(place)}
    assert numbers.pop("outer") in (0, 1)
    assert numbers == {"outer/left": 1, "outer/right": 1, "outer/left/tiny": 40, "outer/right/tiny": 90,
                       "outer/left/burner": 6, "outer/right/burner": 2, "burner": 1}
    truth = {"outer/" + place: seconds for place, seconds in map(json.loads, (tmp_path / "truth").read_text().splitlines())}
    # What interrupts and other virtual machines took from a task perf counts as its time, the parent's wait4 does not.
    taken = sum(end["statistics"][f"cpu.{what}_seconds"][2] or 0 for what in ("irq", "softirq", "steal"))
    for place, seconds in truth.items():
        assert abs(branches[place]["cpu_seconds"] - seconds) < 0.05 * sum(truth.values()) + 0.02 + taken, (place, branches, truth, taken)
    assert branches["burner"]["cpu_seconds"] > 0.04


# Waits until the rows have more than 0.3 s of CPU time of "burner".
UNTIL_BURNT = """
import json, sys, time
used, rows, line = 0, open(sys.argv[1]), ""
while used <= 0.3:
    line += rows.readline()
    if line.endswith("\\n"):
        used += sum(p["cpu_seconds"] or 0 for p in json.loads(line)["programs"] if p["name"] == "burner")
        line = ""
    else:
        time.sleep(0.02)
"""


def test_a_run_without_perf_knows_what_it_saw(recorded, programs, tmp_path):
    """No number of processes then, for those that no sample met are not known."""
    rows = tmp_path / "rows"
    branches, end, membership = recorded("sh", "-c", f"{programs}/burner --threads 1 --seconds 600 & /usr/bin/python3 -S -c '{UNTIL_BURNT}' {rows}; "
                                         "kill $!; wait", options=("-i", 0.05, "--perf-cpus", 1, "-f", "json", "-o", rows))
    if membership == "perf":
        pytest.skip("there is one CPU")
    assert_sums_are_those_of_the_programs(branches, end)
    assert branches["sh/burner"]["cpu_seconds"] > 0.3
    assert {row["processes"] for row in branches.values()} == {None}


def test_attached_processes_are_roots(tracker, lines_of, programs, tmp_path):
    job = subprocess.Popen(["sh", "-c", f"{programs}/burner --threads 1 --seconds 600; :"])
    other = subprocess.Popen(["sleep", "600"])
    wait_for(lambda: any(pathlib.Path(f"/proc/{pid}/comm").read_text() == "burner\n" for pid in children_of(job.pid)), "no burner")
    recorder = subprocess.Popen([tracker, "--record", tmp_path / "record", "-p", f"{job.pid},{other.pid}", "-i", "0.1", "-f", "json"],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        sample = json.loads(recorder.stdout.readline())
        while not any(p["name"] == "burner" and p["cpu_seconds"] for p in sample["programs"]):
            sample = json.loads(recorder.stdout.readline())
    finally:
        recorder.terminate()
        recorder.communicate()
        for pid in (*children_of(job.pid), job.pid, other.pid):
            os.kill(pid, signal.SIGKILL)
        for process in (job, other):
            process.wait()
    end = lines_of(tmp_path / "record")[-1]["end"]
    branches = branches_of(end)
    assert branches.keys() == {"sh", "sh/burner", "sleep"}
    assert branches["sh/burner"]["cpu_seconds"] > 0
    assert_sums_are_those_of_the_programs(branches, end)


def test_many_branches_are_merged_in_the_record(recorded, tmp_path):
    script = tmp_path / "many"
    for i in range(400):
        os.symlink(shutil.which("true"), tmp_path / f"p{i}")
    script.write_text("#!/bin/sh\n" + "".join(f"{tmp_path}/p{i}\n" for i in range(400)))
    script.chmod(0o755)
    branches, end, membership = recorded(script)
    if membership != "perf":
        pytest.skip("the kernel does not tell us of forks here")
    assert len(branches) == 256 and not end["program_tree"]["full"]
    extra = sum(row["branches"] for row in branches.values()) - 401         # a sample met the shell before an exec
    assert extra in (0, 1)
    assert sum(row["processes"] for row in branches.values()) == sum(row["started"][2] for row in end["tables"]["program"])
    (merged,) = [row for row in branches.values() if row["program"] is None]
    assert merged["branches"] == 401 + extra - 255 and merged["processes"] >= 401 - 255


TREE = {"columns": ["parent", "program", "processes", "cpu_seconds", "peak_rss_bytes", "branches"], "full": True, "branches": [
    [-1, "make", 1, 0.002, 2 << 20, 1], [0, "sh", 40, 0, None, 1], [0, "cc", 4, 1.5, 1 << 20, 1], [1, "cc\x1b", 2, 8, None, 1],
    [1, None, 70, 0.25, None, 12], [None, "lost", None, 0.125, None, 1]]}


@pytest.fixture
def record(tmp_path):
    """record(**members): a record with these members in its end line."""
    def write(**members):
        header = {"record": "resource-tracker", "version": 1, "id": "a", "start": 1795274001.3, "pids": [7]}
        end = {"status": "exited", "exit_code": 0, "seconds": 2, "statistics": {}, "tables": {}} | members
        path = tmp_path / "record"
        path.write_text("\n".join(map(json.dumps, (header, {"end": end}))) + "\n")
        return path
    return write


def test_the_summary_shows_it_as_a_table(run, record):
    done = run("summary", "--form", "programs", record(program_tree=TREE))
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.splitlines()
    assert head.split("  ")[0] == "PROGRAM" and head.split()[-2:] == ["LARGEST", "PROCESS"]
    assert [row[:25].rstrip() for row in rows] == [
        "make", "  sh", "    'cc?'", "    others (12 branches)", "  cc", "(parent unknown)", "  lost",
        "There were more branches "[:25].rstrip()]
    assert rows[0].split()[1:] == ["1", "2.0", "ms", "9.75s", "2.00", "MiB"], "all that make started is in its second time"
    assert rows[1].split()[1:] == ["40", "0", "8.25s", "not", "seen"]


def test_json_has_it_as_the_record(run, record):
    done = run("summary", "--json", record(program_tree=TREE))
    tree = json.loads(done.stdout)["program_tree"]
    assert tree["columns"] == TREE["columns"] and len(tree["branches"]) == len(TREE["branches"])
    assert tree["branches"][0][:4] == [-1, "make", 1, 0.002] and tree["full"]
    report = json.loads(run("report", "--json", "-o", "-", record(program_tree=TREE)).stdout)
    assert report["runs"][0]["program_tree"] == tree


def test_a_record_of_an_older_version_has_none(run, record):
    done = run("summary", "--form", "programs", record())
    assert done.returncode == 0 and done.stdout == "This recording does not contain which program started which.\n"
    assert "program_tree" not in json.loads(run("summary", "--json", record()).stdout)
