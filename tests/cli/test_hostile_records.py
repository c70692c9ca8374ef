"""
test_hostile_records.py - foreign records with impossible times: every reader answers and stays within its types.

A build with sanitizers ends a program at a number that does not fit; other builds show that the answers are sane.
"""
import json
import pathlib
import re

import pytest

CORPUS = pathlib.Path(__file__).resolve().parents[1] / "fuzz/corpus"
FORMS = ["csv", "jsonl", "sqlite", "openmetrics", "perfetto", "events"]
FAULT = re.compile(r"runtime error|Sanitizer|LeakSanitizer")
# Around the bounds of core/file_time.h, of an int64_t of nanoseconds, and of a double.
TIMES = ["1e-320", "999999999.9", "-999999999.9", "3999999999.9", "8.9e9", "-8.9e9", "9223372036854775807", "-1e300", "1e999"]


def readers(folder, *paths):
    """Each way to read these records, as words."""
    yield ["runs", "--directory", paths[0].parent]
    yield ["runs", "--directory", paths[0].parent, "--json"]
    yield ["runs", "show", *paths[:1]]
    for form in [], ["--json"], ["--markdown"]:
        yield ["summary", *paths, *form]
        yield ["compare", *paths, "vs", *paths, *form]
        yield ["compare", *paths, "vs", *paths, "--by", "program", *form]
        yield ["compare", *paths, "vs", *paths, "--by", "region", *form]
        yield ["compare", "--align", paths[0], paths[-1], *form]
    yield ["recommend", *paths]
    yield ["recommend", *paths, "--json"]
    yield ["report", *paths, "--json"]
    for path in paths:
        for form in FORMS:
            yield ["export", path, "--to", form, "-o", folder / "exported"]
    for kind in "svg", "png":
        yield ["plot", paths[0], "-o", folder / f"plot.{kind}"]


def read_all(run, folder, *paths):
    """Output by words; fails on a sanitizer's message or an unexpected exit status."""
    said = {}
    for words in readers(folder, *paths):
        (folder / "exported").unlink(missing_ok=True)
        done = run(*words)
        assert not FAULT.search(done.stderr), (words, done.stderr)
        assert done.returncode in (0, 125), (words, done.returncode, done.stderr)
        said[" ".join(str(word) for word in words[:1] + words[-1:])] = done.stdout + done.stderr
    return said


def record(time, other="1"):
    """A valid record with this time at each place for a time."""
    lines = [
        '{"record":"resource-tracker","version":1,"id":"r-1","start":%s,"interval_seconds":%s,'
        '"start_after_boot_seconds":%s,"command":["job"],"pids":[5],"host":{"name":"h","cpus":2,"memory_bytes":%s},'
        '"fixed":{"cpu.count":%s},"tables":{"program":[["cpu_seconds","seconds","amount"]]}}',
        '{"columns":[["cpu.utilization_cores","cores","level"],["process.cpu_seconds","seconds","amount"],'
        '["process.rss_bytes","bytes","level"]]}',
        '{"rows":{"program":[{"index":0,"key":"p"}]}}',
        '["r",1,1,1,[1,1,1],null,{"program":[[1]]}]',
        '["r",%s,%s,%s,[%s,%s,%s],[%s,%s],{"program":[[%s]]},{"program":[[]]}]',
        '["r",2,1,%s,[%s,1,%s],null,{"program":[[%s]]}]',
        '["r",%s,1,1,[1,1,1],null,{}]',
        '{"exit":{"t":%s,"pid":%s,"parent":%s,"name":"p","started_after_boot_seconds":%s,"cpu_seconds":%s,"peak_rss_bytes":%s}}',
        '{"region":{"t":%s,"path":"a","seconds":%s,"cpu_seconds":%s,"tid":%s}}',
        '{"region":{"t":1,"path":"b","seconds":%s}}',
        '{"mark":{"t":%s,"text":"m"}}', '{"value":{"t":%s,"name":"v","value":%s}}',
        '{"last_minute":{"columns":["t","process.rss_bytes"],"points":[[%s,%s],[1,%s]]}}',
        '{"end":{"time":%s,"seconds":%s,"samples":%s,"sampled_seconds":%s,"status":"exited","exit_code":%s,"exits":%s,'
        '"statistics":{"process.cpu_seconds":[%s,%s,%s],"process.rss_bytes":[%s,%s]},'
        '"regions":[{"path":"a","count":%s,"seconds":%s,"min_seconds":%s,"max_seconds":%s}]}}',
    ]
    return "".join(line.replace("%s", time) + "\n" for line in lines)


@pytest.mark.parametrize("name", ["record_reader/times-too-large", "recording/times-too-large"])
def test_the_files_that_stopped_all_readers(run, tmp_path, name):
    folder = tmp_path / "runs"
    folder.mkdir()
    path = folder / "run.jsonl"
    path.write_bytes((CORPUS / name).read_bytes())
    said = read_all(run, tmp_path, path)
    wanted = "this row is invalid and is left out" if name.startswith("record_reader") else "has an unknown format"
    assert wanted in " ".join(said[f"summary {path}"].split())      # lines are broken where the path ends


def test_impossible_times(run, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    paths = [folder / f"{i:02}.jsonl" for i in range(len(TIMES))]
    for path, time in zip(paths, TIMES):
        path.write_text(record(time))
    read_all(run, tmp_path, *paths)
    for time, path in zip(TIMES, paths):
        done = run("summary", path, "--json")
        shown = json.loads(done.stdout) if done.stdout else {}
        assert 0 <= shown.get("start", 0) < 4e9, time


def test_times_of_other_trackers(run, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    numbers = [time for time in TIMES if time[0] in "-0123456789"]
    (folder / "json.jsonl").write_text("".join(
        '{"timestamp":%s,"actual_interval_ms":%s,"cpu":{"utilization_pct":%s}}\n' % (a, b, b) for a in numbers for b in numbers))
    (folder / "table.csv").write_text("timestamp,cpu_usage,memory_used\n" + "".join(f"{a},{a},{a}\n" for a in numbers) + "1,1,1\n")
    (folder / "events.csv").write_text("1,start,a,1\n" + "".join(
        f"{a},start,b,{i}\n{b},end,b,{i}\n" for i, a in enumerate(numbers) for b in numbers) + "2,end,a,1\n")
    for path in sorted(folder.iterdir()):
        read_all(run, tmp_path, path)


def test_very_long_names_do_not_widen_every_line(run, tmp_path):
    """Regression: each line was padded to the longest name: a table of 3 GB for 300 records."""
    for i in range(20):
        path = tmp_path / f"{i:02}.jsonl"
        path.write_text(record("1").replace('"pids":[5]', '"pids":[5],"metadata":{"job_name":"%s"}' % ("n" * 100000 if i == 0 else "n")))
    lines = run("runs", "--directory", tmp_path, "--columns", "name,status").stdout.splitlines()
    assert len(lines) == 21 and max(map(len, lines)) < 1100


def test_a_sum_without_an_end_is_left_out(run, tmp_path):
    """Regression: "inf", which a reader of OpenMetrics takes for a value."""
    path, text = tmp_path / "run.jsonl", record("1")
    rows = "".join('["r",%d,1,1,[1,1e308,1],null,{}]\n' % t for t in range(2, 6))
    path.write_text(text.replace('{"exit"', rows + '{"exit"', 1))
    done = run("export", path, "--to", "openmetrics")
    values = [line.split()[-2] for line in done.stdout.splitlines() if not line.startswith("#")]
    assert done.returncode == 0 and len(values) > 5
    assert all(abs(float(value)) <= 1.8e308 for value in values)
