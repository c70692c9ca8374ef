"""test_transparent.py - a command's view of itself is the same with the tracker and without."""
import os
import re
import resource
import signal
import subprocess
import sys

import pytest

from terminal import Terminal

QUIET = ("--quiet", "--record", "none", "--")


@pytest.fixture
def both(tracker):
    """both(argv, ...): stdout of the command alone and of the command in the tracker."""
    def run(argv, **more):
        more.setdefault("stdin", subprocess.DEVNULL)
        return [subprocess.run([*before, *argv], stdout=subprocess.PIPE, check=True, **more).stdout
                for before in ([], [tracker, *QUIET])]
    return run


def test_bytes_pass_unchanged(run, tracker):
    data = bytes(range(256)) * 4096
    done = subprocess.run([tracker, *QUIET, "cat"], input=data, stdout=subprocess.PIPE, check=True)
    assert done.stdout == data


def ignore_sigchld():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def as_nohup_and_in_background():
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)


def ignore_sigpipe():
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def block_some():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM, signal.SIGCHLD, signal.SIGRTMIN,
                                              signal.SIGRTMIN + 3})


@pytest.mark.parametrize("prepare", [None, ignore_sigchld, as_nohup_and_in_background, ignore_sigpipe, block_some])
def test_signal_mask_and_dispositions(both, prepare):
    alone, tracked = both(["grep", "^Sig[BIC]", "/proc/self/status"], preexec_fn=prepare)
    assert b"SigIgn" in alone
    assert tracked == alone


def test_ignored_sigchld_does_not_hide_the_exit_status(run):
    # With SIGCHLD ignored the kernel reaps children itself, and wait returns no status.
    assert run("--quiet", "--record", "none", "--", "sh", "-c", "exit 7", preexec_fn=ignore_sigchld).returncode == 7


def test_limits(both):
    def lower():
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, 900))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 4096))

    alone, tracked = both(["cat", "/proc/self/limits"], preexec_fn=lower)
    assert b"200" in alone
    assert tracked == alone


def test_place_and_group(both, tmp_path):
    show = ("import os; print(os.getpgrp(), os.getsid(0), os.getcwd(), os.umask(0), os.nice(0), "
            "open('/proc/self/oom_score_adj').read(), open('/proc/self/cgroup').read(), "
            "sorted(os.sched_getaffinity(0)))")
    alone, tracked = both([sys.executable, "-I", "-c", show], cwd=tmp_path, umask=0o027)
    assert str(tmp_path).encode() in alone
    # The only difference is its own control group, below the one that it would be in.
    assert re.sub(rb"/resource-tracker-\d+-\d+-\d+", b"", tracked) in (alone, alone.replace(b"0::/\n", b"0::\n"))


def test_open_descriptors(both, tmp_path):
    show = ("import os; fds = os.listdir('/proc/self/fd')\n"
            "for fd in sorted(fds, key=int):\n"
            "    try: print(fd, os.readlink(f'/proc/self/fd/{fd}'))\n"
            "    except FileNotFoundError: pass\n")
    more = os.open(tmp_path, os.O_RDONLY)
    with open(tmp_path / "err", "w") as err:
        alone, tracked = both([sys.executable, "-I", "-c", show], pass_fds=[more], stderr=err)
    os.close(more)
    # The pipe of stdout is another one each time.
    numbers = [[line.split()[0] for line in text.decode().splitlines()] for text in (alone, tracked)]
    assert str(more) in numbers[0]
    assert numbers[1] == numbers[0]
    names = [[line for line in text.decode().splitlines() if "pipe:" not in line] for text in (alone, tracked)]
    assert names[1] == names[0]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_descriptors_stay_closed(tracker, tmp_path, closed):
    show = "ls /proc/self/fd > seen 2>/dev/null; exit 4"
    seen = []
    for before in ("", f"'{tracker}' --record record.jsonl -- "):
        done = subprocess.run(["sh", "-c", f"exec {before}sh -c '{show}' {closed}"], cwd=tmp_path,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert done.returncode == 4
        seen.append((tmp_path / "seen").read_text())
    assert seen[1] == seen[0]
    # Text meant for a closed stderr must not end up in the record, which possibly got its number.
    assert all(line.startswith(("{", "[")) for line in (tmp_path / "record.jsonl").read_text().splitlines())


def test_environment(both, monkeypatch):
    monkeypatch.setenv("ODD", "two\nlines = and more")
    monkeypatch.setenv("TRACKERS", "not ours")
    alone, tracked = both(["env", "-0"])
    assert sorted(tracked.split(b"\0")) == sorted(alone.split(b"\0"))


def test_outputs_of_the_tracker_are_not_inherited(run, tmp_path, monkeypatch):
    # A tracker inside the command writes its own files, and not over the outer one's.
    monkeypatch.setenv("TRACKER_OUTPUT", str(tmp_path / "samples"))
    monkeypatch.setenv("RESOURCE_TRACKER_RECORD", "none")
    monkeypatch.setenv("TRACKER_TEAM", "blue")
    seen = run("--quiet", "--", "env").stdout.splitlines()
    assert not [line for line in seen if line.startswith(("TRACKER_OUTPUT=", "RESOURCE_TRACKER_RECORD="))]
    assert f"HOME={os.environ['HOME']}" in seen


def test_a_terminal_stays_a_terminal(tracker):
    show = "import os; print('tty', [os.isatty(fd) for fd in (0, 1, 2)], os.tcgetpgrp(0) == os.getpgrp())"
    with Terminal([tracker, *QUIET, sys.executable, "-I", "-c", show]) as terminal:
        assert terminal.until(r"tty .*?\]\s\w+").group(0) == "tty [True, True, True] True"
        assert terminal.process.wait() == 0


def test_large_output_does_not_wait_for_the_tracker(run):
    done = run("--quiet", "--record", "none", "-i", "0.01", "--", "sh", "-c",
               "head -c 20000000 /dev/zero | tr '\\0' x")
    assert len(done.stdout) == 20000000


def test_nested_trackers(run, tracker, tmp_path):
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    done = run("--quiet", "--record", "none", "-f", "json", "-o", outer, "-i", "0.05", "--",
               tracker, "--quiet", "--record", "none", "-f", "csv", "-o", inner, "-i", "0.05", "--",
               "sh", "-c", "sleep 0.3; exit 6")
    assert done.returncode == 6
    assert outer.read_text().startswith("{")
    assert inner.read_text().startswith("timestamp,")


def test_it_loads_libc_only(tracker):
    # Each further library adds 0.1 ms to every run: libm came with the first fmax().
    dynamic = subprocess.run(["readelf", "-d", tracker], stdout=subprocess.PIPE, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*?)\.so", dynamic))
    if needed & {"libasan", "libtsan", "libubsan"} or b"__asan_init" in tracker.read_bytes():
        pytest.skip("sanitizers bring libraries of their own")
    assert needed <= {"libc", "ld-linux-x86-64", "ld-linux-aarch64"}
