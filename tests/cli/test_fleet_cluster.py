"""test_fleet_cluster.py - a store in a cluster of ClickHouse, 2 shards of 2 replicas: replicas are killed, nothing is lost."""
import json
import signal

from clickhouse_cluster import cluster                                              # noqa: F401
from fleet_records import ANSWERS, NOVEMBER, close, fleet, record
from processes import wait_for
from receivers import faulty                                                        # noqa: F401
from test_fleet_clickhouse import DATABASES, TABLES, act, alike, contents, contents_of_file, passing_on     # noqa: F401


def held(database, server):
    """Of each table how many rows the server itself has, and a sum over them."""
    return {table: server.rows(f"SELECT count(*) AS n, sum(cityHash64(id, {key})) AS sum FROM {database}.{table}_local FINAL")
            for table, key in TABLES.items()}


def equal(database, server, other):
    return held(database, server) == held(database, other)


def init(run, cluster, store):
    while (done := run("fleet", "init", "--store", store, "--cluster", "fleet")).returncode != 0:
        assert cluster.start_stuck_again(), done.stderr


def wait_for_replicas(cluster, condition, what):
    def reached():
        cluster.start_stuck_again()
        return condition()
    wait_for(reached, what)


def test_replicas_are_killed_during_a_push_and_questions(act, run, cluster, faulty, tmp_path):
    (first, second), (third, fourth) = cluster.servers
    database, runs = next(DATABASES), tmp_path / "runs"
    init(run, cluster, first.store(database))
    n = fleet(runs) + 600
    for i in range(600):
        (runs / f"r-{i}.jsonl").write_text(record(f"r-{i}", NOVEMBER + 1000 + i, f"many-{i % 7}", memory=i + 1, asked=(4, 1024)))
    act(tmp_path / "fleet.db", "init")
    act(tmp_path / "fleet.db", "push", runs)
    expected = contents_of_file(tmp_path / "fleet.db")

    # Of the first batch the second replica misses the rows of points, ends and runs; in the second batch the server that is asked is killed.
    passing_on(faulty, first)
    steps = {5: lambda: second.stop(signal.SIGKILL), 8: second.start, 9: lambda: fourth.stop(signal.SIGKILL),
             10: lambda: (first.stop(signal.SIGKILL), first.start(), "close")[-1]}
    faulty.before = lambda number: steps[number]() if number in steps else None
    assert act(first.store(database, faulty.port), "push", runs).startswith(f"{n} pushed")
    assert len(faulty.requests) > 13                                    # at least one was repeated
    # The fourth is still dead, and a replica that was gets what it missed.
    wait_for_replicas(cluster, lambda: contents(database, first) == expected, "rows are missing")

    questions = [*ANSWERS, ("memory", "--limit", "1000"), ("nodes", "--name", "many-1")]
    answers = {words: json.loads(act(tmp_path / "fleet.db", "query", *words, "--json")) for words in questions}
    fourth.start()
    wait_for_replicas(cluster, lambda: equal(database, third, fourth), "the fourth lacks rows")
    third.stop(signal.SIGKILL)
    for words in questions:
        wait_for_replicas(cluster, lambda words=words: alike(
            json.loads(act(second.store(database), "query", *words, "--json")), answers[words]), f"{words} is answered differently")
    third.start()

    # A run is on one shard.
    wait_for_replicas(cluster, lambda: all(equal(database, *servers) for servers in cluster.servers), "replicas differ")
    counts = [held(database, server)["runs"][0]["n"] for server in (first, third)]
    assert sum(counts) == n and min(counts) > n / 4
    assert act(second.store(database), "push", runs).startswith(f"0 pushed, {n} already there")
    job = json.loads((runs / "r-1.jsonl").read_text().split("\n")[0])["job"]["id"]
    assert act(second.store(database), "records", job, tmp_path / "all") == act(tmp_path / "fleet.db", "records", job, tmp_path / "all-2") \
        .replace("all-2", "all")


def test_init_adds_columns_on_all_servers(act, run, cluster, tmp_path):
    database, (first, second) = next(DATABASES), cluster.servers[0]
    init(run, cluster, first.store(database))
    for one, _ in cluster.servers:                  # the other replica of the shard follows
        one.execute(f"ALTER TABLE {database}.runs_local DROP COLUMN use_seconds")
    left = f"SELECT name FROM system.columns WHERE database = '{database}' AND table = 'runs_local' AND name = 'use_seconds'"
    wait_for(lambda: not any(server.rows(left) for server in cluster.all()), "a replica did not follow")
    first.execute(f"DROP TABLE {database}.runs ON CLUSTER fleet")
    first.execute(f"CREATE TABLE {database}.runs ON CLUSTER fleet AS {database}.runs_local "
                  f"ENGINE = Distributed(fleet, {database}, runs_local, cityHash64(id))")
    fleet(tmp_path / "runs")
    assert "fleet init" in act(second.store(database), "push", tmp_path / "runs", status=125)
    init(run, cluster, second.store(database))
    act(second.store(database), "push", tmp_path / "runs")
    for server in cluster.all():
        for words, expected in ANSWERS.items():
            wait_for(lambda server=server, words=words, expected=expected: close(json.loads(
                act(server.store(database), "query", *words, "--json")), expected), f"{words} is answered differently")


def test_tables_of_a_cluster_are_not_taken_for_others(act, run, cluster):
    first = cluster.servers[0][0]
    one, many = next(DATABASES), next(DATABASES)
    act(first.store(one), "init")
    init(run, cluster, first.store(many))
    for database, words, expected in [(one, ("--cluster", "fleet"), "not on a cluster"), (many, (), "give --cluster"),
                                      (next(DATABASES), ("--cluster", "it's none"), "it's none")]:
        said = act(first.store(database), "init", *words, status=125)
        assert said.count("\n") == 1 and expected in said
