"""test_sentinel.py - a run at the service Sentinel (--push sentinel), request by request; what fails is test_sentinel_faults.py."""
import gzip
import json
import subprocess
import sys
import time
import urllib.request

import pytest

from conftest import ROOT
from processes import files_below, wait_for
from receivers import faulty, push_built, start  # noqa: F401
from service import BEGIN_MEMBERS, BUCKET, CSV_HEADER, FINISH_MEMBERS, PREFIX, check_members, same_rows, service  # noqa: F401
from stores import store  # noqa: F401


def spooled(tmp_path):
    return sorted(p.name for p in files_below(tmp_path / "state/resource-tracker/push"))


@pytest.fixture
def job(run, tmp_path, push_built):  # noqa: F811
    def begin(*words, drain="600s", **more):
        return run("--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", "sentinel", "--push-drain", drain, *words, **more)
    return begin


def record_of(tmp_path):
    return [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]


def test_the_conversation(job, service, tmp_path, monkeypatch):  # noqa: F811
    """A run that is shorter than the time of a batch: registered, one object, ended."""
    monkeypatch.setenv("TRACKER_PROJECT_NAME", "a project")
    monkeypatch.setenv("TRACKER_TEAM", "")
    begun = time.time()
    done = job("--job-name", "nightly", "--tag", "a=b=c", "--tag", "color=blue", "--", "sh", "-c", "sleep .3; exit 3")
    assert done.returncode == 3 and "push:" not in done.stderr and spooled(tmp_path) == []
    assert service.kinds == ["begin", "rows", "finish"] and service.problems == []
    body = json.loads(service.requests("begin")[0].body)
    check_members(body, BEGIN_MEMBERS)
    header = record_of(tmp_path)[0]
    assert {k: body[k] for k in ("job_name", "project_name", "team", "tags")} == {
        "job_name": "nightly", "project_name": "a project", "team": "", "tags": ["a=b=c", "color=blue"]}
    assert json.loads(body["command"]) == header["command"] == ["sh", "-c", "sleep .3; exit 3"]
    assert body["host_hostname"] == header["host"]["name"] and body["host_vcpus"] == header["host"]["cpus"]
    assert body["host_memory_mib"] == round(header["host"]["memory_bytes"] / 2**20) and body["cloud_vendor_id"] is None
    assert list(service.objects) == [f"/{BUCKET}/{PREFIX}/run-1/000000.csv.gz"]
    finish, = service.finished["run-1"]
    check_members(finish, FINISH_MEMBERS)
    assert finish["data_uris"] == [f"s3://{BUCKET}/{PREFIX}/run-1/000000.csv.gz"] and "data_csv" not in finish
    assert (finish["exit_code"], finish["run_status"], finish["data_source"]) == (3, "failed", "s3")
    assert begun - 1 <= time.mktime(time.strptime(finish["finished_at"], "%Y-%m-%dT%H:%M:%SZ")) - time.timezone <= time.time()


def test_the_rows_are_those_of_the_csv(job, service, tmp_path):  # noqa: F811
    """With the samples of the run, and the pid of the command."""
    samples = tmp_path / "samples.csv"
    assert job("--csv", "combined", "-o", samples, "--", "sh", "-c",
               'until [ $(wc -l < "$0") -ge 6 ]; do sleep 0.05; done', samples).returncode == 0
    table, = service.rows()
    assert same_rows(table, samples) and len(table) > 3


def test_objects_at_their_interval(start, service, tmp_path, monkeypatch):  # noqa: F811
    """Numbered from 0 on; together they are the rows of the run, and their places are those that end it."""
    monkeypatch.setenv("TRACKER_UPLOAD_INTERVAL", "0")
    samples, stop = tmp_path / "samples.csv", tmp_path / "stop"
    process = start("--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", "sentinel", "--push-drain", "600s", "--csv",
                    "combined", "-o", samples, "--", "sh", "-c", f"while [ ! -e {stop} ]; do sleep .01; done")
    wait_for(lambda: service.counts["rows"] >= 3, "no objects")
    stop.touch()
    assert "push:" not in process.communicate()[1] and process.returncode == 0
    tables = service.rows()
    assert len(tables) > 2 and same_rows([row for table in tables for row in table], samples)
    assert sorted(service.objects) == [f"/{BUCKET}/{PREFIX}/run-1/{i:06}.csv.gz" for i in range(len(tables))]
    assert service.finished["run-1"][0]["data_uris"] == [f"s3:/{key}" for key in sorted(service.objects)]
    assert service.counts["begin"] == 1 and service.counts["keys"] == 0


@pytest.mark.parametrize("text", ["soon", "1.5", "-1", "1 "])
def test_an_interval_that_is_none(job, service, text, monkeypatch):  # noqa: F811
    monkeypatch.setenv("TRACKER_UPLOAD_INTERVAL", text)
    done = job("--", "true")
    assert "TRACKER_UPLOAD_INTERVAL is not a whole number of seconds; rows are sent every 60 s" in " ".join(done.stderr.split())
    assert service.counts["finish"] == 1


@pytest.mark.parametrize("region", ["eu-north-1", None])
def test_a_region_that_the_service_does_not_name(job, service, region, monkeypatch):  # noqa: F811
    """The store is asked for it once, without keys; one without regions has the usual one."""
    monkeypatch.setenv("TRACKER_UPLOAD_INTERVAL", "0")
    service.names_region, service.region = False, region or "us-east-1"
    if not region:
        service.fault = lambda kind, number: (403, {}, b"") if kind == "region" else None
    assert job("--", "sleep", "0.3").returncode == 0
    assert service.kinds[:3] == ["begin", "region", "rows"] and service.counts["region"] == 1
    assert f"/{service.region}/s3/aws4_request" in service.requests("rows")[0].headers["Authorization"]


def test_the_region_is_asked_for_again_after_a_redirect(job, service):  # noqa: F811
    service.names_region = False
    service.fault = lambda kind, number: (301, {}, b"") if (kind, number) == ("rows", 1) else None
    assert "push:" not in job("--", "sleep", "0.3").stderr
    assert service.kinds == ["begin", "region", "rows", "region", "rows", "finish"]


def test_the_cloud_is_sent_if_it_was_asked_for(run, service, tmp_path):  # noqa: F811
    """As the record has it, and a run that is over can be sent from its record."""
    record = tmp_path / "run.jsonl"
    assert run("--no-config", "-q", "-i", "0.05", "--record", record, "sh", "-c", "sleep .2; exit 7").returncode == 7
    lines = record.read_text().splitlines(keepends=True)
    cloud = {"vendor": "aws", "account": "123456789012", "region": "eu-central-1", "zone": "eu-central-1a", "instance_type": "m7i.large",
             "spot": False, "seconds": 0.1}
    record.write_text("".join([lines[0], json.dumps({"t": 0.1, "cloud": cloud}) + "\n", *lines[1:]]))
    for number in 1, 2:         # each time as a run of its own
        done = run("push", record, "--to", "sentinel")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert service.kinds[-3:] == ["begin", "rows", "finish"] and service.finished[f"run-{number}"][0]["exit_code"] == 7
    body = json.loads(service.requests("begin")[0].body)
    assert {k: v for k, v in body.items() if k.startswith("cloud_")} == {f"cloud_{k}": v for k, v in {
        "vendor_id": "aws", "account_id": "123456789012", "region_id": "eu-central-1", "zone_id": "eu-central-1a",
        "instance_type": "m7i.large"}.items()}
    check_members(body, BEGIN_MEMBERS)


@pytest.mark.parametrize("command, code, status", [("exit 0", 0, "finished"), ("exit 1", 1, "failed"), ("kill -9 $$", 137, "failed")])
def test_how_a_run_ends(job, service, command, code, status):  # noqa: F811
    job("--", "sh", "-c", command)
    finish, = service.finished["run-1"]
    assert (finish["exit_code"], finish["run_status"]) == (code, status)


def test_a_machine_without_a_command(run, service, tmp_path):  # noqa: F811
    """No command, and no pid."""
    assert run("--no-config", "-i", "0.05", "-n", "machine", "--samples", "3", "-o", tmp_path / "samples", "--record", tmp_path / "run.jsonl",
               "--push", "sentinel", "--push-drain", "600s").returncode == 0
    body = json.loads(service.requests("begin")[0].body)
    assert "command" not in body and "tags" not in body and body["job_name"] == "machine"
    assert all(row.split(",")[21] == "" for table in service.rows() for row in table)
    assert service.finished["run-1"][0]["run_status"] == "finished"


def test_beside_other_receivers(run, service, faulty, tmp_path):  # noqa: F811
    done = run("--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", f"sentinel={service.url}/", "--push",
               f"prometheus={faulty.url}", "--push-drain", "600s", "sleep", "0.2")
    assert done.returncode == 0 and "push:" not in done.stderr and spooled(tmp_path) == []
    assert service.kinds == ["begin", "rows", "finish"] and faulty.requests


def test_a_path_in_the_address(run, service, tmp_path, monkeypatch):  # noqa: F811
    """Other trackers lose it, or want no slash at its end."""
    monkeypatch.setenv("SENTINEL_API_URL", service.url + "/v1//")
    service.problems = type("Skips", (list,), {"append": lambda self, text: None})()
    run("--no-config", "--record", tmp_path / "run.jsonl", "--push", "sentinel", "--push-drain", "600s", "true")
    assert service.server.requests[0].path == "/v1/runs"


@pytest.mark.parametrize("url, sentence", [("127.0.0.1:1", "is not a URL that begins with http"), ("http://x/?a=b", "its URL has host and path alone"),
                                           ("http://user:password@x", "a URL with a user or a password")])
def test_an_address_that_is_none(job, service, url, sentence, monkeypatch):  # noqa: F811
    monkeypatch.setenv("SENTINEL_API_URL", url)
    done = job("--", "sh", "-c", "exit 3")
    assert done.returncode == 3 and sentence in " ".join(done.stderr.split()) and "user:password" not in done.stderr


def test_one_service(run, service, tmp_path):  # noqa: F811
    done = run("push", "last", "--to", "sentinel", "--to", "sentinel")
    assert done.returncode == 125 and "there is one sentinel" in done.stderr
    done = run("--push", "sentinal", "true")
    assert done.returncode == 125 and "'sentinal' is not FORM=URL" in done.stderr


def test_a_run_that_goes_on_is_not_sent_from_its_record(start, run, service, tmp_path):  # noqa: F811
    """That would end it."""
    record = tmp_path / "run.jsonl"
    process = start("--no-config", "-i", "0.05", "--record", record, "--", "sleep", "1000")
    wait_for(lambda: record.exists() and record.read_text().count("\n") > 3, "no rows")
    done = run("push", record, "--to", "sentinel")
    assert done.returncode == 125 and "the run still goes on" in done.stderr and service.kinds == []
    process.terminate()


def test_into_a_real_store(run, service, store, tmp_path, monkeypatch):  # noqa: F811
    """s3rver checks the signature; the keys are those that the service lends."""
    monkeypatch.setenv("SENTINEL_S3_URL", store)
    service.fault = lambda kind, number: service.json({
        "run_id": "r1", "upload_uri_prefix": "s3://runs/a b", "upload_credentials": {
            "access_key": "S3RVER", "secret_key": "S3RVER", "session_token": "", "expires_at": None}}) if kind == "begin" else None
    service.runs.append("r1")
    done = run("--no-config", "-i", "0.05", "--record", tmp_path / "run.jsonl", "--push", "sentinel", "--push-drain", "600s", "sleep", "0.2")
    assert done.returncode == 0 and "push:" not in done.stderr and service.kinds == ["begin", "finish"]
    assert service.finished["r1"][0]["data_uris"] == ["s3://runs/a b/r1/000000.csv.gz"]
    with urllib.request.urlopen(f"{store}/runs/a%20b/r1/000000.csv.gz") as answer:
        assert gzip.decompress(answer.read()).decode().startswith(CSV_HEADER + "\n")


def test_the_package_for_python_sends_the_same(service, tmp_path, run):  # noqa: F811
    """Its client of the service, with the same facts: the members of each request are the same but for what only one of them knows."""
    ours = "/".join([str(ROOT), "python/src"])
    script = f"""
import json, os, sys, types
sys.path.insert(0, {ours!r})
package = types.ModuleType("resource_tracker"); package.__path__ = [{ours!r} + "/resource_tracker"]
sys.modules["resource_tracker"] = package
from resource_tracker.sentinel_api import register_run, refresh_credentials, finish_run, DataSource, RunStatus
token = os.environ["SENTINEL_API_TOKEN"]
begun = register_run(token, metadata={{"job_name": "nightly", "tags": ["a=b"], "command": ["true"]}}, host_info={{"host_vcpus": 2}})
refresh_credentials(token, begun["run_id"])
finish_run(token, begun["run_id"], exit_code=3, run_status=RunStatus.failed, data_source=DataSource.s3, data_uris=["s3://x/y"])
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    theirs = {kind: service.requests(kind)[0] for kind in ("begin", "keys", "finish")}
    assert all("Content-Type" in problem or "keys" in problem for problem in service.problems)
    service.problems.clear()    # it gives a request without a body a type
    service.life = 100
    assert run("--no-config", "--record", tmp_path / "run.jsonl", "-n", "nightly", "--tag", "a=b", "--push", "sentinel", "--push-drain", "600s",
               "sh", "-c", "exit 3").returncode == 3
    mine = {kind: service.requests(kind)[-1] for kind in ("begin", "keys", "finish")}
    for kind, request in theirs.items():
        assert request.method == mine[kind].method and request.path.replace("run-1", "run-2") == mine[kind].path
        assert request.headers["Authorization"] == mine[kind].headers["Authorization"]
    begun = [json.loads(one["begin"].body) for one in (theirs, mine)]
    assert set(begun[0]) <= set(begun[1]) and json.loads(begun[0]["command"]) == ["true"]
    assert {k: type(begun[0][k]) for k in begun[0]} == {k: type(begun[1][k]) for k in begun[0]}
    ended = [json.loads(one["finish"].body) for one in (theirs, mine)]
    assert set(ended[1]) - set(ended[0]) == {"finished_at"} and {k: type(v) for k, v in ended[0].items()}.items() <= \
        {k: type(v) for k, v in ended[1].items()}.items()


def test_a_run_that_is_over_and_refused(run, service, tmp_path):  # noqa: F811
    record = tmp_path / "run.jsonl"
    run("--no-config", "-q", "--record", record, "true")
    service.fault = lambda kind, number: service.json({"detail": "no"}, 400)
    done = run("push", record, "--to", "sentinel")
    assert done.returncode == 1 and "refused: sentinel: status 400: no" in done.stderr
    service.fault = lambda kind, number: (503, {}, b"")
    # A drain that is over before the service has answered is longer the next time.
    for drain in "0.1s", "2s", "40s", "800s":
        done = run("push", record, "--to", "sentinel", "--drain", drain)
        assert done.returncode == 1 and "not delivered" in done.stderr and not service.objects
        if "status 503" in done.stderr:
            break
    assert "not delivered; sentinel: status 503" in done.stderr
