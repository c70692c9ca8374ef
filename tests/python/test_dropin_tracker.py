"""ResourceTracker, with samples of the recorder and of the helper."""
import os
import signal
import time

import pytest
from dropin_support import CHILD, Job, recorder_path, run_python, wait_until

from resource_tracker import (_programs, cloud_info, keeper,
                              streaming, tracker)
from resource_tracker.column_maps import PROCESS_COLUMNS, SYSTEM_COLUMNS
from resource_tracker.sentinel_api import RunStatus
from resource_tracker.tiny_data_frame import TinyDataFrame
from resource_tracker.tracker import ResourceTracker


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
    # Rows of the process and the machine that are apart are no sample.
    wait_until(lambda: len(found.get_combined_metrics()) > 0)
    return found


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


WORK = """
import subprocess, sys, threading, time
BUSY = "import time\\nwhile time.process_time() < 0.3: pass"
def busy():
    while time.thread_time() < 0.2:
        pass
def work():
    threads = [threading.Thread(target=busy) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(2):
        subprocess.run([sys.executable, "-c", BUSY])
"""


def test_cpu_time_is_that_of_the_job_its_threads_and_children(
        implementation):
    with Job(WORK) as job:
        found = started(pid=job.pid)
        process = found.process_metrics
        before = sum(process["utime"]) + sum(process["stime"])
        used = job.work()
        count = found.n_samples
        found.wait_for_samples(count + 2, 600)
        found.stop()
    process = found.process_metrics
    seen = sum(process["utime"]) + sum(process["stime"]) - before
    assert seen == pytest.approx(used, rel=0.02, abs=0.04)


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


def test_stopped_at_once_it_has_a_row(implementation):
    found = ResourceTracker(interval=3600)
    found.start()
    found.stop()
    assert found.n_samples == 1 and found.error_queue.empty()
    process, system = found.process_metrics[0], found.system_metrics[0]
    assert process["pid"] == os.getpid() and process["memory_mib"] > 1
    assert system["processes"] > 0 and system["memory_used_mib"] > 1
    assert system["disk_space_total_gb"] > 0
    assert 0 <= process["cpu_usage"] <= os.cpu_count() + 1
    assert found.stats()["process_memory_mib"]["max"] > 1
    assert found.recommend_resources()["cpu"] >= 1


def test_what_a_tracker_says_of_itself(implementation):
    found = ResourceTracker(interval=0.1, children=False, method="spawn")
    assert (found.pid, found.interval, found.children, found.method,
            found.autostart) == (os.getpid(), 0.1, False, "spawn", False)
    assert found.trackers == ["process_tracker", "system_tracker"]
    assert found.start_time is None and found.stop_time is None
    before = time.time()
    found.start()
    assert found.process_tracker_process is found.system_tracker_process
    assert found.process_tracker_process.poll() is None
    found.stop()
    assert before <= found.start_time <= found.stop_time <= time.time()
    assert found.error_queue.empty()
    assert found.process_tracker_process.poll() is not None


def test_the_helper_stands_in_for_a_recorder_that_cannot_be_run(monkeypatch, tmp_path):
    program = tmp_path / "resource-tracker"
    program.write_text("no program")
    program.chmod(0o755)
    monkeypatch.setenv(_programs.VARIABLE, str(program))
    found = started()
    found.wait_for_samples(2, 600)
    assert found.running and found._implementation == "procfs"
    found.stop()


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
    path = found.process_tracker_filepath
    pid = os.fork()
    if pid == 0:
        found.stop()
        found.cleanup()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    assert os.path.exists(path)
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


def test_a_program_that_is_killed_leaves_no_file(implementation, tmp_path):
    code = ("from resource_tracker.tracker import ResourceTracker\n"
            "import os, signal\n"
            "t = ResourceTracker(interval=0.1, autostart=True)\n"
            "t.wait_for_samples(1, 600)\n"
            "os.kill(os.getpid(), signal.SIGKILL)\n")
    done = run_python(code, env={"TMPDIR": str(tmp_path)})
    assert done.returncode == -signal.SIGKILL
    assert os.listdir(tmp_path) == []


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
    wait_until(lambda: len(found.get_combined_metrics()) > written)
    found._update_combined_csv()
    frame = TinyDataFrame(csv_file_path=found._combined_csv_filepath)
    assert len(frame) == found._combined_csv_rows_written > written > 0
    assert made[0].given[0] == "of the environment"
    assert made[0].given[2:4] == (9, {"team": "t"})
    assert made[0].given[4]["host_vcpus"] == os.cpu_count()
    assert found.sentinel_result is None
    found.stop(3, "failed")
    assert found.sentinel_result == {"exit": 3, "status": "failed"}
