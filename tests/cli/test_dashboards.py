"""test_dashboards.py - examples/grafana: every name in them is one of the program's, as it sends or makes it."""
import pathlib
import re
import sqlite3

import pytest

from dashboards import FOLDER, KINDS, dashboard, filled, questions, record_with_everything
from receivers import faulty, push_built, write_request  # noqa: F401
from test_fleet import has_fleet  # noqa: F401

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Words of the languages that are neither a name of ours nor in the position of one.
PROMQL = set("sum max min avg count topk quantile by on group_left and or offset rate increase clamp_min timestamp time "
             "max_over_time min_over_time avg_over_time label_values".split())
SQL = set("select from where and or not in is null as case when then end group by having order desc limit final distinct all inner "
          "join using count countif sum max concat quantileexact todatetime toint64 intdiv has position".split())


@pytest.fixture
def sent(run, push_built, faulty, tmp_path):  # noqa: F811
    """By name of a metric: the names of its labels, as `push` sends them."""
    (tmp_path / "everything.jsonl").write_text(record_with_everything(run, 1795000000))
    done = run("push", tmp_path / "everything.jsonl", "--to", f"prometheus={faulty.url}")
    assert done.returncode == 0, done.stderr
    names = {}
    for request in faulty.requests:
        for labels in map(dict, write_request(request.body)):
            names.setdefault(labels.pop("__name__"), set()).update(labels)
    return names


def names_in(expr):
    """The metrics of an expression, each with the labels that are asked of it; the labels of groups; all other words."""
    metrics, expr = [], re.sub(r"\[[^]]*\]", "", filled(expr, job=".*", host=".*", **{"__range": "1h", "__rate_interval": "1m"}))

    def metric(found):
        metrics.append((found[1], re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", found[2] or "")))
        return ""
    expr = re.sub(r"\b(resource_tracker_\w+)(\{[^}]*\})?", metric, expr)
    groups = [word for found in re.findall(r"\b(?:by|on)\s*\(([^)]*)\)", expr) for word in re.findall(r"\w+", found)]
    words = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\b(by|on)\s*\([^)]*\)", r"\1", re.sub(r"\b\d+\w*", "", expr))))
    return metrics, groups, words


def unknown_names(asked, sent):  # noqa: F811
    """What an expression names and the program does not send."""
    field = re.fullmatch(r"label_values\((.*), (\w+)\)", asked)
    metrics, groups, words = names_in(field[1] if field else asked)
    missing = [name for name, labels in metrics if name not in sent or not set(labels) <= sent[name]]
    together = set().union(*(sent.get(name, set()) for name, _ in metrics))
    assert metrics, asked
    return missing + sorted(set(groups + ([field[2]] if field else [])) - together) + sorted(words - PROMQL)


def test_metrics_and_labels_are_those_that_are_sent(sent):
    assert {key: found for key, asked in questions("prometheus").items() if (found := unknown_names(asked, sent))} == {}
    assert sent["resource_tracker_gpu_utilization_pct"] == {"job", "run", "rank", "host", "gpu"}


@pytest.mark.parametrize("asked, missing", [
    ("max(resource_tracker_process_rss)", ["resource_tracker_process_rss"]),
    ("sum by (pod) (resource_tracker_process_rss_bytes)", ["pod"]),
    ('resource_tracker_process_rss_bytes{program="x"}', ["resource_tracker_process_rss_bytes"]),
    ("rate(resource_tracker_process_cpu_seconds[5m])", ["resource_tracker_process_cpu_seconds"]),
    ("label_values(resource_tracker_process_count, name)", ["name"]),
    ("rate(process_cpu_seconds_total[5m]) / resource_tracker_process_count", ["process_cpu_seconds_total"]),
])
def test_a_name_that_is_not_sent_is_seen(asked, missing, sent):
    assert unknown_names(asked, sent) == missing


def test_legends_have_labels_of_their_series():
    for panel in dashboard("prometheus")["panels"]:
        for target in panel.get("targets", []):
            named = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            assert named <= set(names_in(target["expr"])[1]), (panel["title"], target["legendFormat"])


@pytest.fixture
def schema(has_fleet, run, tmp_path):  # noqa: F811
    """The columns of the tables that `fleet init` makes; those of ClickHouse have the same names (test_fleet_clickhouse.py)."""
    assert run("fleet", "init", "--store", tmp_path / "fleet.db").returncode == 0
    with sqlite3.connect(tmp_path / "fleet.db") as db:
        tables = [name for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: {row[1] for row in db.execute(f"PRAGMA table_info({table})")} for table in tables}


def unknown_columns(sql, schema):
    """What a statement names that is neither a table, a column of its tables, nor a name that it gives."""
    plain = re.sub(r"'[^']*'", " ", filled(sql, job=["x"], run=["x"], __from=1, __to=2))
    tables = set(re.findall(r"\b(?:FROM|JOIN) (\w+)", plain))
    columns = set().union(*(schema.get(table, set()) for table in tables))
    given = set(re.findall(r"\bAS (\w+)", plain))
    words = {word for word in re.findall(r"[A-Za-z_]\w*", plain) if word.lower() not in SQL}
    return sorted(words - columns - given - (tables & set(schema)))


def test_tables_and_columns_are_those_of_the_store(schema):
    assert {key: found for key, sql in questions("clickhouse").items() if (found := unknown_columns(sql, schema))} == {}
    assert {"runs", "programs", "regions", "points"} <= set(schema)


@pytest.mark.parametrize("sql, missing", [
    ("SELECT max(peak_memory_bytes) FROM runs FINAL", ["peak_memory_bytes"]), ("SELECT name FROM run FINAL", ["name", "run"]),
    ("SELECT cpu_time FROM programs FINAL", ["cpu_time"]), ("SELECT median(cpu_time) AS m FROM runs FINAL", ["median"]),
])
def test_a_column_that_is_not_there_is_seen(sql, missing, schema):
    assert unknown_columns(sql, schema) == missing


@pytest.mark.parametrize("name", KINDS)
def test_a_dashboard_is_one_that_grafana_takes(name):
    made = dashboard(name)
    panels = made["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) and len({panel["title"] for panel in panels}) == len(panels)
    assert made["uid"] and len(made["uid"]) <= 40 and "id" not in made
    fields = {field["name"]: field for field in made["templating"]["list"]}
    assert fields["datasource"]["query"] == KINDS[name]
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        if panel["type"] != "row":
            assert panel["datasource"] == {"type": KINDS[name], "uid": "${datasource}"} and panel["targets"]
    used = set(re.findall(r"\$\{?([a-z]\w*)", " ".join(questions(name).values())))
    assert used <= set(fields) and "datasource" not in used
    taken = [(p["gridPos"]["x"] + dx, p["gridPos"]["y"] + dy) for p in panels for dx in range(p["gridPos"]["w"]) for dy in range(p["gridPos"]["h"])]
    assert len(taken) == len(set(taken))


def test_the_pages_show_both():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(KINDS)
    for page in ("docs/howto/grafana.md", "examples/README.md"):
        assert set(re.findall(r"grafana/(\w+)\.json\)", (ROOT / page).read_text())) == set(KINDS), page
