#!/usr/bin/python3
"""rooms.py [BUILD] - the rooms of src/ that each room uses; fails on an upward use and on a cycle.

A header and the source of its name are one file here; only its room includes a header NAME_state.h.  A file needs
another if it includes it, or if it links a symbol of it.  The symbols are those of the objects in BUILD (build/dev);
a source that is newer than its object, or has none, is read instead: each word that a header declares is then taken
for a link, which can be one too many.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

# Each room, and the rooms before it that it can use.
ROOMS = {
    "include": "",
    "core": "",
    "kernel": "core",
    "gpu": "core",
    "regions": "include core",
    "cpu": "core kernel",
    "sockets": "core kernel",
    "members": "core kernel sockets",
    "accounting": "core kernel members",
    "memory": "core kernel members accounting",
    "visits": "core kernel sockets members accounting memory",
    "membership": "core kernel members accounting memory visits",
    "tree": "core kernel cpu sockets members accounting memory visits membership",
    "collect": "core kernel gpu tree",
    "sampler": "core collect",
    "text": "core",
    "options": "core tree text",
    "summary": "core text",
    "record": "core text options",
    "recorder": "core regions cpu tree collect sampler text options summary record",
    "readers": "core text",
    "library": "include core kernel gpu tree collect sampler readers",
    "history": "core kernel text options summary record readers",
    "export": "core text summary readers history",
    "comparison": "core text summary readers history",
    "advice": "core text summary history",
    "report": "core text summary record readers history advice",
    "spank": "",
    "ranks": "core text summary record readers history report",
    "live": "core",
    "analysis": "core text summary record readers history export comparison advice report ranks live",
    "plot": "core text readers history report analysis",
    "http": "core",
    "store": "core text",
    "push": "core text record readers history export analysis http store",
    "discover": "core text analysis",
    "fleet": "core text summary readers history export advice analysis http",
    "top": "include core kernel regions text summary readers history analysis ranks",
    "verify": "core sampler text summary readers",
}

TOP = pathlib.Path(__file__).resolve().parent.parent


def file_of(path):
    """'core/scan' for src/core/scan.c and src/core/scan.h; lists with several users (.def) stand for themselves."""
    return f"{path.parent.name}/{path.stem if path.suffix in ('.c', '.h') else path.name}"


def room_of(file):
    return file.split("/")[0]


def includes(path):
    """The files of the project that it includes."""
    for name in re.findall(r'^ *# *include "([^"]+)"', path.read_text(), re.M):
        for folder in (path.parent, TOP / "src", TOP / "include"):
            found = pathlib.Path(os.path.normpath(folder / name))
            if found.is_file():
                yield found
                break


def symbols_of_objects(paths):
    """By object: the symbols that it defines, and those that it needs."""
    symbols = {str(path): (set(), set()) for path in paths}
    listing = symbols and subprocess.run(["nm", "-g", "-A", *symbols], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines() if listing else ():
        path, rest = line.split(":", 1)
        kind, name = rest.split()[-2:]
        symbols[path][kind in "Uw"].add(name)
    return symbols


def text_of(path):
    return re.sub(r'/\*.*?\*/|"(\\.|[^"\\\n])*"', " ", path.read_text(), flags=re.S)


def declared_to(path):
    """The names declared by the headers that it includes, and by those these include."""
    names, queue = set(), [path]
    for file in queue:
        queue += [other for other in includes(file) if other not in queue]
    for text in map(text_of, queue[1:]):
        names.update(re.findall(r"^(?!static|typedef|#)\w[\w *]*?[ *](\w+)\(", text, re.M))
        names.update(*map(str.split, re.findall(r"^extern ([^;]*);", re.sub(r"[*,\[\]]", " ", text), re.M)))
    return names


def symbols_of_source(path):
    """The same from its text: names at the margin are defined, except static ones."""
    text = text_of(path)
    defined = set(re.findall(r"^(?!static|extern|typedef|#)\w[\w *]*?[ *](\w+)(?:\([^;{]*\)\n\{|[\[\]\w]* = )", text, re.M))
    words = set(re.findall(r"(?<![.>\w])(?<!struct )(?<!enum )\w+", text))
    return defined, words & declared_to(path) - defined


def symbols_of(sources, build):
    """By source: defined and needed names; and the number of sources without an object."""
    objects = {}
    for found in sorted(build.rglob("*.c.o"), key=lambda p: p.stat().st_mtime):
        objects["/".join(found.parts[-2:])[:-2]] = found
    fresh = {}
    for path in sources:
        found = objects.get(f"{path.parent.name}/{path.name}")
        if found and found.stat().st_mtime >= path.stat().st_mtime:
            fresh[path] = str(found)
    linked = symbols_of_objects(fresh.values())
    symbols = {p: linked[fresh[p]] if p in fresh else symbols_of_source(p) for p in sources}
    return symbols, len(sources) - len(fresh)


def graph(paths, build):
    """needs[file][other]: how the one needs the other, in words; and the number of sources without an object."""
    needs = {file_of(p): {} for p in paths}
    for path in paths:
        for other in map(file_of, includes(path)):
            if other in needs and other != file_of(path):
                needs[file_of(path)][other] = f"{path.name} includes it"
    symbols, without = symbols_of([p for p in paths if p.suffix == ".c"], build)
    definers = collections.defaultdict(set)
    for path, (defined, _) in symbols.items():
        for name in defined - {"main"}:
            definers[name].add(file_of(path))
    for path, (_, wanted) in symbols.items():
        for name in sorted(wanted & definers.keys()):
            for other in definers[name] - {file_of(path)}:
                needs[file_of(path)].setdefault(other, f"{path.name} links {name}")
    return needs, without


def way(needs, begin, end):
    """A shortest path, of one step at least; None: there is none."""
    before, queue = {}, [begin]
    for node in queue:
        for other in sorted(needs[node]):
            if other in before:
                continue
            before[other] = node
            queue.append(other)
            if other == end:
                steps = [end]
                while len(steps) == 1 or steps[0] != begin:
                    steps.insert(0, before[steps[0]])
                return steps
    return None


def circles(needs):
    """A shortest cycle of each set of nodes that all reach each other."""
    left = set(needs)
    while found := min(filter(None, (way(needs, n, n) for n in sorted(left))), key=len, default=None):
        yield found
        left -= {n for n in left if way(needs, found[0], n) and way(needs, n, found[0])}


def complaints(paths, needs, rooms):
    places = collections.defaultdict(set)
    for path in paths:
        places[path.stem].add(path.parent.name)
    for name, where in places.items():
        if len(where) > 1:
            yield f"{name} is the name of files in {', '.join(sorted(where))}"

    # The private structs of a room.
    for file, others in needs.items():
        yield from (f"{file} includes {other}.h, which is of that room alone" for other in others
                    if other.endswith("_state") and room_of(other) != room_of(file))

    before = []
    for room, below in ROOMS.items():
        yield from (f"{room} stands on {b}, which does not come before it" for b in below.split() if b not in before)
        before.append(room)
    yield from (f"{room} has no line in tools/rooms.py" for room in rooms if room not in ROOMS)
    for file, others in needs.items():
        for other, how in others.items():
            if room_of(other) not in [room_of(file), *ROOMS.get(room_of(file), "").split()]:
                yield f"{room_of(file)} does not stand on {room_of(other)}: {file} -> {other} ({how})"

    for circle in circles(rooms):
        yield "rooms in a circle: " + " -> ".join(circle)
    for room in rooms:
        inside = {f: [o for o in needs[f] if room_of(o) == room] for f in needs if room_of(f) == room}
        for circle in circles(inside):
            yield f"files of {room} in a circle:" + "".join(
                f"\n\t{a} -> {b} ({needs[a][b]})" for a, b in zip(circle, circle[1:]))


def main():
    build = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "build/dev"
    paths = sorted(p for folder in ("src/*/*", "include/*") for p in TOP.glob(folder) if p.suffix in (".c", ".h", ".def"))
    needs, without = graph(paths, build)
    rooms = {room_of(file): set() for file in needs}
    for file, others in needs.items():
        rooms[room_of(file)] |= set(map(room_of, others)) - {room_of(file)}

    found = list(complaints(paths, needs, rooms))
    for complaint in found:
        print(f"rooms: {complaint}", file=sys.stderr)
    print(f"rooms: {len(rooms)} rooms with {sum(map(len, rooms.values()))} edges, {len(needs)} files with "
          f"{sum(map(len, needs.values()))}, {without} sources read for want of an object: "
          + (f"complaints: {len(found)}" if found else "none goes up or in a circle"))
    sys.exit(bool(found))


main()
