"""test_metaflow.py - @track_resources: on Metaflow where that is installed, and on a stand-in for its interface."""
import importlib.util
import json
import pathlib
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
FLOW = """
import os, time
from metaflow import FlowSpec, step, track_resources

class Work(FlowSpec):
    @track_resources(interval=0.05)
    @step
    def start(self):
        import gc, resource_tracker
        tracker, = (one for one in gc.get_objects() if type(one) is resource_tracker.ResourceTracker)
        tracker.wait_for_samples(1, float("inf"))
        kept = bytearray(b"x") * (64 << 20)
        end, self.course = time.process_time() + 0.3, []
        while time.process_time() < end:
            until = time.process_time() + 0.005
            while time.process_time() < until: pass
            self.course.append([time.time(), time.process_time()])
        tracker.wait_for_samples(tracker.n_samples + 2, float("inf")); del tracker
        self.number = len(kept)
        self.next(self.end)

    @track_resources(interval=float(os.environ.get("INTERVAL", 1)), artifact_name="used", create_card=WITH_CARD)
    @step
    def end(self):
        if "FAIL" in os.environ: raise KeyError("mine")

if __name__ == "__main__":
    Work()
"""
# What is left of the newest run.
LEFT = """
import json
from metaflow import Flow, namespace
from metaflow.cards import get_cards

def pages(task):
    try:
        return [card.get() for card in get_cards(task)]
    except Exception as error:
        if type(error).__name__ == "CardNotPresentException": return []
        raise
namespace(None)
run = next(iter(Flow("Work")))
tasks = {name: run[name].task for name in ("start", "end")}
cards = {name: pages(task) for name, task in tasks.items()}
print(json.dumps([bool(run.successful), tasks["start"]["resource_tracker_data"].data, tasks["end"]["used"].data, cards,
                  tasks["start"]["course"].data]))
"""


def folders(which):
    if which == "stand-in":
        return [str(HERE / "metaflow_stand_in")]
    found = [importlib.util.find_spec(name) for name in ("metaflow", "requests")]
    if not all(found):
        pytest.skip("Metaflow is not installed")
    return [str(pathlib.Path(spec.origin).parents[1]) for spec in found]


@pytest.fixture(params=["stand-in", "Metaflow"])
def run_flow(request, package, environment, tmp_path):
    """run_flow(fails=False, with_card=False, **variables): what is left of a run of FLOW.  .course: its work's clocks."""
    path = ":".join(folders(request.param))

    def run(fails=False, with_card=False, **variables):
        names = {**environment, "PYTHONPATH": path, "METAFLOW_DATASTORE_SYSROOT_LOCAL": str(tmp_path), "METAFLOW_HOME": str(tmp_path),
                 "METAFLOW_USER": "somebody", "METAFLOW_DEFAULT_DATASTORE": "local", "METAFLOW_DEFAULT_METADATA": "local", **variables}
        (tmp_path / "flow.py").write_text(FLOW.replace("WITH_CARD", str(with_card)))
        (tmp_path / "left.py").write_text(LEFT)
        python = package / "venv/bin/python"
        done = subprocess.run([python, "flow.py", "--no-pylint", "run"], cwd=tmp_path, env=names, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert (done.returncode != 0) == fails, done.stdout
        left = subprocess.run([python, "left.py"], cwd=tmp_path, env=names, stdout=subprocess.PIPE, text=True, check=True)
        *known, run.course = json.loads(left.stdout)
        return known
    return run


def test_a_step_has_an_artifact_and_a_card(run_flow):
    successful, start, end, cards = run_flow()
    assert successful and start["step_failed"] is False and start["historical_stats"] == []
    rows = start["tracker"]["process_metrics"]
    # All that was used since the interval of the first row: on a busy machine a part of the work is done before.
    used = run_flow.course[-1][1]
    before = max((cpu for at, cpu in run_flow.course if at <= rows[0]["timestamp"] - 0.05), default=used - 0.3)
    assert len(rows) >= 3 and sum(row["utime"] + row["stime"] for row in rows) >= used - before - 0.02
    assert max(row["memory_mib"] for row in rows) >= 64
    assert start["tracker"]["metadata"]["interval"] == 0.05 and end["tracker"]["metadata"]["interval"] == 1
    page, = cards["start"]
    assert "from <code>Metaflow</code>" in page and "@resources(cpu=" in page and "Finished" in page
    assert cards["end"] == []


def test_earlier_runs_are_in_the_artifact(run_flow):
    run_flow()
    run_flow(fails=True, FAIL="1")                      # does not count
    successful, start, end, cards = run_flow()
    assert successful and len(start["historical_stats"]) == len(end["historical_stats"]) == 1
    assert start["historical_stats"][0]["process_memory_mib"]["max"] >= 64
    assert "peak of earlier runs" in cards["start"][0]


def test_a_step_that_fails(run_flow):
    """Its error is the flow's; the artifact and the card are there."""
    successful, start, end, cards = run_flow(fails=True, with_card=True, FAIL="1")
    assert not successful and start["step_failed"] is False and end["step_failed"] is True
    assert len(end["tracker"]["process_metrics"]) >= 1
    page, = cards["end"]
    assert "Failed" in page


def test_a_failure_of_ours_is_in_the_artifact_alone(run_flow):
    successful, start, end, cards = run_flow(with_card=True, INTERVAL="-1")
    assert successful and "error" not in start
    assert set(end) == {"error"} and end["error"]["error_type"] == "ValueError" and "Traceback" in end["error"]["traceback"]
    page, = cards["end"]
    assert "Resources could not be tracked" in page and end["error"]["error_message"] in page
