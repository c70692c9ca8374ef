"""test_dashboards_answers.py - examples/grafana: what real servers answer to the questions of the dashboards."""
import json
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

from clickhouse import clickhouse  # noqa: F401
from dashboards import dashboard, filled, questions, record_with_everything
from fleet_records import GIB, NOVEMBER, OCTOBER, close, fleet, record
from receivers import get, push_built, receiver  # noqa: F401
from test_fleet import NAMES
from test_fleet_clickhouse import act, database  # noqa: F401

RANGE = 1500


@pytest.fixture
def ask(run, push_built, receiver, tmp_path):  # noqa: F811
    """
    ask(panel, before=0): the values of a panel by the labels of its series, some seconds before the end of the range; in
    it are two runs of one job: `new` of 600 s on n1 with 2 cores, `other` of 1200 s on n2 with 1; before it is `old`.
    """
    end = (int(time.time()) - 90) // 30 * 30
    shared = {"rank": None, "cgroup_cpu_available_cores": 4, "cgroup_memory_available_bytes": 8 * GIB}
    for name, host, start, seconds, cores, gib in [
            ("old", "n1", 2900, 600, 1, 1), ("new", "n1", 1400, 600, 2, 2), ("other", "n2", 1300, 1200, 1, 2)]:
        (tmp_path / f"{name}.jsonl").write_text(record_with_everything(
            run, end - start, seconds, 15, name, host, process_cpu_cores=cores, process_cpu_seconds=cores,
            process_pss_bytes=gib * GIB, process_rss_bytes=gib * 2 * GIB, **shared))
        done = run("push", tmp_path / f"{name}.jsonl", "--to", f"prometheus={receiver.url}")
        assert done.returncode == 0, done.stderr
    get(f"{receiver.url}/internal/force_flush")

    def ask(panel, before=0):
        expr = filled(questions("prometheus")[panel], job=".*", host=".*", __range=f"{RANGE}s", __rate_interval="1m")
        query = urllib.parse.urlencode({"query": expr, "time": end - before, "nocache": 1})
        try:
            with urllib.request.urlopen(f"{receiver.url}/api/v1/query?{query}") as answered:
                answer = json.load(answered)
        except urllib.error.HTTPError as error:
            raise AssertionError(panel, expr, error.read()) from error
        return {tuple(one["metric"].values()): float(one["value"][1]) for one in answer["data"]["result"]}
    return ask


def test_prometheus(ask):
    """Both runs go on 1000 s before the end, `old` is over.  What is over the time of a run is known to 30 s at each of its ends."""
    fields = [key for key in questions("prometheus") if not key.startswith("$")]
    assert [panel for panel in fields if not ask(panel, 1000)] == []
    assert ask("CPU and its limit A", 1000) == {("n1", "nightly"): 2, ("n2", "nightly"): 1}
    assert ask("CPU and its limit B", 1000) == {("n1", "nightly"): 4, ("n2", "nightly"): 4}
    assert ask("CPU, share of its limit A", 1000) == {("n1", "nightly"): 0.5, ("n2", "nightly"): 0.25}
    assert ask("Memory and its limit A", 1000) == {("n1", "nightly"): 2 * GIB, ("n2", "nightly"): 2 * GIB}
    assert ask("Memory, share of its limit A", 1000) == {("n1", "nightly"): 0.25, ("n2", "nightly"): 0.25}
    assert ask("Runs A", 1000) == {(): 2}
    for panel, expected, within in [
            ("Memory of a job's runs, 95th percentile A", {("nightly",): 2 * GIB}, 0),
            ("Core hours not used A", {("nightly",): (4 * 600 - 1200 + 4 * 1200 - 1200) / 3600}, (2 + 3) * 60 / 3600),
            ("GiB hours not used A", {("nightly",): 6 * (600 + 1200) / 3600}, 6 * 2 * 60 / 3600),
            ("Slower hosts A", {("n1",): 600 / 900, ("n2",): 1200 / 900}, 60 / 900),
            ("Regressions: CPU time A", {("nightly",): 2}, 0), ("Regressions: time A", {("nightly",): 900 / 600}, 0.15),
            ("Regressions: memory A", {("nightly",): 2}, 0)]:
        assert ask(panel) == {key: pytest.approx(value, abs=within) for key, value in expected.items()}, panel


ALL = next(field["allValue"] for field in dashboard("clickhouse")["templating"]["list"] if field["name"] == "job")
# By panel: the question of `fleet query` with the same answer.
SAME = {"Jobs that never used a fifth": ["oversized"], "Regressions": ["regressions", "--since", "2026-11-01Z"],
        "Programs": ["programs", "--limit", "20"], "Regions of code": ["regions", "--limit", "20"]}


def test_clickhouse(act, clickhouse, database, tmp_path):  # noqa: F811
    fleet(tmp_path / "runs")
    for i, name in enumerate(NAMES):
        (tmp_path / "runs" / f"hostile-{i}.jsonl").write_text(record(f"hostile-{i}", NOVEMBER + i, name))
    store = clickhouse.store(database)
    act(store, "push", tmp_path / "runs")
    asked = questions("clickhouse")
    values = {"__from": OCTOBER * 1000, "__to": (2 * NOVEMBER - OCTOBER) * 1000, "run": ["since-0"]}
    tables = ("programs", "regions", "points", "runs")

    def rows(panel):
        sql = filled(asked[panel], **values)
        for table in tables:                    # the data source of Grafana has a database of its own
            sql = sql.replace(f"FROM {table} ", f"FROM {database}.{table} ")
        return clickhouse.rows(sql)

    # Grafana writes quotes as \', and leaves backslashes: such names are not to be chosen.
    names = {row["name"] for row in json.loads(act(store, "query", "memory", "--json"))}
    assert {row["name"] for row in rows("$job")} == {name for name in names if "\\" not in name} and len(names) == 4 + len(NAMES)
    values["job"] = ["train", "clean", "tiny", "free"]
    answers = {panel: rows(panel) for panel in asked}
    assert {panel for panel, answer in answers.items() if not answer} == set()
    for panel, words in SAME.items():
        expected = [row for row in json.loads(act(store, "query", *words, "--json")) if row.get("name", row.get("program", "")).split("-")[0] in values["job"]]
        answer = [dict(zip(other, row.values())) for row, other in zip(answers[panel + " A"], expected)]
        assert len(answers[panel + " A"]) == len(expected) and close(answer, expected), panel
    memory = [row for row in json.loads(act(store, "query", "memory", "--json")) if row["name"] in values["job"]]
    assert [(row["job"], row["p95_bytes"]) for row in answers["Memory of a job's runs, 95th percentile A"]] == [
        (f"{row['name']}, PSS", row["p95_bytes"]) for row in memory]
    assert [(row["host"], round(row["times_median"], 6)) for row in answers["Slower hosts A"]] == [("n2", 1), ("n1", round((4 * 0.5 + 10) / 14, 6))]
    waste = {(row["month"], row["name"]): row for row in json.loads(act(store, "query", "waste", "--json"))}
    assert len(answers["Not used, by month A"]) == len(waste)
    for row in answers["Not used, by month A"]:
        assert close([dict(row)], [{**dict(row), **{k: v for k, v in waste[row["month"], row["name"]].items() if k != "runs"}}])
    for part, unit in (("core", "Core"), ("gib", "GiB")):
        assert abs(answers[f"{unit} hours not used A"][0][f"{part}_hours"] - sum(row[f"wasted_{part}_hours"] for row in waste.values())) < 1e-9
        assert abs(answers[f"{unit} hours asked for A"][0][f"{part}_hours"] - sum(row[f"asked_{part}_hours"] for row in waste.values())) < 1e-9
    assert answers["Runs A"] == [{"n_runs": 30}] and answers["Not successful A"] == [{"n_failed": 1}]
    assert sum(row["n_runs"] for row in answers["Runs by the hour A"]) == 30
    assert [row["id"] for row in answers["Newest runs A"]][:2] == ["free", "tiny"]
    assert len(answers["Cores A"]) == 2 and [row["job"] for row in answers["Cores A"]] == [1, 2]
    values["job"] = NAMES[:1]
    assert rows("Runs A") == [{"n_runs": 1}]
    asked["Runs A"] = asked["Runs A"].replace("${job:singlequote}", ALL)    # as Grafana does it
    assert rows("Runs A") == [{"n_runs": 30 + len(NAMES)}]
