"""test_push.py - the metrics of a run at real receivers, queried back and compared with its record."""
import gzip
import json
import os
import shutil
import signal
import struct

import pytest

from processes import children_of, wait_for
from receivers import Vmagent, VictoriaMetrics, faulty, fields, push_built, receiver, start  # noqa: F401

PREFIX = "resource_tracker_"
ROWS = "program", "disk", "network", "mount", "core", "gpu"
# A load whose CPU time grows in each row, for as long as the file given to it does not exist.
LOAD = "import os, sys\nwhile not os.path.exists(sys.argv[1]): sum(range(20000)); __import__('time').sleep(.001)"


def expected(lines):
    """By series (name, key of its table or None): the samples that a record or feed says, as [(ms, value)]."""
    header, columns, names, found, sums = lines[0], [], {}, {}, {}

    def add(series, ms, value, kind):
        if value is None:
            return
        if kind == "amount":
            value = sums[series] = sums.get(series, 0) + value
        found.setdefault(series, []).append((ms, value))

    for line in lines[1:]:
        if "columns" in line:
            columns = line["columns"]
        elif "rows" in line:
            for table, rows in line["rows"].items():
                names.setdefault(table, {}).update({row["index"]: row["key"] for row in rows})
        elif isinstance(line, list) and line[0] == "r":
            ms = (round(header["start"] * 1e9) + round(line[1] * 1e9)) // 1_000_000
            for (name, _, kind), value in zip(columns, line[4]):
                if not name.startswith("exits."):
                    add((name.replace(".", "_"), None), ms, value, kind)
            for table, rows in line[6].items():
                if table not in ROWS:
                    continue
                kinds = header["tables"][table]
                numbered = rows.items() if isinstance(rows, dict) else enumerate(rows)
                for number, values in numbered:
                    values = values or [0] * len(kinds)
                    for (name, _, kind), value in zip(kinds, values):
                        add((f"{table}_{name}", names[table][int(number)]), ms, value, kind)
    return found


def totals(lines):
    """The sums of the end line, by name."""
    return {name.replace(".", "_"): values[2] for name, values in lines[-1]["end"]["statistics"].items() if values[2] is not None}


def stored(receiver, run):
    """By series as in `expected`: what the receiver has; and the labels of all of them, but for names and keys."""
    found, labels = {}, set()
    for pairs, samples in receiver.series(f'{{__name__=~"{PREFIX}.*",run="{run}"}}').items():
        one = dict(pairs)
        name = one.pop("__name__")[len(PREFIX):]
        key = next((one.pop(table) for table in ROWS if table in one), None)
        labels.add(tuple(sorted(one.items())))
        found[name, key] = samples
    return found, labels


def same_times(times, samples):
    """Both are rounded to milliseconds, from sums of doubles; one moment more has the totals of the end line."""
    return len(times) - len(samples) in (0, 1) and all(abs(a - b) <= 1 for a, (b, _) in zip(times, samples))


def all_there(got, wanted):
    return got if all((name, key) in got[0] or (name + "_total", key) in got[0] for name, key in wanted) else None


def same(receiver, lines):
    """The receiver has each row of the record once, with its value, and the exact sums of the end line."""
    wanted = expected(lines)
    # VictoriaMetrics shows a new series some time after it has accepted it.
    found, labels = wait_for(lambda: all_there(stored(receiver, lines[0]["id"]), wanted), "series are missing")
    amounts = totals(lines)
    header = lines[0]
    assert labels == {(("host", header["host"]["name"]), ("job", "nightly"), ("run", header["id"]))}
    checked = 0
    for (name, key), samples in wanted.items():
        counter = (name + "_total", key) in found
        got = found[name + "_total" if counter else name, key]
        times = [t for t, _ in got]
        assert times == sorted(set(times)), "a sample is there twice"
        # A moment after the last row has the exact total, where the sum of rounded rows is less.
        assert same_times(times, samples), (name, key)
        for (_, value), (_, wanted_value) in zip(got, samples):
            assert value == pytest.approx(wanted_value, rel=1e-9, abs=1e-5 * len(samples)), (name, key)
        if counter:
            assert [v for _, v in got] == sorted(v for _, v in got), "a counter fell"
            if key is None:
                assert got[-1][1] == pytest.approx(amounts[name], abs=1e-9, rel=1e-12), name
        checked += len(got)
    assert ("process_cpu_seconds_total", None) in found and ("program_rss_bytes", "python3") in found
    fixed = {name.replace(".", "_") for name in header["fixed"]} | {
        f"{table}_{name}" for table in ROWS for name, _, kind in header["tables"][table] if kind == "fixed"} | {
        f"{table}_{name}" for line in lines if "rows" in line for table, rows in line["rows"].items() for row in rows for name in row}
    more = {name for name, key in found if (name, key) not in wanted and (name.removesuffix("_total"), key) not in wanted}
    assert more <= fixed, "it has more than the record"
    return checked


def spooled(tmp_path):
    folder = tmp_path / "state/resource-tracker/push"
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()) if folder.exists() else []


@pytest.fixture
def job(start, tmp_path):
    """job(*words): a recorder around a load, and how to end it: returns the lines of its record and stderr."""
    def begin(*words, **more):
        record, stop = tmp_path / "run.jsonl", tmp_path / "stop"
        process = start("--no-config", "-i", "0.05", "-n", "nightly", "--record", record, *words, "--",
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


def companion(process):
    """The pid of the companion of a recorder: not the command."""
    def find():
        for pid in children_of(process.pid):
            try:
                if os.readlink(f"/proc/{pid}/exe").endswith("resource-tracker-push"):
                    return pid
            except OSError:
                pass
        return None
    return wait_for(find, "no companion")


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
    process = job("--push", f"prometheus={receiver.url}", "--push-drain", "600s")
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
    process = job("--push", f"prometheus={receiver.url}")
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
        process = job("--push", f"prometheus={agent.url}", "--push-drain", "600s")
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


def test_otlp(job, faulty):
    """Request by request as the specification has it: resource, scope, gauges and sums with a start."""
    process = job("--push", f"otlp={faulty.url}")
    wait_for(lambda: process.rows() > 20, "no rows")
    lines, _ = process.end()
    wanted, found, header = expected(lines), {}, lines[0]
    assert {(r.path, r.headers["Content-Type"], r.headers["Content-Encoding"]) for r in faulty.requests} == {
        ("/v1/metrics", "application/x-protobuf", "gzip")}
    for request in faulty.requests:
        (_, whole), = fields(gzip.decompress(request.body))
        (one, resource), (two, scope) = fields(whole)
        assert (one, two) == (1, 2)
        assert attributes(resource, 1) == {"service.name": "nightly", "service.instance.id": header["id"],
                                           "host.name": header["host"]["name"]}
        assert dict(fields(fields(scope)[0][1]))[1] == b"resource-tracker"
        for _, metric in fields(scope)[1:]:
            parts = dict(fields(metric))
            name, unit, kind = parts[1].decode(), parts[3].decode(), 7 if 7 in parts else 5
            data = fields(parts[kind])
            assert name.startswith("resource_tracker.") and parts[2]
            assert unit == {"bytes": "By", "seconds": "s", "cores": "{cpu}", "pct": "%"}.get(name.split("_")[-1], unit)
            assert [pair for pair in data if pair[0] != 1] == ([(2, 2), (3, 1)] if kind == 7 else [])
            for _, point in data[:len(data) - (2 if kind == 7 else 0)]:
                values = dict(fields(point))
                key = next(iter(attributes(point, 7).values()), None)
                start, now = (int.from_bytes(values[i], "little") if i in values else None for i in (2, 3))
                assert (start is not None) == (kind == 7) and (start is None or start <= now)
                found.setdefault((name.replace("resource_tracker.", "").replace(".", "_"), key), []).append(
                    (now // 10**6, struct.unpack("<d", values[4])[0]))
    for series, samples in wanted.items():
        got = found[series]
        assert same_times([t for t, _ in got], samples), series
        for (_, value), (_, wanted_value) in zip(got, samples):
            assert value == pytest.approx(wanted_value, rel=1e-9, abs=1e-5 * len(samples)), series
    for name, total in totals(lines).items():
        assert found[name, None][-1][1] == pytest.approx(total, rel=1e-12, abs=1e-9)


def attributes(message, field):
    """Those of a message, by key: texts."""
    pairs = [dict(fields(part)) for number, part in fields(message) if number == field]
    return {pair[1].decode(): dict(fields(pair[2]))[1].decode() for pair in pairs}


def test_a_feed_in_a_file_is_sent(receiver, job, run, tmp_path):
    process = job("--feed", tmp_path / "run.feed")
    wait_for(lambda: process.rows() > 20, "no rows")
    lines, _ = process.end()
    done = run("push", tmp_path / "run.feed", "--to", f"prometheus={receiver.url}")
    assert (done.returncode, done.stderr) == (0, "")
    assert same(receiver, lines)
