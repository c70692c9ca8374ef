"""test_installed.py - the library from the side of its users: installed, found by pkg-config, linked."""
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import jsonschema
import pytest

from test_headers import HEADERS, PROGRAM, STRICT

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD") or ROOT / "build/dev")
CC = os.environ.get("CC") or "cc"
SANITIZE = [f"-fsanitize={os.environ['SANITIZE']}"] if os.environ.get("SANITIZE") else []
EXAMPLES = ["walk_metrics", "track_pid", "stream_csv", "read_record", "feed_sink"]
HEADERS_OF_LIBRARY = ["resource_tracker.h", "resource_tracker_records.h"]


def declared():
    text = "".join((ROOT / "include" / name).read_text() for name in HEADERS_OF_LIBRARY)
    return set(re.findall(r"RT_API[^;]*?\b(rt_\w+)\(", text))


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """The folder in which the library is installed, which is not the one that the build was configured for."""
    there = tmp_path_factory.mktemp("installed")
    subprocess.run(["cmake", "--install", BUILD, "--prefix", there], check=True, capture_output=True)
    return there


@pytest.fixture(scope="module")
def environment(prefix):
    found = next(prefix.rglob("resource-tracker.pc")).parent
    library = next(prefix.rglob("libresource-tracker.so")).parent
    return os.environ | {"PKG_CONFIG_PATH": str(found), "LD_LIBRARY_PATH": str(library),
                         "ASAN_OPTIONS": "verify_asan_link_order=0"}


def pkg_config(environment, prefix, *what):
    if not shutil.which("pkg-config"):
        pytest.fail("pkg-config is missing: apt-get install pkgconf", pytrace=False)
    text = subprocess.run(["pkg-config", f"--define-variable=prefix={prefix}", *what, "resource-tracker"],
                          check=True, capture_output=True, text=True, env=environment).stdout
    return text.split()


@pytest.fixture(scope="module", params=["shared", "static"])
def programs(request, prefix, environment, tmp_path_factory):
    """The examples, linked against the installed library: {name: path}."""
    there = tmp_path_factory.mktemp(request.param)
    flags = pkg_config(environment, prefix, "--cflags")
    if request.param == "shared":
        flags += pkg_config(environment, prefix, "--libs")
    else:
        flags += [str(next(prefix.rglob("libresource-tracker.a"))), "-lm", "-pthread"]
    for name in EXAMPLES:
        subprocess.run([CC, "-std=gnu11", *STRICT, *SANITIZE, "-o", there / name, ROOT / "examples" / f"{name}.c",
                        *flags], check=True)
    return {name: there / name for name in EXAMPLES}


def test_a_program_can_watch_itself_and_name_its_regions(prefix, environment, tmp_path):
    flags = pkg_config(environment, prefix, "--cflags", "--libs")
    subprocess.run([CC, "-x", "c", "-std=c11", *STRICT, *SANITIZE, "-o", tmp_path / "program", "-", *flags],
                   input="".join(HEADERS) + PROGRAM, text=True, check=True)
    assert subprocess.run([tmp_path / "program"], env=environment).returncode == 0


def test_only_declared_names_are_exported(prefix):
    shared = next(prefix.rglob("libresource-tracker.so"))
    names = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", shared], check=True,
                           capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in names.splitlines()} - {"RESOURCE_TRACKER_0.1@@RESOURCE_TRACKER_0.1",
                                                                    "RESOURCE_TRACKER_0.1"}
    assert exported == {f"{name}@@RESOURCE_TRACKER_0.1" for name in declared()}


@pytest.mark.skipif(bool(SANITIZE), reason="a sanitizer adds names of its own")
def test_the_static_library_exports_no_other_names(prefix):
    archive = next(prefix.rglob("libresource-tracker.a"))
    names = subprocess.run(["nm", "-g", "--defined-only", archive], check=True, capture_output=True, text=True).stdout
    assert {line.split()[-1] for line in names.splitlines() if line[:1].isalnum() and line.split()[-2:-1] == ["T"]} \
        == declared()
    assert not re.search(r" [BDC] ", names), "a global variable"


def test_walk_metrics(programs, environment):
    result = subprocess.run([programs["walk_metrics"]], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    busy = re.search(r" cpu\.utilization_cores: (\S+) cores \(level\)", result.stdout)
    assert 0 <= float(busy[1]) <= os.cpu_count()
    assert re.search(r" memory\.total_bytes: \d+ bytes \(fixed\)", result.stdout)
    assert "nan" not in result.stdout


def test_feed_sink(programs, environment, tmp_path):
    """The job ends once the sink has written the events until then."""
    sink, out, record = programs["feed_sink"], tmp_path / "out", tmp_path / "record"
    out.touch()
    done = subprocess.run([BUILD / "resource-tracker", "--quiet", "--record", record, "--interval", "0.05",
                           "--feed-to", f"{sink} process.count {out}", "--", "sh", "-c",
                           f'until [ "$(wc -l < {out})" -ge 3 ]; do sleep 0.02; done'],
                          capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    times, counts = zip(*(map(float, line.split()) for line in out.read_text().splitlines()))
    assert sorted(times) == list(times) and max(counts) >= 1
    for words, said in [([], "takes"), (["process.none", out], "takes"), (["process.count", "/dev/full"], "cannot write"),
                        (["process.count", tmp_path / "no/folder"], "cannot open")]:
        done = subprocess.run([sink, *words], stdin=record.open(), capture_output=True, text=True, env=environment)
        assert done.returncode == 1 and said in done.stderr


def test_track_pid(programs, environment):
    with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as busy:
        try:
            result = subprocess.run([programs["track_pid"], str(busy.pid), "5"], capture_output=True, text=True,
                                    env=environment)
        finally:
            busy.kill()
    assert result.returncode == 0, result.stderr
    lines = [json.loads(text) for text in result.stdout.splitlines()]
    line = lines[-1]
    jsonschema.validate(line, json.loads((ROOT / "docs/reference/sample.schema.json").read_text()))
    assert line["tracked_pid"] == busy.pid
    assert sum(line["process"]["cpu_seconds"] for line in lines) > 0
    assert math.isclose(line["cpu"]["process_cores_used"], line["process"]["cpu_cores"])
    assert re.match(rf"{busy.pid} and 0 descendants: ", result.stderr)


def test_stream_csv_until_the_process_ends(programs, environment, tmp_path):
    rows = tmp_path / "rows.csv"
    with subprocess.Popen(["sleep", "infinity"]) as sleeper:
        stream = subprocess.Popen([programs["stream_csv"], str(sleeper.pid), rows], stderr=subprocess.PIPE, text=True,
                                  env=environment)
        try:
            while not rows.exists() or rows.read_text().count("\n") < 3:
                time.sleep(0.01)
        finally:
            sleeper.kill()
        errors = stream.communicate()[1]
    assert (stream.returncode, errors) == (0, "stream_csv: ended\n")
    header, *lines = [line.split(",") for line in rows.read_text().splitlines()]
    assert header[:2] == ["timestamp", "pid"] and len(lines) >= 2
    assert all(len(line) == len(header) and line[1] == str(sleeper.pid) for line in lines)


def test_stream_csv_until_interrupted(programs, environment):
    with subprocess.Popen([programs["stream_csv"]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment) as stream:
        header, row = stream.stdout.readline(), stream.stdout.readline()
        stream.send_signal(signal.SIGINT)
        _, errors = stream.communicate()
    assert (stream.returncode, errors) == (0, "stream_csv: stopped\n")
    assert header.count(",") == row.count(",") == 20


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """The record of a run of some rows with a program that burns CPU time."""
    path = tmp_path_factory.mktemp("record") / "run.jsonl"
    burn = "import sys, time\nwhile time.process_time() < 0.3 or open(sys.argv[1]).read().count('[\"r\"') < 2: pass"
    subprocess.run([BUILD / "resource-tracker", "--quiet", "--interval", "0.05", "--record", path, "--",
                    "/usr/bin/python3", "-c", burn, path], check=True)
    return path


def rows_of(record):
    """Reads the record by its format alone: (timestamp, {column: value}) for each row."""
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    start, columns, rows = lines[0]["start"], [], []
    for line in lines:
        if isinstance(line, list) and line[0] == "r":
            rows.append((start + line[1], dict(zip(columns, line[4]))))
        elif "columns" in line:
            columns = [name for name, *_ in line["columns"]]
    return rows


def test_read_record(programs, environment, record):
    result = subprocess.run([programs["read_record"], record], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    expected = rows_of(record)
    read = [[float(value) for value in line.split(",")] for line in result.stdout.splitlines()]
    assert len(read) == len(expected) >= 2
    for (time_read, *values), (timestamp, row) in zip(read, expected):
        assert math.isclose(time_read, timestamp, abs_tol=2e-3)
        for value, name in zip(values, ["process.cpu_seconds", "process.rss_bytes"]):
            there = row.get(name)
            assert math.isnan(value) if there is None else math.isclose(value, there, rel_tol=1e-5)
    used = json.loads(record.read_text().splitlines()[-1])["end"]["statistics"]["process.cpu_seconds"][2]
    assert 0.25 < sum(row[1] for row in read if not math.isnan(row[1])) <= used * 1.001 + 0.001


def test_read_record_of_another_file(programs, environment, tmp_path):
    (tmp_path / "none.jsonl").write_text("hello\n")
    for path, sentence in ((tmp_path / "none.jsonl", "this is not a record of resource-tracker"),
                           (tmp_path / "missing", "No such file or directory")):
        result = subprocess.run([programs["read_record"], path], capture_output=True, text=True, env=environment)
        assert result.returncode == 1 and sentence in result.stderr
