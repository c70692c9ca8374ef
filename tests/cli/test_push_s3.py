"""test_push_s3.py - the record of a run into an object store: s3rver, and a server with faults."""
import gzip
import re
import subprocess
import urllib.request

import pytest

from processes import wait_for
from receivers import Faulty, faulty, push_built  # noqa: F401
from stores import keys, store  # noqa: F401

ERROR = b"""<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>AccessDenied</Code><Message>Not for &lt;you&gt;\x1b[31m</Message><StringToSign>SIGNED</StringToSign></Error>"""
SECRET, TOKEN = "secret/of+tests", "token-of-tests"


@pytest.fixture
def record(run, tmp_path):
    path = tmp_path / "a run.jsonl"
    run("--no-config", "--record", path, "--", "true")
    return path


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


def test_many_bytes_go_in_parts(run, store, keys, record):
    keys(store)
    for part_bytes in 1000, 1:
        done = run("push", record, "--to", f"s3://runs/parts{part_bytes}", "--part-bytes", part_bytes)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        with urllib.request.urlopen(f"{store}/runs/parts{part_bytes}/a%20run.jsonl.gz") as answer:
            assert gzip.decompress(answer.read()) == record.read_bytes()


def parts_of(answers):
    """A store that takes an object in parts; answers: for some requests by (method, beginning of the query) another answer."""
    def answer(server, number):
        method, query = server.requests[-1].method, server.requests[-1].path.partition("?")[2]
        for (other, begin), wrong in answers.items():
            if method == other and query.startswith(begin):
                return wrong(number) if callable(wrong) else wrong
        upload = b"<InitiateMultipartUploadResult><UploadId>a&amp;b/1</UploadId></InitiateMultipartUploadResult>"
        return 200, {"ETag": f'"{number}"'}, upload if query == "uploads=" else b""
    return answer


def test_parts_are_numbered_and_joined(run, faulty, keys, record):
    keys(faulty.url)
    faulty.answer = lambda number: parts_of({})(faulty, number)
    assert run("push", record, "--to", "s3://runs", "--part-bytes", "1000").returncode == 0
    begin, *parts, end = faulty.requests
    assert (begin.method, begin.path) == ("POST", "/runs/a%20run.jsonl.gz?uploads=") and begin.body == b""
    assert [p.path for p in parts] == [f"/runs/a%20run.jsonl.gz?partNumber={i}&uploadId=a%26b%2F1" for i in range(1, len(parts) + 1)]
    assert [len(p.body) for p in parts[:-1]] == [1000] * (len(parts) - 1) and len(parts) > 1
    assert gzip.decompress(b"".join(p.body for p in parts)) == record.read_bytes()
    assert (end.method, end.path) == ("POST", "/runs/a%20run.jsonl.gz?uploadId=a%26b%2F1")
    listed = "".join(f'<Part><PartNumber>{i + 1}</PartNumber><ETag>"{i + 2}"</ETag></Part>' for i in range(len(parts)))
    assert end.body.decode() == f"<CompleteMultipartUpload>{listed}</CompleteMultipartUpload>"


NEVER = {"Retry-After": "3600"}          # within the time that an upload has
JOINING_FAILED = 200, {}, b"<Error><Code>InternalError</Code><Message>Try again</Message></Error>"


@pytest.mark.parametrize("wrong, sentence, last", [
    ({("POST", "uploads"): (403, {}, ERROR)}, "status 403: AccessDenied", "POST"),
    ({("POST", "uploads"): (200, {}, b"")}, "the store takes no object in parts", "POST"),
    ({("PUT", "partNumber=2"): (403, {}, ERROR)}, "status 403: AccessDenied", "DELETE"),
    ({("PUT", "partNumber=2"): (200, {}, b"")}, "the store does not name a part by its ETag", "DELETE"),
    ({("PUT", "partNumber=2"): (503, NEVER, b"")}, "status 503", "DELETE"),
    ({("POST", "uploadId"): (200, NEVER, JOINING_FAILED[2])}, "status 200: InternalError: Try again", "DELETE")],
    ids=["begin", "no id", "part", "no etag", "503", "join"])
def test_parts_that_do_not_become_an_object_are_deleted(run, faulty, keys, record, wrong, sentence, last):
    keys(faulty.url, secret=SECRET)
    faulty.answer = lambda number: parts_of(wrong)(faulty, number)
    failed(run("push", record, "--to", "s3://runs", "--part-bytes", "1000"), 1, sentence)
    assert faulty.requests[-1].method == last
    assert last == "POST" or faulty.requests[-1].path == "/runs/a%20run.jsonl.gz?uploadId=a%26b%2F1"


def test_a_part_is_sent_again(run, faulty, keys, record):
    keys(faulty.url)
    faults = iter([(500, {}, b""), JOINING_FAILED])
    faulty.answer = lambda number: parts_of({("PUT", "partNumber=2"): lambda n: next(faults) if number < 5 and n == 3 else ok(n),
                                             ("POST", "uploadId"): lambda n: next(faults, ok(n))})(faulty, number)
    failed(run("push", record, "--to", "s3://runs", "--part-bytes", "1000"), 0, "trying again for")
    paths = [r.path for r in faulty.requests]
    assert paths[2] == paths[3] and paths[-1] == paths[-2] and "DELETE" not in {r.method for r in faulty.requests}


def ok(number):
    return 200, {"ETag": f'"{number}"'}, b""


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
    done = run("push", record, "--to", "s3://runs")
    failed(done, 0, "trying again for ")
    assert 0 < int(re.search(r"trying again for (\d+) s", done.stderr)[1]) <= 60
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
