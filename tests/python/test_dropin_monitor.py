"""resource_monitor: both logs, the programs, and their readers."""
import io
import os
import signal
import subprocess
import sys
import threading

import pytest
from dropin_support import SOURCE, Job, run_python, wait_until

import resource_monitor
from resource_monitor import (EventLogger, ResourceLogger, __main__,
                              gpu_logger, print_report, report,
                              resource_logger, utils)
from resource_monitor.report import parse_event_log, parse_resource_log
from resource_tracker.tracker_procfs import get_process_children

HEADERS = (
    "time,cpu_percent,cpu_percent_global,rss_mb,vms_mb,vms_global_mb,"
    "swap_used_mb,read_count,read_count_global,read_mb,read_mb_global,"
    "write_count,write_count_global,write_mb,write_mb_global").split(",")
BUSY = "import subprocess, sys\nchild = subprocess.Popen([sys.executable," \
    " '-c', 'while True: pass'])\nimport atexit\natexit.register(child.kill)\n"


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Logs without a path are written here; loggers begin anew."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(utils, "STOP_SECONDS", 600)
    yield tmp_path
    utils.clean_up()
    utils._event_logger = None
    utils._numbers.clear()


def lines_of(path):
    """The whole lines of a file, none if it is not there."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().rpartition("\n")[0].split("\n")


def test_the_names_of_the_package():
    assert set(resource_monitor.__all__) == {
        "EventLogger", "ResourceLogger", "setup_root_event_logger",
        "setup_root_resource_logger", "get_root_event_logger",
        "monitor_function", "monitor_region"}
    for name in resource_monitor.__all__:
        assert callable(getattr(resource_monitor, name))


def test_the_names_of_the_modules():
    for name in ("setup_root_event_logger", "setup_root_resource_logger",
                 "get_root_event_logger", "monitor_function",
                 "monitor_region"):
        assert getattr(utils, name) is getattr(resource_monitor, name)
    assert resource_logger.ResourceLogger is ResourceLogger
    assert isinstance(utils.monitor_region("a"), utils.MonitorRegion)


def test_both_logs_are_ended_once():
    before = get_process_children(os.getpid())
    resource_monitor.setup_root_event_logger("events.log")
    resource_monitor.setup_root_resource_logger("use.log", interval=0.05)
    assert get_process_children(os.getpid()) > before
    utils.clean_up()
    utils.clean_up()
    assert get_process_children(os.getpid()) == before
    assert len(lines_of("use.log")) >= 3


def test_events_are_written_at_once(own_folder):
    logger = EventLogger("e.log")
    logger.log_start("a b", 0)
    logger.log_end("a b", 0)
    first, second = (line.split(",") for line in lines_of("e.log"))
    assert first[1:] == ["start", "a b", "0"]
    assert second[1:] == ["end", "a b", "0"]
    assert float(first[0]) <= float(second[0])
    with pytest.raises(ValueError):
        logger.log_start("a,b")
    logger.clean_up()
    logger.log_start("after the end")
    stream = io.StringIO()
    EventLogger(stream).log_start("x")
    assert stream.getvalue().endswith(",start,x,None\n")


def test_events_without_a_file_are_on_stdout(capsys):
    EventLogger().log_end("x", "id")
    assert capsys.readouterr().out.endswith(",end,x,id\n")


def test_functions_and_regions_are_numbered_by_name():
    resource_monitor.setup_root_event_logger("e.log")

    @resource_monitor.monitor_function()
    def one():
        """Text."""
        return "one"

    @resource_monitor.monitor_function
    def two(value):
        raise KeyError(value)

    named = resource_monitor.monitor_function(function_name="other")(len)
    assert one() == "one" == one() and named([1]) == 1
    assert one.__name__ == "one" and one.__doc__ == "Text."
    with pytest.raises(KeyError):
        two(1)
    with resource_monitor.monitor_region("part"):
        pass
    events = parse_event_log("e.log")
    assert {name: len(times) for name, times in events.items()} == {
        "one": 2, "two": 1, "other": 1, "part": 1}
    for times in events.values():
        assert all(begin <= end for begin, end in times)


def test_a_decorator_is_used_for_two_functions():
    logger = EventLogger("e.log")
    decorator = resource_monitor.monitor_function(logger)
    for function in (len, max):
        decorator(function)([1])
    with resource_monitor.monitor_region("r", logger) as region:
        with region:
            pass
    assert {name: len(times) for name, times
            in parse_event_log("e.log").items()} == {
                "len": 1, "max": 1, "r": 2}


def test_threads_have_numbers_of_their_own():
    resource_monitor.setup_root_event_logger("e.log")

    def work():
        for _ in range(200):
            with resource_monitor.monitor_region("r"):
                pass
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(parse_event_log("e.log")["r"]) == 800


def test_the_logger_of_events_is_made_when_it_is_needed():
    assert resource_monitor.get_root_event_logger() is (
        resource_monitor.get_root_event_logger())
    assert os.path.exists(f"event_monitor_PID{os.getpid()}.log")


def test_a_log_of_resources(own_folder):
    with Job("block = b'x' * (64 << 20)") as job:
        logger = ResourceLogger(pid=job.pid, output="r.log", interval=0.05)
        thread = threading.Thread(target=logger.run)
        thread.start()
        wait_until(lambda: len(lines_of("r.log")) > 4)
    thread.join()
    lines = lines_of("r.log")
    assert lines[0].startswith("In current environment, the latency of "
                               "resource logging is estimated to be ")
    assert lines[2].split(",") == HEADERS
    facts, columns = parse_resource_log("r.log")
    assert set(facts) == {
        "logger_process_pid", "cpu_count", "vm_total_mb", "vm_available_mb",
        "swap_total_mb", "swap_free_mb"}
    assert facts["logger_process_pid"] == os.getpid()
    assert list(columns) == HEADERS
    assert 64 < max(columns["rss_mb"]) < 256
    assert all(columns["vms_mb"][at] >= columns["rss_mb"][at]
               for at in range(len(columns["time"])))
    assert 0 < columns["vms_global_mb"][0] < facts["vm_total_mb"]


def test_a_busy_child_counts_unless_it_is_left_out():
    with Job(BUSY) as job:
        with_child = ResourceLogger(pid=[job.pid], output="a.log")
        alone = ResourceLogger(job.pid, "b.log", children=False)
        at = HEADERS.index("cpu_percent")
        wait_until(lambda: with_child.get_resource_info()[at] > 0)
        assert alone.get_resource_info()[at] == 0
        assert len(with_child._members([job.pid])) == 2
        with_child.clean_up()
        alone.clean_up()


def test_the_logger_is_no_part_of_what_it_logs():
    parent, own = os.getppid(), os.getpid()
    with Job() as job:
        logger = ResourceLogger(parent, "r.log")
        members = logger._members([parent])
        logger.clean_up()
    assert {parent, job.pid} <= set(members) and own not in members
    itself = ResourceLogger(None, "s.log")
    assert own in itself._members([own])
    itself.clean_up()


def test_a_stopped_process_has_not_ended():
    with Job() as job:
        logger = ResourceLogger(job.pid, "r.log")
        os.kill(job.pid, signal.SIGSTOP)
        wait_until(lambda: "T" in open(f"/proc/{job.pid}/stat").read())
        assert logger._active() == [job.pid]
        os.kill(job.pid, signal.SIGCONT)
    assert logger._active() == []
    logger.run()


def test_what_cannot_be_logged_is_an_error(monkeypatch):
    with Job() as job:
        pass
    with pytest.raises(ValueError, match=f"no process {job.pid}"):
        ResourceLogger(job.pid)
    with pytest.raises(ValueError, match="too short"):
        ResourceLogger(interval=1e-9)
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(RuntimeError, match="nvidia-smi"):
        ResourceLogger(gpu_ids=[0])


def test_an_event_ends_the_log_after_a_row():
    stop = threading.Event()
    stop.set()
    ResourceLogger(None, "r.log", 10 ** 6, stop_event=stop).run()
    assert len(lines_of("r.log")) == 4


@pytest.fixture
def two_gpus(tmp_path, monkeypatch):
    """An nvidia-smi with two GPUs and a process on one of them."""
    program = tmp_path / "nvidia-smi"
    program.write_text("""#!/bin/sh
case $1 in
--query-gpu*) echo '0, GPU-a, 100, 40, 60, 7'
              echo '1, GPU-b, 200, [N/A], 150, [N/A]' ;;
*) echo '42, GPU-a, 30'; echo '43, GPU-a, 5'; echo odd ;;
esac
""")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(gpu_logger, "ANSWER_SECONDS", 600)


def test_gpus_have_columns(two_gpus):
    logger = ResourceLogger(None, "r.log", gpu_ids=[1, 0])
    row = logger.get_resource_info()
    logger.clean_up()
    header = lines_of("r.log")[2].split(",")
    assert header[15:] == [
        "gpu_1_mem_mb", "gpu_1_mem_mb_global",
        "gpu_1_utilization_percent_global", "gpu_0_mem_mb",
        "gpu_0_mem_mb_global", "gpu_0_utilization_percent_global"]
    assert row[15:] == [0, 0, 0, 0, 40, 7]
    assert "gpu_1_total_mb:200,gpu_1_free_mb:150" in lines_of("r.log")[1]


def test_the_logger_of_gpus(two_gpus):
    gpus = gpu_logger.GpuLogger([42], [0, 1])
    mib = 1 << 20
    assert gpus.num_gpus == 2 and gpus.num_processes == 1
    assert gpus.get_total() == [100 * mib, 200 * mib]
    assert gpus.get_used() == [40 * mib, 0]
    assert gpus.get_free() == [60 * mib, 150 * mib]
    assert gpus.get_utilization() == [7, 0]
    assert gpus.get_process_used() == [30 * mib, 0]
    gpus.set_pids([42, 43])
    assert gpus.get_process_used() == [35 * mib, 0]
    with pytest.raises(ValueError, match="number 7"):
        gpu_logger.GpuLogger([], [7])


def test_the_program_logs_to_stdout_until_the_processes_end():
    with Job() as job:
        running = subprocess.Popen(
            [sys.executable, "-m", "resource_monitor", "--pid", str(job.pid),
             "--interval", "0.05"], stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(SOURCE)})
        lines = [running.stdout.readline() for _ in range(5)]
    assert lines[2].decode().strip().split(",") == HEADERS
    assert len(lines[4].split(b",")) == len(HEADERS)
    assert running.wait() == 0
    running.stdout.close()


def test_the_program_says_what_is_wrong(capsys):
    with Job() as job:
        pass
    assert __main__.main(["--pid", str(job.pid)]) == 1
    assert capsys.readouterr().err == (
        f"resource_monitor: there is no process {job.pid}\n")


PROGRAM = """
from resource_monitor import *
import sys, time
if __name__ == "__main__":
    setup_root_resource_logger("r.log", interval=0.05)
    setup_root_event_logger("e.log")
    EVENTS
    while len(open("r.log").readlines()) < 5:
        time.sleep(0.01)
    END
"""


@pytest.mark.parametrize("events, end, status", [
    ("pass", "", 0),
    ("monitor_region('a').__enter__()", "", 0),
    ("pass", "raise SystemExit(3)", 3),
    ("pass", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -9)])
def test_a_program_ends_whatever_it_logged(own_folder, events, end, status):
    path = own_folder / "program.py"
    path.write_text(PROGRAM.replace("EVENTS", events).replace("END", end))
    assert run_python("", str(path)).returncode == status
    facts, columns = parse_resource_log("r.log")
    assert len(columns["time"]) >= 2
    pid = facts["logger_process_pid"]
    wait_until(lambda: not os.path.exists(f"/proc/{pid}/exe"))
    assert len(parse_event_log("e.log")) == 0


def test_the_log_of_resources_has_begun_when_the_call_returns():
    resource_monitor.setup_root_resource_logger("r.log", interval=3600)
    assert len(lines_of("r.log")) == 3
    utils.clean_up_resources()
    facts, columns = parse_resource_log("r.log")
    assert len(columns["time"]) == 1
    assert not os.path.exists(f"/proc/{facts['logger_process_pid']}")


def test_a_log_that_cannot_begin_is_an_error():
    with pytest.raises(RuntimeError, match="too short"):
        resource_monitor.setup_root_resource_logger("r.log", interval=1e-9)


def test_an_event_that_did_not_end_is_left_out(own_folder):
    (own_folder / "e.log").write_text(
        "1.5,start,a,0\n2.5,end,a,0\n3,start,a,1\n4,end,b,0\n5,start,c")
    events = parse_event_log("e.log")
    assert [list(pair) for pair in events["a"]] == [[1.5, 2.5]]
    assert list(events) == ["a"]


def test_a_file_that_is_no_log(own_folder):
    (own_folder / "r.log").write_text("1\n")
    with pytest.raises(ValueError):
        parse_resource_log("r.log")


def test_arrays_are_lists_without_numpy(monkeypatch):
    def fails(name):
        raise ImportError(name)
    monkeypatch.setattr(report, "import_module", fails)
    assert report._array([1], "int64") == [1]
    numpy = pytest.importorskip("numpy")
    monkeypatch.undo()
    assert report._array([1], "int64").dtype == numpy.int64


def test_both_logs_are_printed(own_folder, capsys):
    (own_folder / "e.log").write_text("1,start,a,0\n3,end,a,0\n")
    (own_folder / "r.log").write_text(
        "x\ncpu_count:2,vm_total_mb:9\ntime,rss_mb\n0.5,10\n1.0,20\n1.5")
    assert print_report.main(["e.log", "r.log"]) == 0
    assert capsys.readouterr().out == (
        "event: a, mean elapse: 2.0000e+00 s\n"
        "machine resource information:\ncpu_count :  2\nvm_total_mb :  9\n"
        "rss_mb  peak:  20  average:  15.0\n")
    assert print_report.main([]) == 2
    assert resource_logger.HEADERS == tuple(HEADERS)


def test_a_picture_needs_matplotlib(own_folder, monkeypatch):
    def fails(name):
        raise ImportError(name)
    monkeypatch.setattr(print_report, "import_module", fails)
    with pytest.raises(ImportError):
        print_report.draw([0], {"rss_mb": [1]}, "x.png")
