"""test_regions_in_c.py - entries of short regions, which C counts: as the module alone counts them, whatever happens."""
import json
import random

import pytest


def entries(tmp_path):
    """Entries of each path in the record of a run, and how often within themselves."""
    end = json.loads((tmp_path / "outer.jsonl").read_text().splitlines()[-1])["end"]
    assert not end.get("regions_lost")
    return {region["path"]: (region["count"], region.get("recursed", 0)) for region in end.get("regions", [])}


@pytest.fixture
def regions_of(python, recorder, tmp_path):
    """What a script counts, by C or by the module alone."""
    def run(text, alone=False, **more):
        found = python(('sys.modules["resource_tracker._library"] = None\n' if alone else "") +
                       "from resource_tracker import regions\nfrom resource_tracker.regions import region, mark, value\n"
                       f"show((regions._fast is None) == {alone})\n" + text,
                       prefix=[recorder, "--quiet", "--record", tmp_path / "outer.jsonl", "--"], **more)
        assert found[0]
        return entries(tmp_path), found[1:]
    return run


RANDOM = """
import random
numbers = random.Random(SEED)
def walk(names):
    for _ in range(numbers.randrange(3) if names else 0):
        what = numbers.random()
        try:
            with region(numbers.choice(names)) as one:
                walk([name for name in names if name != one.name])
                if what < 0.002: time.sleep(0.0005)
                elif what < 0.01: mark("here")
                elif what < 0.1: raise LookupError
        except LookupError:
            pass
for turn in range(500):
    with region("turn"): walk(list("abcd"))
for _ in range(20):                     # deeper than frames are kept in C
    held = [region(str(n)) for n in range(40)]
    for one in held: one.__enter__()
    for one in reversed(held): one.__exit__(None, None, None)
"""


@pytest.mark.parametrize("seed", range(5))
def test_any_order_of_entries_is_counted_alike(regions_of, seed):
    text = RANDOM.replace("SEED", str(seed))
    assert regions_of(text) == regions_of(text, alone=True)


def steps(seed):
    """Of a program that enters and leaves regions in any order, also within themselves: (what, name)."""
    numbers = random.Random(seed)
    for _ in range(3000):
        what = numbers.choices(["enter", "leave", "pause", "mark"], [10, 11, 0.1, 0.1])[0]
        yield what, numbers.choice("abcd")
    for name in "abcd" * 300:
        yield "leave", name


def model(steps):
    """What has to be counted, as entries() has it."""
    open, found = [], {}                # open: name, path of what is in it, path of the one that it is within itself of
    for what, name in steps:
        at = open[-1][1] if open else ""
        if what == "enter":
            outer = next((path for other, path, around in open if other == name and not around), None)
            open.append((name, at, outer) if outer else (name, f"{at}/{name}".lstrip("/"), None))
        while what == "leave" and any(other == name for other, _, _ in open):
            other, path, outer = open.pop()
            count, recursed = found.get(outer or path, (0, 0))
            found[outer or path] = (count, recursed + 1) if outer else (count + 1, recursed)
            if other == name:
                break
    return found


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_regions_left_in_any_order_and_within_themselves(regions_of, tmp_path, seed, alone):
    """Whatever time they take: it decides what is counted here and what has a line."""
    (tmp_path / "steps.json").write_text(json.dumps(list(steps(seed))))
    found, _ = regions_of("""
for what, name in json.load(open("steps.json")):
    if what == "enter": region(name).__enter__()
    elif what == "leave": region(name).__exit__(None, None, None)
    elif what == "pause": time.sleep(0.0005)
    else: mark("here")
""", alone)
    assert found == model(steps(seed))


@pytest.mark.parametrize("alone", [False, True])
def test_entries_that_are_short_and_long(regions_of, alone):
    found, (times,) = regions_of("""
begin = time.thread_time()
for i in range(20000):
    with region("a"):
        with region("b"): pass
        if i in (10, 5000, 5001):
            with region("b"): time.sleep(0.002)
show(time.thread_time() - begin)
""", alone)
    assert found == {"a": (20000, 0), "a/b": (20003, 0)}
    assert times > 0


def test_times_are_those_of_the_program(regions_of, tmp_path):
    _, (wall, cpu) = regions_of("""
with region("all"):
    begin = time.monotonic(), time.thread_time()
    for i in range(20000):
        with region("a"):
            sum(range(100))
    show(time.monotonic() - begin[0], time.thread_time() - begin[1])
""")
    end = json.loads((tmp_path / "outer.jsonl").read_text().splitlines()[-1])["end"]
    paths = {region["path"]: region for region in end["regions"]}
    assert paths["all/a"]["seconds"] <= wall and paths["all/a"]["cpu_seconds"] <= cpu + 1e-3
    assert paths["all/a"]["cpu_seconds"] >= 0.3 * cpu, "most of the loop is within"
    assert 0 < paths["all/a"]["p50_seconds"] < 1e-4 and paths["all/a"]["max_seconds"] <= wall


def test_a_recursion_is_part_of_the_outermost(regions_of):
    found, _ = regions_of("""
@region("depth")
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
for _ in range(100): depth(0)
for _ in range(100): depth(100)
""")
    assert found == {"depth": (200, 10000)}


def test_threads_have_their_own_and_leave_all(regions_of):
    """Also one after the other, which use the same memory here."""
    found, _ = regions_of("""
import threading
def work():
    with region("thread"):
        for _ in range(1000):
            with region("in"): pass
for turn in range(3):
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
for _ in range(1000):
    with region("in"): pass
""")
    assert found == {"thread": (12, 0), "thread/in": (12000, 0), "in": (1000, 0)}


def test_regions_at_the_end_of_the_interpreter(python, recorder, tmp_path):
    """Objects that go after the module have regions that count nothing, and crash nothing."""
    assert python("""
import threading
from resource_tracker.regions import region
for _ in range(100):
    with region("a"): pass
class Late:
    def __del__(self, region=region):
        try:
            for _ in range(100):
                with region("a"): pass
        except Exception: pass
sys.late, threading.late, late = Late(), Late(), Late()
show("up")
""", prefix=[recorder, "--quiet", "--record", tmp_path / "outer.jsonl", "--"]) == ["up"]
    assert entries(tmp_path)["a"][0] >= 100 and python.stderr == ""


def test_a_fork_has_counts_of_its_own(regions_of):
    """Neither what the parent counted before, nor what its other threads did, is reported by the child."""
    found, _ = regions_of("""
import threading
held, ends = threading.Event(), threading.Event()
def other():
    for _ in range(500):
        with region("other"): pass
    held.set(); ends.wait()
thread = threading.Thread(target=other)
thread.start(); held.wait()
for _ in range(500):
    with region("a"): pass
with region("a"):
    pid = os.fork()
    for _ in range(500):
        with region("b"): pass
    if pid == 0:
        import gc
        gc.collect()
        sys.stdout.flush()
        regions._flush_all()
        os._exit(0)
os.waitpid(pid, 0)
ends.set(); thread.join()
""")
    assert found == {"other": (500, 0), "a": (501, 0), "a/b": (1000, 0)}


def test_tasks_that_take_turns_end_what_they_began(regions_of):
    """Ended by the task that is before it; all entries are counted, and nothing is left open."""
    text = """
import asyncio
async def task(name):
    for _ in range(50):
        with region(name):
            await asyncio.sleep(0)
async def main(): await asyncio.gather(task("a"), task("b"))
for _ in range(100):
    with region("a"): pass
asyncio.run(main())
for _ in range(100):
    with region("b"): pass
"""
    for alone in False, True:
        found = regions_of(text, alone)[0]
        assert sum(count for count, _ in found.values()) >= 300 and {"a", "b"} <= set(found)


def test_regions_go_to_the_newest_track_and_back(python):
    """What is open here as a track begins, or ends, ends there."""
    outer, inner = python("""
from resource_tracker import region
def many(n):
    for _ in range(n):
        with region("a"):
            with region("b"): pass
with resource_tracker.track() as first:
    many(1000)
    with region("a"):
        with region("b"):
            with resource_tracker.track() as second:
                many(500)
    many(1000)
many(1000)
for run in first, second:
    show({path: sums["count"] for path, sums in run.regions.items()})
""")
    assert outer == {"a": 2001, "a/b": 2001} and inner == {"a": 500, "a/b": 500}


def test_another_thread_has_entries_open_as_a_track_ends(python):
    """What it counted until then belongs to that track; the entry that is open ends in none."""
    first, second = python("""
import threading
from resource_tracker import region
inside, over = threading.Event(), threading.Event()
def other():
    for _ in range(100):
        with region("a"): pass
    with region("a"):
        inside.set(); over.wait()
with resource_tracker.track() as run:
    with resource_tracker.track() as inner:
        thread = threading.Thread(target=other); thread.start(); inside.wait()
    over.set(); thread.join()
    for _ in range(100):
        with region("a"): pass
show({path: sums["count"] for path, sums in run.regions.items()}, {path: sums["count"] for path, sums in inner.regions.items()})
""")
    assert first == {"a": 100} and second == {"a": 100}


def test_what_a_region_is(regions_of):
    _, found = regions_of("""
one = region("a  name")
show(one is region("a  name"), one.name, region(7).name, type(one).__name__)
class Text(str): pass
show(region(Text("a  name")).name)
class Model:
    @region
    def step(self, x): "Steps."; return x
    @region
    @staticmethod
    def plain(x): return x
show(Model().step(3), Model.step.__name__, Model.step.__doc__, Model.plain(4))
for wrong in lambda: region(), lambda: one(1, 2), lambda: regions._fast.Region():
    try: wrong()
    except TypeError as error: show("TypeError")
import inspect
show(list(inspect.signature(region).parameters))
with one as given: show(given is one)
show(one.__exit__(None, None, None))
""")
    assert found == [True, "a  name", "7", "Region", "a  name", 3, "step", "Steps.", 4, *["TypeError"] * 3, ["name"], True, False]


def test_the_recorder_is_gone(python, recorder):
    """Regions cost nothing then, and harm nothing."""
    done, = python("""
from resource_tracker import region
def many():
    for _ in range(1000):
        with region("a"): pass
try:
    with resource_tracker.track() as run:
        many()
        recorder = __import__('resource_tracker._track')._track._recorders[-1]._pid
        with region("a"):
            os.kill(recorder, signal.SIGKILL)
            many()
        many()
except resource_tracker.RecorderError:
    many()
    show("done")
""")
    assert done == "done"


def test_memory_does_not_grow_with_entries(python):
    grown, = python("""
import resource
from resource_tracker import region
def many(n):
    for _ in range(n):
        with region("a"):
            with region("b"): pass
with resource_tracker.track():
    many(20000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    many(200000)
    show(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
""")
    assert grown < 1024


def test_a_cpu_clock_that_was_carried_on_too_far(regions_of):
    """Regression: preempted between two readings of its clock, a short entry had used less than nothing, and was lost."""
    found, _ = regions_of("""
clock, told = time.thread_time_ns, []
def behind():
    told.append(clock())
    return told[0]                      # has not gone on: an end is before the begin that was carried on
from resource_tracker import regions as module
module.thread_time_ns = behind
module.CARRY_NS = 5_000
for turn in range(200):
    with region("a"):
        end = time.monotonic_ns() + 2_000
        while time.monotonic_ns() < end: pass
        with region("b"):
            end = time.monotonic_ns() + 6_000
            while time.monotonic_ns() < end: pass
    if turn % 10 == 0: mark("here")
show(len(told) > 0)
""", alone=True)
    assert found == {"a": (200, 0), "a/b": (200, 0)}
