"""test_own_cost.py - the tracker's own cost as it reports it, compared with that seen by its parent."""
import json
import os
import re
import subprocess

import pytest


@pytest.fixture
def costs(tracker, lines_of, tmp_path):
    """costs(prefix, *command): the reported cost of the tracker, in seconds, and its CPU time as seen by its parent."""
    def measure(prefix, *command):
        record, notes = tmp_path / "record.jsonl", tmp_path / "notes"
        with open(notes, "wb") as stderr:
            started = subprocess.Popen([*prefix, tracker, "--record", record, "--", *command], stderr=stderr)
            _, status, usage = os.wait4(started.pid, 0)
            started.returncode = os.waitstatus_to_exitcode(status)
        assert status == 0, notes.read_text()
        known = lines_of(record)[-1]["end"]["statistics"]
        said = known["tracker.cpu_seconds"][2]
        again = json.loads(subprocess.run([tracker, "summary", record, "--json"], capture_output=True, check=True).stdout)
        assert again["metrics"]["tracker.cpu_seconds"]["sum"] == said
        shown = re.search(r"Tracker +CPU ([\d.]+)s", notes.read_text())
        assert float(shown[1]) == pytest.approx(said, abs=0.00051)
        return said, usage.ru_utime + usage.ru_stime - known["process.cpu_seconds"][2]
    return measure


@pytest.mark.parametrize("command", [["true"], ["sleep", "1.2"]])
def test_start_and_end_are_counted(costs, command):
    """Regression: of 13 ms around `true` 1.2 were reported.  The smaller part, after the last line, is not included."""
    shares = []
    for _ in range(5):
        said, truth = costs([], *command)
        assert 0 < said <= truth + 0.002
        shares.append(said / truth)
    assert max(shares) > 0.6, shares


def test_use_of_a_shell_before_exec_is_not_counted(costs):
    loop = 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; exec "$@"'
    said, truth = costs(["sh", "-c", loop, "sh"], "true")
    assert truth > 0.05 and said < truth - 0.03
