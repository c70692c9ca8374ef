"""test_record_schema.py - records match docs/reference/record-format.md and docs/reference/record.schema.json."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import jsonschema
import pytest

from processes import wait_for, wait_for_file

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs/reference/record.schema.json").read_text())
# Uses CPU time until the record has rows of it, one of them with its memory.
WORK = """
import json, os, time
x = bytearray(50_000_000)
def seen():
    try:
        lines = open(os.environ["RESOURCE_TRACKER_RUN"]).read().split("\\n")[:-1]
    except FileNotFoundError:
        return False
    names, memory = [], []
    for line in map(json.loads, lines):
        if "columns" in line:
            names = [column[0] for column in line["columns"]]
        elif isinstance(line, list) and line[0] == "r":
            memory.append(line[4][names.index("process.rss_bytes")] or 0)
    return len(memory) >= 3 and max(memory) > 50e6
while not seen():
    until = time.process_time() + 0.1
    while time.process_time() < until: pass
"""


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return jsonschema.Draft202012Validator(SCHEMA)


@pytest.fixture
def record_of(run, tmp_path, lines_of):
    """record_of(*arguments): the lines of the record of that run."""
    def record(*arguments):
        path = tmp_path / "run.jsonl"
        run("--quiet", "--record", path, *arguments)
        return lines_of(path)
    return record


def rows(lines):
    return [line for line in lines if isinstance(line, list) and line[0] == "r"]


def by_column(lines):
    """Each row as a dictionary, by the columns that apply to it."""
    names, result = [], []
    for line in lines:
        if "columns" in line:
            names = [column[0] for column in line["columns"]]
        elif isinstance(line, list):
            assert len(line[4]) == len(names)
            result.append(dict(zip(names, line[4])))
    return result


def check(lines, validator):
    for line in lines:
        validator.validate(line)
    assert "record" in lines[0] and sum("record" in line for line in lines) == 1
    assert "end" in lines[-1] and sum("end" in line for line in lines) == 1
    named = {}
    for line in lines:
        for table, members in line.get("rows", {}).items() if isinstance(line, dict) else ():
            named.setdefault(table, set()).update(member["index"] for member in members)
        if isinstance(line, list):
            for table, values in line[6].items():
                numbers = range(len(values)) if isinstance(values, list) else map(int, values)
                assert set(numbers) <= named[table]
                width = len(lines[0]["tables"][table])
                for row in values if isinstance(values, list) else values.values():
                    assert row == 0 or len(row) == width


def test_a_command(record_of, validator):
    lines = record_of("-i", "0.1", "--job-name", "näme", "--tag", "a=b", "--", sys.executable, "-c", WORK)
    header, end = lines[0], lines[-1]["end"]
    check(lines, validator)
    assert header["command"] == [sys.executable, "-c", WORK] and header["command_recorded"] == "masked"
    assert header["metadata"] == {"job_name": "näme"} and header["tags"] == ["a=b"]
    assert header["host"]["name"] == os.uname().nodename and header["host"]["cpus"] == os.cpu_count()
    assert abs(header["start"] - time.time()) < 60
    assert end["status"] == "exited" and end["exit_code"] == 0
    assert end["samples"] == end["record_rows"] == len(rows(lines)) >= 3
    assert end["exits"] == sum("exit" in line for line in lines) == 1

    values = by_column(lines)
    mean, peak, total = end["statistics"]["process.cpu_seconds"]
    assert total == pytest.approx(sum(row["process.cpu_seconds"] for row in values), abs=1e-4)
    assert total == pytest.approx(mean * end["sampled_seconds"], rel=0.01)
    assert end["statistics"]["process.rss_bytes"][1] >= max(row["process.rss_bytes"] or 0 for row in values) > 50e6
    assert sum(row[2] for row in rows(lines)) == pytest.approx(end["sampled_seconds"], abs=1e-3)
    assert rows(lines)[-1][1] == pytest.approx(end["sampled_seconds"], abs=1e-3)
    for row in rows(lines):
        assert row[3] == 1 and row[5] is None and len(row) == 7


@pytest.mark.parametrize("command, status", [
    ("exit 3", {"status": "exited", "exit_code": 3}),
    ("kill -9 $$", {"status": "signaled", "signal": 9, "core_dumped": False}),
])
def test_how_it_ended(record_of, validator, command, status):
    lines = record_of("--", "sh", "-c", command)
    check(lines, validator)
    assert lines[-1]["end"].items() >= status.items()


def test_a_watch_and_an_attachment(record_of, validator, tmp_path):
    lines = record_of("-i", "0.05", "--samples", "3", "-o", "/dev/null")
    check(lines, validator)
    assert lines[0]["pids"] == [] and "command" not in lines[0] and lines[-1]["end"]["status"] == "stopped"
    samples = tmp_path / "samples"
    script = f"while [ \"$(cat '{samples}' 2>/dev/null | wc -l)\" -lt 3 ]; do sleep 0.05; done"
    with subprocess.Popen(["sh", "-c", script]) as child:
        lines = record_of("-i", "0.05", "-o", samples, "--pid", child.pid)
    check(lines, validator)
    assert lines[0]["pids"] == [child.pid] and lines[-1]["end"]["status"] == "roots_ended"


def test_rows_get_coarser(record_of, validator):
    lines = record_of("-i", "0.001", "--samples", "4200", "-o", "/dev/null", "--only", "cpu")
    check(lines, validator)
    fine, coarse = rows(lines)[:4096], rows(lines)[4096:]
    assert {row[3] for row in fine} == {1} and {row[3] for row in coarse[:-1]} == {2}
    assert sum(row[3] for row in rows(lines)) == lines[-1]["end"]["samples"] == 4200
    for row in coarse:
        assert len(row) == 8 and len(row[5]) < len(row[4])


def test_killed_in_the_middle(tracker, run, tmp_path, validator, lines_of):
    path = tmp_path / "run.jsonl"
    with subprocess.Popen([tracker, "--quiet", "-i", "0.05", "--record", path, "--", "sh", "-c",
                           f"echo $$ > {tmp_path}/pid; exec sleep 600"]) as process:
        job = int(wait_for_file(tmp_path / "pid"))
        wait_for(lambda: path.exists() and path.read_text().count('\n["r"') >= 3, "rows in the record")
        process.send_signal(signal.SIGKILL)
    os.kill(job, signal.SIGKILL)
    text = path.read_text()
    for line in text.splitlines()[:text.count("\n")]:
        validator.validate(json.loads(line))
    summary = run("summary", path)
    assert summary.returncode == 0
    assert "how it ended is unknown" in summary.stdout and "the run was cut" in summary.stdout.replace("\n             ", " ")


def test_the_summary_of_a_record_is_that_of_the_run(run, tmp_path):
    path = tmp_path / "run.jsonl"
    live = run("-i", "0.1", "--record", path, "--", sys.executable, "-c", WORK)
    later = run("summary", path)
    assert live.returncode == later.returncode == 0
    assert "Memory" in later.stdout
    # A record rounds numbers, and a number that is rounded twice can differ by one in its last digit, a bar by one step.
    digits, bars = re.compile(r"\d+(?:\.\d+)?"), re.compile("[▁▂▃▄▅▆▇█]")
    assert bars.sub("|", digits.sub("#", later.stdout)) == bars.sub("|", digits.sub("#", live.stderr))
    assert all(abs(ord(one) - ord(other)) <= 1 for one, other in zip(bars.findall(later.stdout), bars.findall(live.stderr)))
    for one, other in zip(digits.findall(later.stdout), digits.findall(live.stderr)):
        places = min(len(number.partition(".")[2]) for number in (one, other))
        assert float(one) == pytest.approx(float(other), rel=1e-9, abs=1.01 * 10**-places)


def test_summary_reports_errors(run, tmp_path):
    (tmp_path / "no-record").write_text("hello\n")
    assert run("summary").returncode == 125
    missing = run("summary", tmp_path / "none")
    assert missing.returncode == 125 and "No such file" in missing.stderr
    other = run("summary", tmp_path / "no-record")
    assert other.returncode == 125 and "no-record has an unknown format" in other.stderr


@pytest.mark.parametrize("line", [
    {}, [], 7, "r", {"record": "other", "version": 1}, {"columns": [["a"]], "missing": []}, ["r", 1, 0, 1, [], None, {}],
    ["r", 1, 1, 1, [], None], ["r", 1, 1, 1, ["x"], None, {}], ["r", 1, 1, 1, [], None, {"disk": {"a": 0}}],
    ["r", 1, 1, 1, [], None, {"disk": [1]}], {"exit": {"pid": 1}}, {"notice": ""}, {"end": {"status": "exited"}},
])
def test_the_schema_can_refuse(validator, line):
    assert not validator.is_valid(line)


@pytest.mark.parametrize("line", [{"from_the_future": 1}, ["x", 1], ["r", 1, 1, 1, [2], None, {}, {}, [2], {}, "more"]])
def test_later_additions_are_allowed(validator, line):
    assert validator.is_valid(line)
