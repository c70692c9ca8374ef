"""test_track.py - track(): a recorder of its own around a block."""
import pathlib

import pytest

from processes import stat_of, wait_for

# The CPU time of this process, of the children that it waited for, and of the one that multiprocessing keeps for its
# shared objects, as the kernel says at the end.
TRUTH = """
import glob, resource
def living(pid):
    return sum(int(open(path).read().split()[0]) for path in glob.glob(f"/proc/{pid}/task/*/schedstat")) / 1e9
def used():
    children = [pid for path in glob.glob("/proc/self/task/*/children") for pid in open(path).read().split()]
    waited = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return waited + sum(map(living, children))
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
"""
LOADS = {
    "one thread": "burn(1)",
    "threads": "import threading; ts = [threading.Thread(target=burn, args=(0.4,)) for _ in range(3)]\n"
               "    for t in ts: t.start()\n    for t in ts: t.join()",
    "processes": "import subprocess\n    for _ in range(3):\n        subprocess.run([sys.executable, '-c', "
                 "'import time\\nwhile time.process_time() < 0.4: pass'], check=True)",
    **{f"a pool by {method}": f"import multiprocessing\n    with multiprocessing.get_context('{method}').Pool(2) as pool:\n"
                              "        pool.map(burn, [0.4] * 3)\n        pool.close(); pool.join()"
       for method in ("fork", "spawn")},
}


@pytest.mark.parametrize("load", LOADS)
def test_cpu_time_is_that_of_getrusage(python, load):
    """Within 2 %, or 20 ms for what starting and ending costs: of the block, and of no more."""
    found, truth, around = python(f"""{TRUTH}
def main():
    burn(0.5)                           # before: not of the block
    around = used()
    with resource_tracker.track(interval=0.2) as run:
        before = used()
        load()
        truth = used() - before
    around = used() - around
    burn(0.5)
    show(run.summary()["cpu_time"], truth, around)
def load():
    {LOADS[load]}
if __name__ == "__main__":              # not in a child by spawn
    main()
""")
    assert 0.98 * truth - 0.02 <= found <= max(1.02 * truth, around) + 0.02


def test_memory_between_samples(python):
    """An interval of an hour: the peak is known all the same, by the last sample."""
    before, peak = python("""
with resource_tracker.track(interval=3600) as run:
    before = resource_tracker.tree()["process.rss_bytes"]
    kept = bytearray(b"x") * (200 << 20)
show(before, run.peak_memory)
""")
    assert (200 << 20) * 0.98 <= peak <= ((200 << 20) + before) * 1.05


@pytest.mark.parametrize("interval", [3600, 0.05])
def test_a_peak_between_samples(python, interval):
    """An interval of an hour has one sample, at the end: the kernel's mark of the process is read then."""
    before, peak, text = python(f"""
with resource_tracker.track(interval={interval}) as run:
    before = resource_tracker.tree()["process.rss_bytes"]
    bytearray(b"x") * (200 << 20)
show(before, run.peak_rss, str(run))
""")
    assert (200 << 20) * 0.98 <= peak <= ((200 << 20) + before) * 1.05 and "at least" in text


def test_a_peak_from_before_the_block_is_not_its_own(python):
    """The kernel keeps one mark of a process; the peak of the block is what was seen, at least."""
    seen, peak, largest, incomplete, text = python("""
bytearray(b"x") * (400 << 20)
with resource_tracker.track(interval=3600) as run:
    kept = bytearray(b"x") * (100 << 20)
    bytearray(b"x") * (50 << 20)
    seen = resource_tracker.tree()["process.rss_bytes"]
show(seen, run.peak_rss, run.summary()["largest_process"], max(run.maxima["process.peak_rss_incomplete"]), str(run))
""")
    assert peak == pytest.approx(seen, rel=0.02) and largest == pytest.approx(seen, rel=0.02)
    assert incomplete == 1 and "at least" in text


def test_what_a_run_says(python, tmp_path):
    summary, samples, rows, processes, regions, events, programs, info, path = python(f"""{TRUTH}
import subprocess
with resource_tracker.track("nightly", interval=0.05, tags={{"branch": "main", "n": 1}}) as run:
    with resource_tracker.region("fit"):
        burn(0.3)
    resource_tracker.mark("half of it")
    resource_tracker.value("loss", 0.5)
    child = subprocess.Popen(["sleep", "inf"])
    rows = run.samples.rows + 5
    while run.samples.rows < rows: time.sleep(0.01)
    child.kill(); child.wait()
show(run.summary(), list(run.samples), run.samples.rows, run.processes.texts("name"), run.regions, run.events.to_dict(), run.programs,
     run.info, run.record_path)
""")
    assert summary["cpu_time"] >= 0.3 and summary["duration"] >= 0.45     # of the five rows the second may come at once
    assert {"timestamp_seconds", "process.cpu_cores", "process.rss_bytes"} <= set(samples) and rows >= 5
    assert "sleep" in processes
    assert regions["fit"]["count"] == 1 and regions["fit"]["cpu_seconds"] >= 0.3
    assert events["path"][0] == "fit" and {"half of it", "loss"} <= set(events["text"])
    assert any(name.startswith("python") for name in programs)
    assert info["tags"] == ["branch=main", "n=1"] and info["details"]["metadata.job_name"] == "nightly" and info["status"] == "exited"
    assert info["interval_seconds"] == 0.05 and info["notices"] == info["problems"] == []
    assert pathlib.Path(path).parent == tmp_path / "state/resource-tracker/runs"


def test_columns_are_memory(python):
    shape, readonly, same, texts, row = python("""
with resource_tracker.track(interval=0.02) as run:
    time.sleep(0.2)
column = run.samples["timestamp_seconds"]
show([column.format, column.nbytes // 8 == run.samples.rows], column.readonly, column.obj is memoryview(column).obj,
     run.samples.numbers("samples").tolist() == [1.0] * run.samples.rows, run.samples.row(-1)["timestamp_seconds"] == column[-1])
try:
    run.samples.texts("samples")
except KeyError as error:
    assert error.args == ("samples",)
else:
    raise AssertionError("a column of numbers has no texts")
""")
    assert shape == ["d", True] and readonly and same and texts and row


def test_samples_while_it_goes_on(python):
    rows = python("""
with resource_tracker.track(interval=0.02) as run:
    while run.samples.rows < 3:
        time.sleep(0.01)
    show(run.samples.rows)
show(run.samples.rows)
""")
    assert 3 <= rows[0] < rows[1]


def test_a_decorator(python):
    plain, runs, awaited, generated, refused = python("""
import asyncio
@resource_tracker.track(interval=0.05, tags={"a": "b"})
def add(x, y=1):
    "Adds."
    return x + y
results = [add(1), add(1, y=5)]
show([results, add.__name__, add.__doc__, add.run.info["details"]["metadata.job_name"], add.run.info["tags"]])
show(len(resource_tracker.runs("add")))

@resource_tracker.track("waits")
async def waits():
    await asyncio.sleep(0.2)
    return 7
show([asyncio.run(waits()), waits.run.summary()["duration"] >= 0.2])

@resource_tracker.track("counts")
def counts():
    yield 1
    time.sleep(0.2)
    return 3
def all_of():
    value = yield from counts()
    yield value
show([list(all_of()), counts.run.summary()["duration"] >= 0.2])
try:
    @resource_tracker.track()
    async def streams():
        yield 1
except TypeError as error:
    show(str(error))
""")
    assert plain == [[2, 6], "add", "Adds.", "add", ["a=b"]] and runs == 2
    assert awaited == [7, True] and generated == [[1, 3], True]
    assert "asynchronous generators" in refused


def test_a_decorator_without_parentheses(python):
    assert python("""
@resource_tracker.track
def add(x, y=1):
    return x + y
class Thing:
    @resource_tracker.track
    def method(self):
        return self
thing = Thing()
show(add(1, y=5), add.__name__, add.run.info["details"]["metadata.job_name"], thing.method() is thing,
     Thing.method.run.info["details"]["metadata.job_name"])
try:
    @resource_tracker.track
    async def streams():
        yield 1
except TypeError as error:
    show(str(error).partition(";")[0])
""") == [6, "add", "add", True, "Thing.method", "track() does not decorate asynchronous generators"]


def test_tracks_within_and_beside_each_other(python):
    """Each has a recorder of its own, and the variables are those of the newest that goes on."""
    names, outer, inner, after = python(f"""{TRUTH}
clock = time.process_time
a, b, times = resource_tracker.track("a", interval=0.05), resource_tracker.track("b", interval=0.05), [clock()]
first = a.__enter__()
times.append(clock())
burn(0.2)
times.append(clock())
second = b.__enter__()
times.append(clock())
names = [os.environ["RESOURCE_TRACKER_RUN"] == second.record_path]
with resource_tracker.region("both"):
    burn(0.2)
times.append(clock())
a.__exit__(None, None, None)                    # the older one ends first
times.append(clock())
names.append(os.environ["RESOURCE_TRACKER_RUN"] == second.record_path)
with resource_tracker.region("late"):
    burn(0.2)
times.append(clock())
b.__exit__(None, None, None)
times.append(clock())
def figures(run, before, begin, end, after):
    return times[end] - times[begin], run.summary()["cpu_time"], times[after] - times[before], list(run.regions)
show(names, figures(first, 0, 1, 4, 5), figures(second, 2, 3, 6, 7),
     [n for n in os.environ if n.startswith("RESOURCE_TRACKER")])
""")
    assert names == [True, True] and after == []
    for (within, found, around, regions), expected in ((outer, []), (inner, ["both", "late"])):
        assert within >= 0.4 and within - 0.05 <= found <= around + 0.05 and sorted(regions) == expected


def test_threads_at_once(python):
    ends = python(f"""{TRUTH}
import threading
runs = []
def work(seconds):
    with resource_tracker.track(interval=0.1) as run:
        burn(seconds)
    runs.append(run)
threads = [threading.Thread(target=work, args=(0.1 * n,)) for n in range(1, 5)]
for thread in threads: thread.start()
for thread in threads: thread.join()
show(*(run.info["status"] for run in runs), len({{run.record_path for run in runs}}))
""")
    assert ends == ["exited"] * 4 + [4]


def test_an_exception_passes_and_the_run_is_whole(python):
    status, same = python("""
try:
    with resource_tracker.track() as run:
        raise LookupError("mine")
except LookupError as error:
    show(run.info["status"], str(error) == "mine")
""")
    assert status == "exited" and same


@pytest.mark.parametrize("way, status", [
    ("pass", 0), ("raise LookupError", 1), ("sys.exit()", 0), ("sys.exit(7)", 7), ("sys.exit('why')", 1), ("raise KeyboardInterrupt", 130),
])
def test_how_a_block_ended_is_how_its_run_did(python, way, status):
    """So the history and the advice know which runs succeeded."""
    info, listed, advice, why = python(f"""
try:
    with resource_tracker.track(interval=0.05) as run:
        {way}
except BaseException:
    pass
advice = run.recommend()
show([run.info["status"], run.info["value"]], [resource_tracker.runs()[0][key] for key in ("status", "exit_code")],
     advice["succeeded"], advice["confidence_why"])
""")
    assert info == ["exited", status] and listed == ["failed" if status else "ok", status]
    assert advice == (0 if status else 1) and ("did not succeed" in why) == (status != 0)


def test_a_generator_that_is_closed_did_not_fail(python):
    assert python("""
@resource_tracker.track(interval=3600)
def counts():
    yield 1
    yield 2
for number in counts():
    break
show(counts.run.info["value"])
""") == [0]


def test_a_track_is_for_one_block(python):
    assert python("""
track = resource_tracker.track()
with track: pass
try:
    with track: pass
except resource_tracker.RecorderError as error:
    show(str(error))
try:
    resource_tracker.track(interval=0)
except ValueError as error:
    show(str(error))
""") == ["a track measures one block; call track() again for the next", "the interval is 0: it has to be a number of seconds above 0"]


def test_a_record_of_ones_own(python, tmp_path):
    (tmp_path / "folder").mkdir()
    paths = python("""
for place in "named.jsonl", "other", "folder/", __import__("pathlib").Path("path.jsonl"):
    with resource_tracker.track(record=place) as run:
        pass
    show([run.record_path, run.info["status"]])
""")
    assert [path for path, _ in paths[:2] + paths[3:]] == [str(tmp_path / n) for n in ("named.jsonl", "other", "path.jsonl")]
    assert pathlib.Path(paths[2][0]).parent == tmp_path / "folder" and {status for _, status in paths} == {"exited"}


def test_the_program_does_nothing_while_it_is_tracked(python):
    """No thread of ours, and the one that sleeps is not woken: what does not run uses neither CPU time nor the GIL."""
    threads, woken, samples = python("""
import resource
with resource_tracker.track(interval=0.01) as run:
    woken = []
    while run.samples.rows <= 3:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
        time.sleep(1)
        woken.append(resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw - before)
    show(len(os.listdir("/proc/self/task")), woken)
show(len(run.samples["timestamp_seconds"]))
""")
    assert threads == 1 and max(woken) <= 3 and samples > 3


def test_no_child_and_no_descriptor_is_left(python):
    """The recorder is no child, so a loop of wait() ends, and the children's use does not contain the recorder's."""
    fds, waited, children, alive = python("""
import resource
def fds(): return sorted(os.listdir("/proc/self/fd"))
with resource_tracker.track(): pass
before = fds(), len(os.listdir("/tmp"))
pids = []
used = resource.getrusage(resource.RUSAGE_CHILDREN)
for n in range(20):
    with resource_tracker.track(interval=3600):
        pids += [json.loads(json.dumps(__import__("resource_tracker._track")._track._recorders[-1]._pid))]
        if n == 0:
            if os.fork() == 0:
                os._exit(0)
            count = 0
            try:
                while True:
                    os.wait()
                    count += 1
            except ChildProcessError:
                pass
show(before[0] == fds(), count)
try:
    os.wait()
except ChildProcessError:
    show("none")
show(pids)
""")
    assert fds and waited == 1 and children == "none"
    assert len(set(alive)) == 20
    wait_for(lambda: not any(stat_of(pid) for pid in alive), "a recorder runs on")
