"""test_fleet_https.py - a store in ClickHouse by https: certificates of the server and of ours, wrong and right."""
import json
import signal

import pytest

from certificates import make_certificate
from clickhouse import PROGRAM, SECURE, ClickHouse
from fleet_records import NOVEMBER, record
from receivers import free_port


@pytest.fixture
def secure(tmp_path, tracker):
    """A server that wants a certificate; its port, its own certificate, and the one that it wants with its key."""
    program = tracker.with_name("resource-tracker-fleet")
    if not PROGRAM or not program.exists() or b"CLICKHOUSE_PASSWORD" not in program.read_bytes():
        pytest.skip("needs clickhouse-server, and a build with libcurl")
    server = ClickHouse(tmp_path / "server")
    certificate, key = make_certificate(tmp_path)
    client = make_certificate(tmp_path, "client")
    port = free_port()
    server.configure(SECURE.format(port=port, certificate=certificate, key=key, client=client[0]))
    yield server.start(), port, certificate, client
    server.stop(signal.SIGKILL)


def test_only_with_both_certificates(secure, run, tmp_path):
    server, port, certificate, (mine, key) = secure
    (tmp_path / "run.jsonl").write_text(record("one", NOVEMBER, "nightly"))
    store = "--store", f"clickhouses://127.0.0.1:{port}/fleet"

    def fleet(action, *words):
        return run("fleet", action, *store, *words)
    refused = fleet("init", "--cert-file", mine, "--key-file", key)
    assert refused.returncode != 0 and "certificate" in refused.stderr
    refused = fleet("init", "--ca-file", certificate)
    assert refused.returncode != 0 and refused.stderr.count("\n") == 1
    trust = "--ca-file", certificate, "--cert-file", mine, "--key-file", key
    for words in (["init"], ["push", tmp_path / "run.jsonl"]):
        done = fleet(*words, *trust)
        assert (done.returncode, done.stderr) == (0, ""), done
    assert [row["id"] for row in server.rows("SELECT id FROM fleet.runs")] == ["one"]
    answered = json.loads(fleet("query", "memory", "--json", *trust).stdout)
    assert "nightly" in json.dumps(answered)
