"""test_feed.py - all rows and events of a run while it goes on: to files, descriptors and programs beside the job."""
import fcntl
import json
import os
import pathlib
import re
import resource
import signal
import stat
import subprocess
import sys
import threading

import jsonschema
import pytest

from processes import children_of, state_of, stat_of, wait_for, wait_for_file

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs/reference/record.schema.json").read_text())
# A program for a feed: reads its stdin to the end, and leaves the text in a file.
KEEP = "import os, sys; part = open(sys.argv[1] + '.part', 'w'); part.write(sys.stdin.read()); part.close(); " \
       "os.rename(sys.argv[1] + '.part', sys.argv[1])"


def not_asked_to_end():
    """
    Programs of feeds have their signals from the tracker's caller: they are over later, where they get no CPU in the
    second after the run.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def troubles(said):
    """What was said of feeds, without that of a program which was over too late."""
    text = re.sub(r"the feed to [^:]+: it still ran when recording ended, and was asked to end", "", " ".join(said.split()))
    return re.findall("feed.*", text)


@pytest.fixture
def program(tmp_path):
    """program(text): a script in Python with this text, as one word that --feed-to takes."""
    def make(text, name="program"):
        path = tmp_path / name
        path.write_text(f"#!{sys.executable}\n{text}\n")
        path.chmod(0o755)
        return path
    return make


@pytest.fixture
def recording(tracker):
    """recording(*words, **more): a running tracker; the fixture kills it at the end."""
    started = []

    def start(*words, **more):
        more.setdefault("stdin", subprocess.DEVNULL)
        started.append(subprocess.Popen([tracker, *map(str, words)], text=True, **more))
        return started[-1]
    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()


def rows(lines):
    return [line for line in lines if isinstance(line, list)]


def kinds(lines):
    return ["row" if isinstance(line, list) else next(iter(line)) for line in lines]


def check(lines):
    """A whole feed: its lines match the schema, and amounts since the start are the sums of its rows, and of lost ones."""
    for line in lines:
        jsonschema.Draft202012Validator(SCHEMA).validate(line)
    assert lines[0]["detail"] == "all" and "end" in lines[-1] and kinds(lines).count("end") == 1
    columns, sums, lost = [], {}, False
    for line in lines:
        lost = lost or "lost" in line
        if "columns" in line:
            columns = line["columns"]
        if not isinstance(line, list):
            continue
        since = iter(line[8])
        assert len(line[8]) == sum(kind == "amount" for _, _, kind in columns)
        for (name, _, kind), value in zip(columns, line[4]):
            if kind == "amount":
                sums[name] = sums.get(name, 0) + (value or 0)
                amount = next(since)
                room = 1e-5 * len(lines) + 1e-9 * (amount or 0)
                assert amount is None or -room <= amount - sums[name] and (lost or amount - sums[name] <= room), name
    return lines


def same_record(record, feed):
    """Rows of a short run are in its record and in its feed, the same except for the feed's additions."""
    assert [row[:7] for row in rows(record)] == [row[:7] for row in rows(feed)]
    assert rows(record)


# ---- destinations ----------------------------------------------------------------------------------

def test_a_file_a_descriptor_and_a_program(run, lines_of, program, tmp_path):
    record, file, kept = (tmp_path / name for name in ("record", "file", "kept"))
    with open(tmp_path / "given", "wb") as given:
        # Both read by the end: a pipe does not hold all of a run that waited for them.
        done = run("-i", "1", "--record", record, "--feed", file, "--feed", f"fd:{given.fileno()}", "--feed-to",
                   f"{program(KEEP)} {kept}", "--feed-to", f"  {program(KEEP)}\t{kept}2  ", "--", "sh", "-c",
                   'until [ -e "$0" ] && [ -e "$1" ]; do sleep 0.5; done; sleep 0.3; echo out', f"{kept}.part", f"{kept}2.part",
                   pass_fds=[given.fileno()], preexec_fn=not_asked_to_end)
    assert done.returncode == 0 and done.stdout == "out\n" and troubles(done.stderr) == []
    feed = check(lines_of(file))
    same_record(lines_of(record), feed)
    assert "exit" in kinds(feed)
    for other in tmp_path / "given", kept, tmp_path / "kept2":
        wait_for(other.exists, "the program is over")
        assert other.read_text() == file.read_text(), other
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for words in ["summary"], ["summary", "--json"], ["export", "--to", "csv"], ["export", "--to", "openmetrics"]:
        assert run(*words, file).returncode == 0        # a feed is a record
    assert run("summary", file).stdout.splitlines()[:3] == run("summary", record).stdout.splitlines()[:3]


def test_a_machine_and_running_processes_have_feeds_too(run, lines_of, tmp_path):
    for words in ["--samples", "3"], ["-p", os.getpid(), "--samples", "3"]:
        feed = tmp_path / "feed"
        assert run("-q", "-i", "0.05", "--feed", feed, *words).returncode == 0
        assert len(rows(check(lines_of(feed)))) == 3


def test_a_very_short_run_has_its_feeds(run, lines_of, program, tmp_path):
    for i in range(5):
        kept = tmp_path / f"kept{i}"
        assert run("--feed", tmp_path / "feed", "--feed-to", f"{program(KEEP)} {kept}", "--", "true",
                   preexec_fn=not_asked_to_end).returncode == 0
        wait_for(kept.exists, "the program is over")
        assert kinds(check(lines_of(kept)))[-2:] == ["row", "end"]
        assert kept.read_text() == (tmp_path / "feed").read_text()


def test_every_sample_of_a_long_run(run, lines_of, tmp_path):
    """The record has become coarser, its feed has not."""
    record, feed = tmp_path / "record", tmp_path / "feed"
    assert run("-q", "-i", "0.002", "--samples", "5000", "--only", "tracker", "--record", record, "--feed", feed).returncode == 0
    lines = check(lines_of(feed))
    samples = lines[-1]["end"]["samples"]
    lost = sum(line["lost"] for line in lines if "lost" in line)
    assert samples == 5000 and sum(row[3] for row in rows(lines)) == samples - lost
    assert len(rows(lines_of(record))) < samples


def test_no_line_is_held_back_after_sampling_has_ended(recording, tmp_path):
    """At short intervals lines are gathered: the last ones do not wait for the command's end."""
    feed, record, samples, go = (tmp_path / name for name in ("feed", "record", "samples", "go"))
    os.mkfifo(go)
    process = recording("-q", "-i", "0.01", "--samples", "5", "--feed", feed, "--record", record, "-o", samples, "--", "cat", go)
    for path, begin in (feed, '["r"'), (record, '["r"'), (samples, "{"):
        wait_for(lambda: path.exists() and path.read_text().count(begin) >= 5, "five rows")
    go.write_text("now")
    assert process.wait() == 0


def test_descriptors_of_feeds_do_not_reach_the_command(run, tmp_path):
    look = "import os; fds = [f'/proc/self/fd/{n}' for n in os.listdir('/proc/self/fd') if int(n) > 2]; " \
           "print('open', sorted(os.readlink(fd) for fd in fds if os.path.lexists(fd)))"
    plain = run("-q", "--record", "none", "--", sys.executable, "-c", look).stdout
    with open(tmp_path / "given", "wb") as given:
        for name in f"fd:{given.fileno()}", f"/dev/fd/{given.fileno()}":
            done = run("-q", "--record", "none", "--feed", tmp_path / "feed", "--feed-to", "cat", "--feed", name, "--",
                       sys.executable, "-c", look, pass_fds=[given.fileno()])
            assert done.stdout == plain != ""


def test_destinations_that_are_refused(run, tmp_path):
    started, (end, unused) = tmp_path / "started", os.pipe()
    for words, sentence in (
            (["--feed", "fd:77"], "cannot write to fd:77: no such descriptor is open"),
            (["--feed", f"fd:{end}"], f"cannot write to fd:{end}: it is open for reading"),
            (["--feed", "fd:1"], "'fd:1' is the command's"), (["--feed", "/dev/fd/2"], "is the command's"),
            (["--feed", "-"], "'-' is the command's"), (["--feed", "/dev/stdout"], "is the command's"),
            (["--feed", "fd:x"], "is not fd:N"), (["--feed", "fd:"], "is not fd:N"), (["--feed", ""], "needs a file"),
            (["--feed", "fd:5", "--feed", "fd:5"], "is given twice"), (["--feed-to", "  "], "needs a program"),
            (["--feed", tmp_path / "no/such"], "cannot open"), (["--feed", tmp_path], "cannot open"),
            (["--feed", "x"] * 9, "more than 8"), (["--feed-to", "x"] * 9, "more than 8")):
        done = run(*words, "--record", "none", "--", "touch", started, pass_fds=[end])
        assert (done.returncode, done.stdout) == (125, "") and sentence in done.stderr, words
    os.close(end)
    os.close(unused)
    assert not started.exists()


def test_one_file_for_two_purposes(run, tmp_path):
    file, started = tmp_path / "file", tmp_path / "started"
    (tmp_path / "link").symlink_to(file)
    for words in (["--feed", file, "--record", file], ["--feed", file, "-o", file], ["--feed", file, "--feed", tmp_path / "link"],
                  ["--feed", file, "--record", tmp_path / "link"]):
        done = run(*words, "--", "touch", started)
        assert done.returncode == 125 and "the same file: " in done.stderr and "--feed" in done.stderr
    with open(file, "ab") as given:
        done = run("--feed", f"fd:{given.fileno()}", "--record", file, "--", "touch", started, pass_fds=[given.fileno()])
        assert done.returncode == 125 and "the same file: " in done.stderr
        assert run("--feed", file, "--", "touch", started, stdout=given).returncode == 125
    assert not started.exists() and file.read_bytes() == b""


def test_feeds_of_config_files(run, lines_of, tmp_path, monkeypatch):
    """The user's file can name them, a folder's file cannot: it comes with other people's work."""
    text = f'[record]\nfeed = ["{tmp_path}/one", "{tmp_path}/two"]\nfeed_to = "{tmp_path}/started"\n'
    (tmp_path / "started").write_text(f"#!/bin/sh\ntouch {tmp_path}/it-ran\ncat > /dev/null\n")
    (tmp_path / "started").chmod(0o755)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "resource-tracker.toml").write_text(text)
    done = run("--", "true", cwd=folder)
    assert done.returncode == 0 and "record.feed: not accepted from a folder's file" in done.stderr
    assert "record.feed_to: not accepted from a folder's file" in done.stderr
    assert not any((tmp_path / name).exists() for name in ("one", "two", "it-ran"))
    (tmp_path / "yours.toml").write_text(text)
    assert run("--config", tmp_path / "yours.toml", "--", "true", preexec_fn=not_asked_to_end).returncode == 0
    assert check(lines_of(tmp_path / "one")) == lines_of(tmp_path / "two")
    wait_for((tmp_path / "it-ran").exists, "the program runs")


# ---- readers that stop, and programs that end ------------------------------------------------------

def test_a_reader_that_stops_and_a_program_that_ends(recording, lines_of, program, tmp_path):
    """Neither affects the job or its record; lines that the slow reader missed are counted at their place."""
    record, other, go = tmp_path / "record", tmp_path / "other", tmp_path / "go"
    os.mkfifo(go)
    end, ours = os.pipe()
    died = program("import sys; sys.stdin.readline(); sys.exit(3)")
    job = "import sys; print('begins', flush=True); open(sys.argv[1]).read(); print('ends'); sys.exit(7)"
    fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 4096)
    process = recording("-i", "0.03", "--record", record, "--feed", f"fd:{ours}", "--feed-to", died, "--feed", other, "--",
                        sys.executable, "-c", job, go, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[ours])
    os.close(ours)
    assert process.stdout.readline() == "begins\n"
    # The pipe and the queue before it hold 260 KiB: each further row loses a line.
    wait_for(lambda: other.exists() and other.stat().st_size > 400_000, "400 KB of the feed beside")
    wait_for(lambda: "ended before the run" in record.read_text(), "the notice of the program that ended")
    # From here on nothing more is lost where this process gets no CPU for some seconds: the last lines least of all.
    fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 1 << 20)
    taken = bytearray()

    def read_on():
        while len(taken) < 350_000:                     # more than was waiting: it reads on while the job runs
            taken.extend(os.read(end, 1 << 16))
        go.write_text("now")
        while part := os.read(end, 1 << 16):
            taken.extend(part)

    reader = threading.Thread(target=read_on)
    reader.start()
    out, err = process.communicate()
    reader.join()
    os.close(end)
    assert process.returncode == 7 and out == "ends\n"
    assert f"the feed to {died} ended before the run: it ended with exit status 3" in " ".join(err.split())
    slow = [json.loads(line) for line in taken.split(b"\n") if line]
    lost = sum(line["lost"] for line in slow if "lost" in line)
    whole = check(lines_of(other))
    assert lost > 0 and "end" in slow[-1]
    missing = [line for line in kinds(whole) if line in ("row", "exit", "notice")]
    there = [line for line in kinds(slow) if line in ("row", "exit", "notice")]
    assert len(missing) + sum(line["lost"] for line in whole if "lost" in line) - len(there) == lost
    assert f"lost {lost} lines" in " ".join(err.split())
    end_line = lines_of(record)[-1]["end"]
    assert end_line["exit_code"] == 7 and end_line["dropped_lines"] == 0 and "lost" not in kinds(lines_of(record))
    assert sum(row[3] for row in rows(lines_of(record)) if row[0] == "r") == end_line["samples"]
    # Sums since the start include the lost rows.
    amount = rows(whole)[-1][8]
    assert rows(slow)[-1][8] == amount


def test_a_reader_that_never_reads_takes_a_second(recording, lines_of, tmp_path):
    """It is abandoned at the end, with the lines that it did not read."""
    record, go, (end, ours) = tmp_path / "record", tmp_path / "go", os.pipe()
    os.mkfifo(go)
    process = recording("-i", "0.001", "--record", record, "--feed", f"fd:{ours}", "--samples", "1000", "--", "cat", go,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[ours])
    os.close(ours)
    wait_for(lambda: record.exists() and record.stat().st_size > 1 << 17, "more than the pipe holds")
    go.write_text("now")
    _, err = process.communicate()
    assert process.returncode == 0 and "the feed to fd:" in err and "was read too slowly" in " ".join(err.split())
    assert lines_of(record)[-1]["end"]["exit_code"] == 0
    os.close(end)


def test_a_reader_that_leaves(recording, lines_of, tmp_path):
    record, go, (end, ours) = tmp_path / "record", tmp_path / "go", os.pipe()
    os.mkfifo(go)
    process = recording("-i", "0.01", "--record", record, "--feed", f"fd:{ours}", "--", "cat", go, stderr=subprocess.PIPE,
                        stdout=subprocess.PIPE, pass_fds=[ours])
    os.close(ours)
    assert os.read(end, 10)
    os.close(end)
    wait_for(lambda: record.exists() and "nothing reads it any more" in record.read_text(), "the notice")
    go.write_text("through\n")
    out, err = process.communicate()
    assert process.returncode == 0 and out == "through\n"
    assert "ended before the run: nothing reads it any more" in " ".join(err.split())
    assert "end" in lines_of(record)[-1]


# The pattern does not match itself: the record has the command, too.
UNTIL_THE_NOTICE = ["sh", "-c", 'until grep -qs "ended before the ru[n]" "$0"; do sleep 0.05; done']


def test_a_program_that_closes_its_input_and_then_ends(recording, program, tmp_path):
    """Writing to it fails before it can be waited for: how it ended is reported all the same."""
    record = tmp_path / "record"
    died = program("import os, sys, time; sys.stdin.readline(); os.close(0); time.sleep(0.3); sys.exit(3)")
    process = recording("-i", "0.02", "--record", record, "--feed-to", died, "--", *UNTIL_THE_NOTICE, record, stderr=subprocess.PIPE)
    assert f"the feed to {died} ended before the run: it ended with exit status 3" in " ".join(process.communicate()[1].split())


def test_a_program_that_closes_its_input_and_goes_on(recording, program, tmp_path):
    """Reported after some seconds."""
    record = tmp_path / "record"
    deaf = program("import os, sys, time; sys.stdin.readline(); os.close(0); time.sleep(600)")
    process = recording("-i", "0.02", "--record", record, "--feed-to", deaf, "--", *UNTIL_THE_NOTICE, record, stderr=subprocess.PIPE)
    assert f"the feed to {deaf} ended before the run: nothing reads it any more" in " ".join(process.communicate()[1].split())


def test_a_program_that_closes_its_input_before_a_short_run_ends(recording, program, tmp_path):
    over = tmp_path / "over"
    os.mkfifo(over)
    deaf = program(f"import os, sys; sys.stdin.readline(); os.close(0); open({str(over)!r}, 'w').close(); open({str(over)!r}).read()")
    process = recording("-i", "0.02", "--record", "none", "--feed-to", deaf, "--", "sh", "-c",
                        'cat "$0"; sleep 0.2; : > "$0"', over, stderr=subprocess.PIPE)
    assert f"the feed to {deaf} ended before the run: nothing reads it any more" in " ".join(process.communicate()[1].split())


def test_a_program_that_cannot_be_run_is_a_notice(run, tmp_path):
    done = run("--record", tmp_path / "record", "--feed-to", "./no-such-program", "--",
               "sh", "-c", UNTIL_THE_NOTICE[2] + "; exit 5", tmp_path / "record")
    assert done.returncode == 5
    assert "the feed to ./no-such-program" in done.stderr and "exit status 127" in done.stderr
    assert run("-q", "--feed-to", "./no-such-program", "--", "true").stderr == ""


def test_a_program_that_does_not_end_is_terminated(recording, program, tmp_path):
    """The tracker waits for it as long as for an output, then sends SIGTERM."""
    kept = tmp_path / "kept"
    stays = program("import os, signal, sys, time\n"
                    "def asked(*_):\n    open(sys.argv[1], 'w').write('asked')\n    os._exit(0)\n"
                    "signal.signal(signal.SIGTERM, asked)\nopen(sys.argv[1] + '.begun', 'w').write('x')\nsys.stdin.read()\n"
                    "while True: time.sleep(1)")
    process = recording("--record", "none", "--feed-to", f"{stays} {kept}", "--", "sh", "-c",
                        f"until [ -s {kept}.begun ]; do sleep 0.01; done", stderr=subprocess.PIPE)
    _, err = process.communicate()
    assert process.returncode == 0 and "still ran when recording ended, and was asked to end" in " ".join(err.split())
    assert wait_for_file(kept) == "asked"


# ---- programs are not part of the job --------------------------------------------------------------

@pytest.mark.parametrize("source", ["auto", "ledger", "visible"])
def test_a_program_is_not_part_of_the_job(run, lines_of, program, source, tmp_path):
    """Nor are its children, nor the processes that it leaves behind: they are neither waited for nor counted."""
    record, begun, said = tmp_path / "record", tmp_path / "begun", tmp_path / "said"
    os.mkfifo(begun)
    burns = program("import os, subprocess, sys, time\n"
                    "child = subprocess.Popen(['sh', '-c', 'sleep 1000 & exec sleep 0.1'])\n"
                    "open(sys.argv[1], 'w').write(str(os.getpgid(0) == os.getpid()))\n"
                    "for line in sys.stdin:\n    end = time.process_time() + 0.01\n    while time.process_time() < end: pass\n")
    done = run("-i", "0.02", "--wait-descendants", "--cpu-source", source, "--record", record, "--feed-to", f"{burns} {begun}", "--",
               "sh", "-c", f"cat {begun} > {said}; sleep 1")         # a loop would use CPU for as long as a slow start
    assert done.returncode == 0 and said.read_text() == "True"
    end = lines_of(record)[-1]["end"]
    programs = {row["key"] for row in end["tables"].get("program", [])}
    assert programs <= {"sh", "cat", "sleep"} and end["left_behind"] == 0
    assert end["statistics"]["process.cpu_seconds"][2] < 0.5 and end["statistics"]["process.count"][1] <= 3


def test_descriptors_and_environment_of_a_program(run, program, tmp_path):
    """Its feed, and stderr twice; the environment of the command without its regions and the tracker's outputs."""
    kept = tmp_path / "kept"
    reporter = program("import json, os, sys\n"
                       "fds = {n: os.readlink('/proc/self/fd/' + n) for n in os.listdir('/proc/self/fd')\n"
                       "       if os.path.exists('/proc/self/fd/' + n)}\n"
                       "names = sorted(n for n in os.environ if n.startswith('RESOURCE_TRACKER'))\n"
                       "print('said', flush=True)\n"
                       "json.dump([fds, names, os.environ.get('MINE')], open(sys.argv[1], 'w')); sys.stdin.read()")
    end, ours = os.pipe()
    environment = {**os.environ, "MINE": "yes", "RESOURCE_TRACKER_OUTPUT": str(tmp_path / "samples")}
    done = run("--record", tmp_path / "record.jsonl", "--feed-to", f"{reporter} {kept}", "--", "sh", "-c", f"until [ -s {kept} ]; do sleep 0.01; done",
               pass_fds=[ours], env=environment)
    os.close(end)
    os.close(ours)
    fds, names, mine = json.loads(kept.read_text())
    assert set(fds) == {"0", "1", "2"} and fds["0"].startswith("pipe") and fds["1"] == fds["2"]
    assert names == ["RESOURCE_TRACKER_RUN"] and mine == "yes"
    assert done.returncode == 0 and done.stdout == "" and done.stderr.startswith("said\n")


# ---- following a feed ------------------------------------------------------------------------------

@pytest.fixture
def follow(loads):
    """follow(path, **more): a reader in C that prints each line that arrives."""
    def start(path, **more):
        return subprocess.Popen([loads / "follow_record", path], stdout=subprocess.PIPE, text=True, **more)
    return start


@pytest.mark.parametrize("option", ["--feed", "--record"])
def test_a_file_is_followed_to_its_end(recording, follow, option, tmp_path):
    file, go = tmp_path / "file.jsonl", tmp_path / "go"
    os.mkfifo(go)
    process = recording("-q", "-i", "0.05", option, file, "--", "cat", go)
    wait_for_file(file)
    with follow(file) as reader:
        assert reader.stdout.readline().startswith("header ")
        for _ in range(3):
            assert reader.stdout.readline().startswith("row ")
        go.write_text("now")
        assert process.wait() == 0
        assert reader.stdout.readlines()[-1] == "end\n"


def test_a_feed_into_a_pipe_is_followed(recording, follow, tmp_path):
    end, ours = os.pipe()
    process = recording("-q", "-i", "0.05", "--feed", f"fd:{ours}", "--samples", "5", pass_fds=[ours], stdout=subprocess.DEVNULL)
    os.close(ours)
    with follow("-", stdin=end) as reader:
        os.close(end)
        lines = reader.stdout.readlines()
        assert lines[0].startswith("header ") and lines[-1] == "end\n" and len(lines) == 7
    assert process.wait() == 0


@pytest.mark.parametrize("way", ["file", "pipe"])
def test_a_recorder_that_is_killed_ends_its_followers(recording, follow, way, tmp_path):
    """The command still runs, and has no descriptor of the feed that would look like a writer."""
    file, go = tmp_path / "file.jsonl", tmp_path / "go"
    os.mkfifo(go)
    end, ours = os.pipe()
    feed = file if way == "file" else f"fd:{ours}"
    process = recording("-q", "-i", "0.05", "--record", "none", "--feed", feed, "--", "cat", go, pass_fds=[ours])
    os.close(ours)
    if way == "file":
        wait_for_file(file)
    with follow(file if way == "file" else "-", stdin=end) as reader:
        os.close(end)
        assert reader.stdout.readline().startswith("header ") and reader.stdout.readline().startswith("row ")
        [cat] = children_of(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert reader.stdout.readlines()[-1] == "cut off\n"
        assert state_of(cat) is not None
    go.write_text("now")
    wait_for(lambda: stat_of(cat) is None, "the command ends")


def test_the_reader_of_the_documentation(recording, tmp_path):
    text = (pathlib.Path(__file__).parents[2] / "docs/reference/feed.md").read_text()
    [shown] = re.findall(r"```python\n(.*?)```", text, re.S)
    feed, go = tmp_path / "feed", tmp_path / "go"
    os.mkfifo(go)
    process = recording("-q", "-i", "0.05", "--feed", feed, "--", "cat", go)
    wait_for_file(feed)
    with subprocess.Popen([sys.executable, "-u", "-c", shown, feed], stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout.readline() and reader.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.wait()
        reader.stdout.readlines()
        assert reader.wait() == 0
    go.write_text("now")


# ---- disks -----------------------------------------------------------------------------------------

def test_a_full_disk_loses_lines_of_the_feed_alone(recording, lines_of, tmp_path):
    """Once there is room again, a line states how many are missing."""
    feed, samples, go = tmp_path / "feed", tmp_path / "samples", tmp_path / "go"
    os.mkfifo(go)
    os.mkfifo(samples)

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, resource.RLIM_INFINITY))
    process = recording("-q", "-i", "0.05", "--record", "none", "--feed", feed, "-o", samples, "--", "cat", go, preexec_fn=small)
    with open(samples, encoding="utf-8") as lines:
        fcntl.fcntl(lines, fcntl.F_SETPIPE_SZ, 1 << 20)         # no sample is lost where they are read some seconds late
        taken = sum(1 for _, _ in zip(range(60), lines))
        assert feed.stat().st_size <= 20000
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        taken += sum(1 for _, _ in zip(range(10), lines))
        go.write_text("now")
        taken += len(lines.readlines())
    assert process.wait() == 0
    feed_lines = lines_of(feed)
    lost = sum(line["lost"] for line in feed_lines if "lost" in line)
    assert lost > 0 and "end" in feed_lines[-1] and feed_lines[-1]["end"]["samples"] == taken
    assert len(rows(feed_lines)) + lost >= taken and kinds(feed_lines).index("columns") < kinds(feed_lines).index("row")


def test_a_disk_that_stays_full_is_a_notice(recording, tmp_path):
    process = recording("-i", "0.02", "--record", "none", "--feed", "/dev/full", "--", "sleep", "0.3", stderr=subprocess.PIPE)
    _, err = process.communicate()
    assert process.returncode == 0 and "cannot write to /dev/full: No space left on device" in " ".join(err.split())
