#!/usr/bin/python3
"""compare.py - compares two CSVs of trackers that ran at the same time: rows by nearest time, columns by name.

For each shared column: mean, standard deviation and extremes of both sides, the mean absolute difference
of the paired rows, and the deviation: that difference as a part of the mean of theirs.
"""
import argparse
import csv
import statistics
import sys

# One quantity under the names that trackers gave it over time; the last part of the name decides.
SAME = {
    "memory_free": "memory_free_mib", "memory_used": "memory_used_mib", "memory_buffers": "memory_buffers_mib",
    "memory_cached": "memory_cached_mib", "memory_active": "memory_active_mib",
    "memory_inactive": "memory_inactive_mib", "memory_active_anon": "memory_active_mib",
    "memory_inactive_anon": "memory_inactive_mib", "gpu_vram": "gpu_vram_mib",
    "read_bytes": "disk_read_bytes", "write_bytes": "disk_write_bytes", "pss": "memory_mib", "memory": "memory_mib",
}
CUMULATIVE = ("disk_read_bytes", "disk_write_bytes", "net_recv_bytes", "net_sent_bytes")


def plain_name(column):
    """The name without the prefix that combined layouts add to the machine's columns."""
    column = column.removeprefix("system_")
    return SAME.get(column, column)


def number(cell):
    """A cell's value; None if it is empty or not a number."""
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None


def load(lines):
    """Rows as {name: value or None}, in order of time; rows without a time are left out."""
    rows = [{plain_name(k): number(v) for k, v in row.items() if k} for row in csv.DictReader(lines)]
    return sorted((row for row in rows if row.get("timestamp") is not None), key=lambda row: row["timestamp"])


def difference(rows, columns):
    """Counters since boot as amounts since the row before; the first row has no such value."""
    for column in columns:
        values = [row.get(column) for row in rows]
        for i, row in enumerate(rows):
            if column not in row:
                continue
            known = i > 0 and values[i] is not None and values[i - 1] is not None
            # A counter that falls was reset: the amount of that interval is unknown.
            row[column] = values[i] - values[i - 1] if known and values[i] >= values[i - 1] else None
    return rows


def is_cumulative(rows, column):
    """Whether the values never fall and start far above their gain: a counter
    since boot, not an amount per interval."""
    values = [row[column] for row in rows if row.get(column) is not None]
    if len(values) < 3 or values[0] <= 0 or any(b < a for a, b in zip(values, values[1:])):
        return False
    return values[0] > 10 * (values[-1] - values[0]) / (len(values) - 1)


def interval_of(rows):
    gaps = [b["timestamp"] - a["timestamp"] for a, b in zip(rows, rows[1:])]
    return statistics.median(gaps) if gaps else 1.0


def pair(ours, theirs, tolerance):
    """[(our row, their row)], each of ours with the nearest of theirs, each of theirs at most once."""
    pairs, first = [], 0
    for row in ours:
        best = None
        for k in range(first, len(theirs)):
            gap = abs(theirs[k]["timestamp"] - row["timestamp"])
            if gap <= tolerance and (best is None or gap < best[0]):
                best = (gap, k)
            if theirs[k]["timestamp"] - row["timestamp"] > tolerance:
                break
        if best:
            pairs.append((row, theirs[best[1]]))
            first = best[1] + 1
    return pairs


def statistics_of(values):
    return {"mean": statistics.fmean(values), "std": statistics.pstdev(values), "min": min(values), "max": max(values)}


def compare(ours, theirs, tolerance=None):
    """{column: {"n", "ours", "theirs", "mad", "deviation_pct"}} for the columns that both have at a time."""
    if tolerance is None:
        tolerance = interval_of(ours) / 2 if ours else 0.5
    pairs, result = pair(ours, theirs, tolerance), {}
    if not pairs:
        return result
    for column in [c for c in ours[0] if c in theirs[0] and c != "timestamp"]:
        both = [(a[column], b[column]) for a, b in pairs if a[column] is not None and b[column] is not None]
        if not both:
            continue
        left, right = [a for a, _ in both], [b for _, b in both]
        mad = statistics.fmean(abs(a - b) for a, b in both)
        mean = abs(statistics.fmean(right))
        result[column] = {
            "n": len(both), "ours": statistics_of(left), "theirs": statistics_of(right), "mad": mad,
            "deviation_pct": 100 * mad / mean if mean else 0.0 if mad == 0 else float("inf"),
        }
    return result


def table(result):
    head = ["column", "n", "our mean", "std", "min", "max", "their mean", "std", "min", "max", "mean abs. difference",
            "deviation"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for column, r in result.items():
        cells = [column, str(r["n"])]
        for side in ("ours", "theirs"):
            cells += [f"{r[side][k]:,.3f}" for k in ("mean", "std", "min", "max")]
        cells += [f"{r['mad']:,.3f}", f"{r['deviation_pct']:.1f} %"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ours", required=True)
    parser.add_argument("--theirs", required=True)
    parser.add_argument("--cumulative", choices=("auto", "yes", "no"), default="auto",
                        help="whether their disk and network columns count since boot")
    parser.add_argument("--tolerance", type=float, help="seconds; default: half our interval")
    args = parser.parse_args()
    with open(args.ours, newline="") as a, open(args.theirs, newline="") as b:
        ours, theirs = load(a), load(b)
    columns = [c for c in CUMULATIVE if args.cumulative == "yes" or
               args.cumulative == "auto" and is_cumulative(theirs, c)]
    result = compare(ours, difference(theirs, columns), args.tolerance)
    if not result:
        sys.exit("no two rows fit: did both run at the same time, and do they share a column?")
    print(table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
