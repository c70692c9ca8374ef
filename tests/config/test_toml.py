"""test_toml.py - the config parser beside Python's TOML reader: accepted files mean
the same, refused ones are refused."""
import json
import math
import os
import pathlib
import random
import re
import subprocess
import tomllib

PROGRAM = pathlib.Path(os.environ.get("CONFIG_JSON") or
                       pathlib.Path(__file__).resolve().parents[2] / "build/dev/tests/config_json")
BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def ours(files):
    """None for each file that is refused, else {key: value}."""
    text = "".join(f + "\0" for f in files).encode()
    lines = subprocess.run([PROGRAM], input=text, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    assert len(lines) == len(files)
    read = {"str": str, "int": int, "float": float, "bool": lambda t: t == "true"}
    results = []
    for line in lines:
        entries = json.loads(line)
        if entries is None:
            results.append(None)
            continue
        values = {}
        for key, array, items in entries:
            items = [read[kind](text) for kind, text in items]
            assert key not in values and (array or len(items) == 1)
            values[key] = items if array else items[0]
        results.append(values)
    return results


def part(name):
    return name if BARE.match(name) else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


class NotForUs(Exception):
    """A valid file with content outside of the supported subset."""


def flat(table, prefix=""):
    """Python's nested tables as {key: value}."""
    values = {}
    for name, value in table.items():
        key = prefix + part(name)
        if isinstance(value, dict):
            values.update(flat(value, key + "."))
            continue
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, (str, int, float, bool)) or (isinstance(item, str) and "\0" in item):
                raise NotForUs
        values[key] = value
    return values


def theirs(file):
    try:
        return flat(tomllib.loads(file))
    except tomllib.TOMLDecodeError:
        return None
    except NotForUs:
        return NotForUs


def same(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-8 + 1e-9 * abs(b)
    return a == b


def same_files(a, b):
    return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)


VALID = [
    "", "\n\n", "# only a comment", "a=1", "a = 1 # x\r\nb = 2\r\n", "\ta\t=\t1\t",
    "[a]\n[b]\n[a.b]\nc=1", "[a.b.c]\n[a]\nx=1", "a.b.c=1\na.b.d=2\na.e=3", "[x.y]\na.b=1\n[x]\nz=1",
    "'a b'.c = 1\n\"d\\te\" = 2", "'' = 1", "1.2 = 3", "3.14159 = 'pi'", "true = 1\nnan = 2",
    "s = 'C:\\temp\\x'\nt = \"\\b\\t\\n\\f\\r\\\"\\\\\\u00fc\\U0001F600\"\nu = ''\nv = \"\"",
    "s = 'a # b' # c\nt = \"]\"", "a = [ 1,\n # x\n 2, 3 ,\n]\nb = []\nc = ['a', 1, 2.5, true]",
    "a = +99\nb = -17\nc = 1_000\nd = 0\ne = +0\nf = -0", "a = 0xDEADBEEF\nb = 0xdead_beef\nc = 0o755\nd = 0b1101_0110",
    "a = +1.0\nb = 3.1415\nc = -0.01\nd = 5e+22\ne = 1e06\nf = -2E-2\ng = 6.626e-4\nh = 224_617.445_991_228\ni = -0.0",
    "a = inf\nb = -inf\nc = nan", "key = \"\ud7ff \ue000 \u00e9\"",
]

INVALID = [
    "a", "a =", "= 1", "a = b", "a = 1 b = 2", "a = 'x", "a = \"x", "a = \"\\x41\"", "a = \"\\ud800\"", "a = \"\\u12\"",
    "[a", "[]", "[a]]", "[a.]", "[.a]", "a. = 1", ".a = 1", "a..b = 1", "a = 1\na = 2", "a = 1\na.b = 2",
    "[a]\n[a]", "a.b = 1\n[a]", "[a.b]\n[a]\nb.c = 1", "[a]\nb.c = 1\n[a.b]", "a = [1", "a = [1 2]", "a = [,]", "a = [1,,2]",
    "a = 01", "a = 1_", "a = _1", "a = 1__0", "a = 1.", "a = .1", "a = 1.e1", "a = 1e", "a = 0x", "a = +0x1", "a = 0X1",
    "a = 1._5", "a = 1_.5", "a = 1e_5", "a = True", "a = tru", "a = --1", "a = \x01", "a = 'x\x7f'", "# \x02", "a = 1\rb = 2",
    "a = 'x\ny'", "a b = 1", "a = 1 \x0b", "é = 1", "[a] b = 1", "a = 00", "a = -01", "a = 0_1",
]


def test_known_files():
    for file, value in zip(VALID, ours(VALID)):
        expected = theirs(file)
        assert expected is not None, file
        assert value is not None and same_files(value, expected), file


def test_known_mistakes():
    for file, value in zip(INVALID, ours(INVALID)):
        assert theirs(file) is None, file
        assert value is None, file


def test_common_toml_is_read():
    """Random files of the supported subset."""
    dice = random.Random(1)
    name = lambda: dice.choice(["a", "b", "c-d", "'e f'", '"g\\"h"', "1"])
    scalar = lambda: dice.choice([
        str(dice.randrange(-10**6, 10**6)), f"{dice.uniform(-1e3, 1e3):.4f}", f"{dice.randrange(1, 99)}e{dice.randrange(-4, 9)}",
        "true", "false", "'lit\\eral'", '"bas\\tic \\u00e9"', "0x1f", "1_000.5"])
    array = lambda: "[" + ",\n ".join(scalar() for _ in range(dice.randrange(4))) + dice.choice(["]", " # end\n]"])
    files = []
    for _ in range(3000):
        lines = []
        for _ in range(dice.randrange(1, 6)):
            key = ".".join(name() for _ in range(dice.choice([1, 1, 1, 2, 3])))
            lines.append(f"[{key}]" if dice.random() < 0.3 else f"{key} = {array() if dice.random() < 0.3 else scalar()}")
        files.append("\n".join(lines))
    n_valid = 0
    for file, value in zip(files, ours(files)):
        expected = theirs(file)
        if expected is None:
            assert value is None, file
        else:
            n_valid += 1
            assert value is not None and same_files(value, expected), file
    assert 500 < n_valid < 2900


def test_no_file_gets_another_meaning():
    """Files with some letters changed: a valid one can be refused, but never read differently."""
    dice = random.Random(2)
    letters = "abx01_.-+=[]{}\"'\\#, \t\n\re9:TZ"
    files = []
    for _ in range(20000):
        text = list(dice.choice(VALID + INVALID))
        for _ in range(dice.randrange(1, 4)):
            at = dice.randrange(len(text) + 1)
            text[at:at + dice.randrange(2)] = dice.choice([[], [dice.choice(letters)]])
        files.append("".join(text).replace("\0", ""))
    n_read = 0
    for file, value in zip(files, ours(files)):
        expected = theirs(file)
        if value is None or expected is NotForUs:
            # Tables without values are ignored, so an inline or array table can vanish.
            assert value is None or expected is not NotForUs, file
            continue
        n_read += 1
        assert expected is not None and same_files(value, expected), file
    assert n_read > 2000
