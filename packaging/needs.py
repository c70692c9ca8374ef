#!/usr/bin/python3
"""needs.py FILE... - what each program needs of a machine: size, shared libraries, the newest version of glibc's symbols."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
sys.dont_write_bytecode = True

from build_wheel import glibc_needed  # noqa: E402


def libraries(path):
    listing = subprocess.run(["readelf", "-dW", str(path)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", listing)


def row(path):
    """(name, bytes, newest glibc or "none", libraries)"""
    newest = glibc_needed(path)
    return path.name, path.stat().st_size, "%d.%d" % newest if newest else "none", " ".join(libraries(path)) or "none"


def is_elf(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def main():
    print(f"{'program':28} {'bytes':>9}  {'glibc':6} libraries")
    for path in map(pathlib.Path, sys.argv[1:]):
        if is_elf(path):
            print("%-28s %9d  %-6s %s" % row(path))


if __name__ == "__main__":
    main()
