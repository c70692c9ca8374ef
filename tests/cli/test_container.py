"""test_container.py - the tracker as the first process of a PID namespace, and on other partial machines."""
import json
import os
import subprocess

import pytest


def test_status_as_pid_1(tracker, namespace):
    for script, status in (("exit 7", 7), ("kill -9 $$", 137), ("kill -15 $$", 143)):
        done = subprocess.run([*namespace, tracker, "--quiet", "--record", "none", "--", "sh", "-c", script])
        assert done.returncode == status


def test_orphans_are_reaped_by_pid_1(tracker, namespace, tmp_path):
    # The container's first process inherits every orphan: none must stay a zombie.
    script = ("for i in 1 2 3 4 5 6 7 8; do (sh -c '(sleep 0.05; echo >> \"$0\") & :' \"$0\" &); done; "
              "until [ -e \"$0\" ] && [ $(wc -l < \"$0\") = 8 ]; do sleep 0.05; done; "
              "while grep -q '^State:.Z' /proc/[0-9]*/status 2>/dev/null; do sleep 0.05; done")
    done = subprocess.run([*namespace, tracker, "--quiet", "--record", "none", "--", "sh", "-c", script, tmp_path / "ended"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_signal_to_pid_1_reaches_the_command(tracker, namespace, tmp_path):
    # A process without handlers is immune as PID 1; the tracker forwards SIGTERM all the same.
    script = (f"'{tracker}' --quiet --record none -- sh -c 'trap \"exit 9\" TERM; echo > {tmp_path}/up; "
              f"while :; do sleep 0.05; done' & child=$!; while [ ! -e {tmp_path}/up ]; do sleep 0.02; done; "
              "kill -TERM $child; wait $child")
    assert subprocess.run([*namespace, "sh", "-c", script]).returncode == 9


def test_process_count_in_a_namespace_is_its_own(tracker, namespace, tmp_path):
    until_sampled = "import os, sys, time\nwhile os.path.getsize(sys.argv[1]) == 0: time.sleep(0.02)"
    rows = tmp_path / "rows"
    subprocess.run([*namespace, tracker, "--quiet", "--record", "none", "-f", "json", "-o", rows, "-i", "0.1", "--",
                    "/usr/bin/python3", "-I", "-c", until_sampled, rows], check=True)
    line = json.loads(rows.read_text().splitlines()[0])
    assert line["cpu"]["process_count"] == 2    # the tracker and the command


def test_a_captured_machine(run):
    # --root: the same program reads another tree.
    root = os.path.join(os.path.dirname(__file__), "../fixtures/bare-metal/0")
    done = run("--root", root, "--only", "cpu", "-i", "0.05", "--samples", "1")
    assert done.returncode == 0, done.stderr
    line = json.loads(done.stdout)
    assert line["cpu"]["utilization_pct"] == 0  # nothing changes in it


def test_ignored_and_blocked_signals_do_not_hang_the_tracker(tracker):
    # A parent can leave every signal blocked; the command's end must be seen all the same.
    script = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run(["/usr/bin/python3", "-I", "-c", script, tracker, "--quiet", "--record", "none", "--", "sh", "-c",
                           "exit 7"])
    assert done.returncode == 7
