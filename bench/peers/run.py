#!/usr/bin/python3
"""run.py - runs another resource tracker beside ours, at the same time on the same machine, and compares both.

The others are neither shipped nor needed; give the path of one that is installed:
    bench/peers/run.py --peer-rust /path/to/its/resource-tracker --duration 60
    bench/peers/run.py --peer-python /path/to/site-packages --duration 60
    bench/peers/run.py --peer-python /path/to/site-packages --job python3 pool.py
With --job, ours runs the command, theirs is given its pid, and both report its processes until it ends.
Prints the values of each side, column by column, and the cost of each side.
"""
import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

PYTHON_PEER = """
import sys, time
from resource_tracker import SystemTracker
tracker = SystemTracker(interval=float(sys.argv[1]), output_file=sys.argv[2])
time.sleep(float(sys.argv[3]))
tracker.stop()
"""
PYTHON_PEER_OF_A_JOB = """
import os, sys
from resource_tracker import ProcessTracker
ProcessTracker(pid=int(sys.argv[3]), interval=float(sys.argv[1]), output_file=sys.argv[2])
"""


def usage_of(process):
    """Waits for the process; returns its use and that of the children it waited for: (CPU seconds, peak MiB)."""
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def start_ours(program, interval, output, job):
    layout = ["--csv", "process", "--record", "none"] if job else ["--csv", "system"]
    return subprocess.Popen([program, "--interval", str(interval), *layout, "--output", output, *(["--", *job] if job else [])],
                            stdin=subprocess.DEVNULL)


def command_of(own):
    """The pid of the command that ours runs: its only child, once it has executed it."""
    children = pathlib.Path(f"/proc/{own.pid}/task/{own.pid}/children")
    while own.poll() is None:
        try:
            for pid in children.read_text().split():
                if os.readlink(f"/proc/{pid}/exe") != os.readlink(f"/proc/{own.pid}/exe"):
                    return pid
        except OSError:                         # it ends
            pass
        time.sleep(0.001)
    sys.exit("the job ended before theirs could be given its pid")


def start_rust(program, interval, output, pid):
    of_pid = ["--pid", pid] if pid else []
    with open(output, "wb") as out:
        return subprocess.Popen([program, "--interval", str(max(1, round(interval))), "--format", "csv", *of_pid],
                                stdin=subprocess.DEVNULL, stdout=out)


def start_python(package, interval, output, duration, pid):
    environment = {**os.environ, "PYTHONPATH": str(package)}
    script, last = (PYTHON_PEER_OF_A_JOB, pid) if pid else (PYTHON_PEER, str(duration))
    return subprocess.Popen([sys.executable, "-c", script, str(interval), output, last], stdin=subprocess.DEVNULL, env=environment)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", default=ROOT / "build/bench/resource-tracker", type=pathlib.Path)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--peer-rust", metavar="PROGRAM")
    which.add_argument("--peer-python", metavar="DIRECTORY", help="where its package resource_tracker lies")
    parser.add_argument("--duration", type=float, default=60)
    parser.add_argument("--interval", type=float, default=1)
    parser.add_argument("--job", nargs=argparse.REMAINDER, metavar="COMMAND", help="what both report of; the last option")
    parser.add_argument("--keep", metavar="DIRECTORY", help="leave both CSVs there")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as temporary:
        directory = pathlib.Path(args.keep or temporary)
        directory.mkdir(parents=True, exist_ok=True)
        ours, theirs = str(directory / "ours.csv"), str(directory / "theirs.csv")
        own = start_ours(args.ours, args.interval, ours, args.job)
        pid = command_of(own) if args.job else None
        if args.peer_rust:
            peer = start_rust(args.peer_rust, args.interval, theirs, pid)
        else:
            peer = start_python(args.peer_python, args.interval, theirs, args.duration, pid)
        start = time.monotonic()
        try:
            if args.job:
                os.waitid(os.P_PID, own.pid, os.WEXITED | os.WNOWAIT)
            else:
                time.sleep(args.duration)
        finally:
            duration = time.monotonic() - start
            # By os.kill: Popen would reap an ended process, and its use would be lost.
            if not args.job:
                os.kill(own.pid, signal.SIGTERM)
            if args.peer_rust or args.job:
                os.kill(peer.pid, signal.SIGTERM)
            costs = {"ours": usage_of(own), "theirs": usage_of(peer)}
        subprocess.run([sys.executable, HERE / "compare.py", "--ours", ours, "--theirs", theirs], check=True)

    samples = duration / args.interval
    if args.job:
        print("\nWhat ours used holds what the job used.")
    print("\n| | CPU, ms in all | CPU, us a sample | largest resident, MiB |\n|---|---:|---:|---:|")
    for side, (seconds, mib) in costs.items():
        print(f"| {side} | {seconds * 1e3:,.1f} | {seconds / samples * 1e6:,.0f} | {mib:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
