"""pushed.py - what a receiver has of a run, compared with the record of that run."""
import pytest

from processes import wait_for

PREFIX = "resource_tracker_"
ROWS = "program", "disk", "network", "mount", "core", "gpu"


def expected(lines):
    """By series (name, key of its table or None): the samples that a record or feed says, as [(ms, value)]."""
    header, columns, names, found, sums = lines[0], [], {}, {}, {}

    def add(series, ms, value, kind):
        if value is None:
            return
        if kind == "amount":
            value = sums[series] = sums.get(series, 0) + value
        found.setdefault(series, []).append((ms, value))

    for line in lines[1:]:
        if "columns" in line:
            columns = line["columns"]
        elif "rows" in line:
            for table, rows in line["rows"].items():
                names.setdefault(table, {}).update({row["index"]: row["key"] for row in rows})
        elif isinstance(line, list) and line[0] == "r":
            ms = (round(header["start"] * 1e9) + round(line[1] * 1e9)) // 1_000_000
            for (name, _, kind), value in zip(columns, line[4]):
                if not name.startswith("exits."):
                    add((name.replace(".", "_"), None), ms, value, kind)
            for table, rows in line[6].items():
                if table not in ROWS:
                    continue
                kinds = header["tables"][table]
                numbered = rows.items() if isinstance(rows, dict) else enumerate(rows)
                for number, values in numbered:
                    values = values or [0] * len(kinds)
                    for (name, _, kind), value in zip(kinds, values):
                        add((f"{table}_{name}", names[table][int(number)]), ms, value, kind)
    return found


def totals(lines):
    """The sums of the end line, by name."""
    return {name.replace(".", "_"): values[2] for name, values in lines[-1]["end"]["statistics"].items() if values[2] is not None}


def stored(receiver, run):
    """By series as in `expected`: what the receiver has; and the labels of all of them, but for names and keys."""
    found, labels = {}, set()
    for pairs, samples in receiver.series(f'{{__name__=~"{PREFIX}.*",run="{run}"}}').items():
        one = dict(pairs)
        name = one.pop("__name__")[len(PREFIX):]
        key = next((one.pop(table) for table in ROWS if table in one), None)
        labels.add(tuple(sorted(one.items())))
        found[name, key] = samples
    return found, labels


def same_times(times, samples):
    """Both are rounded to milliseconds, from sums of doubles; one moment more has the totals of the end line."""
    return len(times) - len(samples) in (0, 1) and all(abs(a - b) <= 1 for a, (b, _) in zip(times, samples))


def all_there(got, wanted):
    return got if all((name, key) in got[0] or (name + "_total", key) in got[0] for name, key in wanted) else None


def same(receiver, lines, program="python3"):
    """The receiver has each row of the record once, with its value, and the exact sums of the end line; how many samples."""
    wanted = expected(lines)
    # VictoriaMetrics shows a new series some time after it has accepted it.
    found, labels = wait_for(lambda: all_there(stored(receiver, lines[0]["id"]), wanted), "series are missing")
    amounts = totals(lines)
    header = lines[0]
    assert labels == {(("host", header["host"]["name"]), ("job", header["metadata"]["job_name"]), ("run", header["id"]))}
    checked = 0
    for (name, key), samples in wanted.items():
        counter = (name + "_total", key) in found
        got = found[name + "_total" if counter else name, key]
        times = [t for t, _ in got]
        assert times == sorted(set(times)), "a sample is there twice"
        # A moment after the last row has the exact total, where the sum of rounded rows is less.
        assert same_times(times, samples), (name, key)
        for (_, value), (_, wanted_value) in zip(got, samples):
            assert value == pytest.approx(wanted_value, rel=1e-9, abs=1e-5 * len(samples)), (name, key)
        if counter:
            assert [v for _, v in got] == sorted(v for _, v in got), "a counter fell"
            if key is None:
                assert got[-1][1] == pytest.approx(amounts[name], abs=1e-9, rel=1e-12), name
        checked += len(got)
    assert ("process_cpu_seconds_total", None) in found and ("program_rss_bytes", program) in found
    fixed = {name.replace(".", "_") for name in header["fixed"]} | {
        f"{table}_{name}" for table in ROWS for name, _, kind in header["tables"][table] if kind == "fixed"} | {
        f"{table}_{name}" for line in lines if "rows" in line for table, rows in line["rows"].items() for row in rows for name in row}
    more = {name for name, key in found if (name, key) not in wanted and (name.removesuffix("_total"), key) not in wanted}
    assert more <= fixed, "it has more than the record"
    return checked
