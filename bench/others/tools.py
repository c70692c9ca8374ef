"""tools.py - how each tool is put around a command, and how its report is read afterwards.

Everything is sampled once a second, where a tool samples.  What a tool does not report is None.
"""
import csv
import dataclasses
import json
import pathlib
import shlex
import shutil
import subprocess
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bench"
KIB, MIB = 1 << 10, 1 << 20


@dataclasses.dataclass(frozen=True)
class Report:
    """What a tool reports of a command: its CPU time, the memory of all its processes, the highest figure of memory."""
    cpu_seconds: float | None = None
    memory_bytes: float | None = None
    peak_bytes: float | None = None


@dataclasses.dataclass(frozen=True)
class Tool:
    """`around` makes the words that run a command under it, `report` reads what it left in the same folder."""
    name: str
    program: str
    around: Callable[[str, pathlib.Path, list[str]], list[str]]
    report: Callable[[pathlib.Path], Report]


def of_ours(summary):
    """The text of `resource-tracker summary --json`."""
    quantities = json.loads(summary)["quantities"]
    return Report(quantities["cpu_time"], quantities["peak_memory"], quantities["peak_rss"])


def of_time(text):
    """user, system, KiB of the largest process; before that a line if the command failed."""
    user, system, largest = text.splitlines()[-1].split()
    return Report(float(user) + float(system), float(largest) * KIB, float(largest) * KIB)


def of_prmon(text):
    """Its JSON: whole seconds, and KiB."""
    most = json.loads(text)["Max"]
    return Report(most["utime"] + most["stime"], most["pss"] * KIB, most["rss"] * KIB)


def of_con_duct(text):
    """Its info.json.  It reports no CPU time: a mean share of a CPU, which is taken times the time it ran."""
    summary = json.loads(text)["execution_summary"]
    share = summary["average_pcpu"]
    return Report(None if share is None else share / 100 * summary["wall_clock_time"], summary["peak_rss"], summary["peak_rss"])


def of_perf(text):
    """`perf stat -x,`: the first field of the line of the event, in ms."""
    line = next(line for line in text.splitlines() if ",task-clock," in line)
    return Report(cpu_seconds=float(line.split(",")[0]) / 1000)


def of_psrecord(text):
    """Its log as CSV.  It reports no CPU time: the share of a CPU since the row before, which is summed up."""
    cpu = peak = before = 0.0
    for row in csv.DictReader(text.splitlines()):
        at = float(row["elapsed_time"])
        cpu += float(row["cpu"]) / 100 * (at - before)
        peak, before = max(peak, float(row["mem_real"]) * MIB), at
    return Report(cpu, peak, peak)


def around_psrecord(program, folder, command):
    return [program, "--interval", "1", "--include-children", "--log-format", "csv", "--log", str(folder / "log"), shlex.join(command)]


def summary_of_ours(folder):
    return subprocess.check_output([BUILD / "resource-tracker", "summary", "--json", folder / "record"], text=True)


TOOLS = (
    Tool("resource-tracker", str(BUILD / "resource-tracker"),
         lambda program, folder, command: [program, "--quiet", "--record", str(folder / "record"), "--", *command],
         lambda folder: of_ours(summary_of_ours(folder))),
    Tool("GNU time", "time",
         lambda program, folder, command: [program, "-o", str(folder / "out"), "-f", "%U %S %M", *command],
         lambda folder: of_time((folder / "out").read_text())),
    Tool("prmon", "prmon",
         lambda program, folder, command: [program, "--interval", "1", "--filename", str(folder / "rows"), "--log-filename",
                                           str(folder / "log"), "--json-summary", str(folder / "json"), "--", *command],
         lambda folder: of_prmon((folder / "json").read_text())),
    Tool("con-duct", "con-duct",
         lambda program, folder, command: [program, "run", "--sample-interval", "1", "-c", "none", "-o", "all", "-p",
                                           str(folder / "duct-"), *command],
         lambda folder: of_con_duct((folder / "duct-info.json").read_text())),
    Tool("perf stat", "perf",
         lambda program, folder, command: [program, "stat", "-x", ",", "-e", "task-clock", "-o", str(folder / "out"), "--", *command],
         lambda folder: of_perf((folder / "out").read_text())),
    Tool("psrecord", "psrecord", around_psrecord, lambda folder: of_psrecord((folder / "log").read_text())),
)


def found():
    """The tools that are installed, each with the path of its program."""
    here = ((tool, shutil.which(tool.program)) for tool in TOOLS)
    return [dataclasses.replace(tool, program=path) for tool, path in here if path]
