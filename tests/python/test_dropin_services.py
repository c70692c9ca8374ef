"""Services on the network, with what they would answer put in their place."""
import gzip
import io
import json
import time
import urllib.error
from datetime import datetime, timezone
from email.message import Message

import pytest
from dropin_support import wait_until

from resource_tracker import (_web, cloud_info, keeper, s3_upload,
                              sentinel_api, streaming)
from resource_tracker.sentinel_api import (DataSource, RunStatus,
                                           SentinelAPIError)


class Answer(io.BytesIO):
    """What urlopen() returns."""

    status = 200

    def __init__(self, value=b"", **headers):
        super().__init__(value if isinstance(value, bytes)
                         else json.dumps(value).encode())
        self.headers = {name.replace("_", "-"): text
                        for name, text in headers.items()}


@pytest.fixture
def web(monkeypatch):
    """web(MODULE, ANSWER...): its requests, in a list that grows."""
    def put(module, *answers):
        asked, left = [], list(answers)

        def urlopen(request, timeout):
            asked.append(request)
            request.asked_timeout = timeout
            answer = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(answer, Exception):
                raise answer
            return answer
        monkeypatch.setattr(module, "urlopen", urlopen)
        return asked
    return put


def refused(status, text=b""):
    """An answer that is an error."""
    headers = Message()
    headers["x-amz-bucket-region"] = "us-west-2"
    return urllib.error.HTTPError("https://example.org", status, "no",
                                  headers, io.BytesIO(text))


def test_keeper_is_asked_in_its_units(web):
    asked = web(keeper, Answer([{"vendor_id": "x"}]))
    assert keeper.get_recommended_cloud_servers(
        300, 512, gpu=1, vram=2048, n=3, vendor="aws") == [
            {"vendor_id": "x"}]
    assert asked[0].full_url == (
        "https://keeper.sparecores.net/servers?vcpus_min=256&memory_min=0.5"
        "&order_by=min_price_ondemand&order_dir=asc&limit=3&gpu_min=1"
        "&gpu_memory_total=2.0&vendor=aws")
    assert asked[0].get_header("X-application-id") == "resource-tracker"


@pytest.mark.parametrize("answer", [
    OSError("offline"), refused(500), Answer(b"no json")])
def test_keeper_without_an_answer_is_none(web, answer):
    web(keeper, answer)
    assert keeper.keeper_request("/healthcheck") is None
    assert keeper.get_recommended_cloud_servers(1, 1024) == []
    assert keeper.get_instance_price("aws", "a", "b") is None


def test_a_price_is_that_of_the_region_else_of_any(web):
    def price(region, value, allocation="ondemand", system="Linux"):
        return {"region_id": region, "price": value,
                "allocation": allocation, "operating_system": system}
    prices = [price("a", 1, allocation="spot"), price("a", 2, system="X"),
              price("b", 3), price("a", 4)]
    asked = web(keeper, Answer(prices), Answer(prices), Answer([]))
    assert keeper.get_instance_price("v", "a", "t/x") == 4
    assert asked[0].full_url.endswith("/server/v/t%2Fx/prices")
    assert keeper.get_instance_price("v", "z", "t") == 3
    assert keeper.get_instance_price("v", "z", "t") is None


CLOUDS = {
    "aws": ({"/services/domain": "amazonaws.com", "/instance-type": "t3",
             "/placement/region": "us-1", "/api/token": "T"}, "t3", "us-1"),
    "gcp": ({"/machine-type": "projects/1/machineTypes/n1",
             "/instance/zone": "projects/1/zones/eu-west1-b"}, "n1",
            "eu-west1"),
    "azure": ({"?api-version=": json.dumps(
        {"compute": {"vmSize": "D2", "location": "north"}})}, "D2", "north"),
    "hcloud": ({"/hetzner/v1/metadata":
                "region: eu-central\ninstance-id: 7\n"}, "unknown",
               "eu-central"),
    "upcloud": ({"/metadata/v1.json": json.dumps(
        {"cloud_name": "upcloud", "region": "fi"})}, "unknown", "fi"),
    "vultr": ({"/v1.json": json.dumps(
        {"instanceid": "a7", "region": {"regioncode": "EWR"}})}, "unknown",
        "EWR"),
    "alicloud": ({"100.200/latest/api/token": "T",
                  "/instance/instance-type": "ecs.g6", "/region-id": "cn"},
                 "ecs.g6", "cn"),
    "ovh": ({"/network_data.json": json.dumps(
        {"services": [{"address": "213.186.33.99"}]}),
        "/meta_data.json": '{"availability_zone": "nova"}',
        "/instance-type": "b2"}, "b2", "unknown"),
}


def answering(texts):
    """A metadata_request that knows these ends of addresses."""
    def request(url, headers=None, method="GET"):
        for end, text in texts.items():
            if end in url:
                return text
        raise OSError(url)
    return request


@pytest.mark.parametrize("vendor", CLOUDS)
def test_a_provider_is_known_by_its_answers(vendor, monkeypatch):
    texts, kind, region = CLOUDS[vendor]
    monkeypatch.setattr(cloud_info, "metadata_request", answering(texts))
    monkeypatch.setattr(cloud_info, "ALL_SECONDS", 600)
    cloud_info._discovered.cache_clear()
    found = cloud_info.get_cloud_info()
    assert found.pop("discovery_time") >= 0
    assert found == {"vendor": vendor, "instance_type": kind,
                     "region": region}
    monkeypatch.setattr(cloud_info, "metadata_request", answering({}))
    found["vendor"] = "changed"
    assert cloud_info.get_cloud_info()["vendor"] == vendor
    cloud_info._discovered.cache_clear()
    assert cloud_info.get_cloud_info()["vendor"] == "unknown"
    cloud_info._discovered.cache_clear()


def test_requests_of_metadata_use_no_proxy(monkeypatch):
    seen = []

    class Opener:
        """What build_opener() returns."""

        def open(self, request, timeout):
            seen.append((request, timeout))
            return io.BytesIO(b" text\n")

    def build(handler, redirects):
        assert handler.proxies == {}
        assert redirects.redirect_request(None) is None
        return Opener()
    monkeypatch.setattr("urllib.request.build_opener", build)
    assert cloud_info.metadata_request(
        "http://example.org/x", {"A": "b"}, "PUT") == "text"
    request, seconds = seen[0]
    assert request.get_method() == "PUT" and request.get_header("A") == "b"
    assert seconds == cloud_info.METADATA_REQUEST_TIMEOUT == 1


@pytest.mark.parametrize("text", [
    "<html>Sign in</html>", "a" * 64, "x\r\nX-Evil: 1", "\0", "a b", "{}",
    "[]", "null", "OK", ""])
def test_what_is_no_name_is_no_provider(text, monkeypatch):
    monkeypatch.setattr(cloud_info, "metadata_request",
                        lambda *_, **__: text)
    cloud_info._discovered.cache_clear()
    found = cloud_info.get_cloud_info()
    cloud_info._discovered.cache_clear()
    assert {found["vendor"], found["instance_type"], found["region"]} == {
        "unknown"}


def test_a_long_answer_is_none(monkeypatch):
    class Opener:
        """What build_opener() returns."""

        def open(self, request, timeout):
            return io.BytesIO(b"a" * (1 << 17))
    monkeypatch.setattr("urllib.request.build_opener", lambda *_: Opener())
    with pytest.raises(OSError):
        cloud_info.metadata_request("http://example.org/x")


def test_the_web_is_urllib(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"text")
    request = _web.Request(path.as_uri(), headers={"A": "b"})
    assert _web.urlopen(request, 30).read() == b"text"


def test_sentinel_is_told_of_a_run(web, monkeypatch):
    monkeypatch.setenv("SENTINEL_API_URL", "https://example.org/base")
    asked = web(sentinel_api, Answer({"run_id": "r"}))
    assert sentinel_api.register_run(
        "T", {"command": "a 'b c'", "team": None},
        host_info={"host_vcpus": 2}, cloud_info={"cloud": "x"}) == {
            "run_id": "r"}
    request = asked[0]
    assert request.full_url == "https://example.org/base/runs"
    assert request.get_header("Authorization") == "Bearer T"
    assert json.loads(request.data) == {
        "command": '["a", "b c"]', "host_vcpus": 2, "cloud": "x"}


def test_sentinel_ends_a_run_and_gives_new_credentials(web):
    asked = web(sentinel_api, Answer(), Answer({"a": 1}), Answer({}))
    assert sentinel_api.refresh_credentials("T", "r") == {}
    assert asked[0].full_url == (sentinel_api.DEFAULT_SENTINEL_URL
                                 + "/runs/r/refresh-credentials")
    assert sentinel_api.finish_run(
        "T", "r", exit_code=1, run_status=RunStatus.failed,
        data_source=DataSource.inline, data_csv="") == {"a": 1}
    assert json.loads(gzip.decompress(asked[1].data)) == {
        "exit_code": 1, "run_status": "failed", "data_source": "inline",
        "data_csv": ""}
    sentinel_api.finish_run("T", "r", data_uris=["s3://b/k"])
    assert json.loads(asked[2].data)["data_uris"] == ["s3://b/k"]
    with pytest.raises(ValueError):
        sentinel_api.finish_run("T", "r")


def test_sentinels_refusal_is_an_error(web):
    web(sentinel_api, refused(422, b"bad"))
    with pytest.raises(SentinelAPIError) as caught:
        sentinel_api.register_run("T")
    assert caught.value.status_code == 422 and caught.value.body == "bad"


KEYS = {"access_key": "AKIDEXAMPLE",
        "secret_key": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        "session_token": "S"}


def test_an_object_is_put_with_a_signature(web, tmp_path):
    asked = web(s3_upload, Answer())
    path = tmp_path / "x"
    path.write_bytes(b"data")
    assert s3_upload.put_object_with_sts(
        s3_uri="s3://b/k/a b", file_path=path, region="us-east-1",
        **KEYS) == "s3://b/k/a b"
    request = asked[0]
    assert request.full_url == "https://b.s3.us-east-1.amazonaws.com/k/a%20b"
    assert request.get_method() == "PUT" and request.data == b"data"
    assert "SignedHeaders=host;x-amz-content-sha256;x-amz-date;" \
        "x-amz-security-token" in request.get_header("Authorization")


def test_the_signing_key_is_that_of_the_services_example():
    # The example of "Deriving the signing key" has the service iam; the
    # chain is the same one but for that word.
    key = s3_upload._hmac_sha256(b"AWS4" + KEYS["secret_key"].encode(),
                                 "20150830")
    for word in ("us-east-1", "iam", "aws4_request"):
        key = s3_upload._hmac_sha256(key, word)
    assert key.hex() == ("c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e"
                         "86da6ed3c154a4b9")


def test_a_buckets_region_is_in_any_answer(web):
    s3_upload.bucket_region_cache.clear()
    asked = web(s3_upload, refused(403), Answer())
    assert s3_upload.put_bytes_with_sts(s3_uri="s3://b/k", body=b"",
                                        **KEYS) == "s3://b/k"
    assert [request.get_method() for request in asked] == ["HEAD", "PUT"]
    assert "us-west-2" in asked[1].full_url
    s3_upload.bucket_region_cache.clear()


def test_a_refused_object_and_a_wrong_address(web):
    web(s3_upload, refused(403, b"AccessDenied"))
    with pytest.raises(RuntimeError, match="403.*AccessDenied"):
        s3_upload.put_bytes_with_sts(s3_uri="s3://b/k", body=b"x",
                                     region="r", **KEYS)
    for wrong in ("", "s3://b", "s3:///k", "https://b/k"):
        with pytest.raises(ValueError, match="Expected s3 URI"):
            s3_upload.put_bytes_with_sts(s3_uri=wrong, body=b"", **KEYS)


def test_the_program_puts_a_file(monkeypatch, capsys):
    put = []
    monkeypatch.setattr(s3_upload, "put_object_with_sts",
                        lambda **given: put.append(given) or "done")
    monkeypatch.setattr("sys.argv", [
        "x", "--s3-uri", "s3://b/k", "--file", "f", "--access-key", "a",
        "--secret-key", "s", "--session-token", "t"])
    s3_upload.main()
    assert capsys.readouterr().out == "done\n"
    assert put[0]["access_key"] == "a" and put[0]["region"] is None


class Service:
    """Sentinel and its storage, without a network."""

    def __init__(self, monkeypatch, lifetime=86400):
        self.lifetime = lifetime
        self.batches, self.finished, self.refreshed = [], [], 0
        self.refuses = False
        monkeypatch.setattr(streaming, "register_run", self.register)
        monkeypatch.setattr(streaming, "refresh_credentials", self.refresh)
        monkeypatch.setattr(streaming, "put_bytes_with_sts", self.put)
        monkeypatch.setattr(streaming, "finish_run", self.finish)

    def credentials(self):
        end = datetime.fromtimestamp(time.time() + self.lifetime,
                                     timezone.utc)
        return {**KEYS, "expires_at": end.isoformat()}

    def register(self, token, **given):
        self.registered = given
        return {"run_id": "r", "upload_uri_prefix": "s3://b/p/",
                "upload_credentials": self.credentials()}

    def refresh(self, token, run_id):
        self.refreshed += 1
        self.lifetime = 86400
        return {"upload_credentials": self.credentials()}

    def put(self, s3_uri, body, **keys):
        if self.refuses:
            raise RuntimeError("no")
        self.batches.append((s3_uri, gzip.decompress(body)))

    def finish(self, token, run_id, **given):
        self.finished.append(given)
        return {"ended": run_id}


def test_batches_have_the_header_and_only_what_is_new(monkeypatch, tmp_path):
    service, path = Service(monkeypatch), tmp_path / "x.csv"
    path.write_bytes(b"h\r\n1\r\n")
    manager = streaming.StreamingManager("T", str(path), 9999)
    manager.start()
    assert manager.is_alive and manager.run_id == "r"
    manager._upload_batch()
    service.refuses = True
    with path.open("ab") as file:
        file.write(b"2\r\n")
    manager._upload_batch()
    service.refuses = False
    assert manager.stop(1, RunStatus.failed) == {"ended": "r"}
    assert service.batches == [("s3://b/p/0001.csv.gz", b"h\r\n1\r\n"),
                               ("s3://b/p/0002.csv.gz", b"h\r\n2\r\n")]
    assert service.finished[0]["data_uris"] == manager.uploaded_uris
    assert not manager.is_alive


def test_a_run_without_samples_is_ended(monkeypatch):
    service = Service(monkeypatch)
    manager = streaming.StreamingManager("T", "/nonexistent/x.csv", 9999)
    manager.start()
    manager.stop()
    assert service.finished == [{
        "exit_code": 0, "run_status": RunStatus.finished,
        "data_source": DataSource.inline, "data_csv": ""}]


def test_old_credentials_are_renewed_once(monkeypatch, tmp_path):
    service, path = Service(monkeypatch, lifetime=100), tmp_path / "x"
    path.write_bytes(b"h\n1\n")
    manager = streaming.StreamingManager("T", str(path), 9999)
    manager.start()
    wait_until(lambda: service.batches)
    manager.stop()
    assert service.refreshed == 1
    assert manager._next_wait() == 9999


def test_short_credentials_make_no_storm():
    manager = streaming.StreamingManager("T", None, 60)
    manager._set_credentials({**KEYS, "expires_at": "2001-01-01T00:00:00Z"})
    assert manager._should_refresh_credentials()
    assert manager._next_wait() == 60


def test_waiting_to_try_again_ends_with_the_run(monkeypatch):
    service = Service(monkeypatch, lifetime=100)
    tried = []

    def fails(token, run_id):
        tried.append(run_id)
        raise RuntimeError("no")
    monkeypatch.setattr(streaming, "refresh_credentials", fails)
    monkeypatch.setattr(streaming, "_CREDENTIAL_REFRESH_RETRY_DELAY", 10**6)
    manager = streaming.StreamingManager("T", None, 9999)
    manager.start()
    wait_until(lambda: tried)
    manager.stop()
    assert tried == ["r"] and len(service.finished) == 1


def test_requests_have_a_limit_of_time(web):
    asked = web(sentinel_api, Answer({"run_id": "r"}))
    sentinel_api.register_run("token", {})
    assert asked[0].asked_timeout == sentinel_api.DEFAULT_TIMEOUT == 30
    asked = web(s3_upload, Answer())
    s3_upload.put_bytes_with_sts(s3_uri="s3://b/k", body=b"", region="r",
                                 **KEYS)
    assert asked[0].asked_timeout == s3_upload.DEFAULT_UPLOAD_TIMEOUT == 30
