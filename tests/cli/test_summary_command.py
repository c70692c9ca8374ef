"""test_summary_command.py - the summary of any recording: text, JSON and Markdown, by the names of all trackers."""
import json
import os
import pathlib
import subprocess
import threading
import time

import pytest

from terminal import Terminal


@pytest.fixture
def digest(run):
    """digest(*words): `summary --json`, one object for each recording."""
    def read(*words, **more):
        done = run("summary", "--json", *words, **more)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]
    return read


def weighted_percentile(values, weights, share):
    due = share * sum(weights)
    for value, weight in sorted(zip(values, weights)):
        due -= weight
        if due <= 1e-9 * sum(weights):
            return value
    return max(values)


def test_a_run_by_its_name_its_path_and_from_stdin(run, tmp_path):
    record = tmp_path / "mine.jsonl"
    run("--quiet", "-i", "0.05", "--", "sleep", "0.2")
    run("--quiet", "-i", "0.05", "--record", record, "--", "sleep", "0.1")
    path = next((pathlib.Path(os.environ["XDG_STATE_HOME"]) / "resource-tracker/runs").glob("*.jsonl"))
    by_name = run("summary", "last").stdout
    assert "sleep 0.2" in by_name and by_name == run("summary", path).stdout == run("summary", path.stem).stdout
    with open(record, encoding="utf-8") as stdin:
        piped = run("summary", "-", stdin=stdin).stdout
    assert piped and run("summary", record).stdout.startswith(piped)       # it knows no path to name
    both = run("summary", "last", record).stdout
    assert both == by_name + run("summary", record).stdout


def test_json_agrees_with_the_rows(run, loads, lines_of, digest, tmp_path):
    rows, truth = tmp_path / "rows", tmp_path / "truth"
    run("--quiet", "-i", "0.05", "-o", rows, "--pss", "always", "--", loads / "load_cpu", "--seconds", "0.6", "--truth", truth)
    (from_record,), lines = digest("last"), lines_of(rows)
    seconds = [line["actual_interval_ms"] / 1000 for line in lines]
    cores = [line["cpu"]["process_cores_used"] for line in lines]
    metric = from_record["metrics"]["process.cpu_cores"]
    for name, share in {"p50": 0.5, "p95": 0.95, "p99": 0.99}.items():
        # Lengths are in whole milliseconds: at an edge the value can be that of the next row.
        around = [weighted_percentile(cores, seconds, max(0, min(1, share + aside))) for aside in (-0.02, 0, 0.02)]
        assert around[0] * 0.995 - 0.001 <= metric[name] <= around[2] * 1.005 + 0.001
        assert from_record["stats"]["process_cpu_usage"][name] == pytest.approx(metric[name], abs=1e-5)
    used = sum(line["process"]["cpu_seconds"] for line in lines)
    assert from_record["quantities"]["cpu_time"] == pytest.approx(used, rel=1e-3)
    assert from_record["quantities"]["cpu_time"] == pytest.approx(json.loads(truth.read_text())["cpu_seconds"], rel=0.1)
    assert from_record["quantities"]["peak_memory"] == max(line["process"]["pss_bytes"] or 0 for line in lines)
    assert from_record["stats"]["timestamp"]["duration"] == from_record["quantities"]["duration"]


def test_the_statistics_of_the_python_tracker_by_their_names(run, digest):
    """Its default set: tracker.stats() of SpareCores/resource-tracker 0.5."""
    run("--quiet", "-i", "0.05", "--", "sleep", "0.2")
    stats = digest("last")[0]["stats"]
    for column in ("process_cpu_usage", "process_memory_mib", "process_gpu_usage", "process_gpu_vram_mib",
                   "process_gpu_utilized"):
        assert {"mean", "max", "p50", "p95", "p99"} <= stats[column].keys()
    assert stats["system_disk_space_used_gb"]["max"] > 0
    assert stats["system_net_recv_bytes"]["sum"] >= 0 and stats["system_net_sent_bytes"]["sum"] >= 0
    assert 0.2 <= stats["timestamp"]["duration"] < 20
    assert stats["process_gpu_usage"]["max"] is None                        # not measured is not 0


def duration_of(rows, record, layout):
    """A CSV row has a time but no length: the first one is taken to be as long as the second."""
    if layout == "json":
        return record["quantities"]["duration"]
    times = [float(line.split(",")[0]) for line in rows.read_text().splitlines()[1:]]
    return times[-1] - times[0] + (times[1] - times[0])


@pytest.mark.parametrize("layout", ["json", "combined", "process"])
def test_samples_agree_with_the_record(run, loads, digest, tmp_path, layout):
    rows = tmp_path / "rows"
    form = ["-f", "json"] if layout == "json" else ["--csv", layout]
    run("--quiet", "-i", "0.1", "--pss", "always", "-o", rows, *form, "--", loads / "load_memory", "--rss", "60",
        "--hold", "0.6", "--rows", rows)
    record, samples = digest("last", rows)
    assert samples["tracked"] and samples["status"] is None
    # The last sample is taken at the command's end, possibly in the same millisecond as the one before.
    assert record["samples"] - 1 <= samples["samples"] <= record["samples"]
    assert samples["quantities"]["duration"] == pytest.approx(duration_of(rows, record, layout), abs=0.2)
    for one in (record, samples):
        assert one["quantities"]["mean_cpu"] == pytest.approx(
            one["quantities"]["cpu_time"] / one["quantities"]["duration"], rel=1e-3, abs=1e-3)
    # A peak is not below the mean, which depends on the duration.
    means = abs(samples["quantities"]["mean_cpu"] - record["quantities"]["mean_cpu"])
    longer = abs(samples["quantities"]["duration"] / record["quantities"]["duration"] - 1)      # as the first row was late
    for name, tolerance in {"peak_memory": 1.1e6, "mean_memory": 1.1e6 + (0.05 + longer) * record["quantities"]["peak_memory"],
                            "cpu_time": 0.02, "peak_cpu": 0.01 + means, "disk_written": 0}.items():
        assert samples["quantities"][name] == pytest.approx(record["quantities"][name], abs=tolerance), name
    assert samples["quantities"]["peak_memory"] >= 60 * 2**20
    assert run("summary", rows).stdout.count("Memory PSS") == 1


def test_the_machine_alone(run, digest, tmp_path):
    rows = tmp_path / "rows"
    run("-i", "0.05", "--samples", "4", "--csv", "system", "-o", rows)
    (watched,) = digest(rows)
    last = rows.read_text().splitlines()[-1].split(",")
    assert not watched["tracked"] and watched["samples"] == 4
    assert watched["metrics"]["memory.used_bytes"]["max"] >= float(last[6]) * 2**20
    assert watched["quantities"]["peak_memory"] == watched["metrics"]["memory.used_bytes"]["max"]
    assert "all that ran on it" in run("summary", rows).stdout


def test_files_of_the_other_trackers(digest, tmp_path):
    files = {
        "new": '"timestamp","pid","children","utime","stime","cpu_usage","memory_mib"\n'
               '1795262767.0,7,"",0.5,0.5,1.0,10.5\n1795262769.0,7,1,3.0,1.0,2.0,20.5\n',
        "old": '"timestamp","pid","children","utime","stime","cpu_usage","memory"\r\n'
               '1795262767.0,7,"",0.5,0.5,1.0,10752\r\n1795262769.0,7,1,3.0,1.0,2.0,20992\r\n',
        "ticks": '"timestamp","pid","children","utime","stime","cpu_usage","pss"\n'
                 '1795262767.0,7,0,50,50,1.0,10752\n1795262769.0,7,1,300,100,2.0,20992\n',
        "log": "latency: 0.3 ms\nlogger_process_pid:7,cpu_count:8,vm_total_mb:15755\n"
               "time,cpu_percent,rss_mb,write_mb\n10.0,0.0,100,40\n12.0,250.0,300,45\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode())
    *python, log = digest(*(tmp_path / name for name in files))
    for one in python:
        assert one["quantities"]["peak_memory"] == 20.5 * 2**20 and one["quantities"]["duration"] == 4
        assert one["quantities"]["cpu_time"] == 5 and one["pids"] == [7]
        assert one["stats"]["process_memory_mib"]["max"] == 20.5
    assert [one["format"][-7:] for one in python] == ["tracker", " to 0.4", "ker 0.1"]
    assert log["quantities"]["peak_rss"] == 300 * 2**20 and log["quantities"]["peak_cpu"] == 2.5
    assert log["quantities"]["disk_written"] == 5 * 2**20                   # a total since boot, not a sum of totals


def test_an_event_log(run, digest, tmp_path):
    log = tmp_path / "events.log"
    log.write_text("10.5,start,load data,0\n12.5,end,load data,0\n13.0,start,load data,1\n14.0,end,load data,1\n")
    (region,) = digest(log)[0]["regions"]
    assert region == {"name": "load data", "count": 2, "unfinished": 0, "seconds": 3, "mean_seconds": 1.5, "min_seconds": 1,
                      "max_seconds": 2}
    assert run("summary", log).stdout.split() == \
        "Regions 'load data': 2 times, mean 1.50s, least 1.00s, most 2.00s, in all 3.00s".split()


def test_markdown_is_inert(run):
    run("--quiet", "-i", "0.05", "-n", "<img src=x>|`a`\n# top", "--", "true", "`</code><script>")
    done = run("summary", "--markdown", "last")
    assert done.returncode == 0
    heading, *rest = done.stdout.splitlines()
    assert heading.startswith("### \\<img src\\=x\\>".replace("\\=", "=")) and "\\|\\`a\\`" in heading
    assert heading.count("`") - heading.count("\\`") == 2 and "`true '" in heading
    assert not any(line.startswith("# ") for line in rest)
    assert "| CPU, cores |" in done.stdout and "**exit 0** after" in done.stdout


def test_bad_files_give_one_sentence_each(run, tmp_path):
    (tmp_path / "folder").mkdir()
    contents = {"empty": b"", "binary": bytes(range(256)) * 100, "nan": b'{"timestamp":NaN}\n' * 9, "long": b"9" * 40_000_000,
                "text": b"no recording\n" * 5, "header": b"timestamp,cpu_usage\n", "cut": b'{"cpu":{"utilization_pct":1.0',
                "newer": b'{"record":"resource-tracker","version":99}\n', "zeros": bytes(3_000_000)}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    for name in (*contents, "folder", "missing"):
        for form in ((), ("--json",), ("--markdown",)):
            done = run("summary", *form, tmp_path / name)
            assert (done.returncode, done.stdout) == (125, ""), name
            assert done.stderr.count("\n") == 1 and name in done.stderr


def test_a_bad_file_does_not_hide_a_good_one(run, tmp_path):
    run("--quiet", "-i", "0.05", "--", "true")
    done = run("summary", "last", tmp_path / "missing")
    assert done.returncode == 125 and "true" in done.stdout and "missing" in done.stderr
    for words, says in ([(), "which run"], [("--json", "--markdown", "last"), "not both"], [("--jsn", "last"), "--json"]):
        done = run("summary", *words)
        assert done.returncode == 125 and says in done.stderr and done.stderr.count("\n") == 1


def test_memory_does_not_grow_with_the_file(tracker, tmp_path):
    """20,000 lines of 3 KB need as much memory as one."""
    line = {"actual_interval_ms": 1000, "cpu": {"utilization_pct": 1.25}, "memory": {"used_mib": 5},
            "timestamp_secs": 0, "tracked_pid": None, "zz": "x" * 2900}
    with open(tmp_path / "rows", "w", encoding="ascii") as rows:
        for i in range(20000):
            rows.write(json.dumps({**line, "timestamp_secs": 1000 + i}) + "\n")
    done = subprocess.run(["/usr/bin/env", "time", "-f", "%M", tracker, "summary", "--json", tmp_path / "rows"],
                          capture_output=True, text=True)
    if "No such file" in done.stderr:
        pytest.skip("time is not installed")
    assert json.loads(done.stdout)["samples"] == 20000
    assert int(done.stderr.split()[-1]) < 64 * 1024


def feed_slowly(path, seen=None):
    """Sixteen rows in 0.8 s into a pipe that a process reads, and more of them until the event."""
    with open(path, "w", encoding="ascii") as slow:
        slow.write("timestamp,cpu_usage\n")
        second = 0
        while second < 16 or seen and not seen.is_set():
            slow.write(f"{1000 + second},1.0\n")
            second += 1
            slow.flush()
            time.sleep(0.05)


def test_progress_on_a_terminal_if_it_takes_long(tracker, tmp_path):
    """Half a second of silence, then the amount read; none of it stays, and none of it goes into a file."""
    slow = tmp_path / "slow"
    os.mkfifo(slow)
    with Terminal(["sh", "-c", f"'{tracker}' summary '{slow}'; echo over"], env={**os.environ, "TERM": "xterm"}) as terminal:
        seen = threading.Event()
        feeder = threading.Thread(target=feed_slowly, args=(slow, seen), daemon=True)
        feeder.start()
        assert int(terminal.until(r"\r\x1b\[Kreading slow: (\d+) B").group(1)) > 0
        seen.set()
        feeder.join()
        assert "reading" not in terminal.until(r"\r\x1b\[K[^\r]*resource-tracker([\s\S]*)over").group(1)
    with subprocess.Popen([tracker, "summary", slow], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as quiet:
        feed_slowly(slow)
        assert quiet.stderr.read() == b"" and quiet.wait() == 0
