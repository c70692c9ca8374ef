#!/usr/bin/python3
"""
ranks.py - a thousand ranks that start at once on one machine: is no record lost, and when does the last one start?

    bench/run --only wrapper                    # builds what is measured, in build/bench
    bench/ranks.py [--ranks N] [--rounds N] [--build DIR]

A rank is a recorder, in the environment of a task of Slurm, around a command that makes a file and sleeps.  All wait at one
pipe, so that they exec at the same moment, as under a scheduler.  The floor is as many bench_wrapper (wrapper.c) around the
same command; floor and ours are measured in turn, and medians over the rounds count.

Exits with 1 if a record is missing, is not whole, or has another rank in it.  Times are never judged: a start is when the
command's file appears, and they depend on what else the machine does; the ratio of the two is what can be compared.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
VARIABLES = {"SLURM_JOB_ID": "1", "SLURM_STEP_ID": "0", "SLURM_NODEID": "0", "SLURMD_NODENAME": "n0"}


def start(words, environment, gate):
    """A process that execs the words when the gate is closed."""
    pid = os.fork()
    if pid == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_RDWR), 2)          # where the floor's summary goes
            os.close(gate[1])
            os.read(gate[0], 1)
            os.execvpe(words[0], list(map(str, words)), environment)
        finally:
            os._exit(127)
    return pid


def launch(ranks, words_of, started, seconds):
    """Starts all; returns the seconds until the command of each began, in order, and how many ended badly."""
    gate = os.pipe()
    command = ["/bin/sh", "-c", f': > "$0"; exec sleep {seconds}']
    pids = []
    for rank in range(ranks):
        environment = {**os.environ, **VARIABLES, "SLURM_PROCID": str(rank), "SLURM_LOCALID": str(rank),
                       "SLURM_STEP_NUM_TASKS": str(ranks)}
        pids.append(start([*words_of(rank), *command, started / str(rank)], environment, gate))
    begin = time.time_ns()
    os.close(gate[0])
    os.close(gate[1])
    failed = sum(os.waitpid(pid, 0)[1] != 0 for pid in pids)
    return sorted((path.stat().st_mtime_ns - begin) / 1e9 for path in started.iterdir()), failed


def lost(folder, ranks):
    """The ranks without a whole record."""
    whole = set()
    for path in folder.rglob("*.jsonl"):
        lines = path.read_text().splitlines()
        if len(lines) > 1 and "end" in json.loads(lines[-1]):
            whole.add(json.loads(lines[0])["job"]["rank"])
    return sorted(set(range(ranks)) - whole)


def measure(what, args):
    with tempfile.TemporaryDirectory(prefix="resource-tracker-bench-") as name:
        folder = pathlib.Path(name)
        for part in ("started", "records"):
            (folder / part).mkdir()
        ours = [args.build / "resource-tracker", "--quiet", "--record", f"{folder}/records/%j/", "--"]
        floor = [args.build / "bench_wrapper", "none", folder / "records"]
        starts, failed = launch(args.ranks, lambda rank: ours if what == "ours" else floor, folder / "started", args.seconds)
        missing = lost(folder / "records", args.ranks) if what == "ours" else []
    return starts, failed, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--ranks", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5, help="that each rank sleeps")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "bench")
    args = parser.parse_args()
    for name in ("resource-tracker", "bench_wrapper"):
        if not (args.build / name).exists():
            sys.exit(f"{args.build / name} is missing: bench/run --only wrapper builds it")

    last, middle, bad = {"floor": [], "ours": []}, {"floor": [], "ours": []}, []
    for _ in range(args.rounds):
        for what in ("floor", "ours"):
            starts, failed, missing = measure(what, args)
            last[what].append(starts[-1] if starts else float("nan"))
            middle[what].append(statistics.median(starts) if starts else float("nan"))
            if failed or missing or len(starts) != args.ranks:
                bad.append(f"{what}: {args.ranks - len(starts)} did not start, {failed} failed, without a record: {missing[:10]}")
    print(f"| {args.ranks} ranks at once | floor | ours | ratio |\n|---|---|---|---|")
    for title, of in (("median start", middle), ("last start", last)):
        floor, ours = (statistics.median(of[what]) for what in ("floor", "ours"))
        print(f"| {title} | {floor:.3f} s | {ours:.3f} s | {ours / floor:.2f} |")
    print(f"\nrecords lost: {len(bad)}" if bad else "\nno record is lost")
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
