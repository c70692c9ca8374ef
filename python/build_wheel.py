#!/usr/bin/env python3
"""build_wheel.py - makes the wheel and the source distribution of the Python package.

    build_wheel.py --build BUILD OUT        a wheel of what CMake built in BUILD (make wheel)
    build_wheel.py --build BUILD --without-programs OUT         for a system on which the recorder is installed
    build_wheel.py --sdist OUT              the sources, with which pip makes a wheel by a C compiler alone (make sdist)

It is also the backend of pyproject.toml (PEP 517).  Standard library only, Python 3.9 or later.  The same input gives the
same bytes: files are sorted, and have the time of SOURCE_DATE_EPOCH, or of 1980.
"""
import argparse
import base64
import concurrent.futures
import csv
import glob
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
C = HERE / "c" if (HERE / "c").is_dir() else HERE.parent        # a source distribution has the C sources below it

NAME = "resource_tracker"
PACKAGES = [NAME, "resource_monitor", "metaflow_extensions"]
EXTENSION = "_library.abi3.so"
SUMMARY = "What a Python program uses: CPU, memory, disk, network, GPU, of all its processes"
PROGRAMS = ["resource-tracker", "resource-tracker-analysis", "resource-tracker-gpu", "resource-tracker-top",
            "resource-tracker-verify"]
GPU = "resource-tracker-gpu"            # loads the library of NVIDIA's driver, so it is never static
# Those that are built from the sources alone, each with its main().
MAINS = {"resource-tracker": "src/recorder/recorder_main.c", "resource-tracker-analysis": "src/analysis/analysis_main.c",
         "resource-tracker-top": "src/top/top_main.c", GPU: "src/gpu/gpu_main.c"}
# All of them are in one folder.
PLACES = {"RT_LIBEXEC": ".", "RT_BINDIR": "."}
C_FILES = ["include/*.h", "src/*/*.[ch]", "src/*/*.def", "src/*/*.S", "share/resource_tracker_regions.py",
           "packaging/old_glibc*", "LICENSE"]
# What is not built from the sources alone: pictures need cairo, push libcurl, spank Slurm, verify its loads, SQLite a library.
LEFT_OUT = ("src/plot/", "src/push/", "src/spank/", "src/verify/", "export_sqlite.c", "database.c", "_main.c")
GLIBC = sysconfig.get_config_var("HOST_GNU_TYPE") in ("x86_64-pc-linux-gnu", "x86_64-linux-gnu", "aarch64-linux-gnu")
# What it takes to run with an older glibc than that of this system.
OLD_GLIBC = [C / "packaging/old_glibc.c", f"-Wl,@{C / 'packaging/old_glibc.wrap'}"] if GLIBC else []
OLD_GLIBC_PROGRAM = [C / "packaging/old_glibc_start.c",
                     "-Wl,--no-as-needed", "-l:libdl.so.2", "-l:libpthread.so.0"] if GLIBC else []


def version():
    text = (C / "include/resource_tracker.h").read_text()
    return ".".join(re.findall(r"^#define RT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.M))


def metadata():
    readme = (HERE / "README.md").read_text()
    return (f"Metadata-Version: 2.1\nName: {NAME.replace('_', '-')}\nVersion: {version()}\nSummary: {SUMMARY}\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\nClassifier: Operating System :: POSIX :: Linux\n"
            f"Classifier: Typing :: Typed\nDescription-Content-Type: text/markdown\n\n{readme}")


def run(*words):
    subprocess.run([str(word) for word in words], check=True)


# ---- compiling ---------------------------------------------------------------------------------------------

def compiler():
    return (os.environ.get("CC") or "cc").split()


def defines():
    return [f"-D{name}=\"{value}\"" for name, value in {"RT_VERSION": version(), **PLACES}.items()]


def link_extension(out, inputs):
    """The extension, of the library's archive or sources; it needs no libpython: the interpreter has these symbols."""
    sources = sorted((HERE / f"src/{NAME}").glob("*.c"))
    run(*compiler(), "-shared", "-fPIC", "-O2", "-g0", "-fvisibility=hidden", "-D_GNU_SOURCE", "-Wall", "-Wextra",
        "-I", C / "include", "-I", sysconfig.get_path("include"), *sources, *OLD_GLIBC, *inputs, "-o", out,
        f"-Wl,--version-script={HERE / 'extension.map'}", "-Wl,--gc-sections", "-Wl,-z,relro,-z,now", "-Wl,--as-needed",
        "-lm", "-lpthread", "-ldl", "-s")


def compile_sources(folder, page):
    """The objects of all sources but those with a main(); what a program does not use of them is left out as it is linked."""
    flags = ["-std=gnu17", "-O2", "-fPIC", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections", "-D_GNU_SOURCE",
             *defines(), *(["-DRT_REPORT_PAGE"] if page else [])]
    sources = [source for source in sorted((C / "src").glob("*/*.c"))
               if not any(part in str(source.relative_to(C)) for part in LEFT_OUT)]
    objects = [folder / f"{source.parent.name}-{source.stem}.o" for source in sources]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda source, out: run(*compiler(), *flags, "-c", source, "-o", out), sources, objects))
    if page:
        objects.append(folder / "page.o")
        run(*compiler(), f'-DRT_REPORT_PAGE="{page}"', "-c", C / "src/report/report_page_bytes.S", "-o", objects[-1])
    return objects


def link_program(out, main, objects):
    """Static where the system has the archives for that: it runs with a libc of any age then."""
    words = [*compiler(), "-std=gnu17", "-O2", "-D_GNU_SOURCE", *defines(), C / main, *objects, "-o", out,
             "-Wl,--gc-sections", "-lm", "-lpthread", "-ldl", "-s"]
    words = [str(word) for word in words]
    if out.name == GPU:
        run(*words, *OLD_GLIBC, *OLD_GLIBC_PROGRAM)
    elif subprocess.run([*words, "-static"], stderr=subprocess.DEVNULL).returncode != 0:
        run(*words)


def build_from_sources(folder):
    if not shutil.which(compiler()[0]):
        print(f"there is no {compiler()[0]}: the wheel is of Python alone, without track() and records", file=sys.stderr)
        return
    page = C / "report.html"
    objects = compile_sources(folder, page if page.exists() else None)
    for name, main in MAINS.items():
        link_program(folder / name, main, objects)
    link_extension(folder / EXTENSION, objects)


def build_from_cmake(folder, build):
    for name in PROGRAMS:
        run("strip", "-o", folder / name, build / name)
    link_extension(folder / EXTENSION, [build / "libresource-tracker.a"])


# ---- which systems it runs on --------------------------------------------------------------------------------

def glibc_needed(path):
    """(2, 28): the newest version of glibc's symbols that the file needs; None: it needs no shared library."""
    listing = subprocess.run(["readelf", "-dVW", str(path)], stdout=subprocess.PIPE, text=True, check=True).stdout
    if "(NEEDED)" not in listing:
        return None
    wanted = re.findall(r" GLIBC_(\d+)\.(\d+)", listing)
    return max(((int(major), int(minor)) for major, minor in wanted), default=(2, 17))


def platform_tag(paths):
    """manylinux_2_28_x86_64, as the files need; the programs alone, which need nothing, say nothing."""
    machine = sysconfig.get_platform().rpartition("-")[2]
    needs = {path.name: glibc_needed(path) for path in paths}
    for name, needed in needs.items():
        print(f"{name}: {'needs no library' if needed is None else 'glibc %d.%d' % needed}", file=sys.stderr)
    if any("musl" in str(sysconfig.get_config_var(key)) for key in ("HOST_GNU_TYPE", "EXT_SUFFIX")):
        return f"linux_{machine}"
    newest = max(needed for needed in needs.values() if needed)
    return "manylinux_%d_%d_%s" % (*max(newest, (2, 17)), machine)


# ---- archives -------------------------------------------------------------------------------------------------

def epoch():
    return int(os.environ.get("SOURCE_DATE_EPOCH", 315532800))


def package_files():
    """(package/name, path): Python's files; the module for regions is the one of the C tree."""
    source = HERE / "src"
    files = {str(path.relative_to(source)): path for package in PACKAGES for pattern in ("*.py", "*.pyi", "py.typed")
             for path in (source / package).rglob(pattern)}
    files[f"{NAME}/regions.py"] = C / "share/resource_tracker_regions.py"
    return sorted(files.items())


def write_wheel(out, name, files):
    """files: (name, bytes, mode)."""
    record = io.StringIO()
    lines = csv.writer(record, lineterminator="\n")
    when = time.gmtime(epoch())[:6]
    info = f"{NAME}-{version()}.dist-info"
    with zipfile.ZipFile(out / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(path, data, mode):
            entry = zipfile.ZipInfo(path, when)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.writerow([path, f"sha256={digest}", len(data)])

        for path, data, mode in files:
            add(path, data, mode)
        lines.writerow([f"{info}/RECORD", "", ""])
        entry = zipfile.ZipInfo(f"{info}/RECORD", when)
        entry.external_attr = 0o100644 << 16
        archive.writestr(entry, record.getvalue())
    return name


def make_wheel(out, build=None, with_programs=True):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        if build:
            build_from_cmake(folder, build)
        else:
            build_from_sources(folder)
        built = {f"{NAME}/{EXTENSION}": folder / EXTENSION}
        if with_programs:
            built |= {f"{NAME}/bin/{name}": folder / name for name in PROGRAMS}
        built = {name: path for name, path in built.items() if path.exists()}
        tag = f"cp39-abi3-{platform_tag(list(built.values()))}" if built else "py3-none-any"
        info = f"{NAME}-{version()}.dist-info"
        files = [(name, path.read_bytes(), 0o644) for name, path in package_files()]
        files += [(name, path.read_bytes(), 0o755) for name, path in built.items()]
        texts = {
            "METADATA": metadata(),
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: build_wheel.py\nRoot-Is-Purelib: {str(not built).lower()}\nTag: {tag}\n",
            "entry_points.txt": ((f"[console_scripts]\nresource-tracker = {NAME}._programs:main\n\n" if with_programs else "") +
                                 f"[pytest11]\nresource-tracker = {NAME}.pytest_plugin\n"),
            "top_level.txt": "".join(f"{package}\n" for package in PACKAGES),       # by which Metaflow finds its extensions
            "LICENSE": (C / "LICENSE").read_text(),
        }
        files += [(f"{info}/{name}", text.encode(), 0o644) for name, text in texts.items()]
        return write_wheel(out, f"{NAME}-{version()}-{tag}.whl", sorted(files))


def make_sdist(out, page=None):
    """Everything that build_from_sources reads; page: the report's, for which node would be needed."""
    top = f"{NAME}-{version()}"
    files = {f"c/{os.path.relpath(path, C)}": pathlib.Path(path) for pattern in C_FILES for path in glob.glob(str(C / pattern))}
    files.update({path.name: path for path in HERE.iterdir() if path.suffix in (".py", ".c", ".map", ".toml", ".md")})
    files.update({str(path.relative_to(HERE)): path for package in PACKAGES for path in (HERE / "src" / package).rglob("*")
                  if path.suffix in (".py", ".pyi", ".c", ".h", ".typed") and path.name != "regions.py"})
    if page:
        files["c/report.html"] = page
    contents = {f"{top}/{name}": path.read_bytes() for name, path in files.items()}
    contents[f"{top}/PKG-INFO"] = metadata().encode()
    return write_sources(out / f"{top}.tar.gz", contents)


def write_sources(path, contents):
    """contents: bytes by name.  Returns the archive's name."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(contents.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(data), 0o644, epoch()
            archive.addfile(entry, io.BytesIO(data))
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=epoch()))
    return path.name


# ---- the backend (PEP 517) --------------------------------------------------------------------------------------

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """config_settings: {"build": the folder of a CMake build}, else the sources are compiled."""
    build = (config_settings or {}).get("build")
    return make_wheel(pathlib.Path(wheel_directory), pathlib.Path(build).resolve() if build else None)


def build_sdist(sdist_directory, config_settings=None):
    page = (config_settings or {}).get("page")
    return make_sdist(pathlib.Path(sdist_directory), pathlib.Path(page) if page else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, help="the folder of a CMake build; without it the sources are compiled")
    parser.add_argument("--without-programs", action="store_true", help="the recorder is on PATH")
    parser.add_argument("--sdist", action="store_true")
    parser.add_argument("--page", type=pathlib.Path, help="the page of the report, for the source distribution")
    parser.add_argument("out", type=pathlib.Path)
    words = parser.parse_args()
    words.out.mkdir(parents=True, exist_ok=True)
    print(make_sdist(words.out, words.page) if words.sdist else
          make_wheel(words.out, words.build and words.build.resolve(), not words.without_programs))


if __name__ == "__main__":
    main()
