"""Tables, templates, sizes, names of columns, and helpers."""
import io
import time

import pytest
from dropin_support import Job, run_python

import resource_tracker
from resource_tracker import (column_maps, dummy_workloads, helpers,
                              tiny_data_frame)
from resource_tracker.report import Report, round_memory
from resource_tracker.tiny_bars import render_template
from resource_tracker.tiny_data_frame import StatSpec, TinyDataFrame


@pytest.fixture
def frame():
    """Twelve rows of a number, a float and a text."""
    return TinyDataFrame({"a": list(range(12)),
                          "b": [n / 2 for n in range(12)],
                          "c": ["x"] * 12})


def test_a_table_is_made_of_columns_or_of_rows():
    rows = [{"a": 1}, {"b": 2, "a": 3}]
    assert TinyDataFrame(rows).to_dict() == [
        {"a": 1, "b": None}, {"a": 3, "b": 2}]
    assert TinyDataFrame({"a": [1, 3]})["a"] == [1, 3]
    with pytest.raises(AssertionError):
        TinyDataFrame()
    with pytest.raises(AssertionError):
        TinyDataFrame(data=[], csv_file_path="x")
    with pytest.raises(AssertionError):
        TinyDataFrame(csv_file_path=1)
    with pytest.raises(ValueError):
        TinyDataFrame({"a": [1], "b": []})


def test_parts_of_a_table(frame):
    assert len(frame) == 12 and frame.columns == ["a", "b", "c"]
    assert frame[-1] == {"a": 11, "b": 5.5, "c": "x"}
    assert frame[["b", "a"]].columns == ["b", "a"]
    assert frame[2:4]["a"] == [2, 3]
    assert frame.head()["a"] == [0, 1, 2, 3, 4]
    assert frame.tail(2)["a"] == [10, 11] and len(frame.tail(99)) == 12
    assert [row["a"] for row in frame] == list(range(12))
    frame["a"].append(12)
    assert frame["a"][-1] == 12
    for wrong, error in [("z", KeyError), (["z"], KeyError),
                         (1.5, TypeError), ([1], TypeError)]:
        with pytest.raises(error):
            frame[wrong]


def test_a_column_is_set_and_renamed(frame):
    frame["d"] = [0] * 12
    with pytest.raises(ValueError):
        frame["e"] = [1]
    with pytest.raises(TypeError):
        frame[1] = [0] * 12
    assert frame.rename({"d": "e"}) is frame
    assert frame.columns == ["a", "b", "c", "e"]
    with pytest.raises(KeyError):
        frame.rename({"d": "f"})


def test_empty_tables_share_nothing():
    one, other = TinyDataFrame([]), TinyDataFrame([])
    one["a"] = [1]
    assert len(other) == 0 and other.columns == []
    assert "Empty dataframe" in str(other)
    assert repr(other).endswith("{}") and other.to_dict() == []


def test_csv_has_quotes_around_texts_and_crlf(frame, tmp_path):
    text = frame.head(1).to_csv()
    assert text == '"a","b","c"\r\n0,0.0,"x"\r\n'
    assert frame.head(1).to_csv(quote_strings=False) == (
        "a,b,c\r\n0,0.0,x\r\n")
    path = str(tmp_path / "t.csv")
    assert frame.to_csv(path) is None
    assert TinyDataFrame(csv_file_path=path).to_dict() == frame.to_dict()


def test_cells_are_numbers_where_they_can_be(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('"a","b","c","d"\n"7",1.0,-2e3,""\n3,4\n')
    rows = TinyDataFrame(csv_file_path=str(path)).to_dict()
    assert rows[0] == {"a": 7, "b": 1.0, "c": -2000.0, "d": ""}
    assert isinstance(rows[0]["b"], float)
    assert rows[1] == {"a": 3, "b": 4, "c": None, "d": None}
    path.write_text('"a"\n1,2\n')
    with pytest.raises(RuntimeError, match="after 1 attempts"):
        TinyDataFrame(csv_file_path=str(path))


def test_a_file_that_is_not_there_yet_is_tried_again(tmp_path, monkeypatch):
    path, waited = tmp_path / "t.csv", []

    def sleep(seconds):
        waited.append(seconds)
        if len(waited) == 2:
            path.write_text("a\n1\n")
    monkeypatch.setattr(tiny_data_frame, "sleep", sleep)
    frame = TinyDataFrame(csv_file_path=str(path), retries=3,
                          retry_delay=0.5)
    assert frame["a"] == [1] and waited == [0.5, 1.0]


def test_an_address_is_read_as_a_file(monkeypatch):
    monkeypatch.setattr(tiny_data_frame, "urlopen",
                        lambda url, timeout: io.BytesIO(b"a,b\n1,x\n"))
    frame = TinyDataFrame(csv_file_path="https://example.org/t.csv")
    assert frame.to_dict() == [{"a": 1, "b": "x"}]


def test_statistics_have_their_functions_names(frame):
    def fails(values):
        raise RuntimeError(values)
    assert frame.stats([
        StatSpec("a", max), StatSpec("b", sum, "total", 1),
        StatSpec("b", fails), StatSpec("z", max)]) == {
            "a": {"max": 11}, "b": {"total": 33.0}}


def test_a_table_as_text(frame):
    lines = str(frame).split("\n")
    assert lines[0] == "TinyDataFrame with 12 rows and 3 columns:"
    assert lines[1:4] == ["a | b   | c", "--+-----+--", "0 | 0.0 | x"]
    assert len(lines) == 14 and lines[-1] == "..."
    assert repr(frame).startswith("TinyDataFrame with 12 rows and 3 columns")


def test_values_are_escaped_unless_they_are_to_stay():
    assert render_template("{{ a }}{{{a}}}", {"a": "<'\">"}) == (
        "&lt;&#x27;&quot;&gt;<'\">")


@pytest.mark.parametrize("template, text", [
    ("{{#if a}}1{{#else}}2{{/if}}", "1"),
    ("{{#if z.y}}1{{#else}}2{{/if}}", "2"),
    ("{{#if a}}{{#if z}}1{{#else}}3{{/if}}{{/if}}", "3"),
    ("{{#each l as i}}{{ i.n }},{{/each}}", "1,2,"),
    ("{{ d.k | divide:4 | round:1 }}", "2.5"),
    ("{{ d.k | round_memory }}", "128"),
    ("{{ l | index:1 }}", "{&#x27;n&#x27;: 2}"),
    ("{{ f.b | index:0 }}", "7"),
    ("{{ n | pretty_number:1 }}", "-0.4"),
    ("{{ big | pretty_number }}", "1,234,567"),
    ("{{ z }}", "[Error: z - 'z' not found in 'z']"),
    ("{{ d.z }}", "[Error: d.z - 'z' not found in 'd.z']"),
    ("{{ a | zz }}", "[Error: a | zz - Unknown filter: zz]"),
])
def test_templates(template, text):
    context = {"a": True, "l": [{"n": 1}, {"n": 2}], "d": {"k": 10},
               "f": TinyDataFrame({"b": [7]}), "n": -0.4, "big": 1234567}
    assert render_template(template, context) == text


def test_errors_of_blocks():
    assert "[Error: a" in render_template("{{#each a as x}}{{/each}}",
                                          {"a": 1})
    assert "[Error: a" in render_template("{{ a | divide:0 }}", {"a": 1})
    for broken in ("{{#if a}}", "{{#each a as b}}{{/if}}", "{{/if}}"):
        with pytest.raises(ValueError):
            render_template(broken, {"a": [1]})


def test_a_moment_is_local_time(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    try:
        assert render_template(
            "{{ t | unix_timestamp_to_local_tz_string }}", {"t": 0}) == (
                "1970-01-01 00:00:00 UTC")
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("mib, rounded", [
    (0, 128), (128, 128), (129, 256), (987, 1024), (1025, 2048),
    (2048, 2048), (2049, 3072), (400.3 * 1.2, 512)])
def test_memory_is_rounded_up(mib, rounded):
    assert round_memory(mib) == rounded


def test_a_report_is_text_that_is_saved(tmp_path, monkeypatch):
    report, seen = Report("<html>\u00e4"), []
    path = tmp_path / "r.html"
    assert report.save(str(path)) is report
    assert path.read_text(encoding="utf-8") == report
    monkeypatch.setattr("webbrowser.open", seen.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert report.browse() is report
    shown = seen[0].replace("file://", "")
    assert open(shown, encoding="utf-8").read() == report


def test_columns_are_those_of_the_contract():
    assert column_maps.PROCESS_COLUMNS == (
        "timestamp pid children utime stime cpu_usage memory_mib "
        "disk_read_bytes disk_write_bytes gpu_usage gpu_vram_mib "
        "gpu_utilized").split()
    assert column_maps.SYSTEM_COLUMNS == (
        "timestamp processes utime stime cpu_usage memory_free_mib "
        "memory_used_mib memory_buffers_mib memory_cached_mib "
        "memory_active_mib memory_inactive_mib disk_read_bytes "
        "disk_write_bytes disk_space_total_gb disk_space_used_gb "
        "disk_space_free_gb net_recv_bytes net_sent_bytes gpu_usage "
        "gpu_vram_mib gpu_utilized").split()
    assert column_maps.HUMAN_NAMES_MAPPING["utime"] == "CPU time (user)"
    assert column_maps.HUMAN_NAMES_MAPPING["pid"] == "PID"
    assert set(column_maps.HUMAN_NAMES_MAPPING) == set(
        column_maps.PROCESS_COLUMNS + column_maps.SYSTEM_COLUMNS)
    assert column_maps.BYTE_MAPPING["memory_mib"] == 1 << 20
    assert column_maps.BYTE_MAPPING["disk_space_free_gb"] == 10 ** 9
    assert len(column_maps.BYTE_MAPPING) == 11


def test_charts_and_checks_are_of_known_columns():
    for names in column_maps.REPORT_CSV_MAPPING.values():
        for name in names[1:]:
            word, human = name.split(" ", 1)
            assert word in ("Process", "System")
            assert human in column_maps.HUMAN_NAMES_MAPPING.values()
    for check in column_maps.SERVER_ALLOCATION_CHECKS:
        assert check["process_column"] in column_maps.PROCESS_COLUMNS
        assert check["system_column"] in column_maps.SYSTEM_COLUMNS


def test_statistics_of_runs_are_put_together():
    runs = [{"a": {"mean": 1.0, "max": 5}, "t": {"duration": 2}},
            {"a": {"mean": 3.0, "max": 4}, "n": {"sum": 7}}]
    assert helpers.aggregate_stats(runs) == {
        "a": {"mean": 2.0, "max": 5}, "t": {"duration": 2},
        "n": {"sum": 7}}
    assert helpers.aggregate_stats([]) == {}
    with pytest.raises(ValueError):
        helpers.aggregate_stats([{"a": {"median": 1}}])


def test_a_row_of_csv():
    assert helpers.render_csv_row([1, 2.0, None, 'a "b"']) == (
        b'1,2.0,"","a ""b"""\n')
    assert helpers.render_csv_row(["a", 1], quoting=0) == b"a,1\n"


def test_files_and_processes_are_cleaned_up(tmp_path):
    path = tmp_path / "x"
    path.touch()
    helpers.cleanup_files([str(path), str(tmp_path / "not there")])
    assert not path.exists()
    with Job() as job:
        helpers.cleanup_processes([job.process])
        assert job.process.returncode is not None


def test_loads_use_what_they_say():
    before = time.process_time()
    dummy_workloads.cpu_single(duration=0.2)
    assert time.process_time() > before
    assert dummy_workloads.cpu_multi(duration=0.2, ncores=2) > 0


def test_the_root_finds_its_names_when_it_is_asked():
    from resource_tracker import cloud_info, server_info, tracker
    for name, module in [("ProcessTracker", tracker),
                         ("SystemTracker", tracker),
                         ("ResourceTracker", tracker),
                         ("get_cloud_info", cloud_info),
                         ("get_server_info", server_info)]:
        assert getattr(resource_tracker, name) is getattr(module, name)
    with pytest.raises(AttributeError):
        resource_tracker.nothing  # noqa: B018


def test_no_module_loads_what_makes_requests():
    code = ("import sys; import resource_tracker.tracker; "
            "print('urllib.request' in sys.modules, "
            "'multiprocessing' in sys.modules)")
    assert run_python(code).stdout == "False False\n"
