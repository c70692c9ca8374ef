#!/usr/bin/python3
"""site.py [FOLDER] - the documentation as a static site in FOLDER (build/site), by mkdocs.

The pages are copied as they lie in the repository, with the files that they link to, so each link means the same in
both.  docs/README.md is the map: its sections and their lists of links become the site's menu.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
MAP = TOP / "docs/README.md"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
ENTRY = re.compile(r"^\* \[([^]]+)\]\(([^)]+)\)", re.M)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)


def pages():
    """The Markdown of the repository that is for readers."""
    return sorted([*TOP.glob("*.md"), *TOP.glob("docs/**/*.md")])


def linked(page):
    """The files of the repository that a page links to."""
    for target in LINK.findall(CODE.sub("", page.read_text())):
        path = pathlib.Path(os.path.normpath(page.parent / target))
        if ":" not in target and path.is_relative_to(TOP) and path.is_file():
            yield path


def menu():
    """[{section: [{title: page}, ...]}, ...] as mkdocs has it; pages are named from the repository's root."""
    sections = re.split(r"^## (.+)\n", MAP.read_text(), flags=re.M)[1:]
    return [{"Home": "README.md"}, {"Map": "docs/README.md"}] + [
        {title: [{name: os.path.normpath(pathlib.Path("docs") / path)} for name, path in ENTRY.findall(text)]}
        for title, text in zip(sections[::2], sections[1::2])]


def as_mkdocs_reads_it(text):
    """GitHub lets a list begin in the line below a paragraph, Python-Markdown wants a blank line between them."""
    return re.sub(r"^(\*\*.*)\n(?=(?:\*|1\.) )", r"\1\n\n", text, flags=re.M)


def copy_pages(folder):
    shutil.rmtree(folder, ignore_errors=True)
    files = pages()
    for path in files:                      # grows: Markdown that is linked to has links of its own
        if path.suffix == ".md":
            files += [other for other in linked(path) if other not in files]
    for path in files:
        copy = folder / path.relative_to(TOP)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
        if path.suffix == ".md":
            copy.write_text(as_mkdocs_reads_it(path.read_text()))


def main():
    site = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "build/site").absolute()
    copies = site.with_name(site.name + "-pages")
    copy_pages(copies)
    settings = {
        "site_name": "resource-tracker",
        "docs_dir": str(copies), "site_dir": str(site), "nav": menu(),
        "use_directory_urls": False,        # it can be read from a folder, without a server
        "theme": {"name": None, "custom_dir": str(TOP / "docs/theme")},
        "plugins": [],
        "markdown_extensions": ["sane_lists", {"toc": {"permalink": "#"}}],
    }
    config = site.with_name(site.name + ".json")
    config.write_text(json.dumps(settings, indent=1))
    sys.exit(subprocess.run(["mkdocs", "build", "--strict", "--clean", "--quiet", "--config-file", config], check=False).returncode)


main()
