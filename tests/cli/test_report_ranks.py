"""test_report_ranks.py - the page over all ranks of a job: its data against the known use of each rank at each moment."""
import csv
import io
import itertools
import json
import math
import os
import pathlib
import subprocess
import time

import jsonschema
import pytest

from line_code import decoded
from rank_records import FILLING, GIB, MIB, START, record

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs/reference/report-data.schema.json").read_text())


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "records"
    path.mkdir()
    return path


@pytest.fixture
def rank(folder):
    """rank(number, name=None, **of_record): the record of a rank."""
    def write(number, name=None, **more):
        (folder / f"{name or number}.jsonl").write_text(record(number, **{"size": 4} | more))
    return write


@pytest.fixture
def job(run, folder):
    """job(*words): the checked data of the job; with `map[key]`: for each row its values, None if unknown."""
    def read(*words):
        done = run("report", *(words or [folder]), "--json")
        assert (done.returncode, done.stderr) == (0, "")
        data = json.loads(done.stdout)
        jsonschema.Draft202012Validator(SCHEMA).validate(data)
        assert data["runs"] == []
        one = data["job"]
        one["nodes"], one["ranks"] = (
            [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]] for table in (one["nodes"], one["ranks"]))
        points, ratio = one["map"]["points"], one["map"]["ratio"]
        for line in one["map"]["lines"]:
            values = [None if steps is None else math.copysign(line["floor"] * math.expm1(abs(steps) * math.log1p(ratio)), steps)
                      for steps in decoded(line["values"])]
            assert len(values) == points * len(one["ranks"])
            one["map"][line["key"]] = [values[i:i + points] for i in range(0, len(values), points)]
        return one
    return read


def test_the_map_has_the_use_of_each_rank_at_each_moment(rank, job):
    """Four ranks of an hour in 64 points on two nodes: half of its time each uses `number` cores, then four."""
    for number in range(4):
        rank(number, node=f"n{1 - number // 2}", points=64, changes={
            "process.cpu_cores": lambda share, number=number: number if share < 0.5 else 4,
            "process.pss_bytes": lambda share, number=number: (number + 1) * GIB, "process.net_recv_bytes": 3 * MIB, "process.net_sent_bytes": MIB,
            "process.disk_read_bytes": 0, "process.disk_write_bytes": 0,
            "process.run_delay_seconds": lambda share: 1 if share > 0.75 else 0.25, "process.block_delay_seconds": 0.5,
            "cgroup.cpu_throttled_seconds": lambda share: 0.9 if share > 0.75 else 0})
    one = job()
    assert [row["rank"] for row in one["ranks"]] == [2, 3, 0, 1] and [row["node"] for row in one["ranks"]] == [0, 0, 1, 1]
    assert [node["name"] for node in one["nodes"]] == ["n0", "n1"]
    assert (one["map"]["seconds"], one["map"]["points"]) == (3600, 64)
    near = one["map"]["ratio"]
    for row, number in enumerate([2, 3, 0, 1]):
        assert one["map"]["cpu"][row] == pytest.approx([number] * 32 + [4] * 32, rel=near)
        assert one["map"]["memory"][row] == pytest.approx([(number + 1) * GIB] * 64, rel=near)
        assert one["map"]["network"][row] == pytest.approx([4 * MIB] * 64, rel=near)
        assert one["map"]["disk"][row] == [0] * 64
        assert one["map"]["waiting"][row] == pytest.approx([0.75] * 48 + [1.5] * 16, rel=near)
    assert "gpu" not in one["map"]


def test_ranks_stand_where_they_were(rank, job):
    """The second begins after a quarter of the job, the third ends after half of it: nothing is known of the rest."""
    changes = {"process.cpu_cores": 1}
    rank(0, seconds=6400.0, changes=changes)
    rank(1, seconds=4800.0, later=1600.0, changes=changes, node="n0")
    rank(2, seconds=3200.0, changes=changes)
    cpu = job()["map"]["cpu"]
    known = [[i for i, value in enumerate(row) if value is not None] for row in cpu]
    assert known == [list(range(64)), list(range(16, 64)), list(range(32))]
    assert [value for row in cpu for value in row if value is not None] == pytest.approx([1] * 144, rel=0.02)


def test_points_of_other_lengths_keep_the_sums(rank, job):
    """Outlines of 33 to 64 points: over all intervals a rank's mean stays what it is."""
    for number, points in enumerate((33, 40, 50, 61)):
        rank(number, points=points)
    one = job()
    for row, values in zip(one["ranks"], one["map"]["cpu"]):
        assert sum(values) / 64 * 3600 == pytest.approx(row["cpu_seconds"], rel=0.02)
    for row, values in zip(one["ranks"], one["map"]["network"]):
        assert sum(values) / 64 * 3600 == pytest.approx(row["net_bytes"], rel=0.02)


def test_it_says_the_same_as_the_summary(rank, job, run, folder):
    for number in range(3):
        rank(number, size=6, node=f"n{number % 2}", seconds=3600.0 + 900 * (number == 2), exit_code=3 * (number == 1),
             changes={"cgroup.cpu_throttled_seconds": 0.5} if number == 2 else None)
    rank(4, name="cut", ended=False, size=6)
    os.utime(folder / "cut.jsonl", (0, 0))              # else it could be still going on
    (folder / "noise.jsonl").write_bytes(b"\xff\x00{\n")
    one, summary = job(), json.loads(run("summary", folder, "--json").stdout)
    for key in ("scheduler", "job", "missing", "missing_ranks", "totals", "spread", "regions", "stragglers", "left_out"):
        assert one[key] == summary[key], key
    assert one["missing_ranks"] and one["stragglers"] and one["left_out"]
    assert [one["ranks"][row]["rank"] for row in one["straggler_rows"]] == [named["rank"] for named in one["stragglers"]]
    states = {row["rank"]: row["status"] for row in one["ranks"]}
    assert states == {0: "ok", 1: "exit 3", 2: "ok", 4: "truncated"}
    for row in one["ranks"]:
        (same,) = [other for other in summary["ranks"] if other["rank"] == row["rank"]]
        assert (row["seconds"], row["memory_bytes"]) == (same["seconds"], same["peak_pss_bytes"] if one["totals"]["memory_basis"] == "PSS"
                                                         else same["peak_rss_bytes"])


@pytest.mark.parametrize("ahead", [{}, {2: 1.5}, {2: 2.5}, {1: -3600.0}, {0: 3600.0, 4: -30.0}])
def test_clocks_are_aligned(rank, job, run, folder, ahead):
    """Five nodes with two ranks each, and starts and ends that differ by less than a second; some clocks differ by more."""
    for number in range(10):
        node = number // 2
        rank(number, size=10, node=f"n{node}", later=number / 20, seconds=600.0 + number / 30, ahead=ahead.get(node, 0.0))
    one = job()
    told = {k: seconds for k, seconds in ahead.items() if abs(seconds) >= 2}
    for k, node in enumerate(one["nodes"]):
        if k in told:
            assert node["clock_ahead_seconds"] == pytest.approx(told[k], abs=0.5)
        else:
            assert node["clock_ahead_seconds"] is None
    assert 600 < one["map"]["seconds"] < 603.5
    assert all(row[1] is not None and row[-2] is not None for row in one["map"]["cpu"])
    text = " ".join(run("summary", folder).stdout.split())
    assert (" Clocks " in text) == bool(told)
    for k, seconds in told.items():
        assert f"n{k} " in text.split(" Clocks ")[1] and ("ahead" if seconds > 0 else "behind") in text.split(" Clocks ")[1]


def test_a_straggler_does_not_hide_a_clock(rank, job):
    """It moves the median end to that of the node with another clock, which looked as if it had only begun late."""
    for number, (ahead, seconds) in enumerate([(0, 600.0), (30.0, 600.2), (0, 700.0)]):
        rank(number, node=f"n{number}", ahead=ahead, seconds=seconds)
    one = job()
    assert [node["clock_ahead_seconds"] for node in one["nodes"]] == [None, pytest.approx(30, abs=0.5), None]
    assert one["map"]["seconds"] == pytest.approx(700, abs=0.5)


def test_a_node_that_starts_late_is_no_clock(rank, job):
    """Its ranks begin 20 s later, and end with the others; those of another one end later."""
    for number, (later, seconds) in enumerate([(0, 600.0), (0, 600.0), (20.0, 580.0), (0, 700.0)]):
        rank(number, node=f"n{number}", later=later, seconds=seconds)
    one = job()
    assert [node["clock_ahead_seconds"] for node in one["nodes"]] == [None] * 4 and one["map"]["seconds"] == 700
    known = [i for i, value in enumerate(one["map"]["cpu"][2]) if value is not None]
    assert (known[0], known[-1]) == (1, 54)


def test_tasks_of_an_array_one_after_the_other_are_no_clocks(rank, job):
    for number in range(3):
        rank(number, node=f"n{number}", later=600.0 * number, seconds=600.0, job=f"{8 + number}", array=("8", number))
    one = job()
    assert [node["clock_ahead_seconds"] for node in one["nodes"]] == [None] * 3 and one["map"]["seconds"] == 1800


def region(path, seconds, count=1):
    return {"path": path, "count": count, "seconds": seconds, "cpu_seconds": 0.0, "min_seconds": 0.0, "max_seconds": seconds}


def test_regions_are_laid_over_each_other(rank, job):
    """`solve` in all ranks, `write` in the first alone."""
    for number, seconds in enumerate((100.0, 200.0, 300.0, 1000.0)):
        rank(number, regions=[region("solve", seconds, 2), *([region("write", 50.0)] if number == 0 else [])])
    solve, write = job()["regions"]
    assert (solve["path"], solve["ranks"], solve["count"], solve["mean"], solve["imbalance"]) == ("solve", 4, 8, 400, 2.5)
    assert [solve[key] for key in ("least", "least_rank", "median", "p95", "most", "most_rank")] == [100, 0, 200, 1000, 1000, 3]
    assert (write["path"], write["ranks"], write["count"], write["imbalance"], write["most_rank"]) == ("write", 1, 1, 1, 0)


def test_many_regions_are_bounded(rank, job):
    """The longest 32 of a rank, the longest 100 of all; hostile names are text."""
    for number in range(4):
        rank(number, regions=[region(f"{number}/{i}\x1b</script>", float(i)) for i in range(1, 200)])
    regions = job()["regions"]
    assert len(regions) == 100 and all(int(one["path"].split("/")[1].rstrip("\x1b<")) >= 168 for one in regions)
    assert [one["most"] for one in regions] == sorted((one["most"] for one in regions), reverse=True)


def test_real_ranks(run, tracker, job, folder):
    """A rank that computes beside one that sleeps, as the recorder writes them."""
    starts = []
    for number, code in enumerate(("import time\nwhile time.process_time() < 1: pass", "import time; time.sleep(1)")):
        env = {"SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_PROCID": str(number), "SLURM_NTASKS": "2", "SLURMD_NODENAME": "n1",
               "XDG_STATE_HOME": str(folder), "RESOURCE_TRACKER_RECORD": f"{folder}/%j-%t.jsonl"}
        starts.append(subprocess.Popen([tracker, "-q", "--interval", "0.05", "--", "/usr/bin/python3", "-c", code], env=env))
    assert all(one.wait() == 0 for one in starts)
    one = job()
    length = one["map"]["seconds"] / one["map"]["points"]
    assert [row["rank"] for row in one["ranks"]] == [0, 1]
    # One began or ended far from the other, on a busy machine: it is in a few intervals, and in a part of two of them.
    for row, values in zip(one["ranks"], one["map"]["cpu"]):
        known = [value for value in values if value is not None]
        assert sum(known) * length == pytest.approx(row["cpu_seconds"], abs=0.1 * row["cpu_seconds"] + 2 * length * max(known))
    assert one["ranks"][0]["cpu_seconds"] > max(0.99, one["ranks"][1]["cpu_seconds"])      # what Python's start needs is in both


def test_a_straggler_made_on_purpose(tracker, cpu_group, folder, job):
    """Four ranks with the same work, of which one has a quota of a fifth of a CPU."""
    free, slow = cpu_group(), cpu_group(0.2)
    ranks, begun = [], time.time()
    for number in range(4):
        def join(group=slow if number == 2 else free):
            (group / "cgroup.procs").write_text(str(os.getpid()))
        env = {"SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_PROCID": str(number), "SLURM_NTASKS": "4", "SLURMD_NODENAME": f"n{number % 2}",
               "XDG_STATE_HOME": str(folder), "RESOURCE_TRACKER_RECORD": f"{folder}/%t.jsonl"}
        ranks.append(subprocess.Popen([tracker, "-q", "--interval", "0.1", "--", "/usr/bin/python3", "-c",
                                       "import time\nwhile time.process_time() < 1: pass"], env=env, preexec_fn=join))
    assert all(one.wait() == 0 for one in ranks)
    one = job()
    first = one["stragglers"][0]
    assert (first["rank"], first["node"], first["cause"]) == (2, "n0", "throttled"), one["stragglers"]
    # A thread waits while it is throttled: that counts once.  A recorder that is throttled itself has no time to read the
    # delay of threads.  The group's throttled time serves then, which the kernel counts for each CPU: the recorder's, too.
    path = folder / "2.jsonl"
    *rows, end = path.read_text().splitlines()
    before, end = json.loads(rows[0])["start"] - begun, json.loads(end)
    columns, points = (end["end"]["outline"][key] for key in ("columns", "points"))
    delay, throttled = (columns.index(name) if name in columns else None for name in ("process.run_delay_seconds", "cgroup.cpu_throttled_seconds"))
    blocked = [columns.index("process.block_delay_seconds")] if "process.block_delay_seconds" in columns else []
    for known in (True, False):
        if known and (delay is None or all(point[delay] is None for point in points)):
            continue
        if not known and delay is not None:
            for point in points:
                point[delay] = None
            path.write_text("\n".join([*rows, json.dumps(end)]) + "\n")
            one = job()
        waiting = [value for value in one["map"]["waiting"][one["straggler_rows"][0]] if value is not None]     # of its time
        mean = sum(waiting[1:-1]) / (len(waiting) - 2)         # its first and its last interval are of short parts
        counted = sum(point[k] or 0 for point in points for k in (delay if known else throttled, *blocked))
        assert mean == pytest.approx(counted / points[-1][0], rel=0.1), (known, waiting)
        limit = 1.05 if known else os.cpu_count()
        assert 0.5 < mean < limit, (known, waiting)
        # It is counted when it ends, and can last longer than a point: up to each moment it is at most all the time until then.
        length, sums = one["map"]["seconds"] / one["map"]["points"], list(itertools.accumulate(waiting[1:-1]))
        assert all(sums[k] * length < limit * (before + (k + 2) * length) for k in range(len(sums))), (known, before, waiting)


def test_a_table_of_all_ranks(rank, run, folder, tmp_path):
    """As CSV and as JSON Lines, the same values as in the summary; a clock that is ahead is taken off `begin_seconds` alone."""
    for number in range(6):
        rank(number, size=6, node="a,\"b" if number > 3 else f"n{number // 2}", seconds=600.0, ahead=100.0 if number < 2 else 0.0,
             changes={"cgroup.cpu_throttled_seconds": 0.5} if number == 3 else None)
    done = run("export", folder, "--to", "csv")
    assert (done.returncode, done.stderr) == (0, "")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    lines = [json.loads(line) for line in run("export", folder, "--to", "jsonl").stdout.splitlines()]
    summary = json.loads(run("summary", folder, "--json").stdout)
    assert [row["rank"] for row in rows] == ["4", "5", "0", "1", "2", "3"] and len(lines) == 6
    for row, line in zip(rows, lines):
        assert row.keys() == line.keys()
        for key, value in line.items():
            assert row[key] == "" if value is None else row[key] == value if isinstance(value, str) else float(row[key]) == value, key
        (same,) = [one for one in summary["ranks"] if one["rank"] == line["rank"]]
        assert {key: line[key] for key in same} == same
        assert line["start"] == START + (100 if line["rank"] < 2 else 0) and line["begin_seconds"] == 0
        assert (line["straggler"], line["net_received_bytes"] > 0) == ("throttled" if line["rank"] == 3 else None, True)
    assert rows[0]["node"] == "a,\"b"
    assert run("export", "--job", "7", "--ranks", "--directory", folder, "--to", "csv", "-o", tmp_path / "x.csv").returncode == 0
    assert (tmp_path / "x.csv").read_text() == done.stdout


def test_no_cell_of_the_table_is_a_formula(rank, run, folder):
    """Regression: a node named so in a foreign record was run by the spreadsheet that opened the table."""
    rank(0, size=1, node="=HYPERLINK(A1)")
    (row,) = csv.DictReader(io.StringIO(run("export", folder, "--to", "csv").stdout))
    (line,) = map(json.loads, run("export", folder, "--to", "jsonl").stdout.splitlines())
    assert (row["node"], line["node"]) == ("'=HYPERLINK(A1)", "=HYPERLINK(A1)")


@pytest.mark.parametrize("words, says", [
    (["--to", "sqlite", "-o", "x"], "it is a table: --to csv or --to jsonl"), (["--to", "csv", "--csv", "all"], "layout of the rows of a run"),
    (["--to", "csv", "--job", "9"], "has no record of that job"), (["--to", "csv", "-o", "RECORD"], "0.jsonl"),
])
def test_a_wrong_question_of_a_table_is_one_sentence(rank, run, folder, words, says):
    rank(0)
    before = (folder / "0.jsonl").read_text()
    done = run("export", folder, *[str(folder / "0.jsonl") if word == "RECORD" else word for word in words])
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1) and says in done.stderr
    assert (folder / "0.jsonl").read_text() == before


HOSTILE = [
    b"", b"\n" * 1000, b"{}\n", b'{"record":"resource-tracker","version":1}\n{"end":{}}\n', b'{"record":"resource-tracker","version":99}\n', b"\x00" * 70000,
]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_a_hostile_file_in_the_folder(rank, job, folder, number):
    rank(0, size=1)
    (folder / "x.jsonl").write_bytes(HOSTILE[number])
    assert job("--job", "7", "--ranks", "--directory", folder)["ranks"][0]["rank"] == 0


@pytest.mark.parametrize("points", [
    [], [[]], [[None, 1]], [[1e300, 1]], [[5, 1], [3, 2], [9, 3]], [[-5, 1], [10, 2]], [[10, 1e300]], [[10, -1e300]], [[10, -4.0]],
    [["a", {}]], [[3600] + [1e9] * 100], [[1e-9, 5]], [[3.6e9, 1]], [[i, 0.5] for i in range(1, 5000)],
])
def test_a_hostile_outline(rank, job, folder, points):
    """Whatever stands there, the other ranks are shown, and no value is made up: it is finite or unknown."""
    rank(0, size=2)
    rank(1, size=2)
    lines = (folder / "1.jsonl").read_text().splitlines()
    end = json.loads(lines[-1])
    end["end"]["outline"] = {"columns": ["t", "process.cpu_cores"], "points": points}
    (folder / "1.jsonl").write_text(lines[0] + "\n" + json.dumps(end) + "\n")
    one = job()
    assert [row["rank"] for row in one["ranks"]] == [0, 1]
    assert all(value is None or math.isfinite(value) for row in one["map"]["cpu"] for value in row)


def test_a_record_that_was_cut_off_is_there_with_its_rows(run, job, rank, folder, tmp_path):
    """Without an end line the rows give its outline."""
    assert run("-q", "-i", "0.02", "--record", folder / "0.jsonl", "--", "sleep", "0.5").returncode == 0
    lines = (folder / "0.jsonl").read_text().splitlines(keepends=True)
    (folder / "0.jsonl").write_text("".join(line for line in lines if not line.startswith(('{"end"', '{"last_minute"'))))
    one = job()
    assert [(row["rank"], row["status"]) for row in one["ranks"]] == [(0, "truncated")] and one["kind"] == "run"
    assert any(value is not None for value in one["map"]["cpu"][0])


def test_names_cannot_end_the_element(rank, run, folder, tmp_path, page_built):
    if not page_built:
        pytest.skip("this build has no page")
    rank(0, node="</script><b>\u202e")
    done = run("report", folder, "-o", tmp_path / "page.html")
    assert (done.returncode, done.stdout.strip()) == (0, str(tmp_path / "page.html"))
    assert "</script><b>" not in (tmp_path / "page.html").read_text()


def test_the_name_of_the_page_is_that_of_the_job(rank, run, folder, tmp_path, page_built):
    if not page_built:
        pytest.skip("this build has no page")
    rank(0)
    assert run("report", folder, cwd=tmp_path).stdout == "resource-tracker-report-job-7.html\n"
    rank(0, job=None)
    assert run("report", f"{folder}/", cwd=tmp_path).stdout == "resource-tracker-report-records.html\n"


def test_an_output_that_is_a_record_is_refused(rank, run, folder):
    rank(0)
    rank(1)
    before = (folder / "1.jsonl").read_text()
    done = run("report", folder, "--json", "-o", folder / "1.jsonl")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1)
    assert (folder / "1.jsonl").read_text() == before


@pytest.mark.parametrize("words, says", [
    (["--job", "99"], "has no record of that job"), (["--directory", "."], "give one folder"), (["--live"], "is a directory"), (["--live", "--ranks"], "--live"),
])
def test_a_wrong_question_is_one_sentence(rank, run, folder, words, says):
    rank(0)
    done = run("report", folder, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1) and says in done.stderr


def test_a_thousand_ranks_are_small(tracker, run, folder, job, peak_bytes):
    """A page of less than 3 MiB for ten times as many; only headers and ends are read, so little is kept of a record."""
    for number in range(1000):
        (folder / f"{number}.jsonl").write_text(record(number, size=1000, node=f"n{number // 16}", rows=FILLING))
    one = job()
    assert (len(one["ranks"]), len(one["nodes"]), one["missing"]) == (1000, 63, 0)
    assert len(run("report", folder, "--json").stdout) < 600_000
    if b"__asan_init" not in tracker.read_bytes():         # a sanitizer keeps freed memory
        assert peak_bytes(tracker, "report", folder, "--json") < 100_000_000
