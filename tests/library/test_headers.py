"""test_headers.py - the public headers by themselves and together, in C and C++."""
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
C, CXX = ["c11", "c17", "c2x"], ["c++11", "c++14", "c++17", "c++20", "c++2b"]
COMPILERS = pytest.mark.parametrize("compiler, standards", [("gcc", C), ("clang", C), ("g++", CXX), ("clang++", CXX)])
HEADERS = ['#include "resource_tracker_records.h"\n', '#include "resource_tracker_regions.h"\n']
PROGRAM = """
static void step(void) { RT_FUNCTION(); rt_region_mark("half of it"); rt_region_value("loss", 1); }
int main(void)
{
	struct rt_tracker *tracker = NULL;
	struct rt_options options;
	double processes = -1;

	rt_options_init(&options, sizeof options);
	RT_REGION("sample") {
		step();
		if (rt_open(&tracker, &options, NULL, 0) == 0 && rt_sample(tracker) == 0)
			processes = rt_get(tracker, "cpu.processes") + 0 * rt_value(tracker, 0, 0, 0);
	}
	rt_close(tracker);
	return processes < 1;
}
"""


def compile_all(compiler, standards, *programs):
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    for standard in standards:
        for program in programs:
            subprocess.run([compiler, "-x", "c++" if "++" in compiler else "c", f"-std={standard}", *STRICT, "-Wshadow",
                            "-Wconversion", "-DRT_REGION_WARNINGS", "-fsyntax-only", f"-I{ROOT / 'include'}", "-"],
                           input=program, text=True, check=True)


@COMPILERS
def test_each_header_stands_alone(compiler, standards):
    compile_all(compiler, standards, '#include "resource_tracker.h"\nint main(void) { return rt_version()[0] == 0; }\n',
                '#include "resource_tracker_records.h"\nint main(void) { rt_record_close(0); return RT_RECORD_OVER; }\n',
                '#include "resource_tracker_regions.h"\nint main(void) { RT_REGION("all") rt_region_mark("x"); return 0; }\n')


@COMPILERS
def test_both_headers_in_one_program(compiler, standards):
    """In either order.  Regression: they had two functions of one name."""
    compile_all(compiler, standards, *("".join(order) + PROGRAM for order in (HEADERS, HEADERS[::-1])))


def names_in(header):
    """All names of the project in a header, except in comments and texts."""
    text = re.sub(r'/\*.*?\*/|"[^"\n]*"', " ", (ROOT / "include" / header).read_text(), flags=re.S)
    return set(re.findall(r"\b(?:rt|RT)_\w+", text))


def test_the_two_headers_have_different_prefixes():
    """So that neither can ever get a name of the other."""
    ours = re.compile(r"rt_region_\w+|RT_REGION(_\w+)?|RT_FUNCTION(_\w+)?")
    assert not [name for name in names_in("resource_tracker_regions.h") if not ours.fullmatch(name)]
    for header in ("resource_tracker.h", "resource_tracker_records.h"):
        assert not [name for name in names_in(header) if ours.fullmatch(name)]


@pytest.mark.parametrize("layout_only", [[], ["-DRT_REGION_LAYOUT_ONLY"]])
def test_the_regions_define_names_with_their_prefix_only(layout_only):
    """The header defines no macro, type, function or variable with a name
    of the program's own, after the preprocessor."""
    header = ROOT / "include/resource_tracker_regions.h"
    text = subprocess.run(["gcc", "-E", "-dD", "-DRT_REGION_WARNINGS", *layout_only, header], check=True,
                          capture_output=True, text=True).stdout
    ours, here = [], False
    for line in text.splitlines():
        if line.startswith("# "):
            here = f'"{header}"' in line
        elif here:
            ours.append(line)
    macros = {m[1] for line in ours if (m := re.match(r"#define (\w+)", line))}
    at_margin = "\n".join(line for line in ours if not line.startswith("#"))
    types = set(re.findall(r"^(?:struct|enum) (\w+) \{", at_margin, re.M))
    functions = set(re.findall(r"^(?:[^\s#}].*[ *])?(\w+)\((?!\()[^;]*\n\{", at_margin, re.M))
    assert len(macros) >= 4 and len(types) >= 9 and (layout_only or "rt_region_begin" in functions), (macros, types, functions)
    assert not {name for name in macros | types | functions
                if not re.match(r"rt_region_|RT_REGION(_|$)|RT_FUNCTION(_|$)|RESOURCE_TRACKER_REGIONS_H$", name)}


def test_every_struct_begins_with_its_size():
    """So that it can grow: the caller's size comes first."""
    text = "".join((ROOT / "include" / name).read_text() for name in ("resource_tracker.h", "resource_tracker_records.h"))
    structs = dict(re.findall(r"^struct (rt_\w+) \{[^\n]*\n\s*(\w+ \*?\w+)", re.sub(r"( )+", " ", text), re.MULTILINE))
    assert len(structs) >= 10 and set(structs.values()) == {"size_t size"}, structs
