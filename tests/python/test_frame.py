"""test_frame.py - columns of a run for numpy, pandas and polars, and those of a run without samples."""
import pathlib

import pytest

RUN = """
with resource_tracker.track(interval=0.02) as run:
    with resource_tracker.region("a"): time.sleep(0.1)
    while run.samples.rows < 3: time.sleep(0.01)
samples, events = run.samples, run.events
"""

# As much of polars as is used: it is not packaged by Debian.
POLARS = """
Float64, Utf8 = "Float64", "Utf8"
class Series:
    def __init__(self, name, values, dtype):
        self.name, self.values, self.dtype = name, values, dtype
    def fill_nan(self, value):
        return Series(self.name, [value if v != v else v for v in self.values], self.dtype)
class DataFrame:
    def __init__(self, series):
        self.columns = {one.name: (one.dtype, list(one.values)) for one in series}
"""


def folder_of(module):
    """Where the module is installed; the environment of the package has none."""
    return str(pathlib.Path(pytest.importorskip(module).__file__).parents[1])


def test_arrays_are_the_frames_memory(python):
    same, readonly, texts, plain = python(RUN + """
import numpy
arrays = samples.to_numpy()
column = samples["timestamp_seconds"]
show(numpy.shares_memory(arrays["timestamp_seconds"], numpy.frombuffer(column)), not arrays["timestamp_seconds"].flags.writeable)
show(events.to_numpy()["path"].tolist() == list(events["path"]), str(arrays["samples"].dtype))
""", PYTHONPATH=folder_of("numpy"))
    assert same and readonly and texts and plain == "float64"


def test_pandas_has_times_as_its_index(python):
    equal, index, instants, changed, texts, ends, plain = python(RUN + """
import subprocess
table = samples.to_pandas()
show({name: list(table[name]) == list(samples[name]) or table[name].isna().any() for name in table} ==
     {name: True for name in samples})
show([str(table.index.dtype), table.index.name])
show(max(abs(a.timestamp() - b) for a, b in zip(table.index, samples["timestamp_seconds"])) < 1e-3)
table["samples"] += 1
show(list(table["samples"]) == [n + 1 for n in samples["samples"]])
show(list(events.to_pandas()["path"]), list(run.processes.to_pandas().index))
show(list(resource_tracker.Frame({}, {}, {}, 0).to_pandas()))
""", PYTHONPATH=folder_of("pandas"))
    assert equal and instants and changed and index == ["datetime64[ns, UTC]", "time"]
    assert texts == ["a"] and ends == [] and plain == []


def test_polars(python, tmp_path):
    (tmp_path / "polars.py").write_text(POLARS)
    kinds, same, texts = python(RUN + """
found = samples.to_polars().columns
show(sorted({kind for kind, _ in found.values()}))
show([values for _, values in found.values()] == [[None if v != v else v for v in column] for column in samples.values()])
show(events.to_polars().columns["path"])
""")
    assert kinds == ["Float64"] and same and texts == ["Utf8", ["a"]]


@pytest.mark.parametrize("name", ["numpy", "pandas", "polars"])
def test_a_library_that_is_missing_has_a_sentence(python, name):
    assert python(f"""
try:
    resource_tracker.Frame({{}}, {{}}, {{}}, 0).to_{name}()
except ImportError as error:
    show(str(error), error.name)
""") == [f"to_{name}() needs {name}, which is not installed: pip install {name}", name]


def test_a_library_that_is_broken_says_so_itself(python, tmp_path):
    (tmp_path / "polars.py").write_text("import what_polars_needs\n")
    assert python("""
try:
    resource_tracker.Frame({}, {}, {}, 0).to_polars()
except ImportError as error:
    show(error.name)
""") == ["what_polars_needs"]


@pytest.mark.parametrize("variables", [{}, {"RESOURCE_TRACKER": "off"}], ids=["before its first sample", "off"])
def test_a_frame_without_rows_has_its_columns(python, variables):
    """A program that draws a column does not fail for a run that has none yet."""
    rows, totals, maxima, exits, events, unit = python("""
with resource_tracker.track(interval=3600) as run:
    frames = run.samples, run.maxima, run.processes, run.events
    show([frame.rows for frame in frames], *(list(frame) for frame in frames), frames[0].units["process.rss_bytes"])
""", **variables)
    assert rows == [0, 0, 0, 0] and unit == "bytes"
    assert {"timestamp_seconds", "samples", "process.cpu_seconds", "process.pss_bytes", "memory.used_bytes"} <= set(totals)
    assert {"timestamp_seconds", "process.rss_bytes"} <= set(maxima) < set(totals)
    assert {"name", "pid", "cpu_seconds"} <= set(exits) and {"path", "text", "seconds"} <= set(events)


def test_columns_without_rows_are_those_of_a_record(python):
    """Each that a sample of this machine has is there before it, with its unit and kind."""
    missing, = python(RUN + """
from resource_tracker._frame import empty
none = empty("total")
show([name for name in samples if (none.units.get(name), none.kinds.get(name)) != (samples.units[name], samples.kinds[name])])
""")
    assert missing == []


@pytest.mark.parametrize("interval", ["0", "-1", "'x'", "b'1'", "None", "float('nan')", "float('inf')", "10 ** 400", "[]"])
def test_an_interval_that_is_none(python, interval):
    found = python(f"""
from resource_tracker import ProcessTracker, ResourceTracker, SystemTracker, track
for kind in track, ResourceTracker, ProcessTracker, SystemTracker:
    try:
        kind(interval={interval})
    except ValueError as error:
        show(str(error) == f"the interval is {{{interval}!r}}: it has to be a number of seconds above 0")
""")
    assert found == [True] * 4
