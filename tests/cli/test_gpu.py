"""test_gpu.py - NVIDIA GPUs from outside, with a fake driver (tests/gpu/fake_nvml.c)."""
import contextlib
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import jsonschema
import pytest

from processes import children_of, state_of, wait_for

PEER = {"uuid", "name", "device_type", "host_id", "detail", "utilization_pct", "vram_total_bytes", "vram_used_bytes",
        "vram_used_pct", "temperature_celsius", "power_watts", "frequency_mhz", "core_count"}
COMMON = """* name NVIDIA H100 80GB HBM3
* util 50
* memory_total 85899345920
* memory_used 1073741824
* temperature 40
* power 300.5
* energy_rate 300
* clock_graphics 1980
* cores 16896
* throttle 0
* ecc_uncorrected 0
"""


class Driver:
    """The fake driver: its values, and the words that make the tracker use it."""
    def __init__(self, loads, folder, monkeypatch):
        self.file = folder / "fake"
        self.loads = loads
        monkeypatch.setenv("FAKE_NVML", str(self.file))
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    def says(self, *lines, devices=2):
        each = "".join(f"{i} uuid GPU-{i}111aaaa\n{i} minor {i}\n" for i in range(devices))
        # Replaced as a whole: the driver can read it at any time.
        new = self.file.with_suffix(".new")
        new.write_text(f"- count {devices}\n- driver 550.54.15\n" + "".join(f"{line}\n" for line in lines) + each + COMMON)
        new.rename(self.file)

    def words(self, level=3):
        return ["--nvml", str(self.loads / f"nvml-{level}" / "libnvidia-ml.so.1")]


@pytest.fixture
def driver(loads, tmp_path, monkeypatch):
    return Driver(loads, tmp_path, monkeypatch)


@pytest.fixture
def first_namespace():
    """If the driver's process numbers are those of another namespace, another test applies."""
    if os.readlink("/proc/self/ns/pid") != "pid:[4026531836]":
        pytest.skip("not in the first PID namespace")


def json_lines(done):
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# What is said where the program that reads GPUs got no CPU for more than a second.
LATE = "the driver takes seconds to answer"


def with_values(lines):
    """Lines after the driver has begun, for which no sample waits."""
    found = [line for line in lines if line["gpu_total"]["count"] is not None and line["gpu_total"]["age_seconds"] is not None]
    assert found, lines
    return found


def test_the_library_waits_for_its_helper(run, driver, tmp_path, lines_of):
    """It runs nvidia-modprobe and waits for it; the tracker is signalled for each child, and reaps the command's."""
    record = tmp_path / "run.jsonl"
    driver.says("- modprobe true")
    done = run(*driver.words(), "--quiet", "-i", "0.1", "--max-overhead", "unlimited", "--record", record,
               *until_read(tmp_path / "samples"))
    assert done.returncode == 0
    lines = lines_of(record)
    assert [line["notice"] for line in lines if "notice" in line and LATE not in line["notice"]] == []
    assert lines[-1]["end"]["statistics"]["gpu_total.count"][1] == 2


@pytest.mark.parametrize("devices", [0, 1, 8])
def test_columns_of_the_machine(tracker, driver, devices):
    driver.says("1 util 0", devices=devices)
    with recording(tracker, *driver.words(), "--only", "gpu", "-i", "0.2", "--record", "none", "--csv", "system") as process:
        row = next(row for row in csv.DictReader(process.stdout) if row["gpu_usage"])
        end_of(process)
    busy = devices - (devices > 1)
    assert float(row["gpu_usage"]) == pytest.approx(0.5 * busy)
    assert float(row["gpu_vram"]) == pytest.approx(1024 * devices)
    assert int(row["gpu_utilized"]) == busy


def test_all_values_of_other_trackers(tracker, driver):
    driver.says("0 pci 00000000:65:00.0")
    with recording(tracker, *driver.words(), *WATCH) as process:
        line = next_line(process, is_read)
        end_of(process)
    schema = json.loads((pathlib.Path(__file__).parents[2] / "docs/reference/sample.schema.json").read_text())
    jsonschema.validate(line, schema)
    gpu = line["gpu"][0]
    assert PEER <= set(gpu)
    assert gpu["uuid"] == "GPU-0111aaaa" and gpu["host_id"] == "0" and gpu["device_type"] == "GPU"
    assert gpu["detail"] == {"driver_version": "550.54.15", "pci_bus_id": "00000000:65:00.0"}
    assert (gpu["utilization_pct"], gpu["vram_used_pct"], gpu["temperature_celsius"]) == (50, 1.25, 40)
    assert (gpu["power_watts"], gpu["frequency_mhz"], gpu["core_count"]) == (300.5, 1980, 16896)
    assert line["cpu"]["process_gpu_usage"] is None


def test_the_tree_has_its_own_use_and_no_stale_one(run, driver, first_namespace, tmp_path, lines_of):
    # A process of the job uses a GPU that others use too; then it ends, and the driver still reports it.
    samples = tmp_path / "samples"
    driver.says()
    script = UNTIL + f"""
import os, time
def say(text):
    lines = [line for line in open({str(driver.file)!r}) if " compute " not in line and " use " not in line]
    open({str(driver.file)!r} + ".x", "w").write("".join(lines) + text)
    os.rename({str(driver.file)!r} + ".x", {str(driver.file)!r})
pid = os.fork()
if pid == 0:
    time.sleep(60)
say(f"0 compute {{pid}}:1048576,1:4194304\\n0 graphics {{pid}}:1048576\\n0 use {{pid}}:30:0:0@0,1:20:0:0@0\\n")
changed = time.time()
until({str(samples)!r}, 5, lambda line: line["process"]["gpu_processes"]
      and line["timestamp"] - (line["gpu_total"]["age_seconds"] or 0) > changed)
open({str(samples)!r} + ".changed", "w").write(str(changed))
os.kill(pid, 9)
os.wait()
until({str(samples)!r}, 5, lambda line: line["process"]["gpu_processes"] == 0)
"""
    done = run(*driver.words(), "-i", "0.2", "-o", samples, "-f", "json", "--record", "none", "--", "/usr/bin/python3", "-c", script)
    assert done.returncode == 0, done.stderr
    assert "attributed by the driver: others use the same GPUs" in " ".join(done.stderr.split())
    lines = with_values(lines_of(samples))
    # A reading can begin before the driver has changed, and end after that.
    changed = float((tmp_path / "samples.changed").read_text())
    used = [line for line in lines if line["process"]["gpu_processes"]
            and line["timestamp"] - line["gpu_total"]["age_seconds"] > changed]
    assert used, [line["process"]["gpu_processes"] for line in lines]
    for line in used:
        assert line["process"]["gpu_source"] == "pids"
        assert line["process"]["gpu_utilization_gpus"] == pytest.approx(0.3)
        assert line["cpu"]["process_gpu_vram_mib"] == 1     # once, in two lists
        assert line["cpu"]["process_gpu_utilized"] == 1
        assert line["gpu"][0]["job_processes"] == 1 and line["gpu"][0]["processes"] == 2
        assert line["gpu"][1]["job_utilization_pct"] == 0
    last = lines[-1]
    assert last["process"]["gpu_utilization_gpus"] == 0 and last["process"]["gpu_vram_bytes"] == 0
    python = [p for line in used for p in line["programs"] if p["gpu_vram_bytes"]]
    assert python and all(p["gpu_vram_bytes"] == 1048576 for p in python)


def test_a_choice_of_gpus(tracker, run, driver):
    driver.says(devices=3)
    for given, ids in (("0,2", ["0", "2"]), ("GPU-1111,7", ["1"])):
        with recording(tracker, *driver.words(), "--gpus", given, *WATCH) as process:
            lines = [next_line(process, is_read) for _ in range(8)]
            assert ("there is no GPU '7'" in end_of(process)) == (given != "0,2")
        for line in lines:
            assert [gpu["host_id"] for gpu in line["gpu"]] == ids
            assert line["gpu_total"]["count"] == len(ids)
    line = json_lines(run(*driver.words(), "--gpu_ids", "none", "-i", "0.1", "--samples", "1", "--record", "none"))[-1]
    assert line["gpu"] == [] and line["gpu_total"]["count"] is None


@pytest.mark.parametrize("words", [["--", "true"], ["--", "sleep", "0.5"], ["-i", "0.1", "--samples", "3"],
                                   ["-p", "SELF", "-i", "0.1", "--samples", "3"]])
def test_a_missing_gpu_is_reported_once(run, words, lines_of, tmp_path):
    """Regression: without any GPU there was no notice."""
    words = [str(os.getpid()) if word == "SELF" else word for word in words]
    for given, names in ("9", "'9'"), ("0,GPU-8f2a19c4", "'0', 'GPU-8f2a19c4'"), ("typo", "'typo'"):
        sentence = f"gpu: --gpus: there is no GPU {names}: none was found on this machine"
        done = run("--gpus", given, "--record", tmp_path / "record", *words)
        if "gpu:" in done.stderr and "found on this" not in " ".join(done.stderr.split()):
            pytest.skip("this machine has GPUs")
        assert done.returncode == 0 and " ".join(done.stderr.split()).count(sentence) == (2 if "-p" in words else 1), \
            done.stderr     # of an attachment at once, and in the summary
        notices = [line["notice"] for line in lines_of(tmp_path / "record") if isinstance(line, dict) and "notice" in line]
        assert notices.count(sentence) == 1
        assert sentence not in run("--gpus", given, "-q", "--record", "none", *words).stderr


def readers_of(recorder):
    """The programs that read GPUs for it."""
    return [pid for pid in children_of(recorder) if "resource-tracker-gpu" in command_of(pid)]


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def descriptors_of(pid):
    """What they lead to; some can be closed meanwhile: files are opened for each reading."""
    held = []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            held.append(os.readlink(f"/proc/{pid}/fd/{fd}"))
    return held


@contextlib.contextmanager
def recording(tracker, *words, **more):
    process = subprocess.Popen([tracker, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def next_line(process, condition):
    """The next sample that meets the condition."""
    return wait_for(lambda: [line for line in [json.loads(process.stdout.readline())] if condition(line)], "such a sample")[0]


def until_read(samples):
    """Options and a command that lives until GPUs were read: that takes a time that depends on the machine."""
    wait = 'until grep -q \'"gpu":\\[{\' "$0"; do sleep 0.05; done; sleep 0.3'
    return ["-o", samples, "-f", "json", "--", "sh", "-c", wait, samples]


# For jobs in Python: until(path, n, says) returns after n samples in a row had this value.
UNTIL = """
import json, time
def until(path, n, says):
    while True:
        try:
            lines = [json.loads(line) for line in open(path) if line.endswith("\\n")]
        except FileNotFoundError:
            lines = []
        if len(lines) >= n and all(says(line) for line in lines[-n:]):
            return
        time.sleep(0.05)
"""


def noted(record, text):
    """Whether it is in a record that grows: a notice is there before the run ends."""
    return record.exists() and text in record.read_text()


def is_read(line):
    return line["gpu"] and line["gpu_total"]["age_seconds"] is not None


def is_a_reading(line):
    """Levels are repeated until the next one, amounts are not."""
    return line["gpu_total"]["energy_joules"] is not None


def end_of(process):
    """Ends the watch: its text on stderr, in one line."""
    process.terminate()
    _, said = process.communicate()
    assert process.returncode == 0, said
    return " ".join(said.split())


WATCH = ["-i", "0.1", "--record", "none", "-f", "json"]


def test_a_separate_program_loads_the_library(tracker, driver):
    driver.says()
    with recording(tracker, *driver.words(), *WATCH) as process:
        next_line(process, is_read)
        maps = pathlib.Path(f"/proc/{process.pid}/maps").read_text()
        reader, = readers_of(process.pid)
        assert "libnvidia-ml" not in maps and "libnvidia-ml" in pathlib.Path(f"/proc/{reader}/maps").read_text()
        assert os.getsid(reader) == reader
        # Its socket, the folder that it reads below, and /dev/null; and the library's own descriptors.
        assert {os.readlink(f"/proc/{reader}/fd/{fd}") for fd in range(3)} == {"/dev/null"}
        end_of(process)
        wait_for(lambda: state_of(reader) in (None, "Z"), "the reader ends")


def test_nothing_is_started_without_a_driver(tracker, driver, monkeypatch):
    driver.says()
    threads = {}
    # The loader finds it, and it must not be used: the folders of this machine show no driver.
    monkeypatch.setenv("LD_LIBRARY_PATH", str(driver.loads / "nvml-3"))
    bare = ["--root", str(pathlib.Path(__file__).parents[1] / "fixtures/bare-metal/0")]
    for name, words in ("some", driver.words()), ("root", bare), ("none", [*driver.words(), "--gpus", "none"]):
        with recording(tracker, *words, *WATCH) as process:
            next_line(process, is_read if name == "some" else lambda line: True)
            threads[name] = len(os.listdir(f"/proc/{process.pid}/task"))
            assert len(readers_of(process.pid)) == (name == "some")
            end_of(process)
    assert threads["root"] == threads["none"] == threads["some"] - 1


def test_a_missing_reader_is_reported(tracker, driver, tmp_path):
    driver.says()
    alone = tmp_path / "resource-tracker"
    shutil.copy(tracker, alone)
    done = subprocess.run([alone, *driver.words(), *WATCH, "--samples", "3"], capture_output=True, text=True)
    for line in json_lines(done):
        assert line["gpu"] == [] and line["gpu_total"]["count"] is None
    assert done.stderr.count("resource-tracker-gpu") == 1 and "not beside" in " ".join(done.stderr.split())


def with_another_reader(tracker, folder, reader):
    shutil.copy(tracker, folder / "resource-tracker")
    (folder / "resource-tracker-gpu").write_bytes(reader)
    (folder / "resource-tracker-gpu").chmod(0o755)
    return folder / "resource-tracker"


@pytest.mark.parametrize("kind, says", [("version", "is of another version"), ("none", "cannot be started"),
                                        ("noise", "cannot be understood"), ("ends", "ended (exit status 9)")])
def test_a_reader_of_another_build_is_refused(tracker, driver, tmp_path, kind, says):
    driver.says()
    record = tmp_path / "record"
    ours = tracker.with_name("resource-tracker-gpu").read_bytes()
    program = with_another_reader(tracker, tmp_path, {
        "version": re.sub(rb"\d+\.\d+\.\d+/%zu", lambda match: re.sub(rb"\d", b"9", match[0]), ours), "none": b"\x7fELF that is none",
        "noise": b"#!/bin/sh\nhead -c 200000 /dev/zero | tr '\\0' '\\377' >&3\nexec sleep 3600\n", "ends": b"#!/bin/sh\nexit 9\n"}[kind])
    with recording(program, *driver.words(), "-i", "0.1", "--record", record, "-f", "json") as process:
        for _ in range(8):
            line = json.loads(process.stdout.readline())
            assert line["gpu"] == [] and line["gpu_total"]["count"] is None
        wait_for(lambda: children_of(process.pid) == [], "it is ended, and waited for")
        wait_for(lambda: noted(record, "GPUs (nvidia)"), "the notice")
        said = end_of(process)
    assert said.count("GPUs (nvidia) are not read: ") == 1 and says in said


def test_the_reader_killed_in_mid_run(tracker, driver, tmp_path):
    record = tmp_path / "record"
    driver.says()
    with recording(tracker, *driver.words(), "-i", "0.1", "--record", record, "-f", "json") as process:
        next_line(process, is_read)
        os.kill(*readers_of(process.pid), signal.SIGKILL)
        line = next_line(process, lambda line: not line["gpu"])
        assert line["gpu_total"]["count"] is None and line["gpu_total"]["utilization_gpus"] is None
        next_line(process, lambda line: not line["gpu"])
        wait_for(lambda: noted(record, "are not read any more"), "the notice")
        wait_for(lambda: readers_of(process.pid) == [] and children_of(process.pid) == [], "it is waited for")
        said = end_of(process)
    assert said.count("GPUs (nvidia) are not read any more: their reader program ended (signal 9)") == 1


@pytest.mark.parametrize("call", ["- crash.init 1", "1 crash.power 1"])
def test_a_library_that_crashes(tracker, run, driver, call, tmp_path):
    here, record = tmp_path / "here", tmp_path / "record"
    here.mkdir()
    driver.says(call)
    with_cores = ["sh", "-c", 'ulimit -S -c "$(ulimit -H -c)"; exec "$0" "$@"', tracker]
    with recording(*with_cores, *driver.words(), "-i", "0.1", "--record", record, "-f", "json", cwd=here) as process:
        lines = [json.loads(process.stdout.readline())]
        while not noted(record, "GPUs (nvidia)"):
            lines.append(json.loads(process.stdout.readline()))
        said = end_of(process)
    for i, line in enumerate(lines):
        assert line["gpu"] == [] and line["gpu_total"]["count"] is None
        assert line["cpu"]["utilization_pct"] is not None or i == 0
    assert "GPUs (nvidia) are not read: their reader program ended (signal 11)" in said
    assert os.listdir(here) == []       # and no core
    assert run(*driver.words(), "--record", "none", "--", "sh", "-c", "sleep 0.5; exit 7").returncode == 7


@pytest.mark.parametrize("source", ["auto", "ledger"])
def test_processes_of_the_library_are_not_the_jobs(tracker, driver, tmp_path, lines_of, source):
    record = tmp_path / "record"
    driver.says("- litter 1")
    words = [*driver.words(), "--cpu-source", source, "--wait-descendants", "-i", "0.1", "--record", record, "-f", "json"]
    with recording(tracker, *words, "--", "cat", stdin=subprocess.PIPE) as process:
        while not (seen := json.loads(process.stderr.readline()))["gpu"]:
            pass
        reader, = readers_of(process.pid)
        helper, = children_of(reader)
        assert seen["process"]["count"] == 1
        out, err = process.communicate("")          # and with the command all of it ends, whatever else runs
        assert process.returncode == 0
    wait_for(lambda: state_of(reader) in (None, "Z"), "a slow reader is killed, and reaped by others")
    wait_for(lambda: state_of(helper) in (None, "Z"), "the library's process ends")
    assert "printed by the library" not in out + err
    text = record.read_text()
    assert "libhelper" not in text and "resource-tracke" not in text.replace("resource-tracker", "")
    ended = [line["exit"]["pid"] for line in lines_of(record) if "exit" in line]
    assert reader not in ended and helper not in ended


def test_processes_of_the_library_end_with_the_reader(tracker, driver):
    driver.says("- litter 1")
    words = [*driver.words(), "--wait-descendants", "-i", "0.1", "--record", "none", "-f", "json"]
    with recording(tracker, *words, "--", "cat", stdin=subprocess.PIPE) as process:
        wait_for(lambda: json.loads(process.stderr.readline())["gpu"], "the driver answers")
        reader, = readers_of(process.pid)
        helper, = children_of(reader)
        os.kill(reader, signal.SIGKILL)
        wait_for(lambda: state_of(helper) is None, "the library's process ends")
        wait_for(lambda: state_of(reader) is None, "the reader is waited for")
        process.communicate("")
        assert process.returncode == 0


@pytest.mark.parametrize("line", ["0 util 50", "- slow.init 86400000", "* slow.power 86400000"])
def test_a_recorder_that_is_killed_leaves_no_reader(tracker, driver, line):
    driver.says(line)
    with recording(tracker, *driver.words(), *WATCH) as process:
        process.stdout.readline()
        reader, = wait_for(lambda: readers_of(process.pid), "the reader is started")
        # By then it has arranged to end with its parent.
        wait_for(lambda: "libnvidia-ml" in pathlib.Path(f"/proc/{reader}/maps").read_text(), "it loads the library")
        process.kill()
        process.wait()
        wait_for(lambda: state_of(reader) in (None, "Z"), "the reader ends")


def test_ctrl_c_does_not_reach_the_reader(tracker, driver):
    driver.says()
    with recording(tracker, *driver.words(), *WATCH, start_new_session=True) as process:
        next_line(process, is_read)
        reader, = readers_of(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 0 and "not read" not in said
    wait_for(lambda: state_of(reader) in (None, "Z"), "the reader ends")


def test_the_reader_holds_only_its_own_descriptors(tracker, driver, tmp_path):
    driver.says()
    (tmp_path / "lock").write_text("")
    with open(tmp_path / "lock") as lock, recording(tracker, *driver.words(), *WATCH, pass_fds=[lock.fileno()]) as process:
        next_line(process, is_read)
        reader, = readers_of(process.pid)
        held = descriptors_of(reader)
        assert str(tmp_path / "lock") not in held and held.count("/dev/null") == 3
        assert sum(target.startswith("socket:") for target in held) == 1
        status = dict(line.split(":\t") for line in pathlib.Path(f"/proc/{reader}/status").read_text().splitlines())
        # 32 and 33 are the C library's own.
        assert (int(status["SigBlk"], 16) | int(status["SigIgn"], 16)) & 0xfffffffe7fffffff == 0
        end_of(process)


def test_readings_cost_no_more_than_they_may(tracker, driver):
    """A driver that needs much CPU time is asked less often; what is read of the job is not read less for that."""
    driver.says("* burn.util 20")
    words = [*driver.words(), "-i", "0.1", "--record", "none", "-f", "json", "--pid", os.getpid()]
    with recording(tracker, *words, "--max-overhead", "1%") as process:
        lines = [next_line(process, is_read)]
        lines += [json.loads(process.stdout.readline()) for _ in range(36)]
        said = end_of(process)
    # Two devices: 40 ms for a reading, so 4 s to the next; what the first three cost is not known before.  A reading
    # begins ahead of its sample by half as much again as the slowest took, which is at most what is between two.
    came, began, slowest, lacking = [], 0, 0, False
    for line in lines:
        now, age = line["timestamp"], line["gpu_total"]["age_seconds"]
        if not line["gpu"]:             # late by more than a second and two intervals
            assert now - began > (5.2 if len(came) >= 3 else 1.2)
            lacking = True
        elif not came or line["gpu_total"]["energy_joules"] is not None:
            gap = now - came[-1] if came else age or 0      # null where it was asked after the sample had begun
            lead = 1.5 * slowest + 0.05
            assert len(came) < 3 or gap >= 4 - lead, (came, slowest)
            slowest = max(slowest, gap if len(came) < 3 else gap - 4 + lead)
            came.append(now)
            began = now - (age or 0)
    assert lacking or LATE not in said
    assert all(line["gpu_total"]["utilization_gpus"] == 1 for line in with_values(lines))

    with recording(tracker, *words, "--max-overhead", "unlimited") as process:
        for _ in range(3):
            before = next_line(process, is_a_reading)["timestamp"]
        now = next_line(process, is_a_reading)["timestamp"]
        while now - before > 3:         # it can be late, but is not always
            before, now = now, next_line(process, is_a_reading)["timestamp"]


def own_memory(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0])


def test_gpus_take_little_of_the_recorders_memory(tracker, driver, tmp_path):
    """
    Two answers and a sample's rows for 8 devices of 1 KiB, and a thread's stack: some 70 KiB; with the library loaded
    it would be megabytes.
    """
    if b"__asan_init" in tracker.read_bytes():
        pytest.skip("the sanitizer's memory is not ours")
    driver.says(devices=8)
    held = {}
    for gpus in "none", "0,1,2,3,4,5,6,7":
        # Into a file: lines that wait for a reader are memory, too.
        samples = tmp_path / f"samples-{len(held)}"
        with recording(tracker, *driver.words(), "--gpus", gpus, *WATCH, "-o", samples) as process:
            def ten_more():
                lines = samples.read_text().splitlines(keepends=True) if samples.exists() else []
                lines = [json.loads(line) for line in lines if line.endswith("\n")]
                first = next((i for i, line in enumerate(lines) if gpus == "none" or is_read(line)), len(lines))
                return lines[first + 10:]
            line = wait_for(ten_more, "ten more samples")[-1]
            held[gpus] = own_memory(process.pid)
            if gpus != "none":
                reader, = readers_of(process.pid)
                pages = int(pathlib.Path(f"/proc/{reader}/statm").read_text().split()[1])
                # It counts as the tracker's: the recorder alone is smaller than the reader.
                assert line["tracker"]["rss_bytes"] > pages * os.sysconf("SC_PAGESIZE")
            end_of(process)
    assert held["0,1,2,3,4,5,6,7"] - held["none"] < 256, held


def test_its_cpu_time_is_the_trackers_own(run, driver, tmp_path, lines_of):
    """It is in the sample in which the program has answered: however many there were, and what they cost."""
    record, samples = tmp_path / "record", tmp_path / "samples"
    shown = {}
    for burn in 0, 200:
        driver.says(f"- burn.init {burn}")
        done = run(*driver.words(), "-q", "-i", "0.1", "--record", record, *until_read(samples))
        assert done.returncode == 0
        shown[burn] = max(line["tracker"]["cpu_seconds"] or 0 for line in lines_of(samples))
        assert lines_of(record)[-1]["end"]["statistics"]["tracker.cpu_seconds"][2] >= shown[burn]
        record.unlink()
        samples.unlink()
    assert shown[200] - shown[0] > 0.1, shown


def test_only_the_command_line_names_a_library(run, driver, tmp_path, monkeypatch):
    driver.says()
    monkeypatch.setenv("RESOURCE_TRACKER_NVML", driver.words()[1])
    monkeypatch.chdir(tmp_path)
    assert json_lines(run("-i", "0.1", "--samples", "2", "--record", "none"))[-1]["gpu"] == []
    (tmp_path / "resource-tracker.toml").write_text(f"[tracker]\nnvml = '{driver.words()[1]}'\n")
    done = run("-i", "0.1", "--samples", "1", "--record", "none")
    assert "nvml" in done.stderr and "nvml-3" not in done.stdout


def test_a_slow_driver_delays_no_sample(run, driver):
    driver.says("* slow.util 5000")     # 10 s for both, in samples of 0.2 s
    lines = json_lines(run(*driver.words(), "-i", "0.2", "--samples", "7", "--record", "none"))
    assert len(lines) == 7
    # If samples waited for the driver, each would, and 25 and more would be missed; without a CPU a few are late.
    assert sorted(line["tracker"]["missed_samples"] for line in lines)[3] < 4
    assert sorted(line["tracker"]["collectors"]["gpu"] for line in lines)[3] < 0.5
    assert lines[-1]["cpu"]["utilization_pct"] is not None


def test_a_driver_that_hangs_is_left_behind(run, driver):
    driver.says("- slow.init 86400000")
    done = run(*driver.words(), "-i", "0.1", "--samples", "3", "--record", "none")
    assert all(line["gpu"] == [] and line["gpu_total"]["utilization_gpus"] is None for line in json_lines(done))
    done = run(*driver.words(), "--record", "none", "--", "true")
    assert done.returncode == 0


def test_lost_in_mid_run(tracker, driver):
    driver.says()
    process = subprocess.Popen([tracker, *driver.words(), "-i", "0.1", "--record", "none"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = []

    def sampled():
        lines.append(next_line(process, is_read))
        return lines[-1]["gpu"]

    sampled()
    driver.says("1 error.power 15", "1 error.by_index 15")
    wait_for(lambda: sampled()[1]["utilization_pct"] is None, "the GPU is lost")
    process.terminate()
    _, err = process.communicate()
    assert process.returncode == 0
    assert err.count("GPU 1 (NVIDIA H100 80GB HBM3) was lost") == 1
    assert lines[0]["gpu_total"]["utilization_gpus"] == 1
    assert lines[-1]["gpu"][0]["utilization_pct"] == 50 and lines[-1]["gpu"][1]["utilization_pct"] is None
    assert lines[-1]["gpu_total"]["utilization_gpus"] == 0.5


def test_the_record_names_devices_once(run, driver, tmp_path, lines_of):
    record, samples = tmp_path / "run.jsonl", tmp_path / "samples"
    driver.says()
    done = run(*driver.words(), "-i", "0.2", "--record", record, *until_read(samples))
    assert done.returncode == 0, done.stderr
    text, seen = record.read_text(), [bool(line["gpu"]) for line in lines_of(samples)]
    # More than once only after answers that were late.
    times = sum(now and not before for before, now in zip([False, *seen], seen))
    assert text.count("GPU-0111aaaa") <= times + 1      # when it is first seen, and in the footer
    assert text.count("NVIDIA H100") <= 2 * times       # one for each device


def test_gpus_of_the_job(run, driver, tmp_path, lines_of, monkeypatch):
    samples = tmp_path / "samples"
    driver.says()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    done = run(*driver.words(), "-i", "0.2", "--record", tmp_path / "r", *until_read(samples))
    lines = with_values(lines_of(samples))
    assert [gpu["job_visible"] for gpu in lines[-1]["gpu"]] == [0, 1]
    assert lines[-1]["process"]["gpu_visible_by"] == "CUDA_VISIBLE_DEVICES"
    assert "hunter2" not in (tmp_path / "r").read_text() + done.stderr


def test_the_summary_has_gpus(run, driver, first_namespace, tmp_path, monkeypatch):
    record, samples = tmp_path / "r", tmp_path / "said"
    driver.says("0 throttle 96")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    script = UNTIL + f"""
import os, time
lines = open({str(driver.file)!r}).read()
open({str(driver.file)!r} + ".x", "w").write(f"0 compute {{os.getpid()}}:34359738368\\n0 use {{os.getpid()}}:80:0:0@0\\n0 ecc_uncorrected 2\\n" + lines)
until({str(samples)!r}, 5, lambda line: line["gpu"] and line["gpu_total"]["age_seconds"] is not None)
os.rename({str(driver.file)!r} + ".x", {str(driver.file)!r})
until({str(samples)!r}, 10, lambda line: line["process"]["gpu_utilization_gpus"])
"""
    words = ["-i", "0.2", "-o", samples, "-f", "json", "--record", record]
    done = run(*driver.words(), *words, "--", "/usr/bin/python3", "-c", script)
    again = run("summary", record)
    for text in (done.stderr, again.stdout):
        words = " ".join(text.split())
        assert " peak 0.80 of 2 " in words and " memory 32.0 GiB " in words and "(whole boards)" in words
        assert "1 of the 2 GPUs that CUDA_VISIBLE_DEVICES gives the job was never used" in words
        assert "2 errors in the memory of GPUs could not be corrected" in words
        assert "a GPU was hot" in words
    done = run(*driver.words(), "-i", "0.2", "--record", "none", *until_read(tmp_path / "samples"))
    assert " GPU not used " in " ".join(done.stderr.split())


def test_instances_and_mps_by_hand(run, driver, first_namespace, tmp_path, lines_of):
    # Two instances of one GPU, and a GPU with clients of an MPS server outside of the job.
    samples = tmp_path / "samples"
    parts = ["0 mig 1", "0 mig_max 7", "0:0 gi 1", "0:0 uuid MIG-0", "0:0 memory_total 1000000", "0:0 memory_used 700",
             "0:3 gi 2", "0:3 uuid MIG-3", "0:3 memory_total 1000000", "0:3 memory_used 900"]
    script = UNTIL + f"""
import os, time
me = os.getpid()
says = {chr(10).join(parts)!r} + f'''
0:0 compute {{me}}:500,1:200
0:3 compute 1:900
1 compute 1:5000,{{me}}:3000
1 mps {{me}}:3000
1 use 1:10:0:0@0,{{me}}:40:0:0@0
'''
old = open({str(driver.file)!r}).read()
open({str(driver.file)!r} + ".x", "w").write(says + old)
os.rename({str(driver.file)!r} + ".x", {str(driver.file)!r})
changed = time.time()
until({str(samples)!r}, 5, lambda line: line["process"]["gpu_processes"]
      and line["timestamp"] - (line["gpu_total"]["age_seconds"] or 0) > changed)
open({str(samples)!r} + ".changed", "w").write(str(changed))
"""
    driver.says(*parts)
    done = run(*driver.words(), "-i", "0.2", "-o", samples, "-f", "json", "--record", "none", "--", "/usr/bin/python3", "-c", script)
    assert done.returncode == 0, done.stderr
    # A reading can begin before the driver has changed, and end after that.
    changed = float((tmp_path / "samples.changed").read_text())
    used = [line for line in with_values(lines_of(samples)) if line["process"]["gpu_processes"]
            and line["timestamp"] - line["gpu_total"]["age_seconds"] > changed]
    assert used
    for line in used:
        assert [gpu["host_id"] for gpu in line["gpu"]] == ["0", "0:0", "0:3", "1"]
        assert [gpu["job_vram_bytes"] for gpu in line["gpu"][1:]] == [500, 0, 3000]
        assert line["process"]["gpu_vram_bytes"] == 3500
        assert line["process"]["gpu_utilized"] == 2 and line["process"]["gpu_processes"] == 1
        assert line["gpu"][3]["job_utilization_pct"] == 40
        # If the driver does not report a value for an instance, it is missing in the sum, too.
        assert line["process"]["gpu_utilization_gpus"] is None
        assert line["gpu_total"]["count"] == 3


def test_pids_of_another_namespace_are_not_used(tracker, driver, tmp_path, lines_of):
    words = ["unshare", "--pid", "--fork", "--mount-proc"]
    if os.getuid() != 0:
        words.insert(1, "--map-root-user")
    if subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        pytest.skip("PID namespaces are not allowed here")
    samples = tmp_path / "samples"
    driver.says("0 compute 1:1000,2:2000,3:3000", "0 use 2:50:0:0@0")
    subprocess.run([*words, tracker, *driver.words(), "-i", "0.2", "--quiet", "--record", "none", *until_read(samples)], check=True)
    for line in with_values(lines_of(samples)):
        assert line["process"]["gpu_source"] == "descriptors"
        assert line["process"]["gpu_vram_bytes"] == 0 and line["process"]["gpu_processes"] is None
        assert line["gpu"][0]["processes"] is None
