"""test_before_exec.py - before its exec the command is a copy of the recorder, and not a program of the job."""
import os

import pytest

OURS = "resource-tracke"        # cut to the kernel's 15 characters


@pytest.mark.parametrize("words", [[], ["--no-children"], ["--pss", "never"], ["-i", "0.001"], ["--cpu-source", "ledger"]])
@pytest.mark.parametrize("command", [["true"], ["sleep", "0.1"], ["sh", "-c", "kill -9 $$"]])
@pytest.mark.parametrize("samples", [True, False])
def test_the_recorders_name_is_not_a_program(run, lines_of, words, command, samples, tmp_path):
    """Regression: with samples, the machine is read while the command waits, and the recorder's name stayed."""
    record, out = tmp_path / "record", tmp_path / "samples"
    done = run("--record", record, *(["-o", out] if samples else []), *words, "--", *command)
    assert OURS not in done.stderr.replace("resource-tracker", "")
    for path in [record] + [out] * samples:
        assert f'"{OURS}"' not in path.read_text()
    for line in lines_of(out) if samples else []:
        assert [root["command"] for root in line["roots"]] in ([command[0]], [""], [None])


def test_the_command_is_a_living_root(run, lines_of, tmp_path):
    """Regression: around a command `alive` was always 0."""
    out = tmp_path / "samples"
    until_sampled = ["sh", "-c", 'until grep -q \'"alive":.,"command":"sh"\' "$0"; do sleep 0.05; done', out]
    assert run("-q", "--record", "none", "-i", "0.05", "-o", out, "--", *until_sampled).returncode == 0
    roots = [line["roots"][0] for line in lines_of(out)]
    assert roots[-1]["alive"] == 0 and roots[-1]["command"] == "sh"
    assert any(root["alive"] == 1 and root["command"] == "sh" for root in roots)


def test_a_recorder_in_a_recorder_is_a_program(run, tracker, lines_of, tmp_path):
    """The inner recorder has called exec."""
    record, out = tmp_path / "record", tmp_path / "samples"
    until_sampled = ["sh", "-c", 'until grep -q \'"name":"sh"\' "$0"; do sleep 0.05; done', out]
    assert run("-q", "--record", record, "-i", "0.1", "-o", out, "--", tracker, "-q", "--record", "none", "--",
               *until_sampled).returncode == 0
    programs = [row["key"] for row in lines_of(record)[-1]["end"]["tables"]["program"]]
    assert os.path.basename(tracker)[:15] in programs and "sh" in programs
