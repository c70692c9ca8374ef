"""test_samples.py - samples: their times, formats, and destinations."""
import json
import os
import re
import subprocess
import time

import pytest

SYSTEM = ("timestamp,processes,utime,stime,cpu_usage,memory_free,memory_used,memory_buffers,memory_cached,"
          "memory_active,memory_inactive,disk_read_bytes,disk_write_bytes,disk_space_total_gb,disk_space_used_gb,"
          "disk_space_free_gb,net_recv_bytes,net_sent_bytes,gpu_usage,gpu_vram,gpu_utilized")
COMBINED = ("timestamp,system_processes,system_utime,system_stime,system_cpu_usage,system_memory_free_mib,"
            "system_memory_used_mib,system_memory_buffers_mib,system_memory_cached_mib,system_memory_active_mib,"
            "system_memory_inactive_mib,system_disk_read_bytes,system_disk_write_bytes,system_disk_space_total_gb,"
            "system_disk_space_used_gb,system_disk_space_free_gb,system_net_recv_bytes,system_net_sent_bytes,"
            "system_gpu_usage,system_gpu_vram_mib,system_gpu_utilized,process_pid,process_children,process_utime,"
            "process_stime,process_cpu_usage,process_memory_mib,process_disk_read_bytes,process_disk_write_bytes,"
            "process_gpu_usage,process_gpu_vram_mib,process_gpu_utilized")
PROCESS = ("timestamp,pid,children,utime,stime,cpu_usage,memory_mib,disk_read_bytes,disk_write_bytes,"
           "gpu_usage,gpu_vram_mib,gpu_utilized")

# Every field of the other tracker's JSON that a reader can look up.
PEER_KEYS = {
    "": {"actual_interval_ms", "cpu", "memory", "disk", "gpu", "network", "job_name", "resource-tracker-version",
         "timestamp_secs", "tracked_pid"},
    "cpu": {"utilization_pct", "per_core_pct", "utime_secs", "stime_secs", "process_count", "cgroup_usage_secs",
            "cgroup_utilization_pct", "process_cores_used", "process_child_count", "process_utime_secs",
            "process_stime_secs", "process_pss_mib", "process_rss_mib", "process_disk_read_bytes",
            "process_disk_write_bytes", "process_gpu_usage", "process_gpu_vram_mib", "process_gpu_utilized"},
    "memory": {"total_mib", "free_mib", "available_mib", "used_mib", "buffers_mib", "cached_mib", "swap_total_mib",
               "swap_used_mib", "active_mib", "inactive_mib", "used_pct", "swap_used_pct"},
    "network": {"interface", "mac_address", "driver", "operstate", "speed_mbps", "mtu", "rx_bytes_per_sec",
                "tx_bytes_per_sec", "rx_bytes_total", "tx_bytes_total"},
    "disk": {"device", "model", "vendor", "serial", "device_type", "capacity_bytes", "read_bytes_per_sec",
             "write_bytes_per_sec", "read_bytes_total", "write_bytes_total", "mounts"},
    "mount": {"mount_point", "filesystem", "total_bytes", "used_bytes", "available_bytes", "used_pct"},
}


def test_five_rows_of_the_system_layout(run):
    done = run("-f", "csv", "-i", "0.2", "--samples", "5")
    header, *rows = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert header == SYSTEM
    assert len(rows) == 5
    for row in rows:
        assert row.count(",") == header.count(",")
        assert '"' not in row and " " not in row
        # 3 decimals if the interval is not a whole number of seconds
        assert re.fullmatch(r"\d+\.\d{3}", row.split(",")[0])
    stamps = [float(row.split(",")[0]) for row in rows]
    assert stamps == sorted(stamps)


def test_whole_seconds_are_whole(run):
    rows = run("-f", "csv", "-i", "1", "--samples", "1").stdout.splitlines()[1:]
    assert re.fullmatch(r"\d+", rows[0].split(",")[0])


@pytest.mark.parametrize("layout, header", [("system", SYSTEM), ("combined", COMBINED), ("process", PROCESS)])
def test_layouts(run, layout, header):
    done = run("--csv", layout, "-i", "0.05", "--samples", "2")
    first, *rows = done.stdout.splitlines()
    assert first == header
    assert [row.count(",") for row in rows] == [header.count(",")] * 2


def test_untracked_process_columns_are_empty_not_zero(run):
    row = run("--csv", "combined", "-i", "0.05", "--samples", "1").stdout.splitlines()[1].split(",")
    assert row[COMBINED.split(",").index("process_pid"):] == [""] * 11


def test_values_are_plausible(run):
    row = dict(zip(SYSTEM.split(","), run("-f", "csv", "-i", "0.3", "--samples", "1").stdout.splitlines()[1].split(",")))
    page = os.sysconf("SC_PAGE_SIZE")
    total_mib = os.sysconf("SC_PHYS_PAGES") * page / 2 ** 20
    assert 0 <= float(row["cpu_usage"]) <= os.cpu_count() + 0.01
    assert 0 < float(row["memory_used"]) < total_mib
    assert 0 < int(row["processes"])
    assert abs(float(row["timestamp"]) - time.time()) < 60
    space = [float(row[f"disk_space_{name}_gb"]) for name in ("total", "used", "free")]
    assert space[0] > 0                         # also in a container, which has an overlay as root
    assert abs(space[0] - space[1] - space[2]) < 1e-3
    assert [row[name] for name in ("gpu_usage", "gpu_vram", "gpu_utilized")] != ["", "", ""]


def test_every_json_line_has_every_field_of_the_other_tracker(run):
    done = run("-i", "0.1", "--samples", "3", "-n", 'quo"te\\ é', "-p", os.getpid())
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 3
    for line in lines:
        assert PEER_KEYS[""] <= line.keys()
        for part in ("cpu", "memory"):
            assert PEER_KEYS[part] <= line[part].keys(), PEER_KEYS[part] - line[part].keys()
        for part in ("network", "disk"):
            for item in line[part]:
                assert PEER_KEYS[part] <= item.keys(), PEER_KEYS[part] - item.keys()
        for disk in line["disk"]:
            for mount in disk["mounts"]:
                assert PEER_KEYS["mount"] <= mount.keys()
        assert line["job_name"] == 'quo"te\\ é'
        assert line["tracked_pid"] == os.getpid()
        assert isinstance(line["timestamp_secs"], int)
        assert isinstance(line["gpu"], list)
        assert len(line["cpu"]["per_core_pct"]) == os.cpu_count()
        # Another tracker: the process was reported busier than the machine.
        assert line["cpu"]["process_rss_mib"] > 0
        assert "lo" not in [item["interface"] for item in line["network"]]


def test_json_of_an_untracked_machine_has_nulls(run):
    line = json.loads(run("-i", "0.05", "--samples", "1").stdout)
    assert line["tracked_pid"] is None and line["job_name"] is None
    assert line["cpu"]["process_cores_used"] is None and line["cpu"]["process_rss_mib"] is None


def test_decimals_need_no_locale(run, monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    row = run("-f", "csv", "-i", "0.05", "--samples", "1").stdout.splitlines()[1]
    assert row.count(",") == SYSTEM.count(",")


def test_a_file_instead_of_stdout(run, tmp_path):
    out = tmp_path / "samples.csv"
    out.write_text("from before\n" * 1000)
    done = run("-f", "csv", "-i", "0.05", "--samples", "2", "-o", out)
    assert done.stdout == ""
    assert len(out.read_text().splitlines()) == 3


def test_a_dash_is_stdout(run, tmp_path):
    done = run("-f", "csv", "-i", "0.05", "--samples", "1", "-o", "-", cwd=tmp_path)
    assert len(done.stdout.splitlines()) == 2 and not (tmp_path / "-").exists()
    done = run("--record", "none", "-f", "csv", "-o", "-", "--", "true", cwd=tmp_path)
    assert done.stdout.splitlines()[0] == COMBINED


def test_variable_for_the_file(run, tmp_path, monkeypatch):
    monkeypatch.setenv("TRACKER_OUTPUT", str(tmp_path / "samples"))
    assert run("-f", "csv", "-i", "0.05", "--samples", "1").stdout == ""
    assert len((tmp_path / "samples").read_text().splitlines()) == 2


def test_around_a_command(run, tmp_path):
    command = ["--record", "none", "-i", "0.1", "--", "sh", "-c", "echo of the command; sleep 0.35"]
    # By default there are no samples: only the summary on stderr.
    plain = run(*command)
    assert plain.stdout == "of the command\n"
    assert "timestamp" not in plain.stderr and plain.stderr.strip()
    # -f alone: to stderr, because stdout is the command's.
    asked = run("-f", "csv", *command)
    assert asked.stdout == "of the command\n"
    assert asked.stderr.splitlines()[0] == COMBINED
    # -o: to the file.
    out = tmp_path / "samples"
    until_sampled = 'echo of the command; until [ $(wc -l < "$0") -ge 2 ] 2> /dev/null; do sleep 0.05; done'
    filed = run("-f", "json", "-o", out, *command[:-1], until_sampled, out)
    assert filed.stdout == "of the command\n" and "timestamp_secs" not in filed.stderr
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(lines) >= 3                      # the last one at the command's end
    assert lines[-1]["tracked_pid"] > 0
    # --quiet: no output of the tracker on either.
    quiet = run("--quiet", "-f", "csv", *command)
    assert (quiet.stdout, quiet.stderr) == ("of the command\n", "")


def test_a_command_shorter_than_the_interval_has_a_sample(run, tmp_path):
    # Other trackers: an empty file, or zeros for a command that ended before the second sample.
    out = tmp_path / "samples"
    run("--quiet", "--record", "none", "-f", "csv", "-o", out, "-i", "30", "--", "sh", "-c",
        "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done")
    header, *rows = out.read_text().splitlines()
    assert header == COMBINED and len(rows) == 1
    row = dict(zip(COMBINED.split(","), rows[0].split(",")))
    assert float(row["process_utime"]) + float(row["process_stime"]) > 0


def test_duration_ends_a_watch(run):
    done = run("-f", "json", "-i", "0.1", "--duration", "350ms")
    assert done.returncode == 0
    # One sample in each tenth of a second, or missed.
    assert sum(1 + json.loads(line)["tracker"]["missed_samples"] for line in done.stdout.splitlines()) == 4


def test_samples_end_only_the_sampling_of_a_command(run, tmp_path):
    out = tmp_path / "samples"
    done = run("--quiet", "--record", "none", "-f", "csv", "-o", out, "-i", "0.05", "--samples", "2", "--",
               "sh", "-c", "sleep 0.4; exit 8")
    assert done.returncode == 8


def test_a_reader_that_leaves_ends_a_watch_quietly(tracker):
    # Another tracker: a closed pipe aborted it (134).
    done = subprocess.run(["bash", "-c", f"set -o pipefail; '{tracker}' -f csv -i 0.02 | head -n 1"],
                          capture_output=True, text=True)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", SYSTEM + "\n")


def test_a_reader_that_leaves_between_samples_is_noticed(tracker):
    process = subprocess.Popen([tracker, "-f", "csv", "-i", "30"], stdout=subprocess.PIPE)
    process.stdout.close()
    assert process.wait() == 0


WATCH = ["--samples", "3", "-i", "0.02"]


@pytest.mark.parametrize("words, said", [
    (["-o", "/dev/full"], "cannot write to /dev/full: No space left on device; nothing was written"),
    (["-o", "/dev/full", "--quiet"], "cannot write to /dev/full: No space left on device; nothing was written"),
    (["-o", "{tmp}/fifo"], "no process read {tmp}/fifo; nothing was written"),
    (["--quiet", "--record", "{tmp}/none/record"], "No such file or directory; nothing was written"),
    (["--quiet", "--record", "{tmp}/fifo"], "no process read {tmp}/fifo; nothing was written"),
])
def test_a_watch_that_writes_nothing_fails(run, tmp_path, words, said):
    os.mkfifo(tmp_path / "fifo")
    done = run(*WATCH, *(word.format(tmp=tmp_path) for word in words))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1), done.stderr
    assert done.stderr.startswith("resource-tracker: ") and said.format(tmp=tmp_path) in done.stderr


def test_a_watch_without_a_writable_stdout_fails(tracker):
    for script, said in (("exec '{0}' {1} > /dev/full", "cannot write to stdout: No space left on device; nothing was written"),
                         ("exec '{0}' {1} >&-", "cannot write to stdout: it is closed")):
        done = subprocess.run(["sh", "-c", script.format(tracker, " ".join(WATCH))], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (125, f"resource-tracker: {said}\n")


def test_one_of_two_outputs_is_enough(run, tmp_path):
    """One of two outputs is lost: that is reported, and it is not a failure."""
    for lost, kept in ((["-o", "/dev/full"], ["--record", tmp_path / "a"]), (["--record", "/dev/full"], ["-o", tmp_path / "b"])):
        done = run(*WATCH, *lost, *kept)
        assert (done.returncode, done.stdout) == (0, "") and done.stderr.count("\n") == 1
        assert "cannot write to /dev/full: No space left on device\n" in done.stderr and kept[1].stat().st_size > 0
    done = run(*WATCH, "-o", "/dev/full", "--record", "/dev/full")
    assert done.returncode == 125 and done.stderr.count("\n") == 2 and done.stderr.endswith("; nothing was written\n")


def test_a_reader_of_nothing_is_not_a_failure(tracker):
    for reader in ("true", "head -n 1"):
        done = subprocess.run(["bash", "-c", f"'{tracker}' {' '.join(WATCH)} | {reader} > /dev/null; exit ${{PIPESTATUS[0]}}"],
                              capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_the_status_of_a_command_wins_over_lost_outputs(run):
    done = run("-i", "0.02", "-o", "/dev/full", "--record", "/dev/full", "--", "sh", "-c", "sleep 0.1; exit 7")
    assert done.returncode == 7 and "nothing was written" not in done.stderr


def test_an_attachment_that_writes_nothing_fails(run):
    with subprocess.Popen(["sleep", "600"]) as job:
        done = run("--pid", job.pid, *WATCH, "--record", "none", "-o", "/dev/full")
        job.kill()
    assert done.returncode == 125 and done.stderr.endswith("No space left on device; nothing was written\n")


def test_each_sample_is_written_at_once(tracker):
    # Another tracker: rows were held back in a buffer until the end.
    process = subprocess.Popen([tracker, "-f", "csv", "-i", "0.1"], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == SYSTEM + "\n"
    assert process.stdout.readline().count(",") == SYSTEM.count(",")
    process.terminate()
    assert process.wait() == 0
    process.stdout.close()


def test_only_and_without(run):
    line = json.loads(run("--only", "cpu", "-i", "0.05", "--samples", "1").stdout)
    assert line["cpu"]["utilization_pct"] is not None
    assert line["network"] == [] and line["memory"]["total_mib"] is None
    line = json.loads(run("--without", "cpu", "-i", "0.05", "--samples", "1").stdout)
    assert line["cpu"]["utilization_pct"] is None and line["memory"]["total_mib"] > 0


def test_samples_do_not_drift(run):
    # Another tracker: a sleep of one interval after each sample adds up.  Here samples are due on a grid: late or
    # left out on a busy machine, but never moved.
    done = run("-i", "0.05", "--samples", "30", "--only", "cpu,tracker")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    due = [line["timestamp"] - line["tracker"]["late_seconds"] for line in lines]
    for i in range(1, len(lines)):
        steps = 1 + lines[i]["tracker"]["missed_samples"]
        assert due[i] - due[i - 1] == pytest.approx(steps * 0.05, abs=0.005)


def test_the_pages_about_other_trackers_are_right(run, tmp_path):
    """docs/howto/migrating.md: the destination of samples, the interval of the first one, and the meaning of no children."""
    def lines(path):
        return [json.loads(line) for line in path.read_text().splitlines()]

    out = tmp_path / "out"
    done = run("--quiet", "-i", "0.1", "--samples", "2", "-o", out)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "") and len(lines(out)) == 2
    done = run("--quiet", "--record", "none", "-i", "0.1", "-o", out, "--", "sleep", "0.3")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert all(line["actual_interval_ms"] >= 0 for line in lines(out))
    with subprocess.Popen(["sleep", "1000"]) as sleeper:
        try:
            attach = ("--record", "none", "-i", "0.1", "--samples", "1", "--no-children", "-p", sleeper.pid)
            line, = [json.loads(line) for line in run("-f", "json", *attach).stdout.splitlines()]
            header, row = run("--csv", "process", *attach).stdout.splitlines()
        finally:
            sleeper.kill()
    assert line["actual_interval_ms"] >= 0 and line["process"]["children"] == 0
    assert dict(zip(header.split(","), row.split(",")))["children"] == "0"
    memory = line["memory"]
    assert abs(memory["used_mib"] - (memory["total_mib"] - memory["available_mib"])) <= 1
    assert 0 < memory["active_anon_bytes"] + memory["inactive_anon_bytes"] < memory["total_mib"] * 2**20


def test_memory_is_missing_during_an_exec(run, tmp_path):
    # Regression: a sample in the middle of an exec, whose memory is too new to be known, was told as 0.0000.
    script, out = tmp_path / "again", tmp_path / "out.csv"
    script.write_text('[ "$1" -gt 0 ] && exec sh "$0" $(($1 - 1))\n:\n')
    done = run("--no-children", "-i", "0.01", "--record", "none", "--csv", "process", "-o", out, "--", "sh", script, "300")
    assert done.returncode == 0
    header, *rows = [line.split(",") for line in out.read_text().splitlines()]
    cells = [row[header.index("memory_mib")] for row in rows]
    assert any(cells) and all(cell == "" or float(cell) > 0 for cell in cells)


@pytest.mark.parametrize("how", [[], ["--no-children"], ["--pss", "always"]])
def test_unread_memory_is_missing(run, tmp_path, lines_of, how):
    # Regression: last rows of 0 bytes, and "PSS mean 0 B" for a command that ended before its memory was read.
    record, out = tmp_path / "record.jsonl", tmp_path / "out.csv"
    done = run(*how, "-i", "0.05", "--record", record, "-f", "csv", "--csv", "process", "-o", out, "--",
               "sh", "-c", "sleep 0.4; true")
    assert done.returncode == 0
    assert not re.search(r"^ Memory.* 0 B", done.stderr, re.M), done.stderr
    header, *rows = [line.split(",") for line in out.read_text().splitlines()]
    cells = [row[header.index("memory_mib")] for row in rows]
    assert cells[-1] == "" and all(cell == "" or float(cell) > 0 for cell in cells)
    done = run(*how, "--record", "none", "--", "true")
    assert not re.search(r"^ Memory.* 0 B", done.stderr, re.M), done.stderr
