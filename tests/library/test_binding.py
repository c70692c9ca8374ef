"""test_binding.py - the library from another language: calls through its symbols, columns without copying."""
import ctypes
import json
import math
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD") or ROOT / "build/dev")

pytestmark = pytest.mark.skipif(bool(os.environ.get("SANITIZE")), reason="the interpreter has no sanitizer's runtime")


@pytest.fixture(scope="module")
def library():
    found = ctypes.CDLL(BUILD / "libresource-tracker.so")
    for name, result in {"rt_version": ctypes.c_char_p, "rt_get": ctypes.c_double, "rt_frame_rows": ctypes.c_size_t,
                         "rt_frame_columns": ctypes.c_size_t, "rt_frame_find": ctypes.c_ssize_t,
                         "rt_record_frame": ctypes.c_void_p, "rt_frame_column": ctypes.c_void_p,
                         "rt_frame_text": ctypes.c_char_p}.items():
        getattr(found, name).restype = result
    return found


def opened(function, *arguments):
    handle, reason = ctypes.c_void_p(), ctypes.create_string_buffer(256)
    assert function(ctypes.byref(handle), *arguments, reason, len(reason)) == 0, reason.value
    return handle


def column(library, frame, name):
    rows = library.rt_frame_rows(frame)
    at = library.rt_frame_column(frame, ctypes.c_ssize_t(library.rt_frame_find(frame, name.encode())))
    return memoryview((ctypes.c_double * rows).from_address(at)).cast("B").cast("d")


def test_options_of_any_size(library):
    """A binding has the size that it was written for, not that of the library."""
    for size in (16, 40, 4096):
        options = (ctypes.c_char * size)(*b"\x55" * size)
        library.rt_options_init(options, ctypes.c_size_t(size))
        tracker = opened(library.rt_open, options)
        assert library.rt_sample(tracker) == 0
        assert library.rt_get(tracker, b"cpu.processes") >= 1
        library.rt_close(tracker)


def test_columns_of_a_record(library, tmp_path):
    path = tmp_path / "run.jsonl"
    subprocess.run([BUILD / "resource-tracker", "--quiet", "--interval", "0.02", "--record", path, "--",
                    "/usr/bin/python3", "-c", "import time\nwhile time.process_time() < 0.2: pass"], check=True)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    rows = [line for line in lines if isinstance(line, list) and line[0] == "r"]
    end = lines[-1]["end"]

    record = opened(library.rt_record_open, str(path).encode())
    assert library.rt_record_keep(record, b"total,program,exit,statistic") == 0
    assert library.rt_record_read(record) == 0
    kept = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if os.path.lexists(f"/proc/self/fd/{fd}")]
    assert str(path) not in kept, "a record that was read to its end needs no file"
    total, program, exits, statistic = (ctypes.c_void_p(library.rt_record_frame(record, name))
                                        for name in (b"total", b"program", b"exit", b"statistic"))
    times, seconds, cpu = (column(library, total, name)
                           for name in ("timestamp_seconds", "interval_seconds", "process.cpu_seconds"))
    assert len(times) == len(rows) and times.format == "d" and times.contiguous
    assert all(math.isclose(time, lines[0]["start"] + row[1], abs_tol=1e-5) for time, row in zip(times, rows))
    assert all(math.isclose(s, row[2], rel_tol=1e-9) for s, row in zip(seconds, rows))
    sums = end["statistics"]["process.cpu_seconds"][2]
    assert math.isclose(sum(value for value in cpu if not math.isnan(value)), sums, rel_tol=1e-3)

    programs = {library.rt_frame_text(program, ctypes.c_size_t(i), ctypes.c_size_t(0)).decode()
                for i in range(library.rt_frame_rows(program))}
    assert any(name.startswith("python3") for name in programs), programs
    assert library.rt_frame_rows(exits) == end["exits_written"]
    metrics = [library.rt_frame_text(statistic, ctypes.c_size_t(i), ctypes.c_size_t(0))
               for i in range(library.rt_frame_rows(statistic))]
    assert math.isclose(column(library, statistic, "sum")[metrics.index(b"process.cpu_seconds")], sums)
    library.rt_record_close(record)


def test_the_example(tmp_path):
    path = tmp_path / "run.jsonl"
    subprocess.run([BUILD / "resource-tracker", "--quiet", "--record", path, "--", "true"], check=True)
    rows = [line for line in map(json.loads, path.read_text().splitlines()) if isinstance(line, list) and line[0] == "r"]

    def shown(*words):
        return subprocess.run(["/usr/bin/python3", ROOT / "examples/record_columns.py", BUILD / "libresource-tracker.so",
                               *words], capture_output=True, text=True)
    done = shown(path, "interval_seconds", "process.cpu_seconds")
    assert [float(line.split()[1]) for line in done.stdout.splitlines()] == [row[2] for row in rows], done.stderr
    assert shown(path, "nosuch").returncode == 1 and shown(tmp_path / "none", "x").stderr.count("\n") == 1
