"""test_plot.py - pictures of runs: their contents, their sizes, and errors."""
import json
import os
import pathlib
import re
import stat
import struct
import subprocess
import xml.etree.ElementTree as xml
import zlib

import pytest

SVG = "{http://www.w3.org/2000/svg}"


# Runs its words, and ends when the record has rows of it, however late the recorder comes by.
UNTIL_SEEN = """"$@"; until [ "$(grep -c '^."r",' "$RESOURCE_TRACKER_RUN" 2> /dev/null)" -gt 3 ] 2> /dev/null; do sleep 0.05; done"""


@pytest.fixture(scope="module")
def recorded(tracker, loads, tmp_path_factory):
    """The record of a run that uses half a second of CPU."""
    path = tmp_path_factory.mktemp("recorded") / "run.jsonl"
    subprocess.run([tracker, "--quiet", "-i", "0.2", "--record", path, "--job-name", "nightly <b>&amp; \"x\"", "--",
                    "sh", "-c", UNTIL_SEEN, "sh", loads / "load_cpu", "--seconds", "0.5"], check=True, capture_output=True)
    return path


def words_of(path):
    """(width, height, title, the words in the picture) of an SVG file, which must be valid XML."""
    root = xml.parse(path).getroot()
    assert root.tag == SVG + "svg" and root.get("role") == "img"
    sides = [float(root.get(side).removesuffix("px")) for side in ("width", "height")]
    assert not list(root.iter(SVG + "script")) and not list(root.iter(SVG + "image"))
    return *sides, root.find(SVG + "title").text, root.find(SVG + "desc").text.splitlines()


def pixels_of(path):
    """(width, height, the colours in it) of a PNG file, which must have valid checksums."""
    data, at, parts = path.read_bytes(), 8, []
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
        parts.append((kind, body))
        at += 12 + length
    width, height, depth, color = struct.unpack(">IIBB", parts[0][1][:10])
    assert parts[-1][0] == b"IEND" and (depth, color) == (8, 2)
    rows = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    assert len(rows) == height * (1 + 3 * width)
    return width, height, len(set(rows))


def test_an_svg_holds_its_labels(recorded, run, tmp_path):
    done = run("plot", recorded, "-o", tmp_path / "x.svg")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    width, height, title, words = words_of(tmp_path / "x.svg")
    assert width == 1600 and 600 < height < 2000 and title == 'nightly <b>&amp; "x"'
    assert any(re.fullmatch(r".*load_cpu --seconds 0\.5", word) for word in words)
    assert any(re.fullmatch(r"exit 0 after [\d.]+s", word) for word in words)
    for label in ("CPU, cores", "job", "Memory", "PSS", "RSS", "Disk I/O", "job writes", "Network", "0"):
        assert label in words, label
    assert any(re.fullmatch(r"\d(\.\d)? s", word) for word in words)
    rows = list(rows_of(recorded, "process.cpu_cores"))
    peak = float(next(word for word in words[words.index("CPU, cores"):] if word.startswith("peak ")).split()[1])
    assert any(abs(row[4] - peak) < 0.006 for row in rows) and peak > max(row[4] for row in rows if row[2] >= 0.1) - 0.006
    assert any(re.fullmatch(r"peak [\d.]+ [KM]iB", word) for word in words)
    assert not any("GPU" in word for word in words)     # this run used none
    assert stat.S_IMODE((tmp_path / "x.svg").stat().st_mode) == 0o600


def rows_of(record, column):
    """The rows, with the value of a column in place 4."""
    names = []
    for line in map(json.loads, record.read_text().splitlines()):
        if isinstance(line, dict):
            names = [c[0] for c in line.get("columns", [])] or names
        elif line[4][names.index(column)] is not None:
            yield [*line[:4], line[4][names.index(column)]]


@pytest.mark.parametrize("size", ["1600x1000", "800x700", "3000x2000"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_png_has_its_size_and_something_in_it(recorded, run, size, theme, tmp_path):
    done = run("plot", recorded, "-o", tmp_path / "x.png", "--size", size, "--theme", theme)
    assert done.returncode == 0, done.stderr
    width, height, colors = pixels_of(tmp_path / "x.png")
    assert f"{width}x{height}" == size and colors > 100


def test_charts_and_metrics_by_name(recorded, run, tmp_path):
    out = tmp_path / "x.svg"
    assert run("plot", recorded, "-o", out, "--metrics", "process.rss_bytes,processes_count,process.minor_faults").returncode == 0
    words = words_of(out)[3]
    titles = [words.index(title) for title in ("process.rss_bytes", "Processes", "process.minor_faults per second")]
    assert titles == sorted(titles) and "Memory" not in words and "Disk I/O" not in words
    assert run("plot", recorded, "-o", out, "--metrics", "gpu_power").returncode == 0
    assert "not known of this run" in words_of(out)[3]


def test_the_same_picture_each_time(recorded, run, tmp_path):
    for name in ("a.svg", "b.svg", "a.png", "b.png"):
        assert run("plot", recorded, "-o", tmp_path / name).returncode == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def write_record(path, name, rows):
    lines = [json.dumps({"record": "resource-tracker", "version": 1, "id": "x", "start": 1.7e9, "interval_seconds": 1, "pids": [1],
                         "command": [name, name], "metadata": {"job_name": name}, "host": {"name": name}}),
             json.dumps({"columns": [["process.rss_bytes", "bytes", "level"], ["process.cpu_cores", "cores", "level"]]})]
    path.write_text("\n".join(lines + rows) + "\n", encoding="utf-8", errors="surrogateescape")
    return path


def test_a_spike_of_a_long_run_is_drawn(run, tmp_path):
    rows = [f'["r",{i + 1},1,1,[{7 << 30 if i == 12345 else 1 << 20},0.5],null,{{}}]' for i in range(20000)]
    record = write_record(tmp_path / "long.jsonl", "long", rows)
    assert run("plot", record, "-o", tmp_path / "x.svg").returncode == 0
    words = words_of(tmp_path / "x.svg")[3]
    assert "peak 7.00 GiB" in words and "8 GiB" in words and "5 h" in words
    assert any("shaded" in word for word in words)


@pytest.mark.parametrize("name", [
    "</title><script>alert(1)</script>", "]]>\"'&#0;<", "a\nb\x01\x7f\x1b[31m", "\udcff\udcfe", "\u202e\U0001f600" * 50, "x" * 100000, "",
])
def test_hostile_names_are_inert(run, name, tmp_path):
    values = ["1e999", "-1e308", "1e300", "null", "1e18", "-5", "0", "1e-300"]
    rows = [f'["r",{i + 1},1,1,[{v},{v}],null,{{}}]' for i, v in enumerate(values)] + ['["r",1e300,1,1,[1,1],null,{}]', '["r",3,-1,1,[1,1],null,{}]']
    record = write_record(tmp_path / "nasty.jsonl", name, rows)
    for out in (tmp_path / "x.svg", tmp_path / "x.png"):
        done = run("plot", record, "-o", out)
        assert done.returncode == 0, done.stderr
    title = words_of(tmp_path / "x.svg")[2] or ""
    assert not any(ord(c) < 32 for c in title)
    assert pixels_of(tmp_path / "x.png")[2] > 50


def test_other_trackers_files(run, tmp_path):
    table = tmp_path / "theirs.csv"
    table.write_text("timestamp,cpu_usage,memory_used,disk_read_bytes,disk_write_bytes,net_recv_bytes,net_sent_bytes\n" +
                     "".join(f"{1700000000 + i},{i % 3},{1000 + i},0,{i * 100},5,6\n" for i in range(50)))
    assert run("plot", table, "-o", tmp_path / "x.svg").returncode == 0
    words = words_of(tmp_path / "x.svg")[3]
    assert "theirs.csv" == words_of(tmp_path / "x.svg")[2] and "machine" in words and "peak 2" in words


@pytest.mark.parametrize("words, sentence", [
    (["-o", "x.gif"], "ends in .svg or .png"), ([], "to which file?"), (["-o", "x.svg", "--metrics", "memry"], "did you mean memory?"),
    (["-o", "x.svg", "--metrics", "process.rss_byte"], "did you mean process.rss_bytes?"),
    (["-o", "x.svg", "--metrics", "cpu,,memory"], "'' is neither a metric nor one of cpu, memory,"),
    (["-o", "x.svg", "--metrics", "qqqqqqqq"], "'qqqqqqqq' is neither a metric"), (["-o", "x.svg", "--theme", "pink"], "neither light nor dark"),
    (["-o", "x.svg", "--metrics", ",".join(["cpu"] * 30)], "at most 24 charts"),
    (["-o", "x.svg", "--size", "big"], "is not a size such as"), (["-o", "x.svg", "--size", "1600"], "is not a size such as"),
    (["-o", "x.svg", "--size", "10x10"], "is out of range"), (["-o", "x.svg", "--size", "10000x10000"], "is out of range"),
    (["-o", "x.png", "--size", "2000x300"], "is too low for 4 charts: they need"),
    (["-o", "x.png", "--size", "9000x200", "--metrics", "cpu"], "is too low for 1 chart: it needs"), (["-o", "nowhere/x.svg"], "cannot write nowhere/x.svg"),
    (["other", "-o", "x.svg"], "a picture shows one run"), (["-o", "x.svg", "--colour", "x"], "there is no option --colour"),
])
def test_bad_words_get_one_sentence(recorded, run, words, sentence, tmp_path):
    done = run("plot", recorded, *words, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1) and sentence in done.stderr
    assert not [p for p in tmp_path.iterdir() if p.is_file()]


@pytest.mark.parametrize("content, sentence", [
    (b"", "is empty"), (b"\xff\0" * 99, "has an unknown format"), (b'{"record":"resource-tracker","version":1,"id":"x"}\n', "no row"),
])
def test_a_failed_plot_leaves_the_old_picture(run, content, sentence, tmp_path):
    (tmp_path / "bad").write_bytes(content)
    (tmp_path / "x.svg").write_text("old")
    done = run("plot", tmp_path / "bad", "-o", tmp_path / "x.svg")
    assert (done.returncode, done.stderr.count("\n")) == (125, 1) and sentence in done.stderr
    assert (tmp_path / "x.svg").read_text() == "old"


def test_a_truncated_record_is_drawn_up_to_its_cut(recorded, run, tmp_path):
    lines = recorded.read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[:-2]))
    done = run("plot", tmp_path / "cut.jsonl", "-o", tmp_path / "x.svg")
    assert done.returncode == 0 and "no end line" in done.stderr
    assert any("how it ended is unknown" in word for word in words_of(tmp_path / "x.svg")[3])


def test_without_fonts_text_is_still_drawn(recorded, tracker, tmp_path):
    """Nodes of a cluster have no fonts: cairo's own letters are plain, but present."""
    (tmp_path / "fonts.conf").write_text("<?xml version='1.0'?><fontconfig></fontconfig>")
    done = subprocess.run([tracker, "plot", recorded, "-o", tmp_path / "x.svg"], capture_output=True, text=True,
                          env={**os.environ, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")})
    assert done.returncode == 0 and "CPU, cores" in words_of(tmp_path / "x.svg")[3]
    assert sum(1 for _ in xml.parse(tmp_path / "x.svg").iter(SVG + "use")) > 200       # letters


def test_help(run):
    text = run("plot", "--help").stdout
    assert all(word in text for word in ("--metrics", "--size", "--theme", "disk_io"))
    assert pathlib.Path(__file__).resolve().parents[2].joinpath("docs/reference/plot.md").exists()
