#!/usr/bin/env python3
"""build_package.py - makes the source package for R: its files, and the C sources that it compiles (make r-package).

    build_package.py [--page build/static/report.html] OUT          OUT/resourcetracker_VERSION.tar.gz
    build_package.py --build BUILD OUT      with the objects of a CMake build, for a system on which the recorder is installed

R itself is not needed.  The same input gives the same bytes, as of python/build_wheel.py, which says which C sources there are.
"""
import argparse
import glob
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
sys.dont_write_bytecode = True

from build_wheel import C, C_FILES, LEFT_OUT, MAINS, PLACES, epoch, version, write_sources  # noqa: E402

NAME = "resourcetracker"
FILES = ["DESCRIPTION", "NAMESPACE", "R/*.R", "man/*.Rd", "src/*.[ch]", "src/*.R", "tests/*.R", "tests/testthat/*"]
ARCHIVES = ["liblibrary.a", "librecord_reader.a", "libcore.a"]


def description():
    """With the version of the library's header, and the field that R wants of a package that is built."""
    packaged = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(epoch()))
    return f"{(HERE / 'DESCRIPTION').read_text()}Version: {version()}\nPackaged: {packaged}; {HERE.name}\n"


def is_compiled(name):
    """Not a main, which only its own program has, and nothing that needs another library."""
    return name.endswith(".c") and not any(part in name for part in LEFT_OUT)


def vendored():
    """Path within src/tracker, and the file: all that the objects of Makevars are made of."""
    found = {os.path.relpath(path, C): pathlib.Path(path) for pattern in C_FILES for path in glob.glob(str(C / pattern))}
    return {name: path for name, path in found.items()
            if is_compiled(name) or name in MAINS.values() or name.endswith((".h", ".def", ".S"))}


def linked(name, main):
    """The recorder static where the system has the archives for that: it starts sooner, and each copy of the C library is large."""
    link = f"-s -o $@ {main} $(PKG_LIBS)"
    static = f"$(LINK) -static {link} 2>/dev/null || \\\n\t" if name == "resource-tracker" else ""
    return f"{name}: {main} tracker.a\n\t{static}$(LINK) {link}\n"


def makevars(names, page, build):
    objects = [] if build else sorted(f"tracker/{name[:-2]}.o" for name in names if is_compiled(name))
    if page:
        objects.append("tracker/src/report/report_page_bytes.o")
    values = {
        "VERSION": version(),
        "PLACES": " ".join(f"-D{name}='\"{value}\"'" for name, value in PLACES.items()),
        "PROGRAMS": "" if build else " ".join(MAINS),
        "LINKED": "\n".join(linked(name, f"tracker/{main[:-2]}.o") for name, main in MAINS.items()),
        "BINDING": " ".join(sorted(f"{path.stem}.o" for path in (HERE / "src").glob("*.c"))),
        "TRACKER": " \\\n\t".join(objects),
        "STRIPPED": "" if build else "-Wl,-S",
        "ARCHIVES": " ".join(f"{build}/{name}" for name in ARCHIVES) if build else "",
        "PAGE": "-DRT_REPORT_PAGE='\"tracker/report.html\"'" if page else "",
    }
    text = (HERE / "src/Makevars.in").read_text()
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def make_package(out, page=None, build=None):
    """page: the report's, for which node would be needed.  build: the folder of a CMake build, in place of C sources and programs."""
    c_files = {name: path for name, path in vendored().items() if not build or name.endswith((".h", ".def"))}
    contents = {os.path.relpath(path, HERE): pathlib.Path(path).read_bytes()
                for pattern in FILES for path in glob.glob(str(HERE / pattern))}
    contents.update({f"src/tracker/{name}": path.read_bytes() for name, path in c_files.items()})
    contents["DESCRIPTION"] = description().encode()
    contents["src/Makevars"] = makevars(c_files, page, build).encode()
    contents["LICENSE"] = (C / "LICENSE").read_bytes()
    if page:
        contents["src/tracker/report.html"] = page.read_bytes()
    return write_sources(out / f"{NAME}_{version()}.tar.gz", {f"{NAME}/{name}": data for name, data in contents.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=pathlib.Path, help="the page of the report; without it there is no report()")
    parser.add_argument("--build", type=pathlib.Path, help="the folder of a CMake build; the recorder is on PATH then")
    parser.add_argument("out", type=pathlib.Path)
    words = parser.parse_args()
    words.out.mkdir(parents=True, exist_ok=True)
    print(make_package(words.out, words.page, words.build and words.build.resolve()))


if __name__ == "__main__":
    main()
