"""test_howto.py - the commands that the documentation shows: each of their options is one that the program has."""
import pathlib
import re
import shlex

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
SUBCOMMANDS = re.findall(r"^(?:OWN|COMMAND|ANALYSIS)\((\w+)", (ROOT / "src/core/commands.def").read_text(), re.M)
CODE = re.compile(r"^```\w*\n.*?^```|^(?: {4}.*\n)+", re.M | re.S)
SHOWN = re.compile(r"(?:^|[\s\"(])resource-tracker +([^|;&#>\n]*)")


def words_of(command):
    try:
        return shlex.split(command)
    except ValueError:                  # a quote that ends elsewhere
        return command.split()


def options_shown(text):
    """[(subcommand or "", option)] of the commands in a page's code; what follows `--` is another program's."""
    for code in CODE.findall(text):
        for command in SHOWN.findall(code):
            words = words_of(command)
            subcommand = words[0] if words and words[0] in SUBCOMMANDS else ""
            if not subcommand and words and not words[0].startswith("-"):
                continue
            for word in words[:words.index("--") if "--" in words else None]:
                if found := re.match(r"--[a-z-]+|-[a-zA-Z]$", word):
                    yield subcommand, found[0]


def test_options_are_found():
    text = ("```sh\nresource-tracker -o x --tag=a=b -- ls -l\nresource-tracker make -j8\n```\ntext: resource-tracker --no\n\n"
            "    x=$(resource-tracker compare a b --fail-on 'a>1' | head -3)\n")
    assert list(options_shown(text)) == [("", "-o"), ("", "--tag"), ("compare", "--fail-on")]
    assert len(SUBCOMMANDS) > 8 and sum(len(list(options_shown(page.read_text()))) for page in PAGES) > 60


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES])
def test_options_of_a_page_are_there(run, page):
    for subcommand, option in options_shown((ROOT / page).read_text()):
        help_text = run(*filter(None, [subcommand]), "--help").stdout
        if not help_text:
            pytest.skip(f"{subcommand} is not built here")
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", help_text), f"{subcommand} {option}"
