"""test_image.py - the image: an OCI archive, read as its specification says, and started by bwrap in place of a container's runtime."""
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile

import pytest

from conftest import NATIVE, PACKAGES, PRESETS, ROOT
from image import PLATFORMS
from screen import Screen

MOST_BYTES = 5 << 20            # of one architecture, as it is fetched
PLATFORM = PLATFORMS[NATIVE]


def make(path):
    subprocess.run([sys.executable, ROOT / "packaging/image.py", PACKAGES / "archive", path], check=True, stdout=subprocess.DEVNULL)
    return path


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    return make(tmp_path_factory.mktemp("image") / "image.tar")


@pytest.fixture(scope="module")
def blobs(image):
    """{name: bytes} of the archive."""
    with tarfile.open(image) as file:
        return {entry.name: file.extractfile(entry).read() for entry in file if entry.isfile()}


def blob(blobs, descriptor):
    """What a descriptor names, checked by its size and digest."""
    kind, _, digest = descriptor["digest"].partition(":")
    data = blobs[f"blobs/{kind}/{digest}"]
    assert len(data) == descriptor["size"] and hashlib.sha256(data).hexdigest() == digest
    return data


def json_of(blobs, descriptor, kind):
    assert descriptor["mediaType"] == f"application/vnd.oci.image.{kind}+json"
    return json.loads(blob(blobs, descriptor))


@pytest.fixture(scope="module")
def manifests(blobs):
    """{architecture: manifest}, by the way of a loader: oci-layout, index.json, the index of platforms."""
    assert json.loads(blobs["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}
    named, = json.loads(blobs["index.json"])["manifests"]
    index = json_of(blobs, named, "index.v1")
    assert all(entry["platform"]["os"] == "linux" for entry in index["manifests"])
    return {entry["platform"]["architecture"]: json_of(blobs, entry, "manifest.v1") for entry in index["manifests"]}


def test_each_architecture_is_small_and_whole(blobs, manifests):
    assert set(manifests) == {PLATFORMS[name] for name in PRESETS}
    used = set()
    for architecture, manifest in manifests.items():
        config = json_of(blobs, manifest["config"], "config.v1")
        layer, = manifest["layers"]
        assert layer["mediaType"] == "application/vnd.oci.image.layer.v1.tar+gzip"
        unpacked = gzip.decompress(blob(blobs, layer))
        assert config["rootfs"]["diff_ids"] == [f"sha256:{hashlib.sha256(unpacked).hexdigest()}"]
        assert (config["architecture"], config["os"]) == (architecture, "linux")
        assert layer["size"] + manifest["config"]["size"] < MOST_BYTES
        used |= {layer["digest"], manifest["config"]["digest"]}
    assert len(used) == 2 * len(manifests)


@pytest.fixture
def container(blobs, manifests, bare, tmp_path):
    """container(words, option...): the words of a container of the image, with its user, environment and folder."""
    manifest = manifests[PLATFORM]
    config = json.loads(blob(blobs, manifest["config"]))["config"]
    layer = tmp_path / "layer"
    layer.write_bytes(gzip.decompress(blob(blobs, manifest["layers"][0])))
    with tarfile.open(layer) as file:
        file.extractall(tmp_path / "root")
    records = tmp_path / "records"
    records.mkdir()
    uid, gid = config["User"].split(":")
    assert uid != "0" and gid != "0"
    variables = [word for pair in config["Env"] for word in ("--setenv", *pair.split("=", 1))]
    binds = {f"/{path.name}": path for path in (tmp_path / "root").iterdir() if path.name != "tmp" and path.name != "records"}

    def words_of(words, *more):
        return bare({**binds, "/home": records}, [*config["Entrypoint"], *words],
                    options=["--unsetenv", "HOME", "--bind", str(records), "/records", "--uid", uid, "--gid", gid, *variables,
                             "--chdir", config["WorkingDir"], *more])
    return words_of


def run(words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_its_start(container, tmp_path):
    assert "Usage: resource-tracker" in run(container(["--help"])).stdout
    itself = "/usr/local/bin/resource-tracker"
    done = run(container(["-i", "0.1", "--", itself, "--quiet", "--record", "none", "--duration", "0.3", "-o", "/dev/null"]))
    assert done.returncode == 0 and "exit 0 after" in done.stderr, done.stderr
    record, = (tmp_path / "records").rglob("*.jsonl")
    assert record.stat().st_size > 0
    done = run(container(["summary", "last"]))
    assert done.returncode == 0 and "exit 0 after" in done.stdout, done.stderr
    assert run(container(["--quiet", "--", itself, "--nonsense"])).returncode == 125


def test_top(container):
    itself = "/usr/local/bin/resource-tracker"
    options = ["--quiet", "--record", "none", "--samples", "2", "-o", "/dev/null"]
    with Screen(container(["top", "--", itself, *options], "--setenv", "TERM", "xterm-256color")) as view:
        view.shows("ended, status 0")
        view.type("q")
        assert view.process.wait() == 0


def test_its_programs(container, tmp_path):
    members = {path.name for path in (tmp_path / "root").rglob("*") if path.is_file() and os.access(path, os.X_OK)}
    assert members == {"resource-tracker", "resource-tracker-analysis", "resource-tracker-top"}


def test_what_it_lacks_is_said(container):
    """It has no libcurl: a run is as without --push, with a note, and the command is a sentence."""
    itself = "/usr/local/bin/resource-tracker"
    done = run(container(["--push", "influx=http://127.0.0.1:9", "--", itself, "--version"]))
    assert done.returncode == 0 and "--push: nothing is sent, because" in done.stderr, done.stderr
    for word in ("push", "discover", "fleet"):
        done = run(container([word]))
        assert done.returncode == 125 and f"'{word}' is not installed (" in done.stderr, done.stderr


def test_the_same_archives_give_the_same_bytes(image, tmp_path):
    assert make(tmp_path / "again.tar").read_bytes() == image.read_bytes()


def test_another_reader(image, manifests, tmp_path):
    if not shutil.which("skopeo"):
        pytest.skip("skopeo is missing: apt-get install skopeo")
    done = run(["skopeo", "inspect", "--override-arch", PLATFORM, "--override-os", "linux", f"oci-archive:{image}"])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["Architecture"] == PLATFORM
    done = run(["skopeo", "copy", "--insecure-policy", "--all", f"oci-archive:{image}", f"dir:{tmp_path}/copy"])
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "copy").glob("*.manifest.json"))) == len(manifests)


def test_no_archives(tmp_path):
    done = run([sys.executable, ROOT / "packaging/image.py", tmp_path, tmp_path / "image.tar"])
    assert done.returncode == 1 and "make archive" in done.stderr and not (tmp_path / "image.tar").exists()
