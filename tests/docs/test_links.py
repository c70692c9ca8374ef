"""test_links.py - every link of the documentation leads somewhere: in the repository, and on the site that is made of it."""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import urllib.parse

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAP = ROOT / "docs/README.md"
CODE = re.compile(r"^(```+).*?^\1|(`+)(?!`).*?(?<!`)\2(?!`)", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def markdown():
    """The Markdown of the repository: not what was built, and not what npm brought."""
    left_out = {"build", "node_modules", ".git"}
    return sorted(p for p in ROOT.rglob("*.md") if not left_out & set(p.relative_to(ROOT).parts))


def anchors_of(page):
    """The names that GitHub gives to the headings of a page."""
    seen = {}
    for heading in re.findall(r"^#{1,6} +(.+?) *$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        seen[name] = seen.get(name, -1) + 1
        yield f"{name}-{seen[name]}" if seen[name] else name


def leads_nowhere(page):
    """The links of a page, within the repository, that name no file or no heading."""
    for target in LINK.findall(CODE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        to = page if not path else page.parent / path
        if not to.exists() or anchor and anchor not in anchors_of(to):
            yield target


@pytest.mark.parametrize("page", [str(p.relative_to(ROOT)) for p in markdown()])
def test_links_of_the_repository(page):
    assert list(leads_nowhere(ROOT / page)) == []


def test_a_wrong_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A `b`: c\n[1](#a-b-c) [2](page.md#a-b-c) [3](other.md) [4](#a-b) [5](https://example.org) `[6](no.md)`\n")
    assert list(leads_nowhere(page)) == ["other.md", "#a-b"]


def test_pages_that_sources_name_are_there():
    folders = ("src", "include", "share", "examples", "bench", "cmake", "tools", "tests/unit")
    named = {(name, str(path.relative_to(ROOT))) for folder in folders for path in (ROOT / folder).rglob("*")
             if path.suffix in (".c", ".h", ".def", ".cmake", ".js", ".py", ".R", ".sh")
             for name in re.findall(r"(?<![\w/])docs/[\w./-]+\.(?:md|json)", path.read_text())}
    assert len(named) > 20 and [pair for pair in named if not (ROOT / pair[0]).exists()] == []


def test_the_map_has_each_page_once():
    entries = re.findall(r"^\* \[[^]]+\]\(([^)]+)\): \S", MAP.read_text(), re.M)
    pages = {os.path.relpath(p, MAP.parent) for p in MAP.parent.rglob("*.md") if p != MAP}
    assert sorted(e for e in entries if not e.startswith("../")) == sorted(pages)


def test_the_architecture_is_short():
    """Details stand in docs/design."""
    assert (ROOT / "ARCHITECTURE.md").read_text().count("\n") <= 120


def test_the_map_of_the_architecture_has_each_folder():
    made = {".git", *(line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split())}
    folders = {p.name for p in ROOT.iterdir() if p.is_dir() and p.name not in made}
    rooms = {f"src/{p.name}" for p in (ROOT / "src").iterdir() if p.is_dir()}
    text = (ROOT / "ARCHITECTURE.md").read_text()
    assert [f for f in sorted((folders - {"src"}) | rooms | {"bench/others"}) if f"`{f}/" not in text] == []


class Page(html.parser.HTMLParser):
    """What a page of the site has: names of places in it, links to pages, and files that the browser fetches for it."""

    def __init__(self, path):
        super().__init__()
        self.names, self.links, self.files = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.names |= {attrs[key] for key in ("id", "name") if attrs.get(key)}
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        elif attrs.get("src"):
            self.files.append(attrs["src"])
        elif tag == "link" and attrs.get("href") and attrs.get("rel") != "canonical":
            self.files.append(attrs["href"])


def is_elsewhere(address):
    return bool(re.match(r"([a-z]+:)?//|[a-z]+:", address))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if not shutil.which("mkdocs"):
        pytest.skip("mkdocs is missing: apt-get install mkdocs")
    folder = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run([ROOT / "tools/site.py", folder], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return {path.resolve(): Page(path) for path in folder.rglob("*.html")}, folder.resolve()


def test_each_page_is_on_the_site(site):
    pages, folder = site
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        name = page.relative_to(ROOT).with_suffix(".html")
        assert folder / (name.with_name("index.html") if name.stem == "README" else name) in pages


def test_links_of_the_site(site):
    pages, folder = site
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            address, _, anchor = link.partition("#")
            address = urllib.parse.unquote(address.partition("?")[0])
            if is_elsewhere(link):
                continue
            # The page for what is not found may be shown anywhere, so its links begin at the root.
            to = (folder / address.strip("/") if address.startswith("/") else path.parent / address).resolve() if address else path
            to = to / "index.html" if to.is_dir() else to
            if not to.exists() or anchor and to in pages and urllib.parse.unquote(anchor) not in pages[to].names | {"#"}:
                wrong.append(f"{path.relative_to(folder)}: {link}")
    assert wrong == []


def test_the_site_needs_no_network(site):
    pages, folder = site
    for path, page in pages.items():
        assert [f for f in page.files if is_elsewhere(f)] == [], path
        for file in page.files:
            file = file.partition("?")[0].partition("#")[0]
            assert (folder / file.strip("/") if file.startswith("/") else path.parent / file).exists(), f"{path}: {file}"
    for sheet in folder.rglob("*.css"):
        addresses = re.findall(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", sheet.read_text())
        assert [a for pair in addresses for a in pair if a.startswith(("http", "//"))] == [], sheet
