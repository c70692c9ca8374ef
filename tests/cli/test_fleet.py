"""test_fleet.py - `resource-tracker fleet` with a store in a file: what is pushed is there once, and questions are answered."""
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import time

import pytest

import rank_records
from fleet_records import ANSWERS, NOVEMBER, Page, close, fleet, record


@pytest.fixture
def has_fleet(tracker):
    """Skips where the program was not built: that needs SQLite."""
    if not tracker.with_name("resource-tracker-fleet").exists():
        pytest.skip("this build has no fleet")


@pytest.fixture
def store(has_fleet, run, tmp_path):
    """store(*words): `fleet words[0] --store FILE words[1:]`, of a store that was made; it must succeed."""
    path = tmp_path / "fleet.db"

    def act(action, *words, status=0):
        done = run("fleet", action, "--store", path, *words)
        assert done.returncode == status, (words, done.stdout, done.stderr)
        return done.stdout if status == 0 else done.stdout + done.stderr

    act("init")
    act.path = path
    return act


def contents(path):
    """All rows of all tables, without the time of writing."""
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        return {table: sorted(str([(key, row[key]) for key in row.keys() if key != "pushed_us"])
                              for row in db.execute(f"SELECT * FROM {table}"))
                for table in ("runs", "programs", "regions", "points", "ends")}


def test_answers_are_those_computed_by_hand(store, tmp_path):
    n = fleet(tmp_path / "runs")
    assert store("push", tmp_path / "runs").startswith(f"{n} pushed, 0 already there")
    for words, expected in ANSWERS.items():
        answer = json.loads(store("query", *words, "--json"))
        assert close(answer, expected), (words, answer)


def test_a_question_has_an_answer_for_people(store, tmp_path):
    fleet(tmp_path / "runs")
    store("push", tmp_path / "runs")
    lines = store("query", "oversized").splitlines()
    assert lines[0].split() == ["NAME", "RUNS", "ASKED", "CPU", "MOST", "CPU", "ASKED", "MEMORY", "MOST", "MEMORY"]
    assert lines[1].split() == ["tiny", "1", "4.00", "3.1", "%", "64.0", "GiB", "1.6", "%"]
    assert store("query", "memory", "--name", "unheard") == ""


def test_a_run_pushed_twice_is_one(store, tmp_path):
    n = fleet(tmp_path / "runs")
    store("push", tmp_path / "runs")
    once = contents(store.path)
    assert len(once["runs"]) == n and len(once["points"]) == 2 * n
    assert store("push", tmp_path / "runs").startswith(f"0 pushed, {n} already there")
    assert store("push", tmp_path / "runs", tmp_path / "runs", "--again").startswith(f"{2 * n} pushed")
    assert contents(store.path) == once


def test_a_push_that_was_killed_goes_on(store, tracker, tmp_path):
    for i in range(1200):
        (tmp_path / "runs").mkdir(exist_ok=True)
        (tmp_path / "runs" / f"r-{i}.jsonl").write_text(record(f"r-{i}", NOVEMBER + i))
    command = [tracker, "fleet", "push", "--store", store.path, tmp_path / "runs"]
    db = sqlite3.connect(store.path)
    push = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    pushed = 0
    while push.poll() is None and pushed == 0:                          # until the first batch is there
        with contextlib.suppress(sqlite3.OperationalError):             # it is locked
            pushed = db.execute("SELECT count(*) FROM runs").fetchone()[0]
    push.send_signal(signal.SIGKILL)
    push.wait()
    runs = {table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("runs", "programs", "points")}
    assert runs["runs"] % 500 == 0 or runs["runs"] == 1200
    assert runs["programs"] == runs["runs"] and runs["points"] == 2 * runs["runs"]
    assert store("push", tmp_path / "runs").startswith(f"{1200 - runs['runs']} pushed, {runs['runs']} already there")
    assert db.execute("SELECT count(*), count(DISTINCT id) FROM runs").fetchone() == (1200, 1200)
    db.close()


def test_two_pushes_at_once_are_one(store, tracker, tmp_path):
    n = fleet(tmp_path / "runs")
    pushes = [subprocess.Popen([tracker, "fleet", "push", "--store", store.path, tmp_path / "runs"], stdout=subprocess.PIPE)
              for _ in range(4)]
    assert all(push.communicate()[0] and push.returncode == 0 for push in pushes)
    assert len(contents(store.path)["runs"]) == n


def test_a_real_run_is_that_of_its_summary(store, run, tmp_path):
    assert run("-q", "--job-name", "real", "--record", tmp_path / "real.jsonl", "--", "sleep", "0.3").returncode == 0
    store("push", tmp_path / "real.jsonl")
    facts = json.loads(run("summary", "--json", tmp_path / "real.jsonl").stdout)
    with sqlite3.connect(store.path) as db:
        db.row_factory = sqlite3.Row
        row = db.execute("SELECT * FROM runs").fetchone()
    assert row["id"] == facts["id"] and row["host"] == facts["host"] and row["state"] == "ok" and row["name"] == "real"
    assert row["record"] == str(tmp_path / "real.jsonl")
    for name, value in facts["quantities"].items():
        assert row[name] == value or abs(row[name] - value) < 1e-5, name


def test_the_address_of_a_record(store, tmp_path):
    fleet(tmp_path / "runs")
    store("push", tmp_path / "runs" / "tiny.jsonl", "--record-folder", "s3://bucket/runs")
    with sqlite3.connect(store.path) as db:
        assert db.execute("SELECT record FROM runs").fetchall() == [("s3://bucket/runs/tiny.jsonl",)]


NAMES = ["'); DROP TABLE runs; --", "a'b\"c`d\\", "\\", "%s%n", "x\x00y", "\x1b[31mred", "\u202egnp", "é" * 60, ""]


def test_sql_in_names_is_a_name(store, tmp_path):
    (tmp_path / "runs").mkdir()
    for i, name in enumerate(NAMES):
        (tmp_path / "runs" / f"{i}.jsonl").write_text(record(f"id'{i}\"; --", NOVEMBER, name, host=name))
    store("push", tmp_path / "runs")
    rows = json.loads(store("query", "memory", "--json"))
    assert sum(row["runs"] for row in rows) == len(NAMES)
    for name in NAMES[:4]:
        assert [row["name"] for row in json.loads(store("query", "memory", "--json", "--name", name))] == [name]
    assert "\x1b" not in store("query", "memory")


def test_hostile_and_foreign_records_are_left_out(store, tmp_path):
    runs = tmp_path / "runs"
    n = fleet(runs)
    whole = (runs / "tiny.jsonl").read_text()
    bad = {"newer": whole.replace('"version": 1', '"version": 99'), "empty": "", "binary": "\0\1\2" * 1000, "csv": "timestamp,cpu_usage\n1,1\n",
           "no-id": whole.replace('"id": "tiny"', '"id": ""', 1), "deep": "[" * 100000}
    for name, text in bad.items():
        (runs / f"{name}.jsonl").write_text(text)
    os.mkfifo(runs / "fifo.jsonl")
    (runs / "link.jsonl").symlink_to("/etc/passwd")
    done = store("push", runs, status=1)
    assert f"{n} pushed" in done and f"{len(bad)} left out" in done
    for name in bad:
        assert f"{name}.jsonl is left out" in done
    assert "99" in done                                                     # the version that it does not read
    # Impossible numbers are unknown ones.
    (runs / "tiny.jsonl").write_text(whole.replace("14400", "1e999").replace('"tiny"', '"strange"', 1))
    store("push", runs / "tiny.jsonl")
    assert "strange" not in store("query", "waste", "--json")


def test_a_record_that_was_cut_off_is_pushed(store, tmp_path, run):
    assert run("-q", "-i", "0.05", "--record", tmp_path / "r.jsonl", "--", "sleep", "0.3").returncode == 0
    lines = (tmp_path / "r.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_text("".join(lines[:-1]))
    store("push", tmp_path / "cut.jsonl")
    with sqlite3.connect(store.path) as db:
        assert db.execute("SELECT state, duration > 0 FROM runs").fetchall() == [("truncated", 1)]


def test_a_run_that_goes_on_waits_for_its_end(store, tracker, tmp_path, run):
    path = tmp_path / "going.jsonl"
    job = subprocess.Popen([tracker, "-q", "--record", path, "--", "cat"], stdin=subprocess.PIPE)
    while not path.exists() or not path.read_text().startswith("{"):
        pass
    assert store("push", path).startswith("0 pushed, 0 already there, 1 still running")
    job.communicate()
    assert store("push", path).startswith("1 pushed")


def test_an_older_store_gets_new_columns(store, tmp_path):
    with sqlite3.connect(store.path) as db:
        db.execute("ALTER TABLE runs DROP COLUMN use_seconds")
    fleet(tmp_path / "runs")
    assert "fleet init" in store("push", tmp_path / "runs", status=125)
    store("init")
    store("push", tmp_path / "runs")
    with sqlite3.connect(store.path) as db:
        assert db.execute("SELECT use_seconds FROM runs WHERE name = 'tiny'").fetchall() == [(4 * 3600,)]


def test_wrong_uses_are_one_sentence(store, run, tmp_path):
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE theirs (x)")
    for words, expected in [
            (["query", "--store", tmp_path / "missing.db", "memory"], "fleet init"),
            (["push", "--store", tmp_path / "missing.db", tmp_path], "fleet init"),
            (["push", "--store", store.path], "which records"),
            (["init", "--store", other], "another program"), (["query", "--store", other, "memory"], "not a store"),
            (["query", "--store", __file__, "memory"], "not"),
            (["query", "--store", store.path, "memry"], "did you mean memory"),
            (["query", "--store", store.path, "memory", "--since", "soon"], "no time"),
            (["query", "--store", store.path, "memory", "--limit", "x"], "no number"),
            (["query", "--store", store.path, "regressions"], "--since"),
            (["report", "--store", store.path, "runs"], "takes flags only"), (["report", "--store", store.path, "--json", "-o", "x"], "not both"),
            (["recommend", "--store", store.path], "--name NAME"), (["recommend", "--store", store.path, "--name", "nobody"], "nobody"),
            (["recommend", "--store", store.path, "--name", "x", "--for", "lsf"], "lsf"),
            (["query", "memory"], "which store"), (["prune", "--store", store.path], "what to do"), ([], "what to do")]:
        done = run("fleet", *words)
        assert done.returncode == 125 and done.stderr.count("\n") == 1 and expected in done.stderr, (words, done.stderr)
    for words, expected in [(["--job", "1"], "no option --job"), ([], "which job"), (["--from", tmp_path / "missing.db", "--name", "x"], "fleet init")]:
        done = run("recommend", "--from", store.path, *words)
        assert done.returncode == 125 and done.stderr.count("\n") == 1 and expected in done.stderr, (words, done.stderr)
    assert not (tmp_path / "missing.db").exists()


QUESTIONS = ["memory", "oversized", "waste", "regressions", "nodes", "programs", "regions"]


def test_a_report_has_all_answers(store, tmp_path):
    fleet(tmp_path / "runs")
    for i, name in enumerate(NAMES):
        (tmp_path / "runs" / f"{i}.jsonl").write_text(record(f"hostile-{i}", NOVEMBER, f"<script>{name}</td>&amp;", host=name))
    store("push", tmp_path / "runs")
    range_of = ["--since", "2026-11-01Z", "--until", "2026-12-01Z"]
    report = json.loads(store("report", "--json", *range_of))
    assert list(report) == ["since", "until", *QUESTIONS] and (report["since"], report["until"]) == (NOVEMBER, NOVEMBER + 30 * 86400)
    text = store("report", *range_of)
    assert text.startswith("Runs that started since 2026-11-01 00:00 UTC and before 2026-12-01 00:00 UTC\n")
    assert store("report", "-o", tmp_path / "page.html", *range_of) == ""
    page = Page((tmp_path / "page.html").read_text())
    assert list(page.tables) == QUESTIONS and (tmp_path / "page.html").stat().st_mode & 0o777 == 0o600
    for question in QUESTIONS:
        answer = json.loads(store("query", question, "--json", *range_of))
        assert report[question] == answer, question
        lines = store("query", question, *range_of)
        assert (lines or "none\n") in text and f"\n{question}: " in text
        rows = page.tables[question]
        assert len(rows) == (len(answer) + 1 if answer else 0)
        # The words of a page are those of the text, apart from what is cut there.
        for row, other in zip(rows[1:], lines.splitlines()[1:]):
            assert all(cell in other for cell in row if len(cell) < 20), (row, other)
    assert "<script>'); DROP TABLE runs; --</td>&amp;" in [row[0] for row in page.tables["memory"]]
    assert store("report", "--name", "nobody", "--since", "2026-11-01Z").count("\nnone\n") == len(QUESTIONS)


def test_a_report_without_a_time_is_of_thirty_days(store, tmp_path):
    now = time.time()
    (tmp_path / "new.jsonl").write_text(record("new", now - 86400, "new"))
    (tmp_path / "old.jsonl").write_text(record("old", now - 40 * 86400, "old"))
    store("push", tmp_path)
    assert [row["name"] for row in json.loads(store("report", "--json"))["memory"]] == ["new"]


def test_a_recommendation_is_that_of_the_records(store, run, tmp_path):
    """From the store as from the records: all words, all figures.  Records made by hand have no samples for a p95."""
    runs = tmp_path / "state/resource-tracker/runs"
    fleet(runs)
    for i in range(3):
        assert run("-q", "-i", "0.05", "--job-name", "real", "--", "sh", "-c", "i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done").returncode == 0
    store("push", runs)
    for form in ([], ["--json"], ["--for", "slurm"], ["--for", "kubernetes"], ["--for", "docker"], ["--limit", "2", "--json"]):
        there = run("recommend", "--name", "real", *form)
        here = run("recommend", "--from", store.path, "--name", "real", *form)
        assert there.returncode == here.returncode == 0, here.stderr
        assert here.stdout == there.stdout and here.stderr == there.stderr, form
        assert run("recommend", f"--from={store.path}", "--name", "real", *form).stdout == store("recommend", "--name", "real", *form) == here.stdout
    for name in ("train", "clean", "free"):
        there, here = (json.loads(run("recommend", *words, "--name", name, "--json").stdout) for words in ([], ["--from", store.path]))
        for key in ("memory", "time", "gpu"):
            assert here["advice"].get(key) == there["advice"].get(key), (name, key)
        assert [r["id"] for r in here["runs"]] == [r["id"] for r in there["runs"]]
    prices = tmp_path / "prices.csv"
    prices.write_text("vendor,type,region,cpus,memory_gib,usd_per_hour\naws,m,r,64,256,2\n")
    servers = json.loads(store("recommend", "--name", "train", "--servers", prices, "--json"))["servers"]
    assert servers["cheapest"][0]["usd_per_run"] == pytest.approx(2 * 1.5)      # 1 h and 2 h
    assert len(json.loads(store("recommend", "--name", "train", "--since", "2026-11-01Z", "--json"))["runs"]) == 4


def without_places(text):
    """A report's data without what depends on the folder and the moment."""
    data = json.loads(text)
    del data["made_at"]

    def strip(of):
        if isinstance(of, dict):
            return {key: value.rsplit("/", 1)[-1] if key in ("record", "path") and isinstance(value, str) else strip(value)
                    for key, value in of.items()}
        return [strip(one) for one in of] if isinstance(of, list) else of
    return strip(data)


@pytest.fixture
def ranks(tmp_path, monkeypatch):
    """A folder with the records of six ranks on three nodes, one throttled and one cut off, and of another job."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    folder = tmp_path / "ranks"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.jsonl").write_text(rank_records.record(
            number, size=6, node=f"n{number // 2}", ended=number != 5, changes={"cgroup.cpu_throttled_seconds": 90} if number == 3 else None))
    (folder / "other.jsonl").write_text(rank_records.record(0, size=1, job="8"))
    os.utime(folder / "5.jsonl", (0, 0))            # else it could still go on
    return folder


def test_the_ranks_of_a_job_are_reported_from_the_store(store, run, ranks, tmp_path):
    assert store("push", ranks).startswith("7 pushed")
    there = run("report", ranks, "--job", "7", "--json")
    here = run("report", "--from", store.path, "7", "--json")
    assert (here.returncode, here.stderr) == (0, "") == (there.returncode, there.stderr)
    assert without_places(here.stdout) == without_places(there.stdout)
    assert json.loads(here.stdout)["job"]["stragglers"][0]["rank"] == 3
    assert not list(tmp_path.glob("resource-tracker-ranks-*"))


def test_the_page_of_a_job_from_the_store(has_page, store, run, ranks, tmp_path):
    store("push", ranks)
    page = tmp_path / "page.html"
    done = run("report", f"--from={store.path}", "7", "-o", page)
    assert (done.returncode, done.stdout) == (0, f"{page}\n") and '"stragglers"' in page.read_text()


def test_the_ends_of_records_come_back_as_they_were(store, run, ranks, tmp_path):
    """Of a scheduler's jobs; the first and last lines alone.  Names from a store are not trusted."""
    header, *more = record("alone", NOVEMBER, "alone").splitlines()
    header = {key: value for key, value in json.loads(header).items() if key != "job"}
    (ranks / "no-job.jsonl").write_text("\n".join([json.dumps(header), *more, ""]))
    store("push", ranks)
    assert store("records", "7", tmp_path / "out") == f"6 records in {tmp_path}/out\n"
    for number in range(6):
        lines = (ranks / f"{number}.jsonl").read_text().splitlines()
        back = (tmp_path / f"out/{number}.jsonl")
        assert back.read_text().splitlines() == ([lines[0], lines[-1]] if number != 5 else lines[:1]) and back.stat().st_mode & 0o777 == 0o600
    with sqlite3.connect(store.path) as db:
        assert db.execute("SELECT count(*) FROM ends").fetchone() == (7,)
        db.execute("UPDATE ends SET record = '/x/../../../etc/..' WHERE job_id = '8'")
        db.execute("UPDATE ends SET record = '/x/a b' WHERE job_id = '7'")
    store("records", "7", tmp_path / "names")
    store("records", "8", tmp_path / "other")
    assert sorted(path.name for path in (tmp_path / "names").iterdir()) == [f"record-{i}.jsonl" for i in range(6)]
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["record-0.jsonl"]
    assert "File exists" in store("records", "8", tmp_path / "other", status=125)


def test_wrong_questions_of_a_job(store, run, ranks, tmp_path):
    store("push", ranks)
    for words, says in ((["9"], "no run of the job '9'"), ([], "which job"), (["7", "8"], "which job"), (["--live", "7"], "--live")):
        done = run("report", "--from", store.path, *words)
        assert (done.returncode, done.stdout) == (125, "") and says in done.stderr, words
        assert done.stderr.count("resource-tracker") == 1
    assert "into which folder" in store("records", "7", status=125)
    (tmp_path / "file").write_text("")
    assert "cannot write records into" in store("records", "7", tmp_path / "file", status=125)
    assert run("report", "--from", tmp_path / "nothing.db", "7").returncode == 125
    assert not list(tmp_path.glob("resource-tracker-ranks-*"))
