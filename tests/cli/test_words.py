"""test_words.py - tools/words.py: the words that it counts, in which part of a file, and its exit status."""
import pathlib
import subprocess
import sys

WORDS = pathlib.Path(__file__).resolve().parents[2] / "tools/words.py"

FILES = {
    "src/a.c": '/* a.c - whoever\n * calls it.  What is there that counts. */\nint nobody;  /* may\n * not */\nchar *s = "told /* heard */";\n',
    "src/b.js": 'const url = "http://whose";  // whose\n',
    "src/c.py": '"""Nobody."""\nX = "told"  # heard\n\n\ndef f():\n    """Tells\n    a tale."""\n    return {"whose": 1}\n',
    "src/d.sh": '#!/bin/sh\necho "told"   # told\n# dearest\n',
    "src/run": "#!/usr/bin/env python3\nX = 'told'  # told\n",
    "docs/e.md": "# Told\n\nA `told` word, [a link](told.md).\n\n```sh\necho told\n```\n\n    told\n\n* one\n    - heard\n",
    "docs/f.txt": "told\n",
}


def words(folder, *arguments):
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, WORDS, *arguments, "src", "docs"], cwd=folder, text=True, capture_output=True)


def test_hits_have_their_places(tmp_path):
    listed = [line for line in words(tmp_path, "--list").stdout.splitlines() if ": " in line]
    assert listed == [
        "docs/e.md:1: Told", "docs/e.md:12: heard",
        "src/a.c:1: whoever", "src/a.c:2: What is there that", "src/a.c:3: may not",
        "src/b.js:1: whose",
        "src/c.py:1: Nobody", "src/c.py:2: heard", "src/c.py:6: Tells",
        "src/d.sh:2: told", "src/d.sh:3: dearest",
        "src/run:2: told",
    ]


def test_folders_have_their_counts(tmp_path):
    """Code, strings, fences, inline code and targets of links do not count as words."""
    rows = [line.split() for line in words(tmp_path).stdout.splitlines()]
    assert [row for row in rows if len(row) == 4 and row[0].isdigit()] == [
        ["21", "10", "476.19", "src"], ["21", "10", "476.19", "all"],
        ["7", "2", "285.71", "docs"], ["7", "2", "285.71", "all"],
    ]


def test_each_kind_has_the_limit(tmp_path):
    """More than N in 1,000 of the comments or of the documentation is exit status 1."""
    assert words(tmp_path).returncode == 1
    assert words(tmp_path, "--limit", "400").returncode == 1
    assert words(tmp_path, "--limit", "476").returncode == 1
    assert words(tmp_path, "--limit", "477").returncode == 0
    documentation = [sys.executable, WORDS, "--limit", "280", "docs"]
    assert subprocess.run(documentation, cwd=tmp_path).returncode == 1


def test_a_text_without_words_passes(tmp_path):
    (tmp_path / "empty.md").write_text("")
    assert subprocess.run([sys.executable, WORDS, "empty.md"], cwd=tmp_path).returncode == 0
