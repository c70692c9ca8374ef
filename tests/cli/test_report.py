"""test_report.py - the page of a run and its data: from the recorder's records and from files of every tracker."""
import itertools
import json
import math
import os
import pathlib
import random
import re
import resource
import subprocess
import time

import jsonschema
import pytest

from line_code import decoded
from processes import wait_for_file

DOCS = pathlib.Path(__file__).parents[2] / "docs/reference"
SCHEMA = json.loads((DOCS / "report-data.schema.json").read_text())
ELEMENT = re.compile(r'<script type="application/json" id="report-data">(.*?)</script>', re.S)


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture
def report(run, validator):
    """report(*runs): the data of each, checked."""
    def read(*words, **more):
        done = run("report", "--json", *words, **more)
        assert (done.returncode, done.stderr) == (0, "")
        data = json.loads(done.stdout)
        validator.validate(data)
        for one in data["runs"]:
            assert one["times"] == sorted(set(one["times"]))
            for line in one["series"] + one.get("programs", []):
                for key in {"mean", "min", "max", "bound_low", "bound_high", "cpu", "memory"} & line.keys():
                    assert len(line[key]) == len(one["times"]), (line, key)
            for core in one.get("cores", {"usage": []})["usage"]:
                assert len(core) == len(one["times"])
        return data["runs"]
    return read


def test_memory_of_short_runs_is_that_of_the_job(report, run, tmp_path):
    """Regression: for runs of 2 MiB, the table of several runs had the memory of the whole machine's control group."""
    for i in range(2):
        run("--quiet", "-i", "600", "--record", tmp_path / f"{i}.jsonl", "--", "true")      # no sample before its end
    for one in report(tmp_path / "0.jsonl", tmp_path / "1.jsonl"):
        assert one["quantities"]["peak_memory"].keys() == {"RSS"} and one["quantities"]["peak_memory"]["RSS"] < 30 * 2**20
        assert one["quantities"]["cpu_time"].keys() == {"job"}


def series(one, key):
    (found,) = [line for line in one["series"] if line["key"] == key]
    return found


def newest_record():
    places = pathlib.Path(os.environ["XDG_STATE_HOME"]) / "resource-tracker/runs"
    return max(places.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


def last_columns(lines):
    """Those of the last rows: a record says its columns again where one is added."""
    return next(json.loads(line)["columns"] for line in reversed(lines) if line.startswith('{"columns"'))


def rewritten(record, rows_of_a_second):
    """The record with as many rows as given, each (cores, maximum or None)."""
    lines = record.read_text().splitlines()
    columns = last_columns(lines)
    at = [name for name, _, _ in columns].index("process.cpu_cores")
    row = [json.loads(line) for line in lines if line.startswith('["r",')][-1]
    level_at = [name for name, _, kind in columns if kind == "level"].index("process.cpu_cores")
    levels = [value for value, (_, _, kind) in zip(row[4], columns) if kind == "level"]
    out = [line for line in lines if not line.startswith(('["r",', '["p",', '{"end"', '{"limit"'))]
    for second, (cores, most) in enumerate(rows_of_a_second, 1):
        values, maxima = list(row[4]), None
        values[at] = cores
        if most is not None:
            maxima = list(levels)
            maxima[level_at] = most
        out.append(json.dumps(["r", second, 1, 2 if maxima else 1, values, maxima, row[6], {}], separators=(",", ":")))
    return "\n".join(out) + "\n"


def test_a_run_of_the_recorder(run, loads, report, tmp_path):
    samples, begun = tmp_path / "samples.csv", time.monotonic()
    run("--quiet", "-i", "0.1", "-n", "night", "--tag", "a=b", "--pss", "always", "-f", "csv", "-o", samples, "--",
        loads / "load_memory", "--rss", "60", "--hold", "0.6", "--rows", samples)
    elapsed = time.monotonic() - begun
    (one,) = report("last")
    assert (one["name"], one["source"], one["outcome"]) == ("night", "run record", "succeeded")
    assert "load_memory" in one["command"] and one["ending"].startswith("exit 0 after ")
    assert 0.6 < one["duration_seconds"] < elapsed and one["times"][-1] <= one["duration_seconds"] + 0.01
    pss = series(one, "process.pss_bytes")
    assert (pss["chart"], pss["unit"], pss["kind"]) == ("memory", "B", "level") and "aside" not in pss
    assert series(one, "memory.used_bytes")["aside"]
    assert 60 * 2**20 <= max(filter(None, pss["mean"])) < 90 * 2**20
    known = [point for point in zip(pss["bound_low"], pss["mean"], pss["bound_high"]) if None not in point]
    assert known and all(low <= 1.0001 * mean and mean <= 1.0001 * high for low, mean, high in known)
    (peak,) = [mark for mark in one["marks"] if mark["label"].startswith("peak of PSS")]
    most, ends = pss.get("max", pss["mean"]), [0, *one["times"]]
    assert peak["value"] == max(filter(None, most))
    assert any(peak["value"] == value and ends[i] < peak["at"] <= ends[i + 1] for i, value in enumerate(most))
    cards = {(fact["card"], fact["label"]): fact["value"] for fact in one["facts"]}
    assert cards["what", "Tags"] == "a=b" and cards["what", "Job name"] == "night" and cards["ending", "Status"].startswith("exit 0")
    assert f'peak {cards["totals", "Peak memory (PSS)"]} ' in run("summary", "last").stdout
    assert cards["totals", "CPU time"] in run("summary", "last").stdout
    methods = {method["quantity"]: method for method in one["methods"]}
    assert methods["CPU time of the job"]["source"] and methods["Peak of PSS"]["lower"]
    (process,) = [process for process in one["processes"] if "ending" in process]
    # The kernel tells a start in ticks of its clock.
    assert process["ending"] == "exit 0" and 0 <= process["start"] < process["end"] - 0.6 + 1 / os.sysconf("SC_CLK_TCK")
    assert process["end"] <= one["duration_seconds"] + 0.01
    assert process["peak_bytes"] > 60 * 2**20 and one["processes_left_out"] == 0
    assert [item["what"] for item in one["advice"]][:2] == ["CPU", "memory"]
    assert any(program["name"] == "load_memory" and program["peak_bytes"] > 60 * 2**20 for program in one["programs"])


def test_programs_add_up_to_the_jobs_cpu_time(run, report):
    """No sample sees children of a millisecond: perf reports their use, or it is in no program's row."""
    done = run("-i", "0.2", "--", "sh", "-c", "i=0; while [ $i -lt 400 ]; do /bin/true; i=$((i + 1)); done")
    assert done.returncode == 0
    (one,) = report("last")
    cpu_time = json.loads(run("summary", "last", "--json").stdout)["quantities"]["cpu_time"]
    if one["short_lived_cpu_seconds"] is None:
        pytest.skip("the kernel does not report here which processes start")
    seen = sum(program["cpu_seconds"] or 0 for program in one["programs"])
    assert seen + one["short_lived_cpu_seconds"] == pytest.approx(cpu_time, rel=0.01, abs=0.002)


def test_cores_and_regions(run, report, tmp_path):
    script = tmp_path / "job"
    # Lines with a time: without one they count for the time of reading, which can be late.
    script.write_text('at() { echo "unix=$(date +%s.%N) $*"; }\n'
                      'for i in 1 2 3; do at begin outer; at "begin in<b>ner"; sleep 0.2; at "end in<b>ner"; at end outer; '
                      'done >> "$RESOURCE_TRACKER_REGIONS"\nat mark half of it >> "$RESOURCE_TRACKER_REGIONS"\nexit 3\n')
    run("--quiet", "-i", "0.05", "--", "sh", script)
    (one,) = report("last")
    assert one["cores"]["count"] == os.cpu_count() and len(one["cores"]["usage"]) == min(os.cpu_count(), 128)
    assert all(0 <= share <= 1.001 for core in one["cores"]["usage"] for share in core if share is not None)
    entries = [(entry["path"], entry["depth"]) for entry in one["regions"]]
    assert entries.count(("outer", 0)) == 3 and entries.count(("outer/in<b>ner", 1)) == 3 and one["regions_left_out"] == 0
    lanes = [[entry for entry in one["regions"] if entry["depth"] == depth] for depth in (0, 1)]
    for outer, inner in zip(*lanes):
        assert outer["start"] <= inner["start"] <= inner["end"] <= outer["end"] + 1e-6
    assert [entry["start"] for entry in one["regions"]] == sorted(entry["start"] for entry in one["regions"])
    (mark,) = one["region_marks"]
    assert mark["text"] == "half of it" and mark["at"] >= one["regions"][-1]["end"] - 1e-6 and one["region_marks_left_out"] == 0
    totals = {total["path"]: total for total in one["region_totals"]}
    assert totals["outer"]["count"] == 3 and totals["outer"]["wall_seconds"] >= 0.6
    assert one["outcome"] == "failed" and one["ending"].startswith("exit 3")


def rows_of(one, key):
    """The rows of a long run: [(end, mean, most)]."""
    detail = one["detail"]
    (line,) = [line for line in detail["lines"] if line["key"] == key]
    ends = [ms / 1000 for ms in itertools.accumulate(decoded(detail["times"]))]
    means = decoded(line["mean"])
    above = decoded(line["above"]) if "above" in line else [0] * len(means)
    assert len(ends) == len(means) == len(above) == detail["points"]

    def value(steps):
        return line["floor"] * math.expm1(steps * math.log1p(detail["ratio"]))
    return [(end, None if mean is None else value(mean), None if mean is None else value(mean + more))
            for end, mean, more in zip(ends, means, above)]


def a_day(path, seconds=86400):
    """Rows of a busy job, each quantity as noisy as can be; one second has 77 cores."""
    noise = random.Random(1)

    def some(value):
        return round(value * (0.5 + noise.random()), 3)
    with path.open("w") as out:
        for second in range(seconds):
            cores = 77.0 if second == 50000 else some(3)
            out.write(json.dumps({
                "actual_interval_ms": 1000, "timestamp_secs": 1795262767 + second,
                "cpu": {"process_cores_used": cores, "utilization_pct": some(4), "process_pss_mib": int(some(900)),
                        "process_rss_mib": int(some(1200)), "process_disk_read_bytes": int(some(1e7)),
                        "process_disk_write_bytes": int(some(1e6)), "process_count": int(some(300))},
                "memory": {"used_mib": int(some(4000)), "swap_used_mib": int(some(100))},
                "gpu": [{"uuid": "GPU-a", "host_id": "0", "utilization_pct": some(50), "power_watts": some(90)}]},
                separators=(",", ":")) + "\n")


def test_a_day_down_to_its_seconds(run, report, has_page, tmp_path):
    a_day(tmp_path / "day.jsonl")
    (one,) = report(tmp_path / "day.jsonl")
    assert one["detail"]["points"] == 86400 and len(one["times"]) <= 500
    rows = rows_of(one, "process.cpu_cores")
    (spike,) = [row for row in rows if row[1] > 40]
    assert spike[0] == 50001 and spike[1] == pytest.approx(77, rel=0.02)
    assert [end for end, _, _ in rows[:3]] == [1, 2, 3]
    noise = random.Random(1)
    assert rows[0][1] == pytest.approx(round(3 * (0.5 + noise.random()), 3), rel=one["detail"]["ratio"])
    kept = {line["key"] for line in one["detail"]["lines"]}
    assert {"process.cpu_cores", "process.pss_bytes", "process.disk_read_bytes"} <= kept
    assert run("report", tmp_path / "day.jsonl", "-o", tmp_path / "day.html").returncode == 0
    assert (tmp_path / "day.html").stat().st_size <= 1.5e6


@pytest.mark.parametrize("last, most", [(0.0, "3.00 KiB"), (None, None)], ids=["known", "unknown"])
def test_traffic_has_an_upper_bound_if_all_of_it_is_known(last, most, run, report, tmp_path):
    run("--quiet", "-i", "0.1", "--", "sleep", "0.3")
    lines = rewritten(newest_record(), [(0.5, None)] * 2).splitlines()
    names = [name for name, _, _ in last_columns(lines)]
    for at, missing in ((-2, 1024.0), (-1, last)):
        row = json.loads(lines[at])
        for name, value in (("recv", 1024.0), ("sent", 0.0), ("unattributed", missing)):
            row[4][names.index(f"process.net_{name}_bytes")] = value
        lines[at] = json.dumps(row, separators=(",", ":"))
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(lines) + "\n")
    (received,) = [method for method in report(path)[0]["methods"] if method["quantity"] == "Received by the job"]
    assert (received["value"], received["lower"], received.get("upper")) == ("2.00 KiB", "2.00 KiB", most)


def test_rows_are_left_out_where_the_points_have_them_all(run, report, tmp_path):
    run("--quiet", "-i", "0.1", "--", "sleep", "0.3")
    path = tmp_path / "run.jsonl"
    path.write_text(rewritten(newest_record(), [(0.5, None)] * 900))
    assert "detail" not in report(path)[0]
    path.write_text(rewritten(newest_record(), [(0.5, None)] * 1000 + [(0.25, 9.0)] * 200))
    rows = rows_of(report(path)[0], "process.cpu_cores")
    assert rows[999] == (1000, pytest.approx(0.5, rel=0.002), pytest.approx(0.5, rel=0.002))
    assert rows[1000] == (1001, pytest.approx(0.25, rel=0.002), pytest.approx(9, rel=0.004))


def test_a_spike_of_one_sample_in_a_long_run(run, report, tmp_path):
    run("--quiet", "-i", "0.1", "--", "sleep", "0.3")
    long = tmp_path / "long.jsonl"
    long.write_text(rewritten(newest_record(), [(0.5, None)] * 7000 + [(77.0, None)] + [(0.5, None)] * 5000))
    (one,) = report(long)
    cpu = series(one, "process.cpu_cores")
    assert 250 <= len(one["times"]) <= 500 and one["outcome"] == "incomplete"
    assert max(cpu["max"]) == 77 and min(cpu["min"]) == 0.5 and max(cpu["mean"]) < 20
    widths = [after - before for before, after in zip([0, *one["times"]], one["times"])]
    assert sum(mean * width for mean, width in zip(cpu["mean"], widths)) == pytest.approx(12001 * 0.5 + 76.5, rel=1e-3)
    assert [mark["at"] for mark in one["marks"] if mark["chart"] == "cpu"] == [7001]
    long.write_text(rewritten(newest_record(), [(0.5, None), (0.5, 9.0), (0.5, None)]))
    (one,) = report(long)                       # a row of two samples has the higher value
    assert series(one, "process.cpu_cores")["max"] == [0.5, 9, 0.5] and series(one, "process.cpu_cores")["mean"] == [0.5] * 3


FOREIGN = {
    "python 0.5": '"timestamp","pid","children","utime","stime","cpu_usage","memory_mib"\n'
                  '1795262767.0,7,"",0.5,0.5,1.0,10.5\n1795262769.0,7,1,3.0,1.0,2.0,20.5\n',
    "python 0.4": '"timestamp","pid","children","utime","stime","cpu_usage","memory"\r\n'
                  '1795262767.0,7,"",0.5,0.5,1.0,10752\r\n1795262769.0,7,1,3.0,1.0,2.0,20992\r\n',
    "python 0.1": '"timestamp","pid","children","utime","stime","cpu_usage","pss"\n'
                  '1795262767.0,7,0,50,50,1.0,10752\n1795262769.0,7,1,300,100,2.0,20992\n',
    "rust": '{"actual_interval_ms":2000,"cpu":{"process_cores_used":1.0,"process_pss_mib":10.5,"per_core_pct":[50.0,100.0]},'
            '"timestamp_secs":1795262767,"tracked_pid":7}\n'
            '{"actual_interval_ms":2000,"cpu":{"process_cores_used":2.0,"process_pss_mib":20.5,"per_core_pct":[50.0,100.0]},'
            '"timestamp_secs":1795262769,"tracked_pid":7}\n',
    "ours": "timestamp,system_processes,process_pid,process_cpu_usage,process_memory_mib\n"
            "1795262767,90,7,1.0,10.5\n1795262769,91,7,2.0,20.5\n",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_files_of_all_trackers(report, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(FOREIGN[name].encode())
    (one,) = report(path)
    assert (one["id"], one["outcome"], one["started_at"], one["times"]) == (name, "unknown", 1795262765, [2, 4])
    assert series(one, "process.cpu_cores")["mean"] == [1, 2]
    assert series(one, "process.pss_bytes")["mean"] == pytest.approx([10.5 * 2**20, 20.5 * 2**20], rel=0.03)
    assert not {"processes", "regions", "programs"} & one.keys() and ("cores" in one) == (name == "rust")
    assert len(one["methods"]) == 1 and "does not state" in one["methods"][0]["meaning"]
    assert not any("unknown" in fact["value"] for fact in one["facts"] if fact["card"] == "totals")
    if name == "rust":
        assert one["cores"] == {"count": 2, "cores_in_line": 1, "usage": [[0.5, 0.5], [1, 1]]}


def test_several_gpus_have_a_chart_each(report, tmp_path):
    rows = [{"actual_interval_ms": 1000, "timestamp_secs": 1795262767 + second, "gpu_total": {"utilization_gpus": 1.5},
             "gpu": [{"uuid": "GPU-a", "host_id": "0", "utilization_pct": 50.0, "temperature_celsius": 60 + second},
                     {"uuid": "GPU-b", "host_id": "1", "utilization_pct": 100.0, "temperature_celsius": 70}]}
            for second in range(2)]
    (tmp_path / "two").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "one").write_text("".join(json.dumps({**row, "gpu": row["gpu"][:1]}) + "\n" for row in rows))
    two, one = ({(line["chart"], line["label"]): line["mean"] for line in found["series"] if line["chart"].startswith("gpu")}
                for found in report(tmp_path / "two", tmp_path / "one"))
    assert two == {("gpu_use", "all GPUs"): [1.5, 1.5], ("gpu_use", "GPU 0"): [0.5, 0.5], ("gpu_use", "GPU 1"): [1, 1],
                   ("gpu_temperature", "GPU 0"): [60, 61], ("gpu_temperature", "GPU 1"): [70, 70]}
    assert one.keys() == {("gpu_use", "all GPUs"), ("gpu_temperature", "GPU 0")}


def test_the_time_lost_to_a_quota_is_a_line(report, tmp_path):
    rows = [{"actual_interval_ms": 1000, "timestamp_secs": 1795262767 + second, "cpu": {"process_cores_used": 1.0},
             "cgroup": {"cpu_throttled_seconds": lost}} for second, lost in enumerate([0, 0, 0.6, 0.6])]
    (tmp_path / "held").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "free").write_text("".join(json.dumps({**row, "cgroup": {"cpu_throttled_seconds": 0}}) + "\n" for row in rows))
    held, free = report(tmp_path / "held", tmp_path / "free")
    line = series(held, "cgroup.cpu_throttled_seconds")
    assert (line["chart"], line["unit"], line["mean"]) == ("cpu", "cores", pytest.approx([0, 0, 0.3, 0.6]))     # over two seconds
    assert "cgroup.cpu_throttled_seconds" not in {one["key"] for one in free["series"]}


def test_logs_of_py_resource_monitor(report, tmp_path):
    log, events = tmp_path / "log.csv", tmp_path / "events.log"
    log.write_text("latency: 0.3 ms\nlogger_process_pid:7,cpu_count:8,vm_total_mb:15755\ntime,cpu_percent,rss_mb,write_mb\n"
                   "10.0,0.0,100,40\n12.0,250.0,300,45\n")
    events.write_text("10.5,start,load data,0\n11.0,start,open,0\n11.5,end,open,0\n12.5,end,load data,0\n13.0,start,load data,1\n"
                      "14.0,end,load data,1\n")
    one, other = report(log, events)
    assert one["started_at"] is None and series(one, "process.rss_bytes")["mean"][-1] == 300 * 2**20
    assert series(one, "process.disk_write_bytes")["mean"] == [None, 2.5 * 2**20]
    assert (other["times"], other["series"], other["region_totals"][0]["wall_seconds"]) == ([], [], 3)
    assert [(entry["path"], entry["start"], entry["end"]) for entry in other["regions"]] == \
        [("load data", 0, 2), ("load data/open", 0.5, 1), ("load data", 2.5, 3.5)]


def test_a_record_that_was_cut_off(run, report, tmp_path):
    run("--quiet", "-i", "0.05", "--", "sh", "-c", "sleep 0.4")
    whole = newest_record().read_bytes()
    for share in (0.3, 0.6, 0.95):
        (tmp_path / "cut").write_bytes(whole[:int(share * len(whole))])
        (one,) = report(tmp_path / "cut")
        assert one["outcome"] == "incomplete" and any("cut off" in warning for warning in one["warnings"])
        assert "how it ended is unknown" in one["ending"]


def test_names_are_inert(run, has_page, tmp_path):
    names = ["</script><script>alert(1)</script>", "<!--", "<img src=x onerror=alert(1)>", "]]>&lt;\u2028\u2029"]
    run("--quiet", "-i", "0.05", "-n", names[0], "--tag", f"x={names[1]}", "--", "sh", "-c", "sleep 0.1", names[2], names[3])
    page = tmp_path / "page.html"
    assert run("report", "last", "-o", page).returncode == 0
    text = page.read_text(encoding="utf-8")
    (data,) = ELEMENT.findall(text)
    assert "<" not in data and not any(name in text for name in names[:1] + names[2:3])
    (one,) = json.loads(data)["runs"]
    shown = [*names[:3], "]]>&lt;??"]           # line terminators of JavaScript are not shown
    assert one["name"] == names[0] and all(name in json.dumps(one, ensure_ascii=False) for name in shown)


def test_the_place_of_the_page(run, has_page, tmp_path):
    run("--quiet", "-i", "0.05", "--", "true")
    run("--quiet", "-i", "0.05", "--", "true")
    done = run("report", "last", cwd=tmp_path)
    name = done.stdout.strip()
    assert done.returncode == 0 and re.fullmatch(r"resource-tracker-report-\d+T\d+Z-(.*)\.html", name)[1] == \
        newest_record().stem.partition("Z-")[2]     # its first second can be over when its record is named
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    text = (tmp_path / name).read_text()
    assert text.lower().startswith("<!doctype html>") and ELEMENT.search(text) and not re.search(r'(src|href)="?https?:', text)
    both = run("report", "last", "last~1", cwd=tmp_path).stdout.strip()
    assert both.endswith("-and-1-more.html")
    assert len(json.loads(ELEMENT.findall((tmp_path / both).read_text())[0])["runs"]) == 2
    streamed = run("report", "last", "-o", "-").stdout
    assert ELEMENT.search(streamed) and abs(len(streamed) - len(text)) < 200
    link, target = tmp_path / "link.html", tmp_path / "target.html"
    target.write_text("old")
    link.symlink_to(target)
    assert run("report", "last", "-o", link).returncode == 0
    assert link.is_symlink() and ELEMENT.search(target.read_text())
    assert sorted(path.name for path in tmp_path.glob("*part*")) == []


def test_a_full_disk_keeps_the_old_report(tracker, run, has_page, tmp_path):
    run("--quiet", "-i", "0.05", "--", "true")
    page = tmp_path / "page.html"
    page.write_text("the old report")

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    for path, reason in ((page, "File too large"), ("/dev/full", "No space left on device")):
        done = subprocess.run([tracker, "report", "last", "-o", path], capture_output=True, text=True, preexec_fn=small)
        assert (done.returncode, done.stdout) == (125, "")
        assert done.stderr == f"resource-tracker report: cannot write {path}: {reason}\n"
    assert page.read_text() == "the old report" and [path.name for path in tmp_path.glob("*.part")] == []


def test_opened_only_when_asked(run, has_page, tmp_path, monkeypatch):
    seen = tmp_path / "seen"
    (tmp_path / "bin").mkdir()
    opener = tmp_path / "bin/xdg-open"
    opener.write_text(f'#!/bin/sh\nprintf "%s" "$1" > "{seen}.new" && mv "{seen}.new" "{seen}"\n')
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", f"{opener.parent}:{os.environ['PATH']}")
    run("--quiet", "-i", "0.05", "--", "true")
    page = tmp_path / "a page; touch x.html"
    assert run("report", "last", "-o", page).returncode == 0 and not seen.exists()
    assert run("report", "last", "-o", page, "--open").returncode == 0
    assert wait_for_file(seen) == str(page)
    monkeypatch.setenv("PATH", "/nonexistent")
    done = run("report", "last", "-o", page, "--open")
    assert done.returncode == 125 and "xdg-open" in done.stderr and page.exists()


def test_bad_arguments_give_one_sentence(run, tmp_path):
    (tmp_path / "folder").mkdir()
    contents = {"empty": b"", "binary": bytes(range(256)) * 100, "nan": b'{"timestamp":NaN}\n' * 9, "long": b"9" * 20_000_000,
                "text": b"no recording\n" * 5, "header": b"timestamp,cpu_usage\n", "zeros": bytes(3_000_000),
                "newer": b'{"record":"resource-tracker","version":99}\n'}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    page = tmp_path / "page.html"
    for name in (*contents, "folder", "missing"):
        done = run("report", tmp_path / name, "-o", page)
        assert (done.returncode, done.stdout) == (125, ""), name
        assert done.stderr.count("\n") == 1 and name in done.stderr
    run("--quiet", "-i", "0.05", "--", "true")
    run("--quiet", "-i", "0.05", "--", "true")
    for words, says in ([()], "which run"), ([newest_record().name[:4]], "2 runs"), (["last~9"], "history has 2 runs"), \
            (["last", "--open", "-o", "-"], "--open"), (["last", "--opn"], "--open"), (["last", "-o"], "takes a value"), \
            (["last"] * 65, "at most 64"):
        done = run("report", *[word for word in words if word])
        assert (done.returncode, done.stdout) == (125, ""), words
        assert says in done.stderr and done.stderr.count("\n") == 1
    assert not page.exists()


def test_odd_numbers_in_a_record(run, report, tmp_path):
    """Times that jump, values that are missing or beyond all bounds: the valid ones are shown."""
    run("--quiet", "-i", "0.05", "--", "sleep", "0.2")
    text = newest_record().read_text()
    rows = [line for line in text.splitlines() if line.startswith('["r",')]
    row = json.loads(rows[-1])
    odd = [["r", 5e9, 1, *row[3:]], ["r", 2, 1, 1, [1e308] * len(row[4]), None, {"core": [[1e300]]}], ["r", 3, 8e9, *row[3:]],
           ["r", -1, 1, *row[3:]], ["r", 4, 1, 1, [], None, {}], ["r", 5, 1, 1, ["x"] * 500, [1], {"program": {"99": [1]}}]]
    strange = tmp_path / "strange"
    strange.write_text(text.replace(rows[-1], "\n".join([rows[-1], *map(json.dumps, odd)])))
    (one,) = report(strange)
    assert len(one["times"]) >= 2           # all before the jump can be one point
