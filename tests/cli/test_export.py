"""test_export.py - runs in the formats of other programs: contents, acceptance by these programs, errors."""
import collections
import csv
import io
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess

import pytest
from prometheus_client import samples
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from processes import wait_for

FORMS = ["csv", "jsonl", "sqlite", "openmetrics", "perfetto", "events"]
TEXTS = [form for form in FORMS if form != "sqlite"]

# prometheus_client 0.16 takes 2.1 for earlier than 1.9: it compares seconds or nanoseconds.
samples.Timestamp.__gt__ = lambda a, b: (a.sec, a.nsec) > (b.sec, b.nsec)


@pytest.fixture(scope="module")
def recorded(tracker, loads, tmp_path_factory):
    """A folder with a run's record, the rows written beside it, and the same record cut off in a row."""
    folder = tmp_path_factory.mktemp("recorded")
    script = f"{loads}/load_regions nested 4 0.02; for i in 1 2 3; do sleep 0.05; done; {loads}/load_cpu --seconds 0.3; " \
             f"until [ $(wc -l < {folder}/rows.csv) -ge 9 ] && grep -q '\"exit\".*\"name\":\"sleep\"' {folder}/run.jsonl; do sleep 0.05; done"
    subprocess.run([tracker, "--quiet", "-i", "0.05", "--record", folder / "run.jsonl", "-o", folder / "rows.csv", "-f", "csv",
                    "--job-name", 'a "b"\\', "--", "sh", "-c", script], check=True, capture_output=True)
    lines = (folder / "run.jsonl").read_bytes().splitlines(keepends=True)
    rows = [i for i, line in enumerate(lines) if line.startswith(b'["r"')]
    middle = rows[len(rows) // 2]
    (folder / "cut.jsonl").write_bytes(b"".join(lines[:middle]) + lines[middle][:100])
    return folder


@pytest.fixture
def export(run):
    """export(words...): the text of a run in a format that goes to stdout."""
    def write(*words, **more):
        done = run("export", *words, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return write


def rows_of(lines):
    """(row, its columns as a dictionary) of a record."""
    names = []
    for line in lines:
        if isinstance(line, dict):
            names = [column[0] for column in line.get("columns", [])] or names
        elif line[0] == "r":
            yield line, dict(zip(names, line[4]))


def shell(database, *questions):
    """The answer of the sqlite3 shell."""
    done = subprocess.run(["sqlite3", database, *questions], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""
    return done.stdout.splitlines()


# ---- each format ---------------------------------------------------------------------------------

def test_csv_equals_that_of_the_recorder(recorded, export):
    ours = list(csv.DictReader(io.StringIO(export(recorded / "run.jsonl", "--to", "csv"))))
    theirs = list(csv.DictReader((recorded / "rows.csv").open()))
    assert len(ours) == len(theirs) > 5 and list(ours[0]) == list(theirs[0])
    for mine, recorders in zip(ours, theirs):
        for name, value in mine.items():
            assert (value == "") == (recorders[name] == ""), name
            assert value == "" or float(value) == pytest.approx(float(recorders[name]), rel=1e-3, abs=2e-3), name


@pytest.mark.parametrize("layout, columns", [("system", 21), ("combined", 32), ("process", 12)])
def test_layouts_of_csv(recorded, export, layout, columns):
    lines = export(recorded / "run.jsonl", "--to", "csv", "--csv", layout).splitlines()
    assert {line.count(",") + 1 for line in lines} == {columns}


def test_csv_with_all_columns(recorded, export, lines_of):
    table = list(csv.DictReader(io.StringIO(export(recorded / "run.jsonl", "--to", "csv", "--csv", "all"))))
    rows = list(rows_of(lines_of(recorded / "run.jsonl")))
    assert len(table) == len(rows)
    for cells, (row, values) in zip(table, rows):
        assert float(cells["t"]) == row[1] and float(cells["seconds"]) == row[2] and int(cells["samples"]) == row[3]
        for name, value in values.items():
            if not name.startswith("exits."):
                assert (float(cells[name]) if cells[name] else None) == value, name


def test_jsonl_has_the_names_and_values_of_the_record(recorded, export, lines_of):
    objects = [json.loads(line) for line in export(recorded / "run.jsonl", "--to", "jsonl").splitlines()]
    lines = lines_of(recorded / "run.jsonl")
    rows = list(rows_of(lines))
    assert len(objects) == len(rows)
    for o, (row, values) in zip(objects, rows):
        assert o["run"] == lines[0]["id"] and o["t"] == row[1] and o["timestamp"] == pytest.approx(lines[0]["start"] + row[1])
        assert {name: o[name] for name in values if not name.startswith("exits.")} == \
            {name: value for name, value in values.items() if not name.startswith("exits.")}
    names = {program["key"] for o in objects for program in o.get("program", [])}
    assert "load_cpu" in names and all(len(o["core"]) == os.cpu_count() for o in objects)


def test_several_runs_are_lines_of_one_file(recorded, export):
    both = export(recorded / "run.jsonl", recorded / "run.jsonl", "--to", "jsonl").splitlines()
    assert both[:len(both) // 2] == both[len(both) // 2:]


def test_sqlite_accumulates_runs(recorded, run, lines_of, tmp_path):
    database = tmp_path / "runs.db"
    for _ in range(2):                                  # the second time it replaces its rows
        assert run("export", recorded / "run.jsonl", "--to", "sqlite", "-o", database).returncode == 0
    lines = lines_of(recorded / "run.jsonl")
    end, rows = lines[-1]["end"], list(rows_of(lines))
    assert shell(database, "PRAGMA integrity_check", "PRAGMA foreign_key_check") == ["ok"]
    assert shell(database, "SELECT id, state, exit_code, job_name FROM runs") == [f'{lines[0]["id"]}|ok|0|a "b"\\']
    assert float(shell(database, "SELECT duration FROM runs")[0]) == pytest.approx(end["seconds"])
    assert int(shell(database, "SELECT count(*) FROM samples")[0]) == len(rows)
    assert float(shell(database, "SELECT sum(process_cpu_seconds) FROM samples")[0]) == pytest.approx(
        sum(values["process.cpu_seconds"] for _, values in rows))
    assert int(shell(database, "SELECT count(*) FROM processes")[0]) == end["exits"]
    exits = collections.Counter(line["exit"]["name"] for line in lines if isinstance(line, dict) and "exit" in line)
    listed = shell(database, "SELECT name, count(*) FROM processes GROUP BY name")
    assert set(listed) == {f"{name}|{n}" for name, n in exits.items()}
    assert exits["sleep"] >= 1
    assert shell(database, "SELECT count(*) FROM processes WHERE end_t < start_t OR start_t IS NULL") == ["0"]
    assert "load_cpu" in shell(database, "SELECT DISTINCT key FROM programs")
    assert {line.rsplit("|", 1)[0]: int(line.rsplit("|", 1)[1]) for line in shell(database, "SELECT path, count FROM regions")} == \
        {region["path"]: region["count"] for region in end["regions"]}
    outer = next(region for region in end["regions"] if region["path"] == "outer")
    assert [float(v) for v in shell(database, "SELECT elapsed_seconds, tree_cpu_seconds, peak_rss_bytes FROM regions WHERE path = 'outer'")[0]
            .split("|")] == pytest.approx([outer["elapsed_seconds"], outer["tree_cpu_seconds"], outer["peak_rss_bytes"]])
    assert int(shell(database, "SELECT count(*) FROM region_entries")[0]) == sum("region" in x for x in lines if isinstance(x, dict))
    assert run("export", recorded / "rows.csv", recorded / "cut.jsonl", "--to", "sqlite", "-o", database).returncode == 0
    assert shell(database, "SELECT count(*), sum(state = 'truncated') FROM runs") == ["2|1"]    # the later state
    assert shell(database, "PRAGMA foreign_keys = ON", "DELETE FROM runs", "SELECT count(*) FROM samples, processes") == ["0"]


def test_sqlite_of_an_older_version_gets_new_columns(recorded, run, tmp_path):
    database = tmp_path / "runs.db"
    words = ["export", recorded / "run.jsonl", "--to", "sqlite", "-o", database]
    assert run(*words).returncode == 0
    before = shell(database, "SELECT count(process_rss_bytes), sum(process_rss_bytes) FROM samples")
    shell(database, "ALTER TABLE samples DROP COLUMN process_rss_bytes", "ALTER TABLE runs DROP COLUMN host")
    assert run(*words).returncode == 0
    assert shell(database, "SELECT count(process_rss_bytes), sum(process_rss_bytes) FROM samples") == before
    assert shell(database, "SELECT host FROM runs") == [os.uname().nodename]


def test_sqlite_leaves_foreign_tables_alone(recorded, run, tmp_path):
    others, text, newer, folder = (tmp_path / name for name in ("others.db", "text", "newer.db", "folder"))
    shell(others, "CREATE TABLE runs (precious)")
    text.write_text("precious\n" * 100)
    assert run("export", recorded / "run.jsonl", "--to", "sqlite", "-o", newer).returncode == 0
    shell(newer, "PRAGMA user_version = 9")
    folder.mkdir()
    for path, sentence in ((others, "is a database of another program"), (text, "is not an SQLite database"),
                           (newer, "a newer resource-tracker made"), (folder, "cannot write"), (tmp_path / "a" / "b", "cannot write")):
        before = path.read_bytes() if path.is_file() else None
        done = run("export", recorded / "run.jsonl", "--to", "sqlite", "-o", path)
        assert done.returncode == 125 and sentence in done.stderr and done.stderr.count("\n") == 1
        assert before is None or path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "newer.db", "others.db", "text"]


def families_of(text):
    assert text.endswith("\n# EOF\n") and text.count("# EOF") == 1
    return {family.name: family for family in text_string_to_metric_families(text)}


def test_openmetrics_for_a_strict_parser(recorded, export, lines_of):
    lines = lines_of(recorded / "run.jsonl")
    rows = list(rows_of(lines))
    families = families_of(export(recorded / "run.jsonl", "--to", "openmetrics"))
    level, amount = families["resource_tracker_process_rss_bytes"], families["resource_tracker_process_cpu_seconds"]
    assert (level.type, level.unit, amount.type, amount.unit) == ("gauge", "bytes", "counter", "seconds")
    known = [(row, values) for row, values in rows if values["process.rss_bytes"] is not None]     # not after its end
    assert [s.value for s in level.samples] == [values["process.rss_bytes"] for _, values in known]
    for sample, (row, _) in zip(level.samples, known):
        assert float(sample.timestamp) == pytest.approx(lines[0]["start"] + row[1], abs=0.0021)     # whole milliseconds
        assert sample.labels == {"run": lines[0]["id"]}
    info = families["resource_tracker_run"]
    assert info.type == "info" and len(info.samples) == len(rows) and {s.value for s in info.samples} == {1}
    assert info.samples[0].labels == {"run": lines[0]["id"], "job_name": 'a "b"\\', "host": lines[0]["host"]["name"]}
    values = [s.value for s in amount.samples]
    assert values == sorted(values) and values[-1] == pytest.approx(sum(v["process.cpu_seconds"] for _, v in rows))
    assert {s.labels["core"] for s in families["resource_tracker_core_utilization_pct"].samples} == {str(i) for i in range(os.cpu_count())}
    assert all(family.documentation for family in families.values())


def test_openmetrics_has_few_labels(recorded, export):
    """One label names the run of a value; other facts about the run come once per sample, not with each value."""
    text = export(recorded / "run.jsonl", "--to", "openmetrics")
    samples = [line for line in text.splitlines() if not line.startswith("#")]
    assert sum(len(line) + 1 for line in samples) <= 25 * (recorded / "run.jsonl").stat().st_size, "docs/reference/export.md says some 20 times"


def check_trace(trace):
    """The rules of the Trace Event Format for the events written here.  Returns the events by phase."""
    by_phase = {}
    assert set(trace) <= {"displayTimeUnit", "traceEvents", "otherData"} and trace["displayTimeUnit"] in ("ms", "ns")
    for event in trace["traceEvents"]:
        assert isinstance(event["name"], str) and type(event["pid"]) is int
        by_phase.setdefault(event["ph"], []).append(event)
        if event["ph"] != "M":
            assert isinstance(event["ts"], (int, float)) and event["ts"] >= 0
    assert set(by_phase) <= set("MXCibe")
    for event in by_phase.get("M", []):
        key = {"process_name": "name", "process_sort_index": "sort_index"}[event["name"]]
        assert list(event["args"]) == [key]
    for event in by_phase.get("C", []):
        assert event["args"] and all(isinstance(v, (int, float)) for v in event["args"].values())
    for event in by_phase.get("i", []):
        assert event["s"] in "gpt"
    assert not by_phase.get("b") or sorted(e["id"] for e in by_phase["b"]) == sorted(e["id"] for e in by_phase["e"])
    threads = {}
    for event in by_phase.get("X", []):
        assert event["dur"] >= 0
        threads.setdefault((event["pid"], event["tid"]), []).append((event["ts"], -event["dur"]))
    for spans in threads.values():                      # each within or beside another, never across
        open_until = []
        for begin, dur in sorted(spans):
            while open_until and open_until[-1] <= begin:
                open_until.pop()
            assert not open_until or begin - dur <= open_until[-1] + 0.5
            open_until.append(begin - dur)
    return by_phase


def test_perfetto_keeps_to_the_rules_of_traces(recorded, export, lines_of):
    lines = lines_of(recorded / "run.jsonl")
    events = check_trace(json.loads(export(recorded / "run.jsonl", "--to", "perfetto")))
    spans = [e for e in events["X"] if e["cat"] == "process"]
    ends = {line["exit"]["pid"]: line["exit"] for line in lines if isinstance(line, dict) and "exit" in line}
    assert {e["pid"]: e["name"] for e in spans} == {pid: e["name"] for pid, e in ends.items()}
    for e in spans:
        assert e["ts"] + e["dur"] == pytest.approx(ends[e["pid"]]["t"] * 1e6, abs=200)
    entries = [line["region"] for line in lines if isinstance(line, dict) and "region" in line]
    assert sorted(e["args"]["path"] for e in events["X"] if e["cat"] == "region") == sorted(e["path"] for e in entries)
    names = {e["pid"]: e["args"]["name"] for e in events["M"] if e["name"] == "process_name"}
    rss = [e for e in events["C"] if names[e["pid"]] == "process" and e["name"] == "rss_bytes"]
    recorded = dict((row[1] - row[2], values["process.rss_bytes"]) for row, values in rows_of(lines))
    for e in rss:                                       # a counter holds from the beginning of its row
        at = min(recorded, key=lambda t: abs(t * 1e6 - e["ts"]))
        assert e["args"] == {"value": recorded[at]} and abs(at * 1e6 - e["ts"]) < 100
    assert 0 < len(rss) <= len(recorded)


def test_events_are_an_event_log(recorded, run, export, lines_of, tmp_path):
    log = tmp_path / "events.log"
    log.write_text(export(recorded / "run.jsonl", "--to", "events"))
    lines = [line.split(",") for line in log.read_text().splitlines()]
    assert all(len(line) == 4 and line[1] in ("start", "end") for line in lines)
    assert [float(line[0]) for line in lines] == sorted(float(line[0]) for line in lines)
    # As parse_event_log of that tracker reads it: name -> [start, end] by number.
    spans = {}
    for at, what, name, number in lines:
        spans.setdefault(name, {}).setdefault(int(number), {})[what] = float(at)
    end = lines_of(recorded / "run.jsonl")[-1]["end"]
    assert {name: len(all) for name, all in spans.items()} == {r["path"].split("/")[-1]: r["count"] for r in end["regions"]}
    for region in end["regions"]:
        assert sum(s["end"] - s["start"] for s in spans[region["path"].split("/")[-1]].values()) == pytest.approx(region["seconds"], abs=1e-4)
    again = [line.split(",") for line in export(log, "--to", "events").splitlines()]         # this program can read it
    assert [line[1:] for line in again] == [line[1:] for line in lines]
    assert all(abs(float(a[0]) - float(b[0])) < 5e-6 for a, b in zip(again, lines))


def test_events_at_one_time_are_nested(export, tmp_path):
    entries = [(1, "a/b", 1), (2, "a/z", 0), (2, "a/c", 1), (1, "a", 2)]            # by their ends, as in a record
    (tmp_path / "run.jsonl").write_text(json.dumps({"record": "resource-tracker", "version": 1, "id": "x", "start": 100}) + "\n" + "".join(
        json.dumps({"region": {"t": t, "path": path, "seconds": seconds}}) + "\n" for t, path, seconds in entries))
    lines = [line.split(",")[1:3] for line in export(tmp_path / "run.jsonl", "--to", "events").splitlines()]
    assert [f"{what[0]}{name}" for what, name in lines] == ["sa", "sb", "eb", "sc", "sz", "ez", "ec", "ea"]


# ---- truncated and hostile records ---------------------------------------------------------------

@pytest.mark.parametrize("form", FORMS)
def test_a_truncated_record_is_exported_up_to_its_cut(recorded, run, form, lines_of, tmp_path):
    done = run("export", recorded / "cut.jsonl", "--to", form, "-o", tmp_path / "out")
    assert done.returncode == 0 and "the last line is cut off" in done.stderr and "no end line" in done.stderr
    rows = sum(line.startswith('["r"') for line in (recorded / "cut.jsonl").read_text().splitlines()) - 1
    text = (tmp_path / "out").read_text(errors="replace")
    if form in ("csv", "jsonl"):
        assert len(text.splitlines()) == rows + (form == "csv")
    elif form == "sqlite":
        assert shell(tmp_path / "out", "SELECT count(*) FROM samples", "SELECT state FROM runs") == [str(rows), "truncated"]
    elif form == "openmetrics":
        assert len(families_of(text)["resource_tracker_process_rss_bytes"].samples) == rows
    elif form == "perfetto":
        running = [e for e in check_trace(json.loads(text))["X"] if e["name"] == "tracked process"]
        assert len(running) == 1 and running[0]["dur"] > 0


NASTY = ['"; DROP TABLE runs; --', "a,b\nc\rd", "</script><b>", "{x=\"1\"}\\", "\u202e\U0001f600", "\x01\x7f", "%s%n", "=1+1"]


def nasty_record(path):
    def line(value):
        return json.dumps(value).encode() + b"\n"
    rows = {"program": [{"index": i, "key": name, "command": name} for i, name in enumerate(NASTY)],
            "mount": [{"index": 0, "key": NASTY[0], "device": NASTY[1]}]}
    text = [line({"record": "resource-tracker", "version": 1, "id": NASTY[0] + NASTY[1], "start": 1e9, "interval_seconds": 1,
                  "command": NASTY, "pids": [1], "metadata": {"job_name": NASTY[3]}, "tags": NASTY, "host": {"name": NASTY[2]},
                  "start_after_boot_seconds": 5,
                  "tables": {"program": [["cpu_seconds", "seconds", "amount"]], "mount": [["used_bytes", "bytes", "level"]]}}),
            line({"columns": [["process.rss_bytes", "bytes", "level"], ["process.cpu_seconds", "seconds", "amount"]]}),
            line({"rows": rows})]
    values = ["1e999", "-1e308", "1e18", "123456789012345678901234567890", "null", '"text"', "[]", "-0.0", "1e-320"]
    for t, value in enumerate(values, 1):
        text.append(f'["r",{t},1,1,[{value},{value}],null,{{"program":[[{value}],[1],[2],[3],[4],[5],[6],[7]],"mount":[[{value}]]}}]\n'.encode())
    text.append(b'["r",3,1,1,[5,5],null,{}]\n["r",1e300,1,1,[5,5],null,{}]\n["r",-5,-1,1,[5,5],null,{}]\n["r",10,0,0,[5,5],null,{}]\n')
    for i, name in enumerate(NASTY):
        text.append(line({"exit": {"t": 4, "pid": i, "parent": 1, "name": name, "started_after_boot_seconds": 7, "cpu_seconds": 1}}))
        text.append(line({"region": {"t": 2, "path": name, "seconds": 1, "cpu_seconds": None, "tid": i}}))
        text.append(line({"mark": {"t": 2, "path": name, "text": name}}))
        text.append(line({"value": {"t": 2, "path": name, "name": name, "value": 1e300}}))
    text.append(b'{"exit":{"t":1e300,"pid":7,"name":"\xff\xfe","started_after_boot_seconds":-1e300}}\n')
    text.append(b'{"region":{"t":1,"path":"\xff\xfe","seconds":-1}}\n{"region":{"t":1e300,"path":"","seconds":1e300}}\n')
    path.write_bytes(b"".join(text))
    return path


@pytest.mark.parametrize("form", FORMS)
def test_hostile_names_and_numbers_are_inert(run, form, tmp_path):
    record, out = nasty_record(tmp_path / "nasty.jsonl"), tmp_path / "out"
    done = run("export", record, "--to", form, "-o", out)
    assert done.returncode == 0, done.stderr
    if form == "csv":
        done = run("export", record, "--to", form, "--csv", "all", "-o", out)
        table = list(csv.reader(out.open()))
        assert done.returncode == 0 and len({len(row) for row in table}) == 1
        assert not any(word in cell for row in table[1:] for cell in row for word in ("nan", "inf"))
    elif form == "jsonl":
        objects = [json.loads(line, parse_constant=pytest.fail) for line in out.read_text().splitlines()]
        assert {program["key"] for program in objects[0]["program"]} == set(NASTY)
    elif form == "sqlite":
        assert shell(out, "PRAGMA integrity_check", "SELECT count(*) FROM runs") == ["ok", "1"]
        database = sqlite3.connect(out)
        assert {key for key, in database.execute("SELECT key FROM programs")} == set(NASTY)
        assert database.execute("SELECT id, host FROM runs").fetchall() == [(NASTY[0] + NASTY[1], NASTY[2])]
        assert ("\ufffd\ufffd",) in database.execute("SELECT name FROM processes").fetchall()
    elif form == "openmetrics":
        labels = {s.labels["program"] for s in families_of(out.read_text())["resource_tracker_program_cpu_seconds"].samples}
        assert labels == {re.sub("[\x00-\x1f\x7f]", "?", name) for name in NASTY}
    elif form == "perfetto":
        events = check_trace(json.loads(out.read_text(), parse_constant=pytest.fail))
        assert set(NASTY) <= {e["name"] for e in events["X"]} | {e["name"] for e in events["i"]}
    elif form == "events":
        assert all(line.count(",") == 3 for line in out.read_text().splitlines())


@pytest.mark.parametrize("content, sentence", [
    (b"", "is empty"), (b"\0\1\2\xff" * 1000, "has an unknown format"), (b"hello\n", "has an unknown format"),
])
def test_a_file_that_is_not_a_recording_leaves_the_old_one(run, content, sentence, tmp_path):
    (tmp_path / "bad").write_bytes(content)
    for form in FORMS:
        out = tmp_path / f"out.{form}"
        if form != "sqlite":
            out.write_text("old")
        done = run("export", tmp_path / "bad", "--to", form, "-o", out)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1) and sentence in done.stderr
        assert out.read_text() == "old" if form != "sqlite" else not out.exists()


@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_leaves_the_old_file(recorded, run, form, tmp_path):
    out, many = tmp_path / "out", tmp_path / "many.jsonl"
    lines = (recorded / "run.jsonl").read_text().splitlines(keepends=True)
    rows = [json.loads(line) for line in lines if line.startswith('["r"')]
    end = rows[-1][1]
    later = [json.dumps(["r", end + 10 + i / 100, *rows[i % len(rows)][2:]]) + "\n" for i in range(1500)]
    regions = [line for line in lines if line.startswith('{"region"')]
    many.write_text("".join(lines[:-1]) + "".join(later + regions * 60))
    assert run("export", recorded / "run.jsonl", "--to", form, "-o", out).returncode == 0
    before = shell(out, ".dump") if form == "sqlite" else out.read_bytes()

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (out.stat().st_size + 4096, resource.RLIM_INFINITY))

    done = run("export", many, "--to", form, "-o", out, preexec_fn=limit)
    assert done.returncode == 125 and done.stderr.count("\n") == 1
    assert "cannot" in done.stderr
    assert (shell(out, ".dump") if form == "sqlite" else out.read_bytes()) == before
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["many.jsonl", "out"]


# ---- destinations --------------------------------------------------------------------------------

@pytest.mark.parametrize("form", FORMS)
def test_only_the_user_can_read_it(recorded, run, form, tmp_path):
    old = os.umask(0)
    try:
        assert run("export", recorded / "run.jsonl", "--to", form, "-o", tmp_path / "out").returncode == 0
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o600


@pytest.mark.parametrize("form", TEXTS)
def test_stdout_links_and_pipes(recorded, run, export, form, tmp_path):
    text = export(recorded / "run.jsonl", "--to", form)
    assert text == export(recorded / "run.jsonl", "--to", form, "-o", "-")
    with open(recorded / "run.jsonl", encoding="utf-8") as stdin:
        assert text == export("-", "--to", form, stdin=stdin)
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    assert run("export", recorded / "run.jsonl", "--to", form, f"--output={tmp_path / 'link'}").returncode == 0
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == text
    assert export(recorded / "run.jsonl", "--to", form, "-o", "/dev/stdout") == text
    (tmp_path / "new").symlink_to("real2")                                 # a link to a file that is yet to be made
    assert run("export", recorded / "run.jsonl", "--to", form, "-o", tmp_path / "new").returncode == 0
    assert (tmp_path / "new").is_symlink() and (tmp_path / "real2").read_text() == text
    (tmp_path / "loop").symlink_to("loop")
    done = run("export", recorded / "run.jsonl", "--to", form, "-o", tmp_path / "loop")
    assert done.returncode == 125 and "Too many levels of symbolic links" in done.stderr and (tmp_path / "loop").is_symlink()
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = run("export", recorded / "run.jsonl", "--to", form, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 125 and "cannot write stdout" in done.stderr


@pytest.mark.parametrize("command, name", [(("export", "--to", "jsonl"), "/dev/stdout"), (("export", "--to", "csv"), "/dev/fd/1"),
                                           (("report", "--json"), "/proc/self/fd/1")])
def test_a_descriptor_of_a_file_is_continued(recorded, run, tmp_path, command, name):
    """The file would lose what it had, and what others write to the descriptor later, if it were replaced."""
    def all_of(*words):
        with open(tmp_path / "out", "w", encoding="utf-8") as out:
            out.write("head\n")
            out.flush()
            assert run(command[0], recorded / "run.jsonl", *command[1:], *words, stdout=out).returncode == 0
            out.seek(0, os.SEEK_END)
            out.write("tail\n")
        return re.sub('"made_at":[0-9]*', "", (tmp_path / "out").read_text(encoding="utf-8"))
    text = all_of("-o", name)
    assert text.startswith("head\n") and text.endswith("tail\n") and text == all_of("-o", "-")


def test_a_signal_leaves_no_file(tracker, tmp_path):
    out = tmp_path / "out"
    out.write_text("old")
    with subprocess.Popen([tracker, "export", "-", "--to", "csv", "-o", out], stdin=subprocess.PIPE) as process:
        wait_for(lambda: list(tmp_path.glob(".out.*.part")), "it writes")
        process.terminate()
        assert process.wait() == -signal.SIGTERM
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["out"] and out.read_text() == "old"


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_a_signal_while_the_part_is_made_leaves_nothing(tracker, recorded, run, tmp_path):
    out = tmp_path / "out"
    out.write_text("old")
    done = run("export", recorded / "run.jsonl", "--to", "csv", "-o", out,
               prefix=["strace", "-f", "-qq", "-o", tmp_path / "trace", "-e", "inject=fchmod:signal=SIGTERM"])
    if "ptrace" in done.stderr.lower():
        pytest.skip(done.stderr)
    assert "fchmod" in (tmp_path / "trace").read_text() and done.returncode == -signal.SIGTERM
    assert not list(tmp_path.glob(".out.*")) and out.read_text() == "old"


def test_the_next_export_removes_the_part_of_a_killed_one(tracker, recorded, run, tmp_path):
    """The part of a running export of the same file stays; so do files with a similar name."""
    out = tmp_path / "out"

    def parts():
        return set(tmp_path.glob(".out.*.part"))

    def begin():
        before = parts()
        process = subprocess.Popen([tracker, "export", "-", "--to", "csv", "-o", out], stdin=subprocess.PIPE)
        wait_for(lambda: parts() - before, "it writes")
        return process, (parts() - before).pop()

    (tmp_path / "victim").write_text("mine")
    strangers = [tmp_path / f".out.{name}.part" for name in ("linked", "hardly", "folder", "queued", "1234567", "short")]
    strangers[0].symlink_to("victim")
    os.link(tmp_path / "victim", strangers[1])
    strangers[2].mkdir()
    os.mkfifo(strangers[3])
    for path in strangers[4:]:
        path.touch()
    (tmp_path / ".other.abcdef.part").touch()
    with begin()[0] as killed:
        killed.kill()
    left = parts() - set(strangers)
    assert len(left) == 1
    busy, its_part = begin()
    with busy:
        assert parts() - set(strangers) == {its_part}
        assert run("export", recorded / "run.jsonl", "--to", "csv", "-o", out).returncode == 0
        assert parts() - set(strangers) == {its_part}
        busy.terminate()
    assert parts() == set(strangers) and (tmp_path / ".other.abcdef.part").exists()
    assert (tmp_path / "victim").read_text() == "mine"


def test_a_run_by_its_name(run, export):
    until_seen = """until [ "$(grep -c '^."r",' "$RESOURCE_TRACKER_RUN" 2> /dev/null)" -ge 2 ] 2> /dev/null; do sleep 0.05; done"""
    assert run("--quiet", "-i", "0.05", "--", "sh", "-c", until_seen).returncode == 0
    assert export("last", "--to", "csv").count("\n") > 2


@pytest.mark.parametrize("words, sentence", [
    (["x"], "in which form?"), (["--to", "csv"], "which run?"), (["x", "--to", "sqlit"], "did you mean sqlite?"),
    (["x", "--to", "png"], f"'png' is none of {', '.join(FORMS[:-1])} or {FORMS[-1]}"),
    (["x", "y", "--to", "csv"], "a file of csv holds one run"), (["x", "--to", "sqlite"], "sqlite needs a file"),
    (["x", "--to", "jsonl", "--csv", "all"], "--csv goes with --to csv alone"), (["x", "--to"], "--to takes a value"),
    (["x", "--to", "csv", "-o"], "export: -o takes a value"), (["x", "--ot", "csv"], "did you mean --to?"),
    (["nowhere/x", "--to", "csv"], "cannot open nowhere/x"), (["last", "--to", "csv"], "the history has 0 runs"),
])
def test_bad_words_get_one_sentence(run, words, sentence):
    done = run("export", *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1) and sentence in done.stderr


def test_an_unknown_layout(recorded, run):
    done = run("export", recorded / "run.jsonl", "--to", "csv", "--csv", "wide")
    assert done.returncode == 125 and done.stdout == "" and "'wide' is none of system, combined, process or all" in done.stderr


def test_help_lists_the_forms(run):
    text = run("export", "--help").stdout
    assert all(f"\n  {form} " in text for form in FORMS)


# ---- long runs -----------------------------------------------------------------------------------

@pytest.mark.parametrize("form", FORMS)
def test_memory_does_not_grow_with_the_rows(recorded, tracker, peak_bytes, form, tmp_path):
    lines = (recorded / "run.jsonl").read_text().splitlines(keepends=True)
    head = "".join(line for line in lines if line.startswith(('{"record"', '{"columns"', '{"rows"')))
    rows = [json.loads(line) for line in lines if line.startswith('["r"')]
    peaks = []
    for n in (100, 2000):
        with open(tmp_path / "long.jsonl", "w", encoding="utf-8") as out:
            out.write(head)
            for i in range(n):
                out.write(json.dumps([*rows[i % len(rows)][:1], i + 1.0, 1.0, 1, *rows[i % len(rows)][4:]]) + "\n")
        # A sanitizer would keep freed memory for a while.
        peaks.append(peak_bytes(tracker, "export", tmp_path / "long.jsonl", "--to", form, "-o", tmp_path / "out",
                                env={**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=0:thread_local_quarantine_size_kb=0"}))
        (tmp_path / "out").unlink()
    # SQLite's cache of pages is full before the second.
    assert peaks[1] < peaks[0] + (4 if form == "sqlite" else 1) * 2**20
    if b"__asan_init" not in tracker.read_bytes():
        assert peaks[1] < (7 if form == "sqlite" else 4) * 2**20           # docs/reference/export.md
