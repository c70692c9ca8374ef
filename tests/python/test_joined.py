"""test_joined.py - track() in a program that runs under a recorder: the block is a part of that run."""
import pathlib

import pytest

from sampled import BORDER

BURN = """
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: pass
"""


def under(recorder, *words):
    return [recorder, "--quiet", "--record", "outer.jsonl", *words, "--"]


def test_the_figures_are_those_of_the_block(python, recorder, tmp_path):
    path, summary, samples, every, window, regions, programs, text, around = python(f"""{BURN}{BORDER}
burn(0.5)
border()
begin, before = time.time(), time.process_time()
with resource_tracker.track("fit", interval=77) as run:
    border()
    with resource_tracker.region("inner"):
        burn(0.6)
    border()
end, around = time.time(), time.process_time() - before
border()
burn(0.5)
border()
show(run.record_path, run.summary(), run.samples.to_dict()["timestamp_seconds"],
     resource_tracker.open(run.record_path).samples.to_dict()["timestamp_seconds"], [begin, end], run.regions, run.programs, str(run),
     around)
""", prefix=under(recorder, "-i", "0.02"))
    assert path == str(tmp_path / "outer.jsonl")
    assert 0.54 <= summary["cpu_time"] <= around + 0.06
    assert 0.6 <= summary["duration"] <= window[1] - window[0]
    assert summary["mean_cpu"] == pytest.approx(summary["cpu_time"] / summary["duration"]) and summary["peak_memory"] > 1e6
    first = every.index(samples[0])
    assert window[0] < samples[0] and samples[-2] < window[1] and samples == every[first:first + len(samples)]
    assert {name: sums["count"] for name, sums in regions.items()} == {"fit": 1, "fit/inner": 1}
    assert regions["fit/inner"]["cpu_seconds"] >= 0.6
    assert 0.5 <= sum(program["cpu_seconds"]["sum"] or 0 for program in programs.values()) <= around + 0.1
    assert text.startswith("fit, within outer.jsonl\n") and "cpu_time" in text


def test_no_second_recorder_is_started(python, recorder, tmp_path):
    """Of this process: other tests beside have recorders, too."""
    assert python("""
def recorders():
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            found += f"--pid\\0{os.getpid()}\\0" in open(f"/proc/{pid}/cmdline", errors="replace").read()
        except OSError:
            pass
    return found
with resource_tracker.track() as run:
    show(recorders())
with resource_tracker.track() as again:
    show(again.record_path == run.record_path)
del os.environ["RESOURCE_TRACKER_RUN"]
with resource_tracker.track(record="own.jsonl"):
    show(recorders())
""", prefix=under(recorder)) == [0, True, 1]
    assert sorted(p.name for p in tmp_path.glob("**/*.jsonl")) == ["outer.jsonl", "own.jsonl"]


def test_a_block_shorter_than_the_interval_waits_for_its_sample(python, recorder):
    used, rows, cores = python(f"""{BURN}
burn(0.6)
with resource_tracker.track() as run:
    burn(0.05)
burn(0.6)
show(run.summary()["cpu_time"], run.samples.rows, run.summary()["mean_cpu"])
""", prefix=under(recorder, "-i", "0.5"))
    assert rows >= 1 and used > 0
    assert cores < 2, "of a sample that lies partly within it the block has that part"


SPIKE = """
def sampled(run, rows=2):
    rows += run.samples.rows
    while run.samples.rows < rows: time.sleep(0.01)
"""


def test_a_peak_between_samples_of_a_block(python, recorder):
    """The kernel's mark of the process rises within it."""
    base, found, text = python(f"""{SPIKE}
with resource_tracker.track() as run:
    sampled(run)
    base = resource_tracker.tree()["process.rss_bytes"]
    bytearray(b"x") * (200 << 20)
    while max(run.maxima["process.peak_rss_bytes"]) < 200 << 20: time.sleep(0.01)
    sampled(run)
show(base, run.summary(), str(run))
""", prefix=under(recorder, "-i", "0.5"))
    assert (200 << 20) * 0.98 <= found["largest_process"] <= ((200 << 20) + base) * 1.05
    assert found["peak_rss"] >= found["largest_process"]
    assert "peak_rss        at least " in text and "peak_memory     at least " in text


def test_a_peak_from_before_a_block_is_not_its_own(python, recorder):
    found, = python(f"""{SPIKE}
with resource_tracker.track() as before:
    bytearray(b"x") * (400 << 20)
    while not before.samples.rows or max(before.maxima["process.peak_rss_bytes"]) < 400 << 20: time.sleep(0.01)
    sampled(before)
with resource_tracker.track() as run:
    kept = bytearray(b"x") * (100 << 20)
    sampled(run, 3)
show(run.summary())
""", prefix=under(recorder, "-i", "0.2"))
    assert found["largest_process"] is None and (100 << 20) * 0.98 <= found["peak_rss"] < 300 << 20


def test_a_recorder_that_was_killed_is_not_waited_for(python, recorder):
    assert python("""
with resource_tracker.track() as run:
    os.kill(os.getppid(), signal.SIGKILL)
show(run.summary()["duration"] > 0, run.info["status"])
""", prefix=under(recorder, "-i", "3600"), fails=True) == [True, "running"]


def test_the_report_is_that_of_the_whole_run(python, recorder, tmp_path):
    path, = python("""
with resource_tracker.track() as run:
    pass
show(run.report("page.html"))
""", prefix=under(recorder, "-i", "0.05"))
    assert path == str(tmp_path / "page.html") and pathlib.Path(path).read_text().lstrip().lower().startswith("<!doctype html")
