"""test_runs.py - the history: the list of runs, one run by its name, removal of records."""
import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest

from processes import wait_for, wait_for_file


ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_each_quantity_is_on_the_page():
    table = re.findall(r'^QUANTITY\((\w+), (\w+),.*"(.*)"\)$', (ROOT / "src/core/quantities.def").read_text(), re.M)
    page = (ROOT / "docs/reference/runs.md").read_text()
    assert len(table) > 10 and all(f"\n| `{name}` | {help}; {unit.lower()} |\n" in page for name, unit, help in table)


@pytest.fixture
def place():
    return pathlib.Path(os.environ["XDG_STATE_HOME"]) / "resource-tracker" / "runs"


@pytest.fixture
def listed(run):
    """listed(*arguments): `runs --json` as Python objects."""
    def read(*arguments):
        done = run("runs", *arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    return read


def record(run, *words, **more):
    return run("--quiet", "-i", "0.05", *words, **more).returncode


def test_a_missing_folder(run, tmp_path):
    done = run("runs", "--directory", tmp_path / "nowhere")                 # a typo must not give "no runs"
    assert done.returncode == 125 and done.stderr.count("\n") == 1 and "nowhere: No such file" in done.stderr


def test_nothing_ran_yet(run, listed):
    assert listed() == []
    done = run("runs", "show", "last")
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr == "resource-tracker runs show: there is no 'last': the history has 0 runs\n"


def test_how_runs_ended_is_listed(run, listed):
    begun = time.monotonic()
    record(run, "-n", "fine", "--", "sh", "-c", "sleep 0.2")
    elapsed = time.monotonic() - begun
    record(run, "-n", "bad job", "--tag", "a=b", "--", "sh", "-c", "exit 3")
    record(run, "--", "sh", "-c", "kill -9 $$")
    killed, failed, fine = listed()
    assert (killed["status"], killed["signal"], killed["exit_code"]) == ("killed", 9, None)
    assert (failed["status"], failed["exit_code"], failed["metadata"]) == ("failed", 3, {"job_name": "bad job"})
    assert failed["tags"] == ["a=b"]
    assert fine["status"] == "ok" and fine["command"] == ["sh", "-c", "sleep 0.2"]
    assert 0.2 <= fine["quantities"]["duration"] < elapsed
    assert fine["quantities"]["peak_memory"] > 50000 and fine["quantities"]["cpu_time"] < 2
    table = run("runs").stdout.splitlines()
    assert len(table) == 4 and "SIGKILL" in table[1] and "exit 3" in table[2] and "'bad job'" in table[2]
    assert [r["id"] for r in listed("--name", "bad*")] == [failed["id"]]
    assert [r["id"] for r in listed("--status", "ok", "--status", "killed")] == [killed["id"], fine["id"]]
    assert listed("--since", "1h") == [killed, failed, fine] and listed("--until", "1h") == []
    assert listed("--since", "2999-01-01") == [] and len(listed("--limit", "2")) == 2


def test_columns_and_their_order(run):
    for seconds, name in (("0.3", "bb"), ("0.05", "Aa"), ("0.1", None)):
        record(run, *(["-n", name] if name else []), "--tag", f"seconds={seconds}", "--", "sleep", seconds)
    def column(*words):
        lines = run("runs", *words).stdout.splitlines()
        return lines[0].split(), [line.split() for line in lines[1:]]
    tags = [["seconds=0.1"], ["seconds=0.05"], ["seconds=0.3"]]
    # By what was recorded: on a busy machine a short sleep can be the longest run.
    recorded = sorted(json.loads(run("runs", "--json").stdout), key=lambda one: -one["quantities"]["duration"])
    by_time = [one["tags"] for one in recorded]
    assert column("--columns", "tags") == (["TAGS"], tags)
    assert column("--columns", "tags", "--sort", "age") == (["TAGS"], tags)
    assert column("--columns", "tags", "--sort", "-age")[1] == tags[::-1]
    assert column("--columns", "tags", "--sort", "time")[1] == by_time
    assert column("--columns", "tags", "--sort", "-duration", "--limit", "1")[1] == by_time[-1:]
    for order in "name", "-name":                                           # unknown ones are last in either order
        names = column("--columns", "tags,name", "--sort", order)[1]
        assert names[2] == tags[0] and [row[1] for row in names[:2]] == sorted(["Aa", "bb"], reverse=order[0] == "-")
    head, rows = column("--columns", "largest_process,status,host,run")
    assert head == ["LARGEST_PROCESS", "STATUS", "HOST", "RUN"] and all(row[-1].startswith("20") for row in rows)
    newest_last = json.loads(run("runs", "--sort", "-age", "--json").stdout)
    assert [each["tags"][0] for each in newest_last] == [tag for (tag,) in tags[::-1]]


def test_columns_are_documented(run):
    names = re.findall(r"^COLUMN\(\w+, (\w+),", (ROOT / "src/core/run_columns.def").read_text(), re.M)
    names += re.findall(r"^QUANTITY\((\w+),", (ROOT / "src/core/quantities.def").read_text(), re.M)
    page = (ROOT / "docs/reference/runs.md").read_text()
    assert len(names) > 20 and all(f"\n| `{name}` | " in page for name in names)
    help_text = run("runs", "--help").stdout
    assert help_text.partition("commas between them:\n")[2].split() == names
    assert max(map(len, help_text.splitlines())) <= 120


def test_a_run_has_the_same_keys_in_all_commands(run, listed):
    record(run, "-n", "one", "--tag", "a=b", "--", "sh", "-c", "sleep 0.1; exit 3")
    (of_list,) = listed()
    (shown,) = json.loads(run("runs", "show", "last", "--json").stdout)
    summary = json.loads(run("summary", "last", "--json").stdout)
    assert of_list == shown
    common = [key for key in of_list if key != "record_bytes"]
    assert len(common) > 15 and {key: summary[key] for key in common} == {key: of_list[key] for key in common}


def test_a_running_job_is_running_everywhere(tracker, run, place, listed, tmp_path):
    with subprocess.Popen([tracker, "--quiet", "-i", "0.05", "--", "cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        wait_for(lambda: any(b'["r",' in path.read_bytes() for path in place.glob("*.jsonl")), "a row in the record")
        assert listed()[0]["status"] == json.loads(run("summary", "last", "--json").stdout)["status"] == "running"
        assert re.search(r"^ Status      running after", run("summary", "last").stdout, re.M)
        assert "**running** after" in run("summary", "last", "--markdown").stdout
        assert run("summary", "last", "--template", "{status}").stdout == "running\n"
        assert json.loads(run("recommend", "last", "--json").stdout)["runs"][0]["status"] == "running"
        assert json.loads(run("report", "last", "--json").stdout)["runs"][0]["outcome"] == "running"
        done = run("export", "last", "--to", "sqlite", "-o", tmp_path / "runs.db")
        if "SQLite" not in done.stderr:
            with contextlib.closing(sqlite3.connect(tmp_path / "runs.db")) as database:
                assert database.execute("SELECT state FROM runs").fetchall() == [("running",)]
        process.stdin.close()
        process.wait()
    assert listed()[0]["status"] == json.loads(run("summary", "last", "--json").stdout)["status"] == "ok"


def used_by_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_cpu_and_memory_are_those_of_the_load(run, loads, listed, lines_of):
    """At least what the load saw of itself before its exit; at most what it, its exit and the recorder used together."""
    truth = pathlib.Path(os.environ["XDG_STATE_HOME"]).parent / "truth"
    before = used_by_children()
    record(run, "--pss", "always", "--", loads / "load_cpu", "--seconds", "0.5", "--truth", truth)
    used = used_by_children() - before
    (only,) = listed()
    # What interrupts and other virtual machines took from a task perf counts as its time.
    known = lines_of(only["record"])[-1]["end"]["statistics"]
    taken = sum(known[f"cpu.{what}_seconds"][2] or 0 for what in ("irq", "softirq", "steal"))
    assert json.loads(truth.read_text())["cpu_seconds"] - 0.002 <= only["quantities"]["cpu_time"] <= used + taken


def test_a_run_by_its_name(run, listed):
    for code in (1, 2, 3):
        record(run, "--", "sh", "-c", f"exit {code}")
    codes = {name: json.loads(run("runs", "show", name, "--json").stdout)[0]["exit_code"]
             for name in ("last", "last~1", "last~2")}
    assert codes == {"last": 3, "last~1": 2, "last~2": 1}
    newest = listed()[0]
    for name in (newest["id"], newest["id"][:-1], newest["record"]):
        done = run("runs", "show", name, "--json")
        if done.returncode == 0 or name != newest["id"][:-1]:          # which can begin the id of another run, too
            assert json.loads(done.stdout)[0]["id"] == newest["id"]
    assert "exit 3" in run("runs", "show", newest["record"]).stdout
    done = run("runs", "show", "last~3")
    assert done.returncode == 125 and done.stderr.count("\n") == 1


def test_a_name_of_two_runs_lists_them(run, listed):
    record(run, "--", "true")
    record(run, "--", "true")
    done = run("runs", "show", "2")
    assert done.returncode == 125 and done.stdout == "" and done.stderr.count("\n") == 1
    for past in listed():
        assert past["id"] in done.stderr
    done = run("runs", "show", "zzz")
    assert done.returncode == 125 and "there is no run or file 'zzz'" in done.stderr


def test_killed_trackers_leave_runs_with_a_state(tracker, place, listed, tmp_path):
    """kill -9 of the tracker: running before, truncated after, with all values written until then."""
    process = subprocess.Popen([tracker, "--quiet", "-i", "0.05", "--", "sh", "-c", f"echo $$ > {tmp_path}/pid; exec sleep 600"])
    pid = int(wait_for_file(tmp_path / "pid"))
    wait_for(lambda: any(b'["r",' in path.read_bytes() for path in place.glob("*.jsonl")), "a row in the record")
    (only,) = listed()
    assert only["status"] == "running" and only["quantities"]["duration"] < 600
    process.kill()
    process.wait()
    os.kill(pid, signal.SIGKILL)
    (only,) = listed()
    assert only["status"] == "truncated" and only["samples"] >= 1 and only["quantities"]["peak_memory"] > 10000


def test_use_of_a_truncated_run_is_counted_once(run, place, listed, lines_of):
    """Lines of exits stand between the rows, and are not rows."""
    # Only processes that were seen have a line of their exit: until there are enough.
    exits = """$(grep -c '^{"exit"' "$RESOURCE_TRACKER_RUN" 2> /dev/null)"""
    record(run, "--", "sh", "-c", f"""until [ "{exits}" -gt 5 ] 2> /dev/null; do sh -c 'sleep 0.1; :'; done""")
    (whole,) = place.glob("*.jsonl")
    lines = whole.read_text().splitlines(keepends=True)
    whole.write_text("".join(lines[:-1]))
    values = lines_of(whole)
    rows = [line for line in values if isinstance(line, list)]
    assert sum("exit" in line for line in values if isinstance(line, dict)) > 5
    (only,) = listed()
    assert only["status"] == "truncated" and only["samples"] == len(rows)


def test_half_written_and_foreign_files(run, place, listed):
    record(run, "--", "true")
    (whole,) = place.glob("*.jsonl")
    text = whole.read_bytes()
    header = text.index(b"\n") + 1
    for name, content in {"a-half": text[:-20], "b-header": text[:header], "c-empty": b"", "d-cut": text[:50],
                          "e-binary": bytes(range(256)) * 40, "f-newer": text.replace(b'"version":1', b'"version":9', 1),
                          "g-long": b"x" * 3_000_000}.items():
        (place / f"{name}.jsonl").write_bytes(content)
    os.mkfifo(place / "h-fifo.jsonl")
    (place / "i-nowhere.jsonl").symlink_to("nowhere")
    states = {pathlib.Path(r["record"]).name[0]: r["status"] for r in listed()}
    assert {k: v for k, v in states.items() if k.isalpha()} == {
        "a": "truncated", "b": "truncated", **dict.fromkeys("cdefghi", "unreadable")}
    done = run("runs")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 11


def test_rm_removes_all_named_runs_or_none(run, place, listed):
    for _ in range(3):
        record(run, "--", "true")
    first, second, third = (r["id"] for r in listed())
    done = run("runs", "rm", first, "nosuch")
    assert done.returncode == 125 and len(listed()) == 3
    assert run("runs", "rm", third, "last~1").returncode == 0
    assert [r["id"] for r in listed()] == [first]
    precious = place / "precious.txt"
    precious.write_text("no record")
    assert run("runs", "rm", precious).returncode == 125 and precious.exists()
    assert run("runs", "rm").returncode == 125


def test_prune_keeps_the_newest(run, place, listed):
    for name in "abcab":
        record(run, "-n", name, "--", "true")
    before = [r["id"] for r in listed()]
    assert run("runs", "prune").returncode == 125
    dry = run("runs", "prune", "--keep", "1", "--dry-run").stdout
    assert dry.count("would remove") == 4 and dry.splitlines()[-1].startswith("4 would be removed, ")
    assert len(listed()) == 5
    assert run("runs", "prune", "--name", "a", "--keep", "1").returncode == 0
    assert [r["id"] for r in listed()] == before[:4]
    assert run("runs", "prune", "--keep", "2").stdout.splitlines()[-1] == "2 removed, 2 kept"
    assert [r["id"] for r in listed()] == before[:2]
    (place / "note.jsonl").write_text("mine")
    size = listed()[0]["record_bytes"]
    run("runs", "prune", "--keep-bytes", size + 100)
    assert [r["id"] for r in listed() if r["status"] == "ok"] == before[:1]
    run("runs", "prune", "--keep-days", "0")
    assert [r["id"] for r in listed()] == ["note.jsonl"]


def test_names_cannot_steer_the_terminal(run):
    record(run, "-n", "\x1b[31mred\x1b[0m\x07", "--", "true", "\x1b]0;title\x07")
    for words in (("runs",), ("runs", "show", "last")):
        assert not set(run(*words).stdout) & {"\x1b", "\x07"}


def test_two_hundred_runs_at_once(tracker, listed):
    """Each is listed with its state, however it ended: some finish, some trackers are killed."""
    killed = [subprocess.Popen([tracker, "--quiet", "-i", "0.5", "--", "sleep", "600"], start_new_session=True)
              for _ in range(20)]
    start = [subprocess.Popen([tracker, "--quiet", "-i", "0.5", "--", "sh", "-c", f"sleep 4; exit {i % 2}"])
             for i in range(180)]
    time.sleep(1)
    for process in killed:
        process.kill()
    for process in killed + start:
        process.wait()
    for process in killed:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)      # their jobs go on
    runs = listed()
    count = {state: sum(r["status"] == state for r in runs) for state in {r["status"] for r in runs}}
    ended = sum(p.returncode in (0, 1) for p in start)
    assert count.get("ok", 0) + count.get("failed", 0) == ended == 180
    assert len(runs) == len({r["id"] for r in runs}) <= 200
    assert len(runs) - ended == count.get("truncated", 0) + count.get("unreadable", 0)
    # A tracker killed at its start possibly wrote nothing yet.
    assert count.get("unreadable", 0) <= 20


def test_a_chosen_folder(run, tmp_path, monkeypatch):
    run("--quiet", "--record", f"{tmp_path}/mine/", "--", "true")
    assert len(json.loads(run("runs", "--directory", tmp_path / "mine", "--json").stdout)) == 1
    assert json.loads(run("runs", "--json").stdout) == []
    monkeypatch.setenv("RESOURCE_TRACKER_RECORD", f"{tmp_path}/mine")
    assert len(json.loads(run("runs", "--json").stdout)) == 1


def test_the_companion_is_found_after_installation(tracker, tmp_path):
    """bin and libexec below any prefix, the program called by a link in PATH; a missing companion is reported."""
    for folder in ("bin", "libexec/resource-tracker", "else"):
        (tmp_path / "prefix" / folder).mkdir(parents=True)
    program = pathlib.Path(shutil.copy(tracker, tmp_path / "prefix/bin"))
    (tmp_path / "prefix/else/resource-tracker").symlink_to(program)
    monkey = {**os.environ, "PATH": f"{tmp_path}/prefix/else:/usr/bin:/bin"}
    def ask():
        return subprocess.run(["resource-tracker", "runs", "--json"], env=monkey, capture_output=True, text=True)
    done = ask()
    assert done.returncode == 125 and "'runs' is not installed" in done.stderr
    shutil.copy(tracker.parent / "resource-tracker-analysis", tmp_path / "prefix/libexec/resource-tracker")
    done = ask()
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


@pytest.mark.parametrize("words, says", [
    (["--statsu", "ok"], "did you mean --status"), (["--status", "fine"], "--status"), (["--since", "soon"], "--since"),
    (["--limit", "-1"], "--limit"), (["--job"], "--job takes a value"), (["sow"], "show, rm, prune"),
    (["prune", "--keep", "x"], "--keep"), (["--json=1"], "takes no value"), (["-j"], "-j"),
])
def test_errors_give_one_sentence(run, words, says):
    done = run("runs", *words)
    assert done.returncode == 125 and done.stdout == ""
    assert says in done.stderr and done.stderr.count("\n") == 1


def test_a_full_disk_is_reported(run):
    with open("/dev/full", "w", encoding="ascii") as full:
        done = run("runs", "--json", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 125 and "cannot write to stdout" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_record_that_filled_its_disk_is_truncated(tracker, tmp_path):
    full = f"until [ $(stat -f -c %a {tmp_path}) = 0 ]; do sleep 0.05; done"
    script = f"""mount -t tmpfs -o size=32k none {tmp_path} &&
        {{ {tracker} --quiet -i 0.01 --record {tmp_path}/ -- sh -c '{full}'; {tracker} runs --directory {tmp_path} --json; }}"""
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True)
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip(done.stderr)
    (only,) = json.loads(done.stdout)
    assert only["status"] == "truncated" and 1 <= only["samples"] < 60 and only["record_bytes"] <= 32768
