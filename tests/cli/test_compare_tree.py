"""test_compare_tree.py - compare --by tree: which program started which, on both sides."""
import json
import shutil

import pytest

COLUMNS = ["parent", "program", "processes", "cpu_seconds", "peak_rss_bytes", "branches"]


@pytest.fixture
def record(tmp_path):
    """record(name, rows, cpu=None, full=False): a record with these branches; cpu: of the job, else that of the rows."""
    def write(name, rows, cpu=None, full=False):
        total = sum(row[3] for row in rows) if cpu is None else cpu
        header = {"record": "resource-tracker", "version": 1, "id": name, "start": 1795274001.3, "pids": [7]}
        end = {"status": "exited", "exit_code": 0, "seconds": 60, "tables": {},
               "statistics": {"process.cpu_seconds": [total / 60, total / 60, total]},
               "program_tree": {"columns": COLUMNS, "full": full, "branches": rows}}
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(map(json.dumps, (header, {"end": end}))) + "\n")
        return path
    return write


@pytest.fixture
def compared(run):
    """compared(*words): the object of compare --by tree --json, and its branches by path."""
    def of(*words):
        done = run("compare", "--by", "tree", "--json", *words)
        whole = json.loads(done.stdout)
        paths = []
        for one in whole["branches"]:
            name = one["program"] or f"({one['kind']})"
            paths.append(name if one["parent"] < 0 else f"{paths[one['parent']]}/{name}")
        return whole, dict(zip(paths, whole["branches"], strict=True))
    return of


def assert_adds_up(whole):
    """On each side: what a program used itself, and those that it started; all of them, and the job."""
    branches = whole["branches"]
    for side in (0, 1):
        for i, one in enumerate(branches):
            below = sum(other["mean_cpu_time"][side] for other in branches if other["parent"] == i)
            assert one["mean_cpu_time"][side] == pytest.approx(one["mean_own_cpu_time"][side] + below, abs=1e-4)
        top = sum(one["mean_cpu_time"][side] for one in branches if one["parent"] < 0)
        assert whole["mean_cpu_time"][side] == pytest.approx(top + whole["mean_short_lived_cpu_time"][side], abs=1e-4)


MAKE = [[-1, "make", 1, 0.5, 2 << 20, 1], [0, "sh", 40, 0.25, None, 1], [1, "cc", 40, 8, 1 << 20, 1], [0, "tar", 1, 2, None, 1]]
SLOWER = [[-1, "make", 1, 0.5, 2 << 20, 1], [0, "sh", 40, 0.25, None, 1], [1, "cc", 44, 12, 9 << 20, 1], [0, "zip", 1, 3, None, 1]]


def test_branches_are_matched_by_their_path(record, compared, run):
    base, new = record("base", MAKE), record("new", SLOWER, cpu=16)
    whole, branches = compared(base, new)
    assert_adds_up(whole)
    assert list(branches) == ["make", "make/sh", "make/sh/cc", "make/zip", "make/tar"], "each before what it started, the largest first"
    cc = branches["make/sh/cc"]
    assert (cc["cpu_time"]["base"], cc["cpu_time"]["new"], cc["cpu_time"]["verdict"]) == (8, 12, "more")
    assert (cc["processes"]["base"], cc["processes"]["new"]) == (40, 44)
    assert (cc["largest_process"]["base"], cc["largest_process"]["new"]) == (1 << 20, 9 << 20)
    assert branches["make"]["cpu_time"]["new"] == 15.75 and branches["make"]["own_cpu_time"]["verdict"] == "same"
    assert branches["make/tar"]["new_runs"] == 0 and branches["make/tar"]["cpu_time"]["new"] == 0
    assert whole["cpu_time"]["base"] == 10.75 and whole["short_lived_cpu_time"]["new"] == 0.25

    rows = {line.split("  ")[0] or line.split()[0]: line.split() for line in run("compare", "--by", "tree", base, new).stdout.splitlines()}
    assert rows["cc"] == ["cc", "8.00s", "12.0s", "+50.0", "%", "40", "to", "44", "more"]
    assert rows["zip"][-1] == "new" and rows["tar"][-1] == "gone"
    assert rows["(short-lived)"][1:3] == ["0.000s", "0.250s"] and rows["the job"][2:4] == ["10.8s", "16.0s"]
    markdown = run("compare", "--by", "tree", "--markdown", base, new).stdout
    assert "| &emsp;&emsp;cc | 8.00s | 12.0s | +50.0 % | 40 to 44 | more |" in markdown


def test_a_condition_is_one_of_each_branch(record, run):
    base, new = record("base", MAKE), record("new", SLOWER)
    done = run("compare", "--by", "tree", base, new, "--fail-on", "cpu_time>+40%", "--fail-on", "largest_process>100MiB")
    assert done.returncode == 1
    assert "cpu_time>+40%: FAILED by make, make/sh, make/sh/cc, make/zip\n" in done.stdout
    assert "largest_process>100MiB: ok" in done.stdout
    assert run("compare", "--by", "tree", new, base, "--fail-on", "cpu_time>+40%").returncode == 1, "tar is new there"
    assert run("compare", "--by", "tree", base, base, "--fail-on", "cpu_time>+0%").returncode == 0
    done = run("compare", "--by", "tree", base, new, "--fail-on", "disk_read>+40%", check=False)
    assert done.returncode == 125 and "disk_read is known of no branch" in done.stderr


def test_what_one_record_has_among_its_others_is_not_gone(record, compared, run):
    merged = [[-1, "make", 1, 0.5, None, 1], [0, "sh", 40, 0.25, None, 1], [0, None, 41, 11, 4 << 20, 2], [1, "as", 3, 1, None, 1]]
    whole, branches = compared(record("base", MAKE), record("new", merged))
    assert_adds_up(whole)
    others = branches["make/(others)"]
    assert others["cpu_time"]["base"] == 2 and others["cpu_time"]["new"] == 11, "tar can be one of them"
    assert "make/tar" not in branches
    assert branches["make/sh/cc"]["new_runs"] == 0 and branches["make/sh/cc"]["cpu_time"]["new"] == 0, "below sh nothing is merged"
    assert "1 program is with others" in run("compare", "--by", "tree", record("base", MAKE), record("new", merged)).stdout


def test_unseen_is_not_gone_where_processes_were_not_counted(record, compared, run):
    uncounted = [[-1, "make", None, 0.5, 2 << 20, 1], [0, "sh", None, 0.25, None, 1]]
    base, new = record("base", MAKE), record("new", uncounted, cpu=10.75)
    whole, branches = compared(base, new)
    assert_adds_up(whole)
    cc = branches["make/sh/cc"]["cpu_time"]
    assert cc["base"] == 8 and cc["new"] is None and cc["verdict"] == "unknown"
    assert whole["uncounted_runs"] == 1 and whole["short_lived_cpu_time"]["new"] == 10
    shown = run("compare", "--by", "tree", base, new).stdout
    row = next(line for line in shown.splitlines() if line.split()[:1] == ["cc"])
    assert row.split() == ["cc", "8.00s", "-", "40", "to", "-", "unknown"] and "could not count processes" in shown
    full, _ = compared(base, record("full", [*MAKE[:2], [None, "cc", 40, 8, None, 1]], full=True))
    assert full["uncounted_runs"] == 1, "below which program cc ran is not known there"


def test_several_runs_are_judged_by_their_ranks(record, compared):
    def runs(name, seconds):
        return [record(f"{name}{i}", [[-1, "make", 1, 1, None, 1], [0, "cc", 4, one, None, 1]]) for i, one in enumerate(seconds)]
    base, more = runs("base", (8, 8.1, 8.2, 8.3, 8.9)), runs("more", (9, 9.1, 9.2, 9.3, 9.9))
    noisy = runs("noisy", (7.9, 8.0, 8.3, 8.7, 9.5))
    whole, branches = compared(*base, "vs", *more)
    assert_adds_up(whole)
    assert branches["make/cc"]["cpu_time"]["verdict"] == branches["make"]["cpu_time"]["verdict"] == "more"
    assert branches["make/cc"]["cpu_time"]["base"] == 8.2 and branches["make/cc"]["cpu_time"]["base_spread"] == pytest.approx(0.9)
    whole, branches = compared(*base, "vs", *noisy)
    assert_adds_up(whole)
    assert branches["make/cc"]["cpu_time"]["verdict"] == "same"


def test_a_record_without_a_tree(record, run, tmp_path):
    old = record("old", [])
    done = run("compare", "--by", "tree", old, record("new", MAKE), check=False)
    assert done.returncode == 125 and "old.jsonl does not contain which program started which" in done.stderr


def test_real_runs_add_up_to_the_cpu_time_of_the_job(run, loads, tmp_path, compared):
    shutil.copy(loads / "load_cpu", tmp_path / "burner")
    paths = []
    for name, seconds in (("base", 0.2), ("new", 0.8)):
        paths.append(tmp_path / f"{name}.jsonl")
        run("--quiet", "-i", "0.1", "--record", paths[-1], "--", "sh", "-c",
            f"sh -c '{tmp_path}/burner --threads 1 --seconds {seconds}; :'; :")
    whole, branches = compared(*paths)
    assert_adds_up(whole)
    burner = branches["sh/sh/burner"]["cpu_time"]
    assert burner["verdict"] == "more" and burner["new"] > burner["base"] + 0.3
    for side, path in enumerate(paths):
        cpu = json.loads(run("summary", path, "--json").stdout)["quantities"]["cpu_time"]
        assert whole["mean_cpu_time"][side] == pytest.approx(cpu, abs=1e-3)
