"""service.py - the service Sentinel and its store as a server of ours on loopback, which checks each request by the contract.

The contract is that of SpareCores/resource-tracker-rs 0.1.14, as its source and its observed requests have it: CONTRACT
has the requests, and BEGIN_MEMBERS and FINISH_MEMBERS the members of their bodies.
"""
import collections
import gzip
import hashlib
import hmac
import json
import threading
import time
import urllib.parse

import pytest

from receivers import Faulty

TOKEN = "sentinel-token-of-tests"
BUCKET, PREFIX = "sentinel-runs", "teams/7"

# What is asked: method, path (RUN: its id; SEQ: the number of the object), headers with their values (None: any), headers that must
# not be there, and the status that is a success.
Contract = collections.namedtuple("Contract", "method path headers without status")
API = {"Authorization": f"Bearer {TOKEN}"}
STORE = {"Content-Type": "application/gzip", "x-amz-content-sha256": None, "x-amz-date": None, "x-amz-security-token": None,
         "Authorization": None, "Content-Length": None}
CONTRACT = {
    "begin": Contract("POST", "/runs", {**API, "Content-Type": "application/json"}, ["Content-Encoding"], 200),
    "keys": Contract("POST", "/runs/RUN/refresh-credentials", {**API, "Content-Length": "0"}, ["Content-Type", "Content-Encoding"], 200),
    "region": Contract("HEAD", "/BUCKET/", {}, ["Authorization", "x-amz-security-token"], 403),
    "rows": Contract("PUT", "/BUCKET/PREFIX/RUN/SEQ.csv.gz", STORE, ["Content-Encoding"], 200),
    "finish": Contract("POST", "/runs/RUN/finish", {**API, "Content-Type": "application/json"}, ["Content-Encoding"], 200),
}
TEXT, INTEGER, NUMBER, TEXTS = str, int, (int, float), list
# Members of the body of POST /runs: type, and whether it is always there; None is permitted for those that are.
BEGIN_MEMBERS = {
    **dict.fromkeys(["job_name", "project_name", "stage_name", "task_name", "team", "env", "language", "orchestrator", "executor",
                     "external_run_id", "container_image", "command"], (TEXT, False)),
    "tags": (TEXTS, False),
    **dict.fromkeys(["host_id", "host_hostname", "host_ip", "host_server_allocation", "host_cpu_model", "host_gpu_model",
                     "cloud_vendor_id", "cloud_account_id", "cloud_region_id", "cloud_zone_id", "cloud_instance_type"], (TEXT, True)),
    **dict.fromkeys(["host_vcpus", "host_memory_mib", "host_gpu_count"], (INTEGER, True)),
    **dict.fromkeys(["host_gpu_memory_mib", "host_storage_gb"], (NUMBER, True)),
}
FINISH_MEMBERS = {"exit_code": INTEGER, "run_status": TEXT, "finished_at": TEXT, "data_source": TEXT, "data_uris": TEXTS, "data_csv": TEXT}
CSV_HEADER = (
    "timestamp,system_processes,system_utime,system_stime,system_cpu_usage,system_memory_free_mib,system_memory_used_mib,"
    "system_memory_buffers_mib,system_memory_cached_mib,system_memory_active_mib,system_memory_inactive_mib,system_disk_read_bytes,"
    "system_disk_write_bytes,system_disk_space_total_gb,system_disk_space_used_gb,system_disk_space_free_gb,system_net_recv_bytes,"
    "system_net_sent_bytes,system_gpu_usage,system_gpu_vram_mib,system_gpu_utilized,process_pid,process_children,process_utime,"
    "process_stime,process_cpu_usage,process_memory_mib,process_disk_read_bytes,process_disk_write_bytes,process_gpu_usage,"
    "process_gpu_vram_mib,process_gpu_utilized")

Keys = collections.namedtuple("Keys", "access secret token end")


def utc(seconds, form="%Y-%m-%dT%H:%M:%SZ"):
    return time.strftime(form, time.gmtime(seconds))


def signature(request, host, region, secret):
    """The signature of a PUT by Signature Version 4, from what was sent: an implementation beside ours."""
    scope = request.headers["Authorization"].partition("Credential=")[2].split(",")[0].split("/", 1)[1]
    signed = request.headers["Authorization"].partition("SignedHeaders=")[2].split(",")[0].split(";")
    headers = {name.lower(): value for name, value in request.headers.items()}
    canonical = "\n".join([request.method, request.path, "", *(f"{name}:{headers[name]}" for name in signed), "", ";".join(signed),
                           headers["x-amz-content-sha256"]])
    day = headers["x-amz-date"][:8]
    assert scope == f"{day}/{region}/s3/aws4_request" and headers["host"] == host
    text = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = f"AWS4{secret}".encode()
    for part in (day, region, "s3", "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Service:
    """Faulty, with the answers of the service and its store.  `fault(kind, number)`: another answer; None: the right one."""

    def __init__(self, region="us-east-1"):
        self.server, self.region, self.lock = Faulty(), region, threading.Lock()
        self.server.answer = self.answer
        self.fault = lambda kind, number: None
        self.kinds, self.counts = [], collections.Counter()     # of all requests, in their order
        self.runs, self.keys, self.objects, self.finished = [], [], {}, {}
        self.problems = []                                      # what was not as the contract has it
        self.life, self.end_member, self.names_region = 3600, "expiration", True

    @property
    def url(self):
        return self.server.url

    def requests(self, kind):
        return [r for k, r in zip(self.kinds, self.server.requests) if k == kind]

    def rows(self):
        """All rows that are stored, by object; its header is checked."""
        found = []
        for key in sorted(self.objects):
            header, *rows = gzip.decompress(self.objects[key]).decode().splitlines()
            assert header == CSV_HEADER
            found.append(rows)
        return found

    def secrets(self):
        return [TOKEN, *(text for k in self.keys for text in (k.secret, k.token))]

    # ---- answers

    def kind_of(self, request):
        last = request.path.rpartition("/")[2]
        if request.method == "POST":
            return {"runs": "begin", "refresh-credentials": "keys", "finish": "finish"}.get(last, "unknown")
        return {"HEAD": "region", "PUT": "rows"}.get(request.method, "unknown")

    def answer(self, number):
        with self.lock:
            request = self.server.requests[number - 1]
            kind = self.kind_of(request)
            self.kinds.append(kind)
            self.counts[kind] += 1
            self.check(kind, request)
            return self.fault(kind, self.counts[kind]) or getattr(self, f"do_{kind}")(request)

    def check(self, kind, request):
        contract = CONTRACT.get(kind)
        run = request.path.split("/")[-2] if kind in ("keys", "finish", "rows") else ""
        if not contract:
            self.problems.append(f"{request.method} {request.path}")
            return
        path = contract.path.replace("BUCKET", BUCKET).replace("PREFIX", PREFIX).replace("RUN", run)
        path = path.replace("SEQ.csv.gz", request.path.rpartition("/")[2])
        headers = {name.lower(): value for name, value in request.headers.items()}
        wrong = [f"{name}: {headers.get(name.lower())}" for name, value in contract.headers.items()
                 if name.lower() not in headers or value not in (None, headers[name.lower()])]
        wrong += [name for name in contract.without if name.lower() in headers]
        if (request.method, request.path) != (contract.method, path) or wrong or (run and run not in self.runs):
            self.problems.append(f"{kind}: {request.method} {request.path} {wrong}")

    def lend(self):
        """New keys, and an answer with them."""
        n = len(self.keys) + 1
        self.keys.append(Keys(f"ACCESS{n}", f"secret/of+tests{n}", f"token=of/tests{n}", time.time() + self.life))
        k = self.keys[-1]
        answer = {"access_key": k.access, "secret_key": k.secret, "session_token": k.token}
        if self.end_member:
            answer[self.end_member] = utc(k.end)
        if self.names_region:
            answer["region"] = self.region
        return answer

    def do_begin(self, request):
        self.runs.append(f"run-{len(self.runs) + 1}")
        return self.json({"run_id": self.runs[-1], "upload_uri_prefix": f"s3://{BUCKET}/{PREFIX}", "upload_credentials": self.lend(),
                          "more": {"unknown": [1, None]}})

    def do_keys(self, request):
        return self.json({"upload_credentials": self.lend()})

    def do_region(self, request):
        return 403, {"x-amz-bucket-region": self.region}, b""

    def do_rows(self, request):
        headers = request.headers
        access = headers["Authorization"].partition("Credential=")[2].split("/")[0]
        keys = next((k for k in self.keys if k.access == access), None)
        if not keys or headers["x-amz-security-token"] != keys.token:
            return self.refuse(403, "InvalidAccessKeyId", request)
        if keys.end < time.time():
            return self.refuse(400, "ExpiredToken", request)
        if headers["x-amz-content-sha256"] != hashlib.sha256(request.body).hexdigest():
            return self.refuse(400, "XAmzContentSHA256Mismatch", request)
        if signature(request, f"127.0.0.1:{self.server.port}", self.region, keys.secret) not in headers["Authorization"]:
            return self.refuse(403, "SignatureDoesNotMatch", request)
        self.objects[urllib.parse.unquote(request.path)] = request.body
        return 200, {"ETag": '"1"'}, b""

    @staticmethod
    def refuse(status, code, request):
        """As S3 does, which repeats what was signed."""
        text = f"<Error><Code>{code}</Code><Message>No</Message><StringToSign>{request.headers['x-amz-security-token']}</StringToSign></Error>"
        return status, {"Content-Type": "application/xml"}, text.encode()

    def do_finish(self, request):
        self.finished.setdefault(request.path.split("/")[-2], []).append(json.loads(request.body))
        return self.json({})

    def do_unknown(self, request):
        return self.json({}, 404)

    @staticmethod
    def json(value, status=200):
        return status, {"Content-Type": "application/json"}, json.dumps(value).encode()


def same_cell(one, other):
    """A feed has a number rounded, so what is computed from it can differ by one in the last digit."""
    if one == other:
        return True
    return "." in one and "." in other and abs(float(one) - float(other)) < 1.5 * 10.0 ** -len(one.partition(".")[2])


def same_rows(found, samples):
    """The rows are those of a file of samples."""
    wanted = samples.read_text().splitlines()[1:]
    for one, other in zip(found, wanted):
        cells, others = one.split(","), other.split(",")
        different = [(i, x, y) for i, (x, y) in enumerate(zip(cells, others)) if i != 1 and not same_cell(x, y)]
        assert len(cells) == len(others) and different == []
    return len(found) == len(wanted)


def check_members(body, members):
    """Every member is one of these, has its type, and those that are always there are."""
    for name, value in body.items():
        kind, always = members[name] if isinstance(members[name], tuple) and isinstance(members[name][1], bool) else (members[name], False)
        assert (value is None and always) or (isinstance(value, kind) and not isinstance(value, bool)), (name, value)
    for name, about in members.items():
        if isinstance(about, tuple) and about[1] is True:
            assert name in body, name


@pytest.fixture
def service(monkeypatch, tmp_path):
    """The service, and the variables that lead to it; HOME is a folder of the test's."""
    made = Service()
    monkeypatch.setenv("SENTINEL_API_TOKEN", TOKEN)
    monkeypatch.setenv("SENTINEL_API_URL", made.url)
    monkeypatch.setenv("SENTINEL_S3_URL", made.url)
    monkeypatch.setenv("HOME", str(tmp_path))
    yield made
    made.server.close()
    assert made.problems == []
