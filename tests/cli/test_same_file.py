"""test_same_file.py - no output is written to a file that has another use."""
import json
import os
import subprocess

import pytest

MARK = "must stay as it is\n"


def links(path):
    """Other names of the file, which need not exist."""
    soft, chain = path.parent / "soft", path.parent / "chain"
    soft.symlink_to(path.name)
    chain.symlink_to(soft)
    return [path, f"{path.parent}/./{path.name}", f"{path.parent}/../{path.parent.name}/{path.name}", soft, chain]


@pytest.mark.parametrize("there", [True, False])
def test_samples_and_record_in_one_file(run, there, tmp_path):
    file, started = tmp_path / "both", tmp_path / "started"
    names = links(file)
    if there:
        file.write_text(MARK)
        os.link(file, tmp_path / "hard")
        names.append(tmp_path / "hard")
    for name in names:
        for output, record in (file, name), (name, file):
            done = run("-o", output, "--record", record, "--", "touch", started)
            assert (done.returncode, done.stdout) == (125, "")
            assert done.stderr == (f"resource-tracker: the same file: -o {output} and --record {record}\n")
    assert not started.exists() and (file.read_text() == MARK if there else not file.exists())
    assert run("-o", "both", "--record", "./both", "--samples", "1", "-i", "0.01", cwd=tmp_path).returncode == 125
    assert run("-o", "both", "--record", file, "-p", os.getpid(), cwd=tmp_path).returncode == 125


@pytest.mark.parametrize("option", ["-o", "--record"])
@pytest.mark.parametrize("stream", ["stdin", "stdout", "stderr"])
def test_a_file_that_the_command_reads_or_writes(run, option, stream, tmp_path):
    file = tmp_path / "log"
    file.write_text(MARK)
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with open(file, "a+") as opened:
        done = run(option, file, "--", "touch", tmp_path / "started", **{**streams, stream: opened})
    assert done.returncode == 125 and not (tmp_path / "started").exists()
    sentence = f"resource-tracker: the same file: {stream} and --record {file}\n" \
        if option == "--record" else f"resource-tracker: the same file: -o {file} and {stream}\n"
    assert file.read_text() == MARK + (sentence if stream == "stderr" else "")
    assert done.stderr == (None if stream == "stderr" else sentence)


def test_config_files_that_were_found(run, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    (tmp_path / "folder").mkdir()
    for file in tmp_path / "folder/resource-tracker.toml", tmp_path / "config/resource-tracker.toml":
        file.write_text("[tracker]\ninterval = 1\n")
        for option in "-o", "--record":
            done = run(option, file, "--", "true", cwd=tmp_path / "folder")
            assert done.returncode == 125 and "the same file: " in done.stderr and "the config file" in done.stderr
            assert file.read_text() == "[tracker]\ninterval = 1\n"
            done = run("--no-config", "--quiet", option, tmp_path / "other", "--", "true", cwd=tmp_path / "folder")
            assert done.returncode == 0
        file.unlink()


def test_files_that_are_read(run, tmp_path):
    config, program = tmp_path / "config.toml", tmp_path / "program"
    config.write_text("[tracker]\ninterval = 1\n")
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for option in "-o", "--record":
        for words, needed in ((["-c", config, "--", "true"], "--config"), (["--", program], "the command"),
                              (["--nvml", program, "--", "true"], "--nvml")):
            done = run(option, config if needed == "--config" else program, *words)
            assert done.returncode == 125 and needed in done.stderr and "the same file" in done.stderr
    assert config.read_text().startswith("[tracker]") and program.read_text() == "#!/bin/sh\n"


def test_different_files_do_not_collide(run, lines_of, tmp_path):
    runs = tmp_path / "runs"
    runs.mkdir()
    assert run("-q", "-o", runs / "samples.jsonl", "--record", runs, "-i", "0.05", "--", "sleep", "0.2").returncode == 0
    assert len(list(runs.glob("*.jsonl"))) == 2 and "timestamp" in lines_of(runs / "samples.jsonl")[0]
    assert run("-o", "/dev/null", "--record", "/dev/null", "--", "true", stdout=subprocess.DEVNULL).returncode == 0


def test_the_names_of_stdout_and_stderr_mean_the_streams(run, tmp_path):
    """A batch job's stdout is a file: opened again, it would be emptied, and overwritten from its beginning."""
    for name, stream in ("/dev/stdout", "stdout"), ("/dev/stderr", "stderr"):
        log = tmp_path / stream
        log.write_text(MARK)
        with open(log, "a") as opened:
            done = run("-o", name, "--record", "none", "-q", "-i", "0.05", "--", "sh", "-c",
                       "echo begin; echo begin >&2; sleep 0.3; echo end; echo end >&2",
                       **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: opened})
        lines = log.read_text().splitlines()
        assert done.returncode == 0 and lines[0] == MARK.strip() and "begin" in lines and "end" in lines
        samples = [line for line in lines[1:] if line not in ("begin", "end")]
        assert samples and all("timestamp" in json.loads(line) for line in samples)


@pytest.mark.parametrize("words", [["export", "--to", "csv"], ["export", "--to", "jsonl"], ["export", "--to", "sqlite"],
                                   ["report"], ["report", "--json"], ["plot"]])
def test_a_companion_does_not_write_over_its_recording(run, words, tmp_path):
    record = tmp_path / ("run.svg" if words == ["plot"] else "run.jsonl")
    assert run("-q", "--record", record, "--", "true").returncode == 0
    before = record.read_bytes()
    for name in links(record):
        done = run(*words, record, "-o", name)
        if words == ["plot"] and (not str(name).endswith(".svg") or "without" in done.stderr):
            continue
        assert done.returncode == 125 and "is the recording that is read" in done.stderr
        with open(record, "rb") as opened:
            done = run(*words, "-", "-o", name, stdin=opened)
        assert done.returncode == 125 and "is the recording that is read" in done.stderr
    if words[0] != "plot" and "sqlite" not in words:
        with open(record, "ab") as opened:
            assert run(*words, record, stdout=opened, stderr=subprocess.PIPE).returncode == 125
    assert record.read_bytes() == before
