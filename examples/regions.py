#!/usr/bin/env python3
"""regions.py - a program that names its parts: resource-tracker -- ./regions.py"""
import sys
import time

try:
    from resource_tracker_regions import mark, region, value
except ImportError:
    sys.exit("put share/resource-tracker on PYTHONPATH, or resource_tracker_regions.py beside this program")


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@region
def my_func(n):
    with region("load array"):
        array = bytearray(1) * 4_000_000
    burn(0.02)
    return len(array) * n


def main():
    total = 0
    for n in range(10):
        total += my_func(n)
        value("total", total)
    with region("keep a table"):
        table = b"x" * (300 << 20)
    mark("table is there")
    with region("look things up"):
        for n in range(20_000):
            with region("one"):                 # 20,000 times: reported together
                table[n]


main()
