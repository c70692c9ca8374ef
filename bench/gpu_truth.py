#!/usr/bin/env python3
"""
gpu_truth.py - what the recorder says of an NVIDIA GPU, beside loads of known use (gpu_load.py) and the driver's own figures.

    bench/gpu_truth.py [--build DIR] [--device N] [--folder DIR]

Prints a line for each figure: the true one, the recorder's, the difference, and whether it is within the bound that is printed
beside it; exits with 1 if one is not.  The GPU must be idle otherwise.  The recorder runs without a limit of its cost, so that
each sample has a reading.

Beside a process of others the driver attributes each of its looks, five in a second, to one process: a share of the device is
only known to be between nothing and all of its use.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from gpu_load import Nvml

HERE = pathlib.Path(__file__).resolve().parent
LOAD = [sys.executable, str(HERE / "gpu_load.py")]
MIB = 1 << 20


class Check:
    def __init__(self, o):
        self.tracker, self.device, self.folder, self.broken, self.runs = o.build / "resource-tracker", o.device, o.folder, 0, 0
        self.nvml = Nvml(o.device)

    def figure(self, name, truth, value, bound, unit):
        good = value is not None and truth is not None and abs(value - truth) <= bound
        self.broken += not good
        shown = "missing" if value is None else f"{value:12.2f}"
        error = "" if value is None or truth is None else f"{value - truth:+9.2f}"
        print(f"{name:46}{'unknown' if truth is None else f'{truth:.2f}':>12}{shown:>12} {error:>9} {unit:8} +-{bound:<8.2f} "
              f"{'ok' if good else 'BROKEN'}", flush=True)

    def run(self, *steps, before=(), words=(), interval=0.5):
        """Runs a load under the recorder: the truth, the samples, the statistics of the run, the summary."""
        self.runs += 1
        truth, samples, record = (self.folder / f"{self.runs}-{name}" for name in ("truth", "samples", "record"))
        command = [*before, str(self.tracker), "--no-config", "--max-overhead", "unlimited", "-i", str(interval), "-f", "json", "-o", str(samples), "--record", str(record),
                   *words, "--", *LOAD, "--device", str(self.device), "--truth", str(truth), *steps]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"gpu_truth.py: status {done.returncode} of {' '.join(command)}: {done.stderr}")
        lines = [json.loads(line) for line in samples.read_text().splitlines()]
        end = json.loads(record.read_text().splitlines()[-1])["end"]
        return [json.loads(line) for line in truth.read_text().splitlines()], lines, end, done.stderr

    def row(self, line):
        return next((gpu for gpu in line["gpu"] if gpu["host_id"] == str(self.device)), None)


def within(lines, step, interval=0.5):
    """The samples whose whole interval is within a step; those of a reading that is older are not."""
    return [line for line in lines if line["timestamp"] - interval - 0.5 > step["begin"] and line["timestamp"] <= step["end"]]


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def utilisation(check):
    steps = ["hold:0:3", *(f"spin:{percent}:8" for percent in (100, 50, 20)), "hold:0:3"]
    truth, lines, end, _ = check.run(*steps)
    busy = 0
    for step in truth:
        seen = within(lines, step)
        true = 100 * step.get("busy_seconds", 0) / (step["end"] - step["begin"])
        busy += step.get("busy_seconds", 0)
        check.figure(f"{step['step']}: utilization_pct", true, mean(check.row(line)["utilization_pct"] for line in seen), 8, "%")
        print("  " + "; ".join(f"{name} {[check.row(line)[name] for line in seen]}" for name in (
            "kernel_active_pct", "sm_active_pct", "sm_occupancy_pct", "tensor_active_pct", "memory_bandwidth_pct", "memory_utilization_pct")))
        check.figure(f"{step['step']}: kernel_active_pct", true, mean(check.row(line)["kernel_active_pct"] for line in seen), 1, "%")
        check.figure(f"{step['step']}: job_utilization_pct", true, mean(check.row(line)["job_utilization_pct"] for line in seen), 8, "%")
    check.figure("gpu_seconds of the run", busy, total(end, "process.gpu_seconds"), 0.1 * busy, "s")


def total(end, name):
    return end["statistics"].get(name, [None] * 3)[2]


def memory(check):
    idle = check.nvml.used_bytes()
    truth, lines, _, _ = check.run("hold:1024:3", "hold:6000:3", "child:hold:2000:9")
    for step in truth:
        print(f"  {step['step']} of {step['pid']}: {step['process_bytes'] / MIB:.0f} MiB by its driver, {step['allocated_bytes'] / MIB:.0f} allocated")
    both = {step["pid"]: step for step in truth}
    last = within(lines, truth[1])[-1]
    sum_ = sum(step["process_bytes"] for step in both.values()) / MIB
    row = check.row(last)
    check.figure("two processes: job_vram_bytes", sum_, row["job_vram_bytes"] / MIB, 1, "MiB")
    check.figure("two processes: process_gpu_vram_mib", sum_, last["cpu"]["process_gpu_vram_mib"], 1, "MiB")
    check.figure("two processes: vram_used_bytes", truth[1]["device_bytes"] / MIB, row["vram_used_bytes"] / MIB, 1, "MiB")
    check.figure("two processes: job_processes", 2, row["job_processes"], 0, "")
    check.figure("device, less what it used before", sum_, (row["vram_used_bytes"] - idle) / MIB, 64, "MiB")


def energy(check):
    before = check.nvml.energy_joules()
    truth, lines, end, _ = check.run("spin:100:10")
    after = check.nvml.energy_joules()
    step = truth[0]
    seen = within(lines, step)
    check.figure("energy of a step, by the power of its samples", (step["energy_end"] - step["energy_begin"]) / (step["end"] - step["begin"]),
                 mean(check.row(line)["power_watts"] for line in seen), 15, "W")
    check.figure("energy of a step, by the counter", (step["energy_end"] - step["energy_begin"]) / (step["end"] - step["begin"]),
                 mean(check.row(line)["energy_joules"] for line in seen) / 0.5, 15, "W")
    check.figure("energy of the run", after - before, total(end, "gpu_total.energy_joules"), 0.1 * (after - before), "J")


def copies(check):
    truth, lines, _, _ = check.run("hold:0:2", "up:40", "hold:0:2", "down:40", "hold:0:2")
    for name, row in ("up", "pcie_recv_bytes_per_second"), ("down", "pcie_sent_bytes_per_second"):
        true = sum(step.get(f"{name}_bytes", 0) for step in truth)
        seen = [(check.row(line) or {}).get(row) for line in lines]
        print(f"  {row}: {[None if v is None else round(v / 1e9, 2) for v in seen]} GB/s")
        check.figure(f"copied {name}, by {row}", true / 1e9, sum(v or 0 for v in seen) * 0.5 / 1e9, 0.15 * true / 1e9, "GB")


def strangers(check):
    """A process outside of the job uses the GPU, too."""
    stranger_truth = check.folder / "stranger"
    stranger = subprocess.Popen([*LOAD, "--device", str(check.device), "--truth", str(stranger_truth), "hold:3000:1", "spin:40:10"])
    while not stranger_truth.exists():
        time.sleep(0.1)
    truth, lines, _, _ = check.run("hold:500:1", "spin:40:6")
    last = check.row(within(lines, truth[1])[-1])
    check.figure("beside a stranger: job_vram_bytes", truth[1]["process_bytes"] / MIB, last["job_vram_bytes"] / MIB, 1, "MiB")
    check.figure("beside a stranger: job_processes", 1, last["job_processes"], 0, "")
    check.figure("beside a stranger: processes", 2, last["processes"], 0, "")
    true = 100 * truth[1]["busy_seconds"] / (truth[1]["end"] - truth[1]["begin"])
    check.figure("beside a stranger: job_utilization_pct", true, mean(check.row(line)["job_utilization_pct"] for line in within(lines, truth[1])),
                 max(true, 100 - true), "%")
    stranger.wait()


def containers(check):
    if os.geteuid() or not shutil.which("unshare"):
        return print("not root, or no unshare: no namespace of processes")
    truth, lines, _, _ = check.run("hold:500:4", before=["unshare", "--pid", "--fork", "--mount-proc"])
    last = within(lines, truth[0])[-1]
    print(f"  gpu_source: {last['process']['gpu_source']}")
    check.figure("namespace of processes: job_vram_bytes", truth[0]["device_bytes"] / MIB, check.row(last)["job_vram_bytes"] / MIB, 1, "MiB")


def levels(check):
    """Beside nvidia-smi, while the GPU works."""
    fields = {"temperature.gpu": ("temperature_celsius", 3), "power.draw.instant": ("power_watts", 40), "clocks.sm": ("frequency_mhz", 30),
              "clocks.mem": ("memory_frequency_hertz", 30), "memory.used": ("vram_used_bytes", 2), "power.limit": ("power_limit_watts", 0.1),
              "memory.total": ("vram_total_bytes", 2), "clocks.max.sm": ("frequency_max_hertz", 1)}
    smi = f"nvidia-smi -i {check.device} --query-gpu={','.join(fields)} --format=csv,noheader,nounits"
    said = check.folder / "smi"
    load = subprocess.Popen([*LOAD, "--device", str(check.device), "--truth", os.devnull, "hold:1000:1", "spin:100:6"])
    time.sleep(4)
    said.write_text(subprocess.run(smi.split(), capture_output=True, text=True).stdout)
    done = subprocess.run([str(check.tracker), "--no-config", "--only", "gpu", "-i", "0.5", "--samples", "3", "-f", "json", "--record", "none"],
                          capture_output=True, text=True)
    load.wait()
    row = check.row(json.loads(done.stdout.splitlines()[-1]))
    print("  " + json.dumps(row))
    for (name, (ours, bound)), text in zip(fields.items(), said.read_text().strip().split(", ")):
        value = row.get(ours)
        if value is not None and (ours.endswith("bytes") or ours.endswith("hertz")):
            value /= MIB if ours.endswith("bytes") else 1e6
        check.figure(f"nvidia-smi {name}: {ours}", float(text), value, bound, "")


def cost(check):
    """CPU time of the recorder with its reader, and of a run without GPUs."""
    for words in ["--gpus", "all"], ["--gpus", "none"]:
        used = {seconds: total(check.run(f"hold:0:{seconds}", words=words if "none" in words else (), interval=1)[2], "tracker.cpu_seconds")
                for seconds in (5, 15)}
        print(f"cost {' '.join(words)}: {used[5]} s of CPU time in 5 s, {used[15]} in 15, so {(used[15] - used[5]) / 10:.4f} for each second")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build/bench")
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--only", default="levels,utilisation,memory,energy,copies,strangers,containers,cost")
    o = parser.parse_args()
    o.folder = o.folder or pathlib.Path(tempfile.mkdtemp(prefix="rt-gpu-"))
    o.folder.mkdir(parents=True, exist_ok=True)
    check = Check(o)
    for name in o.only.split(","):
        print(f"--- {name}", flush=True)
        globals()[name](check)
    print(f"{check.broken} figures are not within their bounds; files: {o.folder}")
    return 1 if check.broken else 0


if __name__ == "__main__":
    sys.exit(main())
