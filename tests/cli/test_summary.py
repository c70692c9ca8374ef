"""test_summary.py - the end summary, live and from a record."""
import re

from summary_text import without_digits

BARS = "▁▂▃▄▅▆▇█"


def bars_of(text):
    return re.findall(f"[{BARS}]", text)


def test_a_record_cut_anywhere_gives_a_summary(run, tmp_path):
    record = tmp_path / "record.jsonl"
    assert run("--quiet", "--record", record, "-i", "0.02", "--", "sleep", "0.3").returncode == 0
    text = record.read_text()
    cut = tmp_path / "cut.jsonl"
    for share in (0.5, 0.9, 0.99):
        cut.write_text(text[:int(len(text) * share)])
        done = run("summary", cut)
        assert done.returncode == 0, done.stderr
        assert "sleep" in done.stdout


def test_summary_of_a_record(run, tmp_path):
    record = tmp_path / "record.jsonl"
    live = run("--record", record, "-i", "0.05", "-n", "a job", "--", "sh", "-c", "sleep 0.3; exit 4")
    again = run("summary", record)
    assert live.returncode == 4 and again.returncode == 0
    assert "exit" in live.stderr.lower() and "4" in live.stderr
    assert "sleep 0.3" in live.stderr
    # The same page, from the record alone; a last digit or a bar can be rounded the other way.
    assert without_digits(again.stdout) == without_digits(live.stderr)
    assert all(abs(BARS.index(a) - BARS.index(b)) <= 1
               for a, b in zip(bars_of(again.stdout), bars_of(live.stderr), strict=True))


def test_summary_of_a_file_that_is_not_a_record(run, tmp_path):
    for content in ("", "not json\n", "{}\n"):
        odd = tmp_path / "odd"
        odd.write_text(content)
        done = run("summary", odd)
        assert done.returncode not in (0, None) and done.stderr.strip()
    assert run("summary", tmp_path / "missing").returncode != 0
