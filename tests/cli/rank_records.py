"""
rank_records.py - records of the ranks of a job whose use is known at each moment, for tests and for a job of thousands.

    /usr/bin/python3 tests/cli/rank_records.py FOLDER [RANKS [RANKS_OF_A_NODE]]
"""
import json
import math
import pathlib
import sys
from random import Random

MIB, GIB, START = 1 << 20, 1 << 30, 1793491200
COLUMNS = ["t", "process.cpu_cores", "process.pss_bytes", "process.rss_bytes", "process.count", "process.disk_read_bytes",
           "process.disk_write_bytes", "process.net_recv_bytes", "process.net_sent_bytes", "cpu.utilization_cores",
           "memory.used_bytes", "process.run_delay_seconds", "process.block_delay_seconds", "cgroup.cpu_throttled_seconds"]
AMOUNTS = {name for name in COLUMNS if name.startswith(("process.disk", "process.net")) or name.endswith("_seconds")}
FILLING = "".join(f'["r",{i}.0,1,{",".join(["0.123456"] * 80)}]\n' for i in range(1, 60))


def use_at(share, changes):
    """What a rank uses at this share of its time: cores, bytes, bytes or seconds for each second."""
    wave = math.sin(share * 20)
    use = {"process.cpu_cores": 0.9 + 0.08 * wave, "process.pss_bytes": GIB * (0.5 + 0.5 * share), "process.rss_bytes": GIB * (1 + share),
           "process.count": 1, "process.disk_read_bytes": 8 * MIB if share < 0.1 else 0, "process.disk_write_bytes": MIB,
           "process.net_recv_bytes": 3 * MIB * (1 + wave), "process.net_sent_bytes": 3 * MIB * (1 - wave),
           "cpu.utilization_cores": 4, "memory.used_bytes": 8 * GIB, "process.run_delay_seconds": 0.01,
           "process.block_delay_seconds": 0, "cgroup.cpu_throttled_seconds": 0}
    return use | {key: value(share) if callable(value) else value for key, value in changes.items()}


def outline(seconds, points, changes):
    """Points of equal length, each with the use in its middle."""
    rows, length = [], seconds / points
    for k in range(points):
        use = use_at((k + 0.5) / points, changes)
        rows.append([round((k + 1) * length, 3)] + [round(use[name] * (length if name in AMOUNTS else 1), 4) for name in COLUMNS[1:]])
    return {"columns": COLUMNS, "points": rows}


def record(number, *, size, node="n0", seconds=3600.0, later=0.0, points=50, job="7", step="0", ahead=0.0, exit_code=0, rows="",
           ended=True, regions=(), cpus=4, array=None, changes=None):
    """The text of a record: header, `rows`, end.  later: its start after the job's; ahead: its node's clock."""
    name = {"scheduler": "slurm", "id": job, "step": step, "launcher": "slurm", "rank": number, "size": size, "node": node,
            "node_cpus": cpus, "node_memory_bytes": 2 * cpus * GIB}
    if array:
        for key in ("rank", "size", "step", "launcher"):
            del name[key]
        name["array_id"], name["array_task"] = array
    header = {"record": "resource-tracker", "version": 1, "id": f"{job}-{step}-{number}", "start": START + later + ahead,
              "interval_seconds": 1.0, "command": ["./solver"], "pids": [7], "host": {"name": node, "cpus": cpus}, "job": name}
    course = outline(seconds, points, changes or {})
    of = {key: [row[i] for row in course["points"]] for i, key in enumerate(COLUMNS)}
    statistics = {key: [sum(values) / seconds, max(values), sum(values)] if key in AMOUNTS
                  else [sum(values) / len(values), max(values), None] for key, values in of.items() if key != "t"}
    cpu = sum(of["process.cpu_cores"]) / points * seconds
    statistics |= {"process.cpu_seconds": [cpu / seconds, cpu / seconds, cpu], "memory.swap_in_bytes": [0, 0, 0], "process.swap_bytes": [0, 0, 0],
                   "pressure.memory_some_seconds": [0, 0, 0]}
    end = {"status": "exited", "exit_code": exit_code, "time": START + later + ahead + seconds, "seconds": seconds, "sampled_seconds": seconds,
           "samples": int(seconds), "statistics": statistics, "tables": {}, "regions": list(regions), "outline": course}
    last = json.dumps({"end": end}, separators=(",", ":")) + "\n" if ended else ""
    return json.dumps(header, separators=(",", ":")) + "\n" + rows + last


def many(folder, ranks=10_000, of_a_node=64):
    """A job of an hour: a rank in the middle is throttled, a node waits for its disk, another has a clock that is ahead."""
    folder.mkdir(parents=True, exist_ok=True)
    slow, bad_disk, ahead = ranks // 2, f"n{ranks // of_a_node // 3}", f"n{ranks // of_a_node // 4}"
    for number in range(ranks):
        node = f"n{number // of_a_node}"
        shift = (number * 7919) % 100 / 1000
        random = Random(number)
        changes = {"process.cpu_cores": lambda share, shift=shift, random=random: 0.8 + shift + 0.05 * math.sin(20 * share) + 0.05 * random.random(),
                   "process.net_recv_bytes": lambda share, random=random: 6 * MIB * random.random(),
                   "process.disk_write_bytes": lambda share, random=random: 40 * MIB if random.random() < 0.1 else 0,
                   "process.run_delay_seconds": lambda share, random=random: 0.02 * random.random(),
                   "process.pss_bytes": lambda share, random=random: GIB * (0.5 + 0.5 * share + 0.02 * random.random())}
        seconds = 3600.0 + shift * 10
        if number == slow:
            changes |= {"process.cpu_cores": 0.3, "process.run_delay_seconds": 0.62, "cgroup.cpu_throttled_seconds": 0.6}
            seconds = 4300.0
        elif node == bad_disk:
            changes |= {"process.cpu_cores": 0.6, "process.block_delay_seconds": lambda share: 0.7 if share > 0.6 else 0}
        text = record(number, size=ranks, node=node, seconds=seconds, ahead=30.0 if node == ahead else 0.0, rows=FILLING, cpus=of_a_node,
                      changes=changes | {"cpu.utilization_cores": 0.95 * of_a_node},
                      regions=[{"path": path, "count": 10, "seconds": seconds * part, "cpu_seconds": seconds * part / 2, "min_seconds": 1.0,
                                "max_seconds": 100.0} for path, part in (("solve", 0.8), ("solve/exchange", 0.2 + shift), ("write", 0.1))])
        (folder / f"{number}.jsonl").write_text(text)


if __name__ == "__main__":
    many(pathlib.Path(sys.argv[1]), *map(int, sys.argv[2:]))
