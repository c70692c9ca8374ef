"""test_prices.py - the cheapest servers that hold a job: prices from a file, and from a service that the test is."""
import contextlib
import gzip
import http.server
import json
import re
import subprocess
import threading
import urllib.parse

import pytest

GIB = 2**30
TABLE = """\
# date: 2026-11-20
# source: our contract
vendor,region,type,cpus,memory_gib,gpus,gpu_memory_gib,usd_per_hour
aws,us-east-1,m7i.large,2,8,,,0.1008
aws,eu-west-1,m7i.large,2,8,,,0.1123
aws,us-east-1,t3.nano,2,0.5,,,0.0052
hcloud,nbg1,cx22,2,4,0,0,0.0066
hcloud,nbg1,cx32,4,8,0,0,0.0118
gcp,us-central1,a2-highgpu-1g,12,85,1,40,3.6731
own,,desk,8,32,1,24,0.5
"""


@pytest.fixture
def prices(tmp_path):
    """prices(text): the path of a table with it."""
    def write(text=TABLE):
        path = tmp_path / "prices.csv"
        path.write_text(text)
        return path
    return write


@pytest.fixture(scope="module")
def samples(tracker, tmp_path_factory):
    """Samples of two hours that need 1 core and 2 GiB."""
    path = tmp_path_factory.mktemp("prices") / "samples.jsonl"
    subprocess.run([tracker, "--quiet", "--record", "none", "-i", "0.1", "-o", path, "--", "sleep", "0.2"], check=True)
    sample = json.loads(path.read_text().splitlines()[-1])
    sample["process"] |= {"cpu_seconds": 360, "cpu_cores": 1.0, "watched_cpu_seconds": 360, "run_delay_seconds": 0,
                          "pss_bytes": GIB, "rss_bytes": GIB, "pss_upper_bytes": GIB}
    sample["actual_interval_ms"] = 360000
    path.write_text("".join(json.dumps(sample | {"timestamp": 1.79e9 + 360 * i, "timestamp_secs": 1790000000 + 360 * i}) + "\n"
                            for i in range(1, 21)))
    return path


@pytest.fixture
def advised(run, samples):
    return lambda *words: run("recommend", samples, *words)


def servers(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["servers"]


def test_the_cheapest_that_hold_it(advised, prices):
    found = servers(advised("--servers", prices(), "--json"))
    assert found["date"] == "2026-11-20" and found["source"] == "our contract" and found["in_table"] == 7 and found["holding"] == 6
    assert [(s["vendor"], s["type"], s["region"]) for s in found["cheapest"]] == [
        ("hcloud", "cx22", "nbg1"), ("hcloud", "cx32", "nbg1"), ("aws", "m7i.large", "us-east-1"), ("own", "desk", None),
        ("gcp", "a2-highgpu-1g", "us-central1")]
    assert found["cheapest"][0] | {"usd_per_run": 0} == {
        "vendor": "hcloud", "region": "nbg1", "type": "cx22", "cpus": 2, "memory_bytes": 4 * GIB, "gpus": 0, "gpu_memory_bytes": 0,
        "usd_per_hour": 0.0066, "usd_per_run": 0}
    for server in found["cheapest"]:
        assert server["usd_per_run"] == pytest.approx(server["usd_per_hour"] * found["run_seconds"] / 3600, rel=1e-4)
    assert found["run_seconds"] == pytest.approx(7200, rel=0.06) and found["here"] is None


def test_of_one_vendor_or_region(advised, prices):
    assert {s["vendor"] for s in servers(advised("--servers", prices(), "--vendor", "AWS", "--json"))["cheapest"]} == {"aws"}
    found = servers(advised("--servers", prices(), "--region", "eu-west-1", "--json"))
    assert [(s["type"], s["usd_per_hour"]) for s in found["cheapest"]] == [("m7i.large", 0.1123)]
    assert servers(advised("--servers", prices(), "--vendor", "nimbus", "--json"))["cheapest"] == []


def test_as_text(advised, prices):
    text = advised("--servers", prices()).stdout
    assert " 6 of 7 hold it; prices of 2026-11-20 from our contract" in text.replace("\n", " ")
    assert "cx22 (hcloud, nbg1)" in text and "$0.0066/h" in text and "desk (own)" in text
    assert "none of 7 holds it" in advised("--servers", prices(), "--vendor", "nimbus").stdout


@pytest.mark.parametrize("cloud, here", [
    ({"vendor": "aws", "region": "eu-west-1", "instance_type": "m7i.large"}, ("eu-west-1", 0.1123)),
    ({"vendor": "own", "region": "cellar", "instance_type": "desk"}, (None, 0.5)),
    ({"vendor": "aws", "region": "ap-south-1", "instance_type": "m7i.large"}, None),
    ({"vendor": "aws", "region": "eu-west-1", "instance_type": None}, None),
], ids=["region", "any region", "other region", "unknown type"])
def test_where_it_ran(run, prices, tmp_path, cloud, here):
    record = tmp_path / "run.jsonl"
    assert run("--quiet", "-i", "0.1", "--record", record, "--", "sleep", "0.3").returncode == 0
    head, *rest = record.read_text().splitlines()
    asked = {"account": None, "zone": None, "spot": None, "seconds": 0.1} | cloud
    record.write_text("\n".join([head, json.dumps({"t": 0.1, "cloud": asked}), *rest]) + "\n")
    found = servers(run("recommend", record, "--servers", prices(), "--json"))["here"]
    assert (found and (found["region"], found["usd_per_hour"])) == here
    text = run("recommend", record, "--servers", prices()).stdout
    assert ("Ran on" in text) == (here is not None) == ("the first one above saves" in text)


@pytest.mark.parametrize("cloud, server", [
    ({"vendor": "aws", "region": "eu-west-1", "instance_type": "m7i.large"}, ("m7i.large (aws, eu-west-1)", "eu-west-1", 0.1123)),
    ({"vendor": "own", "region": "cellar", "instance_type": "desk"}, ("desk (own)", None, 0.5)),
    ({"vendor": "aws", "region": "ap-south-1", "instance_type": "m7i.large"}, None),
    ({"vendor": "aws", "region": "eu-west-1", "instance_type": None}, None),
    (None, None),
], ids=["region", "any region", "other region", "unknown type", "no cloud"])
def test_what_a_run_cost(run, prices, tmp_path, cloud, server):
    """The price of an hour times the hours of the run; no line and null where it is not known."""
    record = tmp_path / "run.jsonl"
    assert run("--quiet", "-i", "0.1", "--record", record, "--", "sleep", "0.3").returncode == 0
    head, *rest = record.read_text().splitlines()
    asked = {"t": 0.1, "cloud": {"account": None, "zone": None, "spot": None, "seconds": 0.1} | (cloud or {})}
    rest[-1] = json.dumps({"end": json.loads(rest[-1])["end"] | {"seconds": 9000}})     # 2.5 h
    record.write_text("\n".join([head, *([json.dumps(asked)] if cloud else []), *rest]) + "\n")
    found = json.loads(run("summary", record, "--json", "--servers", prices()).stdout)
    text = run("summary", record, "--servers", prices()).stdout
    page = json.loads(run("report", record, "--json", "--servers", prices()).stdout)
    lines = [words for words in json.dumps(page["runs"][0]["facts"]).split('"') if "/h of 2026-11-20" in words]
    if server:
        name, region, price = server
        assert found["cost"] == {"usd": round(price * found["quantities"]["duration"] / 3600, 6), "usd_per_hour": price, "vendor": cloud["vendor"], "region": region,
                                 "type": cloud["instance_type"], "date": "2026-11-20", "source": "our contract"}
        assert found["quantities"]["duration"] == 9000 and found["cost"]["usd"] == pytest.approx(price * 2.5)
        usd, rest = re.search(r"^ Cost        \$(\S+)  (.*)$", text, re.M).groups()
        assert abs(float(usd) - price * 2.5) < 0.0001 and rest == f"{name} at ${price:.4f}/h of 2026-11-20"
        assert len(lines) == 1 and name in lines[0]
    else:
        assert found["cost"] is None and "Cost" not in text and lines == []
    assert json.loads(run("summary", record, "--json").stdout)["cost"] is None
    assert "Cost" not in run("summary", record).stdout


def test_a_cost_needs_a_table_and_runs(run, prices, tmp_path):
    for words, sentence in [(["summary", "last", "--servers", tmp_path / "none.csv"], "none.csv"), (["report", "last", "--servers", tmp_path / "none.csv"], "none.csv"),
                            (["summary", tmp_path, "--servers", prices()], "not for ranks"), (["report", tmp_path, "--servers", prices()], "not for ranks"),
                            (["report", "--live", "--servers", prices()], "--live")]:
        done = run(*words)
        assert done.returncode == 125 and done.stderr.count("\n") == 1 and sentence in done.stderr, done.stderr


def test_more_of_one_kind_than_are_shown(advised, prices):
    """Of each type the cheapest region alone, in whatever order they come."""
    rows = [f"v,r{i * 7 % 50},t{i % 3},4,16,,,{0.5 + (i * 7 % 50) / 100:.2f}" for i in range(50)]
    found = servers(advised("--servers", prices(TABLE.split("aws")[0] + "\n".join(rows)), "--json"))
    truth = sorted({t: min((r for r in rows if f",{t}," in r), key=lambda r: float(r.split(",")[-1])) for t in ("t0", "t1", "t2")}.values(),
                   key=lambda r: float(r.split(",")[-1]))
    assert [(s["region"], s["type"]) for s in found["cheapest"]] == [tuple(r.split(",")[1:3]) for r in truth]


@pytest.mark.parametrize("text, sentence", [
    ("", " has no servers"),
    ("vendor,type\n", ", line 1: the names of the columns lack 'cpus'"),
    (TABLE + "aws,us-east-1,m7i.large,2,8\n", ", line 11: 5 fields, but 8 names of columns"),
    (TABLE + "aws,us-east-1,m7i.large,two,8,,,0.1\n", ", line 11: cpus of 'aws,us-east-1,m7i.large,two,8,,,0.1' is not valid"),
    (TABLE + "aws,us-east-1,m7i.large,2,8,,,\n", ", line 11: usd_per_hour of 'aws,us-east-1,m7i.large,2,8,,,' is not valid"),
    (TABLE + "aws,us-east-1,m7i.large,2,8,,,-1\n", ", line 11: usd_per_hour of 'aws,us-east-1,m7i.large,2,8,,,-1' is not valid"),
    (TABLE + ",us-east-1,m7i.large,2,8,,,1\n", ", line 11: vendor of ',us-east-1,m7i.large,2,8,,,1' is not valid"),
], ids=["empty", "columns", "fields", "number", "no price", "negative", "no vendor"])
def test_a_table_that_is_wrong(advised, prices, text, sentence):
    path = prices(text)
    done = advised("--servers", path)
    assert (done.returncode, done.stdout) == (125, "")
    assert f"{path.name}{sentence}" in done.stderr and done.stderr.count("\n") == 1


def test_words_that_do_not_go_together(run, prices, tmp_path):
    for words, sentence in ((["last", "--vendor", "aws"], "--vendor chooses among --servers FILE"),
                            (["last", "--servers", prices(), "--for", "slurm"], "--servers or --for, not both"),
                            (["last", "--servers", tmp_path / "none.csv"], "/none.csv: No such file or directory")):
        done = run("recommend", *words, env={"XDG_STATE_HOME": str(tmp_path)})
        assert done.returncode == 125 and done.stderr.rstrip().endswith(sentence), done.stderr


# ---- the service -------------------------------------------------------------------------------

OFFERS = [{"vendor_id": "hcloud", "region_id": f"r{i}", "zone_id": "z", "server_id": f"s{i}", "allocation": "ondemand", "unit": "hour",
           "operating_system": "Linux", "price": 0.01 + i / 1000, "currency": "USD", "vendor": {"name": "Hetzner"},
           "server": {"api_reference": f"cx{i}", "vcpus": 2 + i % 4, "memory_amount": 4096, "gpu_count": 0, "gpu_memory_total": None}}
          for i in range(600)]


@contextlib.contextmanager
def service(answer):
    """A service on loopback: answer(query) is (status, headers, body).  Yields its URL and the requests that arrive."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.path, dict(self.headers)))
            status, headers, body = answer(urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def offers(query):
    first = 250 * (int(query["page"][0]) - 1)
    return 200, {"Content-Encoding": "gzip"}, gzip.compress(json.dumps(OFFERS[first:first + 250]).encode())


@pytest.fixture
def asks(tracker, run):
    if not tracker.with_name("resource-tracker-discover").exists():
        pytest.skip("this build asks no services: it has no libcurl")
    return lambda *words, **more: run("discover", "--prices", *words, **more)


def test_a_table_from_the_service(asks, advised, prices):
    with service(offers) as (url, asked):
        done = asks("--from", url, "--vendor", "hcloud", "--region", "nbg 1&x", "--cpus", 2, "--memory", "4GiB", "--gpus", 1, "--gpu-memory", "8GiB")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("# date: 20") and lines[1] == f"# source: {url.split('//')[1]}"
    assert lines[2] == TABLE.splitlines()[2] and len(lines) == 3 + 600
    assert lines[3] == "hcloud,r0,cx0,2.000,4.000,0.000,0.000,0.010000"
    assert [urllib.parse.urlsplit(path).path for path, _ in asked] == ["/server_prices"] * 3
    query = {name: value[0] for name, value in urllib.parse.parse_qs(urllib.parse.urlsplit(asked[2][0]).query).items()}
    assert query == {"allocation": "ondemand", "currency": "USD", "order_by": "price", "order_dir": "asc", "limit": "250", "page": "3",
                     "vendor": "hcloud", "regions": "nbg 1&x", "vcpus_min": "2", "memory_min": "4.000", "gpu_min": "1.000",
                     "gpu_memory_total": "8.000"}
    assert asked[0][1]["X-Application-ID"] == "resource-tracker"
    found = servers(advised("--servers", prices(done.stdout), "--json"))
    assert found["in_table"] == 600 and found["cheapest"][0]["type"] == "cx0"


def test_it_takes_four_pages_at_most(asks):
    page = json.dumps(OFFERS[:250]).encode()
    with service(lambda query: (200, {}, page)) as (url, asked):
        done = asks("--from", url)
    assert done.returncode == 0 and len(asked) == 4 and done.stdout.count("\n") == 1003


@pytest.mark.parametrize("answer, sentence", [
    ((500, {}, b"oops"), "no prices: the service answers with status 500"),
    ((429, {}, b""), "no prices: the service answers with status 429, too many requests: try again in a minute"),
    ((422, {}, b"{}"), "no prices: the service answers with status 422, which can mean an unknown vendor or region"),
    ((302, {"Location": "http://127.0.0.1:9/"}, b""), "no prices: the service answers with status 302"),
    ((200, {}, b"<html>"), "no prices: the answer is not a list of offers"),
    ((200, {}, b"{}"), "no prices: the answer is not a list of offers"),
    ((200, {}, b" " * (17 << 20)), "no prices: "),
    ((200, {"Content-Encoding": "gzip"}, gzip.compress(b" " * (64 << 20))), "no prices: "),
], ids=["500", "429", "422", "redirect", "page", "object", "large", "bomb"])
def test_answers_that_are_none(asks, answer, sentence):
    with service(lambda query: answer) as (url, _):
        done = asks("--from", url)
    assert (done.returncode, done.stdout) == (125, "") and sentence in done.stderr and done.stderr.count("\n") == 1


def test_hostile_offers_are_left_out(asks):
    """Names that would be other fields, lines or comments; offers without a price, a type, or a server."""
    hostile = [OFFERS[0] | {"vendor_id": name} for name in ("a,b", "a\nb", "# date: now", "", "x" * 100, None, "é", 'a"b')]
    hostile += [OFFERS[0] | {"price": price} for price in (None, "1", -1, [])] + [OFFERS[0] | {"server": None}, {}, 7, "text", []]
    kept = OFFERS[1] | {"server": {"api_reference": "kept"}}
    with service(lambda query: (200, {}, json.dumps([*hostile, kept]).encode())) as (url, _):
        done = asks("--from", url)
    # The vendor that is too long for a field is cut, and harms nothing.
    rows = [line for line in done.stdout.splitlines()[3:] if not line.startswith("xxx")]
    assert rows == ["hcloud,r1,kept,0.000,0.000,0.000,0.000,0.011000"]


def test_without_a_network(asks):
    done = asks("--from", "http://127.0.0.1:9")
    assert done.returncode == 125 and "no prices: Failed to connect to 127.0.0.1 port 9" in done.stderr
    done = asks("--from", "file:///etc/passwd")
    assert done.returncode == 125 and "no prices: " in done.stderr and "root" not in done.stdout


def test_numbers_that_are_none(asks, run):
    for words, sentence in ((["--cpus", "x"], "--cpus: 'x' is not a number"), (["--memory", "much"], "--memory: 'much' is not a size such as 16GiB")):
        done = asks(*words)
        assert done.returncode == 125 and done.stderr.rstrip().endswith(sentence)
    done = run("discover", "--vendor", "aws")
    assert done.returncode == 125 and done.stderr.rstrip().endswith("--vendor is for --prices")
