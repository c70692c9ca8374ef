"""Readings of /proc: of live processes, and of files written for a case."""
import os
import time

import pytest
from dropin_support import Job, wait_until

from resource_tracker import (_devices, helpers, nvidia, server_info,
                              tracker_procfs, tracker_psutil)

PROCESS_KEYS = {
    "timestamp", "pid", "children", "utime", "stime", "memory_mib",
    "disk_read_bytes", "disk_write_bytes", "gpu_usage", "gpu_vram_mib",
    "gpu_utilized", "gpu_utilized_indexes"}
SYSTEM_KEYS = {
    "timestamp", "processes", "utime", "stime", "memory_free_mib",
    "memory_used_mib", "memory_buffers_mib", "memory_cached_mib",
    "memory_active_mib", "memory_inactive_mib", "disk_stats", "disk_spaces",
    "net_recv_bytes", "net_sent_bytes", "gpu_usage", "gpu_vram_mib",
    "gpu_utilized"}
THREAD_CHILD = """
import subprocess, sys, threading
def start():
    global child
    child = subprocess.Popen([sys.executable, "-c", "input()"],
                             stdin=subprocess.PIPE)
    begun.set()
    over.wait()
begun, over = threading.Event(), threading.Event()
threading.Thread(target=start, daemon=True).start()
begun.wait()
other = subprocess.Popen([sys.executable, "-c", "input()"],
                         stdin=subprocess.PIPE)
"""


def stat_line(name, user=7, system=5, waited=(3, 2), start=99, state="S"):
    """/proc/PID/stat of a process with this name."""
    fields = [state, 1, *[0] * 9, user, system, *waited, 20, 0, 1, 0, start]
    return f"42 ({name}) " + " ".join(map(str, fields)) + " 0 0\n"


@pytest.fixture
def proc(tmp_path, monkeypatch):
    """put(PATH, TEXT) writes a file of a /proc of our own."""
    monkeypatch.setattr(tracker_procfs, "PROC", str(tmp_path))

    def put(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return put


@pytest.fixture
def sysfs(tmp_path, monkeypatch):
    """make(PATH) makes a folder of a /sys of our own."""
    root = tmp_path / "sys"
    monkeypatch.setattr(_devices, "SYS", str(root))
    monkeypatch.setattr(tracker_procfs, "SYS", str(root))
    monkeypatch.setattr(helpers, "SYS_BLOCK", str(root / "class/block"))

    def make(*paths):
        for path in paths:
            (root / path).mkdir(parents=True, exist_ok=True)
        return root
    return make


@pytest.mark.parametrize("name", ["a", "a b", "a b c d", "x) R 1 (y", ")"])
def test_a_name_with_blanks_moves_no_field(proc, name):
    proc("42/stat", stat_line(name))
    times = tracker_procfs.get_process_proc_times
    assert times(42) == {"utime": 10, "stime": 7}
    assert times(42, children=False) == {"utime": 7, "stime": 5}
    assert tracker_procfs.process_start(42) == 99


def test_what_is_gone_is_zero(proc):
    assert tracker_procfs.get_process_proc_times(42) == {
        "utime": 0, "stime": 0}
    assert tracker_procfs.get_process_proc_io(42) == {
        "read_bytes": 0, "write_bytes": 0}
    assert tracker_procfs.get_process_rss(42) == 0
    assert tracker_procfs.get_process_pss_rollup(42) == 0
    assert tracker_procfs.get_process_children(42) == set()
    assert tracker_procfs.process_start(42) is None
    stats = tracker_procfs.get_system_stats()
    assert stats["memory_used_mib"] == 0 and stats["utime"] == 0


def test_a_zombie_has_ended(proc):
    proc("42/stat", stat_line("gone", state="Z"))
    assert tracker_procfs.process_start(42) is None


def test_children_of_any_thread_are_seen():
    with Job(THREAD_CHILD) as job:
        children = tracker_procfs.get_process_children(job.pid)
        stats = tracker_procfs.get_process_stats(job.pid)
        alone = tracker_procfs.get_process_stats(job.pid, children=False)
        left_out = tracker_procfs.get_process_stats(
            job.pid, left_out=children)
    assert len(children) == 2 and stats["children"] == 2
    assert left_out["children"] == 0
    assert alone["children"] is None
    assert alone["memory_mib"] < stats["memory_mib"]


def test_children_without_lists_are_found_by_their_parents(proc):
    proc("1/stat", "1 (init) S 0 " + "0 " * 20)
    proc("7/stat", "7 (a b) S 1 " + "0 " * 20)
    proc("8/stat", "8 (c) S 7 " + "0 " * 20)
    proc("9/stat", "9 (d) S 2 " + "0 " * 20)
    assert tracker_procfs.get_process_children(1) == {7, 8}


def test_a_process_stats_has_the_keys_and_units():
    with Job("block = b'x' * (64 << 20)") as job:
        stats = tracker_procfs.get_process_stats(job.pid)
        assert set(stats) == PROCESS_KEYS
        assert 64 < stats["memory_mib"] < 128
        assert abs(stats["timestamp"] - time.time()) < 3600
        rss = tracker_procfs.get_process_rss(job.pid)
        pss = tracker_procfs.get_process_pss_rollup(job.pid)
        assert 64 << 10 < pss <= rss
        assert "syscr" in tracker_procfs.get_process_proc_io(job.pid)
        older = tracker_procfs.get_pid_stats(job.pid)
    assert older["memory"] == older["pss"] > 64 << 10
    assert {"read_bytes", "write_bytes", "gpu_vram"} < set(older)


def test_cpu_time_is_that_of_the_clocks():
    with Job("while time.process_time() < 0.5: pass".join(
            ["import time\n", ""])) as job:
        stats = tracker_procfs.get_process_stats(job.pid)
    assert 0.45 <= stats["utime"] + stats["stime"] < 5


def test_memory_that_may_not_be_rolled_up_is_resident_memory(proc):
    proc("42/status", "Name:\tx\nVmRSS:\t   2048 kB\n")
    proc("42/stat", stat_line("x"))
    assert tracker_procfs.get_process_stats(42)["memory_mib"] == 2


@pytest.mark.parametrize("new, older", [
    ("get_process_children", "get_pid_children"),
    ("get_process_rss", "get_pid_rss"),
    ("get_process_pss_rollup", "get_pid_pss_rollup"),
    ("get_process_proc_times", "get_pid_proc_times"),
    ("get_process_proc_io", "get_pid_proc_io")])
def test_older_names_are_the_same_functions(new, older):
    assert getattr(tracker_procfs, new) is getattr(tracker_procfs, older)


def test_the_machine_has_the_keys():
    stats = tracker_procfs.get_system_stats()
    assert set(stats) == SYSTEM_KEYS
    assert stats["processes"] > 1 and stats["utime"] > 0
    assert 0 < stats["memory_used_mib"] < server_info.get_total_memory_mib()


def test_system_time_has_that_of_interrupts(proc):
    proc("stat", "cpu  100 20 300 4000 50 6 7 8 0 0\ncpu0 1 1 1 1\n")
    stats = tracker_procfs.get_system_stats()
    assert stats["utime"] * tracker_procfs.TICKS == pytest.approx(120)
    assert stats["stime"] * tracker_procfs.TICKS == pytest.approx(313)


@pytest.mark.parametrize("lines, used", [
    ("MemTotal: 4096 kB\nMemFree: 512 kB\nMemAvailable: 3072 kB\n", 1),
    ("MemTotal: 4096 kB\nMemFree: 1024 kB\nBuffers: 512 kB\n"
     "Cached: 256 kB\nSReclaimable: 256 kB\n", 2)])
def test_used_memory_is_what_is_not_available(proc, lines, used):
    proc("meminfo", lines)
    assert tracker_procfs.get_system_stats()["memory_used_mib"] == used


@pytest.mark.parametrize("name, is_one", [
    ("sda1", True), ("vda1", True), ("nvme0n1p2", True), ("md0p1", True),
    ("sda", False), ("nvme0n10", False), ("mmcblk10", False)])
def test_partitions_are_what_the_kernel_says(sysfs, name, is_one):
    root = sysfs(f"class/block/{name}", "class/block/nvme0n1")
    if is_one:
        (root / "class/block" / name / "partition").write_text("1\n")
    assert helpers.is_partition(name) is is_one
    assert helpers.is_partition("not-there") is False


def test_a_byte_of_a_disk_counts_once_in_units_of_512(sysfs):
    root = sysfs("class/block/vda", "class/block/vda1",
                 "class/block/dm-0/slaves/vda1", "class/block/zram0")
    (root / "class/block/vda1/partition").write_text("1\n")
    lines = "".join(f"253 0 {name} 1 0 {sectors} 0 1 0 16 0 0 0 0\n"
                    for name, sectors in [("vda", 8), ("vda1", 8),
                                          ("dm-0", 8), ("zram0", 99)])
    assert _devices.disk_io(lines) == {
        "vda": {"read_bytes": 4096, "write_bytes": 8192}}


def test_sector_sizes_are_the_hardwares(sysfs):
    root = sysfs("block/vda/queue", "block/vdb/queue")
    (root / "block/vda/queue/hw_sector_size").write_text("4096\n")
    assert tracker_procfs.get_sector_sizes() == {"vda": 4096, "vdb": 512}


def test_each_filesystem_counts_once(tmp_path):
    inner = tmp_path / "a b"
    inner.mkdir()
    inside = str(inner).replace(" ", "\\040")
    spaces = _devices.disk_spaces(
        "1 1 0:1 / / rw - overlay overlay rw\n"
        f"2 1 8:1 / {inside} rw - ext4 /dev/sda1 rw\n"
        f"3 1 8:1 /x {tmp_path} rw - ext4 /dev/sda1 rw\n"
        f"4 1 0:9 / {tmp_path} rw - tmpfs tmpfs rw\n"
        f"5 1 7:0 / {tmp_path} rw - squashfs /dev/loop0 rw\n"
        "6 1 0:4 / /proc rw - proc proc rw\n"
        "broken\n")
    assert set(spaces) == {"/", str(inner)}
    for space in spaces.values():
        assert space["used"] == space["total"] - space["free"]


def test_a_prefix_that_hides_a_mount_ends_at_a_slash(monkeypatch):
    mount = _devices.Mount("8:1", "/development", "ext4", "/dev/sda1")
    assert not _devices._is_left_out(mount)
    assert _devices._is_left_out(mount._replace(point="/dev/shm"))
    assert _devices._is_left_out(mount._replace(point="/dev"))


def test_a_server_that_does_not_answer_is_not_waited_for(monkeypatch):
    asked = []

    def hangs(path):
        asked.append(path)
        wait_until(lambda: not asked)
    monkeypatch.setattr(_devices.os, "statvfs", hangs)
    mount = _devices.Mount("0:5", "/data", "nfs4", "server:/data")
    assert _devices._statvfs(mount) is None
    wait_until(lambda: asked)
    assert asked == ["/data"]
    asked.clear()


def test_cards_count_and_what_passes_them_does_not(sysfs):
    sysfs("class/net/eth0/device", "class/net/br0/bridge",
          "class/net/veth1", "class/net/lo")
    text = "h\nh\n" + "".join(
        f"{name:>6}: {got} 0 0 0 0 0 0 0 {got * 2} 0\n"
        for name, got in [("lo", 1000), ("eth0", 7), ("br0", 7),
                          ("veth1", 7)])
    assert _devices.network_bytes(text) == (7, 14)


def test_a_container_without_cards_counts_its_interfaces(sysfs):
    sysfs("class/net/eth0", "class/net/lo")
    assert _devices.network_bytes(
        "eth0: 5 0 0 0 0 0 0 0 6 0\nlo: 9 0 0 0 0 0 0 0 9 0\n") == (5, 6)


def test_zfs_pools_are_asked_of_zpool(tmp_path, monkeypatch):
    program = tmp_path / "zpool"
    program.write_text("#!/bin/sh\nprintf 'tank\\t100\\t40\\t60\\nodd\\n'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(helpers, "ZPOOL_SECONDS", 600)
    assert helpers.get_zfs_pools_space() == {
        "tank": {"total": 100, "used": 40, "free": 60}}
    spaces = _devices.disk_spaces("2 1 0:5 / /tank rw - zfs tank rw\n")
    assert spaces == {"zfs:tank": {"total": 100, "used": 40, "free": 60}}


def test_the_other_backend_has_the_same_values():
    with Job() as job:
        one = tracker_procfs.get_process_stats(job.pid)
        other = tracker_psutil.get_process_stats(job.pid)
        older = tracker_psutil.get_pid_stats(job.pid)
    assert set(one) == set(other)
    assert other["memory_mib"] > 0 and older["memory"] > 0
    assert set(tracker_psutil.get_system_stats()) == SYSTEM_KEYS
    gone = tracker_psutil.get_process_stats(job.pid)
    assert gone["memory_mib"] == 0


def test_without_proc_psutil_is_asked(monkeypatch):
    pytest.importorskip("psutil")
    monkeypatch.setattr(tracker_psutil, "is_procfs_available", lambda: False)
    with Job("block = b'x' * (64 << 20)") as job:
        stats = tracker_psutil.get_process_stats(job.pid)
        assert tracker_psutil.process_start(job.pid) <= time.time()
    assert tracker_psutil.process_start(job.pid) is None
    assert set(stats) == PROCESS_KEYS and stats["memory_mib"] > 64
    assert set(tracker_psutil.get_system_stats()) == SYSTEM_KEYS


def test_the_backend_is_proc_where_there_is_one():
    assert helpers.is_procfs_available()
    assert helpers.is_psutil_available() in (True, False)
    assert helpers.get_tracker_implementation() == (
        tracker_procfs.get_process_stats, tracker_procfs.get_system_stats)


def test_the_machine_is_described():
    info = server_info.get_server_info()
    assert set(info) == {"os", "vcpus", "memory_mib", "gpu_count",
                         "gpu_names", "gpu_name", "gpu_memory_mib"}
    assert info["os"] == "Linux" and info["vcpus"] == os.cpu_count()
    assert info["memory_mib"] == server_info.get_total_memory_mib() > 0


@pytest.fixture
def smi(tmp_path, monkeypatch):
    """answer(TEXT) puts an nvidia-smi that prints it on PATH."""
    def answer(text, before=""):
        (tmp_path / "text").write_text(text)
        program = tmp_path / "nvidia-smi"
        program.write_text(f"#!/bin/sh\n{before}\nexec cat {tmp_path}/text\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(nvidia, "ANSWER_SECONDS", 600)
    return answer


NEW = "# gpu pid type sm mem enc dec jpg ofa fb ccpm command\n# Idx # C % " \
      "% % % % % MB MB name\n"
OLD = "# gpu pid type sm mem enc dec fb command\n# Idx # C % % % % MB name\n"


def pmon(pids):
    """What nvidia-smi pmon says of these processes."""
    return nvidia.process_nvidia_smi_pmon(nvidia.start_nvidia_smi_pmon(),
                                          pids)


def test_an_idle_gpu_hides_no_other(smi):
    smi(NEW + "0 - - - - - - - - - - -\n"
        "1 42 C 50 1 - - - - 300 0 python\n"
        "1 43 C - 1 - - - - 100 0 other\n2 42 C - - - - - - 20 0 python\n")
    assert pmon({42}) == {"gpu_usage": 0.5, "gpu_vram_mib": 320,
                          "gpu_utilized": 1, "gpu_utilized_indexes": {1}}
    assert pmon(None)["gpu_vram_mib"] == 420


def test_columns_of_an_older_pmon_are_found_by_their_names(smi):
    smi(OLD + "0 42 C 25 1 - - 300 python\n")
    assert pmon({42})["gpu_vram_mib"] == 300


def test_a_gpu_without_a_value_hides_no_other(smi):
    smi("utilization.gpu [%], memory.used [MiB]\n[N/A], [N/A]\n"
        "50 %, 1000 MiB\n0 %, 10 MiB\n")
    assert nvidia.process_nvidia_smi(nvidia.start_nvidia_smi()) == {
        "gpu_usage": 0.5, "gpu_vram_mib": 1010, "gpu_utilized": 1}


def test_a_tool_that_hangs_or_fails_is_zero_and_reaped(smi, monkeypatch):
    monkeypatch.setattr(nvidia, "ANSWER_SECONDS", 0.01)
    smi("h\n50 %, 1 MiB\n", before="while :; do :; done")
    process = nvidia.start_nvidia_smi()
    assert nvidia.process_nvidia_smi(process)["gpu_usage"] == 0
    assert process.returncode is not None
    monkeypatch.setattr(nvidia, "ANSWER_SECONDS", 60)
    smi("h\n50 %, 1 MiB\n", before="exit 3")
    assert nvidia.process_nvidia_smi(nvidia.start_nvidia_smi())[
        "gpu_usage"] == 0


def test_without_the_tool_there_is_no_gpu(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    assert nvidia.start_nvidia_smi() is None
    assert nvidia.start_nvidia_smi_pmon() is None
    assert nvidia.process_nvidia_smi(None) == {
        "gpu_usage": 0, "gpu_vram_mib": 0, "gpu_utilized": 0}
    assert server_info.get_gpu_info() == {
        "count": 0, "memory_mib": 0.0, "gpu_names": []}


def test_gpus_are_named(smi):
    smi("Tesla T4, 15360\nTesla T4, 15360\nA, B, 1024\n")
    info = server_info.get_server_info()
    assert info["gpu_count"] == 3 and info["gpu_name"] == "Tesla T4"
    assert info["gpu_names"][2] == "A, B"
    assert info["gpu_memory_mib"] == 31744
