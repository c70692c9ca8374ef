"""
fleet_records.py - records of known use, and what a fleet of them answers, computed by hand.

GIB and an hour are the units of the numbers below: a run of 2 h with 4 cores asked for has asked for 8 core hours.
"""
import html.parser
import json

GIB, HOUR = 1 << 30, 3600
OCTOBER, NOVEMBER = 1790812800, 1793491200              # 2026-10-01 and 2026-11-01, in UTC


def record(run_id, start, name="train", host="n1", hours=1.0, cpu_hours=1.0, memory=1.0, asked=(None, None), exit_code=0, **more):
    """The text of a record of header and end: hours, core hours, GiB of PSS, and what Slurm gave: CPUs and GiB."""
    job = {"scheduler": "slurm", "id": "1", "node_cpus": asked[0], "node_memory_bytes": asked[1] and int(asked[1] * GIB)}
    header = {"record": "resource-tracker", "version": 1, "id": run_id, "start": start, "interval_seconds": 1.0,
              "command": ["./job", name], "pids": [7], "metadata": {"job_name": name}, "host": {"name": host, "cpus": 64},
              "job": {key: value for key, value in job.items() if value is not None}}
    seconds = hours * HOUR
    end = {"status": "exited", "exit_code": exit_code, "time": start + seconds, "seconds": seconds, "sampled_seconds": seconds,
           "samples": 2, "statistics": {
               "process.cpu_seconds": [cpu_hours / hours, cpu_hours / hours, cpu_hours * HOUR],
               "process.cpu_cores": [cpu_hours / hours, cpu_hours / hours, None],
               "process.pss_bytes": [memory * GIB / 2, memory * GIB, None],
               "process.rss_bytes": [memory * GIB / 2, memory * GIB, None]},
           "tables": {"program": [{"key": name + "-program", "cpu_seconds": [1, 1, cpu_hours * HOUR],
                                   "pss_bytes": [memory * GIB / 2, memory * GIB, None]}]},
           "regions": [{"path": "load", "count": 2, "seconds": 60.0, "cpu_seconds": 30.0, "min_seconds": 20.0, "max_seconds": 40.0}],
           "outline": {"columns": ["t", "process.cpu_cores", "process.rss_bytes"],
                       "points": [[seconds / 2, 1.0, 1000], [seconds, 2.0, 2000]]}}
    header.update(more)
    return json.dumps(header) + "\n" + json.dumps({"end": end}) + "\n"


def fleet(folder):
    """
    train: four runs in October on n1, four in November on n2 that take twice as long; 8 CPUs and 16 GiB asked for.
    clean: twenty runs of 1, 2 ... 20 GiB, of 32 GiB asked for, one after the other on n1 and n2.
    tiny: one run of 0.5 of 16 core hours and 1 of 64 GiB.  free: asks for nothing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {}
    for i in range(4):
        texts[f"before-{i}"] = record(f"before-{i}", OCTOBER + i, hours=1, cpu_hours=4, memory=8, asked=(8, 16))
        texts[f"since-{i}"] = record(f"since-{i}", NOVEMBER + i, host="n2", hours=2, cpu_hours=4, memory=8, asked=(8, 16))
    for i in range(20):
        texts[f"clean-{i}"] = record(f"clean-{i}", OCTOBER + 100 + i, "clean", host=("n1", "n2")[i % 2], hours=1, cpu_hours=0.5,
                                     memory=i + 1, asked=(1, 32))
    texts["tiny"] = record("tiny", NOVEMBER + 50, "tiny", hours=4, cpu_hours=0.5, memory=1, asked=(4, 64))
    texts["free"] = record("free", NOVEMBER + 60, "free", hours=1, cpu_hours=1, memory=3, exit_code=1)
    for name, text in texts.items():
        (folder / f"{name}.jsonl").write_text(text)
    return len(texts)


# Question and flags, and the rows.  Of n values in order the p95 is number floor(0.95 n), counted from 0.
ANSWERS = {
    ("memory",): [
        # clean: of 1 ... 20 number 10 is 11, number 19 is 20
        {"name": "clean", "basis": "PSS", "runs": 20, "median_bytes": 11 * GIB, "p95_bytes": 20 * GIB, "most_bytes": 20 * GIB},
        {"name": "train", "basis": "PSS", "runs": 8, "median_bytes": 8 * GIB, "p95_bytes": 8 * GIB, "most_bytes": 8 * GIB},
        {"name": "free", "basis": "PSS", "runs": 1, "median_bytes": 3 * GIB, "p95_bytes": 3 * GIB, "most_bytes": 3 * GIB},
        {"name": "tiny", "basis": "PSS", "runs": 1, "median_bytes": GIB, "p95_bytes": GIB, "most_bytes": GIB},
    ],
    ("memory", "--name", "train", "--since", "2026-11-01Z"): [
        {"name": "train", "basis": "PSS", "runs": 4, "median_bytes": 8 * GIB, "p95_bytes": 8 * GIB, "most_bytes": 8 * GIB},
    ],
    ("oversized",): [
        # 0.5 of 4 * 4 core hours; 1 of 64 GiB
        {"name": "tiny", "runs": 1, "asked_cpu_cores": 4, "most_cpu_share": 0.5 / 16, "asked_memory_bytes": 64 * GIB,
         "most_memory_share": 1 / 64},
    ],
    ("oversized", "--share", "51"): [
        # clean: 0.5 of 1 core; train: at most 4 of 8 core hours and 8 of 16 GiB
        {"name": "clean", "runs": 20, "asked_cpu_cores": 1, "most_cpu_share": 0.5, "asked_memory_bytes": 32 * GIB,
         "most_memory_share": 20 / 32},
        {"name": "train", "runs": 8, "asked_cpu_cores": 8, "most_cpu_share": 0.5, "asked_memory_bytes": 16 * GIB,
         "most_memory_share": 0.5},
        {"name": "tiny", "runs": 1, "asked_cpu_cores": 4, "most_cpu_share": 0.5 / 16, "asked_memory_bytes": 64 * GIB,
         "most_memory_share": 1 / 64},
    ],
    ("waste",): [
        # clean: 20 * (1 - 0.5) core hours; 20 * 32 - (1 + ... + 20) GiB hours
        {"month": 202610, "name": "clean", "runs": 20, "asked_core_hours": 20, "wasted_core_hours": 10, "asked_gib_hours": 640,
         "wasted_gib_hours": 430},
        {"month": 202610, "name": "train", "runs": 4, "asked_core_hours": 32, "wasted_core_hours": 16, "asked_gib_hours": 64,
         "wasted_gib_hours": 32},
        {"month": 202611, "name": "tiny", "runs": 1, "asked_core_hours": 16, "wasted_core_hours": 15.5, "asked_gib_hours": 256,
         "wasted_gib_hours": 252},
        {"month": 202611, "name": "train", "runs": 4, "asked_core_hours": 64, "wasted_core_hours": 48, "asked_gib_hours": 128,
         "wasted_gib_hours": 64},
    ],
    ("regressions", "--since", "2026-11-01Z"): [
        {"name": "train", "runs_before": 4, "runs_since": 4, "time_before_seconds": HOUR, "time_since_seconds": 2 * HOUR,
         "cpu_before_seconds": 4 * HOUR, "cpu_since_seconds": 4 * HOUR, "memory_before_bytes": 8 * GIB, "memory_since_bytes": 8 * GIB},
    ],
    ("regressions", "--since", "2026-11-01Z", "--change", "100"): [],
    ("nodes",): [
        # The median of train is number 4 of 1, 1, 1, 1, 2, 2, 2, 2: 2 h.  n1: 4 runs of half of it and 10 of clean.
        {"host": "n2", "runs": 14, "jobs": 2, "times_median": 1},
        {"host": "n1", "runs": 14, "jobs": 2, "times_median": (4 * 0.5 + 10) / 14},
    ],
    ("programs", "--limit", "2"): [
        {"program": "train-program", "runs": 8, "sum_cpu_seconds": 32 * HOUR, "most_memory_bytes": 8 * GIB},
        {"program": "clean-program", "runs": 20, "sum_cpu_seconds": 10 * HOUR, "most_memory_bytes": 20 * GIB},
    ],
    ("regions", "--limit", "1"): [
        {"name": "clean", "path": "load", "runs": 20, "entries": 40, "sum_seconds": 1200, "sum_cpu_seconds": 600},
    ],
}


def close(answer, expected):
    """Whether the rows are equal, numbers to the sixth digit after the point."""
    return len(answer) == len(expected) and all(
        list(row) == list(other) and all(a == b if isinstance(b, str) or a is None else abs(a - b) < 1e-5
                                         for a, b in zip(row.values(), other.values()))
        for row, other in zip(answer, expected))


class Page(html.parser.HTMLParser):
    """tables: the rows of a page's cells, by the id of the heading before them; it has plain elements alone."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.at, self.cell = {}, None, False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        assert tag in ("html", "meta", "title", "style", "h1", "h2", "p", "div", "table", "tr", "th", "td"), tag
        if tag == "h2":
            self.at = self.tables.setdefault(dict(attrs)["id"], [])
        elif tag == "tr":
            self.at.append([])
        elif tag in ("td", "th"):
            self.at[-1].append("")
        self.cell = tag in ("td", "th")

    def handle_endtag(self, tag):
        self.cell = False

    def handle_data(self, data):
        if self.cell:
            self.at[-1][-1] += data
