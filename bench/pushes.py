#!/usr/bin/python3
"""
pushes.py - many runs that push to one receiver: is a sample lost or doubled, and what do the companions cost?

    bench/run --only wrapper                    # builds what is measured, in build/bench
    bench/pushes.py [--recorders N] [--seconds S] [--runs N] [--build DIR]

Two parts, each with a VictoriaMetrics of its own on loopback:
1. N recorders at once, at 1 Hz for S seconds, each with a companion that pushes while its load runs;
2. N finished runs, which one sender sends one after the other: copies of one record with ids and times of their own.

Afterwards the receiver is asked for each run, and every sample is compared with the run's record: its time, its value, and
the totals of counters.  Exits with 1 if anything is missing, is there twice, or has another value.  Cost is shown and never
judged: the CPU time of companions over the first half of the run, and the PSS of the median one.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/cli")]
from pushed import same  # noqa: E402
from receivers import VictoriaMetrics, companion  # noqa: E402

SHOWN_SECONDS = 120             # a series that the receiver took shows after some seconds
# Uses a tenth of a second of CPU time for each second, so that counters grow and the machine is not full.
LOAD = """
import sys, time
until = time.monotonic() + float(sys.argv[1])
while time.monotonic() < until:
    begin = time.process_time()
    while time.process_time() < begin + .002: pass
    time.sleep(.2)
"""


@contextlib.contextmanager
def started(folder):
    receiver = VictoriaMetrics(folder).start()
    try:
        yield receiver
    finally:
        receiver.stop(signal.SIGKILL)


def lines_of(record):
    return [json.loads(line) for line in record.read_text().splitlines()]


def late(*_):
    raise TimeoutError(f"not there after {SHOWN_SECONDS} s")


def compare(receiver, records):
    """How many samples are there, and what is wrong."""
    samples, bad = 0, []
    signal.signal(signal.SIGALRM, late)
    for record in records:
        signal.alarm(SHOWN_SECONDS)
        try:
            samples += same(receiver, lines_of(record))
        except (AssertionError, TimeoutError, KeyError) as error:
            bad.append(f"{record.name}: {type(error).__name__}: {(str(error).splitlines() or [''])[0]}")
        signal.alarm(0)
    return samples, bad


def cpu_seconds(pid):
    """CPU time of a living process, of the threads that it has: the first field of schedstat, in nanoseconds."""
    return sum(int(path.read_text().split()[0]) for path in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def pss_bytes(pid):
    return int(re.search(r"^Pss:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1]) << 10


def recorders(args, folder, receiver):
    """Part 1: the records, and the cost of companions: (share of a core, PSS)."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    running = [subprocess.Popen([args.build / "resource-tracker", "-q", "--no-config", "-i", "1", "-n", f"job-{i}", "--record",
                                 folder / f"{i}.jsonl", "--push", f"prometheus={receiver.url}", "--push-drain", "60s", "--",
                                 "/usr/bin/python3", "-I", "-c", LOAD, str(args.seconds)], env=environment)
               for i in range(args.recorders)]
    pids = [companion(process) for process in running]
    begin, before = time.monotonic(), [cpu_seconds(pid) for pid in pids]
    time.sleep(args.seconds / 2)
    used = sum(cpu_seconds(pid) for pid in pids) - sum(before)
    share, pss = used / (time.monotonic() - begin) / len(pids), sorted(map(pss_bytes, pids))[len(pids) // 2]
    failed = sum(process.wait() != 0 for process in running)
    return [folder / f"{i}.jsonl" for i in range(args.recorders)], failed, share, pss


def copies(args, folder):
    """One record of a real run, as many runs one after the other."""
    one = folder / "one.jsonl"
    subprocess.run([args.build / "resource-tracker", "-q", "--no-config", "-i", "0.1", "-n", "copied", "--record", one, "--",
                    "/usr/bin/python3", "-I", "-c", LOAD, "3"], check=True)
    header, _, rest = one.read_text().partition("\n")
    whole = json.loads(header)
    for i in range(args.runs):
        copy = {**whole, "id": f"{whole['id']}-{i}", "start": whole["start"] - 10 * i}
        path = folder / f"copy-{i}.jsonl"
        path.write_text(json.dumps(copy, separators=(",", ":")) + "\n" + rest)
        yield path


def send(args, folder, receiver):
    """Part 2: the records, how many were not sent, and the seconds that it took."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
    records, begin = list(copies(args, folder)), time.monotonic()
    failed = sum(subprocess.run([args.build / "resource-tracker", "push", record, "--to", f"prometheus={receiver.url}"],
                                env=environment).returncode != 0 for record in records)
    return records, failed, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--recorders", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "bench")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))       # what was started is ended, too
    if not (args.build / "resource-tracker-push").exists():
        sys.exit(f"{args.build / 'resource-tracker-push'} is missing: bench/run --only wrapper builds it, where libcurl is")
    bad = []
    with tempfile.TemporaryDirectory(prefix="resource-tracker-bench-") as name:
        folder = pathlib.Path(name)
        with started(folder / "receiver-1") as receiver:
            (folder / "live").mkdir()
            records, failed, share, pss = recorders(args, folder / "live", receiver)
            samples, wrong = compare(receiver, records)
            bad += wrong + ([f"{failed} recorders failed"] if failed else [])
            print(f"{len(records)} recorders at once, {args.seconds:.0f} s: {samples:,} samples, {len(wrong)} runs differ from their "
                  f"records; a companion uses {share:.2%} of a core, {pss / 2**20:.1f} MiB PSS")
        with started(folder / "receiver-2") as receiver:
            (folder / "sent").mkdir()
            records, failed, seconds = send(args, folder / "sent", receiver)
            samples, wrong = compare(receiver, records)
            bad += wrong + ([f"{failed} runs were not sent"] if failed else [])
            print(f"{len(records)} runs by one sender in {seconds:.1f} s: {samples:,} samples, {len(wrong)} runs differ from their records")
    for line in bad[:20]:
        print(line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
