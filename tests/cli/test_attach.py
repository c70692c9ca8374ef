"""test_attach.py - --pid: one running process or several, until the last of them ends."""
import json
import os
import subprocess

import pytest

from processes import wait_for, wait_for_file


@pytest.fixture
def sleeper():
    """sleeper(argv): a process that the test started apart from the tracker."""
    started = []

    def start(*argv):
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL)
        started.append(process)
        return process
    yield start
    for process in started:
        process.kill()
        process.wait()


def test_attach_ends_when_the_process_does(tracker, sleeper):
    # Other trackers: zeros for ever after the process ended.
    victim = sleeper("sleep", "600")
    process = subprocess.Popen([tracker, "--record", "none", "-p", str(victim.pid), "-f", "csv", "-i", "0.1"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begun = [process.stdout.readline() for _ in range(3)]
    victim.kill()
    out, err = process.communicate()
    assert process.returncode == 0
    header, *rows = "".join([*begun, out]).splitlines()
    assert header.startswith("timestamp,system_processes") and header.count(",") == 31
    assert len(rows) >= 3
    assert rows[0].split(",")[21] == str(victim.pid)
    assert err.strip(), "the summary"


def test_attach_ends_at_once_not_at_the_next_interval(tracker, sleeper, tmp_path):
    victim = sleeper("sleep", "600")
    process = subprocess.Popen([tracker, "--quiet", "--record", tmp_path / "record", "-p", str(victim.pid), "-i", "3600"])
    wait_for_file(tmp_path / "record")
    victim.kill()
    assert process.wait() == 0


def test_several_roots_have_a_total_and_rows_of_their_own(tracker, sleeper):
    pair = [sleeper("sleep", "600"), sleeper("sleep", "600")]
    pids = [p.pid for p in pair]
    process = subprocess.Popen([tracker, "--record", "none", "-p", ",".join(map(str, pids)), "-i", "0.1"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = [json.loads(process.stdout.readline())]
    pair[0].kill()
    while lines[-1]["process"]["count"] == 2:
        lines.append(json.loads(process.stdout.readline()))
    assert lines[-1]["process"]["count"] == 1, "one root still lives"
    pair[1].kill()
    out, _ = process.communicate()
    assert process.returncode == 0
    lines += [json.loads(line) for line in out.splitlines()]
    assert lines[0]["tracked_pid"] == pids[0]
    assert lines[0]["tracked_pids"] == pids
    assert lines[0]["process"]["count"] == 2
    roots = {str(row.get("key", row.get("pid"))): row for row in lines[0]["roots"]}
    assert sorted(roots) == sorted(map(str, pids))
    assert lines[-1]["process"]["count"] == 0


def test_one_missing_pid_of_several_is_an_error(run, sleeper):
    victim = sleeper("sleep", "600")
    done = run("-p", f"{victim.pid},{2 ** 22 + 99}")
    assert done.returncode == 125
    assert str(2 ** 22 + 99) in done.stderr


def test_children_count_and_no_children(run, sleeper, tmp_path):
    parent = sleeper("sh", "-c", "sleep 600 & sleep 600 & echo > up; wait".replace("up", str(tmp_path / "up")))
    wait_for(lambda: (tmp_path / "up").exists(), "the children start")
    line = json.loads(run("--quiet", "--record", "none", "-p", parent.pid, "-i", "0.1", "--samples", "1", "-o",
                          "/dev/stdout").stdout.splitlines()[-1])
    assert line["cpu"]["process_child_count"] == 2
    alone = json.loads(run("--quiet", "--record", "none", "--no-children", "-p", parent.pid, "-i", "0.1", "--samples",
                           "1", "-o", "/dev/stdout").stdout.splitlines()[-1])
    assert alone["cpu"]["process_child_count"] == 0
    for child in subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent.pid)], capture_output=True,
                                text=True).stdout.split():
        os.kill(int(child), 9)


def test_a_child_of_a_thread_is_seen(run, sleeper, tmp_path):
    # Other trackers read the children of the main thread only.
    parent = sleeper("/usr/bin/python3", "-I", "-c", f"""
import subprocess, threading, time
def work():
    child = subprocess.Popen(["sleep", "600"])
    open({str(tmp_path / "up")!r}, "w").close()
    try: time.sleep(600)
    finally: child.kill()
threading.Thread(target=work).start()
""")
    wait_for(lambda: (tmp_path / "up").exists(), "the child starts")
    line = json.loads(run("--record", "none", "-p", parent.pid, "-i", "0.1", "--samples", "1").stdout)
    for child in subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent.pid)], capture_output=True,
                                text=True).stdout.split():
        os.kill(int(child), 9)
    assert line["cpu"]["process_child_count"] == 1


def test_an_odd_name_is_parsed(run, sleeper, tmp_path):
    # Other trackers split /proc/PID/stat at blanks: 768 s of CPU instead of 4.
    program = tmp_path / "a b) c (d"
    program.symlink_to("/bin/sleep")
    victim = sleeper(program, "600")
    line = json.loads(run("--record", "none", "-p", victim.pid, "-i", "0.1", "--samples", "1").stdout)
    assert line["cpu"]["process_utime_secs"] < 0.1 and line["cpu"]["process_stime_secs"] < 0.1
    assert line["programs"][0]["name" if "name" in line["programs"][0] else "key"] == "a b) c (d"


UNTIL_SAMPLED = """
import sys, time
while len(open(sys.argv[1]).readlines()) < 3: time.sleep(0.02)
"""


def test_the_tracker_is_not_part_of_the_tree(run, tmp_path):
    # Other trackers counted their own helper processes into the job.
    rows = tmp_path / "rows"
    run("--quiet", "--record", "none", "-f", "json", "-i", "0.1", "-o", rows, "--", "/usr/bin/python3", "-S", "-c", UNTIL_SAMPLED, rows)
    # None if a sample falls between the command's end and the recorder's notice of it.
    counts = [json.loads(line)["process"]["count"] for line in rows.read_text().splitlines()]
    assert counts[:3] == [1, 1, 1] and set(counts) <= {0, 1, None}


def test_a_process_that_is_stopped_does_not_end_the_attachment(tracker, sleeper):
    # Another tracker took a stopped process for an ended one.
    victim = sleeper("sleep", "600")
    os.kill(victim.pid, 19)
    done = subprocess.run([tracker, "--record", "none", "-p", str(victim.pid), "-f", "csv", "-i", "0.05", "--samples",
                           "4"], capture_output=True, text=True)
    os.kill(victim.pid, 18)
    assert len(done.stdout.splitlines()) == 5


def test_a_zombie_has_no_memory_and_does_not_hang(run):
    child = subprocess.Popen(["true"])
    wait_for(lambda: open(f"/proc/{child.pid}/stat").read().rpartition(")")[2].split()[0] == "Z", "it is a zombie")
    done = run("--record", "none", "-p", child.pid, "-f", "json", "-i", "0.05", "--samples", "3")
    child.wait()
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line)["process"] for line in done.stdout.splitlines()]
    assert rows and {row[name] for row in rows for name in ("rss_bytes", "pss_bytes", "virtual_bytes")} == {None}


def test_io_of_a_short_command_as_an_ordinary_user(tracker, tmp_path):
    # The files of a zombie belong to root: a file not opened before the end cannot be read any more.
    if os.getuid() != 0:
        words = []
    else:
        words = ["setpriv", "--reuid=64340", "--regid=64340", "--clear-groups"]
        os.chmod(tmp_path, 0o777)
    out = subprocess.run([*words, tracker, "--record", "none", "-i", "30", "-f", "json", "-o", "-", "--", "sh", "-c",
                          "head -c 20000000 /dev/zero | cat >/dev/null; exit 0"],
                         capture_output=True, text=True, cwd="/")
    if out.returncode == 126 or "ermission denied" in out.stderr:
        pytest.skip(out.stderr)
    assert json.loads(out.stdout.splitlines()[-1])["process"]["write_chars"] >= 40000000
    assert "not allowed to read" not in out.stderr
