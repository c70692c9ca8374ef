"""test_fleet_clickhouse.py - a store in ClickHouse: what SQLite has and answers, whatever is killed meanwhile."""
import itertools
import json
import math
import signal
import sqlite3
import subprocess
import urllib.error
import urllib.request

import pytest

from clickhouse import PASSWORD, clickhouse  # noqa: F401
from fleet_records import ANSWERS, NOVEMBER, Page, close, fleet, record
from receivers import faulty  # noqa: F401
from test_fleet import NAMES, ranks, without_places  # noqa: F401

TABLES = {"programs": "program", "regions": "path", "points": "point", "ends": "start_us", "runs": "start_us"}
DATABASES = (f"fleet_{i}" for i in itertools.count())


@pytest.fixture
def act(tracker, run):
    """act(store, action, *words): `fleet action --store STORE words`."""
    program = tracker.with_name("resource-tracker-fleet")
    if not program.exists() or b"CLICKHOUSE_PASSWORD" not in program.read_bytes():
        pytest.skip("this build has no fleet, or none for ClickHouse: that needs libcurl")

    def do(store, action, *words, status=0):
        done = run("fleet", action, "--store", store, *words)
        assert done.returncode == status, (words, done.stdout, done.stderr)
        return done.stdout if status == 0 else done.stdout + done.stderr
    return do


@pytest.fixture
def database(act, clickhouse):
    """The name of a database of its own, with the tables."""
    name = next(DATABASES)
    act(clickhouse.store(name), "init")
    return name


def passing_on(faulty, server):
    """Makes it pass requests on to ClickHouse, each after `before(number)`, and the answers back after `after(number)`."""
    def answer(number):
        asked = faulty.requests[number - 1]
        if faulty.before(number) == "close":
            return "close"
        request = urllib.request.Request(server.url + asked.path, data=asked.body)
        try:
            with urllib.request.urlopen(request) as answered:
                status, text = answered.status, answered.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        return "close" if faulty.after(number) == "close" else (status, {}, text)

    faulty.before = faulty.after = lambda number: None
    faulty.answer = answer
    return faulty


@pytest.fixture
def through(faulty, clickhouse):
    return passing_on(faulty, clickhouse)


@pytest.fixture
def records(run, tmp_path):
    """A folder of real and of hostile records; and a file of SQLite that has them."""
    folder = tmp_path / "records"
    fleet(folder)
    for i, name in enumerate(NAMES):
        (folder / f"hostile-{i}.jsonl").write_text(record(f"id'{i}\\\"; \t\n--", NOVEMBER + i, name, host=name[::-1]))
    (folder / "far.jsonl").write_text(record("far", -1e9, "far", memory=1e290).replace("3600.0", "1e999"))
    for i in range(6):
        done = run("-q", "-i", "0.05", "--job-name", f"real-{i % 2}", "--record", folder / f"real-{i}.jsonl", "--", "sh", "-c",
                   f"i=0; while [ $i -lt {2000 * i} ]; do i=$((i + 1)); done; sleep 0.1; exit {i % 3}")
        assert done.returncode == i % 3
    return folder


def contents(database, server):
    """All rows of all tables, without the time of writing, by their keys."""
    def of(table, key):
        columns = [row["name"] for row in server.rows(
            f"SELECT name FROM system.columns WHERE database = '{database}' AND table = '{table}' AND name != 'pushed_us'")]
        rows = server.rows(f"SELECT {', '.join(columns)} FROM {database}.{table} FINAL")
        return sorted(rows, key=lambda row: (row["id"], row["start_us"], row[key]))
    return {table: of(table, key) for table, key in TABLES.items()}


def contents_of_file(path):
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        return {table: sorted(({k: row[k] for k in row.keys() if k != "pushed_us"} for row in db.execute(f"SELECT * FROM {table}")),
                              key=lambda row, key=key: (row["id"], row["start_us"], row[key])) for table, key in TABLES.items()}


def alike(answer, expected):
    """Whether the rows are equal: sums are added up in another order, and the largest numbers are read to fifteen digits."""
    return [list(row) for row in answer] == [list(row) for row in expected] and all(
        a == b or not isinstance(a, str) and math.isclose(a, b, rel_tol=1e-9)
        for row, other in zip(answer, expected) for a, b in zip(row.values(), other.values()))


@pytest.fixture
def file(act, records, tmp_path):
    """A store in a file that has these records."""
    act(tmp_path / "fleet.db", "init")
    act(tmp_path / "fleet.db", "push", records)
    return tmp_path / "fleet.db"


def test_answers_are_those_computed_by_hand(act, clickhouse, database, tmp_path):
    n = fleet(tmp_path / "runs")
    store = clickhouse.store(database)
    assert act(store, "push", tmp_path / "runs").startswith(f"{n} pushed, 0 already there")
    for words, expected in ANSWERS.items():
        answer = json.loads(act(store, "query", *words, "--json"))
        assert close(answer, expected), (words, answer)


def test_rows_and_answers_are_those_of_sqlite(act, clickhouse, database, records, file, tmp_path):
    store = clickhouse.store(database)
    n = len(list(records.iterdir()))
    assert act(store, "push", records).startswith(f"{n} pushed, 0 already there")
    assert act(store, "push", records).startswith(f"0 pushed, {n} already there")
    expected = contents_of_file(file)
    assert len(expected["runs"]) == n
    assert contents(database, clickhouse) == expected
    assert act(store, "push", records, records, "--again").startswith(f"{2 * n} pushed")
    assert contents(database, clickhouse) == expected
    for words in [*ANSWERS, ("memory", "--name", NAMES[0]), ("memory", "--name", NAMES[1]), ("memory", "--name", NAMES[2]),
                  ("regressions", "--since", "2026-11-01Z", "--change", "0"), ("oversized", "--share", "1000000"), ("programs",), ("regions",)]:
        here, there = (json.loads(act(s, "query", *words, "--json")) for s in (store, file))
        assert alike(here, there), (words, here, there)
        lines, others = (act(s, "query", *words).splitlines() for s in (store, file))
        assert [line for line in lines if "far" not in line] == [line for line in others if "far" not in line]
    reports = [json.loads(act(s, "report", "--json", "--since", "2026-11-01Z")) for s in (store, file)]
    assert reports[0].keys() == reports[1].keys() and all(
        alike(reports[0][key], reports[1][key]) for key in reports[0] if key not in ("since", "until"))
    for s in (store, file):
        act(s, "report", "--since", "2026-11-01Z", "-o", tmp_path / "page.html")
        assert len(Page((tmp_path / "page.html").read_text()).tables["memory"]) == 1 + len(reports[0]["memory"])
    for name in ("train", "clean", "real-0", "real-1", NAMES[0], NAMES[1], NAMES[2]):
        for form in ([], ["--json"], ["--for", "slurm"], ["--limit", "1"]):
            assert act(store, "recommend", "--name", name, *form) == act(file, "recommend", "--name", name, *form), name


def test_a_push_killed_at_each_statement_goes_on(act, tracker, clickhouse, through, records, file):
    """Statements are a greeting, which runs are there, and an INSERT for each table; killed before it arrives or is answered."""
    expected = contents_of_file(file)
    for number, moment in itertools.product(range(1, 7), ("before", "after")):
        database = next(DATABASES)
        act(clickhouse.store(database), "init")
        through.requests.clear()
        push = subprocess.Popen([tracker, "fleet", "push", "--store", clickhouse.store(database, through.port), records])

        def kill(at, push=push, number=number):
            if at != number:
                return None
            push.kill()
            push.wait()
            return "close"
        setattr(through, moment, kill)
        assert push.wait() == -signal.SIGKILL
        through.before = through.after = lambda number: None
        act(clickhouse.store(database, through.port), "push", records)
        assert contents(database, clickhouse) == expected, (number, moment)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_push_waits_for_a_server_that_was_killed(act, clickhouse, database, through, records, file, moment):
    """Killed before the rows of `points` arrive, or after those of `runs` were written and before it has said so."""
    def kill(at):
        if at != {"before": 5, "after": 7}[moment]:
            return None
        clickhouse.stop(signal.SIGKILL)
        clickhouse.start()
        return "close"
    setattr(through, moment, kill)
    n = len(list(records.iterdir()))
    assert act(clickhouse.store(database, through.port), "push", records).startswith(f"{n} pushed")
    assert len(through.requests) == 8                                   # one was repeated
    assert contents(database, clickhouse) == contents_of_file(file)
    for words in ANSWERS:
        here, there = (json.loads(act(s, "query", *words, "--json")) for s in (clickhouse.store(database), file))
        assert alike(here, there), (words, here, there)


def test_more_runs_than_a_batch_from_several_at_once(tracker, clickhouse, database, tmp_path):
    (tmp_path / "runs").mkdir()
    for i in range(600):
        (tmp_path / "runs" / f"r-{i}.jsonl").write_text(record(f"r-{i}", NOVEMBER + i))
    pushes = [subprocess.Popen([tracker, "fleet", "push", "--store", clickhouse.store(database), tmp_path / "runs"],
                               stdout=subprocess.PIPE) for _ in range(3)]
    assert all(push.communicate()[0] and push.returncode == 0 for push in pushes)
    assert clickhouse.rows(f"SELECT count(*) AS n FROM {database}.runs FINAL") == [{"n": 600}]
    assert clickhouse.rows(f"SELECT count(*) AS n FROM {database}.points FINAL") == [{"n": 1200}]


def test_passwords_are_given_by_variables_or_a_file(act, clickhouse, database, through, tmp_path, monkeypatch):
    n = fleet(tmp_path / "runs")
    store = clickhouse.store(database)
    (tmp_path / "headers").write_text(f"X-ClickHouse-User: guarded\nX-ClickHouse-Key: {PASSWORD}\n")
    assert act(store, "push", tmp_path / "runs", "--header-file", tmp_path / "headers").startswith(f"{n} pushed")
    monkeypatch.setenv("CLICKHOUSE_USER", "guarded")
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", PASSWORD)
    assert act(store, "push", tmp_path / "runs").startswith("0 pushed")
    # What is sent has the password in that header alone.
    act(clickhouse.store(database, through.port), "push", tmp_path / "runs", "--again")
    assert through.requests and all(PASSWORD == r.headers["X-ClickHouse-Key"] and PASSWORD not in r.path and
                                    PASSWORD.encode() not in r.body for r in through.requests)
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", PASSWORD + "x")
    said = act(store, "query", "memory", status=125)
    assert "assword" in said and PASSWORD not in said and said.count("\n") == 1
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", "two\nlines")
    assert "more than one line" in act(store, "query", "memory", status=125)
    # One who can only read asks all questions.
    monkeypatch.setenv("CLICKHOUSE_USER", "reader")
    monkeypatch.delenv("CLICKHOUSE_PASSWORD")
    for words, expected in ANSWERS.items():
        assert close(json.loads(act(store, "query", *words, "--json")), expected)


def test_an_older_store_gets_new_columns(act, clickhouse, database, tmp_path):
    store = clickhouse.store(database)
    n = fleet(tmp_path / "runs")
    act(store, "push", tmp_path / "runs")
    clickhouse.execute(f"ALTER TABLE {database}.runs DROP COLUMN use_seconds")
    (tmp_path / "runs" / "new.jsonl").write_text(record("new", NOVEMBER, "new", hours=4))
    assert "fleet init" in act(store, "push", tmp_path / "runs", status=125)
    act(store, "init")
    assert act(store, "push", tmp_path / "runs").startswith(f"1 pushed, {n} already")
    assert clickhouse.rows(f"SELECT name, use_seconds FROM {database}.runs WHERE name IN ('new', 'tiny') ORDER BY name") == [
        {"name": "new", "use_seconds": 4 * 3600}, {"name": "tiny", "use_seconds": None}]


def test_a_hostile_id_is_left_out(act, clickhouse, database, tmp_path):
    (tmp_path / "long.jsonl").write_text(record("x" * 100000, NOVEMBER))
    (tmp_path / "fine.jsonl").write_text(record("x" * 128, NOVEMBER))
    said = act(clickhouse.store(database), "push", tmp_path, status=1)
    assert "1 pushed" in said and "long.jsonl is left out: its id" in said


def test_wrong_uses_are_one_sentence(act, clickhouse, database, faulty, tmp_path):
    here = f"127.0.0.1:{clickhouse.port}"
    for store, words, expected in [
            (f"clickhouse://{here}/nowhere", ("query", "memory"), "fleet init"),
            (f"clickhouse://{here}/default", ("query", "memory"), "fleet init"),
            (f"clickhouse://{here}/nowhere", ("push", tmp_path), "fleet init"),
            (f"clickhouse://{here}/a.b", ("init",), "is not clickhouse://HOST:PORT/DATABASE"),
            (f"clickhouse://{here}/a;b", ("init",), "is not clickhouse://HOST:PORT/DATABASE"),
            (f"clickhouse://{here}?x=1", ("init",), "is not clickhouse://HOST:PORT/DATABASE"),
            ("clickhouse://127.0.0.1:0/d", ("init",), "is not clickhouse://HOST:PORT/DATABASE"),
            ("clickhouse:///d", ("init",), "is not clickhouse://HOST:PORT/DATABASE"),
            (f"clickhouse://u:hush@{here}/d", ("init",), "CLICKHOUSE_PASSWORD"),
            ("clickhouse://127.0.0.1:1/d", ("push", tmp_path), "onnect"),
            (f"clickhouses://{here}/d", ("query", "memory"), here),
            (clickhouse.store(database), ("query", "memry"), "did you mean memory"),
            (clickhouse.store(database), ("query", "memory", "--header-file", tmp_path / "none"), "none"),
            (tmp_path / "fleet.db", ("init", "--cluster", "c"), "file has no cluster"),
            (tmp_path / "fleet.db", ("query", "memory", "--header-file", tmp_path), "file has no cluster, headers")]:
        said = act(store, *words, status=125)
        assert said.count("\n") == 1 and expected in said and "hush" not in said, (store, words, said)
    for answer, expected in [((200, {"Content-Type": "text/html"}, b"<html>"), "a web page"), ((404, {}, b"what?"), "status 404"),
                             ((302, {"Location": clickhouse.url}, b""), "status 302"), ((200, {}, b"a\tb\nString\n"), "not an answer"),
                             ((200, {}, b"a\nFloat64\n1x\n"), "not an answer"), ("close", "127.0.0.1")]:
        faulty.answer = lambda number, answer=answer: answer
        said = act(f"clickhouse://127.0.0.1:{faulty.port}/d", "query", "memory", status=125)
        assert said.count("\n") == 1 and expected in said, (answer, said)


def test_the_ranks_of_a_job_are_reported_from_the_store(act, run, clickhouse, database, ranks, tmp_path):  # noqa: F811
    act(clickhouse.store(database), "push", ranks)
    there, here = run("report", ranks, "--job", "7", "--json"), run("report", "--from", clickhouse.store(database), "7", "--json")
    assert (here.returncode, here.stderr) == (0, "") and without_places(here.stdout) == without_places(there.stdout)
    assert act(clickhouse.store(database), "records", "8", tmp_path / "out") == f"1 record in {tmp_path}/out\n"
    assert "no run of the job '70'" in act(clickhouse.store(database), "records", "70", tmp_path / "none", status=125)
