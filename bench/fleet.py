#!/usr/bin/python3
"""
fleet.py - a fleet of many runs in a cluster of ClickHouse, 2 shards of 2 replicas with ZooKeeper, beside a file of SQLite.

    bench/run --only wrapper                    # builds what is measured, in build/bench
    bench/fleet.py [--runs N] [--build DIR]

One replica is killed (SIGKILL) during the load and started again, the one beside it is dead during the questions.  Exits
with 1 if a run is missing or is there twice, or if a question is answered differently by the two stores.  Times are shown
and never judged.
"""
import argparse
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/cli")]
from clickhouse_cluster import Cluster  # noqa: E402
from fleet_records import NOVEMBER, OCTOBER, close, record  # noqa: E402
from processes import wait_for  # noqa: E402

QUESTIONS = (("memory",), ("memory", "--name", "job-7"), ("oversized",), ("oversized", "--share", "60"), ("waste",),
             ("regressions", "--since", "2026-11-01Z"), ("nodes",), ("programs",), ("regions",))
FOLDER_MOST = 10000


def make_records(folder, n):
    """Runs of a hundred jobs on forty machines, of which one is slow, in two months; one job takes longer in the second."""
    chance = random.Random(7)
    for i in range(n):
        if i % FOLDER_MOST == 0:
            place = folder / str(i // FOLDER_MOST)
            place.mkdir(parents=True)
        name, host, late = i % 100, chance.randrange(40), i >= n // 2
        hours = (0.5 + name / 50) * (1.5 if host == 13 else 1) * (1.6 if late and name == 42 else 1)
        text = record(f"run-{i}", (NOVEMBER if late else OCTOBER) + i % (n // 2), f"job-{name}", host=f"node-{host}", hours=hours,
                      cpu_hours=hours * chance.uniform(0.1, 3.9), memory=round(chance.uniform(1, 30), 3), asked=(4, 32),
                      exit_code=int(chance.random() < 0.02))
        (place / f"{i}.jsonl").write_text(text)


class Store:
    def __init__(self, program, url):
        self.program, self.url = program, url

    def words(self, action, *words):
        return [self.program, "fleet", action, "--store", self.url, *map(str, words)]

    def do(self, action, *words):
        done = subprocess.run(self.words(action, *words), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"fleet {action} {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return done.stdout

    def asked(self, question):
        """The answer, and the seconds that it took."""
        begin = time.monotonic()
        rows = json.loads(self.do("query", *question, "--json", "--limit", 1000))
        return rows, time.monotonic() - begin


def rows_of(servers, database):
    """Runs on each shard by its first server that answers, and how many ids they are."""
    found = [server.rows(f"SELECT count(*) AS n, uniqExact(id) AS ids FROM {database}.runs_local FINAL")[0] for server in servers]
    return sum(row["n"] for row in found), sum(row["ids"] for row in found)


def load_with_a_kill(store, folders, server, replica, runs):
    """The seconds of a push, and what it said; a replica is dead while its shard, with `server`, gets a quarter of its rows."""
    def wait_for_rows(n):
        while push.poll() is None and server.rows("SELECT count(*) AS n FROM fleet.runs_local")[0]["n"] < n:
            time.sleep(0.1)
        if push.poll() is not None:
            sys.exit("the load was over before the replica was killed: more --runs")
    begin = time.monotonic()
    push = subprocess.Popen(store.words("push", *folders), stdout=subprocess.PIPE, text=True)
    wait_for_rows(runs / 2 / 4)
    replica.stop(signal.SIGKILL)
    wait_for_rows(runs / 2 / 2)
    replica.start()
    said = push.communicate()[0].strip()
    if push.returncode != 0:
        sys.exit(f"fleet push: {said}")
    return time.monotonic() - begin, said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--runs", type=int, default=200000)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "bench")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))       # what was started is ended, too
    program, bad = args.build / "resource-tracker", []
    with tempfile.TemporaryDirectory(prefix="resource-tracker-bench-", dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        make_records(folder / "records", args.runs)
        places = sorted((folder / "records").iterdir())
        file = Store(program, folder / "fleet.db")
        file.do("init")
        begin = time.monotonic()
        file.do("push", *places)
        print(f"SQLite: {args.runs:,} runs in {time.monotonic() - begin:.0f} s", flush=True)
        cluster = Cluster(folder / "cluster")
        try:
            (first, second), (third, fourth) = cluster.servers
            many = Store(program, first.store("fleet"))
            many.do("init", "--cluster", "fleet")
            seconds, said = load_with_a_kill(many, places, third, fourth, args.runs)
            print(f"ClickHouse, 2 shards of 2 replicas: in {seconds:.0f} s, a replica killed and started again meanwhile; {said}")
            runs, ids = rows_of((first, third), "fleet")
            if runs != args.runs or ids != args.runs:
                bad.append(f"{runs:,} rows of {ids:,} runs")
            for table in ("runs", "programs", "regions", "points"):          # what it missed comes from the other replica
                rows = f"SELECT count(*) AS n FROM fleet.{table}_local FINAL"
                wait_for(lambda rows=rows: third.rows(rows) == fourth.rows(rows), f"the replica lacks rows of {table}")
            third.stop(signal.SIGKILL)
            slowest = {"SQLite": 0.0, "ClickHouse": 0.0}
            for question in QUESTIONS:
                answers = {}
                for kind, store in (("SQLite", file), ("ClickHouse", many)):
                    answers[kind], seconds = store.asked(question)
                    slowest[kind] = max(slowest[kind], seconds)
                if not close(answers["ClickHouse"], answers["SQLite"]):
                    bad.append(f"{' '.join(question)} is answered differently")
            print(f"{len(QUESTIONS)} questions, a replica dead: the slowest took " +
                  ", ".join(f"{seconds:.2f} s ({kind})" for kind, seconds in slowest.items()))
        finally:
            cluster.stop()
    for line in bad:
        print(line)
    print("the stores differ" if bad else "no run is lost or doubled, and all answers are the same")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
