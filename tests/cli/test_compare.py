"""test_compare.py - compare as a gate: runs with more memory fail it, unchanged runs pass it."""
import itertools
import json
import pathlib
import random

import pytest

GATE = ["--fail-on", "peak_memory>+5%", "--fail-on", "duration>+60s"]


@pytest.fixture
def recorded(run, loads, tmp_path):
    """recorded(name, mib, n): paths of the records of n runs that hold so much memory."""
    def make(name, mib, n=1):
        paths = [tmp_path / f"{name}-{i}.jsonl" for i in range(n)]
        for path in paths:
            run("--quiet", "-i", "0.05", "--pss", "always", "--record", path, "--", loads / "load_memory", "--rss", mib,
                "--hold", "0.25")
        return paths
    return make


def test_ten_percent_more_memory_fails_and_the_same_passes(run, recorded):
    base, more = recorded("base", 100, 5), recorded("more", 110, 5)
    done = run("compare", *base, "vs", *more, *GATE)
    assert done.returncode == 1, done.stdout
    assert "peak_memory>+5%: FAILED" in done.stdout and "duration>+60s: ok" in done.stdout
    done = run("compare", *more, "vs", *base, *GATE)
    assert done.returncode == 0                                             # less is no regression
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


def test_what_counts_as_a_change(run, tmp_path):
    names = (tmp_path / f"{i}.csv" for i in itertools.count())
    base = csv_of(next(names), 20)
    three_mib_more, more = csv_of(next(names), 23), csv_of(next(names), 30)
    assert run("compare", base, three_mib_more, *GATE[:2]).returncode == 0          # 15 %, but 3 MiB
    assert run("compare", base, more, *GATE[:2]).returncode == 1
    # A noisy side: 30 is among what base had.
    noisy = [csv_of(next(names), mib) for mib in (20, 20, 20, 30, 40)]
    alike = [csv_of(next(names), mib) for mib in (20, 20, 30, 30, 40)]
    assert run("compare", *noisy, "vs", *alike, *GATE[:2]).returncode == 0
    assert run("compare", base, more, "--fail-on", "peak_memory>1GiB").returncode == 0
    assert run("compare", base, more, "--fail-on", "peak_memory>25MiB").returncode == 1
    assert run("compare", more, base, "--fail-on", "peak_memory<-20%").returncode == 1
    assert run("compare", base, more).returncode == 0                               # no gate, no failure


def test_markdown_and_text(run, tmp_path):
    base, more = csv_of(tmp_path / "a.csv", 20), csv_of(tmp_path / "b.csv", 30)
    text = run("compare", base, more, *GATE[:2]).stdout
    row = next(line for line in text.splitlines() if line.startswith("peak_memory"))
    assert row.split() == "peak_memory 20.0 MiB 30.0 MiB +50.0 % FAILED".split()
    markdown = run("compare", base, more, *GATE[:2], "--markdown").stdout
    assert "| peak_memory | **20.0 MiB** | **30.0 MiB** | **+50.0 %** | **FAILED** |" in markdown
    assert "- `peak_memory>+5%: FAILED`" in markdown


def test_a_run_that_failed_is_told(run, tmp_path):
    for name, code in (("good", 0), ("bad", 3)):
        run("--quiet", "-i", "0.05", "--record", tmp_path / name, "--", "sh", "-c", f"exit {code}")
    assert "1 of 1 new run did not succeed" in run("compare", tmp_path / "good", tmp_path / "bad").stdout


def test_the_docs_name_every_quantity(run):
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs/runs.md").read_text(encoding="utf-8")
    listed = [line.split() for line in run("compare", "--help").stdout.split("The quantities are:\n")[1].splitlines()]
    assert len(listed) > 10
    for name, *words in listed:
        assert f"| `{name}` | {' '.join(words)}; " in text


@pytest.mark.parametrize("words, says", [
    (["a.csv"], "which runs"), (["a.csv", "a.csv", "a.csv"], "which runs"), (["vs", "a.csv"], "no run before vs"),
    (["a.csv", "vs"], "no run behind vs"), (["a.csv", "nosuch.csv"], "nosuch"), (["a.csv", "a.csv", "--fail-on", "x"], "x"),
    (["a.csv", "a.csv", "--fail-on", "peak_memroy>+5%"], "did you mean peak_memory"),
    (["a.csv", "a.csv", "--fail-on", "net_sent>+5%"], "net_sent is not known"), (["--json", "--markdown"], "not both"),
])
def test_what_cannot_be_told_is_125(run, tmp_path, monkeypatch, words, says):
    csv_of(tmp_path / "a.csv", 20)
    monkeypatch.chdir(tmp_path)
    done = run("compare", *words)
    assert done.returncode == 125 and done.stdout == ""
    assert says in done.stderr and done.stderr.count("\n") == 1
