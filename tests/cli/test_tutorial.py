"""test_tutorial.py - docs/tutorial/first-run.md: its commands are run in their order, and print what the page shows."""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
BUILD = 'make release\nexport PATH="$PWD/build/release:$PATH"\n'
# What stays the same from run to run: labels of the summary, heads of columns, quantities, directives.
STEADY = re.compile(r"^(?: (?=[A-Z])|(?=[A-Z]{3}|[a-z]+_|#SBATCH))(.*?)(?=  |=| \(|$)", re.M)


def blocks():
    """[(commands, what the page shows of their output)]"""
    shown = []
    for kind, text in BLOCK.findall((ROOT / "docs/tutorial/first-run.md").read_text()):
        if kind == "sh":
            shown.append([text, ""])
        else:
            shown[-1][1] += text
    return shown


def test_the_page_begins_with_a_build_that_there_is():
    assert blocks()[0] == [BUILD, ""]
    subprocess.run(["make", "-n", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def test_what_the_page_shows_is_looked_at():
    steady = [STEADY.findall(shown) for _, shown in blocks()]
    assert "Memory PSS" in steady[1] and "Tracker" in steady[1] and "RUN" in steady[2]
    assert "largest_process" in steady[4] and "#SBATCH --mem" in steady[5]


def test_each_command_prints_what_the_page_shows(tracker, tmp_path, monkeypatch, has_page):
    (tmp_path / "build").mkdir()
    (tmp_path / "build/release").symlink_to(tracker.parent)
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    monkeypatch.setenv("PATH", str(tmp_path / "build/release"), prepend=":")
    for commands, shown in blocks()[1:]:
        done = subprocess.run(["sh", "-euc", commands], cwd=tmp_path, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        assert done.returncode == 0, done.stdout
        missing = set(STEADY.findall(shown)) - set(STEADY.findall(done.stdout))
        assert not missing, f"{commands}{missing} are not in:\n{done.stdout}"
    assert (tmp_path / "numbers.html").stat().st_size > 50_000
