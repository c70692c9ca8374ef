#!/usr/bin/python3
"""archive.py - all programs as one folder that runs from anywhere, in an archive for each architecture (make archive).

    archive.py [--work build] [--page FILE] [--only ARCHITECTURE] OUT

Builds what is missing, and leaves in OUT an archive for this machine's architecture and, on x86_64, one for aarch64, with
install.sh and SHA256SUMS.  The same sources give the same bytes, in any folder.
"""
import argparse
import gzip
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from tarball import ROOT, epoch, files_below, pack

HERE = pathlib.Path(__file__).resolve().parent
NATIVE = platform.machine()
CROSS = NATIVE == "x86_64" and shutil.which("aarch64-linux-gnu-gcc")
PRESETS = {NATIVE: "static", **({"aarch64": "arm64"} if CROSS else {})}
ARM64 = ROOT / "build/debian-arm64"      # Debian's libraries for it: tools/need.sh
DOC = "share/doc/resource-tracker"
# Debian packages of which code is in the static programs: their licences go with them.
C_LIBRARIES = ["musl-dev", "libc6-dev"]
LINKED = [*C_LIBRARIES, "libsqlite3-dev", "zlib1g-dev", "nettle-dev"]


def lacking():
    """Which programs aarch64 does not have, and why; or ""."""
    found = (ARM64 / "packages").read_text().split() if (ARM64 / "packages").exists() else []
    missing = [name for name in ("libcurl4-openssl-dev", *LINKED) if name not in found and name not in C_LIBRARIES]
    return f"no push, discover and fleet for aarch64: {missing[0]} for arm64 is missing: tools/need.sh archive" if CROSS and missing else ""


def version():
    text = (ROOT / "include/resource_tracker.h").read_text()
    return ".".join(re.findall(r"^#define RT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.M))


def run(*words):
    subprocess.run([str(word) for word in words], check=True, cwd=ROOT, stdout=sys.stderr)


def build(work, architecture, page):
    """Builds one architecture; returns its folder."""
    folder = work / PRESETS[architecture]
    more = ["-DRT_PAGE=ON", f"-DRT_PAGE_FILE={page}"] if page else []
    run("cmake", "--preset", PRESETS[architecture], "-B", folder, *more)
    run("cmake", "--build", folder, "-j", os.environ.get("JOBS") or os.cpu_count())
    return folder


def installed(folder):
    """{name: (bytes, mode)} of what a build installs, without the C library."""
    with tempfile.TemporaryDirectory() as prefix:
        run("cmake", "--install", folder, "--component", "program", "--strip", "--prefix", prefix)
        return files_below(pathlib.Path(prefix))


def documents():
    files = {f"{DOC}/README.md": HERE / "archive.md", f"{DOC}/LICENSE": ROOT / "LICENSE"}
    files.update({f"{DOC}/copyright.{name}": pathlib.Path(f"/usr/share/doc/{name}/copyright") for name in LINKED})
    return {name: (path.read_bytes(), 0o644) for name, path in files.items() if path.exists()}


def write_checksums(out, names):
    """Of these files alone: archives of other versions can stand beside them."""
    lines = [f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in sorted(names)]
    (out / "SHA256SUMS").write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build", help="where the builds are (build)")
    parser.add_argument("--page", type=pathlib.Path, help="the page of the report, where it is bundled already")
    parser.add_argument("--only", choices=PRESETS, help="one architecture")
    parser.add_argument("out", type=pathlib.Path)
    words = parser.parse_args()
    words.out.mkdir(parents=True, exist_ok=True)
    if NATIVE == "x86_64" and not CROSS:
        print("archive.py: none for aarch64: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross", file=sys.stderr)
    if lacking():
        print(f"archive.py: {lacking()}", file=sys.stderr)
    os.environ["SOURCE_DATE_EPOCH"] = str(epoch())          # also of the man pages

    work = words.work.resolve()
    native = build(work, NATIVE, words.page and words.page.resolve())
    page = words.page or native / "report.html"
    shared = {name: file for name, file in installed(native).items() if name.startswith("share/")}
    names = ["install.sh"]
    for architecture in [words.only] if words.only else PRESETS:
        folder = native if architecture == NATIVE else build(work, architecture, page.exists() and page.resolve())
        # A program for another machine does not write its man pages here, so they are this machine's.
        files = {**shared, **installed(folder), **documents()}
        name = f"resource-tracker-{version()}-{architecture}"
        packed = pack({f"{name}/{path}": file for path, file in files.items()})
        (words.out / f"{name}.tar.gz").write_bytes(gzip.compress(packed, mtime=epoch()))
        names.append(f"{name}.tar.gz")
        print(words.out / names[-1])
    script = words.out / "install.sh"
    script.write_bytes((HERE / "install.sh").read_bytes())
    script.chmod(0o755)
    write_checksums(words.out, names)


if __name__ == "__main__":
    main()
