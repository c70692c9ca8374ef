"""test_shown.py - names that control a terminal or the order of letters: no output for people contains them."""
import json
import os
import re
import subprocess

import pytest

# A right-to-left override, an escape sequence, C1's, line separators and the isolates of bidirectional text.
HOSTILE = "e\u202evil\x1b[31m\u009b2J\u2028\u2066\u200f\u061c\x07.x"
UNFIT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def said(tracker, tmp_path):
    """said(*words, status, **environment): the tracker's output, which must be printable; it exits with `status`."""
    def check(*words, status=None, **environment):
        done = subprocess.run([tracker, *map(str, words)], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True,
                              env=dict(os.environ, **environment))
        text = (done.stdout + done.stderr).decode()
        assert status is None or done.returncode == status, (words, text)
        assert not UNFIT.search(text), (words, [hex(ord(c)) for c in UNFIT.findall(text)], text)
        return text
    return check


@pytest.mark.parametrize("words", [
    [HOSTILE], ["--" + HOSTILE], ["-c", HOSTILE, "true"], ["--tag", HOSTILE, "true"], ["-i", HOSTILE, "true"],
    ["-o", HOSTILE + "/x", "true"], ["--record", HOSTILE + "/x", "true"], ["--gpus", HOSTILE, "true"],
    ["-o", "there", "--record", "there", "true"], ["--root", HOSTILE, "true"], ["-p", HOSTILE],
    ["--stream", HOSTILE, "true"], ["region", HOSTILE], ["help", HOSTILE], ["metrics", HOSTILE],
    ["summary", HOSTILE], ["report", HOSTILE], ["report", "there", "-o", HOSTILE + "/x"], ["compare", HOSTILE, HOSTILE],
    ["compare", "there", "there", "--fail-on", HOSTILE], ["recommend", HOSTILE], ["recommend", "--" + HOSTILE],
    ["export", "--to", HOSTILE], ["export", "--to", "csv", HOSTILE], ["runs", HOSTILE], ["runs", "rm", HOSTILE],
    ["runs", "--directory", HOSTILE], ["plot", HOSTILE], ["plot", "there", "-o", HOSTILE],
    ["plot", "there", "-o", "p.svg", "--metrics", HOSTILE], ["verify", HOSTILE], ["verify", "--only", HOSTILE],
])
def test_complaints(said, run, tmp_path, words):
    run("--quiet", "--record", tmp_path / "there", "true")
    text = said(*words)
    assert "?" in text or "there" in words or "takes" in text, text


def test_warnings(said, tmp_path):
    (tmp_path / "resource-tracker.toml").write_text(f"[tracker]\n'{HOSTILE[0:5]}\u202e' = 1\n", encoding="utf-8")
    text = said("--record", "none", "true", **{"RESOURCE_TRACKER_INTERV\u202e": "1"})
    assert text.count("resource-tracker: ") >= 2 and "INTERV?" in text, text


def test_a_run_and_all_its_outputs(said, tracker, page_built, tmp_path, lines_of):
    """Each name of a run is hostile: program, arguments, folder, job, tags, regions; then each text of its record."""
    folder = tmp_path / HOSTILE
    folder.mkdir()
    program = folder / HOSTILE
    program.write_text("#!/bin/sh\n\"$TRACKER\" region begin \"$1\"; sleep 0.3; \"$TRACKER\" region mark \"$1\"; exit 3\n")
    program.chmod(0o755)
    record = folder / "r.jsonl"
    text = said("--job-name", HOSTILE, "--tag", f"{HOSTILE}={HOSTILE}", "--record", record, "-i", "0.1", "--", program, HOSTILE,
                TRACKER=str(tracker))
    assert "Command" in text
    every = folder / "every.jsonl"
    lines = [strings_become(line, HOSTILE) for line in lines_of(record)]
    every.write_text("".join(json.dumps(line) + "\n" for line in lines))
    form = [] if page_built else ["--json"]
    for path in record, every:
        for words in [["summary", path], ["summary", path, "--markdown"], ["report", path, *form, "-o", tmp_path / "page"],
                      ["compare", path, path], ["compare", path, path, "--by", "program"],
                      ["compare", path, path, "--markdown"], ["recommend", path], ["recommend", path, "--for", "slurm"],
                      ["recommend", path, "--for", "kubernetes"], ["runs", "--directory", folder], ["runs", "show", path],
                      ["plot", path, "-o", tmp_path / "p.svg"], ["export", "--to", "csv", path, "-o", tmp_path / "t.csv"]]:
            said(*words, status=0)


# Words of the format itself, without which the line has no meaning.
KEPT = {"record", "name", "unit", "kind", "columns", "schema", "version", "tracker", "format", "source", "basis", "table",
        "mode", "end"}


def strings_become(value, name, key=None):
    if isinstance(value, dict):
        return {k: strings_become(v, name, k) for k, v in value.items()}
    if isinstance(value, list):
        return [strings_become(v, name, key) for v in value]
    return name if isinstance(value, str) and value != "r" and key not in KEPT else value
