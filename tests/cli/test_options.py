"""test_options.py - options that measure nothing: help, version, errors, and metadata."""
import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def words_of(table, *macros):
    """The first argument of each line of a table in src/core."""
    return re.findall(rf"^(?:{'|'.join(macros)})\((\w+),? ?", (ROOT / "src/core" / table).read_text(), re.M)


COLLECTORS = words_of("collectors.def", "COLLECTOR")
COMMANDS = words_of("commands.def", "OWN", "ANALYSIS", "COMMAND")
RESERVED = words_of("commands.def", "RESERVED")


def test_help_goes_to_stdout(run):
    done = run("--help")
    assert done.returncode == 0 and done.stderr == ""
    assert "--interval" in done.stdout and "Examples:" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert run("help").stdout == done.stdout


def test_version(run):
    done = run("-V")
    assert done.returncode == 0 and done.stdout.startswith("resource-tracker ")


def test_a_mistake_is_one_sentence_and_nothing_starts(run, tmp_path):
    mark = tmp_path / "started"
    for arguments, said in [(["--intervall", "2"], "did you mean --interval?"),
                            (["-i", "0"], "too short"), (["--tag", "x"], "KEY=VALUE"),
                            (["-c", tmp_path / "none.toml"], "none.toml"),
                            (["-p", "1"], "--pid")]:
        done = run(*arguments, "touch", mark)
        assert done.returncode == 125, arguments
        assert said in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
        assert done.stdout == "" and not mark.exists()


def test_dashes_without_a_command(run):
    """`resource-tracker -- $JOB` with JOB unset: it would watch the machine without an end."""
    done = run("--")
    assert (done.returncode, done.stdout) == (125, "") and done.stderr == "resource-tracker: -- is followed by no command\n"


def test_a_misspelt_subcommand_is_a_command_that_is_not_found(run):
    done = run("reprt")
    assert done.returncode == 127 and done.stderr.endswith("did you mean report?\n") and done.stderr.count("\n") == 1
    for words in (["--", "reprt"], ["no-such-thing"], ["sh", "-c", "exit 127"]):
        assert "did you mean" not in run("--quiet", *words).stderr


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["metrics"], ["help", "--man"]])
def test_a_full_disk_is_reported(run, words):
    with open("/dev/full", "w", encoding="ascii") as full:
        done = run(*words, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 125 and done.stderr == "resource-tracker: cannot write to stdout\n"


def test_unnamed_file_and_unknown_variable_warn(run, tmp_path):
    (tmp_path / "resource-tracker.toml").write_text("[tracker]\nintervall = 3\n")
    environment = dict(os.environ, RESOURCE_TRACKER_INTERVL="3")
    done = run("--record", "none", "true", cwd=tmp_path, env=environment)
    assert done.returncode == 0
    assert "resource-tracker.toml:2" in done.stderr and "RESOURCE_TRACKER_INTERVAL?" in done.stderr


def test_a_token_of_a_service_is_noticed_once(run, tmp_path):
    """Its users expect uploads.  The command has it as before."""
    environment = dict(os.environ, SENTINEL_API_TOKEN="s3cr3t")
    done = run("--record", tmp_path / "record", "-o", tmp_path / "samples", "--", "printenv", "SENTINEL_API_TOKEN",
               env=environment)
    assert done.returncode == 0 and done.stdout == "s3cr3t\n"
    assert done.stderr.count("SENTINEL_API_TOKEN is set, but nothing is sent") == 1
    assert "s3cr3t" not in done.stderr + (tmp_path / "record").read_text() + (tmp_path / "samples").read_text()
    for words, more in ((["--quiet"], {}), ([], {"SENTINEL_API_TOKEN": ""})):
        assert "SENTINEL" not in run(*words, "--record", "none", "true", env=environment | more).stderr


def test_metric_reference(run):
    assert run("metrics", "--markdown").stdout == (ROOT / "docs/reference/metrics.md").read_text()
    metrics = json.loads(run("metrics", "--json").stdout)
    names = {(m["table"], m.get("group"), m["name"]) for m in metrics}
    assert len(names) == len(metrics) and ("total", "cpu", "utilization_cores") in names
    assert "utilization_cores" in run("metrics").stdout


def test_completions_and_page(run):
    for shell in ("bash", "zsh", "fish"):
        assert "record-keep-days" in run("help", "--completion", shell).stdout
    assert "# SYNOPSIS" in run("help", "--man").stdout
    assert run("help", "--completion", "tcsh").returncode != 0


def test_a_dash_is_stdout(run, tmp_path):
    done = run("--record", "none", "-o", "-", "-i", "0.1", "sleep", "0.3", cwd=tmp_path)
    assert done.returncode == 0 and json.loads(done.stdout.splitlines()[0])["tracked_pid"] > 0
    assert list(tmp_path.iterdir()) == []
    assert run("--record", "none", "-q", "-o", "-", "-i", "0.1", "sleep", "0.3").stdout == ""


def test_the_collectors_are_listed_everywhere(run):
    sample = json.loads(run("--samples", "1").stdout)["tracker"]["collectors"]
    assert set(sample) == set(COLLECTORS) - {"process"}                    # no process is tracked here
    done = run("--only", "nosuch", "true")
    assert done.returncode == 125 and done.stderr.endswith("there are: " + " ".join(COLLECTORS) + "\n")
    listed = run("--help").stdout.partition("What is measured:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  (\w+)", listed, re.M) == COLLECTORS
    for name in COLLECTORS:
        only = run("--samples", "1", "--only", name).stdout
        assert list(json.loads(only)["tracker"]["collectors"]) == ([] if name == "process" else [name])
        assert f"\n*{name}*\n\t" in run("help", "--man").stdout
        assert f"\n| `{name}` | " in (ROOT / "docs/reference/metrics.md").read_text()
    for shell in ("bash", "zsh", "fish"):
        assert " ".join(COLLECTORS) in run("help", "--completion", shell).stdout


@pytest.mark.parametrize("word", COMMANDS)
def test_every_subcommand_lists_its_options(run, word):
    done = run(word, "--help")
    if "is not installed" in done.stderr:
        pytest.skip("not built here")
    assert done.returncode == 0 and done.stderr == "" and done.stdout.startswith(f"Usage: resource-tracker {word}")
    assert f"\n  {word} " in run("--help").stdout and f"\n*{word}*" in run("help", "--man").stdout
    pages = "".join(page.read_text() for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
    assert f"resource-tracker {word}" in pages
    for shell in ("bash", "zsh", "fish"):
        assert " ".join(COMMANDS) in run("help", "--completion", shell).stdout


@pytest.mark.parametrize("word", RESERVED)
def test_a_reserved_word_runs_nothing(run, tmp_path, monkeypatch, word):
    """Later versions do not run these either; `--`, an option or a path before the word mark it as a command."""
    program = tmp_path / word
    program.write_text("#!/bin/sh\necho ran $1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for words in ([word], [word, "--help"], [word, "-b"]):
        done = run(*words)
        assert (done.returncode, done.stdout) == (125, "") and done.stderr.count("\n") == 1
        assert f"'{word}'" in done.stderr and done.stderr.endswith(f"write: resource-tracker -- {word}\n")
    for words in (["--", word], ["--quiet", "--", word], ["--quiet", word], [program]):
        done = run(*words, "x")
        assert (done.returncode, done.stdout) == (0, "ran x\n"), done.stderr
    assert word in run("--help").stdout.partition("Subcommands:")[2].partition("Examples:")[0]
    assert word not in run("help", "--completion", "bash").stdout.split()
    assert "did you mean" not in run(word[:-1] + "x").stderr


@pytest.mark.parametrize("name, wrong", [
    ("runs", ["runs", "--lmit", "3"]), ("runs", ["runs", "--since", "x"]), ("runs", ["runs", "delete"]),
    ("runs show", ["runs", "show"]), ("runs show", ["runs", "show", "last"]), ("runs prune", ["runs", "prune"]),
    ("runs rm", ["runs", "rm", "nosuch"]), ("summary", ["summary"]), ("summary", ["summary", "no/such"]),
    ("report", ["report", "--directory", "nowhere", "last"]), ("report", ["report", "no/such", "-o", "page"]),
    ("compare", ["compare", "a"]), ("compare", ["compare", "no/such", "no/such"]),
    ("compare", ["compare", "a", "b", "--fail-on", "x"]), ("recommend", ["recommend", "--limit", "x", "--job", "y"]),
    ("recommend", ["recommend", "no/such"]), ("export", ["export", "no/such", "--to", "csv"]),
    ("export", ["export", "x", "--ot", "csv"]), ("plot", ["plot", "no/such", "-o", "x.svg"]), ("plot", ["plot"]),
    ("verify", ["verify", "--only", "nosuch"]), ("verify", ["verify", "--nosuch"]), ("metrics", ["metrics", "x"]),
    ("region", ["region", "x"]), ("help", ["help", "x"]), ("help", ["help", "--completion", "tcsh"]),
])
def test_a_subcommand_complains_in_its_own_name(run, tmp_path, name, wrong):
    done = run(*wrong, cwd=tmp_path)
    if "is not installed" in done.stderr or "without cairo" in done.stderr:
        pytest.skip("not built here")
    assert done.returncode not in (0, 1) and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"resource-tracker {name}: ") and done.stderr.count(f"{name}: ") == 1
