"""test_sentinel_faults.py - the service Sentinel and its store in all their failures, and what must never be sent, kept or shown."""
import contextlib
import gzip
import json
import os
import queue
import shutil
import signal
import subprocess
import time

import pytest

from processes import children_of, files_below, state_of, wait_for
from receivers import Faulty, companion, free_port, packets_of, push_built, start  # noqa: F401
from service import CSV_HEADER, TOKEN, same_rows, service  # noqa: F401
from test_sentinel import job, spooled  # noqa: F401

REFUSALS = {"Content-Type": "application/json"}


def flat(text):
    return " ".join(text.split())


def rows_of_record(tmp_path):
    return sum(1 for line in (tmp_path / "run.jsonl").read_text().splitlines() if '"r":' in line or '["r"' in line)


def rows(service):  # noqa: F811
    """All rows that are stored, each once, in the order of their times."""
    found = [row for table in service.rows() for row in table]
    assert len(set(found)) == len(found) and found == sorted(found, key=lambda row: float(row.split(",")[0])), found
    return found


def whole(service, tmp_path, run="run-1"):  # noqa: F811
    """The same; the run is ended once."""
    assert len(service.finished[run]) == 1
    return rows(service)


def push(start, tmp_path, *words):  # noqa: F811
    """A job that still runs, with all the time for what it sends."""
    return start("--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", "sentinel", "--push-drain", "600s", *words)


def stop_drain(process, pid):
    """Ends the companion between two requests, once its feed has ended: what came before is no reason for it to end."""
    while process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        time.sleep(0.05)
    return flat(process.communicate()[1])


ONCE = {
    "429": (429, {"Retry-After": "1"}, b"slow"), "500": (500, {}, b"broken"), "503": (503, {}, b""), "close": "close",
    "html": (200, {"Content-Type": "text/html"}, b"<html>log in</html>"), "redirect": (302, {"Location": "/login"}, b""),
}


@pytest.mark.parametrize("kind", ["begin", "rows", "finish"])
@pytest.mark.parametrize("fault", list(ONCE))
def test_a_request_is_sent_again(job, run, service, tmp_path, kind, fault):  # noqa: F811
    """Once, or if the run is over and nothing answers, by --spooled."""
    service.fault = lambda found, number: ONCE[fault] if (found, number) == (kind, 1) else None
    done = job("--", "sleep", "0.2")
    assert done.returncode == 0
    if spooled(tmp_path):
        done = run("push", "--spooled")
        assert (done.returncode, done.stderr) == (0, "") and spooled(tmp_path) == []
    assert service.kinds.count(kind) == 2 and len(service.runs) == 1 and len(service.objects) == 1
    whole(service, tmp_path)


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_that_is_not_accepted(job, run, service, tmp_path, status):  # noqa: F811
    """Is not tried for ever; the run waits for another one."""
    service.fault = lambda kind, number: (status, REFUSALS, json.dumps({"detail": "no such \x1b[31mtoken"}).encode())
    done = job("--", "sleep", "0.3")
    assert done.returncode == 0 and f"rows are not delivered yet; the next --push sends them, or: resource-tracker push --spooled; " \
        f"sentinel: status {status}: no such ?[31mtoken" in flat(done.stderr)
    assert len(service.kinds) <= 2 and "rows" not in service.kinds
    service.fault = lambda kind, number: None
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and spooled(tmp_path) == [] and len(service.runs) == 1
    assert whole(service, tmp_path)


def test_a_refusal_that_repeats_the_token(job, service, tmp_path):  # noqa: F811
    service.fault = lambda kind, number: (403, REFUSALS, json.dumps({"detail": f"not {TOKEN}"}).encode())
    done = job("--", "true")
    assert "sentinel: status 403" in done.stderr and TOKEN not in done.stderr


def test_a_run_that_is_refused(job, run, service, tmp_path):  # noqa: F811
    """For good: nothing of it is kept."""
    service.fault = lambda kind, number: (422, REFUSALS, b'{"detail": [{"msg": "extra", "input": "all that was sent"}]}')
    done = job("--", "sleep", "0.3")
    assert done.returncode == 0 and "rows were refused: sentinel: status 422" in done.stderr and "all that was sent" not in done.stderr
    assert service.kinds == ["begin"] and spooled(tmp_path) == []


@pytest.mark.parametrize("answer", [{}, {"run_id": "../x", "upload_uri_prefix": "s3://runs"}, {"run_id": "", "upload_uri_prefix": "s3://runs"},
                                    {"run_id": 5, "upload_uri_prefix": "s3://runs"}, {"run_id": "a b", "upload_uri_prefix": "s3://runs"},
                                    {"run_id": "x"}, []], ids=["none", "path", "empty", "number", "blank", "no place", "list"])
def test_an_answer_without_a_run(job, service, tmp_path, answer):  # noqa: F811
    service.fault = lambda kind, number: service.json(answer)
    done = job("--", "true")
    assert done.returncode == 0 and "refused: sentinel: its answer has no run" in done.stderr and service.kinds == ["begin"]


@pytest.mark.parametrize("place", ["s3://EVIL@host/x", "http://127.0.0.1/x", "s3://a/../../x\r\nHost: other", "s3://"])
def test_a_place_that_is_no_bucket(job, service, tmp_path, place):  # noqa: F811
    service.fault = lambda kind, number: service.json({"run_id": "x", "upload_uri_prefix": place, "upload_credentials": service.lend()}) \
        if kind == "begin" else None
    service.runs.append("x")
    done = job("--", "sleep", "0.2")
    if "\r" in place:           # "../.." is a key like any other
        service.problems.clear()
        assert all("\r" not in r.path and r.headers["Host"].startswith("127.0.0.1") for r in service.server.requests)
        return
    assert done.returncode == 0 and "rows were refused: the service: " in done.stderr and "rows" not in service.kinds


def test_without_a_token(job, run, service, tmp_path, monkeypatch):  # noqa: F811
    """Nothing is sent; the run waits for one."""
    monkeypatch.delenv("SENTINEL_API_TOKEN")
    done = job("--", "sleep", "0.2")
    assert done.returncode == 0 and "not delivered yet; the next --push sends them, or: resource-tracker push --spooled; " \
        "sentinel: SENTINEL_API_TOKEN is not set" in flat(done.stderr) and service.kinds == []
    monkeypatch.setenv("SENTINEL_API_TOKEN", "a\nb")
    assert run("push", "--spooled", "--drain", "0.1s").returncode == 1 and service.kinds == []
    monkeypatch.setenv("SENTINEL_API_TOKEN", TOKEN)
    assert run("push", "--spooled").returncode == 0 and whole(service, tmp_path)


def until_asked(service, tmp_path, fault):  # noqa: F811
    """Sets the fault.  A command that ends once something was asked: a companion that has not begun is ended at once."""
    def noted(kind, number):
        (tmp_path / "asked").touch()
        return fault(kind, number)
    service.fault = noted
    return "--", "sh", "-c", f"until [ -e {tmp_path}/asked ]; do sleep .05; done"


def test_the_token_goes_to_no_other_service(job, run, service, tmp_path, monkeypatch):  # noqa: F811
    """What waits for one service is not sent there with the token of another one."""
    job(*until_asked(service, tmp_path, lambda kind, number: (503, {}, b"")), drain="2s")
    asked = len(service.kinds)
    service.fault = lambda kind, number: None
    monkeypatch.setenv("SENTINEL_API_URL", "http://127.0.0.1:9")
    done = run("push", "--spooled")
    assert done.returncode == 1 and "SENTINEL_API_URL is not this one, so the token is not sent there" in flat(done.stderr)
    assert len(service.kinds) == asked
    monkeypatch.setenv("SENTINEL_API_URL", service.url + "/")
    assert run("push", "--spooled").returncode == 0 and whole(service, tmp_path)


def test_the_token_alone_sends_nothing(run, service, tmp_path):  # noqa: F811
    done = run("--no-config", "--record", tmp_path / "run.jsonl", "true")
    assert done.stderr.count("SENTINEL_API_TOKEN is set, but nothing is sent there: --push sentinel asks for it") == 1
    assert service.kinds == [] and spooled(tmp_path) == []


@pytest.mark.parametrize("where", ["begin", "rows", "finish"])
def test_a_redirect_is_not_followed(start, service, tmp_path, where):  # noqa: F811
    """What is asked next, after rows the end that has them, is not answered, so that the refusal is what there is to say."""
    other = Faulty()
    service.fault = lambda kind, number: (307, {"Location": other.url + "/x"}, b"") if kind == where and number == 1 else \
        "hang" if service.counts[where] else None
    process = push(start, tmp_path, "sleep", "0.2")
    pid = companion(process)
    wait_for(lambda: service.counts[where] and (service.kinds[-1] != where or service.counts[where] > 1), "it is not asked again")
    stderr = stop_drain(process, pid)
    assert process.returncode == 0 and "a redirect, which is not followed" in stderr
    assert other.requests == []
    other.close()


# ---- keys of the store --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("life", [-1, 1, 299])
def test_keys_that_end_soon_are_asked_for_anew(job, service, life):  # noqa: F811
    """Once for each object."""
    lives = iter([life])
    lend = service.lend

    def lend_for_a_while():
        service.life = next(lives, 3600)
        return lend()
    service.lend = lend_for_a_while
    assert job("--", "sleep", "0.2").returncode == 0
    assert service.kinds == ["begin", "keys", "rows", "finish"] and service.requests("keys")[0].body == b""
    assert "ACCESS2/" in service.requests("rows")[0].headers["Authorization"]


@pytest.mark.parametrize("form, anew", [("%Y-%m-%dT%H:%M:%S.123456+00:00", False), ("%Y-%m-%d %H:%M:%SZ", False), ("soon", True),
                                        ("%Y-%m-%dT%H:%M:%S+02:00", True), (None, False)])
def test_the_end_of_keys_as_text(job, service, form, anew):  # noqa: F811
    """An offset counts: what ends in an hour by the clock there ended an hour ago."""
    import service as module
    service.end_member = "expires_at" if form else None
    if form:
        lend = service.lend
        service.lend = lambda: {**lend(), "expires_at": module.utc(service.keys[-1].end, form)}
    assert job("--", "sleep", "0.2").returncode == 0
    assert service.kinds == ["begin", *(["keys"] if anew else []), "rows", "finish"]


@pytest.mark.parametrize("status, code", [(400, "ExpiredToken"), (403, "AccessDenied"), (403, "InvalidAccessKeyId"), (403, "RequestTimeTooSkewed")])
def test_keys_that_the_store_refuses_are_asked_for_anew(job, service, tmp_path, status, code):  # noqa: F811
    service.fault = lambda kind, number: service.refuse(status, code, service.server.requests[-1]) if (kind, number) == ("rows", 1) else None
    done = job("--", "sleep", "0.3")
    assert done.returncode == 0 and "push:" not in done.stderr and spooled(tmp_path) == []
    assert service.kinds == ["begin", "rows", "keys", "rows", "finish"]
    whole(service, tmp_path)


def test_keys_that_cannot_be_had(job, run, service, tmp_path):  # noqa: F811
    """The rows wait."""
    service.life = -1
    done = job(*until_asked(service, tmp_path, lambda kind, number: (500, {}, b"") if kind == "keys" else None), drain="2s")
    assert done.returncode == 0 and "rows are not delivered yet" in flat(done.stderr) and "rows" not in service.kinds
    service.life, service.fault = 3600, lambda kind, number: None
    assert run("push", "--spooled").returncode == 0 and whole(service, tmp_path) and len(service.runs) == 1


def test_old_keys_are_used_until_they_end(job, service, tmp_path):  # noqa: F811
    service.life = 200
    service.fault = lambda kind, number: (500, {}, b"") if kind == "keys" else None
    assert "push:" not in job("--", "sleep", "0.2").stderr
    assert service.kinds == ["begin", "keys", "rows", "finish"]


@pytest.mark.parametrize("keys", [{}, {"access_key": "a"}, {"access_key": "a", "secret_key": "b\r\nX: y", "session_token": "c"}],
                         ids=["none", "few", "two lines"])
def test_keys_that_are_none(job, run, service, tmp_path, keys):  # noqa: F811
    lend = service.lend
    service.lend = lambda: keys
    done = job("--", "sleep", "0.2")
    assert done.returncode == 0 and "its answer has no keys to the store" in flat(done.stderr) and "rows" not in service.kinds
    service.lend = lend


def test_the_store_refuses_an_object(start, service, tmp_path, monkeypatch):  # noqa: F811
    """As one whose hash is wrong: it is counted, and the run is ended.  Only code and message are shown."""
    stop = tmp_path / "stop"
    process = begin(start, service, tmp_path, monkeypatch, "--", "sh", "-c", f"while [ ! -e {stop} ]; do sleep .01; done")
    once = ["XAmzContentSHA256Mismatch"]
    service.fault = lambda kind, number: service.refuse(400, once.pop(), service.server.requests[-1]) if kind == "rows" and once else None
    stored = len(service.objects)
    wait_for(lambda: not once and len(service.objects) > stored + 1, "no more rows")
    stop.touch()
    stderr = flat(process.communicate()[1])
    assert "rows were refused: s3://sentinel-runs: status 400: XAmzContentSHA256Mismatch: No" in stderr
    assert whole(service, tmp_path) and len(service.finished["run-1"][0]["data_uris"]) == len(service.objects)
    assert not any(secret in stderr for secret in service.secrets()) and spooled(tmp_path) == []


@pytest.mark.parametrize("answer", ["close", (503, {}, b""), (400, {}, b""), (404, {}, b"")], ids=["closes", "503", "400", "404"])
def test_a_store_that_never_takes_anything(start, service, tmp_path, monkeypatch, answer):  # noqa: F811
    """Then all rows are in the end of the run, as CSV with one header."""
    monkeypatch.setenv("TRACKER_UPLOAD_INTERVAL", "0")
    samples = tmp_path / "samples.csv"
    service.fault = lambda kind, number: answer if kind == "rows" else None
    process = start("--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", "sentinel", "--push-drain", "600s", "--csv",
                    "combined", "-o", samples, "--", "sleep", "0.4")
    assert "push:" not in process.communicate()[1] and spooled(tmp_path) == []
    finish, = service.finished["run-1"]
    header, *rows_inline = finish["data_csv"].splitlines()
    assert finish["data_source"] == "inline" and header == CSV_HEADER and same_rows(rows_inline, samples) and "data_uris" not in finish
    assert service.kinds[-1] == "finish" and not service.objects


def test_all_at_once_is_refused(job, run, service, tmp_path):  # noqa: F811
    """The rows wait for the store."""
    service.fault = lambda kind, number: "close" if kind == "rows" else (413, {}, b"") if kind == "finish" else None
    done = job("--", "sleep", "0.2")
    assert "rows are not delivered yet" in flat(done.stderr) and "s3://sentinel-runs: " in flat(done.stderr)
    service.fault = lambda kind, number: None
    assert run("push", "--spooled").returncode == 0 and whole(service, tmp_path)


# ---- processes that end -------------------------------------------------------------------------------------------


def begin(start, service, tmp_path, monkeypatch, *words):  # noqa: F811
    """A job whose rows are sent each on its own; returns as soon as three are stored."""
    monkeypatch.setenv("TRACKER_UPLOAD_INTERVAL", "0")
    process = push(start, tmp_path, *words)
    wait_for(lambda: service.counts["rows"] >= 3, "no rows arrive")
    return process


def test_a_killed_companion_goes_on_with_spooled(start, run, service, tmp_path, monkeypatch):  # noqa: F811
    """Under the same id, with all rows of the record, and the status."""
    stop = tmp_path / "stop"
    process = begin(start, service, tmp_path, monkeypatch, "--", "sh", "-c", f"while [ ! -e {stop} ]; do sleep .01; done; exit 5")
    pid = companion(process)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: state_of(pid) is None, "it is reaped while the job goes on")
    stored = len(rows(service))
    wait_for(lambda: rows_of_record(tmp_path) > stored + 2, "no more rows")
    asked = len(service.kinds)
    stop.touch()
    assert "signal 9" in flat(process.communicate()[1]) and process.returncode == 5 and len(service.kinds) == asked
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and spooled(tmp_path) == []
    found = whole(service, tmp_path)
    assert len(found) > stored + 2 and len(service.runs) == 1 and service.finished["run-1"][0]["exit_code"] == 5
    assert service.finished["run-1"][0]["data_uris"] == [f"s3:/{key}" for key in sorted(service.objects)]


@pytest.mark.parametrize("kind", ["begin", "rows", "finish"])
def test_killed_while_it_waits_for_an_answer(start, run, service, tmp_path, monkeypatch, kind):  # noqa: F811
    """An object that was stored already is stored again as the same one; what begins or ends a run can be there twice."""
    monkeypatch.setenv("TRACKER_UPLOAD_INTERVAL", "0" if kind == "rows" else "60")
    killed, known = [], queue.Queue()

    def kill(found, number):
        if found == kind and number == (3 if kind == "rows" else 1) and not killed:
            answer = getattr(service, f"do_{found}")(service.server.requests[-1])
            killed.append(known.get())
            os.kill(killed[0], signal.SIGKILL)
            return answer
        return None
    service.fault = kill
    stop = tmp_path / "stop"
    process = start("--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", "sentinel", "--push-drain", "600s", "--",
                    "sh", "-c", f"while [ ! -e {stop} ]; do sleep .01; done")
    known.put(companion(process))
    wait_for(lambda: killed or (kind == "finish" and service.runs), "it is not asked for")
    stop.touch()
    process.communicate()
    assert killed and process.returncode == 0
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and spooled(tmp_path) == []
    assert rows(service) and list(service.finished) == [f"run-{2 if kind == 'begin' else 1}"]


def test_sigterm_of_the_job_ends_the_run(start, service, tmp_path, monkeypatch):  # noqa: F811
    """Other trackers leave the job running, and report that it has finished."""
    process = begin(start, service, tmp_path, monkeypatch, "--", "sleep", "1000")
    process.terminate()
    assert "push:" not in process.communicate()[1] and spooled(tmp_path) == []
    assert [(f["exit_code"], f["run_status"]) for f in service.finished["run-1"]] == [(143, "failed")]


def test_sigterm_of_all_processes(start, service, tmp_path, monkeypatch):  # noqa: F811
    """As by a service manager: the companion stays until the run is over."""
    process = begin(start, service, tmp_path, monkeypatch, "--", "sleep", "1000")
    os.kill(companion(process), signal.SIGTERM)
    stored = service.counts["rows"]
    wait_for(lambda: service.counts["rows"] > stored + 2, "it does not go on")
    process.terminate()
    assert "push:" not in process.communicate()[1] and spooled(tmp_path) == [] and whole(service, tmp_path)


def test_a_killed_recorder(start, service, tmp_path, monkeypatch):  # noqa: F811
    """The run has failed, and how is not known."""
    process = begin(start, service, tmp_path, monkeypatch, "--", "sleep", "1000")
    command, = {*children_of(process.pid)} - {companion(process)}
    process.kill()
    process.wait()
    os.kill(command, signal.SIGKILL)
    wait_for(lambda: service.finished and spooled(tmp_path) == [], "the run is not ended")
    finish, = service.finished["run-1"]
    assert finish["run_status"] == "failed" and "exit_code" not in finish and finish["data_source"] == "s3"


def test_the_service_is_not_there(run, tmp_path, service, monkeypatch):  # noqa: F811
    """Then it is."""
    port = free_port()
    monkeypatch.setenv("SENTINEL_API_URL", f"http://127.0.0.1:{port}")
    done = run("--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", "sentinel", "--push-drain", "600s", "sleep", "0.2")
    assert done.returncode == 0 and "rows are not delivered yet" in flat(done.stderr) and "sentinel: " in done.stderr
    later = Faulty(port)
    later.answer = lambda number: (503, {}, b"")
    for drain in "0.2s", "2s", "40s", "800s":
        assert run("push", "--spooled", "--drain", drain).returncode == 1
        if later.requests:
            break
    assert later.requests
    later.close()


def test_a_service_that_hangs(job, run, service, tmp_path):  # noqa: F811
    done = job(*until_asked(service, tmp_path, lambda kind, number: "hang"), drain="0.3s")
    assert done.returncode == 0 and "not delivered yet" in flat(done.stderr)
    service.fault = lambda kind, number: None
    assert run("push", "--spooled").returncode == 0 and whole(service, tmp_path)


def test_beyond_its_limit_rows_are_dropped_and_the_run_is_not(tracker, run, job, service, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setenv("TRACKER_UPLOAD_INTERVAL", "0")
    assert run("--no-config", "-q", "-i", "0.02", "--record", tmp_path / "run.jsonl", "sleep", "0.6").returncode == 0
    service.fault = lambda kind, number: (503, {}, b"")
    with (tmp_path / "run.jsonl").open("rb") as feed:
        done = subprocess.run([tracker.with_name("resource-tracker-push"), "--feed", "--to", "sentinel", "--spool-bytes", "1000", "--drain", "0.1s"],
                              stdin=feed, capture_output=True, text=True)
    assert done.returncode == 0
    service.fault = lambda kind, number: None
    assert run("push", "--spooled").returncode == 0 and service.kinds[-1] == "finish"


# ---- secrets ------------------------------------------------------------------------------------------------------


def test_secrets_are_nowhere(start, service, tmp_path, monkeypatch):  # noqa: F811
    """Not in words, files, messages, or what the store is sent; the command alone has the variable, as it had before."""
    stop = tmp_path / "stop"
    process = begin(start, service, tmp_path, monkeypatch, "--", "sh", "-c", f"while [ ! -e {stop} ]; do sleep .01; done")
    words = open(f"/proc/{companion(process)}/cmdline", "rb").read() + open(f"/proc/{process.pid}/cmdline", "rb").read()
    service.fault = lambda kind, number: service.refuse(403, "AccessDenied", service.server.requests[-1]) if kind == "rows" else None
    asked = service.counts["rows"]
    wait_for(lambda: service.counts["rows"] > asked and len(spooled(tmp_path)) > 4, "nothing is spooled")
    kept = {}
    for path in files_below(tmp_path / "state"):
        with contextlib.suppress(FileNotFoundError):            # renamed, since it is whole
            kept[path] = path.read_bytes()
    service.fault = lambda kind, number: None
    stop.touch()
    stderr = process.communicate()[1]
    seen = [words, stderr.encode(), (tmp_path / "run.jsonl").read_bytes(), *kept.values(), *(gzip.decompress(o) for o in service.objects.values())]
    for secret in service.secrets():
        assert not any(secret.encode() in text for text in seen), secret
    for request in service.requests("rows"):
        assert TOKEN not in str(request.headers) and not any(k.secret in str(request.headers) for k in service.keys)
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in kept if path.exists())


def test_headers_of_the_users_are_for_the_service_alone(job, service, tmp_path):  # noqa: F811
    (tmp_path / "headers").write_text("X-Tenant: blue\n")
    assert job("--push-header-file", tmp_path / "headers", "--", "true").returncode == 0
    for kind in "begin", "finish":
        assert service.requests(kind)[0].headers["X-Tenant"] == "blue"
    assert all("X-Tenant" not in r.headers for r in service.requests("rows"))


def test_without_the_companion_the_job_runs(tracker, run, service, tmp_path):  # noqa: F811
    alone = shutil.copy(tracker, tmp_path / "resource-tracker")
    done = run("--no-config", "--record", "none", "--push", "sentinel", "echo", "done", program=alone)
    assert done.returncode == 0 and done.stdout == "done\n" and "--push: nothing is sent, because" in flat(done.stderr)


def test_packets_leave_with_the_option_alone(tracker, service, tmp_path):  # noqa: F811
    words = tracker, "--no-config", "--record", tmp_path / "run.jsonl", "--push-drain", "600s"
    assert packets_of(*words, "true") == 0 and packets_of(*words, "--push", "sentinel", "true") > 0


def test_a_spool_that_cannot_be_written(job, service, tmp_path):  # noqa: F811
    """All is in memory, and sent as far as the service is there."""
    (tmp_path / "state/resource-tracker").mkdir(parents=True)
    (tmp_path / "state/resource-tracker/push").write_text("a file")
    assert "push:" not in job("--", "sleep", "0.2").stderr
    assert service.kinds == ["begin", "rows", "finish"] and whole(service, tmp_path)


def test_as_a_config_file_says(run, service, tmp_path):  # noqa: F811
    """One of the user's own; that of a folder cannot."""
    (tmp_path / "own.toml").write_text('[push]\nto = "sentinel"\n')
    run("-c", tmp_path / "own.toml", "--push-drain", "600s", "true")
    assert service.kinds == ["begin", "rows", "finish"] and whole(service, tmp_path)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "resource-tracker.toml").write_text('[push]\nto = "sentinel"\n')
    run("--record", "none", "true", cwd=folder)
    assert len(service.kinds) == 3
