#!/usr/bin/env python3
"""
track_truth.py [--json] [LOAD...] - what track() says of programs, beside what the kernel says of the same.  Prints a table.

CPU time is compared with getrusage() of the program and of the children that it waited for, and the clocks of those that
live; memory, while all processes hold theirs, with their smaps_rollup and the highest VmHWM of one.  Each load runs in a
program of its own.  Needs the package and, for its load, numpy.  Exit status 1: a figure is off by more than 2 %.
"""
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import threading
import time

import resource_tracker

MIB = 1 << 20
ALLOWED = 0.02
WORKERS = 3
INTERVAL = 0.2
ENOUGH_SAMPLES = 50             # in which the recorder has read memory anew, however busy the machine is
# What is compared: its name here, and in Run.summary().
FIGURES = (("cpu", "cpu_time"), ("pss", "peak_memory"), ("rss", "peak_rss"), ("largest", "largest_process"))


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def filled(mib):
    return bytearray(b"x") * (mib * MIB)


# ---- loads: each works, has its memory, calls hold() while all of it is there, and waits for its children ---------

def numpy_matrices(hold):
    import numpy

    left, right = numpy.random.rand(2, 2400, 2400)
    product = numpy.zeros((400, 2400))
    end = time.process_time() + 2                       # of all threads of the matrix library
    while time.process_time() < end:
        numpy.matmul(left[:400], right, out=product)
    hold()


def threads(hold):
    kept = []

    def work():
        kept.append(filled(80))
        burn(0.7)
    workers = [threading.Thread(target=work) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    hold()


def subprocesses(hold):
    """That have this file as their program."""
    workers = [subprocess.Popen([sys.executable, __file__, "--worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
               for _ in range(WORKERS)]
    for worker in workers:
        worker.stdout.readline()
    hold()
    for worker in workers:
        worker.communicate()


def work_and_wait(said, over):
    kept = filled(100)
    burn(0.7)
    said()
    over()
    return len(kept)


def pool_worker(barrier):
    global pool_barrier
    pool_barrier = barrier


def pool_task(number):
    return work_and_wait(pool_barrier.wait, pool_barrier.wait)


def pool(method):
    def load(hold):
        context = multiprocessing.get_context(method)
        barrier = context.Barrier(WORKERS + 1)
        with context.Pool(WORKERS, pool_worker, (barrier,)) as workers:
            results = workers.map_async(pool_task, range(WORKERS), chunksize=1)     # one each: they wait for each other
            barrier.wait()
            hold()
            barrier.wait()
            results.get()
            workers.close()
            workers.join()
    return load


LOADS = {"numpy": numpy_matrices, "threads": threads, "subprocesses": subprocesses, "pool by fork": pool("fork"),
         "pool by spawn": pool("spawn")}


# ---- what the kernel says ------------------------------------------------------------------------------------------

def cpu_seconds():
    """Of this process, of children that it waited for, and of descendants that live: clock_getcpuclockid(3)."""
    ended = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return ended + sum(time.clock_gettime(~pid << 3 | 2) for pid in members()[1:])


def members():
    """This process and its descendants."""
    parents = {}
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            with open(f"/proc/{pid}/stat", errors="replace") as file:
                parents[pid] = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    found = [os.getpid()]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def field(pid, name, key):
    """In bytes."""
    with open(f"/proc/{pid}/{name}") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(key + ":"))


def memory():
    pids = members()
    return {"processes": len(pids), "pss": sum(field(pid, "smaps_rollup", "Pss") for pid in pids),
            "rss": sum(field(pid, "smaps_rollup", "Rss") for pid in pids),
            "largest": max(field(pid, "status", "VmHWM") for pid in pids)}


# ---- comparing -----------------------------------------------------------------------------------------------------

def wait_for_sample(run):
    """Until the recorder has read the memory of all processes after now."""
    began = time.time()
    for _ in range(ENOUGH_SAMPLES):
        rows = run.samples.rows
        while run.samples.rows == rows:
            time.sleep(INTERVAL / 4)
        row = run.samples.row(-1)
        if row["timestamp_seconds"] - row["process.pss_age_seconds"] >= began:      # false where it is not known
            return


def measure(name):
    """What the kernel says of a load, and what track() says."""
    truth = {}

    def hold():
        wait_for_sample(run)                            # with the memory of this question, too
        truth.update(memory())
        wait_for_sample(run)
    with resource_tracker.track(name, interval=INTERVAL) as run:
        before = cpu_seconds()
        LOADS[name](hold)
        truth["cpu"] = cpu_seconds() - before
    summary = run.summary()
    return {"load": name, "truth": truth, "said": {key: summary[quantity] for key, quantity in FIGURES}}


def share_off(found, key):
    """Not a number: track() does not know it."""
    truth, said = found["truth"][key], found["said"][key]
    return float("nan") if said is None else (said - truth) / truth


def line(found):
    cells = [f"{found['load']:<14}{found['truth']['processes']:>4}"]
    for key, _ in FIGURES:
        unit, digits = (1, 3) if key == "cpu" else (MIB, 1)
        values = [found[side][key] for side in ("said", "truth")]
        known = ["unknown" if value is None else f"{value / unit:.{digits}f}" for value in values]
        cells.append(f"{known[0]:>8}{known[1]:>8}{100 * share_off(found, key):>+6.1f} %")
    return "  ".join(cells)


HEAD = """\
                        CPU time in s             PSS in MiB                RSS in MiB                largest process in MiB
load          processes track()  kernel  off      track()  kernel  off      track()  kernel  off      track()  kernel  off"""


def main():
    words = sys.argv[1:]
    if words == ["--worker"]:
        work_and_wait(lambda: print(flush=True), sys.stdin.read)
        return
    names = [word for word in words if word != "--json"]
    if "--json" in words:
        print(json.dumps(measure(names[0])))
        return
    print(HEAD)
    near = True
    for name in names or LOADS:
        found = json.loads(subprocess.run([sys.executable, __file__, "--json", name], stdout=subprocess.PIPE, check=True).stdout)
        print(line(found), flush=True)
        near = near and all(abs(share_off(found, key)) <= ALLOWED for key, _ in FIGURES)
    sys.exit(None if near else f"a figure is off by more than {100 * ALLOWED:g} %")


if __name__ == "__main__":
    main()
