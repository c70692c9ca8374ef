"""test_summary_forms.py - the summary of the recorder as JSON, Markdown or by a template, on stderr, in a file, for CI."""
import json
import os
import pathlib
import re
import signal
import subprocess

import pytest

from terminal import Terminal

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAILING = ["sh", "-c", "sleep 0.2; exit 3"]


def test_names_of_templates_are_documented(run):
    facts = re.findall(r'^FACT\((\w+), "(.*)"\)$', (ROOT / "src/core/run_facts.def").read_text(), re.M)
    quantities = re.findall(r"^QUANTITY\((\w+),", (ROOT / "src/core/quantities.def").read_text(), re.M)
    page = (ROOT / "docs/reference/runs.md").read_text()
    assert len(facts) > 5 and all(f"\n| `{name}` | {help} |\n" in page for name, help in facts)
    listed = run("summary", "--help").stdout.partition("Names:\n")[2]
    assert re.findall(r"^  (\w+) ", listed, re.M) == [name for name, _ in facts] + quantities


def test_forms_on_stderr(run):
    done = run("-i", "0.05", "--summary", "json", "--", *FAILING)
    only = json.loads(done.stderr)
    assert done.returncode == 3 and done.stdout == "" and only["exit_code"] == 3 and only["status"] == "failed"
    assert run("summary", "last", "--form", "json").stdout == done.stderr
    done = run("-i", "0.05", "--summary", "markdown", "--", *FAILING)
    assert done.returncode == 3 and done.stderr == run("summary", "last", "--markdown").stdout
    done = run("-i", "0.05", "--summary", r"template:{name} {status} {exit_code}\t{signal}\t{samples}", "--", *FAILING)
    assert done.returncode == 3 and re.fullmatch(r"sh failed 3\tunknown\t\d+\n", done.stderr)
    assert "Status      exit 3" in run("--summary", "text", "--", *FAILING).stderr


def test_a_template_agrees_with_json(run):
    assert run("-q", "-i", "0.05", "-n", "a job", "--tag", "a=b", "--", "sleep", "0.2").returncode == 0
    known = json.loads(run("summary", "last", "--json").stdout)
    for name, value in known["quantities"].items():
        line = run("summary", "last", "--template", f"{{{name}:number}}").stdout.strip()
        assert line == "unknown" if value is None else float(line) == pytest.approx(value, abs=1e-5), name
    facts = run("summary", "last", "--template", "{id} {name} {status} {exit_code} {start} {samples} {record}").stdout
    assert facts == f"{known['id']} a job ok 0 {known['start_utc']} {known['samples']} {known['record']}\n"
    assert re.fullmatch(r"[\d.]+ [KM]iB [\d.]+s\n", run("summary", "last", "--template", "{peak_rss} {duration}").stdout)


def test_a_file_is_appended_to(run, tmp_path):
    file = tmp_path / "runs.jsonl"
    for quiet in ([], ["-q"]):
        done = run("--summary", "json", "--summary-file", file, *quiet, "--", "true")
        assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line)["command"] for line in file.read_text().splitlines()] == [["true"]] * 2
    assert run("--summary-file", tmp_path / "text", "true").stderr == ""
    assert "Command     true" in (tmp_path / "text").read_text()
    done = run("--summary", "template:{status}", "--summary-file", "-", "--", "echo", "mine")
    assert (done.stdout, done.stderr) == ("mine\nok\n", "")


def test_a_file_that_cannot_be_opened_stops_the_run(run, tmp_path):
    done = run("--summary-file", tmp_path / "no/such", "touch", tmp_path / "started")
    assert (done.returncode, done.stdout) == (125, "") and not (tmp_path / "started").exists()
    assert done.stderr == f"resource-tracker: cannot write to {tmp_path}/no/such: No such file or directory\n"
    done = run("--summary-file", tmp_path / "one", "--record", tmp_path / "one", "true")
    assert done.returncode == 125 and "the same file: --summary-file" in done.stderr
    for wrong in ("jsn", "template:", "template:{nosuch}", "template:{id"):
        done = run("--summary", wrong, "touch", tmp_path / "started")
        assert done.returncode == 125 and done.stderr.startswith("resource-tracker: --summary: ")
        assert done.stderr.count("\n") == 1 and not (tmp_path / "started").exists()


def test_a_full_disk_is_one_sentence(run):
    for form in ("text", "json"):
        done = run("--summary", form, "--summary-file", "/dev/full", "--", *FAILING)
        assert done.returncode == 3 and done.stderr.count("\n") == 1 and "No space left" in done.stderr
    done = run("--ci", "--", *FAILING, env={**os.environ, "GITHUB_STEP_SUMMARY": "/dev/full"})
    assert done.returncode == 3 and done.stderr.count("No space left") == 1 and "Status      exit 3" in done.stderr


def test_without_a_record_it_is_text(run):
    done = run("--record", "none", "--summary", "template:{status}", "--", *FAILING)
    first, rest = done.stderr.split("\n", 1)
    assert done.returncode == 3 and "Status      exit 3" in rest
    assert first == "resource-tracker: --summary: text instead of template: no record of the run was written"


def test_without_the_analysis_program_it_is_text(open_tracker, run):
    """It is not beside the recorder, and not where it would be installed."""
    done = run("--summary", "json", "--", *FAILING, program=open_tracker)
    assert done.returncode == 3 and "Status      exit 3" in done.stderr
    assert done.stderr.startswith("resource-tracker: --summary: text instead of json: resource-tracker-analysis is not installed\n")


@pytest.mark.parametrize("ends, says", [("kill -9 $$", "was ended by signal 9"), ("echo resource-tracker summary: no luck; exit 125", "text instead of json: no luck\n")])
def test_an_analysis_program_that_fails(open_tracker, run, ends, says):
    program = open_tracker.parent / "resource-tracker-analysis"
    program.write_text(f"#!/bin/sh\necho half of it\n{ends}\n" if "kill" in ends else f"#!/bin/sh\n{ends}\n")
    program.chmod(0o755)
    done = run("--summary", "json", "--", *FAILING, program=open_tracker)
    assert done.returncode == 3 and "Status      exit 3" in done.stderr and says in done.stderr
    assert "half of it" not in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_descriptors(tracker, tmp_path, closed):
    """The pipe to the analysis program can then be one of them."""
    file = tmp_path / "file"
    script = f"'{tracker}' --summary json --summary-file '{file}' -- sh -c 'exit 3' {closed}"
    assert subprocess.run(["sh", "-c", script]).returncode == 3
    assert json.loads(file.read_text())["exit_code"] == 3


def test_a_reader_of_stderr_that_is_gone(tracker):
    """The exit status is the command's."""
    with subprocess.Popen([tracker, "--summary", "json", "--", "sh", "-c", "read _; exit 4"], stdin=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        process.stderr.close()
        process.stdin.close()
        assert process.wait() == 4


def test_the_step_summary_of_github(run, tmp_path):
    step = tmp_path / "step"
    step.write_text("of another step\n")
    environment = {**os.environ, "GITHUB_STEP_SUMMARY": str(step)}
    assert run("--", *FAILING, env=environment).returncode == 3 and step.read_text() == "of another step\n"
    done = run("-i", "0.05", "--ci", "--", *FAILING, env=environment)
    assert done.returncode == 3 and "Status      exit 3" in done.stderr
    assert step.read_text() == "of another step\n" + run("summary", "last", "--markdown").stdout + "\n"
    done = run("-q", "--", "true", env={**environment, "RESOURCE_TRACKER_CI": "1"})
    assert (done.returncode, done.stderr) == (0, "") and step.read_text().count("### ") == 2
    for unset in ({}, {"GITHUB_STEP_SUMMARY": ""}):
        assert run("-q", "--ci", "--", "true", env={**os.environ, **unset}).stderr == ""
    done = run("--ci", "--", *FAILING, env={**os.environ, "GITHUB_STEP_SUMMARY": str(tmp_path / "no/such")})
    assert done.returncode == 3 and done.stderr.count("GITHUB_STEP_SUMMARY") == 1 and "Note " in done.stderr


def test_markdown_has_the_cause_and_the_advice(run):
    run("-q", "-i", "0.05", "--", "sh", "-c", f"sleep 0.2; kill -{int(signal.SIGSEGV)} $$")
    text = run("summary", "last", "--markdown").stdout
    assert "**SIGSEGV** after " in text and re.search(r"after \S+: \S", text)
    assert "| next run | request | why |" in text and "| memory | 128 MiB |" in text and "Confidence low: " in text


def test_markdown_has_programs_and_regions(run, loads):
    run("-q", "-i", "0.05", "--", "sh", "-c",
        f"echo 'begin short' >> $RESOURCE_TRACKER_REGIONS; sleep 0.05; echo 'end short' >> $RESOURCE_TRACKER_REGIONS; "
        f"echo 'begin a long one' >> $RESOURCE_TRACKER_REGIONS; {loads}/load_cpu --seconds 0.3; "
        "echo 'end a long one' >> $RESOURCE_TRACKER_REGIONS")
    text, known = run("summary", "last", "--markdown").stdout, json.loads(run("summary", "last", "--json").stdout)
    programs = re.search(r"^\| program \|.*\n\|.*\n((?:\|.*\n)+)", text, re.M)[1].splitlines()
    assert programs[0].startswith("| load\\_cpu | 1 | ") and any(line.startswith("| sh ") for line in programs)
    seconds = [float(re.search(r"\| ([\d.]+)s \|", line)[1]) for line in programs]
    assert sum(seconds) == pytest.approx(known["quantities"]["cpu_time"], rel=0.02, abs=0.02)
    first, second = sorted(known["regions"], key=lambda region: -region["seconds"])
    assert {first["name"], second["name"]} == {"a long one", "short"}
    assert text.index(f"| {first['name']} | 1 |") < text.index(f"| {second['name']} | 1 |")


def test_the_first_run_of_a_person_names_what_to_do_next(tracker, run):
    for first in True, False:
        with Terminal(["sh", "-c", f"'{tracker}' -- true; echo over"], env={**os.environ, "TERM": "xterm"}) as terminal:
            said = terminal.until(r"Record([\s\S]*)over").group(1)
        assert bool(re.search(r"Next +resource-tracker report last --open\r\n", said)) == first
    assert "Next" not in run("--", "true").stderr + run("summary", "last").stdout


def test_a_nested_recorder_does_not_write_to_the_file_of_the_outer(run, tracker, tmp_path):
    environment = {**os.environ, "RESOURCE_TRACKER_SUMMARY_FILE": str(tmp_path / "file"), "RESOURCE_TRACKER_SUMMARY": "template:{name}"}
    done = run("--", tracker, "-n", "inner", "--", "true", env=environment)
    assert done.returncode == 0 and done.stderr == "inner\n" and (tmp_path / "file").read_text() == "resource-tracker\n"
