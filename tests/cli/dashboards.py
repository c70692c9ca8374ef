"""dashboards.py - the dashboards of examples/grafana, with what Grafana would put into their questions."""
import json
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/grafana"
KINDS = {"prometheus": "prometheus", "clickhouse": "grafana-clickhouse-datasource"}


def dashboard(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def questions(name):
    """By panel and target, as "Disk A": the question as it is in the file; also those of the fields above the panels."""
    found = {f"{panel['title']} {target['refId']}": target.get("expr") or target["rawSql"]
             for panel in dashboard(name)["panels"] for target in panel.get("targets", [])}
    for field in dashboard(name)["templating"]["list"]:
        if field["type"] == "query":
            found[f"${field['name']}"] = field["definition"]
    return found


def filled(question, **values):
    """The question with the values of its variables, which must be all; as Grafana fills them in: singlequote takes a list."""
    def value(found):
        name, form = found[1] or found[2], found[3]
        if form == "singlequote":
            return ",".join("'" + text.replace("'", "\\'") + "'" for text in values[name])
        return str(values[name])
    return re.sub(r"\$(?:(\w+)|\{(\w+)(?::(\w+))?\})", value, question)


def record_with_everything(run, start, seconds=2, every=1, name="everything", host="n1", **values):
    """
    The text of a record of rank 1 of 2 in which every metric that `metrics` lists has a value: 1, else that of `values`
    (group_name); an amount is that much a second.  `rank=None`: it is no rank.
    """
    tables, columns, fixed, kinds = {}, [], {}, []
    rank = values.pop("rank", 1)
    for m in json.loads(run("metrics", "--json").stdout):
        if m["unit"] == "text" or m["kind"] == "counter":
            continue
        column = [m["name"] if m["table"] != "total" else f"{m['group']}.{m['name']}", m["unit"], m["kind"]]
        if m["table"] != "total":
            at = tables.setdefault(m["table"], ([], {"index": 0, "key": f"a-{m['table']}"}))
            at[1].update({m["name"]: 1}) if m["kind"] == "fixed" else at[0].append(column)
        elif m["kind"] == "fixed":
            fixed[column[0]] = 1
        else:
            columns.append(column)
            kinds.append(values.get(column[0].replace(".", "_"), 1) * (every if m["kind"] == "amount" else 1))
    header = {"record": "resource-tracker", "version": 1, "id": name, "start": start, "interval_seconds": every, "command": ["train"],
              "pids": [7], "metadata": {"job_name": "nightly"}, "host": {"name": host, "cpus": 2}, "fixed": fixed,
              "tables": {name: at[0] for name, at in tables.items()}}
    if rank is not None:
        header["job"] = {"scheduler": "slurm", "id": "1", "rank": rank, "size": 2}
    lines = [header, {"columns": columns}, {"rows": {name: [at[1]] for name, at in tables.items()}}]
    for t in range(every, seconds + 1, every):
        lines.append(["r", t, every, 1, kinds, None, {name: [[1] * len(at[0])] for name, at in tables.items()}])
    lines.append({"end": {"status": "exited", "exit_code": 0, "time": start + seconds, "seconds": seconds, "sampled_seconds": seconds,
                          "samples": seconds // every}})
    return "".join(json.dumps(line) + "\n" for line in lines)
