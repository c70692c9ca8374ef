"""The trackers that block, and write a row at a time."""
import io
import os
import subprocess
import sys
import threading
import time

import pytest
from dropin_support import CHILD, SOURCE, Job, wait_until

from resource_tracker import _blocking
from resource_tracker.column_maps import PROCESS_COLUMNS, SYSTEM_COLUMNS
from resource_tracker.tiny_data_frame import TinyDataFrame
from resource_tracker.tracker import PidTracker, ProcessTracker, SystemTracker


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


@pytest.mark.parametrize("code, count", [
    # The second row never comes: what is read cannot be a full buffer.
    ("SystemTracker(interval=10 ** 6)", 1),
    ("SystemTracker(interval=0.05, autostart=False).start_tracking()", 3)])
def test_rows_on_stdout_are_there_at_once(code, count):
    code = "from resource_tracker.tracker import SystemTracker\n" + code
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen([sys.executable, "-c", code], env=environment,
                          stdout=subprocess.PIPE) as running:
        lines = [running.stdout.readline() for _ in range(count)]
        running.kill()
    assert lines[0].decode().rstrip("\n") == ",".join(
        f'"{name}"' for name in SYSTEM_COLUMNS)
    times = [float(line.split(b",")[0]) for line in lines[1:]]
    assert times == sorted(set(times))


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


class Clock:
    """In the place of the module time: nothing waits."""

    now = 1000.0

    def time(self):
        return self.now

    monotonic = time

    def sleep(self, seconds):
        self.now += seconds


def test_overdue_rows_are_left_out_and_not_caught_up(monkeypatch):
    clock, times = Clock(), []
    monkeypatch.setattr(_blocking, "time", clock)
    blocking = SystemTracker(start_time=1002.0, autostart=False)
    rows = blocking.rows()
    for late in (0, 0.25, 3.25, 0):
        next(rows)
        times.append(clock.now)
        clock.now += late
    assert times == [1002, 1003, 1004, 1008] and blocking.cycle == 4
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
    before = {**values, "utime": 3.0, "disk_read_bytes": 9}
    row = _blocking.process_row(values, before, 1.0)
    assert repr(row["utime"]) == "0" and row["disk_read_bytes"] == 0
    assert row["memory_mib"] == 1.2346 and row["children"] is None


def test_what_the_trackers_say_of_themselves():
    with Job() as job:
        process = ProcessTracker(job.pid, 7, 0.5, False, autostart=False)
        system = SystemTracker(8, interval=0.25, autostart=False)
        assert (process.pid, process.children) == (job.pid, False)
        for tracker, start, interval in (
                (process, 7, 0.5), (system, 8, 0.25)):
            assert tracker.status == "running" and tracker.cycle == 0
            assert tracker.start_time == start
            assert tracker.interval == interval
            before = tracker.stats["timestamp"]
            tracker.diff_stats()
            assert tracker.cycle == 1 and tracker.stats["timestamp"] > before
