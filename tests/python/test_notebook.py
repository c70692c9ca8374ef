"""test_notebook.py - %track and %%track in notebooks that are executed, and runs as they show them."""
import ast
import importlib.util
import json
import re
import xml.etree.ElementTree

import pytest

from processes import stat_of, wait_for
from sampled import BORDER

pytest.importorskip("nbclient", reason="python3-nbclient is missing")
if not importlib.util.find_spec("ipykernel"):
    pytest.skip("python3-ipykernel is missing", allow_module_level=True)
kernels = pytest.importorskip("kernels")

BURN = "import time\nend = time.thread_time() + %s\nwhile time.thread_time() < end: pass\n"


@pytest.fixture
def manager(package, environment, tmp_path, monkeypatch):
    """Of a kernel that has the package; it ends with the test."""
    for name in ("RESOURCE_TRACKER_RUN", "RESOURCE_TRACKER_REGIONS", "RESOURCE_TRACKER_REGIONS_SHM"):
        monkeypatch.delenv(name, raising=False)
    found = kernels.kernel(tmp_path, package / "venv/bin/python", environment)
    yield found
    if found.has_kernel:
        found.shutdown_kernel(now=True)


@pytest.fixture
def execute(manager):
    return kernels.Notebook(manager).execute


def figures(line):
    """{"CPU": "1.58 s", ...} of the line; the name and the time are "name" and "time"."""
    name, _, rest = line.partition(": ")
    time, *others = rest.split(", ")
    found = {"name": name, "time": time}
    for text in others:
        key, value = re.fullmatch(r"(\D+?) ([-+]?\d.*)", text).groups()
        found[key] = value
    return found


def number(text):
    """In base units, of the first figure of a text."""
    value, unit = re.match(r"([-+]?[\d.]+) (\w+)", text).groups()
    return float(value) * {"ms": 1e-3, "s": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[unit]


def test_a_cell_shows_what_it_used(execute):
    """Its output and its last value are those of any cell; then one line, and a card with charts and regions."""
    _, cell, memory, freed = execute(BORDER, f"""%%track -n fit -i 0.05
import resource_tracker
with resource_tracker.region("load"):
    kept = bytearray(b"x") * (200 << 20)
with resource_tracker.region("train"):
    {(BURN % 0.6).strip().replace(chr(10), chr(10) + "    ")}
border(); border()
print("printed")
kept[0]""", "int(open('/proc/self/statm').read().split()[1]) * 4096", "%%track\ndel kept")
    assert [output.text for output in kernels.outputs(cell, "stream")] == ["printed\n"]
    assert [output.data["text/plain"] for output in kernels.outputs(cell, "execute_result")] == ["120"]
    (line, card), = kernels.uses(cell)
    found = figures(line)
    assert found["name"] == "fit" and number(found["time"]) >= 0.6 and number(found["CPU"]) >= 0.6
    assert re.search(r"\([\d.]+ cores?\) [▁▂▃▄▅▆▇█]{3,16}$", found["CPU"])
    assert 190 << 20 <= number(found["left behind"]) <= 230 << 20
    resident = int(kernels.outputs(memory, "execute_result")[0].data["text/plain"])
    assert (200 << 20) * 0.98 <= number(found["peak memory"]) <= resident * 1.1
    assert ">load<" in card and ">train<" in card and card.count("<path") >= 6
    (line, _), = kernels.uses(freed)
    assert -(210 << 20) <= number(figures(line)["left behind"]) <= -(190 << 20)


def test_the_card_needs_nothing_else(execute):
    """No script, no style sheet, nothing fetched; names are text, whatever they contain."""
    _, cell = execute(BORDER, "%%track -n '<b>&\"fit'\nimport resource_tracker\nwith resource_tracker.region('<i>'):\n    border(); border()")
    (line, card), = kernels.uses(cell)
    assert line.startswith("<b>&\"fit: ")
    whole = xml.etree.ElementTree.fromstring(f"<div>{card}</div>")
    names = {element.tag.rpartition("}")[2] for element in whole.iter()}
    assert names <= {"div", "span", "strong", "svg", "path", "text", "rect", "title"} and "svg" in names
    assert "<b>&\"fit" in [element.text for element in whole.iter("strong")]
    assert any(text.startswith("<i>: ") for element in whole.iter() for text in [element.text or ""])
    assert not re.search(r"(?i)<script|<style|url\(|href|src=|@import", card)


def test_an_exception_is_shown_as_ipython_does_and_the_use_too(execute):
    plain, tracked, after = execute("x = 1\n1/0", "%%track\n1/0", "2")
    (error,), (expected,) = kernels.outputs(tracked, "error"), kernels.outputs(plain, "error")
    assert (error.ename, error.evalue) == (expected.ename, expected.evalue) == ("ZeroDivisionError", "division by zero")
    assert len(error.traceback) == len(expected.traceback) and "line 2" in error.traceback[2]
    assert len(kernels.uses(tracked)) == 1
    assert kernels.outputs(after, "execute_result")


def test_statements(execute):
    """A value is a value, an assignment an assignment, and %track alone the last one."""
    value, assigned, shown, last, run, failed = execute(
        "%track -n sums sum(range(10))", "y = %track -i 0.5 7 * 6", "y", "%track", "use = %track\nuse.run.record_path", "%track 1/0")
    assert [output.data["text/plain"] for output in kernels.outputs(value, "execute_result")] == ["45"]
    assert kernels.uses(value)[0][0].startswith("sums: ") and kernels.uses(assigned)
    assert kernels.outputs(shown, "execute_result")[0].data["text/plain"] == "42"
    again, = kernels.outputs(last, "execute_result")
    assert again.data["text/plain"] == kernels.uses(assigned)[0][0] and again.data["text/html"] == kernels.uses(assigned)[0][1]
    assert kernels.outputs(run, "execute_result")[0].data["text/plain"].endswith(".jsonl'")
    assert kernels.outputs(failed, "error")[0].ename == "ZeroDivisionError" and kernels.uses(failed)


def test_what_a_cell_can_be(execute):
    """Awaiting, another magic of cells, cells within it; and each is measured to its own end."""
    awaits, bash, within, empty, future, script = execute(
        "%%track\nimport asyncio\nawait asyncio.sleep(0.3)\n'over'", "%%track\n\n%%bash\necho shell",
        "%%track -n outer\nget_ipython().run_cell('1')\nimport time\ntime.sleep(0.3)", "%%track",
        "%%track\nfrom __future__ import annotations\n7", "get_ipython().run_cell_magic('track', '-n script', '6 * 7')")
    assert kernels.outputs(awaits, "execute_result")[0].data["text/plain"] == "'over'"
    assert number(figures(kernels.uses(awaits)[0][0])["time"]) >= 0.3
    assert kernels.outputs(bash, "stream")[0].text == "shell\n" and len(kernels.uses(bash)) == 1
    (line, _), = kernels.uses(within)
    assert number(figures(line)["time"]) >= 0.3
    assert len(kernels.uses(empty)) == 1
    assert kernels.outputs(future, "execute_result")[0].data["text/plain"] == "7"
    assert kernels.outputs(script, "execute_result")[0].data["text/plain"] == "42" and kernels.uses(script)[0][0].startswith("script: ")


def test_children(execute):
    """Those that were waited for, and those that still run at the end of the cell."""
    waited, runs, _ = execute(*("""%%track
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.5: pass\\nprint(flush=True)\\ninput()"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdout.readline()
""" + end for end in ("child.communicate(b'\\n')", "child.poll()")), "child.communicate(b'\\n')")
    for cell in waited, runs:
        assert 0.45 <= number(figures(kernels.uses(cell)[0][0])["CPU"]) <= 0.7      # less what the track itself took


def test_words_that_are_wrong(execute):
    """The cell is not run, and one sentence says why."""
    cells = execute("%%track -i soon\nran = 1", "%%track -n\nran = 1", "%%track 1 + 1\nran = 1", "%track -i -1 1", "'ran' in globals()")
    sentences = [kernels.outputs(cell, "stream")[0].text for cell in cells[:4]]
    assert sentences == [
        "UsageError: %track: the interval is soon: it has to be a number of seconds above 0\n",
        "UsageError: %track: -n wants a value: -n NAME, -i SECONDS\n",
        "UsageError: %%track: 1 + 1: the cell begins on the next line\n",
        "UsageError: %track: the interval is -1: it has to be a number of seconds above 0\n"]
    assert kernels.outputs(cells[4], "execute_result")[0].data["text/plain"] == "False"


def test_a_recorder_that_cannot_be_had(execute):
    """The cell runs all the same."""
    _, cell = execute("%env RESOURCE_TRACKER_PROGRAM=/nosuch", "%%track\n6 * 7")
    assert kernels.outputs(cell, "execute_result")[0].data["text/plain"] == "42"
    assert kernels.outputs(cell, "stream")[0].text == "resource-tracker: RESOURCE_TRACKER_PROGRAM: /nosuch cannot be run\n"
    assert kernels.uses(cell) == []


def test_a_recorder_that_is_killed(execute):
    """The cell goes on; a sentence, and the use until then."""
    cell, after = execute("""%%track -n fit
import os, signal, time
import resource_tracker._track as tracks
use = tracks._recorders[-1]
while not os.path.exists(use.record) or len(open(use.record).readlines()) < 3: time.sleep(0.01)
os.kill(use._pid, signal.SIGKILL)
42""", "%track -n next 1")
    assert kernels.outputs(cell, "execute_result")[0].data["text/plain"] == "42"
    assert re.match(r"resource-tracker: the recorder was killed, or could not write the end of its record; \S+ has the samples until then",
                    kernels.outputs(cell, "stream")[0].text)
    assert kernels.uses(cell)[0][0].startswith("fit: ") and kernels.uses(after)[0][0].startswith("next: ")


def test_in_a_terminal(python, tmp_path):
    """IPython without a kernel has the line alone, and nothing that changes."""
    lines = python("""
import io, contextlib
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "resource_tracker")
written = io.StringIO()
with contextlib.redirect_stdout(written):
    shell.run_cell("%%track -n fit\\nimport time\\ntime.sleep(1.5)")
    shell.run_cell("%track -n next 1")
show(written.getvalue().splitlines())
""", PYTHONPATH=kernels.DEBIAN, IPYTHONDIR=str(tmp_path / "ipython"))[0]
    assert len(lines) == 3 and re.match(r"fit: [\d.]+ s, CPU .*, peak memory [\d.]+ MiB, left behind ", lines[0])
    assert lines[1].startswith("next: ") and lines[2].endswith("1")


def test_switched_off(execute):
    _, cell = execute("%env RESOURCE_TRACKER=off", "%%track -n fit\n6 * 7")
    assert kernels.outputs(cell, "execute_result")[0].data["text/plain"] == "42"
    assert [line for line, _ in kernels.uses(cell)] == ["fit: nothing was recorded"]


def test_under_a_recorder(manager, recorder, tmp_path):
    """The kernel is a part of a run: the cell is a region of it."""
    spec = tmp_path / "jupyter/kernels/package/kernel.json"
    described = json.loads(spec.read_text())
    described["argv"][:0] = [str(recorder), "--quiet", "-i", "0.1", "--record", str(tmp_path / "outer.jsonl"), "--"]
    spec.write_text(json.dumps(described))
    _, cell, path = kernels.Notebook(manager).execute(BORDER, f"%%track -n fit\nborder()\n{BURN % 0.4}border()",
                                                      "use = %track\nimport time\nwhile not use.run.regions: time.sleep(0.01)\n"
                                                      "use.run.record_path, list(use.run.regions)")
    (line, card), = kernels.uses(cell)
    assert line.startswith("fit: ") and number(figures(line)["CPU"]) >= 0.38 and ">fit<" in card
    shown = kernels.outputs(path, "execute_result")[0].data["text/plain"]       # in two lines where the path is long
    assert ast.literal_eval(shown) == (f"{tmp_path}/outer.jsonl", ["fit"])


class Client:
    """Of a kernel that runs: run(source) gives its messages as they come, and ends with the cell."""

    def __init__(self, manager):
        self.manager = manager
        manager.start_kernel()
        self.connect()
        for _ in self.run("%load_ext resource_tracker"):
            pass

    def connect(self):
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready()

    def run(self, source):
        mine = self.client.execute(source, stop_on_error=False)  # else a failed cell can drop the one that follows it
        while True:
            message = self.client.get_iopub_msg()
            if message["parent_header"].get("msg_id") == mine:
                yield message["msg_type"], message["content"]
                if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                    return


@pytest.fixture
def client(manager):
    found = Client(manager)
    yield found
    found.client.stop_channels()


def test_a_line_changes_while_it_runs(client, tmp_path):
    """A plain text that is updated, without a widget; in the end it is empty, and the use is displayed after what was printed."""
    lines, shown = [], []
    for kind, content in client.run(f"%%track -n wait\nimport os, time\n"
                                    f"while not os.path.exists('{tmp_path}/over'): time.sleep(0.01)\nprint('last')"):
        if kind in ("display_data", "update_display_data") and "text/html" not in content["data"]:
            assert list(content["data"]) == ["text/plain"] and (kind == "display_data") == (lines == [])
            lines.append(content["data"]["text/plain"])
        shown.append(content["data"]["text/plain"] if "data" in content else content.get("text", "").strip())
        if len(lines) == 3:
            (tmp_path / "over").touch()
    assert all(re.fullmatch(r"wait: [\d. mins]+, [\d.]+ cores? [▁▂▃▄▅▆▇█]+, memory [\d.]+ MiB", line) for line in lines[:-1]), lines
    assert lines[-1] == "" and shown.index("last") < next(n for n, text in enumerate(shown) if text.startswith("wait: ") and "peak" in text)


def test_interrupted(client):
    """^C in a cell: the exception as of any cell, the use, and the next cell runs."""
    kinds = []
    for kind, content in client.run("%%track\nprint('on', flush=True)\nwhile True: pass"):
        kinds.append((kind, content.get("ename") or sorted(content.get("data", {}))))
        if "on" in content.get("text", ""):             # its newline can be a message of its own
            client.manager.interrupt_kernel()
    assert ("error", "KeyboardInterrupt") in kinds and ("display_data", ["text/html", "text/plain"]) in kinds
    assert any(kind == "execute_result" for kind, _ in client.run("1"))


def test_a_restart_leaves_no_recorder(client):
    pid = None
    for kind, content in client.run("%%track\nimport resource_tracker._track as t, time\nprint(t._recorders[-1]._pid, flush=True)\n"
                                    "while True: time.sleep(0.01)"):
        if kind == "stream":
            pid = int(content["text"])
            break
    assert stat_of(pid)
    client.client.stop_channels()
    client.manager.restart_kernel(now=True)
    wait_for(lambda: not stat_of(pid), "the recorder of the kernel before runs on")
    client.connect()
    assert any(kind == "execute_result" for kind, _ in client.run("1"))


def test_loaded_twice_and_unloaded(execute):
    cells = execute("%load_ext resource_tracker", "%reload_ext resource_tracker", "%%track\n1", "%unload_ext resource_tracker", "%track 1")
    assert len(kernels.uses(cells[2])) == 1
    assert "`%track` not found" in kernels.outputs(cells[4], "stream")[0].text


def test_runs_show_themselves(python):
    """Run has what IPython asks for, also of a run that is over; a record that is gone is a sentence."""
    line, html, same, gone = python("""
with resource_tracker.track("nightly", interval=0.05) as run:
    while run.samples.rows < 4: time.sleep(0.01)            # for a chart
bundle = run._repr_mimebundle_()
show(bundle["text/plain"], bundle["text/html"], run._repr_html_() == bundle["text/html"])
again = resource_tracker._runs.Run(run.record_path)
os.unlink(run.record_path)
show(again._repr_mimebundle_()["text/plain"])
""")
    assert re.match(r"nightly: [\d.]+ m?s, CPU ", line) and "<svg" in html and same
    assert re.fullmatch(r"the record .*\.jsonl cannot be read: No such file or directory", gone)


def test_figures_as_text(python):
    texts, sparks, thin = python("""
from resource_tracker import _figures as f
show([f.bytes_text(n) for n in (0, 999, 1023, 1536, 15.2 * 2**20, 999.6 * 2**20, -2**30, 2**62)]
     + [f.seconds_text(n) for n in (0.000_01, 0.097, 0.9996, 12.34, 59.96, 83, 7380)]
     + [f.cores_text(n) for n in (0.004, 0.03, 1, 1.85, 12.3)])
show([f.sparkline([]), f.sparkline([0, 0]), f.sparkline([1, 4, 8])])
course = [(n, n + 1, float(n)) for n in range(10)]
show([f.thinned(course, 4), f.thinned(course, 4, highest=True), f.thinned(course, 10) == course, f.thinned([], 4)])
""")
    assert texts == ["0 B", "999 B", "1.00 KiB", "1.50 KiB", "15.2 MiB", "0.98 GiB", "-1.00 GiB", "4096 PiB",
                     "0.01 ms", "97.0 ms", "1.00 s", "12.3 s", "1 min 00 s", "1 min 23 s", "2 h 03 min",
                     "0 cores", "0.03 cores", "1 core", "1.85 cores", "12 cores"]
    assert sparks == ["", "▁▁", "▂▅█"]
    means, highest, same, empty = thin
    assert means == [[0, 3, 1.0], [3, 6, 4.0], [6, 9, 7.0], [9, 10, 9.0]] and [step[2] for step in highest] == [2, 5, 8, 9]
    assert same and empty == []


def test_colours_stand_out_from_light_and_dark(python):
    colours, = python("""
from resource_tracker import _chart
show([_chart.CPU, _chart.MEMORY, *_chart.REGIONS])
""")

    def luminance(colour):
        parts = [int(colour[n:n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))

    for colour in colours:
        for page in ("#ffffff", "#111111"):
            darker, lighter = sorted((luminance(colour), luminance(page)))
            assert (lighter + 0.05) / (darker + 0.05) >= 3, (colour, page)
