"""test_compare.py - compare.py on CSVs small enough to check by hand."""
import importlib.util
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("compare", HERE / "compare.py")
compare = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compare)


def rows(text):
    return compare.load(line.strip() for line in text.strip().splitlines())


def test_rows_are_paired_by_nearest_time_and_once():
    ours = rows("""timestamp,utime
        10,1
        11,2
        12,3
        20,9""")
    theirs = rows("""timestamp,utime
        10.4,10
        11.4,20
        12.6,30""")
    pairs = compare.pair(ours, theirs, 0.5)
    assert [(a["utime"], b["utime"]) for a, b in pairs] == [(1, 10), (2, 20)]


def test_the_numbers_of_a_column():
    ours = rows("""timestamp,cpu_usage
        1,1.0
        2,3.0""")
    theirs = rows("""timestamp,cpu_usage
        1.1,2.0
        2.1,2.0""")
    r = compare.compare(ours, theirs)["cpu_usage"]
    assert r["n"] == 2
    assert r["ours"] == {"mean": 2.0, "std": 1.0, "min": 1.0, "max": 3.0}
    assert r["theirs"] == {"mean": 2.0, "std": 0.0, "min": 2.0, "max": 2.0}
    assert r["mad"] == 1.0
    assert r["deviation_pct"] == 50.0


def test_an_empty_cell_is_not_zero():
    ours = rows("""timestamp,utime,stime
        1,,1
        2,4,""")
    theirs = rows("""timestamp,utime,stime
        1,2,
        2,4,1""")
    result = compare.compare(ours, theirs)
    assert result["utime"]["n"] == 1 and result["utime"]["mad"] == 0
    assert "stime" not in result


def test_counters_become_amounts():
    theirs = rows("""timestamp,disk_read_bytes,net_recv_bytes
        1,1000000,5
        2,1000100,0
        3,1000300,7
        4,200,8""")
    assert not compare.is_cumulative(theirs, "net_recv_bytes")
    assert not compare.is_cumulative(theirs, "disk_read_bytes")        # it was reset
    assert compare.is_cumulative(theirs[:3], "disk_read_bytes")
    compare.difference(theirs, ["disk_read_bytes"])
    assert [row["disk_read_bytes"] for row in theirs] == [None, 100, 200, None]
    assert [row["net_recv_bytes"] for row in theirs] == [5, 0, 7, 8]


def test_names_of_the_layouts_are_matched():
    ours = rows("""timestamp,memory_used,gpu_vram
        1,5,0""")
    theirs = rows("""timestamp,system_memory_used_mib,system_gpu_vram_mib
        1,5,0""")
    assert set(compare.compare(ours, theirs)) == {"memory_used_mib", "gpu_vram_mib"}


def test_the_program_prints_a_table(tmp_path):
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    a.write_text("timestamp,utime\n1,1\n2,1\n")
    b.write_text('"timestamp","utime"\n1.2,1\n2.2,3\n')
    words = [sys.executable, HERE / "compare.py", "--ours", a, "--theirs", b]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout.splitlines()[2].split(" | ")[-2:] == ["1.000", "50.0 % |"]
    b.write_text("timestamp,utime\n100,1\n")
    assert subprocess.run(words, capture_output=True).returncode == 1


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
