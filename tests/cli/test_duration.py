"""test_duration.py - sampling ends at the requested time, not at the end of an interval."""
import os

import pytest


@pytest.mark.parametrize("how", ["watch", "attach", "command"])
def test_the_last_interval_is_shorter(run, how, lines_of, tmp_path):
    """Regression: it took whole intervals, here an hour."""
    record, samples = tmp_path / "record", tmp_path / "samples"
    until_sampled = ["sh", "-c", 'until [ -s "$0" ]; do sleep 0.05; done', samples]
    words = {"watch": [], "attach": ["-p", os.getpid()], "command": ["--", *until_sampled]}[how]
    done = run("-i", "3600", "--duration", "0.5", "-o", samples, "--record", record, *words)
    assert done.returncode == 0
    end = lines_of(record)[-1]["end"]
    assert end["samples"] == (2 if how == "command" else 1) and end["sampled_seconds"] >= 0.5
    assert len(samples.read_text().splitlines()) == end["samples"]


def test_rows_cover_the_elapsed_time(run, lines_of, tmp_path):
    record = tmp_path / "record"
    assert run("-q", "-i", "0.4", "--duration", "0.5", "--record", record).returncode == 0
    rows = [line for line in lines_of(record) if isinstance(line, list)]
    assert 1 <= len(rows) <= 2 and rows[-1][1] >= 0.5
    assert sum(row[2] for row in rows) == pytest.approx(rows[-1][1], abs=0.001)
