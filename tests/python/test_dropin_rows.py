"""What is made of a tracker's rows: tables, statistics, advice, snapshots."""
import gzip
import json
import math
import threading

import dropin_support  # noqa: F401 - finds the packages
import pytest

from resource_tracker import _metrics, keeper
from resource_tracker.column_maps import PROCESS_COLUMNS, SYSTEM_COLUMNS
from resource_tracker.tiny_data_frame import StatSpec
from resource_tracker.tracker import ResourceTracker


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """A request that was not asked for fails the test."""
    def fails(*_, **__):
        raise AssertionError("a request")
    monkeypatch.setattr(keeper, "urlopen", fails)


def rows(columns, count=3, **values):
    """Rows of a tracker: 1, 2, ... in all columns but those given."""
    return [{name: values.get(name, [at + 1] * count)[at]
             if isinstance(values.get(name), list)
             else values.get(name, at + 1)
             for name in columns} for at in range(count)]


def snapshot(process=None, system=None, **metadata):
    """A snapshot with these rows."""
    return {
        "metadata": {"version": 1, "pid": 7, "children": True, "interval": 1,
                     "method": "fork", "track_processes": True,
                     "track_system": True, "start_time": 0.5,
                     "stop_time": 3.5, "resource_tracker": {
                         "version": "0.5.0", "implementation": "psutil"},
                     **metadata},
        "server_info": {"os": "Linux", "vcpus": 2, "memory_mib": 100.0,
                        "gpu_count": 0, "gpu_names": [], "gpu_name": "",
                        "gpu_memory_mib": 0.0, "allocation": None},
        "cloud_info": None,
        "process_metrics": rows(PROCESS_COLUMNS) if process is None
        else process,
        "system_metrics": rows(SYSTEM_COLUMNS) if system is None else system,
    }


def test_a_snapshot_of_theirs_is_read_and_written_again(tmp_path):
    given = snapshot()
    found = ResourceTracker.from_snapshot(given)
    written = found.snapshot()
    assert not found.running and found.n_samples == 3
    assert written["process_metrics"] == given["process_metrics"]
    assert written["system_metrics"] == given["system_metrics"]
    assert written["metadata"]["duration"] == 4.0
    assert set(written["metadata"]) == {
        "version", "resource_tracker", "pid", "children", "interval",
        "method", "autostart", "track_processes", "track_system",
        "discover_server", "discover_cloud", "start_time", "stop_time",
        "duration"}
    assert written["metadata"]["resource_tracker"] == {
        "version": "0.5.0", "implementation": "psutil"}
    path = str(tmp_path / "s.json.gz")
    found.dump(path)
    with gzip.open(path) as file:
        assert json.load(file) == json.loads(found.dumps())
    for again in (ResourceTracker.load(path),
                  ResourceTracker.loads(found.dumps())):
        assert again.stats() == found.stats()
        with pytest.raises(RuntimeError):
            again.start()
    text = open(found.process_tracker_filepath, "rb").read()
    assert text.count(b"\r\n") == 4


def test_a_snapshot_of_an_older_version_has_todays_units():
    found = ResourceTracker.from_snapshot(snapshot(
        process=[{"timestamp": 1, "pid": 7, "children": "", "utime": 1,
                  "stime": 0, "cpu_usage": 1, "memory": 2048,
                  "read_bytes": 1, "write_bytes": 2, "gpu_usage": 0,
                  "gpu_vram": 3, "gpu_utilized": 0}],
        system=[{"timestamp": 1, "memory_used": 4096,
                 "disk_space_used_gb": 1.0}]))
    assert found.process_metrics[0]["memory_mib"] == 2
    assert found.process_metrics[0]["disk_write_bytes"] == 2
    assert found.process_metrics[0]["gpu_vram_mib"] == 3
    assert found.system_metrics[0]["memory_used_mib"] == 4
    assert found.system_metrics[0]["disk_space_used_gb"] == 1.0737


def test_both_in_one_table_by_time():
    found = ResourceTracker.from_snapshot(snapshot(
        process=rows(PROCESS_COLUMNS, timestamp=[0.2, 2.1, 3.1]),
        system=rows(SYSTEM_COLUMNS, timestamp=[1.0, 2.0, 3.0],
                    cpu_usage=[10, 20, 30])))
    both = found.get_combined_metrics()
    assert both["timestamp"] == [2.0, 3.0]
    assert both["system_cpu_usage"] == [20, 30]
    assert both["process_cpu_usage"] == [2, 3]
    assert len(both.columns) == 32
    assert both.columns[:21] == ["timestamp", *(
        f"system_{name}" for name in SYSTEM_COLUMNS[1:])]
    assert both.columns[21:] == [f"process_{name}"
                                 for name in PROCESS_COLUMNS[1:]]


def test_names_units_and_offsets_of_the_table():
    found = ResourceTracker.from_snapshot(snapshot())
    human = found.get_combined_metrics(bytes=True, human_names=True)
    assert human["Timestamp"] == [1, 2, 3]
    assert human["Process memory usage"] == [n << 20 for n in (1, 2, 3)]
    assert human["System disk space free"] == [1e9, 2e9, 3e9]
    own = found.get_combined_metrics(system_prefix="s.", process_prefix="",
                                     offset=2)
    assert own["s.utime"] == [3] and own["pid"] == [3]
    assert len(found.get_combined_metrics(offset=9)) == 0


def test_columns_and_values_that_are_missing_or_unknown_pass():
    given = rows(SYSTEM_COLUMNS)
    given[0].update(more=7, memory_free_mib=None)
    found = ResourceTracker.from_snapshot(snapshot(system=given))
    both = found.get_combined_metrics(bytes=True, human_names=True)
    assert both["System more"] == [7, None, None]
    assert both["System free memory"] == [None, 2 << 20, 3 << 20]
    assert "process_cpu_usage" in found.stats()


def test_statistics():
    found = ResourceTracker.from_snapshot(snapshot())
    stats = found.stats()
    assert stats["process_cpu_usage"] == {"mean": 2.0, "max": 3}
    assert stats["timestamp"] == {"duration": 3}
    assert stats["system_net_recv_bytes"] == {"sum": 6}
    assert set(stats) == {spec.column for spec in _metrics.DEFAULT_STATS}
    assert found.stats([StatSpec("process_utime", min)]) == {
        "process_utime": {"min": 1}}


@pytest.mark.parametrize("process, system, found", [
    ({}, {}, "dedicated"),
    ({"cpu_usage": 1}, {"cpu_usage": 1.24}, "dedicated"),
    ({"cpu_usage": 1}, {"cpu_usage": 1.26}, "shared"),
    ({"cpu_usage": 10}, {"cpu_usage": 10.5}, "shared"),
    ({"memory_mib": 2000}, {"memory_used_mib": 2400}, "dedicated"),
    ({"memory_mib": 2000}, {"memory_used_mib": 2600}, "shared"),
    ({"gpu_usage": 1}, {"gpu_usage": 1.3}, "shared"),
    ({"gpu_vram_mib": 10000}, {"gpu_vram_mib": 10600}, "shared"),
])
def test_whom_the_machine_belongs_to(process, system, found):
    base = {"cpu_usage": 0, "gpu_usage": 0, "gpu_vram_mib": 0}
    made = ResourceTracker.from_snapshot(snapshot(
        process=rows(PROCESS_COLUMNS, **{**base, "memory_mib": 0,
                                         **process}),
        system=rows(SYSTEM_COLUMNS, **{**base, "memory_used_mib": 0,
                                       **system})))
    assert made.server_info["allocation"] == found


def test_server_info_can_be_left_out():
    given = snapshot()
    given["server_info"] = None
    found = ResourceTracker.from_snapshot(given)
    assert found.server_info is None and found.snapshot()
    assert "Process CPU usage" in found.report()


@pytest.mark.parametrize("mib, advised", [
    (333.02, 512), (10 * 1024, 12 * 1024), (1024 ** 2, 1258496), (1, 128)])
def test_advised_memory_is_the_peak_and_a_fifth(mib, advised):
    found = ResourceTracker.from_snapshot(snapshot(
        process=rows(PROCESS_COLUMNS, memory_mib=[1, mib, 1],
                     cpu_usage=2.5, gpu_usage=0, gpu_vram_mib=0)))
    assert math.ceil(mib * 1.2) <= advised
    assert found.recommend_resources() == {
        "cpu": 2, "memory": advised, "gpu": 0, "vram": 0}


def test_advice_counts_earlier_runs():
    found = ResourceTracker.from_snapshot(snapshot(
        process=rows(PROCESS_COLUMNS, memory_mib=100, cpu_usage=1,
                     gpu_usage=[0.2, 1.6, 0], gpu_vram_mib=1000)))
    assert found.recommend_resources([{
        "process_memory_mib": {"max": 1000},
        "process_cpu_usage": {"mean": 8}}]) == {
            "cpu": 4, "memory": 2048, "gpu": 2, "vram": 2048}


def test_servers_are_asked_for_with_filters(monkeypatch):
    asked = []

    def answer(**given):
        asked.append(given)
        return [{"vendor_id": "v", "api_reference": "t",
                 "min_price_ondemand": 3.6}]
    monkeypatch.setattr(keeper, "get_recommended_cloud_servers", answer)
    found = ResourceTracker.from_snapshot(snapshot())
    assert found.recommend_server(vendor_id="aws", historical_stats=[])[
        "vendor_id"] == "v"
    assert asked[0]["vendor_id"] == "aws" and asked[0]["n"] == 1
    assert "v t" in found.report()
    monkeypatch.setattr(keeper, "get_recommended_cloud_servers",
                        lambda **_: [])
    assert found.recommend_server() is None


def test_a_file_that_cannot_be_written_costs_no_rows(caplog):
    found = ResourceTracker.from_snapshot(snapshot())
    table = found._tables["process_tracker"]
    table._path = "/nonexistent/x.csv"
    table.add(rows(PROCESS_COLUMNS))
    assert found.process_tracker_filepath == table._path
    assert found.n_samples == 3 and len(found.process_metrics) == 6
    assert "/nonexistent/x.csv" in caplog.text


def test_rows_are_whole_while_others_are_added():
    found = ResourceTracker.from_snapshot(snapshot())
    table, seen = found._tables["process_tracker"], []

    def add():
        while len(seen) < 200:
            table.add(rows(PROCESS_COLUMNS))
    thread = threading.Thread(target=add)
    thread.start()
    try:
        for _ in range(200):
            frame = found.process_metrics
            seen.append(len(frame[-1]))
    finally:
        seen += [0] * 200
        thread.join()
    assert set(seen[:200]) == {len(PROCESS_COLUMNS)}
