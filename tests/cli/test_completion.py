"""test_completion.py - the words of subcommands, as the shells complete them: flags, values, runs."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from screen import Screen

ROOT = pathlib.Path(__file__).resolve().parents[2]
VALUES = dict(re.findall(r'^FLAG_VALUES\("(--\w+)", "(.*)"\)$', (ROOT / "src/core/flag_values.def").read_text(), re.M))
COMMANDS = re.findall(r"^(?:OWN|ANALYSIS|COMMAND)\((\w+)", (ROOT / "src/core/commands.def").read_text(), re.M)


def in_bash(script, words):
    """The function that readline calls, with its variables; files are completed by readline itself."""
    quoted = " ".join("'" + word + "'" for word in words)
    return ["bash", "-c", f". {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _resource_tracker 2>/dev/null; "
            'printf "%s\\n" "${COMPREPLY[@]}"']


def in_fish(script, words):
    return ["fish", "-c", f"source {script}; complete -C '{' '.join(words)}' | cut -f 1"]


def in_zsh(script, words):
    """compadd as a function that prints the words of its array that begin with the word at the cursor."""
    quoted = " ".join("'" + word + "'" for word in words)
    return ["zsh", "-c", f"compadd() {{ print -l -- ${{(M)found:#${{words[CURRENT]}}*}}; }}; _files() {{ : }}; words=({quoted}); "
            f"CURRENT={len(words)}; f() {{ . {script} }}; f"]


@pytest.fixture(params=[in_bash, in_zsh, in_fish], ids=["bash", "zsh", "fish"])
def complete(request, run, tracker, tmp_path, monkeypatch):
    """complete(words...): the words that a shell offers for the last one."""
    shell = request.param.__name__[3:]
    if not shutil.which(shell):
        pytest.skip(f"no {shell} here")
    script = tmp_path / "completion"
    script.write_text(run("help", "--completion", shell).stdout)
    monkeypatch.setenv("PATH", str(tracker.parent), prepend=":")
    (tmp_path / "empty").mkdir()

    def words_of(*words):
        done = subprocess.run(request.param(script, ["resource-tracker", *words]), capture_output=True, text=True, cwd=tmp_path / "empty")
        assert done.stderr == ""
        return sorted(word for word in done.stdout.splitlines() if word)
    words_of.shell = shell
    return words_of


def test_flags_are_those_of_help(complete, run):
    for command in COMMANDS:
        done = run(command, "--help")
        if done.returncode == 0:
            known = set(re.findall(r"--[a-z][a-z-]+", done.stdout))
            assert set(complete(command, "--")) == known, command
    assert complete("runs", "--li") == ["--limit"] and complete("runs", "show", "last", "--js") == ["--json"]


def test_values(complete):
    assert complete("runs", "--status", "t") == ["truncated"] and complete("recommend", "--for", "s") == ["slurm"]
    assert complete("export", "last", "--to", "s") == ["sqlite"] and complete("compare", "--by", "") == ["program", "region", "tree"]
    assert complete("runs", "--sort", "peak_r") == ["peak_rss"] and complete("runs", "--sort", "-ag") == ["-age"]
    assert complete("runs", "--columns", "run,ta") == ["run,tags"]
    assert complete("runs", "") == ["prune", "rm", "show"] and complete("region", "b") == ["begin"]
    assert complete("help", "ex") == ["examples", "exit", "export"]


def test_runs(complete, run):
    assert complete("summary", "la") == ["last"]
    for _ in range(2):
        assert run("-q", "--", "true").returncode == 0
    ids = [each["id"] for each in json.loads(run("runs", "--json").stdout)]
    for words in (["summary"], ["report", "--open"], ["runs", "show"], ["runs", "rm"], ["compare", "last"], ["export"]):
        offered = complete(*words, "2")
        assert len(offered) == 2 and all(any(each.startswith(word) for each in ids) for word in offered), words
        assert run("runs", "show", *offered).returncode == 0
    assert complete("metrics", "2") == complete("runs", "prune", "2") == []


def test_the_recorder_is_completed_beside_them(complete):
    if complete.shell == "zsh":
        pytest.skip("_arguments needs zsh's own completion")
    assert complete("--inter") == ["--interval"] and "summary" in complete("summ")
    assert complete("--summary", "ma") == ["markdown"]


def test_zsh_completes_at_its_prompt(run, tracker, tmp_path):
    """All of it, with zsh's own functions, as a person types: the recorder's options, their values, a subcommand's words."""
    if not shutil.which("zsh"):
        pytest.skip("no zsh here")
    (tmp_path / "functions").mkdir()
    (tmp_path / "functions/_resource-tracker").write_text(run("help", "--completion", "zsh").stdout)
    environment = dict(os.environ, PS1="READY> ", TERM="xterm-256color", PATH=f"{tracker.parent}:{os.environ['PATH']}",
                       ZDOTDIR=str(tmp_path))
    with Screen(["zsh", "-f", "-i"], columns=160, env=environment, cwd=tmp_path) as zsh:
        zsh.shows("^READY>")
        zsh.type("fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -D; echo have $+functions[_resource-tracker]\n")
        zsh.shows(r"^have 1\nREADY>")
        for typed, completed in (("--inter", "--interval="), ("--summary=ma", "--summary=markdown"), ("-f c", "-f csv"),
                                 ("--on-e", "--on-end="), ("summary la", "summary last"), ("runs --so", "runs --sort")):
            zsh.type(f"resource-tracker {typed}\t")
            zsh.shows(f"READY> resource-tracker {completed}")
            zsh.type("\x15")


@pytest.mark.parametrize("flag", VALUES)
def test_values_are_those_of_the_program(run, flag):
    """Each is taken; another word is refused."""
    command = {"--status": ["runs"], "--form": ["summary", "no/such"], "--for": ["recommend", "no/such"],
               "--to": ["export", "no/such"], "--by": ["compare", "no/such", "no/such"]}[flag]
    assert "'zzz'" in run(*command, flag, "zzz").stderr
    for value in VALUES[flag].split():
        said = run(*command, flag, value + ("{id}" if value.endswith(":") else "")).stderr
        assert f"'{value}'" not in said and flag not in said, said


def test_help_has_topics_and_subcommands(run):
    topics = re.findall(r"^  (\w+) ", run("help", "--help").stdout, re.M)
    assert "exit" in topics and "files" in topics
    for topic in topics:
        done = run("help", topic)
        assert done.returncode == 0 and done.stderr == "" and len(done.stdout) > 100, topic
        assert max(map(len, done.stdout.splitlines())) <= 80
    assert "RESOURCE_TRACKER=off" in run("help", "variables").stdout and "--interval TIME" in run("help", "options").stdout
    for command in COMMANDS:
        assert run("help", command).stdout == run(command, "--help").stdout != ""
    for word, says in ("rns", "did you mean runs?"), ("exot", "did you mean exit?"), ("zzzzz", "the topics are options, measured, "), ("bench", "no topic 'bench'"):
        done = run("help", word)
        assert done.returncode == 125 and says in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_each_command_has_a_man_page(run, command):
    page = run("help", "--man", *filter(None, [command]))
    if "is not installed" in page.stderr:
        pytest.skip("not built here")
    name = f"resource-tracker-{command}" if command else "resource-tracker"
    assert page.returncode == 0 and page.stderr == "" and page.stdout.startswith(f"{name}(1) ")
    assert "\n# FILES\n" in page.stdout and "resource-tracker/runs" in page.stdout
    see_also = page.stdout.partition("\n# SEE ALSO\n\n")[2]
    others = re.findall(r"\*([\w-]+)\*\(1\)", see_also)
    assert set(others) == {"resource-tracker", *(f"resource-tracker-{word}" for word in COMMANDS)} - {name}
    if command:
        assert run(command, "--help").stdout in page.stdout
    if shutil.which("scdoc"):
        done = subprocess.run(["scdoc"], input=page.stdout, capture_output=True, text=True)
        assert done.returncode == 0 and ".SH SEE ALSO" in done.stdout, done.stderr
        if shutil.which("man"):
            (shown := pathlib.Path(os.environ["XDG_STATE_HOME"]).parent / "page.1").write_text(done.stdout)
            text = subprocess.run(["man", "-l", shown], capture_output=True, text=True, env={**os.environ, "MANWIDTH": "200"})
            assert f"{name} - " in text.stdout and "SEE ALSO" in text.stdout


def test_a_man_page_of_nothing(run):
    done = run("help", "--man", "nosuch")
    assert (done.returncode, done.stdout, done.stderr) == (125, "", "resource-tracker help: there is no subcommand 'nosuch'\n")
