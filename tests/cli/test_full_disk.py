"""test_full_disk.py - a disk that is full when a run begins and has room later, simulated by a limit of file size."""
import fcntl
import json
import os
import resource
import subprocess

import pytest

from processes import wait_for


def header_bytes(run, tmp_path):
    record = tmp_path / "whole"
    assert run("-q", "--record", record, "--", "true").returncode == 0
    return len(record.read_bytes().split(b"\n")[0]) + 1


def begin(tracker, limit, *words):
    """Starts the tracker with a command that ends with its stdin; the samples on stderr show the rows taken."""
    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    return subprocess.Popen([tracker, "-q", "-i", "0.05", *words, "--", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, preexec_fn=small)


def make_room(process):
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def finish(process):
    process.communicate()
    assert process.returncode == 0


@pytest.mark.parametrize("fits", ["nothing", "the header", "almost the columns"])
def test_no_row_of_a_record_before_its_columns(tracker, run, lines_of, fits, tmp_path):
    limit = {"nothing": 10, "the header": 10, "almost the columns": 2000}[fits]
    if fits != "nothing":
        limit += header_bytes(run, tmp_path)
    record, samples = tmp_path / "record", tmp_path / "fifo"
    subprocess.run(["mkfifo", samples], check=True)
    process = begin(tracker, limit, "--record", record, "-o", samples)
    with open(samples, encoding="utf-8") as lines:
        fcntl.fcntl(lines, fcntl.F_SETPIPE_SZ, 1 << 20)         # no sample is lost where they are read some seconds late
        taken = [lines.readline() for _ in range(8)]
        wait_for(record.exists, "the record was opened")
        assert all(taken) and record.stat().st_size <= limit
        make_room(process)
        taken += [lines.readline() for _ in range(8)]
        process.stdin.close()
        process.stdin = None
        taken += lines.readlines()
    finish(process)
    lines = lines_of(record)
    kinds = ["row" if isinstance(line, list) else next(iter(line)) for line in lines]
    assert kinds[0] == "record" and kinds[-1] == "end"
    assert kinds.index("columns") < kinds.index("row") and kinds.index("rows") < kinds.index("row")
    assert kinds.count("row") == len(taken) == lines[-1]["end"]["samples"]      # they waited: none is lost
    assert run("summary", record).returncode == 0


def test_no_row_of_csv_before_its_header(tracker, tmp_path):
    samples, feed = tmp_path / "samples.csv", tmp_path / "feed"
    os.mkfifo(feed)
    waiting = os.open(feed, os.O_RDONLY | os.O_NONBLOCK)        # a feed without a reader is not opened
    process = begin(tracker, 100, "--csv", "process", "-o", samples, "--record", "none", "--feed", feed)

    def pass_rows(lines):
        for _ in range(10):
            wait_for(lambda: lines.readline().startswith('["r"'), "a row")
    with open(feed, encoding="utf-8") as lines:
        os.close(waiting)
        pass_rows(lines)
        wait_for(samples.exists, "the file was opened")
        assert samples.stat().st_size <= 100
        make_room(process)
        pass_rows(lines)
        process.stdin.close()
        process.stdin = None
        lines.readlines()
    finish(process)
    header, *rows = samples.read_text().splitlines()
    assert header.startswith("timestamp,") and rows and all(row[0].isdigit() for row in rows)


def test_a_record_that_lost_its_columns_is_read(run, tmp_path):
    """A record as an older recorder left it: its remaining values are reported."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert run("-q", "-i", "0.05", "--record", whole, "--", "sleep", "0.3").returncode == 0
    lines = whole.read_text().splitlines()
    for lost in (["columns"], ["rows"], ["columns", "rows"], ["columns", "rows", "end"]):
        cut.write_text("\n".join(line for line in lines if not any(line.startswith(f'{{"{word}"') for word in lost)) + "\n")
        done = run("summary", "--json", cut)
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout)
