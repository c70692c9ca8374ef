"""test_statsd.py - the metrics of a run by UDP to a receiver that adds them up, compared with its record."""
import collections
import json
import socket
import threading
from decimal import Decimal

import pytest

from processes import wait_for
from receivers import free_port, push_built, start  # noqa: F401

DATAGRAM = 1432
LOAD = "import os, sys\nwhile not os.path.exists(sys.argv[1]): sum(range(20000)); __import__('time').sleep(.001)"


def flat(text):
    return " ".join(text.split())


class Statsd:
    """Sums of counters and newest gauges, by name and tags; each line as the protocol has it."""

    def __init__(self, family=socket.AF_INET, host="127.0.0.1"):
        self.counters, self.gauges = collections.defaultdict(Decimal), {}
        self.datagrams, self.lines = [], 0
        self.socket = socket.socket(family, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        self.socket.bind((host, 0))
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.receive, daemon=True)
        self.thread.start()

    def receive(self):
        while (datagram := self.socket.recv(65536)) != b"over":
            self.datagrams.append(datagram)

    def close(self):
        """After all that was sent before: datagrams of one machine keep their order."""
        with socket.socket(self.socket.family, socket.SOCK_DGRAM) as other:
            other.sendto(b"over", self.socket.getsockname())
        self.thread.join()
        self.socket.close()
        for datagram in self.datagrams:
            for line in datagram.decode().split("\n"):
                self.take(line)

    def take(self, line):
        self.lines += 1
        value, kind, tags = line.split("|")
        name, value = value.split(":")
        assert tags.startswith("#") and name.startswith("resource_tracker.")
        series = name.removeprefix("resource_tracker."), tuple(tuple(tag.split(":", 1)) for tag in tags[1:].split(","))
        if kind == "c":
            self.counters[series] += Decimal(value)
        else:
            assert kind == "g"              # with a sign it is a difference
            self.gauges[series] = Decimal(value) + (self.gauges[series] if value[0] in "+-" else 0)


@pytest.fixture(params=[(socket.AF_INET, "127.0.0.1", "127.0.0.1"), (socket.AF_INET6, "::1", "[::1]"),
                        (socket.AF_INET, "127.0.0.1", "localhost")], ids=["IPv4", "IPv6", "name"])
def statsd(request):
    family, host, written = request.param
    try:
        made = Statsd(family, host)
    except OSError:
        pytest.skip("no IPv6 here")
    made.place = f"statsd={written}:{made.port}"
    return made


def exact(path):
    """The lines of a record, with numbers as they are written."""
    return [json.loads(line, parse_float=Decimal, parse_int=Decimal) for line in path.read_text().splitlines()]


def check_against(statsd, lines):
    """Sums are exactly those of the end line, gauges those of the newest row; by the tags of the run alone, or with a key."""
    header = lines[0]
    run = {("host", header["host"]["name"]), ("job", "nightly"), ("run", header["id"])}
    ends = {name: values[2] for name, values in lines[-1]["end"]["statistics"].items() if values[2] is not None}
    totals = {name: value for (name, tags), value in statsd.counters.items() if set(tags) == run}
    assert totals == {name: value for name, value in ends.items() if value != 0}
    assert totals["process.cpu_seconds"] > 0 and "memory.used_bytes" in {name for name, _ in statsd.gauges}
    newest = dict(zip([column[0] for column in [line["columns"] for line in lines if "columns" in line][-1]],
                      [line for line in lines if isinstance(line, list) and line[0] == "r"][-1][4]))
    gauges = {name: value for (name, tags), value in statsd.gauges.items() if set(tags) == run}
    assert all(gauges[name] == value for name, value in newest.items() if name in gauges and value is not None)
    keyed = {tag for _, tags in list(statsd.counters) + list(statsd.gauges) for tag in tags} - run
    assert ("program", "python3") in keyed


def test_sums_are_exactly_those_of_the_record(statsd, start, tmp_path):  # noqa: F811
    record, stop = tmp_path / "run.jsonl", tmp_path / "stop"
    process = start("--no-config", "-i", "0.05", "-n", "nightly", "--record", record, "--push", statsd.place, "--push-drain", "600s", "--",
                    "/usr/bin/python3", "-c", LOAD, stop)
    wait_for(lambda: record.exists() and record.read_text().count('["r"') > 20 and len(statsd.datagrams) > 40, "nothing arrives")
    stop.touch()
    stderr = process.communicate()[1]
    statsd.close()
    assert process.returncode == 0 and "push:" not in stderr
    assert max(map(len, statsd.datagrams)) <= DATAGRAM and statsd.lines > 3 * len(statsd.datagrams)
    check_against(statsd, exact(record))


def test_a_short_run(statsd, run, tmp_path):
    done = run("--no-config", "-n", "nightly", "--record", tmp_path / "run.jsonl", "--push", statsd.place, "--push-drain", "600s", "/usr/bin/python3", "-c",
               "sum(range(10 ** 6))")
    statsd.close()
    assert done.returncode == 0 and "push:" not in done.stderr
    check_against(statsd, exact(tmp_path / "run.jsonl"))


def test_names_cannot_end_a_line(run, tmp_path):
    statsd = Statsd()
    done = run("--no-config", "-q", "-n", "a|b,c#d\ne", "--record", "none", "--push", f"statsd=127.0.0.1:{statsd.port}", "--push-drain", "600s", "true")
    statsd.close()
    assert done.returncode == 0
    assert {value for _, tags in statsd.gauges for name, value in tags if name == "job"} == {"a_b_c_d_e"}


def test_nothing_listens(run, tmp_path, push_built):  # noqa: F811
    done = run("--no-config", "-i", "0.05", "--record", "none", "--push", f"statsd=127.0.0.1:{free_port()}", "sh", "-c", "sleep .3; exit 3")
    assert done.returncode == 3 and "datagrams or more are lost: nothing listens there" in flat(done.stderr)
    assert not list(tmp_path.rglob("push/*"))


def test_a_name_that_does_not_exist(run, push_built):  # noqa: F811
    done = run("--no-config", "--record", "none", "--push", "statsd=receiver.invalid:8125", "--push-drain", "600s", "sh", "-c", "exit 3")
    assert done.returncode == 3 and "statsd=receiver.invalid:8125: not all values were sent: receiver.invalid: " in flat(done.stderr)


@pytest.mark.parametrize("place", ["h", "h:", ":1", "h:0", "h:65536", "h:x", "::1:8125", "[]:1", "http://h:8125", "a b:1", "me@h:1"])
def test_not_a_place(run, place):
    done = run("--no-config", "--push", f"statsd={place}", "true")
    assert done.returncode == 125 and "is not HOST:PORT, such as 127.0.0.1:8125" in done.stderr and done.stderr.count("\n") == 1


def test_a_run_that_is_over_has_no_receiver(run, tmp_path, push_built):  # noqa: F811
    run("--no-config", "-q", "--record", tmp_path / "run.jsonl", "true")
    done = run("push", tmp_path / "run.jsonl", "--to", "statsd=127.0.0.1:8125")
    assert done.returncode == 125 and "it has no times, so it takes a run only while that goes on" in done.stderr
