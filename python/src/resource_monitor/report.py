"""Readers of both logs.  Values are numpy's arrays where that is installed."""
from importlib import import_module
from typing import Any, Dict, List, Tuple

FLOATS = ("time", "cpu_percent", "cpu_percent_global")


def _array(values: List[Any], kind: str) -> Any:
    """A numpy array; the list itself without numpy."""
    try:
        numpy: Any = import_module("numpy")
    except ImportError:
        return values
    return numpy.array(values, dtype=kind)


def parse_event_log(filename: str) -> Dict[str, Any]:
    """{name: N x 2 array of begin and end}.

    An event without an end is not in it: its program was killed.
    """
    begun: Dict[Tuple[str, str], float] = {}
    found: Dict[str, List[List[float]]] = {}
    with open(filename, encoding="utf-8") as file:
        for line in file:
            if not line.endswith("\n"):
                break           # cut off
            time, what, name, number = line.rstrip("\n").split(",")
            if what == "start":
                begun[name, number] = float(time)
            elif (name, number) in begun:
                found.setdefault(name, []).append(
                    [begun.pop((name, number)), float(time)])
    return {name: _array(sorted(times), "float64")
            for name, times in found.items()}


def parse_resource_log(filename: str) -> Tuple[Dict[str, int],
                                               Dict[str, Any]]:
    """({fact of the machine: number}, {column: array})."""
    with open(filename, encoding="utf-8") as file:
        whole = file.read().rpartition("\n")[0].split("\n")
    if len(whole) < 3:
        raise ValueError(f"{filename} is no log of resources")
    facts = {key: int(value) for key, _, value in
             (fact.partition(":") for fact in whole[1].split(","))}
    headers = whole[2].split(",")
    rows = [line.split(",") for line in whole[3:]]
    columns = {}
    for at, name in enumerate(headers):
        cells = [float(row[at]) for row in rows if len(row) == len(headers)]
        is_float = name in FLOATS
        columns[name] = _array(
            cells if is_float else [int(cell) for cell in cells],
            "float64" if is_float else "int64")
    return facts, columns
