"""test_harm.py - failures of the tracker or its outputs do not affect the job."""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess

import pytest

from processes import children_of, state_of, wait_for

JOB = ["sh", "-c", "sleep 0.5; echo done; exit 4"]
# For `sh -c`, with a feed and a number as its words: waits until the feed has so many lines, as many as samples were taken.
UNTIL = 'until [ -s "$0" ] && [ $(wc -l < "$0") -ge $1 ]; do sleep 0.05; done'


def whole_lines(path):
    """The JSON of every complete line; a last one can be cut short."""
    text = pathlib.Path(path).read_text()
    lines = text.split("\n")
    return [json.loads(line) for line in lines[:-1]]


def test_samples_to_a_full_device(run):
    # Another tracker: write errors were ignored in silence.
    done = run("--record", "none", "-f", "csv", "-i", "0.05", "-o", "/dev/full", "--", *JOB)
    assert (done.returncode, done.stdout) == (4, "done\n")
    assert "/dev/full" in done.stderr and "No space left" in done.stderr


def test_samples_and_record_to_a_full_disk(tracker, tmp_path):
    if os.getuid() != 0:
        pytest.skip("needs root to mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    # It fills once both have begun.
    script = f"""mount -t tmpfs -o size=1m tmpfs '{disk}' || exit 77
        '{tracker}' --record '{disk}/record.jsonl' -f json -o '{disk}/samples' -i 0.01 --feed '{tmp_path}/feed' -- \\
            sh -c 'until [ -s {disk}/record.jsonl ] && [ -s {disk}/samples ]; do sleep 0.05; done
                   dd if=/dev/zero of={disk}/fill bs=4k 2>/dev/null; set -- $(($(wc -l < "$0") + 40))
                   {UNTIL}; echo done; exit 4' '{tmp_path}/feed'
        status=$?; cp '{disk}'/record.jsonl '{disk}'/samples '{tmp_path}'; exit $status"""
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True)
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip("mounting is not allowed here")
    assert (done.returncode, done.stdout) == (4, "done\n")
    assert "No space left" in " ".join(done.stderr.split())
    samples = (tmp_path / "samples").read_text()
    assert samples.endswith("\n"), "half a line was left behind"
    assert len(whole_lines(tmp_path / "samples")) > 0
    assert len(whole_lines(tmp_path / "record.jsonl")) > 0


def test_a_limit_of_file_size(tracker, tmp_path):
    # The tracker's own write raises SIGXFSZ, which must not be forwarded: the job would die of it.
    record, samples = tmp_path / "record.jsonl", tmp_path / "samples"
    done = subprocess.run([tracker, "--record", record, "-f", "json", "-o", samples, "-i", "0.02", "--", *JOB],
                          capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)))
    assert (done.returncode, done.stdout) == (4, "done\n")
    assert "File too large" in done.stderr
    assert len(whole_lines(record)) > 0


def test_a_fifo_without_a_reader(run, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    done = run("--record", "none", "-f", "csv", "-i", "0.05", "-o", fifo, "--", *JOB)
    assert (done.returncode, done.stdout) == (4, "done\n")


def test_a_reader_that_stops_reading(tracker):
    # 64 KiB of pipe and the queue fill up; lines are dropped and counted, the job goes on.
    read, write = os.pipe()
    process = subprocess.Popen([tracker, "--record", "none", "-f", "json", "-i", "0.001", "--", "sh", "-c",
                                "sleep 1; exit 4"], stdout=subprocess.DEVNULL, stderr=write)
    os.close(write)
    assert process.wait() == 4
    os.close(read)


def test_dropped_samples_are_counted(tracker, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)         # opened, never read
    done = subprocess.run([tracker, "--record", "none", "-f", "json", "-i", "0.001", "-o", fifo, "--feed", tmp_path / "feed", "--",
                           "sh", "-c", f"{UNTIL}; exit 4", tmp_path / "feed", "200"], capture_output=True, text=True)
    os.close(reader)
    assert done.returncode == 4
    assert "dropped" in done.stderr or "left out" in done.stderr, done.stderr


def test_a_command_without_a_reader_of_stderr(tracker):
    # Another tracker: a closed stderr aborted it and orphaned the job.
    read, write = os.pipe()
    os.close(read)
    process = subprocess.Popen([tracker, "--record", "none", "-f", "csv", "-i", "0.02", "--", *JOB],
                               stdout=subprocess.PIPE, stderr=write, text=True)
    os.close(write)
    out, _ = process.communicate()
    assert (process.returncode, out) == (4, "done\n")


@pytest.mark.parametrize("descriptors", [4, 5, 6, 7, 8, 10, 12, 16, 24])
def test_few_descriptors(tracker, descriptors):
    # Another tracker: with few descriptors processes vanished from the tree in silence.
    done = subprocess.run(["sh", "-c", f"ulimit -n {descriptors}; exec '{tracker}' --record none -i 0.1 -- "
                           "sh -c 'sleep 0.3; echo done; ulimit -n; exit 4'"],
                          capture_output=True, text=True)
    assert done.returncode == 4, done.stderr
    assert done.stdout == f"done\n{descriptors}\n"


@pytest.fixture
def limited(tracker):
    """limited(processes, uid, *arguments): the tracker as a user with a limit of processes and threads."""
    if os.getuid() != 0 or not shutil.which("prlimit") or not shutil.which("setpriv"):
        pytest.skip("needs root, to become a user with few processes")

    def start(processes, uid, *arguments):
        words = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "prlimit",
                 f"--nproc={processes}:{processes}", tracker, "--record", "none", *arguments]
        done = subprocess.run(words, capture_output=True, text=True, cwd="/", stdin=subprocess.DEVNULL)
        if "failed to execute" in done.stderr:
            pytest.skip("that user cannot reach the program")
        return done
    return start


@pytest.mark.parametrize("processes", [2, 3, 4])
def test_no_more_threads(limited, processes):
    # Another tracker: EAGAIN from a thread's start crashed it (139).
    done = limited(processes, 64320 + processes, "-f", "csv", "-i", "0.05", "--", "sh", "-c", "exec sleep 0.2")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("timestamp,") or "timestamp," in done.stderr or processes < 4, done.stderr


def test_without_any_process_to_fork_the_command_still_runs(limited):
    done = limited(1, 64330, "--", "expr", "3", "+", "4")
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr
    assert "without being recorded" in done.stderr


def test_kill_of_the_recorder_leaves_the_job_alone(tracker, tmp_path):
    # Another tracker: its data was lost when it was killed.
    record = tmp_path / "record.jsonl"
    process = subprocess.Popen([tracker, "--quiet", "--record", record, "-i", "0.02", "--", "sh", "-c",
                                f"until [ -e '{tmp_path}/go' ]; do sleep 0.05; done; echo survived > '{tmp_path}/result'"],
                               stdin=subprocess.DEVNULL)
    wait_for(lambda: record.exists() and record.read_text().count("\n") > 5, "rows in the record")
    process.kill()
    assert process.wait() == -signal.SIGKILL
    (tmp_path / "go").write_text("")
    wait_for(lambda: (tmp_path / "result").exists(), "the job ends by itself")
    assert len(whole_lines(record)) > 5


def test_a_recorder_killed_early_leaves_a_record_that_can_be_read(run, tracker, tmp_path):
    run("--quiet", "--", "true")                # the folder is there, so the next record is made at once
    folder = tmp_path / "state" / "resource-tracker" / "runs"
    before = set(folder.iterdir())
    process = subprocess.Popen([tracker, "--quiet", "-i", "60", "--", "sh", "-c",
                                f"until [ -e '{tmp_path}/go' ]; do sleep 0.05; done; echo > '{tmp_path}/result'"],
                               stdin=subprocess.DEVNULL)
    record = wait_for(lambda: [p for p in set(folder.iterdir()) - before if p.stat().st_size > 0], "a header")[0]
    process.kill()
    assert process.wait() == -signal.SIGKILL
    (tmp_path / "go").write_text("")
    header = whole_lines(record)[0]
    assert header["record"] == "resource-tracker" and header["command"][0] == "sh"
    wait_for(lambda: (tmp_path / "result").exists(), "the job ends by itself")


def test_kill_of_the_job_is_reported(tracker, tmp_path):
    record = tmp_path / "record.jsonl"
    process = subprocess.Popen([tracker, "--record", record, "-i", "0.02", "--", "sleep", "600"],
                               stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    command = wait_for(lambda: children_of(process.pid), "the command starts")[0]
    wait_for(lambda: record.exists() and record.read_text().count("\n") > 3, "rows in the record")
    os.kill(command, signal.SIGKILL)
    _, err = process.communicate()
    assert process.returncode == 137
    assert "SIGKILL" in err or "signal 9" in err, err
    assert record.read_text().endswith("\n")
    assert len(whole_lines(record)) > 4


def test_kill_of_both(tracker, tmp_path):
    record = tmp_path / "record.jsonl"
    process = subprocess.Popen([tracker, "--quiet", "--record", record, "-i", "0.02", "--", "sleep", "600"],
                               stdin=subprocess.DEVNULL, start_new_session=True)
    wait_for(lambda: record.exists() and record.read_text().count("\n") > 5, "rows in the record")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert len(whole_lines(record)) > 5


def test_processes_without_permission_to_read(tracker):
    # Other trackers: another user's smaps_rollup ended one; one showed 0.
    if os.getuid() != 0:
        pytest.skip("needs root to become another user")
    done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--", tracker, "--record",
                           "none", "-p", str(os.getpid()), "-i", "0.1", "--samples", "2"],
                          capture_output=True, text=True, cwd="/")
    if done.returncode == 126 or "ermission denied" in done.stderr and not done.stdout:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    line = json.loads(done.stdout.splitlines()[-1])
    assert line["cpu"]["process_pss_mib"] is None               # not 0
    assert line["cpu"]["process_disk_read_bytes"] is None
    assert line["cpu"]["process_cores_used"] is not None        # stat is readable
    said = [text for text in done.stderr.splitlines() if text.startswith("resource-tracker: ")]
    assert said and len(said) == len(set(said))                 # reported, and each once


def test_nothing_is_left_running(tracker, tmp_path):
    before = set(children_of(os.getpid()))
    subprocess.run([tracker, "--quiet", "--record", "none", "--", "true"], check=True)
    assert set(children_of(os.getpid())) <= before


def test_a_command_that_leaves_processes_behind(run, tmp_path):
    # The tracker ends with the command, and reports how many stayed.
    done = run("--record", "none", "--", "sh", "-c",
               f"setsid sh -c 'echo $$ > {tmp_path}/pid; exec sleep 600' >/dev/null 2>&1 & "
               f"while [ ! -s {tmp_path}/pid ]; do sleep 0.02; done; exit 2")
    pid = int((tmp_path / "pid").read_text())
    alive = state_of(pid)
    os.kill(pid, signal.SIGKILL)
    assert done.returncode == 2
    assert alive in ("S", "R", "D")             # D: it is just read from the disk
    assert "1 process" in done.stderr, done.stderr


def test_waiting_for_processes_left_behind(run, tmp_path):
    done = run("--record", "none", "--wait-descendants", "--", "sh", "-c",
               f"(setsid sh -c 'sleep 0.5; echo late > {tmp_path}/late' >/dev/null 2>&1 &); exit 2")
    assert done.returncode == 2
    assert (tmp_path / "late").exists()
