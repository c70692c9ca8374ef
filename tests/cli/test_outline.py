"""test_outline.py - the first and the last line of a record give the same facts about its run as the whole record."""
import json

import pytest

# Ends when the record has some rows of it, however late the recorder comes by.
CODE = """
import os, pathlib, time
x = bytearray(30_000_000)
for i in range(8):
    end = time.process_time() + 0.05
    while time.process_time() < end: pass
    time.sleep(0.05)
    os.waitpid(os.spawnlp(os.P_NOWAIT, 'true', 'true'), 0)
record = pathlib.Path(os.environ["RESOURCE_TRACKER_RUN"])
while not record.exists() or record.read_text().count('\\n["r",') < 8: time.sleep(0.01)
"""


DEVICES = ("host_gpu_model", "host_gpu_count", "host_gpu_memory_mib", "host_storage_gb")


def without_rows(value):
    """Percentiles and devices need the rows."""
    if isinstance(value, dict):
        return {k: without_rows(v) for k, v in value.items()
                if k not in ("record", "notices", *DEVICES) and not k.startswith(("p50", "p95", "p99"))}
    return [without_rows(v) for v in value] if isinstance(value, list) else value


@pytest.fixture
def record(run, tmp_path):
    path = tmp_path / "whole.jsonl"
    assert run("-q", "-i", "0.02", "--record", path, "--", "/usr/bin/env", "python3", "-c", CODE).returncode == 0
    return path


def test_the_summary_of_header_and_end(run, record, tmp_path):
    ends, lines = tmp_path / "ends.jsonl", record.read_text().splitlines()
    ends.write_text(lines[0] + "\n" + lines[-1] + "\n")
    facts = [json.loads(run("summary", "--json", path).stdout) for path in (record, ends)]
    assert without_rows(facts[0]) == without_rows(facts[1])
    assert all(facts[1][name] is None for name in DEVICES)
    texts = [run("summary", path).stdout for path in (record, ends)]
    assert all(any(sign in text for sign in "▁▂▃▄▅▆▇█") for text in texts)      # the graphs, too


def by_time(known):
    """The mean of (value, seconds)."""
    seconds = sum(seconds for _, seconds in known)
    return sum(value * seconds for value, seconds in known) / seconds if seconds > 0 else None


def test_the_outline_agrees_with_the_rows(lines_of, record):
    """Amounts add up to those of the run; a level is the mean by time of the rows that know it."""
    lines = lines_of(record)
    end = lines[-1]["end"]
    outline = end["outline"]
    assert len(json.dumps(outline, separators=(",", ":"))) <= 8192 and 1 <= len(outline["points"]) <= 64
    times = [point[0] for point in outline["points"]]
    assert times == sorted(set(times))
    rows, names = [], None                      # (end, seconds, values by name)
    for line in lines:
        if "columns" in line:
            names = [column[0] for column in line["columns"]]
        elif isinstance(line, list) and line[0] == "r":
            rows.append((line[1], line[2], dict(zip(names, line[4]))))
    assert abs(times[-1] - rows[-1][0]) < 0.01
    for i, name in enumerate(outline["columns"]):
        if name == "t":
            continue
        total = end["statistics"].get(name, (None, None, None))[2]
        known = [point[i] for point in outline["points"] if point[i] is not None]
        assert known and name in names
        if total is not None:
            rounded = 0 if name.endswith("_bytes") else 0.0005 * len(known)   # a fraction has at least three decimals
            assert abs(sum(known) - total) <= rounded
            continue
        for point, before in zip(outline["points"], [0, *times]):
            inside = [(values[name], seconds) for t, seconds, values in rows if before + 1e-4 < t <= point[0] + 1e-4 and values[name] is not None]
            mean = by_time(inside)
            assert (point[i] is None) == (mean is None), (name, point[0])
            rounded = 0.5 if name == "process.count" else 0.01                # a count is whole
            assert mean is None or abs(point[i] - mean) <= 0.002 * abs(mean) + rounded, (name, point[0])


def test_a_record_that_was_cut_off_is_read_whole(run, record, tmp_path):
    cut = tmp_path / "cut" / "cut.jsonl"
    cut.parent.mkdir()
    cut.write_text("".join(line + "\n" for line in record.read_text().splitlines()[:-1]))
    [truncated], [whole] = (json.loads(run("runs", "--directory", folder, "--json").stdout) for folder in (cut.parent, tmp_path))
    assert truncated["id"] == whole["id"] and truncated["status"] == "truncated" and whole["status"] == "ok"
    assert truncated["samples"] == whole["samples"] > 0
    assert truncated["quantities"]["cpu_time"] == pytest.approx(whole["quantities"]["cpu_time"], rel=1e-3)
    assert "▁" in run("summary", cut).stdout or "█" in run("summary", cut).stdout
