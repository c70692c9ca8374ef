#!/usr/bin/python3
"""debian.py - the Debian packages, source and binary, by the folder debian/ (make package).

    debian.py --page FILE [--work build/debian] OUT

FILE is the page of `report`, as a build leaves it beside the modules that npm fetched (web/node_modules): it goes into the source
package together with the library that is in it, so that the packages are built without network.
"""
import argparse
import gzip
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

from tarball import ROOT, epoch, pack, read, sources

# Of the library: what the page is made of, and its licence.
UPLOT = ["LICENSE", "README.md", "package.json", "dist/uPlot.esm.js", "dist/uPlot.min.css"]


def versions():
    """(upstream, Debian's) of debian/changelog."""
    found = re.match(r"resource-tracker \(((.*)-.*?)\)", (ROOT / "debian/changelog").read_text())
    return found[2], found[1]


def page_files(page):
    """{name: (bytes, mode)} of page/ in the source package."""
    library = page.parent / "web/node_modules/uplot"
    files = {"report.html": page, **{f"uplot/{name}": library / name for name in UPLOT}}
    for path in files.values():
        if not path.is_file() or path.stat().st_size == 0:
            sys.exit(f"debian.py: {path} is missing: it is made by cmake --build BUILD --target page, with node and npm")
    return {f"page/{name}": read(path) for name, path in files.items()}


def prepare(work, page):
    """The source package's folder in `work`, beside its archives; returns the folder."""
    upstream, _ = versions()
    own = {path: read(ROOT / path) for path in sources()}
    parts = {"orig": {path: file for path, file in own.items() if not path.startswith("debian/")}, "orig-page": page_files(page)}
    for part, files in parts.items():
        (work / f"resource-tracker_{upstream}.{part}.tar.gz").write_bytes(gzip.compress(pack(files), mtime=epoch()))
    folder = work / f"resource-tracker-{upstream}"
    with tarfile.open(fileobj=io.BytesIO(pack({**own, **parts["orig-page"]}))) as archive:
        archive.extractall(folder)
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/debian", help="emptied first")
    parser.add_argument("out", type=pathlib.Path)
    words = parser.parse_args()
    page = words.page.resolve()
    page_files(page)
    shutil.rmtree(words.work, ignore_errors=True)
    words.work.mkdir(parents=True)
    folder = prepare(words.work.resolve(), page)
    jobs = os.environ.get("JOBS") or os.cpu_count()
    options = f"parallel={jobs} {os.environ.get('DEB_BUILD_OPTIONS', '')}".strip()
    subprocess.run(["dpkg-buildpackage", "-us", "-uc", "-F"], cwd=folder, check=True, stdout=sys.stderr,
                   env=os.environ | {"DEB_BUILD_OPTIONS": options, "LC_ALL": "C.UTF-8"})
    words.out.mkdir(parents=True, exist_ok=True)
    for path in sorted(words.work.iterdir()):
        if path.is_file():
            print(shutil.copy(path, words.out))


if __name__ == "__main__":
    main()
