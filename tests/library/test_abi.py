"""test_abi.py - the library's binary interface compared with its recorded state: abi.txt, for 64 bit.

    symbol NAME                 exported by the shared library, with its version
    function NAME               its parameters and its result
    struct NAME                 its size
    member STRUCT.NAME          its type and its offset
    enum NAME                   its value

Recorded lines do not change, so that programs built with them still run.  New names can be added, and members at
the end of structs that begin with their size.
"""
import os
import pathlib
import re
import struct
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD") or ROOT / "build/dev")
CC = os.environ.get("CC") or "cc"
HELD = pathlib.Path(__file__).with_name("abi.txt")
HEADERS = [ROOT / "include" / name for name in ("resource_tracker.h", "resource_tracker_records.h")]

pytestmark = pytest.mark.skipif(struct.calcsize("P") != 8, reason="abi.txt is of 64 bit")


def code_of(header):
    text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S)
    return re.sub(r"^\s*#.*?$", "", text, flags=re.M)


def plain(text):
    """One blank between words, none elsewhere."""
    return re.sub(r" ?([*,()\[\]]) ?", r"\1", " ".join(text.split())).replace("*", " *").replace("* *", "**")


def functions(code):
    """The return type and parameters of each function; the names of parameters do not matter."""
    for returns, name, parameters in re.findall(r"RT_API\s+([^;()]*?)(\w+)\(([^;]*)\)\s*;", code):
        types = [re.sub(r"\b\w+$", "", p.strip()) if p.strip() != "void" else "void" for p in parameters.split(",")]
        yield name, f"{plain(returns)}({', '.join(map(plain, types))})"


def members(body):
    """Name and type; several names can share one declaration."""
    for declaration in filter(None, map(str.strip, body.split(";"))):
        first, *others = declaration.split(",")
        words, stars, name, array = re.match(r"(.*?)(\**)\s*(\w+)(\[\w+\])?$", first.strip(), re.S).groups()
        yield name, plain(words + stars + (array or ""))
        for other in others:
            stars, name, array = re.match(r"\s*(\**)\s*(\w+)(\[\w+\])?$", other).groups()
            yield name, plain(words + stars + (array or ""))


def interface():
    """{name of a part: its description}, of the current headers and library."""
    code = "".join(map(code_of, HEADERS))
    found = {f"function {name}": how for name, how in functions(code)}
    prints = []
    for name, body in re.findall(r"struct (rt_\w+) \{(.*?)\}", code, re.S):
        prints.append(f'printf("struct {name}: %zu bytes\\n", sizeof(struct {name}));')
        for member, type_ in members(body):
            prints.append(f'printf("member {name}.{member}: {type_} at %zu, %zu bytes\\n", offsetof(struct {name}, {member}),'
                          f' sizeof(((struct {name} *)0)->{member}));')
    for _, body in re.findall(r"enum (rt_\w+) \{(.*?)\}", code, re.S):
        prints += [f'printf("enum {name}: %d\\n", (int){name});' for name in re.findall(r"\w+", re.sub("=[^,]*", "", body))]
    return found | dict(line.split(": ", 1) for line in run("\n".join(prints)).splitlines()) | symbols()


def run(statements):
    includes = "".join(f'#include "{header}"\n' for header in HEADERS)
    source = f"{includes}#include <stdio.h>\nint main(void)\n{{\n{statements}\nreturn 0;\n}}\n"
    program = BUILD / f"abi-{os.getpid()}"
    try:
        subprocess.run([CC, "-std=c11", "-x", "c", "-o", program, "-"], input=source, text=True, check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout
    finally:
        program.unlink(missing_ok=True)


def symbols():
    shared = BUILD / "libresource-tracker.so"
    names = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", shared], check=True,
                           capture_output=True, text=True).stdout
    return {f"symbol {m[1]}": m[2] for m in re.finditer(r" [TDBRV] (rt_\w+)@@(\S+)$", names, re.M)}


def compare(held, now):
    """Changes that break existing programs, and additions, as sentences."""
    broken, added = [], []
    sized = {what.split()[1].split(".")[0] for what, how in held.items()
             if re.match(r"member \w+\.size$", what) and how.startswith("size_t at 0,")}
    size = {what.split()[1]: int(how.split()[0]) for what, how in held.items() if what.startswith("struct ")}
    for what, how in held.items():
        if what not in now:
            broken.append(f"{what} is gone")
        elif now[what] != how and not (what.startswith("struct ") and what.split()[1] in sized
                                       and int(now[what].split()[0]) > size[what.split()[1]]):
            broken.append(f"{what} was {how}, is {now[what]}")
        elif now[what] != how:
            added.append(f"{what}: {now[what]}")
    for what in now.keys() - held.keys():
        owner = what.split()[1].split(".")[0]
        if what.startswith("member ") and owner in size and \
                (owner not in sized or int(re.search(r" at (\d+),", now[what])[1]) < size[owner]):
            broken.append(f"{what} is not at the end of a struct that may grow")
        else:
            added.append(f"{what}: {now[what]}")
    return sorted(broken), sorted(added)


def read_held():
    return dict(line.split(": ", 1) for line in HELD.read_text().splitlines() if line)


def test_nothing_changed_for_existing_programs():
    now = interface()
    broken, added = compare(read_held(), now)
    assert not broken, "\n".join(
        broken + ["Programs that were built with it would break.  If nobody has any (0.x, and CHANGELOG.md says so),",
                  f"take these lines out of {HELD.relative_to(ROOT)} and take the rest in by UPDATE_ABI=1."])
    if os.environ.get("UPDATE_ABI"):
        HELD.write_text("".join(f"{what}: {how}\n" for what, how in sorted(now.items())))
    else:
        assert not added, "\n".join(
            added + ["These are additions, which break nothing.  If they are meant to stay for ever:",
                     "UPDATE_ABI=1 /usr/bin/python3 -m pytest tests/library/test_abi.py, and commit abi.txt with them."])


def test_the_file_has_all_of_the_interface():
    """Each declared function with its symbol, each struct with its members."""
    held = read_held()
    kinds = {kind: {what.split()[1] for what in held if what.startswith(kind)} for kind in ("symbol", "function", "struct")}
    text = "".join(header.read_text() for header in HEADERS)
    assert kinds["symbol"] == kinds["function"] == set(re.findall(r"RT_API[^;]*?\b(rt_\w+)\(", text))
    assert kinds["struct"] == set(re.findall(r"^struct (rt_\w+) \{", text, re.M))
    assert len(kinds["function"]) > 60 and len(kinds["struct"]) > 9


STRUCT = {"struct rt_a": "16 bytes", "member rt_a.size": "size_t at 0, 8 bytes", "member rt_a.x": "double at 8, 8 bytes"}
GROWN = STRUCT | {"struct rt_a": "24 bytes", "member rt_a.y": "int at 16, 4 bytes"}
UNSIZED = {"struct rt_b": "8 bytes", "member rt_b.x": "double at 0, 8 bytes"}


@pytest.mark.parametrize("held, now, broken, added", [
    (STRUCT, STRUCT, 0, 0),
    (STRUCT, GROWN, 0, 2),
    (GROWN, STRUCT, 2, 0),
    (STRUCT, STRUCT | {"member rt_a.x": "float at 8, 4 bytes"}, 1, 0),
    (STRUCT, STRUCT | {"struct rt_a": "24 bytes", "member rt_a.y": "int at 8, 4 bytes",
                       "member rt_a.x": "double at 16, 8 bytes"}, 2, 1),
    (STRUCT, STRUCT | {"member rt_a.y": "int at 12, 4 bytes"}, 1, 0),
    (UNSIZED, UNSIZED | {"struct rt_b": "16 bytes", "member rt_b.y": "double at 8, 8 bytes"}, 2, 0),
    ({}, UNSIZED, 0, 2),
    ({"function rt_f": "int(int)"}, {"function rt_f": "int(long)"}, 1, 0),
    ({"function rt_f": "int(int)"}, {"function rt_g": "int(int)"}, 1, 1),
    ({"symbol rt_f": "V_0.1"}, {"symbol rt_f": "V_0.2"}, 1, 0),
    ({"enum RT_A": "0", "enum RT_B": "1"}, {"enum RT_A": "0", "enum RT_NEW": "1", "enum RT_B": "2"}, 1, 1),
    ({"enum RT_A": "0"}, {"enum RT_A": "0", "enum RT_B": "1"}, 0, 1),
])
def test_breaking_and_harmless_changes(held, now, broken, added):
    found = compare(held, now)
    assert (len(found[0]), len(found[1])) == (broken, added), found


def test_names_of_parameters_do_not_matter():
    one = "RT_API ssize_t rt_f(const char *name, struct rt_a **ret,\n\t\t    size_t room);"
    assert dict(functions(one)) == dict(functions(one.replace("room", "n").replace("name", "text")))
    assert dict(functions(one)) != dict(functions(one.replace("**ret", "*ret")))
    assert dict(functions(one)) == {"rt_f": "ssize_t(const char *, struct rt_a **, size_t)"}
    assert dict(members("const char *const *a, *b; double x, y[3];")) == {
        "a": "const char *const *", "b": "const char *const *", "x": "double", "y": "double[3]"}
