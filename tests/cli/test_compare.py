"""test_compare.py - compare as a gate: runs with more memory fail it, unchanged runs pass it."""
import itertools
import json
import pathlib
import random
import re
import shutil

import pytest


GATE = ["--fail-on", "peak_memory>+5%", "--fail-on", "duration>+60s"]


@pytest.fixture
def recorded(run, loads, tmp_path):
    """recorded(name, mib, n): paths of the records of n runs that hold so much memory."""
    def make(name, mib, n=1):
        paths = [tmp_path / f"{name}-{i}.jsonl" for i in range(n)]
        for path in paths:
            rows = path.with_suffix(".rows")
            run("--quiet", "-i", "0.05", "--pss", "always", "--record", path, "-o", rows, "--", loads / "load_memory", "--rss", mib,
                "--hold", "0", "--rows", rows)
        return paths
    return make


def test_ten_percent_more_memory_fails_and_the_same_passes(run, recorded):
    base, more = recorded("base", 100, 5), recorded("more", 110, 5)
    done = run("compare", *base, "vs", *more, *GATE)
    assert done.returncode == 1, done.stdout
    assert "peak_memory>+5%: FAILED" in done.stdout and "duration>+60s: ok" in done.stdout
    done = run("compare", *more, "vs", *base, *GATE)
    assert done.returncode == 0                                             # less is not a regression
    done = run("compare", *base, "vs", *more, "--json", *GATE)
    compared = json.loads(done.stdout)
    row = compared["quantities"]["peak_memory"]
    assert done.returncode == 1 and compared["failed"] and row["failed"] and row["verdict"] == "more"
    assert 8 < row["change_percent"] < 12 and row["new"] - row["base"] == pytest.approx(10 * 2**20, rel=0.1)
    assert compared["base_runs"] == 5 and compared["new_not_succeeded"] == 0


def test_unchanged_runs_pass_twenty_times(run, recorded):
    runs = recorded("same", 60, 10)
    dice = random.Random(4)
    for _ in range(20):
        dice.shuffle(runs)
        done = run("compare", *runs[:5], "vs", *runs[5:], *GATE)
        assert done.returncode == 0, done.stdout


def csv_of(path, mib, seconds=2):
    rows = "".join(f"{1000 + t},7,1.0,0.0,1.0,{mib}\n" for t in range(seconds))
    path.write_text("timestamp,pid,utime,stime,cpu_usage,memory_mib\n" + rows)
    return path


def test_sizes_of_changes(run, tmp_path):
    names = (tmp_path / f"{i}.csv" for i in itertools.count())
    base = csv_of(next(names), 20)
    three_mib_more, more = csv_of(next(names), 23), csv_of(next(names), 30)
    assert run("compare", base, three_mib_more, *GATE[:2]).returncode == 0          # 15 %, but only 3 MiB
    assert run("compare", base, more, *GATE[:2]).returncode == 1
    # A noisy side: base also had 30 once.
    noisy = [csv_of(next(names), mib) for mib in (20, 20, 20, 30, 40)]
    alike = [csv_of(next(names), mib) for mib in (20, 20, 30, 30, 40)]
    assert run("compare", *noisy, "vs", *alike, *GATE[:2]).returncode == 0
    assert run("compare", base, more, "--fail-on", "peak_memory>1GiB").returncode == 0
    assert run("compare", base, more, "--fail-on", "peak_memory>25MiB").returncode == 1
    assert run("compare", more, base, "--fail-on", "peak_memory<-20%").returncode == 1
    assert run("compare", base, more).returncode == 0                               # no gate, no failure


def test_an_unsampled_value_is_missing(run, tmp_path):
    run("--quiet", "-i", "3600", "--record", tmp_path / "short.jsonl", "--", "true")
    row = json.loads(run("compare", *[tmp_path / "short.jsonl"] * 2, "--json").stdout)["quantities"]
    assert "peak_processes" not in row or row["peak_processes"]["base"] is None


# Both are there for a whole sample.
SHARING = """
import os, sys, time
def rows(): return open(sys.argv[1]).read().count("\\n")
x, (end, other) = bytearray(60 << 20), os.pipe()
if os.fork() == 0:
    os.close(other)
    os.read(end, 1)
    os._exit(0)
before = rows()
while rows() < before + 4: time.sleep(0.02)
os.close(other)
os.wait()
"""


@pytest.fixture
def sharing(run, tmp_path):
    """Records of a run that shares 60 MiB between two processes: one with its PSS, one without."""
    paths = {pss: tmp_path / "runs" / f"{pss}.jsonl" for pss in ("always", "never")}
    paths["always"].parent.mkdir()
    for pss, path in paths.items():
        rows = tmp_path / f"{pss}.rows"
        run("--quiet", "-i", "0.05", "--pss", pss, "--record", path, "-o", rows, "--", "/usr/bin/python3", "-c", SHARING, rows)
    return paths


def test_all_runs_are_compared_by_the_same_memory(run, sharing, tmp_path):
    """Regression: the same memory was +100 % if one run had its PSS and the other only its RSS."""
    pss, rss = sharing["always"], sharing["never"]
    known = [json.loads(run("summary", path, "--json").stdout) for path in (pss, rss)]
    assert [one["quantity_bases"]["peak_memory"] for one in known] == ["PSS", "RSS"]
    # Until a share that was read before a fork is dropped: PSS is half of it.
    assert known[1]["quantities"]["peak_memory"] == known[1]["quantities"]["peak_rss"] >= known[0]["quantities"]["peak_memory"]
    done = run("compare", pss, rss, "--fail-on", "peak_memory>+20%")
    assert done.returncode == 0 and "peak_memory (RSS)" in done.stdout and "mean_memory (RSS)" in done.stdout
    row = json.loads(run("compare", pss, rss, "--json").stdout)["quantities"]["peak_memory"]
    assert row["basis"] == "RSS" and row["base"] == known[0]["quantities"]["peak_rss"]
    assert json.loads(run("compare", pss, pss, "--json").stdout)["quantities"]["peak_memory"]["basis"] == "PSS"
    by = json.loads(run("compare", pss, rss, "--by", "program", "--json").stdout)["programs"]
    assert {one["quantities"]["peak_memory"]["basis"] for one in by if "peak_memory" in one["quantities"]} == {"RSS"}
    listed = run("runs", "--directory", pss.parent).stdout
    assert "PEAK RSS" in listed and "PEAK PSS" not in listed
    advice = json.loads(run("recommend", pss, rss, "--json").stdout)["advice"]["memory"]
    assert "RSS of the tree" in advice["why"]
    lowest = re.search(r"lowest peak ([\d.]+) MiB", advice["why"])
    assert float(lowest[1]) == pytest.approx(min(one["quantities"]["peak_rss"] for one in known) / 2**20, rel=0.01)


def test_a_job_is_not_compared_with_the_machine(run, sharing, tmp_path):
    machine, job = sharing["never"].parent / "machine.jsonl", sharing["never"]
    run("-i", "0.1", "--samples", "2", "--record", machine, "-o", "/dev/null")
    done = run("compare", job, machine, "--json")
    rows = json.loads(done.stdout)["quantities"]
    for name in ("cpu_time", "mean_cpu", "mean_memory", "peak_memory", "peak_processes", "disk_read"):
        assert rows[name]["basis"] is None and rows[name]["base"] is None and rows[name]["verdict"] == "unknown"
    assert rows["duration"]["basis"] == "run" and rows["net_sent"]["basis"] == "machine"
    assert "peak_memory, " in run("compare", job, machine).stdout and "not compared" in run("compare", job, machine).stdout
    done = run("compare", job, machine, "--fail-on", "peak_memory>+5%", check=False)
    assert done.returncode == 125 and "not of one kind" in done.stderr
    row = next(line for line in run("runs", "--directory", job.parent).stdout.splitlines() if "(the machine)" in line)
    assert row.count(" machine ") == 2


def test_markdown_and_text(run, tmp_path):
    base, more = csv_of(tmp_path / "a.csv", 20), csv_of(tmp_path / "b.csv", 30)
    text = run("compare", base, more, *GATE[:2]).stdout
    row = next(line for line in text.splitlines() if line.startswith("peak_memory"))
    assert row.split() == "peak_memory (PSS) 20.0 MiB 30.0 MiB +50.0 % FAILED".split()
    markdown = run("compare", base, more, *GATE[:2], "--markdown").stdout
    assert "| peak_memory (PSS) | **20.0 MiB** | **30.0 MiB** | **+50.0 %** | **FAILED** |" in markdown
    assert "- `peak_memory>+5%: FAILED`" in markdown


def test_a_failed_run_is_reported(run, tmp_path):
    for name, code in (("good", 0), ("bad", 3)):
        run("--quiet", "-i", "0.05", "--record", tmp_path / name, "--", "sh", "-c", f"exit {code}")
    assert "1 of 1 new run did not succeed" in run("compare", tmp_path / "good", tmp_path / "bad").stdout


def test_the_docs_name_every_quantity(run):
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs/reference/runs.md").read_text(encoding="utf-8")
    listed = [line.split() for line in run("compare", "--help").stdout.split("The quantities are:\n")[1].splitlines()]
    assert len(listed) > 10
    for name, *words in listed:
        assert f"| `{name}` | {' '.join(words)}; " in text


@pytest.mark.parametrize("words, says", [
    (["a.csv"], "which runs"), (["a.csv", "a.csv", "a.csv"], "which runs"), (["vs", "a.csv"], "no run before vs"),
    (["a.csv", "vs"], "no run behind vs"), (["a.csv", "nosuch.csv"], "nosuch"), (["a.csv", "a.csv", "--fail-on", "x"], "x"),
    (["a.csv", "a.csv", "--fail-on", "peak_memroy>+5%"], "did you mean peak_memory"),
    (["a.csv", "a.csv", "--fail-on", "net_sent>+5%"], "net_sent is not known"), (["--json", "--markdown"], "not both"),
    (["a.csv", "a.csv", "--by", "core"], "'core' is not program, region or tree"), (["--align", "a.csv"], "A B"),
    (["--align", "a.csv", "a.csv", "--by", "region"], "neither --by"), (["--align", "a.csv", "nosuch.csv"], "nosuch"),
])
def test_impossible_comparisons_are_125(run, tmp_path, monkeypatch, words, says):
    csv_of(tmp_path / "a.csv", 20)
    monkeypatch.chdir(tmp_path)
    done = run("compare", *words)
    assert done.returncode == 125 and done.stdout == ""
    assert says in done.stderr and done.stderr.count("\n") == 1


def events_of(path, **seconds_of):
    """An event log of py-resource-monitor: one event in each region for each of its times."""
    text, now = "", 0.0
    for name, times in seconds_of.items():
        for i, seconds in enumerate(times):
            text += f"{now},start,{name},{i}\n{now + seconds},end,{name},{i}\n"
            now += seconds
    path.write_text(text)
    return path


def test_by_region(run, tmp_path):
    base = events_of(tmp_path / "a", load=[1, 1], train=[5], old=[1])
    new = events_of(tmp_path / "b", load=[1, 1.02], train=[3, 3], fresh=[2])
    done = run("compare", "--by", "region", base, new, "--fail-on", "duration>+10%")
    assert done.returncode == 1
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["REGION", "QUANTITY", "BASE", "NEW", "CHANGE", "VERDICT"]
    assert rows[1] == ["train", "duration", "5.00s", "6.00s", "+20.0", "%", "FAILED"]       # slowest change first
    assert rows[2] == ["entries", "1", "2", "+100.0", "%", "more"]
    assert ["load", "duration", "2.00s", "2.02s", "+1.0", "%", "same"] in rows
    assert ["old", "duration", "1.00s", "-", "gone"] in rows and ["fresh", "duration", "-", "2.00s", "new"] in rows
    assert done.stdout.endswith("duration>+10%: FAILED by train\n")
    done = run("compare", "--by", "region", base, new, "--fail-on", "duration>1.5s", "--json")
    given = json.loads(done.stdout)
    assert given["by"] == "region" and given["conditions"] == [{"condition": "duration>1.5s", "failed": True}]
    assert {r["name"]: r["failed"] for r in given["regions"]} == {"train": True, "load": True, "old": False, "fresh": True}


def test_names_of_parts_cannot_steer_the_terminal(run, tmp_path):
    name = "a\x1b[31m\u009b" + "b" * 100 + "é"
    base = events_of(tmp_path / "a", **{name: [1]})
    text = run("compare", "--by", "region", base, base).stdout
    assert "\x1b" not in text and "\u009b" not in text and max(map(len, text.splitlines())) < 100
    assert json.loads(run("compare", "--by", "region", base, base, "--json").stdout)["regions"][0]["name"] == name


def test_names_of_parts_are_not_markup(run, tmp_path):
    base, new = events_of(tmp_path / "a", **{"a|b <i>": [1]}), events_of(tmp_path / "b", **{"a|b <i>": [2]})
    words = ["compare", base, new, "--by", "region", "--fail-on", "duration>+80%"]
    assert "duration>+80%: FAILED by 'a|b <i>'\n" in run(*words).stdout
    markdown = run(*words, "--markdown").stdout
    assert "| a\\|b \\<i\\> | duration | **" in markdown and "FAILED by a\\|b \\<i\\>\n" in markdown


def test_by_program(run, loads, tmp_path):
    for name, seconds in (("base", 0.1), ("new", 0.4)):
        run("--quiet", "--record", tmp_path / name, "--", loads / "load_cpu", "--threads", 1, "--seconds", seconds)
    done = run("compare", tmp_path / "base", tmp_path / "new", "--by", "program", "--fail-on", "cpu_time>+80%")
    assert done.returncode == 1 and "cpu_time>+80%: FAILED by load_cpu\n" in done.stdout
    # A condition that matches no program of both sides does not pass.
    done = run("compare", tmp_path / "base", csv_of(tmp_path / "c.csv", 20), "--by", "program", "--fail-on", "cpu_time>+1%")
    assert done.returncode == 125 and "cpu_time is known of no program of both sides" in done.stderr


def test_the_sum_of_the_others_is_not_a_program(run, loads, tmp_path):
    """It is made of different programs in each run, so a gate would fail because a program moved into it."""
    for i in range(14):
        shutil.copy(loads / "load_cpu", tmp_path / f"program{i}")
    run("--quiet", "--record", tmp_path / "run", "--", "sh", "-c",
        f"for i in $(seq 0 13); do {tmp_path}/program$i --threads 1 --seconds 0.05; done")
    assert '"others"' in (tmp_path / "run").read_text(encoding="utf-8")
    by = json.loads(run("compare", tmp_path / "run", tmp_path / "run", "--by", "program", "--json").stdout)["programs"]
    names = {one["name"] for one in by}
    assert "others" not in names and len(names & {f"program{i}" for i in range(14)}) >= 5


def machine_csv(path, start, cores, step=1):
    rows = "".join(f"{start + step * i},{c},{100 + i}\n" for i, c in enumerate(cores))
    path.write_text("timestamp,cpu_usage,memory_free\n" + rows)
    return path


def test_two_recordings_of_the_same_time(run, tmp_path):
    one = machine_csv(tmp_path / "one.csv", 1000.25, [1.0, 2.0, 1.0, 2.0])
    other = machine_csv(tmp_path / "other.csv", 1000.55, [1.5, 2.0, 1.0, 1.5, 9.0])
    given = json.loads(run("compare", "--align", one, other, "--json").stdout)
    assert given["joined"] == 4 and [side["alone"] for side in given["sides"]] == [0, 1]
    cores = given["metrics"]["cpu.utilization_cores"]
    assert cores["rows"] == 4 and cores["mean"] == [1.5, 1.5] and cores["most"] == [2.0, 2.0]
    assert cores["spread"] == pytest.approx([0.57735, 0.408248])
    assert cores["mean_absolute_difference"] == 0.25 and cores["deviation_percent"] == pytest.approx(16.666667)
    assert given["metrics"]["memory.free_bytes"]["mean_absolute_difference"] == 0
    text = run("compare", "--align", one, other).stdout
    assert "4 rows joined, 1 alone" in text and "0.25  17 %" in text
    single = machine_csv(tmp_path / "single.csv", 1000.25, [1.0])
    assert "single.csv: 1 row joined, 0 alone" in run("compare", "--align", single, other).stdout
    assert "| cpu.utilization_cores | 1.50 | 1.50 |" in run("compare", "--align", one, other, "--markdown").stdout


def test_align_with_a_run_of_another_time(run, tmp_path):
    one, other = machine_csv(tmp_path / "a", 1000.5, [1, 1]), machine_csv(tmp_path / "b", 2000.5, [1, 1])
    done = run("compare", "--align", one, other)
    assert done.returncode == 125 and "of the same time?" in done.stderr and done.stderr.count("\n") == 1


def test_a_record_beside_its_csv(run, tmp_path):
    run("--samples", "10", "-i", "0.1", "-f", "csv", "-o", tmp_path / "o.csv", "--record", tmp_path / "r.jsonl")
    given = json.loads(run("compare", "--align", tmp_path / "r.jsonl", tmp_path / "o.csv", "--json").stdout)
    rows = len((tmp_path / "o.csv").read_text().splitlines()) - 1
    assert given["joined"] >= max(rows - 1, 2)
    assert given["metrics"]["cpu.utilization_cores"]["mean_absolute_difference"] < 0.001
    assert given["metrics"]["memory.free_bytes"]["mean_absolute_difference"] <= 2**20              # whole MiB in CSV


@pytest.mark.parametrize("how, status", [("between samples", 0), ("seen between samples", 3)])
def test_an_unsampled_peak_is_the_same_everywhere(run, tmp_path, how, status):
    """The kernel keeps the peak of a process that ended before a sample; a failing run was read more often."""
    record = tmp_path / "runs" / "one.jsonl"
    record.parent.mkdir()
    hold = "x = bytearray(100 << 20)"
    script = f"import os, subprocess, sys, time; {hold}; time.sleep(0.5); del x; sys.exit({status})"
    if status:      # two at a time have more than the larger one, for longer than the time between two readings
        script = f"import os, subprocess, sys; {hold}; subprocess.run([sys.executable, '-c', sys.argv[1], str(os.getppid())]); " \
                 f"sys.exit({status})"
    # Each reading of memory between two samples is one more sleep of the recorder.
    second = f"import re, sys, time\n{hold}\ndef slept(): return int(re.search(r'voluntary_ctxt_switches:\\s+(\\d+)', " \
             "open(f'/proc/{sys.argv[1]}/status').read())[1])\nuntil = slept() + 3\nwhile slept() < until: time.sleep(0.02)"
    done = run("-i", "60", "--record", record, "--", "/usr/bin/python3", "-c", script, second)
    assert done.returncode == status and how in " ".join(done.stderr.split())
    reported = json.loads(run("summary", record, "--json").stdout)["quantities"]
    assert reported["peak_memory"] == reported["peak_rss"] >= reported["largest_process"] > 100 * 2**20
    assert (reported["peak_memory"] > 200 * 2**20) == bool(status)
    compared = json.loads(run("compare", record, record, "--json").stdout)["quantities"]
    listed = json.loads(run("runs", "--json", "--directory", record.parent).stdout)
    shown = re.search(r"peak (\d+) MiB", done.stderr)
    for name in ("peak_memory", "peak_rss"):
        assert compared[name]["base"] == compared[name]["new"] == reported[name]
        assert listed[0]["quantities"][name] == reported[name]
    assert int(shown[1]) == round(reported["peak_memory"] / 2**20)
    assert run("compare", record, record, "--fail-on", "peak_memory>+5%").returncode == 0
