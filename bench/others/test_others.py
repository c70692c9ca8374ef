"""What each tool reports, from files as it writes them, and run.py around small scripts in the place of tools."""
import pathlib
import subprocess
import sys

import pytest

import tools

HERE = pathlib.Path(__file__).resolve().parent

SUMMARY = '{"quantities": {"cpu_time": 2.19, "peak_memory": 1360896, "peak_rss": 2220032}}'
PRMON = '{"Avg": {"pss": 188.5}, "Max": {"pss": 189, "rss": 1888, "utime": 2, "stime": 1}}'
CON_DUCT = '{"execution_summary": {"wall_clock_time": 4.0, "average_pcpu": 25.0, "peak_rss": 1871872}}'
CON_DUCT_WITHOUT_A_SAMPLE = '{"execution_summary": {"wall_clock_time": 0.1, "average_pcpu": null, "peak_rss": null}}'
PERF = "# started on Tue Nov 24 12:31:52 2026\n\n2120.5,msec,task-clock,2120500000,100.00,0.5,CPUs utilized\n"
PSRECORD = "elapsed_time,nproc,cpu,mem_real,mem_virtual\n0.0,1,0.0,1.5,2.8\n1.0,2,50.0,3.0,2.8\n3.0,1,25.0,2.0,2.8\n"


@pytest.mark.parametrize("read, text, expected", [
    (tools.of_ours, SUMMARY, tools.Report(2.19, 1360896, 2220032)),
    (tools.of_time, "Command exited with non-zero status 3\n1.50 0.25 2048\n", tools.Report(1.75, 2 << 20, 2 << 20)),
    (tools.of_prmon, PRMON, tools.Report(3, 189 << 10, 1888 << 10)),
    (tools.of_con_duct, CON_DUCT, tools.Report(1.0, 1871872, 1871872)),
    (tools.of_con_duct, CON_DUCT_WITHOUT_A_SAMPLE, tools.Report()),
    (tools.of_perf, PERF, tools.Report(cpu_seconds=2.1205)),
    (tools.of_psrecord, PSRECORD, tools.Report(1.0, 3 << 20, 3 << 20)),
])
def test_report(read, text, expected):
    assert read(text) == expected


def around(folder, *words, **scripts):
    """run.py with these scripts alone as tools."""
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    (folder / "sh").symlink_to("/bin/sh")
    return subprocess.run([sys.executable, HERE / "run.py", *words], env={"PATH": str(folder)}, capture_output=True, text=True, check=True)


def test_a_tool_that_is_not_installed_has_no_column(tmp_path):
    done = around(tmp_path, "--only", "status", time='shift 4; "$@"', psrecord="exit 0")
    head, _, row = done.stdout.splitlines()[:3]
    assert "GNU time" in head and "psrecord" in head and "prmon" not in head
    assert row.endswith("| 3 and 137 | 0 and 0 |")
    left_out = done.stdout.splitlines()[-1].partition("not measured: ")[2]
    assert "prmon" in left_out and "con-duct" in left_out and "GNU time" not in left_out
