"""
test_discover.py - clouds by their metadata services, faked in network namespaces of the tests' own.

Nothing here asks the real addresses: all that could runs by clouds.sh, in a namespace whose only interface is lo.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import clouds

SCRIPT = pathlib.Path(__file__).with_name("clouds.sh")
UNKNOWN = {"vendor": None, "account": None, "region": None, "zone": None, "instance_type": None, "spot": None}
FOUND = {
    "aws": {"account": "123456789012", "region": "eu-central-1", "zone": "eu-central-1a", "instance_type": "m7i.large", "spot": True},
    "gcp": {"region": "europe-west1", "zone": "europe-west1-b", "instance_type": "e2-small", "spot": False},
    "azure": {"region": "westeurope", "zone": "1", "instance_type": "Standard_D2s_v3", "spot": True},
    "hcloud": {"region": "eu-central", "zone": "hel1-dc2"},
    "upcloud": {"region": "de-fra1"},
    "vultr": {"region": "EWR"},
    "alicloud": {"region": "cn-hangzhou", "zone": "cn-hangzhou-i", "instance_type": "ecs.g6.large"},
    "ovh": {"region": "eu-west-par-a", "instance_type": "b3-8"},
}
FIRMWARE = {"aws": ("sys_vendor", "Amazon EC2"), "gcp": ("product_name", "Google Compute Engine"),
            "azure": ("chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77"), "hcloud": ("sys_vendor", "Hetzner"),
            "upcloud": ("sys_vendor", "UpCloud"), "vultr": ("sys_vendor", "Vultr"), "alicloud": ("product_name", "Alibaba Cloud ECS")}


@pytest.fixture
def cloud(tracker, tmp_path):
    """cloud(vendor, manner, *words): finished `words` in a namespace with that cloud; packets and requests were counted."""
    if not tracker.with_name("resource-tracker-discover").exists():
        pytest.skip("this build does not ask clouds: it has no libcurl")
    unshare = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-n", "--map-root-user"]
    if not shutil.which("unshare") or not shutil.which("ip") or \
            subprocess.run([*unshare, "ip", "link", "set", "lo", "up"], capture_output=True).returncode != 0:
        pytest.skip("no network namespace can be made here")

    def run(vendor, manner, *words, **more):
        log = tmp_path / "requests"
        for name in log, tmp_path / "requests.in", tmp_path / "requests.out":
            name.unlink(missing_ok=True)
        done = subprocess.run([*unshare, SCRIPT, sys.executable, vendor, manner, log, *map(str, words)], capture_output=True, text=True, **more)
        *others, last = done.stderr.splitlines() or [""]
        assert last.startswith("packets "), done.stderr
        done.packets, done.stderr = int(last.split()[1]), "\n".join(others)
        done.requests = log.read_text().splitlines() if log.exists() else []
        return done
    return run


@pytest.fixture
def machine(tmp_path):
    """machine(name, text): the root of a machine whose firmware says so; without arguments it says nothing."""
    def make(name=None, text=None):
        root = tmp_path / "machine"
        shutil.rmtree(root, ignore_errors=True)
        (root / "proc").mkdir(parents=True)
        (root / "sys/class/dmi/id").mkdir(parents=True)
        if name:
            (root / "sys/class/dmi/id" / name).write_text(text + "\n")
        return root
    return make


# An answer that takes longer does not count: it is asked again, where the service had no CPU for so long.
ENOUGH_SECONDS = 0.99


def asked(cloud, tracker, machine, vendor, manner, firmware=(), **more):
    """What `discover` says, without the time it took."""
    while True:
        done = cloud(vendor, manner, tracker, "discover", "--json", "--root", machine(*firmware), **more)
        found = json.loads(done.stdout)
        seconds = found.pop("seconds")
        assert seconds >= 0
        assert done.returncode == (0 if found["vendor"] else 1) and done.stderr == ""
        answers = vendor in FOUND and manner in ("true", "partial")
        if seconds < ENOUGH_SECONDS or not answers and (done.requests or vendor == "nobody"):
            return found, done


def recorded(cloud, vendor, record, *words):
    """A run with --discover that had time to ask; the answer is in its record."""
    while True:
        done = cloud(vendor, "true", *words)
        found = [line["cloud"] for line in lines_of_cloud(record)]
        if found and (vendor == "nobody" or found[0]["seconds"] < ENOUGH_SECONDS):
            return done


@pytest.mark.parametrize("vendor", FOUND)
def test_each_cloud_is_found_among_all(cloud, tracker, machine, vendor):
    found, done = asked(cloud, tracker, machine, vendor, "true")
    assert found == {**UNKNOWN, "vendor": vendor, **FOUND[vendor]}
    assert not [line for line in done.requests if line.startswith(clouds.ELSEWHERE)]


@pytest.mark.parametrize("vendor", FIRMWARE)
def test_firmware_names_the_one_to_ask(cloud, tracker, machine, vendor):
    found, done = asked(cloud, tracker, machine, vendor, "true", FIRMWARE[vendor])
    assert found == {**UNKNOWN, "vendor": vendor, **FOUND[vendor]}
    paths = {line.split()[2].split("?")[0] for line in done.requests}
    assert paths <= {*clouds.ANSWERS[vendor], "/latest/api/token"}


@pytest.mark.parametrize("vendor", FIRMWARE)
def test_firmware_alone_proves_nothing(cloud, tracker, machine, vendor):
    assert asked(cloud, tracker, machine, "none", "true", FIRMWARE[vendor])[0] == UNKNOWN


@pytest.mark.parametrize("manner", ["true", "slow", "redirect", "refuse", *clouds.HOSTILE])
def test_no_cloud_is_found_where_none_is(cloud, tracker, machine, manner):
    found, done = asked(cloud, tracker, machine, "none", manner)
    assert found == UNKNOWN and done.requests
    assert not [line for line in done.requests if line.startswith(clouds.ELSEWHERE)], "a redirect was followed"


@pytest.mark.parametrize("vendor", FOUND)
@pytest.mark.parametrize("manner", ["slow", "redirect", *clouds.HOSTILE])
def test_a_hostile_service_is_no_cloud(cloud, tracker, machine, vendor, manner):
    """Also not the one that the firmware names."""
    found, done = asked(cloud, tracker, machine, vendor, manner, FIRMWARE.get(vendor, ()))
    assert found == UNKNOWN
    assert not [line for line in done.requests if line.startswith(clouds.ELSEWHERE)], "a redirect was followed"


@pytest.mark.parametrize("vendor", FOUND)
def test_what_is_no_name_is_unknown(cloud, tracker, machine, vendor):
    found, _ = asked(cloud, tracker, machine, vendor, "partial")
    kept = {"gcp": ("region", "zone", "instance_type"), "alicloud": ("region", "instance_type"), "aws": (), "ovh": ()}.get(vendor, FOUND[vendor])
    assert found == {**UNKNOWN, "vendor": vendor, **{name: FOUND[vendor][name] for name in kept}}


def test_proxies_are_not_used(cloud, tracker, machine):
    proxies = dict.fromkeys(("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"), f"http://{clouds.ELSEWHERE}")
    found, done = asked(cloud, tracker, machine, "aws", "true", env={**os.environ, **proxies, "no_proxy": ""})
    assert found["vendor"] == "aws" and not [line for line in done.requests if line.startswith(clouds.ELSEWHERE)]


def test_nothing_answers(cloud, tracker, machine):
    assert asked(cloud, tracker, machine, "nobody", "true")[0] == UNKNOWN


def test_no_packet_leaves_without_being_asked(cloud, tracker, machine, tmp_path):
    record = tmp_path / "run.jsonl"
    plain = cloud("nobody", "true", tracker, "--no-config", "--record", record, "true")
    assert plain.packets == 0 and '"cloud"' not in record.read_text()
    assert cloud("nobody", "true", tracker, "summary", record).packets == 0
    found = recorded(cloud, "nobody", record, tracker, "--no-config", "--record", record, "--discover", "true")
    assert found.packets > 0


def lines_of_cloud(path):
    return [line for line in map(json.loads, path.read_text().splitlines()) if isinstance(line, dict) and "cloud" in line]


def test_a_run_has_its_cloud_in_record_report_and_summary(cloud, tracker, run, has_page, tmp_path):
    record, page = tmp_path / "run.jsonl", tmp_path / "page.html"
    done = recorded(cloud, "aws", record, tracker, "--no-config", "--record", record, "--discover", "--", "sh", "-c",
                    "sleep 0.2; exit 3")
    assert done.returncode == 3
    line, = lines_of_cloud(record)
    assert line["cloud"].pop("seconds") >= 0 and line["t"] >= 0
    assert line["cloud"] == {"vendor": "aws", **FOUND["aws"]}
    assert run("report", record, "-o", page).returncode == 0
    assert "aws m7i.large in eu-central-1 (eu-central-1a), spot" in page.read_text()
    facts = json.loads(run("summary", "--json", record).stdout)
    assert {name: value for name, value in facts.items() if name.startswith("cloud_")} == {
        "cloud_vendor_id": "aws", "cloud_account_id": "123456789012", "cloud_region_id": "eu-central-1",
        "cloud_zone_id": "eu-central-1a", "cloud_instance_type": "m7i.large", "cloud_spot": True}
    assert facts["host_vcpus"] == os.cpu_count() and facts["host_hostname"] == os.uname().nodename
    assert facts["host_memory_mib"] > 0


def test_feeds_have_it_as_well_and_no_process_of_the_run_is_added(cloud, tracker, tmp_path):
    record, feed = tmp_path / "run.jsonl", tmp_path / "feed.jsonl"
    done = recorded(cloud, "gcp", record, tracker, "--no-config", "--record", record, "--feed", feed, "--discover", "-i", "0.1s",
                    "sleep", "0.5")
    assert done.returncode == 0 and len(lines_of_cloud(record)) == len(lines_of_cloud(feed)) == 1
    assert "discover" not in {name for line in map(json.loads, record.read_text().splitlines()) if isinstance(line, dict)
                              for row in line.get("rows", {}).get("program", []) for name in [row["key"]]}


def test_a_run_without_an_answer_says_so(cloud, tracker, run, tmp_path):
    record = tmp_path / "run.jsonl"
    assert recorded(cloud, "nobody", record, tracker, "--no-config", "--record", record, "--discover", "true").returncode == 0
    assert lines_of_cloud(record)[0]["cloud"]["vendor"] is None


def test_without_the_program_the_run_goes_on(tracker, tmp_path):
    """A copy of the recorder alone, which asks nothing."""
    alone, record = tmp_path / "alone", tmp_path / "run.jsonl"
    alone.mkdir()
    shutil.copy2(tracker, alone)
    done = subprocess.run([alone / tracker.name, "--no-config", "--record", record, "--discover", "sh", "-c", "exit 4"], capture_output=True, text=True)
    assert done.returncode == 4 and "resource-tracker-discover is not installed" in " ".join(done.stderr.split())


def test_misuse_is_one_sentence(run):
    for words in ["discover", "x"], ["discover", "--jsn"], ["discover", "--root", "/no/such"]:
        done = run(*words)
        assert done.returncode == 125 and done.stdout == "" and done.stderr.startswith("resource-tracker discover: ")
