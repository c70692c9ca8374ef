"""test_push_faults.py - receivers that fail in every way, a spool that is full, and what must never be sent or shown."""
import os
import shutil
import signal
import ssl

import pytest

from certificates import make_certificate
from processes import children_of, files_below, wait_for
from receivers import Faulty, faulty, free_port, packets_of, push_built, start, write_request  # noqa: F401

SHORT = "--no-config", "-i", "0.05", "--push-drain", "600s"
OK = 204, {}, b""


@pytest.fixture
def record(run, tmp_path, push_built):  # noqa: F811
    path = tmp_path / "run.jsonl"
    # One batch, also if it takes seconds.
    assert run("--no-config", "-q", "-i", "0.1", "--record", path, "sleep", "0.4").returncode == 0
    return path


def spooled(tmp_path):
    return files_below(tmp_path / "state/resource-tracker/push")


def bodies_accepted(server):
    return [r.body for r in server.requests]


@pytest.mark.parametrize("first", [
    (429, {"Retry-After": "1"}, b"slow down"), (500, {}, b"broken"), (503, {}, b""), "close",
    (200, {"Content-Type": "text/html; charset=utf-8"}, b"<html>log in</html>"), (302, {"Location": "/login"}, b""),
], ids=["429", "500", "503", "closes", "html", "redirect"])
def test_a_batch_is_sent_again_until_it_is_accepted(first, run, record, faulty):
    faulty.answer = lambda number: first if number <= 2 else OK
    done = run("push", record, "--to", f"prometheus={faulty.url}")
    if first == "close":        # nothing listens as it seems, which is not waited for in the end
        assert done.returncode == 1 and "values are not delivered" in done.stderr
        return
    assert (done.returncode, done.stderr) == (0, "")
    assert len(faulty.requests) == 3 and len(set(bodies_accepted(faulty))) == 1


@pytest.mark.parametrize("status", [400, 401, 404, 413])
def test_what_is_refused_is_never_sent_again(status, run, record, faulty):
    faulty.answer = lambda number: (status, {}, b"out of bounds\nsecond line")
    done = run("push", record, "--to", f"prometheus={faulty.url}")
    assert done.returncode == 1 and len(faulty.requests) == 1
    assert f"values were refused: prometheus={faulty.url}: status {status}: out of bounds\n" in done.stderr


def test_batches_keep_their_order_through_failures(start, faulty, tmp_path):  # noqa: F811
    """Batches are cut while the receiver fails; each arrives once, the oldest first, none before the one ahead of it."""
    failing = [True]
    faulty.answer = lambda number: (503, {}, b"") if failing[0] else OK
    process = start(*SHORT, "--record", tmp_path / "run.jsonl", "--push", f"prometheus={faulty.url}", "--", "sleep", "100")
    wait_for(lambda: len({p.name for p in spooled(tmp_path) if p.name.startswith("0-00")}) >= 3, "nothing is spooled")
    assert len(set(bodies_accepted(faulty))) == 1, "a batch overtook another one"
    failing[0] = False
    wait_for(lambda: len(set(bodies_accepted(faulty))) >= 3, "nothing more arrives")
    process.send_signal(signal.SIGTERM)
    process.communicate()
    accepted = list(dict.fromkeys(bodies_accepted(faulty)))
    times = [time for body in accepted for time in sorted({t for samples in write_request(body).values() for t, _ in samples})]
    assert times == sorted(set(times)) and spooled(tmp_path) == []


def test_retry_after_is_respected(run, record, faulty):
    import time
    asked = []
    faulty.answer = lambda number: asked.append(time.monotonic()) or ((429, {"Retry-After": "2"}, b"") if number == 1 else OK)
    assert run("push", record, "--to", f"prometheus={faulty.url}").returncode == 0
    assert asked[1] - asked[0] >= 2


def test_a_redirect_is_not_followed_and_gets_no_header(run, record, faulty, tmp_path):
    other = Faulty()
    try:
        (tmp_path / "headers").write_text("Authorization: Bearer keep-to-yourself\n")
        faulty.answer = lambda number: (307, {"Location": other.url + "/api/v1/write"}, b"") if number == 1 else OK
        done = run("push", record, "--to", f"prometheus={faulty.url}", "--header-file", tmp_path / "headers")
        assert done.returncode == 0 and other.requests == []
        assert [r.headers["Authorization"] for r in faulty.requests] == ["Bearer keep-to-yourself"] * 2
    finally:
        other.close()


def test_a_header_file_is_for_its_form_alone(run, record, faulty, tmp_path):
    (tmp_path / "headers").write_text("# a comment\n\nX-Scope-OrgID: me\r\n")
    assert run("push", record, "--to", f"prometheus={faulty.url}", "--header-file", f"prometheus={tmp_path}/headers").returncode == 0
    assert faulty.requests[0].headers["X-Scope-OrgID"] == "me"
    done = run("push", record, "--to", f"prometheus={faulty.url}", "--to", "prometheus=http://127.0.0.1:1", "--header-file",
               tmp_path / "headers")
    assert done.returncode == 125 and "--header-file: for which destination? Write FORM=" in done.stderr
    (tmp_path / "headers").write_text("X-One: 1\nno header\n")
    done = run("push", record, "--to", f"prometheus={faulty.url}", "--header-file", tmp_path / "headers")
    assert done.returncode == 125 and f"{tmp_path}/headers:2: this is not a header" in done.stderr and len(faulty.requests) == 1


@pytest.mark.parametrize("words, sentence", [
    (["promethus=http://h"], "'promethus' is not prometheus, otlp, otlp-json, influx, statsd or sentinel; did you mean prometheus?"),
    (["http://h"], "is not FORM=URL, such as"), (["prometheus=ftp://h"], "is not a URL that begins with http:// or https://"),
    (["prometheus=http://"], "has no host"), (["prometheus=http://h/a b"], "is not a URL"),
    (["prometheus=http://me:secret@h"], "write them as a line 'Authorization: ...' into a file"),
])
def test_wrong_destinations(words, sentence, run, record):
    for given in (["--no-config", "--push", *words, "true"], ["push", record, "--to", *words]):
        done = run(*given)
        assert done.returncode == 125 and sentence in done.stderr and done.stderr.count("\n") == 1
        assert "secret" not in done.stderr


def test_what_push_needs(run, record, tmp_path):
    for words, sentence in [(["push"], "which run?"), (["push", record], "to where?"),
                            (["push", tmp_path / "none.jsonl", "--to", "prometheus=http://h"], "No such file"),
                            (["push", record, "--to", "prometheus=http://h", "--ca-file", tmp_path / "no.pem"], "no.pem: No such file"),
                            (["push", "--spooled", "--drain", "soon"], "--drain: 'soon' is not a time")]:
        done = run(*words)
        assert done.returncode == 125 and sentence in done.stderr and done.stderr.count("\n") == 1, words


def test_the_job_waits_for_the_drain_at_most_and_nothing_is_lost(run, faulty, tmp_path):
    """A receiver that hangs: the recorder leaves after --push-drain; later all arrives."""
    def hangs(number):
        (tmp_path / "asked").touch()
        return "hang"
    faulty.answer = hangs
    done = run("--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", f"prometheus={faulty.url}",
               "--push-drain", "0.2s", "sh", "-c", "until [ -e asked ]; do sleep 0.05; done", cwd=tmp_path)
    assert done.returncode == 0 and "values are not delivered yet" in done.stderr
    assert [p.stat().st_mode & 0o777 for p in spooled(tmp_path)] == [0o600] * len(spooled(tmp_path)) and spooled(tmp_path)
    faulty.answer = lambda number: OK
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and spooled(tmp_path) == []
    assert faulty.requests[0].body in [request.body for request in faulty.requests[1:]]


@pytest.fixture
def secure(tmp_path):
    """secure(client=None): a receiver by https, which wants the certificate of that client; and its own certificate."""
    started = []

    def begin(client=None):
        certificate, key = make_certificate(tmp_path)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if client:
            context.load_verify_locations(client)
            context.verify_mode = ssl.CERT_REQUIRED
        server = Faulty()
        server.server.socket = context.wrap_socket(server.server.socket, server_side=True, do_handshake_on_connect=False)
        started.append(server)
        return server, f"prometheus=https://127.0.0.1:{server.port}", certificate
    yield begin
    for server in started:
        server.close()


def test_a_wrong_certificate_is_refused_and_named(run, record, secure):
    server, to, certificate = secure()
    done = run("push", record, "--to", to)
    assert done.returncode == 1 and "certificate" in done.stderr and server.requests == []
    done = run("push", record, "--to", to, "--ca-file", certificate)
    assert (done.returncode, done.stderr) == (0, "") and len(server.requests) == 1


def test_a_receiver_that_wants_a_certificate(run, record, secure, tmp_path):
    mine, key = make_certificate(tmp_path, "client")
    server, to, certificate = secure(client=mine)
    words = "push", record, "--to", to, "--ca-file", certificate
    done = run(*words, "--drain", "0.1s")
    assert done.returncode == 1 and "values are not delivered" in done.stderr and server.requests == []
    done = run(*words, "--drain", "0.1s", "--cert-file", mine, "--key-file", certificate)
    assert done.returncode == 1 and server.requests == []
    done = run(*words, "--cert-file", mine, "--key-file", key)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert len(server.requests) == 1


def test_a_proxy_of_the_variables_is_used(run, record, faulty):
    done = run("push", record, "--to", "prometheus=http://receiver.invalid/write", env={**os.environ, "http_proxy": faulty.url})
    assert done.returncode == 0 and [r.path for r in faulty.requests] == ["http://receiver.invalid/write"]


def test_a_receiver_without_a_name_is_named(run, record):
    done = run("push", record, "--to", "prometheus=http://receiver.invalid")
    assert done.returncode == 1 and "values are not delivered; prometheus=http://receiver.invalid: " in done.stderr


def test_two_companions_do_not_send_one_spool(start, run, faulty, tmp_path):  # noqa: F811
    """While a recorder's companion sends its run, --spooled leaves it alone."""
    faulty.answer = lambda number: (503, {}, b"")
    start(*SHORT, "--record", tmp_path / "run.jsonl", "--push", f"prometheus={faulty.url}", "--", "sleep", "100")
    wait_for(lambda: any(p.name.startswith("0-00") for p in spooled(tmp_path)), "nothing is spooled")
    done = run("push", "--spooled", "--drain", "1s")
    assert done.stderr == "" and spooled(tmp_path)


def test_a_spool_that_cannot_be_written(run, faulty, tmp_path):
    """Where the folder cannot be made, batches are in memory."""
    (tmp_path / "state/resource-tracker").mkdir(parents=True)
    (tmp_path / "state/resource-tracker/push").write_text("a file")
    done = run("--no-config", "-i", "60", "--record", "none", "--push", f"prometheus={faulty.url}",
               "--push-drain", "600s", "sleep", "0.3")
    assert done.returncode == 0 and "push:" not in done.stderr and len(faulty.requests) == 1


def test_without_the_companion_the_job_runs(tracker, run, tmp_path):
    alone = shutil.copy(tracker, tmp_path / "resource-tracker")
    done = run("--no-config", "--record", "none", "--push", "prometheus=http://127.0.0.1:1", "echo", "done", program=alone)
    assert done.returncode == 0 and done.stdout == "done\n"
    assert "--push: nothing is sent, because" in " ".join(done.stderr.split())


def test_secrets_are_nowhere(start, faulty, tmp_path):  # noqa: F811
    """Not in the words of the companion, its spool, the record, or on stderr."""
    (tmp_path / "headers").write_text("Authorization: Bearer keep-to-yourself\n")
    faulty.answer = lambda number: (503, {}, b"")
    process = start(*SHORT[:-1], "0.1s", "--record", tmp_path / "run.jsonl", "--push", f"prometheus={faulty.url}", "--push-header-file",
                    tmp_path / "headers", "--", "sleep", "100")
    wait_for(lambda: faulty.requests, "nothing was sent")
    for pid in children_of(process.pid):
        assert b"yourself" not in open(f"/proc/{pid}/cmdline", "rb").read()
    process.send_signal(signal.SIGTERM)
    stderr = process.communicate()[1]
    assert faulty.requests[0].headers["Authorization"] == "Bearer keep-to-yourself"
    assert "yourself" not in stderr and spooled(tmp_path)
    for path in [*spooled(tmp_path), tmp_path / "run.jsonl"]:
        assert b"yourself" not in path.read_bytes()


def test_no_packet_leaves_without_being_asked(run, tracker, record, tmp_path):
    assert packets_of(tracker, "--no-config", "--record", tmp_path / "quiet.jsonl", "true") == 0
    assert packets_of(tracker, "summary", record) == 0 and packets_of(tracker, "push", "--spooled") == 0
    assert packets_of(tracker, "--no-config", "--push-drain", "600s", "--record", "none", "--push", f"prometheus=http://127.0.0.1:{free_port()}", "true") > 0
