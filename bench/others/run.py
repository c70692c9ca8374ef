#!/usr/bin/python3
"""Puts each tool around loads with a known use, and prints what it reports beside the truth, and what it costs.

The other tools are neither shipped nor needed: those on PATH are measured (time, prmon, con-duct, perf, psrecord), and
a table names the rest.  Wants what `bench/run` builds, and a machine that does nothing else.
    bench/others/run.py --rounds 3
"""
import argparse
import contextlib
import ctypes
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import tools

MIB = tools.MIB
PR_SET_CHILD_SUBREAPER = 36


@dataclasses.dataclass(frozen=True)
class Load:
    """`what` of a Report is compared with `truth` of the line that the load prints."""
    title: str
    what: str
    truth: str
    words: list[str]


def verify(*words):
    return [str(tools.BUILD / "resource-tracker-verify"), "load", *words]


# Each stays for seconds after its work, so that a sample once a second finds all that it can find.
LOADS = (
    Load("CPU: 1,000 children of 2 ms, waited for", "cpu_seconds", "cpu_seconds",
         verify("cpu", "--children", "1000", "--each", "2", "--waited", "--hold", "2")),
    Load("CPU: 1,000 children of 2 ms, not waited for", "cpu_seconds", "cpu_seconds",
         verify("cpu", "--children", "1000", "--each", "2", "--unwaited", "--hold", "2")),
    Load("memory: 8 workers share 200 MiB", "memory_bytes", "pss_bytes", verify("pool", "--mib", "200", "--workers", "8", "--hold", "3")),
    Load("memory: the same, each writes to 20 MiB", "memory_bytes", "pss_bytes",
         verify("pool", "--mib", "200", "--workers", "8", "--write", "20", "--hold", "3")),
    Load("peak: 500 MiB more for 50 ms", "peak_bytes", "peak_rss_bytes",
         verify("memory", "--rss", "50", "--spike", "500", "--spike-ms", "50", "--hold", "4")),
)


@dataclasses.dataclass(frozen=True)
class Run:
    """One run of a command, with or without a tool: what both used, and what both wrote."""
    status: int
    wall_seconds: float
    cpu_seconds: float
    lines: list[dict]
    report: tools.Report | None


def cpu_until_no_child_is_left():
    """CPU seconds of all children.  Some tools do not wait for the command, which is then our child."""
    used = 0.0
    with contextlib.suppress(ChildProcessError):
        while True:
            usage = os.wait4(-1, 0)[2]
            used += usage.ru_utime + usage.ru_stime
    return used


def json_lines(path):
    """The lines of JSON in a file, without what a tool wrote there as well."""
    return [json.loads(line) for line in path.read_text(errors="replace").splitlines() if line.startswith('{"load"')]


def run(tool, command, reads_report=False):
    """Runs the command under the tool; without one if that is None."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        words = tool.around(tool.program, folder, command) if tool else command
        with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
            began = time.monotonic()
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=folder)
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.monotonic() - began
            process.returncode = os.waitstatus_to_exitcode(status)
        cpu = usage.ru_utime + usage.ru_stime + cpu_until_no_child_is_left()
        return Run(process.returncode, wall, cpu, json_lines(folder / "stdout"), tool.report(folder) if reads_report else None)


def median(values):
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def cell(value, what):
    if value is None:
        return "-"
    return f"{value:.2f} s" if what == "cpu_seconds" else f"{value / MIB:.0f} MiB"


def accuracy(these, rounds):
    """One row a load: the truth, and what each tool reports."""
    for load in LOADS:
        truths, cells = [], []
        for tool in these:
            runs = [run(tool, load.words, reads_report=True) for _ in range(rounds)]
            truths += [one.lines[-1][load.truth] for one in runs]
            cells.append(cell(median(getattr(one.report, load.what) for one in runs), load.what))
        yield [load.title, cell(median(truths), load.what), *cells]


def around_true(these, rounds):
    """How much longer `true` takes."""
    bare, *walls = (1e3 * median(run(tool, ["true"]).wall_seconds for _ in range(10 * rounds)) for tool in (None, *these))
    yield ["`true` takes longer by", f"({bare:.1f} ms)", *(f"{wall - bare:.1f} ms" for wall in walls)]


def own_cpu(these, rounds, seconds):
    """CPU time of the tool itself, as a part of one core: all that was used less what the job used."""
    def share(tool, command, of_job):
        return median((one.cpu_seconds - of_job(one)) / one.wall_seconds for one in (run(tool, command) for _ in range(rounds)))

    sleep = ["sleep", str(seconds)]
    slept = median(run(None, sleep).cpu_seconds for _ in range(rounds))
    tree = [str(tools.BUILD / "load_tree"), "--processes", "100", "--busy", "10", "--seconds", str(seconds)]
    for title, command, of_job in (("own CPU beside one process", sleep, lambda one: slept),
                                   ("own CPU beside 100 processes", tree, lambda one: one.lines[-1]["cpu_seconds"])):
        yield [title, "", *(f"{100 * share(tool, command, of_job):.2f} %" for tool in these)]


def stall(these, rounds, seconds):
    """How long a job of 1 GiB that maps and unmaps all the time waits for its memory map, and how often over 5 ms."""
    job = [str(tools.BUILD / "load_churn"), "--faults", "--rss", "1024", "--windows", "1", "--seconds", str(seconds)]
    cells = []
    for tool in (None, *these):
        lines = [run(tool, job).lines[-1] for _ in range(rounds)]
        waited, long = median(line["waited_ms"] for line in lines), median(line["stalls_over_5_ms"] for line in lines)
        cells.append(f"{waited / seconds:.2f} ms/s, {long:g}")
    yield ["a job of 1 GiB waits for its memory map; waits over 5 ms", *cells]


def statuses(these):
    """With what each ends if the command exits with 3, and if SIGKILL ends it."""
    cells = [" and ".join(str(run(tool, ["sh", "-c", script]).status) for script in ("exit 3", "kill -9 $$")) for tool in (None, *these)]
    yield ["exit status after `exit 3`, and after SIGKILL", *cells]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10, help="how long each job lives that cost and stalls are measured beside")
    parser.add_argument("--only", default="accuracy,true,cpu,stall,status")
    args = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    these, parts = tools.found(), args.only.split(",")
    rows = {
        "accuracy": lambda: accuracy(these, args.rounds), "true": lambda: around_true(these, args.rounds),
        "cpu": lambda: own_cpu(these, args.rounds, args.seconds), "stall": lambda: stall(these, args.rounds, args.seconds),
        "status": lambda: statuses(these),
    }
    print("| | truth, or without a tool | " + " | ".join(tool.name for tool in these) + " |\n|---" + "|---:" * (len(these) + 1) + "|")
    for part in parts:
        for row in rows[part]():
            print("| " + " | ".join(row) + " |", flush=True)
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    missing = [tool.name for tool in tools.TOOLS if tool.name not in {one.name for one in these}]
    print(f"\nMedians of {args.rounds} runs; Linux {os.uname().release}, {os.cpu_count()} CPUs, load at the end {load}." +
          (f"  Not installed, so not measured: {', '.join(missing)}." if missing else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
