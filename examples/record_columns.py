#!/usr/bin/env python3
"""record_columns.py - the library from another language: columns of a record as doubles, without copying them.

    record_columns.py libresource-tracker.so run.jsonl process.rss_bytes process.cpu_seconds
"""
import ctypes
import sys

RESULTS = {"rt_record_frame": ctypes.c_void_p, "rt_frame_rows": ctypes.c_size_t, "rt_frame_find": ctypes.c_ssize_t,
           "rt_frame_column": ctypes.c_void_p}          # what is no int


def columns(library, path, names):
    rt = ctypes.CDLL(library)
    for name, result in RESULTS.items():
        getattr(rt, name).restype = result
    record, reason = ctypes.c_void_p(), ctypes.create_string_buffer(256)
    if rt.rt_record_open(ctypes.byref(record), path.encode(), reason, ctypes.c_size_t(len(reason))) < 0:
        sys.exit(reason.value.decode())
    if rt.rt_record_keep(record, b"total") < 0 or rt.rt_record_read(record) < 0:
        sys.exit("out of memory")
    frame = ctypes.c_void_p(rt.rt_record_frame(record, b"total"))
    rows = rt.rt_frame_rows(frame)
    for name in names:
        number = rt.rt_frame_find(frame, name.encode())
        if number < 0:
            sys.exit(f"the record has no {name}")
        at = rt.rt_frame_column(frame, ctypes.c_size_t(number))
        yield (ctypes.c_double * rows).from_address(at) if rows else ()         # good until rt_record_close
    # The process ends, and the record with it; a binding calls rt_record_close where its own object is freed.


if __name__ == "__main__":
    for values in zip(*columns(sys.argv[1], sys.argv[2], ["timestamp_seconds", *sys.argv[3:]])):
        print(*values)
