"""test_runs.py - runs that are over: opening, listing and comparing them."""
import pathlib

import pytest

TWO = """
for name in "first", "second":
    with resource_tracker.track(name, interval=0.05) as run:
        time.sleep(0.1)
"""


def test_the_history(python):
    names, last, first, by_id, by_path, limited = python(TWO + """
def name(run): return run.info["details"]["metadata.job_name"]
show([r["metadata"]["job_name"] for r in resource_tracker.runs()], name(resource_tracker.open()), name(resource_tracker.open("last~1")),
     name(resource_tracker.open(run.info["id"])), name(resource_tracker.open(run.record_path)), len(resource_tracker.runs("f*", limit=5)))
""")
    assert names == ["second", "first"] and (last, first, by_id, by_path, limited) == ("second", "first", "second", "second", 1)


def test_comparing_and_advice(python, tmp_path):
    changes, same, advice, page = python(TWO + """
show(list(resource_tracker.compare("last~1", run)["quantities"])[:2], resource_tracker.compare(run, run)["failed"],
     run.recommend()["advice"]["cpu"]["cores"], run.report("page.html"))
""")
    assert changes == ["duration", "cpu_time"] and same is False and advice == 1
    assert "report-data" in pathlib.Path(page).read_text()


@pytest.mark.parametrize("word, sentence", [
    ("nosuch", "there is no run or file 'nosuch'"), ("/nosuch", "No such file or directory"), ("-h", "there is no run '-h'"),
    ("no-record", "no-record"),
])
def test_what_is_no_run(python, tmp_path, word, sentence):
    (tmp_path / "no-record").write_text("hello\n")
    found, = python("""
try:
    resource_tracker.open(sys.argv[1])
except resource_tracker.ResourceTrackerError as error:
    show(str(error))
""", word)
    assert sentence in found


def test_a_record_that_was_cut_off(python, tmp_path):
    whole, cut = python(TWO + """
lines = open(run.record_path).read().splitlines(True)
rows = sum(line.startswith('["r"') for line in lines)
open("cut.jsonl", "w").writelines(lines[:-1] + [lines[-1][:40]])
show(run.samples.rows == rows)
cut = resource_tracker.open("cut.jsonl")
show([cut.info["status"], cut.samples.rows == rows])
""")
    assert whole and cut == ["running", True]


def test_any_bytes_in_names(python):
    """Commands and names of processes are bytes; texts of ours are always text."""
    assert python("""
import subprocess
with resource_tracker.track("n\\u00e4m\\u0435", interval=0.05) as run:
    subprocess.run([b"cp", b"/bin/sleep", b"./\\xff\\xfe"], check=True)
    child = subprocess.Popen([b"./\\xff\\xfe", b"inf"])
    rows = run.samples.rows + 2
    while run.samples.rows < rows: time.sleep(0.01)
    child.kill(); child.wait()
show(run.info["details"]["metadata.job_name"], "\\ufffd\\ufffd" in run.processes.texts("name"))
""") == ["n\u00e4m\u0435", True]
