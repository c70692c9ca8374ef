"""test_callbacks.py - what track() calls for each sample and at the end, and what it logs."""
import pytest

from package import ROOT

UNDER = ["--quiet", "--record", "outer.jsonl", "-i", "0.02", "--"]


def test_each_sample_and_the_end(python):
    seen, same, threads, end, plain = python("""
import threading
samples, threads, ends = [], set(), []
def on_sample(sample):
    samples.append(sample)
    threads.add(threading.current_thread().name)
before = threading.active_count()
with resource_tracker.track("fit", interval=0.02, on_sample=on_sample, on_end=ends.append) as run:
    while len(samples) < 3: time.sleep(0.01)
show(len(samples) == run.samples.rows)
show(all(sample.get(name, "none") == (value if value == value else "none") for i, sample in enumerate(samples)
         for name, value in run.samples.row(i).items() if name != "timestamp_seconds"))
show(sorted(threads), [len(ends), ends[0] is run, run.info["status"], threading.active_count() == before])
show(abs(samples[-1]["timestamp_seconds"] - run.samples["timestamp_seconds"][-1]) < 1e-3)
""")
    assert seen and same and threads == ["resource_tracker"] and end == [1, True, "exited", True] and plain


def test_without_callbacks_there_is_no_thread_and_no_feed(python):
    plain, at_end, each, loaded = python("""
import threading
for callbacks in {}, {"on_end": lambda run: None}, {"on_sample": lambda sample: None}:
    with resource_tracker.track(**callbacks) as run:
        show([threading.active_count(), len(os.listdir("/proc/self/fd"))])
show("logging" in sys.modules)
""")
    assert plain[0] == 1 and at_end == plain and each == [2, plain[1] + 1] and not loaded


def test_failures_are_logged_once_and_harm_nothing(python):
    status, records, calls, same = python("""
import logging
records, calls = [], []
class Handler(logging.Handler):
    def emit(self, record): records.append([record.name, record.levelname, record.getMessage(), record.exc_info[0].__name__])
logging.getLogger().addHandler(Handler())
def on_sample(sample):
    calls.append(sample)
    raise KeyError("mine")
def on_end(run): raise LookupError("mine")
fds = sorted(os.listdir("/proc/self/fd"))
with resource_tracker.track(interval=0.02, on_sample=on_sample, on_end=on_end) as run:
    while len(calls) < 3: time.sleep(0.01)
show(run.info["status"], records, len(calls), sorted(os.listdir("/proc/self/fd")) == fds)
""")
    again = "its further failures are not logged"
    assert records == [["resource_tracker", "WARNING", f"on_sample failed; {again}", "KeyError"],
                       ["resource_tracker", "WARNING", f"on_end failed; {again}", "LookupError"]]
    assert status == "exited" and calls >= 3 and same


def test_a_callback_that_hangs(python):
    assert python("""
import threading
from resource_tracker import _callbacks
_callbacks.ENOUGH_SECONDS = 0.05
entered = threading.Event()
def on_sample(sample):
    entered.set()
    threading.Event().wait()
with resource_tracker.track(interval=0.02, on_sample=on_sample) as run: entered.wait()
show(run.info["status"])
""") == ["exited"]
    assert "did not return within 0.05 s" in python.stderr


def test_a_recorder_that_is_killed(python):
    """The samples until then, and the end of the run."""
    assert python("""
samples, ends = [], []
try:
    with resource_tracker.track(interval=0.02, on_sample=samples.append, on_end=ends.append) as run:
        recorder = __import__('resource_tracker._track')._track._recorders[-1]._pid
        while len(samples) < 2: time.sleep(0.01)
        os.kill(recorder, signal.SIGKILL)
except resource_tracker.RecorderError:
    show(len(ends))
""") == [1]


def test_a_fork_ends_nothing(python):
    ends, = python("""
ends = []
with resource_tracker.track(interval=0.02, on_sample=lambda sample: None, on_end=ends.append) as run:
    pid = os.fork()
if pid == 0:
    os._exit(len(ends))
show([len(ends), os.waitpid(pid, 0)[1]])
""")
    assert ends == [1, 0]


def test_a_home_that_cannot_be_written_to(python, tmp_path):
    """Of both recorders that were started, samples are those of the one that goes on."""
    (tmp_path / "file").write_text("no folder")
    same, = python("""
samples = []
with resource_tracker.track(interval=3600, on_sample=samples.append) as run: pass
show(len(samples) == run.samples.rows == 1)
""", XDG_STATE_HOME=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    assert same


def test_a_recorder_that_is_refused(python, tmp_path):
    """It has written the beginning of its feed; samples are those of the second, whose record is temporary."""
    same, path = python("""
samples = []
with resource_tracker.track(interval=0.02, on_sample=samples.append) as run:
    while run.samples.rows < 3: time.sleep(0.01)
show(len(samples) == run.samples.rows, run.record_path)
""", RESOURCE_TRACKER_RECORD="/nosuch/run.jsonl", TMPDIR=str(tmp_path))
    assert same and path.startswith(str(tmp_path))


def test_switched_off(python):
    assert python("""
calls = []
fds = sorted(os.listdir("/proc/self/fd"))
with resource_tracker.track(on_sample=calls.append, on_end=calls.append) as run: pass
import threading
for thread in threading.enumerate():
    if thread is not threading.main_thread(): thread.join()
show(calls, sorted(os.listdir("/proc/self/fd")) == fds)
""", RESOURCE_TRACKER="off") == [[], True]


def test_under_a_recorder_samples_are_its(python, recorder):
    early, times, ends, known = python("""
samples, ends = [], []
record = resource_tracker.open(os.environ["RESOURCE_TRACKER_RUN"])
while record.samples.rows < 3: time.sleep(0.01)
last = record.samples["timestamp_seconds"][-1]
with resource_tracker.track("fit", on_sample=samples.append, on_end=ends.append) as run:
    while len(samples) < 3: time.sleep(0.01)
show([s for s in samples if s["timestamp_seconds"] <= last + 1e-4])
show(all(a["timestamp_seconds"] < b["timestamp_seconds"] for a, b in zip(samples, samples[1:])), len(ends))
between = samples[-1]["timestamp_seconds"] - samples[-2]["timestamp_seconds"]
show(samples[-1]["interval_seconds"] <= between + 0.01 and samples[-1]["process.rss_bytes"] > 0)
""", prefix=[recorder, *UNDER])
    assert early == [] and times and ends == 1 and known


def test_a_decorated_function_has_them_at_each_call(python):
    assert python("""
ends = []
@resource_tracker.track(on_end=ends.append)
def step(): pass
step(); step()
show(len(ends), ends[1] is step.run)
""") == [2, True]


@pytest.mark.parametrize("level, lines", [("INFO", 1), ("WARNING", 0)])
def test_the_end_is_logged_where_it_is_wanted(python, level, lines):
    path, = python(f"""
import logging
logging.basicConfig(level="{level}")
with resource_tracker.track("fit") as run: pass
show(run.record_path)
""")
    logged = [line for line in python.stderr.splitlines() if line.startswith("INFO:resource_tracker:fit: ")]
    assert len(logged) == lines and all(" s, CPU time " in line and line.endswith(path) for line in logged)


def test_the_example_with_any_tracker_of_experiments(python):
    steps, kinds, totals = python("""
import experiment_log
class Experiment:
    def __init__(self): self.logged = []
    def log_metrics(self, values, step): self.logged.append((step, values))
experiment = Experiment()
with experiment_log.logged(experiment, interval=0.02):
    while len(experiment.logged) < 3: time.sleep(0.01)
show([step for step, _ in experiment.logged] == list(range(len(experiment.logged))))
show(all("process.cpu_cores" in values for _, values in experiment.logged[1:-1]), experiment.logged[-1][1]["run.duration"] > 0)
""", PYTHONPATH=str(ROOT / "examples"))
    assert steps and kinds and totals
