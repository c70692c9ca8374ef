"""test_sockets.py - bytes of the job's TCP connections (truth: tcp_load.py), as root and as an ordinary user."""
import ctypes
import json
import os
import pathlib
import platform
import shutil
import socket
import struct
import subprocess
import tempfile
import time

import jsonschema
import pytest

HERE = pathlib.Path(__file__).parent
SCHEMA = json.loads((HERE.parents[1] / "docs/reference/sample.schema.json").read_text())
LOAD = ["/usr/bin/python3", "-c", (HERE / "tcp_load.py").read_text()]
OTHER_USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def as_user(user, program):
    if user == "root":
        if os.getuid() != 0:
            pytest.skip("needs root")
        return []
    if os.getuid() != 0:
        return []
    if subprocess.run([*OTHER_USER, "test", "-x", program]).returncode != 0:
        pytest.skip("the program may not be run by others")
    return OTHER_USER


@pytest.fixture
def server():
    """The port of a server outside of any tree."""
    process = subprocess.Popen([*LOAD, "server"], stdout=subprocess.PIPE, text=True)
    yield int(process.stdout.readline())
    process.kill()
    process.wait()


MISSING = "the kernel did not report in time the TCP connections that ended with the job"


@pytest.fixture
def measure(tracker):
    """
    measure(command, user=, options=): (rows, everything else on stderr, the last line of stdout) of it under the recorder.
    Its stdin is closed when two rows have bytes.
    """
    def around(command, user="root", options=(), prefix=()):
        said = MISSING
        while MISSING in said:                          # the kernel's worker had no CPU
            with subprocess.Popen([*as_user(user, tracker), *prefix, tracker, "--record", "none", "--format", "json", *options,
                                   "--", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, cwd="/") as process:
                lines = until_rows(process.stderr, 2, lambda row: row["process"]["net_sent_bytes"])
                process.stdin.close()
                lines += process.stderr
                out = process.stdout.read()
            assert process.returncode == 0, lines
            said = " ".join(" ".join(line for line in lines if not line.startswith("{")).split())
        rows = rows_of(lines)
        for row in rows:
            jsonschema.validate(row, SCHEMA)
        return rows, said, out.splitlines()[-1:]
    return around


def rows_of(lines):
    return [json.loads(line) for line in lines if line.startswith("{")]


def until_rows(file, n, wanted=lambda row: True):
    """The lines of a recorder, until n rows are as wanted, or all."""
    lines = []
    for line in file:
        lines.append(line)
        n -= sum(bool(wanted(row)) for row in rows_of([line]))
        if n <= 0:
            break
    return lines


def total(rows, name):
    known = [row["process"][name] for row in rows if row["process"][name] is not None]
    return sum(known) if known else None


@pytest.mark.parametrize("user", ["root", "nobody"])
@pytest.mark.parametrize("kind", ["long", "long6", "out", "passed"])
@pytest.mark.parametrize("interval", [0.1, 1])
def test_connections_open_across_samples(measure, server, kind, user, interval):
    if kind == "long6" and not socket.has_ipv6:
        pytest.skip("no IPv6")
    rows, summary, (out,) = measure([*LOAD, kind, str(server)], user, ["--interval", str(interval)])
    truth = json.loads(out)
    assert total(rows, "net_sent_bytes") == truth["sent"]
    # The close of a connection by its other end counts as a byte received.
    assert truth["received"] <= total(rows, "net_recv_bytes") <= truth["received"] + 10
    assert "TCP of job" in summary and "(TCP only" in summary


@pytest.mark.parametrize("user", ["root", "nobody"])
@pytest.mark.parametrize("kind", ["short", "short6"])
def test_short_connections_are_inside_the_bound(measure, kind, user):
    """
    Only a part is seen, but the stated maximum of missing bytes is not less than the bytes missing.  It can be unknown in
    a row, as in the test below.
    """
    at_most = [None]
    while None in at_most:
        rows, summary, (out,) = measure([*LOAD, kind], user, ["--interval", "0.5"])
        at_most = [row["process"]["net_unattributed_bytes"] for row in rows]
    truth = json.loads(out)
    all_true = truth["sent"] + truth["received"]
    seen = total(rows, "net_sent_bytes") + total(rows, "net_recv_bytes")
    # The half of it that the job's own listener accepted is fully known.
    assert seen >= all_true * 0.49
    assert seen <= all_true + 2 * truth["rounds"]
    assert seen + sum(at_most) >= all_true
    assert "(TCP only, at most " in summary


@pytest.mark.parametrize("user", ["root", "nobody"])
def test_a_job_shorter_than_an_interval_has_a_bound(tracker, user):
    """
    The owners of its connections are unknown: the maximum that it sent is reported, instead of nothing.  Or that this is
    unknown, too: the kernel's report of a close was late, or a connection of others was about to begin or to end.
    """
    at_most = None
    while at_most is None:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            record = pathlib.Path(folder, "record.jsonl")
            with subprocess.Popen([*as_user(user, tracker), tracker, "--quiet", "--interval", "600", "--record", record, "--",
                                   *LOAD, "short"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/") as process:
                assert process.stdout.readline() == "begun\n"
                time.sleep(0.3)
                truth = json.loads(process.communicate()[0])
            end = json.loads(record.read_text().splitlines()[-1])["end"]
        at_most = (end["statistics"].get("process.net_unattributed_bytes") or [None] * 3)[2]
        sent = end["statistics"]["process.net_sent_bytes"][2]
        assert end["samples"] == 1 and sent <= truth["sent"]
    assert sent + at_most >= truth["sent"] + truth["received"]


def test_a_job_without_network_has_zero(measure):
    rows, summary, _ = measure(["sleep", "0.5"], "nobody", ["--interval", "0.1"])
    assert total(rows, "net_sent_bytes") == 0 and total(rows, "net_recv_bytes") == 0
    assert "TCP" not in summary


def load(server):
    """A load outside of any tree, which has begun."""
    process = subprocess.Popen([*LOAD, "out", str(server)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    return process


def test_attached_counts_from_now_on(tracker, server):
    with load(server) as process:
        recorder = subprocess.Popen([tracker, "--record", "none", "--format", "json", "--interval", "0.1", "--pid", str(process.pid)],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = until_rows(recorder.stdout, 2, lambda row: row["process"]["net_sent_bytes"])
        truth = json.loads(process.communicate()[0])
        lines += recorder.communicate()[0].splitlines()
    assert 0 < total(rows_of(lines), "net_sent_bytes") < truth["sent"]


def test_inherited_connections_count_from_the_first_reading(measure, tracker):
    """Its standard input is a connection over which others have sent a lot."""
    listener = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(listener.getsockname())
    served = listener.accept()[0]
    for _ in range(10):
        client.sendall(bytes(50000))
        got = 0
        while got < 50000:
            got += len(served.recv(50000))
    with client, served, listener:
        job = subprocess.Popen([tracker, "--record", "none", "--format", "json", "--interval", "0.2", "--", "sh", "-c",
                                "head -c 1000 >/dev/null; sleep 0.5"], stdin=served, stderr=subprocess.PIPE, text=True)
        lines = until_rows(job.stderr, 1)               # the first reading is over
        client.sendall(bytes(1000))
        lines += job.communicate()[1].splitlines()
    assert total(rows_of(lines), "net_recv_bytes") == 1000


def test_members_in_another_namespace_are_missing_not_zero(tracker):
    words = ["unshare", "--net"] if os.getuid() == 0 else ["unshare", "--user", "--net"]
    if not shutil.which("unshare") or subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        pytest.skip("no network namespaces here")
    with subprocess.Popen([tracker, "--record", "none", "--format", "json", "--interval", "0.1", "--", *words, "sh", "-c",
                           "echo inside; read word"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout.readline() == "inside\n"
        inside = time.time()
        lines = until_rows(process.stderr, 3, lambda row: row["timestamp"] > inside)
        lines += process.communicate("over")[1].splitlines()
    # The first can be of a reading from before.
    late = [row["process"]["net_recv_bytes"] for row in rows_of(lines) if row["timestamp"] > inside][1:]
    assert late == [None] * len(late) and len(late) >= 2
    assert "is in another network namespace: its TCP connections are not seen" in " ".join(" ".join(lines).split())


def test_another_users_process(tracker, server):
    if os.getuid() != 0:
        pytest.skip("needs root")
    with load(server) as process:
        recorder = subprocess.Popen([*as_user("nobody", tracker), tracker, "--record", "none", "--format", "json", "--interval", "0.1",
                                     "--pid", str(process.pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")
        lines = until_rows(recorder.stdout, 4)
        process.communicate()
        more, stderr = recorder.communicate()
    rows = rows_of(lines + more.splitlines())
    assert len(rows) > 3
    assert total(rows, "net_recv_bytes") is None and total(rows, "net_sent_bytes") is None
    assert "TCP connections of another user's processes" in stderr


def test_few_descriptors(measure, server):
    if not shutil.which("prlimit"):
        pytest.skip("needs prlimit")
    rows, _, (out,) = measure([*LOAD, "out", str(server)], "root" if os.getuid() == 0 else "nobody",
                           ["--interval", "0.1"], prefix=["prlimit", "--nofile=64"])
    assert total(rows, "net_sent_bytes") == json.loads(out)["sent"]


SOCKET_CALL = {"x86_64": 41, "aarch64": 198}


def forbid_socket_diagnostics():
    """As a sandbox does: socket(AF_NETLINK, ..., NETLINK_SOCK_DIAG) fails with EPERM (seccomp(2), classic BPF)."""
    load, equal, answer = 0x20, 0x15, 0x06
    nr, family, protocol, allow, refuse = 0, 16, 32, 0x7fff0000, 0x00050001
    program = b"".join(struct.pack("HBBI", *step) for step in [
        (load, 0, 0, nr), (equal, 0, 5, SOCKET_CALL[platform.machine()]), (load, 0, 0, family), (equal, 0, 3, socket.AF_NETLINK),
        (load, 0, 0, protocol), (equal, 0, 1, 4), (answer, 0, 0, refuse), (answer, 0, 0, allow)])
    text = ctypes.create_string_buffer(program, len(program))
    filter_ = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(text)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, filter_, 0, 0) != 0:
        os._exit(99)


def test_a_sandbox_that_forbids_socket_diagnostics(tracker, server):
    if platform.machine() not in SOCKET_CALL:
        pytest.skip("the number of the system call is not known here")
    with subprocess.Popen([tracker, "--record", "none", "--format", "json", "--interval", "0.1", "--", *LOAD, "out", str(server)],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          preexec_fn=forbid_socket_diagnostics) as process:
        lines = until_rows(process.stderr, 4)
        lines += process.communicate()[1].splitlines()
    if process.returncode == 99:
        pytest.skip("no seccomp here")
    assert process.returncode == 0, lines
    rows = rows_of(lines)
    assert len(rows) > 3
    for name in ("net_recv_bytes", "net_sent_bytes", "net_unattributed_bytes"):
        assert total(rows, name) is None
    summary = " ".join(" ".join(line for line in lines if not line.startswith("{")).split())
    assert "TCP connections of the tree are not counted: no answer from the kernel's socket diagnostics: " \
        "Operation not permitted" in summary
    assert "TCP of job" not in summary
