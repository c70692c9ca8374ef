#!/usr/bin/python3
"""Runs another resource tracker beside ours, at the same time on the same machine, and compares both.

The others are neither shipped nor needed; give the path of one that is installed:
    bench/peers/run.py --peer-rust /path/to/its/resource-tracker --duration 60
    bench/peers/run.py --peer-python /path/to/site-packages --duration 60
Prints what each side says, column by column, and what each side costs.
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


def usage_of(process):
    """Waits for it; what it and the children it waited for used: (CPU seconds, largest MiB)."""
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def start_ours(program, interval, output):
    return subprocess.Popen([program, "--interval", str(interval), "--csv", "system", "--output", output],
                            stdin=subprocess.DEVNULL)


def start_rust(program, interval, output):
    with open(output, "wb") as out:
        return subprocess.Popen([program, "--interval", str(max(1, round(interval))), "--format", "csv"],
                                stdin=subprocess.DEVNULL, stdout=out)


def start_python(package, interval, output, duration):
    environment = {**os.environ, "PYTHONPATH": str(package)}
    return subprocess.Popen([sys.executable, "-c", PYTHON_PEER, str(interval), output, str(duration)],
                            stdin=subprocess.DEVNULL, env=environment)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", default=ROOT / "build/bench/resource-tracker", type=pathlib.Path)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--peer-rust", metavar="PROGRAM")
    which.add_argument("--peer-python", metavar="DIRECTORY", help="where its package resource_tracker lies")
    parser.add_argument("--duration", type=float, default=60)
    parser.add_argument("--interval", type=float, default=1)
    parser.add_argument("--keep", metavar="DIRECTORY", help="leave both CSVs there")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as temporary:
        directory = pathlib.Path(args.keep or temporary)
        directory.mkdir(parents=True, exist_ok=True)
        ours, theirs = str(directory / "ours.csv"), str(directory / "theirs.csv")
        if args.peer_rust:
            peer = start_rust(args.peer_rust, args.interval, theirs)
        else:
            peer = start_python(args.peer_python, args.interval, theirs, args.duration)
        own = start_ours(args.ours, args.interval, ours)
        try:
            time.sleep(args.duration)
        finally:
            own.send_signal(signal.SIGTERM)
            if args.peer_rust:
                peer.send_signal(signal.SIGTERM)
            costs = {"ours": usage_of(own), "theirs": usage_of(peer)}
        subprocess.run([sys.executable, HERE / "compare.py", "--ours", ours, "--theirs", theirs], check=True)

    samples = args.duration / args.interval
    print("\n| | CPU, ms in all | CPU, us a sample | largest resident, MiB |\n|---|---:|---:|---:|")
    for side, (seconds, mib) in costs.items():
        print(f"| {side} | {seconds * 1e3:,.1f} | {seconds / samples * 1e6:,.0f} | {mib:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
