#!/usr/bin/python3
"""words.py [--limit N] [--list] [PATH...] - the rate of unclear words in comments and documentation.

Counts in two kinds of text: the comments of sources, tests and scripts (with the docstrings of Python), and the
prose of Markdown outside of code.  Prints for each folder: words, hits, and hits in 1,000 words.  PATH is a file or
a folder; without one, every file that git knows.  Exit status 1: either kind has more than N in 1,000 (0.6).
"""
import argparse
import collections
import io
import pathlib
import re
import subprocess
import sys
import tokenize

# Words to avoid, and their replacements in the kernel's and systemd's documentation.
SELDOM = re.compile(
    r"\b(?:whoever|whose|nobody"             # name the subject: "a process that", "of which", "no process"
    r"|tell|tells|telling|told"              # report, state, note, distinguish
    r"|hear|hears|heard"                     # receive
    r"|dear|dearer|dearest"                  # expensive, "by CPU time"
    r"|may\s+not"                            # "must not", "cannot", "might not": it can be read as any of these
    r"|what(?:\s+[\w'-]+){1,4}?\s+that)\b",  # a relative clause in place of a noun
    re.I)
WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")

C_TOKEN = re.compile(r"""(/\*.*?\*/|(?<![^\s;{}(),])//[^\n]*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
C_MARGIN = re.compile(r"^[ \t]*(?:/\*+|//|\*(?!/))|\*/", re.M)
SHELL_COMMENT = re.compile(r"(?:^|[ \t])#([^\n]*)", re.M)
MARKDOWN_CODE = re.compile(
    r"^([ \t]*)(```+|~~~+).*?^[ \t]*\2[ \t]*$"     # a fence
    r"|^(?:    |\t)(?![ \t]*(?:[-*+]|\d+\.) )[^\n]*"  # an indented block
    r"|(`+)(?!`).*?(?<!`)\3(?!`)"                  # inline
    r"|<!--.*?-->|\]\([^)\s]*\)",                  # comments, and where a link goes
    re.M | re.S)


def blank(text):
    """As many lines, nothing else."""
    return "\n" * text.count("\n") or " "


def c_comments(text):
    """The comments of the text; all else is blank, and lines stay in place."""
    parts, end = [], 0
    for found in C_TOKEN.finditer(text):
        parts += [blank(text[end:found.start()]), C_MARGIN.sub(" ", found[1]) if found[1] else blank(found[0])]
        end = found.end()
    return "".join(parts) + blank(text[end:])


def python_comments(text):
    lines = [""] * (text.count("\n") + 2)
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        # A string that begins a statement is a docstring.
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and before in (
                tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)):
            for n, line in enumerate(token.string.split("\n"), token.start[0] - 1):
                lines[n] += " " + line
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            before = token.type
    return "\n".join(lines)


def shell_comments(text):
    return "\n".join(" ".join(SHELL_COMMENT.findall(line)) for line in text.split("\n"))


def markdown_prose(text):
    return MARKDOWN_CODE.sub(lambda found: blank(found[0]), text)


READERS = {".c": c_comments, ".h": c_comments, ".def": c_comments, ".js": c_comments, ".py": python_comments,
           ".sh": shell_comments, ".cmake": shell_comments, ".md": markdown_prose}
SCRIPTS = {"python3": ".py", "sh": ".sh", "bash": ".sh"}    # scripts without a suffix, by their interpreter


def files_of(paths):
    """The files below the paths; without paths, the existing ones that git knows."""
    if paths:
        return sorted(f for p in paths for f in (p.rglob("*") if p.is_dir() else [p]) if f.is_file())
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True)
    return [path for path in map(pathlib.Path, listed.stdout.splitlines()) if path.is_file()]


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--limit", type=float, default=0.6, help="most hits in 1,000 words (0.6)")
    options.add_argument("--list", action="store_true", help="print each hit as FILE:LINE: WORD")
    options.add_argument("paths", nargs="*", type=pathlib.Path)
    given = options.parse_args()

    counts = {"comments": collections.defaultdict(lambda: [0, 0]), "documentation": collections.defaultdict(lambda: [0, 0])}
    for path in files_of(given.paths):
        text = path.read_text(encoding="utf-8", errors="replace")
        suffix = path.suffix or SCRIPTS.get(re.split("[/ ]", text.split("\n", 1)[0])[-1])
        if suffix not in READERS:
            continue
        text = READERS[suffix](re.sub(r"\A#!.*", "", text))
        found = list(SELDOM.finditer(text))
        folder = counts["documentation" if path.suffix == ".md" else "comments"][str(path.parent)]
        folder[0] += len(WORD.findall(text))
        folder[1] += len(found)
        for hit in found if given.list else ():
            print(f"{path}:{text.count(chr(10), 0, hit.start()) + 1}: {' '.join(hit[0].split())}")

    bad = False
    for kind, folders in counts.items():
        total = [sum(column) for column in zip(*folders.values())] or [0, 0]
        print(f"{kind}\n{'words':>9} {'hits':>5} {'in 1,000':>9}")
        for folder, (words, hits) in [*sorted(folders.items()), ("all", total)]:
            print(f"{words:9} {hits:5} {hits * 1000 / max(words, 1):9.2f}  {folder}")
        bad |= total[1] * 1000 > given.limit * total[0]
    sys.exit(bad)


main()
