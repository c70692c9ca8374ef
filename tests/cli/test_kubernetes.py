"""test_kubernetes.py - examples/kubernetes: the manifests, and what their containers run, without a cluster."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from processes import wait_for

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANIFESTS = {path.stem: path for path in (ROOT / "examples/kubernetes").glob("*.yaml")}
MODULES = os.environ.get("KUBERNETES_MODULES")
MOST_OF_A_MESSAGE = 4096                # what the kubelet keeps of it
# What the kubelet gives to the second pod of a Job.
POD = {"metadata.labels['batch.kubernetes.io/job-name']": "train", "metadata.name": "train-1-x8k2v", "spec.nodeName": "worker-3"}
KUBELET = {"KUBERNETES_SERVICE_HOST": "10.96.0.1", "JOB_COMPLETION_INDEX": "1"}


def manifest(name):
    return yaml.safe_load(MANIFESTS[name].read_text())


def container(name, which):
    found = manifest(name)["spec"]
    return next(each for each in found.get("template", {"spec": found})["spec"]["containers"] if each["name"] == which)


def variables(described):
    return {**KUBELET, **{each["name"]: POD[each["valueFrom"]["fieldRef"]["fieldPath"]] for each in described["env"]}}


def validate(what):
    if not MODULES or not pathlib.Path(MODULES, "kubernetes-models").exists():
        pytest.skip("the schemas of Kubernetes were not fetched: that needs node, npm and its registry")
    return subprocess.run(["node", ROOT / "tests/kubernetes/validate.mjs", MODULES], input=json.dumps(what), text=True, capture_output=True)


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_keeps_to_the_schema(name):
    done = validate(manifest(name))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_manifest_is_seen():
    wrong = manifest("sidecar")
    wrong["spec"]["shareProcessNamespace"] = "yes"
    done = validate(wrong)
    assert done.returncode == 1 and "shareProcessNamespace must be boolean" in done.stdout, done.stderr


def test_the_page_shows_both():
    page = (ROOT / "docs/howto/kubernetes.md").read_text()
    assert set(re.findall(r"examples/kubernetes/(\w+)\.yaml\)", page)) == set(MANIFESTS) == {"job", "sidecar"}


@pytest.fixture
def image(tracker, tmp_path, monkeypatch):
    """The places and programs of the images: the recorder and python on PATH, the program in the working folder."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python").symlink_to(sys.executable)
    (tmp_path / "records").mkdir()
    monkeypatch.setenv("PATH", f"{programs}:{tracker.parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def words_of(described, image):
    """The words of a container, with the folders of the test in place of its own."""
    words = [*described["command"], *described.get("args", [])]
    return [word.replace("/records/", f"{image}/records/").replace("/dev/termination-log", f"{image}/message") for word in words]


@pytest.mark.parametrize("status", [0, 7])
def test_a_job(image, run, status):
    described = container("job", "train")
    (image / "train.py").write_text(f"import sys\nkept = bytearray(b'x') * (50 << 20)\nsys.exit({status})\n")
    done = subprocess.run(words_of(described, image), env={**os.environ, **variables(described)}, capture_output=True, text=True)
    assert done.returncode == status and done.stdout == done.stderr == ""
    message = (image / "message").read_text()
    assert re.fullmatch(rf"{'failed' if status else 'ok'} after \S+, CPU \S+, peak memory [\d.]+ MiB\n", message), message

    header = json.loads((image / "records/train-1.jsonl").read_text().splitlines()[0])
    assert header["job"] == {"scheduler": "kubernetes", "id": "train", "array_task": 1, "step": POD["metadata.name"], "node": "worker-3"}
    listed = run("summary", "--directory", image / "records", "--job", "train*", "--json").stdout
    assert json.loads(listed)["exit_code"] == status


def test_the_summary_is_short_enough_for_a_message(image):
    """The sidecar's, in full: the kubelet cuts what is longer."""
    (image / "train.py").write_text("".join(f"region = {i}\n" for i in range(50)))
    subprocess.run(["resource-tracker", "--summary-file", "message", "-i", "0.1", "--", "python", "train.py"], check=True)
    assert 500 < (image / "message").stat().st_size < MOST_OF_A_MESSAGE


def test_a_sidecar(image, namespace):
    """It finds the program that another container of the pod starts, measures it and its children, and ends with it."""
    if not shutil.which("pgrep"):
        pytest.skip("pgrep is missing: apt-get install procps")
    described = container("sidecar", "recorder")
    assert manifest("sidecar")["spec"]["shareProcessNamespace"] is True
    # After the recorder has its first sample, 0.6 s of CPU time in all.
    (image / "train.py").write_text("""
import glob, subprocess, sys, time
def is_recorded():
    return any('["r"' in open(path).read() for path in glob.glob("records/*"))
while not is_recorded(): time.sleep(0.02)
begin = time.process_time()
while time.process_time() - begin < 0.3: pass
subprocess.run([sys.executable, "-I", "-c", "import time\\nwhile time.process_time() < 0.3: pass"], check=True)
""")
    (image / "sidecar.json").write_text(json.dumps(words_of(described, image)))
    # Both are children of the namespace's first process, as they are of none there.
    pod = ("import json, subprocess\n"
           "both = [subprocess.Popen(words) for words in (json.load(open('sidecar.json')), ['python', 'train.py'])]\n"
           "print([each.wait() for each in both])")
    done = subprocess.run([*namespace, sys.executable, "-I", "-c", pod], env={**os.environ, **variables(described)},
                          capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "[0, 0]\n", done.stderr
    record, = (image / "records").iterdir()
    end = json.loads(record.read_text().splitlines()[-1])["end"]
    upper, lower = (end["statistics"][f"process.cpu_{bound}_seconds"][2] for bound in ("upper", "lower"))
    assert end["status"] == "roots_ended" and upper >= 0.59 and lower >= 0.29

def test_a_sidecar_does_not_show_its_own_limits(tracker, tmp_path):
    """Version 1 of control groups: each container's mount begins at its own group, and paths are the node's."""
    memory = pathlib.Path("/sys/fs/cgroup/memory")
    if os.getuid() != 0 or not (memory / "memory.limit_in_bytes").exists():
        pytest.skip("needs root and the memory controller of version 1")
    pod = memory / f"pod-{os.getpid()}"
    groups = {name: pod / name for name in ("train", "recorder")}
    script = f"""echo $$ >{groups["recorder"]}/cgroup.procs && mount --bind {groups["recorder"]} {memory} &&
        exec {tracker} --record none --samples 1 -i 0.1 -f json -o - "$@\""""
    program = subprocess.Popen(["sleep", "infinity"])
    try:
        for number, group in enumerate(groups.values(), 1):
            group.mkdir(parents=True)
            (group / "memory.limit_in_bytes").write_text(str(number << 30))
        (groups["train"] / "cgroup.procs").write_text(str(program.pid))
        shown = []
        for words in ([], ["--pid", str(program.pid)]):           # itself, and the other container's
            done = subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", *words],
                                  capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            shown.append(json.loads(done.stdout.splitlines()[0]))
    finally:
        program.kill()
        program.wait()
        for group in (*groups.values(), pod):
            wait_for(lambda path=group: not path.exists() or not (path / "cgroup.procs").read_text(), "a process is in the group")
            group.rmdir()
    own, other = (each["cgroup"] for each in shown)
    assert own["memory_limit_bytes"] == own["memory_available_bytes"] == 2 << 30 and own["memory_current_bytes"] > 0
    assert other["memory_available_bytes"] is other["memory_limit_bytes"] is other["memory_current_bytes"] is other["memory_peak_bytes"] is None
