"""The recorder's feed, where the recorder is, and files that grow."""
import os

import dropin_support  # noqa: F401 - finds the packages

from resource_tracker import _feed_rows, _programs, _sampling


def test_lines_of_a_feed_that_hold_no_sample_are_skipped():
    feed = _feed_rows.FeedRows(7, True)
    for line in [b"", b"{", b"[]", b'["x"]', b'["r",1]', b'"r"', b"7",
                 b'{"lost":3,"t":1}', b'{"end":{}}', b'["r",1,1,1,[1]]']:
        assert feed.row(line) is None


def test_columns_of_a_feed_may_change_their_places():
    feed = _feed_rows.FeedRows(7, True)
    feed.row(b'{"start":100.5,"fixed":{"process.children":4}}')
    feed.row(b'{"columns":[["process.pss_bytes","bytes","level"]]}')
    process, system = feed.row(b'["r",1.25,1,1,[1048576],null]')
    assert process["timestamp"] == system["timestamp"] == 101.75
    assert process["memory_mib"] == 1 and process["children"] == 4
    feed.row(b'{"columns":[["cpu.processes","count","level"],'
             b'["process.rss_bytes","bytes","level"],'
             b'["process.children","count","level"],'
             b'["process.gpu_vram_bytes","bytes","level"]]}')
    process, system = feed.row(b'["r",2,1,1,[9,2097152,0,3145728],null]')
    assert process["memory_mib"] == 2 and process["children"] is None
    assert process["gpu_vram_mib"] == 3 and system["processes"] == 9
    assert feed.row(b'["r",3,1,1,[9,null,0,null],null]')[0] is None


def test_what_is_unknown_in_the_first_row_is_read():
    """Of the first row alone, and only what the recorder did not know."""
    feed = _feed_rows.FeedRows(7, True, lambda: {
        "processes": 5, "memory_used_mib": 3.0, "disk_space_free_gb": 2.0})
    feed.row(b'{"start": 1}')
    feed.row(b'{"columns": [["cpu.processes"], ["memory.used_bytes"]]}')
    line = b'["r",1,1,1,[null,1048576]]'
    first, second = (feed.row(line)[1] for _ in range(2))
    assert first["processes"] == 5 and first["memory_used_mib"] == 1.0
    assert first["disk_space_free_gb"] == 2.0
    assert second["processes"] == 0 and second["disk_space_free_gb"] == 0


def test_the_recorder_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv(_programs.VARIABLE, "/nonexistent")
    assert _programs.recorder() is None
    monkeypatch.delenv(_programs.VARIABLE)
    program = tmp_path / "resource-tracker"
    program.write_bytes(b"\x7fELF")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_programs, "_BUNDLED", str(tmp_path / "x/bin"))
    assert _programs.recorder() is None
    program.chmod(0o755)
    assert _programs.recorder() == str(program)
    beside = tmp_path / "x/bin/resource-tracker"
    beside.parent.mkdir(parents=True)
    beside.write_bytes(b"\x7fELF")
    beside.chmod(0o755)
    assert _programs.recorder() == str(beside)
    monkeypatch.setenv(_programs.VARIABLE, str(program))
    assert _programs.recorder() == str(program)


def test_a_line_that_is_not_whole_is_read_later(tmp_path, monkeypatch):
    monkeypatch.setenv(_programs.VARIABLE, "/nonexistent")
    sampling = _sampling.Sampling(os.getpid(), True, 1000)
    sampling._wait_for_begin()          # the helper writes a line of its own then
    sampling._rows.write(b'[null, {"a": 1}]\n[null, ')
    assert sampling.rows() == [(None, {"a": 1})]
    sampling._rows.write(b'{"a": 2}]\n')
    assert sampling.rows() == [(None, {"a": 2})]
    assert sampling.rows() == []
    sampling.close()
    assert sampling.rows() == [] and not sampling.is_running()
