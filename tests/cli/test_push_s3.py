"""test_push_s3.py - the record of a run into an object store: s3rver, and a server with faults."""
import gzip
import os
import pathlib
import shutil
import subprocess
import urllib.request

import pytest

from conftest import ROOT
from processes import wait_for
from receivers import Faulty, faulty, push_built  # noqa: F401

ERROR = b"""<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>AccessDenied</Code><Message>Not for &lt;you&gt;\x1b[31m</Message><StringToSign>SIGNED</StringToSign></Error>"""
SECRET, TOKEN = "secret/of+tests", "token-of-tests"


@pytest.fixture
def record(run, tmp_path):
    path = tmp_path / "a run.jsonl"
    run("--no-config", "--record", path, "--", "true")
    return path


@pytest.fixture
def keys(monkeypatch, tmp_path, push_built):
    """keys(url, secret): the variables for a store."""
    def give(url, access="S3RVER", secret="S3RVER"):
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", access)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)
    monkeypatch.setenv("HOME", str(tmp_path))
    return give


@pytest.fixture
def store(tmp_path):
    """The URL of an s3rver with the bucket `runs`."""
    node = shutil.which("node") or shutil.which("nodejs")
    modules = pathlib.Path(os.environ.get("S3RVER_MODULES") or ROOT / "build/dev/tests/s3rver/node_modules")
    if not node or not modules.exists():
        pytest.skip("npm could not fetch s3rver")
    with (tmp_path / "s3rver.log").open("w") as log:
        process = subprocess.Popen([node, ROOT / "tests/s3rver/s3rver.mjs", tmp_path / "store", "runs"], text=True,
                                   stdout=subprocess.PIPE, stderr=log, env={**os.environ, "MODULES": str(modules)})
    port = process.stdout.readline().strip()
    assert port, (tmp_path / "s3rver.log").read_text()
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


def failed(done, status, *parts):
    assert done.returncode == status, done
    assert all(part in done.stderr for part in parts), done.stderr
    assert done.stderr.count("\n") == 1 and done.stdout == ""
    assert not any(hidden in done.stderr for hidden in (SECRET, TOKEN, "SIGNED", "\x1b")), done.stderr


@pytest.mark.parametrize("prefix, key", [("", ""), ("/", ""), ("/nightly", "nightly/"), ("/a/b/", "a/b/"),
                                         ("/\u00fc +=&", "%C3%BC%20%2B%3D%26/")])
def test_the_object_is_the_record(run, store, keys, record, prefix, key):
    keys(store)
    for _ in range(2):
        done = run("push", record, "--to", f"s3://runs{prefix}")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with urllib.request.urlopen(f"{store}/runs/{key}a%20run.jsonl.gz") as answer:
        assert gzip.decompress(answer.read()) == record.read_bytes()


def test_refused_by_the_store(run, store, keys, record):
    keys(store, secret=SECRET)
    failed(run("push", record, "--to", "s3://runs"), 1, "status 403: SignatureDoesNotMatch: ")
    keys(store)
    failed(run("push", record, "--to", "s3://none"), 1, "s3://none: status 404: NoSuchBucket: ")


def test_keys_of_a_file(run, store, keys, record, monkeypatch, tmp_path):
    keys(store, "", "")
    file = tmp_path / "keys"
    file.write_text("[default]\naws_access_key_id = other\naws_secret_access_key=other\n"
                    "# comment\n[ nightly ]\naws_access_key_id=S3RVER\naws_secret_access_key =  S3RVER \n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    failed(run("push", record, "--to", "s3://runs"), 1, "InvalidAccessKeyId")
    monkeypatch.setenv("AWS_PROFILE", "nightly")
    assert run("push", record, "--to", "s3://runs").returncode == 0
    monkeypatch.setenv("AWS_PROFILE", "weekly")
    failed(run("push", record, "--to", "s3://runs"), 125, f"{file} has no aws_access_key_id", "profile weekly")


def test_no_keys(run, faulty, keys, record):
    keys(faulty.url, "", "")
    failed(run("push", record, "--to", "s3://runs"), 125, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
    keys(faulty.url, "S3RVER", "")
    failed(run("push", record, "--to", "s3://runs"), 125, "AWS_ACCESS_KEY_ID is set, AWS_SECRET_ACCESS_KEY is not")
    keys(faulty.url, "S3RVER", "a\nb")
    failed(run("push", record, "--to", "s3://runs"), 125, "AWS_SECRET_ACCESS_KEY is not such a key")
    assert not faulty.requests


def test_what_is_sent(run, faulty, keys, record, monkeypatch):
    keys(faulty.url, secret=SECRET)
    monkeypatch.setenv("AWS_SESSION_TOKEN", TOKEN)
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    assert run("push", record, "--to", "s3://runs/../x").returncode == 0
    one, = faulty.requests
    assert one.path == "/runs/../x/a%20run.jsonl.gz"
    assert one.headers["x-amz-security-token"] == TOKEN and SECRET not in str(one.headers)
    assert "/eu-west-1/s3/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, " \
        in one.headers["Authorization"]


def test_denied(run, faulty, keys, record):
    keys(faulty.url, secret=SECRET)
    faulty.answer = lambda number: (403, {"Content-Type": "application/xml"}, ERROR)
    failed(run("push", record, "--to", "s3://runs"), 1, "s3://runs: status 403: AccessDenied: Not for <you>")
    assert len(faulty.requests) == 1


@pytest.mark.parametrize("fault", [(500, {}, b""), (503, {}, ERROR), (429, {"Retry-After": "1"}, b""), "close"],
                         ids=["500", "503", "429", "close"])
def test_tried_again(run, faulty, keys, record, fault):
    keys(faulty.url, secret=SECRET)
    faulty.answer = lambda number: fault if number <= 2 else (200, {}, b"")
    failed(run("push", record, "--to", "s3://runs"), 0, "trying again for 60 s")
    assert len(faulty.requests) == 3 and len({one.body for one in faulty.requests}) == 1
    assert gzip.decompress(faulty.requests[2].body) == record.read_bytes()


@pytest.mark.parametrize("fault", [(500, {}, b""), "close", "hang"], ids=["500", "close", "hang"])
def test_given_up(run, faulty, keys, record, fault):
    keys(faulty.url, secret=SECRET)
    faulty.answer = lambda number: fault
    failed(run("push", record, "--to", "s3://runs", "--drain", "0.1s"), 1, "the record is not uploaded: s3://runs: ")


def test_redirect(run, faulty, keys, record):
    keys(faulty.url, secret=SECRET)
    other = Faulty()
    faulty.answer = lambda number: (307, {"Location": other.url + "/runs/x"}, ERROR)
    failed(run("push", record, "--to", "s3://runs"), 1, "status 307, a redirect, which is not followed: AccessDenied")
    assert len(faulty.requests) == 1 and not other.requests
    other.close()


@pytest.mark.parametrize("to, sentence", [
    ("s3://", "a bucket has 3 to 63"), ("s3://RUNS", "a bucket has 3 to 63"), ("s3://a@b.c/x", "a bucket has 3 to 63"),
    ("s3://runs/" + "x" * 2000, "the prefix is too long")])
def test_not_a_bucket(run, faulty, keys, record, to, sentence):
    keys(faulty.url)
    failed(run("push", record, "--to", to), 125, sentence)
    assert not faulty.requests


def test_not_a_store(run, keys, record):
    for url, sentence in ("127.0.0.1:1", "AWS_ENDPOINT_URL is not a URL that begins"), ("", "in which region?"), \
            *((f"http://{place}", "host, port and path alone") for place in (f"x:{SECRET}@127.0.0.1", "x:@y", "h:port", "h:", ":1", "")):
        keys(url)
        failed(run("push", record, "--to", "s3://runs"), 125, sentence)


def test_not_a_record_that_is_over(run, tracker, faulty, keys, record, tmp_path):
    keys(faulty.url)
    (tmp_path / "text").write_text("no record\n")
    assert run("push", tmp_path / "text", "--to", "s3://runs").returncode == 125
    goes_on = tmp_path / "goes_on.jsonl"
    process = subprocess.Popen([tracker, "--no-config", "--record", goes_on, "--", "sleep", "1000"], stderr=subprocess.DEVNULL)
    wait_for(lambda: goes_on.exists() and goes_on.read_text().count("\n") > 1, "it has no record")
    done = run("push", goes_on, "--to", "s3://runs")
    process.terminate()
    process.wait()
    failed(done, 125, "the run still goes on")
    assert not faulty.requests
