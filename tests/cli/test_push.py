"""test_push.py - the metrics of a run at real receivers, queried back and compared with its record."""
import gzip
import json
import os
import shutil
import signal
import struct

import pytest

from processes import files_below, wait_for
from pushed import expected, same, same_times, stored, totals
from receivers import Vmagent, VictoriaMetrics, companion, faulty, fields, push_built, receiver, start  # noqa: F401

# A load whose CPU time grows in each row, for as long as the file given to it does not exist.
LOAD = "import os, sys\nwhile not os.path.exists(sys.argv[1]): sum(range(20000)); __import__('time').sleep(.001)"


def spooled(tmp_path):
    folder = tmp_path / "state/resource-tracker/push"
    return sorted(str(p.relative_to(folder)) for p in files_below(folder))


@pytest.fixture
def job(start, tmp_path):
    """job(*words): a recorder around a load, and how to end it: returns the lines of its record and stderr."""
    def begin(*words, drain="600s", **more):
        record, stop = tmp_path / "run.jsonl", tmp_path / "stop"
        process = start("--no-config", "-i", "0.05", "-n", "nightly", "--record", record, "--push-drain", drain, *words, "--",
                        "/usr/bin/python3", "-c", LOAD, stop, **more)

        def rows():
            return record.read_text().count('["r"') if record.exists() else 0

        def end():
            stop.touch()
            stderr = process.communicate()[1]
            assert process.returncode == 0, stderr
            return [json.loads(line) for line in record.read_text().splitlines()], stderr
        process.rows, process.end = rows, end
        return process
    return begin


def test_a_run_arrives_while_it_goes_on(receiver, job, tmp_path):
    process = job("--push", f"prometheus={receiver.url}")
    run = wait_for(lambda: process.rows() and json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])["id"], "no row")
    wait_for(lambda: stored(receiver, run)[0], "nothing arrived during the run")
    lines, stderr = process.end()
    assert same(receiver, lines) > 1000 and "push:" not in stderr and spooled(tmp_path) == []


def test_several_destinations_each_get_all(receiver, job, faulty, tmp_path):
    process = job("--push", f"prometheus={receiver.url}/api/v1/write", "--push", f"prometheus={faulty.url}/other?a=b")
    wait_for(lambda: process.rows() > 20, "no rows")
    lines, _ = process.end()
    assert same(receiver, lines) and spooled(tmp_path) == []
    assert {r.path for r in faulty.requests} == {"/other?a=b"}
    assert faulty.requests[0].headers["Content-Encoding"] == "snappy"
    assert faulty.requests[0].headers["X-Prometheus-Remote-Write-Version"] == "0.1.0"


def test_a_receiver_that_was_killed_misses_nothing(receiver, job, tmp_path):
    """The receiver is gone for as long as four batches take; Prometheus is killed, VictoriaMetrics keeps seconds in memory."""
    process = job("--push", f"prometheus={receiver.url}")
    wait_for(lambda: process.rows() and stored(receiver, json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])["id"])[0], "")
    receiver.stop(signal.SIGKILL if "prometheus" in receiver.words()[0] else signal.SIGTERM)
    wait_for(lambda: sum("0-00" in name for name in spooled(tmp_path)) >= 4, "nothing is spooled")
    receiver.start()
    lines, stderr = process.end()
    assert same(receiver, lines) and spooled(tmp_path) == [] and "push:" not in stderr


def test_a_companion_that_was_killed_loses_nothing(receiver, job, run, tmp_path):
    process = job("--push", f"prometheus={receiver.url}")
    wait_for(lambda: process.rows() and stored(receiver, json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])["id"])[0], "")
    os.kill(companion(process), signal.SIGKILL)
    rows = process.rows()
    wait_for(lambda: process.rows() > rows + 30, "no more rows")
    lines, stderr = process.end()
    assert "the feed to resource-tracker-push ended before the run: it was ended by signal 9" in " ".join(stderr.split())
    assert any("0-sent" in name for name in spooled(tmp_path))
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "")
    assert same(receiver, lines) and spooled(tmp_path) == []


def test_what_is_left_is_sent_by_the_next_run(receiver, job, run, tmp_path):
    receiver.stop()
    process = job("--push", f"prometheus={receiver.url}", drain="5s")
    wait_for(lambda: process.rows() > 20, "no rows")
    lines, stderr = process.end()
    assert "values are not delivered yet; the next --push sends them, or: resource-tracker push --spooled; " in stderr
    assert f"prometheus={receiver.url}" in stderr and spooled(tmp_path)
    receiver.start()
    done = run("--no-config", "--record", "none", "--push", f"prometheus={receiver.url}", "--push-drain", "600s", "true")
    assert done.returncode == 0 and "push:" not in done.stderr
    assert same(receiver, lines) and spooled(tmp_path) == []


def test_a_finished_run_is_sent(receiver, job, run, tmp_path):
    process = job()
    wait_for(lambda: process.rows() > 20, "no rows")
    lines, _ = process.end()
    done = run("push", tmp_path / "run.jsonl", "--to", f"prometheus={receiver.url}")
    assert (done.returncode, done.stderr) == (0, "")
    assert same(receiver, lines)


def test_an_agent_between_that_was_stopped_loses_nothing(job, tmp_path):
    """vmagent keeps a second of what it accepted in memory alone, so it is ended by SIGTERM, as by an upgrade."""
    if not shutil.which("victoria-metrics") or not shutil.which("vmagent"):
        pytest.skip("victoria-metrics, which has vmagent, is not installed")
    receiver = VictoriaMetrics(tmp_path / "receiver").start()
    agent = Vmagent(tmp_path / "agent", receiver.url).start()
    try:
        process = job("--push", f"prometheus={agent.url}")
        run = wait_for(lambda: process.rows() and json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])["id"], "no row")
        wait_for(lambda: stored(receiver, run)[0], "nothing arrived")
        agent.stop()
        wait_for(lambda: sum("0-00" in name for name in spooled(tmp_path)) >= 2, "nothing is spooled")
        agent.start()
        lines, stderr = process.end()
        assert spooled(tmp_path) == [] and "push:" not in stderr
        last = max(ms for samples in expected(lines).values() for ms, _ in samples)
        wait_for(lambda: any(abs(samples[-1][0] - last) <= 2 for samples in stored(receiver, run)[0].values()), "the last row is missing")
        assert same(receiver, lines)
    finally:
        agent.stop(signal.SIGKILL)
        receiver.stop(signal.SIGKILL)


def test_influx_lines_arrive_the_same(job, run, tmp_path):
    """VictoriaMetrics joins measurement and field: the names are those of remote write."""
    if not shutil.which("victoria-metrics"):
        pytest.skip("victoria-metrics is not installed")
    receiver = VictoriaMetrics(tmp_path / "receiver").start()
    try:
        process = job("--push", f"influx={receiver.url}")
        wait_for(lambda: process.rows() > 20, "no rows")
        lines, stderr = process.end()
        assert same(receiver, lines) and "push:" not in stderr
    finally:
        receiver.stop(signal.SIGKILL)


UNITS = {"bytes": "By", "seconds": "s", "cores": "{cpu}", "pct": "%"}


def test_otlp(job, faulty):
    """Request by request as the specification has it: resource, scope, gauges and sums with a start."""
    found = {}
    lines = otlp_run(job, faulty, "otlp", "application/x-protobuf")
    for request in faulty.requests:
        (_, whole), = fields(gzip.decompress(request.body))
        (one, resource), (two, scope) = fields(whole)
        assert (one, two) == (1, 2) and attributes(resource, 1) == otlp_resource(lines[0])
        assert dict(fields(fields(scope)[0][1]))[1] == b"resource-tracker"
        for _, metric in fields(scope)[1:]:
            parts = dict(fields(metric))
            name, unit, kind = parts[1].decode(), parts[3].decode(), 7 if 7 in parts else 5
            data = fields(parts[kind])
            assert name.startswith("resource_tracker.") and parts[2]
            assert unit == UNITS.get(name.split("_")[-1], unit)
            assert [pair for pair in data if pair[0] != 1] == ([(2, 2), (3, 1)] if kind == 7 else [])
            for _, point in data[:len(data) - (2 if kind == 7 else 0)]:
                values = dict(fields(point))
                key = next(iter(attributes(point, 7).values()), None)
                start, now = (int.from_bytes(values[i], "little") if i in values else None for i in (2, 3))
                assert (start is not None) == (kind == 7) and (start is None or start <= now)
                found.setdefault((otlp_name(name), key), []).append((now // 10**6, struct.unpack("<d", values[4])[0]))
    otlp_same(found, lines)


def test_otlp_as_json(job, faulty):
    """The same as JSON: names in lowerCamelCase, integers of 64 bits as texts, enums as numbers, and nothing else."""
    found = {}
    lines = otlp_run(job, faulty, "otlp-json", "application/json")
    for request in faulty.requests:
        (one, value), = json.loads(gzip.decompress(request.body)).items()
        (whole,), (scope,) = value, value[0]["scopeMetrics"]
        assert one == "resourceMetrics" and set(whole) == {"resource", "scopeMetrics"} and set(scope) == {"scope", "metrics"}
        assert json_attributes(whole["resource"]) == otlp_resource(lines[0])
        assert scope["scope"]["name"] == "resource-tracker" and set(scope["scope"]) == {"name", "version"}
        for metric in scope["metrics"]:
            kind, = set(metric) - {"name", "description", "unit"}
            data = dict(metric[kind])
            points = data.pop("dataPoints")
            assert metric["unit"] == UNITS.get(metric["name"].split("_")[-1], metric["unit"]) and metric["description"]
            assert (kind, data) in [("gauge", {}), ("sum", {"aggregationTemporality": 2, "isMonotonic": True})] and points
            for point in points:
                assert set(point) - {"attributes"} == {"timeUnixNano", "asDouble"} | ({"startTimeUnixNano"} if kind == "sum" else set())
                times = [point[name] for name in ("startTimeUnixNano", "timeUnixNano") if name in point]
                assert all(isinstance(t, str) for t in times) and [int(t) for t in times] == sorted(map(int, times))
                key = next(iter(json_attributes(point).values()), None)
                found.setdefault((otlp_name(metric["name"]), key), []).append((int(times[-1]) // 10**6, float(point["asDouble"])))
    otlp_same(found, lines)


def otlp_run(job, faulty, form, content):
    """The lines of the record of a run that was sent in this form."""
    process = job("--push", f"{form}={faulty.url}")
    wait_for(lambda: process.rows() > 20, "no rows")
    lines, _ = process.end()
    assert {(r.path, r.headers["Content-Type"], r.headers["Content-Encoding"]) for r in faulty.requests} == {
        ("/v1/metrics", content, "gzip")}
    return lines


def otlp_resource(header):
    return {"service.name": "nightly", "service.instance.id": header["id"], "host.name": header["host"]["name"]}


def otlp_name(name):
    assert name.startswith("resource_tracker.")
    return name.removeprefix("resource_tracker.").replace(".", "_")


def otlp_same(found, lines):
    """By series as in `expected`: the samples that arrived are those of the record."""
    for series, samples in expected(lines).items():
        got = found[series]
        assert same_times([t for t, _ in got], samples), series
        for (_, value), (_, wanted_value) in zip(got, samples):
            assert value == pytest.approx(wanted_value, rel=1e-9, abs=1e-5 * len(samples)), series
    for name, total in totals(lines).items():
        assert found[name, None][-1][1] == pytest.approx(total, rel=1e-12, abs=1e-9)


def json_attributes(message):
    return {pair["key"]: pair["value"]["stringValue"] for pair in message.get("attributes", [])}


def attributes(message, field):
    """Those of a message, by key: texts."""
    pairs = [dict(fields(part)) for number, part in fields(message) if number == field]
    return {pair[1].decode(): dict(fields(pair[2]))[1].decode() for pair in pairs}
