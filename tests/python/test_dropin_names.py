"""The table of public names: each is there, and its test calls it."""
import importlib
import pathlib
import re

import pytest
from dropin_contract import CONTRACT
from dropin_support import ROOT

from resource_tracker import ProcessTracker, ResourceTracker, SystemTracker

TABLE = (ROOT / "docs/reference/python-dropin.md").read_text(encoding="utf-8")
TESTS = {path.name: path.read_text(encoding="utf-8") for path in
         pathlib.Path(__file__).parent.glob("test_dropin_*.py")}


def rows():
    """(module, name, test) of each line of the table."""
    for part in TABLE.split("\n### ")[1:]:
        module = re.match("`(.*)`", part).group(1)
        for names, test in re.findall(
                r"^\| (`.*?`) \| .*? \| `(\w+)` \|$", part, re.M):
            for name in re.findall("`(.*?)`", names):
                yield module, name, test


@pytest.mark.parametrize("module, name, test", sorted(rows()))
def test_each_name_is_there_and_is_tested(module, name, test):
    found = importlib.import_module(module)
    for part in name.split("."):
        found = with_attributes(found, part)
    bodies = [body for text in TESTS.values() for body in re.findall(
        rf"^(def {test}\(.*?)(?=^\S|\Z)", text, re.M | re.S)]
    assert len(bodies) == 1
    assert re.search(rf"\b{name.rpartition('.')[2]}\b",
                     with_decorators(bodies[0], test))


def with_attributes(found, name):
    """Of a class, also what its objects have once they are used."""
    if found is ResourceTracker and not hasattr(found, name):
        found = ResourceTracker(track_processes=True)
        if name.endswith("_process"):
            with found:
                return getattr(found, name)
    elif found in (ProcessTracker, SystemTracker):
        found = found(autostart=False)
    return getattr(found, name)


def with_decorators(body, test):
    """The test with its parameters and what it takes from its file."""
    text = next(text for text in TESTS.values() if f"def {test}(" in text)
    before = text[:text.index(f"def {test}(")]
    helpers = re.findall(r"^(?:class|def) (?!test_)(\w+)", text, re.M)
    used = [re.search(rf"^(?:class|def) {name}\b.*?(?=^\S|\Z)", text,
                      re.M | re.S).group() for name in helpers
            if re.search(rf"\b{name}\b", body)]
    return "\n".join([before.rpartition("\n\n\n")[2], body, *used])


def test_the_table_is_complete():
    """All names of both packages, but those of which it says so."""
    there = {(module, name) for module, name, _ in rows()}
    missing = set(re.findall(r"`(\w+)`", TABLE.split(
        "\n## What is not there\n")[1]))
    names = {(module, name) for module, words in CONTRACT.items()
             for name in words.split()}
    assert len(names) > 140
    assert {name for _, name in names - there} <= missing
    assert not {(module, name) for module, name in there & names
                if name in missing}


def test_what_the_table_says_is_missing_is_missing():
    for module, words in CONTRACT.items():
        found = importlib.import_module(module)
        for name in {*words.split()} - {
                name for of, name, _ in rows() if of == module}:
            assert not hasattr(found, name)
