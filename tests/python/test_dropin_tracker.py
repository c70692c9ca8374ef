"""Trackers: those that block, and ResourceTracker by recorder and helper."""
import gzip
import io
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from dropin_support import (ROOT, Job, recorder_path, run_python,
                            wait_until)

from resource_tracker import (_feed_rows, _metrics, _programs, _sampling,
                              cloud_info, keeper, streaming, tracker)
from resource_tracker.column_maps import PROCESS_COLUMNS, SYSTEM_COLUMNS
from resource_tracker.sentinel_api import RunStatus
from resource_tracker.tiny_data_frame import StatSpec, TinyDataFrame
from resource_tracker.tracker import (PidTracker, ProcessTracker,
                                      ResourceTracker, SystemTracker)

CHILD = "import subprocess, sys\nchild = subprocess.Popen(" \
    "[sys.executable, '-c', 'input()'], stdin=subprocess.PIPE)\n"


@pytest.fixture(params=["recorder", "procfs"])
def implementation(request, monkeypatch):
    """Both ways to take samples."""
    monkeypatch.setenv(_programs.VARIABLE, recorder_path()
                       if request.param == "recorder" else "/nonexistent")
    monkeypatch.delenv("SENTINEL_API_TOKEN", raising=False)
    return request.param


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """A request that was not asked for fails the test."""
    def fails(*_, **__):
        raise AssertionError("a request")
    monkeypatch.setattr(cloud_info, "metadata_request", fails)
    monkeypatch.setattr(keeper, "urlopen", fails)


def started(**more):
    """A tracker that has a sample."""
    found = ResourceTracker(interval=0.1, **more)
    found.start()
    wait_until(lambda: found.n_samples > 0)
    return found


# Those that block.

def test_rows_of_a_process_end_with_it(tmp_path):
    path = tmp_path / "p.csv"
    job = Job(CHILD)
    blocking = ProcessTracker(job.pid, interval=0.05, autostart=False)
    thread = threading.Thread(target=blocking.start_tracking,
                              args=(str(path),))
    thread.start()
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 2)
    job.process.kill()
    thread.join()
    job.end()
    assert blocking.status == "exited"
    lines = path.read_bytes().decode().split("\n")
    assert lines[0] == ",".join(f'"{name}"' for name in PROCESS_COLUMNS)
    frame = TinyDataFrame(csv_file_path=str(path))
    assert set(frame["pid"]) == {job.pid} and set(frame["children"]) == {1}
    assert min(frame["memory_mib"]) > 0 and b"\r" not in path.read_bytes()


def test_no_children_is_an_empty_text(tmp_path, capsysbinary):
    with Job() as job:
        blocking = ProcessTracker(job.pid, interval=0.01, autostart=False)
        rows = blocking.rows()
        next(rows)
        assert next(rows)["children"] is None
        assert blocking.diff_stats()["pid"] == job.pid
        assert blocking() is None and blocking.cycle == 3
        assert blocking.stats["memory_mib"] > 0
    path = tmp_path / "gone.csv"
    ProcessTracker(job.pid, interval=0.01, output_file=str(path))
    assert path.read_bytes() == b""


@pytest.mark.parametrize("starts_itself", [True, False])
def test_rows_on_stdout_are_there_at_once(starts_itself):
    code = ("from resource_tracker.tracker import SystemTracker\n"
            "SystemTracker(interval=0.05, autostart=AUTOSTART)")
    code = code.replace("AUTOSTART", "True") if starts_itself else (
        code.replace("AUTOSTART", "False") + ".start_tracking()")

    with subprocess.Popen([sys.executable, "-c", code],
                          stdout=subprocess.PIPE, env={
            **os.environ, "PYTHONPATH": str(ROOT / "python/src")}) as running:
        lines = [running.stdout.readline() for _ in range(3)]
        running.kill()
    assert lines[0].decode().rstrip("\n") == ",".join(
        f'"{name}"' for name in SYSTEM_COLUMNS)
    first, second = (line.split(b",") for line in lines[1:])
    assert len(first) == len(SYSTEM_COLUMNS)
    assert float(second[0]) > float(first[0])


def test_rows_to_a_text_stream_without_header(monkeypatch):
    text = io.StringIO()
    monkeypatch.setattr("sys.stdout", text)
    with Job() as job:
        blocking = ProcessTracker(job.pid, interval=0.05, autostart=False)
        thread = threading.Thread(target=blocking.start_tracking,
                                  kwargs={"print_header": False})
        thread.start()
        wait_until(lambda: text.getvalue())
    thread.join()
    assert text.getvalue().split(",")[1] == str(job.pid)


def test_the_defaults_are_of_the_call_and_not_of_the_import():
    before = time.time()
    blocking = SystemTracker(autostart=False)
    assert before <= blocking.start_time <= time.time()
    pid = os.fork()
    if pid == 0:
        found = ProcessTracker(autostart=False).pid == os.getpid()
        os._exit(0 if found else 1)
    assert os.waitpid(pid, 0)[1] == 0


def test_the_first_row_is_after_start_time():
    start = time.time() + 0.3
    rows = SystemTracker(start_time=start, interval=0.1,
                         autostart=False).rows()
    next(rows)
    assert next(rows)["timestamp"] >= round(start + 0.1, 3) - 0.002


def test_overdue_rows_are_left_out_and_not_caught_up():
    blocking = SystemTracker(interval=0.01, autostart=False)
    rows = blocking.rows()
    next(rows)
    time.sleep(0.2)
    first, second = next(rows), next(rows)
    assert second["timestamp"] - first["timestamp"] < 0.2
    assert blocking.cycle == 3
    assert list(blocking.diff_stats()) == SYSTEM_COLUMNS


def test_the_older_name_warns():
    with Job() as job:
        with pytest.warns(DeprecationWarning):
            older = PidTracker(job.pid, autostart=False)
    assert isinstance(older, ProcessTracker) and older.pid == job.pid


def test_a_clipped_zero_is_an_int():
    values = {"timestamp": 1.0, "pid": 1, "children": 0, "utime": 1.0,
              "stime": 2.0, "memory_mib": 1.23456, "disk_read_bytes": 5,
              "disk_write_bytes": 5, "gpu_usage": 0.0, "gpu_vram_mib": 0.0,
              "gpu_utilized": 0}
    from resource_tracker._blocking import process_row
    row = process_row(values, {**values, "utime": 3.0,
                               "disk_read_bytes": 9}, 1.0)
    assert repr(row["utime"]) == "0" and row["disk_read_bytes"] == 0
    assert row["memory_mib"] == 1.2346 and row["children"] is None


# ResourceTracker.

def test_samples_of_a_process_and_the_machine(implementation):
    with Job(CHILD + "block = b'x' * (64 << 20)") as job:
        found = started(pid=job.pid)
        assert found.running and found.process_tracker_process.pid
        assert found.system_tracker_process.poll() is None
        found.stop()
    process, system = found.process_metrics, found.system_metrics
    assert process.columns == PROCESS_COLUMNS
    assert system.columns == SYSTEM_COLUMNS
    assert len(process) == len(system) == found.n_samples
    assert process["pid"][0] == job.pid and process["children"][0] == 1
    assert 64 < process["memory_mib"][0] < 256
    assert system["memory_used_mib"][0] > 64 and not found.running
    assert process["timestamp"][0] >= found.start_time
    assert found.error_queue.empty()
    assert found.snapshot()["metadata"]["resource_tracker"][
        "implementation"] == implementation


def test_the_tracker_is_no_part_of_what_it_tracks(implementation):
    code = ("from resource_tracker.tracker import ResourceTracker\n"
            "import time\n"
            "with ResourceTracker(interval=0.1) as t:\n"
            "    t.wait_for_samples(2, 600)\n"
            "print(t.process_metrics['children'])")
    done = run_python(code)
    assert done.stderr == "" and set(eval(done.stdout)) == {None}


def test_files_are_as_the_blocking_trackers_write_them(implementation):
    with Job() as job:
        found = started(pid=job.pid)
        paths = (found.process_tracker_filepath,
                 found.system_tracker_filepath)
        texts = [open(path, "rb").read().decode() for path in paths]
        found.stop()
    for text, columns in zip(texts, (PROCESS_COLUMNS, SYSTEM_COLUMNS)):
        assert text.startswith(
            ",".join(f'"{name}"' for name in columns) + "\n")
        assert "\r" not in text
    cells = texts[0].split("\n")[1].split(",")
    assert cells[1] == str(job.pid) and cells[2] == '""'
    found.cleanup()
    found.cleanup()
    assert not any(map(os.path.exists, paths))


def test_a_file_that_cannot_be_written_costs_no_rows(caplog):
    found = ResourceTracker.from_snapshot(snapshot())
    table = found._tables["process_tracker"]
    table.close()
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


def test_children_can_be_left_out(implementation):
    with Job(CHILD) as job:
        found = started(pid=job.pid, children=False)
        found.stop()
    assert set(found.process_metrics["children"]) == {None}


def test_one_of_both_is_tracked_alone(implementation):
    system = started(track_processes=False)
    system.stop()
    assert system.trackers == ["system_tracker"]
    assert len(system.process_metrics) == 0 < system.n_samples
    assert "system_cpu_usage" in system.get_combined_metrics().columns
    assert system.stats()["system_net_sent_bytes"]["sum"] >= 0
    assert system.process_tracker_filepath is None
    process = started(track_system=False)
    process.stop()
    assert len(process.system_metrics) == 0 < process.n_samples
    assert "process_cpu_usage" in process.stats()
    assert process.server_info["allocation"] == "unknown"
    assert process.recommend_resources()["cpu"] >= 1
    assert "Process CPU usage" in process.report()


def test_the_end_of_the_process_is_no_error(implementation):
    job = Job()
    found = started(pid=job.pid)
    job.end()
    rows = len(found.process_metrics)
    wait_until(lambda: len(found.system_metrics) > rows
               or found.process_tracker_process.poll() is not None)
    found.stop()
    assert found.error_queue.empty() and len(found.process_metrics) >= rows


def test_what_fails_is_in_the_queue(monkeypatch, caplog):
    monkeypatch.setenv(_programs.VARIABLE, recorder_path())
    with Job() as job:
        pass
    found = ResourceTracker(pid=job.pid)
    found.start()
    found.process_tracker_process.wait()
    found.stop()
    error = found.error_queue.get()
    assert set(error) == {"name", "module", "message", "traceback"}
    assert str(job.pid) in error["message"]
    assert "tracking ended early" in caplog.text


def test_samples_before_the_recorder_was_killed_are_kept(implementation):
    found = started()
    os.kill(found.process_tracker_process.pid, signal.SIGKILL)
    found.process_tracker_process.wait()
    found.stop()
    assert "-9" in found.error_queue.get()["message"]
    assert found.n_samples > 0 and found.stats()


def test_it_is_started_once(implementation):
    found = ResourceTracker(interval=0.1)
    assert found.n_samples == 0 and not found.running
    found.stop()
    assert found.snapshot()["process_metrics"] == []
    with pytest.raises(RuntimeError, match="^No metrics collected"):
        found.stats()
    with pytest.raises(RuntimeError):
        found.wait_for_samples()
    found.start()
    with pytest.raises(RuntimeError, match="^Resource tracker already run"):
        found.start()
    found.stop()
    found.stop()
    with pytest.raises(RuntimeError, match="already stopped"):
        found.start()


def test_a_block_is_tracked_and_its_error_passes(implementation):
    with pytest.raises(KeyError):
        with ResourceTracker(interval=0.1) as found:
            assert found.autostart and found.running
            raise KeyError
    assert not found.running
    with ResourceTracker(interval=0.1, autostart=True) as found:
        found.stop(1, RunStatus.failed)
    assert not found.running


def test_waiting_is_from_the_call_on(implementation):
    found = started()
    found.start_time -= 1000
    found.wait_for_samples(found.n_samples + 1, 600)
    with pytest.raises(RuntimeError):
        found.wait_for_samples(10 ** 9, 0.01)
    found.stop()
    with pytest.raises(RuntimeError):
        found.wait_for_samples(10 ** 9)


def test_a_fork_leaves_the_parents_tracker_alone(implementation):
    found = started()
    paths = found.process_tracker_filepath, found._sampling._path
    pid = os.fork()
    if pid == 0:
        found.stop()
        found.cleanup()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    assert all(map(os.path.exists, paths))
    count = found.n_samples
    wait_until(lambda: found.n_samples > count)
    found.stop()


def test_nothing_is_left_behind(implementation, tmp_path):
    code = ("from resource_tracker.tracker import ResourceTracker\n"
            "import os, sys\n"
            "t = ResourceTracker(interval=0.1, autostart=True)\n"
            "t.wait_for_samples(1, 600)\n"
            "print(t.process_tracker_process.pid)\n")
    done = run_python(code, env={"TMPDIR": str(tmp_path)})
    assert done.stderr == "" and os.listdir(tmp_path) == []
    assert not os.path.exists(f"/proc/{int(done.stdout)}/exe")


def test_files_of_a_tracker_that_is_forgotten_are_removed(implementation):
    descriptors = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        found = ResourceTracker(autostart=True)
        process, path = (found.process_tracker_process,
                         found.process_tracker_filepath)
        del found
        assert process.poll() is not None and not os.path.exists(path)
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_the_helper_ends_with_its_program(monkeypatch):
    code = ("from resource_tracker.tracker import ResourceTracker\n"
            "import os, signal\n"
            "t = ResourceTracker(interval=0.05, autostart=True)\n"
            "t.wait_for_samples(1, 600)\n"
            "print(t.process_tracker_process.pid, flush=True)\n"
            "os.kill(os.getpid(), signal.SIGKILL)\n")
    for program in (recorder_path(), "/nonexistent"):
        done = run_python(code, env={_programs.VARIABLE: program})
        pid = int(done.stdout)
        wait_until(lambda: tracker_gone(pid))


def tracker_gone(pid):
    """Has it ended, reaped or not?"""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


# What is made of the rows.

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
        process=rows(PROCESS_COLUMNS, timestamp=[2.1, 3.1, 4.1]),
        system=rows(SYSTEM_COLUMNS, timestamp=[1.0, 2.0, 3.0],
                    cpu_usage=[10, 20, 30])))
    both = found.get_combined_metrics()
    assert both["timestamp"] == [2.0, 3.0]
    assert both["system_cpu_usage"] == [20, 30]
    assert both["process_cpu_usage"] == [1, 2]
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


def test_the_cloud_is_asked_when_it_is_read(monkeypatch, implementation):
    known = {"vendor": "x", "region": "r", "instance_type": "t"}
    monkeypatch.setattr(cloud_info, "get_cloud_info", lambda: dict(known))
    lazy = ResourceTracker()
    assert lazy._cloud_info is None and lazy.cloud_info == known
    assert ResourceTracker(discover_cloud=False).cloud_info is None
    early = started(discover_cloud=True)
    wait_until(lambda: early._cloud_info == known)
    assert early.snapshot()["cloud_info"] == known
    early.stop()


def test_samples_are_sent_with_a_token_only(monkeypatch, implementation):
    made = []

    class Manager:
        """A StreamingManager."""

        def __init__(self, *given):
            self.given, self.update = given, given[-1]
            made.append(self)

        def start(self):
            self.run_id = "r"

        def stop(self, exit_code, run_status):
            return {"exit": exit_code, "status": run_status}
    monkeypatch.setattr(tracker, "StreamingManager", Manager)
    assert streaming.StreamingManager is not Manager
    assert started()._streaming is None
    monkeypatch.setenv("SENTINEL_API_TOKEN", "of the environment")
    assert started(sentinel_token="")._streaming is None and not made
    found = started(streaming_metadata={"team": "t"}, upload_interval=9)
    found._update_combined_csv()
    written = found._combined_csv_rows_written
    wait_until(lambda: found.n_samples > written)
    found._update_combined_csv()
    frame = TinyDataFrame(csv_file_path=found._combined_csv_filepath)
    assert len(frame) == found._combined_csv_rows_written > written > 0
    assert made[0].given[0] == "of the environment"
    assert made[0].given[2:4] == (9, {"team": "t"})
    assert made[0].given[4]["host_vcpus"] == os.cpu_count()
    assert found.sentinel_result is None
    found.stop(3, "failed")
    assert found.sentinel_result == {"exit": 3, "status": "failed"}


# The recorder's feed.

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


def test_the_recorder_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv(_programs.VARIABLE, "/nonexistent")
    assert _programs.recorder() is None
    monkeypatch.delenv(_programs.VARIABLE)
    program = tmp_path / "resource-tracker"
    program.write_text("#!/bin/sh\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_programs, "__file__", str(tmp_path / "x/y.py"))
    assert _programs.recorder() is None
    program.chmod(0o755)
    assert _programs.recorder() == str(program)
    beside = tmp_path / "x/bin/resource-tracker"
    beside.parent.mkdir(parents=True)
    beside.write_text("#!/bin/sh\n")
    beside.chmod(0o755)
    assert _programs.recorder() == str(beside)
    monkeypatch.setenv(_programs.VARIABLE, str(program))
    assert _programs.recorder() == str(program)


def test_a_line_that_is_not_whole_is_read_later(tmp_path, monkeypatch):
    monkeypatch.setenv(_programs.VARIABLE, "/nonexistent")
    sampling = _sampling.Sampling(os.getpid(), True, 1000)
    with open(sampling._path, "ab") as file:
        file.write(b'[null, {"a": 1}]\n[null, ')
        file.flush()
        assert sampling.rows() == [(None, {"a": 1})]
        file.write(b'{"a": 2}]\n')
    assert sampling.rows() == [(None, {"a": 2})]
    assert sampling.rows() == []
    sampling.close()
    assert sampling.rows() == [] and not sampling.is_running()
