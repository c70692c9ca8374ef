"""test_upload.py - the record of a run into an object store when the run is over (--upload), and what can go wrong."""
import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess
import urllib.request

import pytest

from processes import files_below, state_of, wait_for
from receivers import Faulty, companion, faulty, free_port, packets_of, push_built, start  # noqa: F401
from stores import keys, store  # noqa: F401

SECRET = "secret/of+tests"
WAITS = "is not uploaded yet; resource-tracker push --spooled does it; "


def flat(text):
    return " ".join(text.split())


def waiting(tmp_path):
    """The names of the files that wait."""
    return sorted(p.name for p in files_below(tmp_path / "state/resource-tracker/upload"))


def stored(url, key):
    with urllib.request.urlopen(f"{url}/{key}") as answer:
        return gzip.decompress(answer.read())


def read_bytes(process):
    """What it has read so far; 0 once it is a zombie."""
    return int(pathlib.Path(f"/proc/{process.pid}/io").read_text().split()[1])


@pytest.fixture
def record(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.fixture
def job(run, record):
    """job(*words, **more): a short run with --upload."""
    def begin(*words, to="s3://runs/nightly", **more):
        return run("--no-config", "-i", "0.05", "--record", record, "--upload", to, *words, **more)
    return begin


@pytest.fixture(autouse=True)
def enough_drain(monkeypatch):
    """Unless a test says how long a run waits."""
    monkeypatch.setenv("RESOURCE_TRACKER_PUSH_DRAIN", "600s")


@pytest.fixture
def noted(tmp_path):
    """A command, but for its status, that ends once the upload is noted: a companion that has not begun is ended at once."""
    return "--", "sh", "-c", f'until [ -e {tmp_path}/state/resource-tracker/upload/*/about.json ]; do sleep .05; done; exit "$0"'


def test_the_record_is_there_when_the_run_is_over(job, store, keys, record, tmp_path):  # noqa: F811
    keys(store)
    done = job("--", "sh", "-c", "sleep .2; exit 3")
    assert done.returncode == 3 and "push:" not in done.stderr and "--upload" not in done.stderr
    assert stored(store, "runs/nightly/run.jsonl.gz") == record.read_bytes() and waiting(tmp_path) == []
    assert '"end"' in record.read_text().splitlines()[-1]


def test_the_default_place_and_a_config_file(run, store, keys, tmp_path):  # noqa: F811
    keys(store)
    (tmp_path / "config.toml").write_text('[push]\nupload = "s3://runs"\n')
    done = run("-c", tmp_path / "config.toml", "--", "true")
    record, = (tmp_path / "state/resource-tracker/runs").glob("*.jsonl")
    assert done.returncode == 0 and stored(store, f"runs/{record.name}.gz") == record.read_bytes()


def test_a_store_that_is_not_there(job, run, faulty, keys, record, noted, tmp_path):  # noqa: F811
    """The record waits in the spool, also when its file is gone, for the store that it was meant for."""
    port = free_port()
    keys(f"http://127.0.0.1:{port}", secret=SECRET)
    done = job("--push-drain", "0.2s", *noted, "3")
    assert done.returncode == 3 and f"run.jsonl {WAITS}s3://runs: " in flat(done.stderr)
    assert waiting(tmp_path) == ["about.json", "body.gz"]
    for path in (tmp_path / "state/resource-tracker/upload").rglob("*.*"):
        assert path.stat().st_mode & 0o777 == 0o600 and SECRET.encode() not in path.read_bytes()
    whole = record.read_bytes()
    record.unlink()
    done = run("push", "--spooled", "--drain", "0.1s")
    assert done.returncode == 1 and WAITS in done.stderr and waiting(tmp_path)
    keys(faulty.url, secret=SECRET)
    later = Faulty(port)
    try:
        done = run("push", "--spooled")
        assert (done.returncode, done.stderr) == (0, "") and waiting(tmp_path) == [] and not faulty.requests
        one, = later.requests
        assert one.path == "/runs/nightly/run.jsonl.gz" and gzip.decompress(one.body) == whole
    finally:
        later.close()


@pytest.mark.parametrize("fault", ["hang", "close", (503, {}, b""), (403, {}, b"<Error><Code>AccessDenied</Code></Error>")],
                         ids=["hangs", "closes", "503", "403"])
def test_a_store_that_fails(job, run, faulty, keys, noted, tmp_path, fault):  # noqa: F811
    keys(faulty.url)
    faulty.answer = lambda number: fault
    done = job("--push-drain", "0.2s", *noted, "0")
    assert done.returncode == 0 and f"{WAITS}s3://runs: " in flat(done.stderr) and len(waiting(tmp_path)) == 2
    faulty.answer = lambda number: (200, {}, b"")
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and waiting(tmp_path) == []
    assert faulty.requests[-1].body == faulty.requests[0].body


def test_without_keys(job, run, faulty, keys, record, tmp_path):  # noqa: F811
    keys(faulty.url, "", "")
    done = job("--", "sh", "-c", "exit 3")
    assert done.returncode == 3 and not faulty.requests
    assert f"{WAITS}there are no keys to the store: set AWS_ACCESS_KEY_ID" in flat(done.stderr)
    assert done.stderr.count("resource-tracker push:") == 1
    keys(faulty.url)
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and gzip.decompress(faulty.requests[0].body) == record.read_bytes()


def test_without_a_region(job, keys, tmp_path):  # noqa: F811
    keys("")
    done = job("--", "sh", "-c", "exit 3")
    assert done.returncode == 3 and "the record is not uploaded: s3://runs: in which region? Set AWS_REGION" in flat(done.stderr)
    assert waiting(tmp_path) == []


def test_a_record_that_cannot_be_read(job, faulty, keys, record, tmp_path):  # noqa: F811
    keys(faulty.url)
    done = job("--", "sh", "-c", f"until rm {record} 2>/dev/null; do sleep .01; done")
    assert done.returncode == 0 and f"the record is not uploaded: cannot open {record}: No such file" in flat(done.stderr)
    assert waiting(tmp_path) == [] and not faulty.requests


def test_the_companion_is_killed(start, run, store, keys, record, tmp_path):  # noqa: F811
    keys(store)
    stop = tmp_path / "stop"
    process = start("--no-config", "-i", "0.05", "--record", record, "--upload", "s3://runs", "--",
                    "sh", "-c", f"while [ ! -e {stop} ]; do sleep .01; done; exit 3")
    wait_for(lambda: waiting(tmp_path) == ["about.json"], "it has not noted the upload")
    pid = companion(process)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: state_of(pid) is None, "it is reaped while the job goes on")
    stop.touch()
    stderr = flat(process.communicate()[1])
    assert process.returncode == 3
    assert "--upload: resource-tracker-push was ended by signal 9; what is left is uploaded by: resource-tracker push --spooled" in stderr
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and waiting(tmp_path) == []
    assert stored(store, "runs/run.jsonl.gz") == record.read_bytes()


def test_the_companion_is_killed_while_it_uploads(start, run, faulty, keys, record, tmp_path):  # noqa: F811
    """Before that nothing else takes its record; then push --spooled does."""
    keys(faulty.url)
    process = start("--no-config", "--record", record, "--upload", "s3://runs", "--", "sleep", "100")
    wait_for(lambda: waiting(tmp_path) == ["about.json"], "it has not noted the upload")
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and not faulty.requests
    pid = companion(process)
    faulty.answer = lambda number: os.kill(pid, signal.SIGKILL) or "close"
    process.terminate()
    assert "resource-tracker-push was ended by signal 9" in flat(process.communicate()[1]) and len(waiting(tmp_path)) == 2
    faulty.answer = lambda number: (200, {}, b"")
    done = run("push", "--spooled")
    assert (done.returncode, done.stderr) == (0, "") and waiting(tmp_path) == []
    assert gzip.decompress(faulty.requests[-1].body) == record.read_bytes()


def test_the_recorder_is_killed(start, store, keys, record, tmp_path):  # noqa: F811
    """What there is of the record is uploaded."""
    keys(store)
    process = start("--no-config", "-i", "0.05", "--record", record, "--upload", "s3://runs", "--", "sleep", "100")
    wait_for(lambda: waiting(tmp_path) == ["about.json"] and record.exists() and record.read_text().count('["r"') > 2, "no rows")
    process.kill()
    process.wait()
    wait_for(lambda: (tmp_path / "store/runs/run.jsonl.gz._S3rver_object").exists() and waiting(tmp_path) == [], "nothing is uploaded")
    assert stored(store, "runs/run.jsonl.gz") == record.read_bytes()


def test_the_recorder_is_slow_to_die(start, store, keys, record, tmp_path):  # noqa: F811
    """A killed recorder's pipe closes before its process is gone.  Regression: the record was left in the spool."""
    keys(store)
    recorder = start("--no-config", "-i", "0.05", "--record", record, "--upload", "s3://runs", "--", "sleep", "100")
    wait_for(lambda: waiting(tmp_path) == ["about.json"] and record.exists() and record.read_text().count('["r"') > 2, "no rows")
    recorder.send_signal(signal.SIGSTOP)
    pid = companion(recorder)
    words = pathlib.Path(f"/proc/{pid}/cmdline").read_text().split("\0")[:-1]
    program = os.readlink(f"/proc/{pid}/exe")
    second = subprocess.Popen(words, executable=program, cwd=f"/proc/{pid}/cwd", stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: len(waiting(tmp_path)) == 2 or second.poll() is not None, "it has not noted the upload")
    before = read_bytes(second)
    wait_for(lambda: second.poll() is not None or read_bytes(second) > before + record.stat().st_size, "it does not read the record")
    recorder.kill()
    recorder.wait()
    assert second.communicate()[1] == ""
    assert stored(store, "runs/run.jsonl.gz") == record.read_bytes()


def test_sigterm_of_all_processes(start, store, keys, record, tmp_path):  # noqa: F811
    """As by a service manager: the companion stays until the record is finished."""
    keys(store)
    process = start("--no-config", "-i", "0.05", "--record", record, "--upload", "s3://runs", "--", "sleep", "100")
    wait_for(lambda: waiting(tmp_path) == ["about.json"], "it has not noted the upload")
    os.kill(companion(process), signal.SIGTERM)
    process.terminate()
    assert "push:" not in process.communicate()[1]
    assert stored(store, "runs/run.jsonl.gz") == record.read_bytes() and '"end"' in record.read_text()


def test_in_the_background(run, store, keys, record, tmp_path):  # noqa: F811
    keys(store)
    done = run("--no-config", "--detach", "-i", "0.05", "--record", record, "--upload", "s3://runs", "-p", os.getpid())
    assert done.returncode == 0, done.stderr
    pid = json.loads(done.stdout)["pid"]
    wait_for(lambda: waiting(tmp_path) == ["about.json"] and record.read_text().count('["r"') > 2, "no rows")
    os.kill(pid, signal.SIGTERM)
    wait_for(lambda: state_of(pid) is None, "it goes on")
    assert stored(store, "runs/run.jsonl.gz") == record.read_bytes() and '"end"' in record.read_text() and waiting(tmp_path) == []


def test_a_run_without_a_record(job, run, faulty, keys, record, tmp_path):  # noqa: F811
    keys(faulty.url)
    done = run("--no-config", "--record", "none", "--upload", "s3://runs", "--", "sh", "-c", "exit 3")
    assert done.returncode == 3 and "--upload: nothing is uploaded, because the run has no record" in flat(done.stderr)
    done = job("--", tmp_path / "no-such-program")
    assert done.returncode == 127 and done.stderr.count("\n") == 1
    assert not faulty.requests and waiting(tmp_path) == []


def test_quiet(job, faulty, keys, noted, tmp_path):  # noqa: F811
    keys(faulty.url)
    faulty.answer = lambda number: "close"
    done = job("-q", "--push-drain", "0.1s", *noted, "0")
    assert (done.returncode, done.stderr) == (0, "") and len(waiting(tmp_path)) == 2


def test_without_the_companion_the_job_runs(tracker, run, tmp_path):
    alone = shutil.copy(tracker, tmp_path / "resource-tracker")
    done = run("--no-config", "--record", tmp_path / "run.jsonl", "--upload", "s3://runs", "echo", "done", program=alone)
    assert done.returncode == 0 and done.stdout == "done\n" and "--upload: nothing is sent, because" in flat(done.stderr)


@pytest.mark.parametrize("to, sentence", [("runs", "'runs' is not s3://BUCKET/PREFIX"), ("s3://", "a bucket has 3 to 63"),
                                          ("http://runs", "is not s3://BUCKET/PREFIX")])
def test_not_a_bucket(job, to, sentence):
    done = job("true", to=to)
    assert done.returncode == 125 and sentence in done.stderr and done.stderr.count("\n") == 1


def test_the_spool_is_bounded(job, tracker, keys, record, noted, tmp_path):  # noqa: F811
    """Beyond its limit the oldest records are given up, by name."""
    keys(f"http://127.0.0.1:{free_port()}")
    assert job("-q", "--push-drain", "0.1s", *noted, "0").returncode == 0
    size = next((tmp_path / "state/resource-tracker/upload").rglob("body.gz")).stat().st_size

    def upload(most):
        done = subprocess.run([tracker.with_name("resource-tracker-push"), "--upload", record, "--to", "s3://runs", "--drain", "0.1s",
                               "--spool-bytes", str(most)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 0 and WAITS in done.stderr
        return done.stderr
    assert "given up" not in upload(2 * size) and waiting(tmp_path) == ["about.json", "about.json", "body.gz", "body.gz"]
    assert f"the upload of {record} is given up: too many records wait" in upload(2 * size)
    assert waiting(tmp_path) == ["about.json", "about.json", "body.gz", "body.gz"]
    # One that is too large by itself waits where it is.
    assert "given up" not in upload(size - 1) and waiting(tmp_path).count("body.gz") == 2 and waiting(tmp_path).count("about.json") == 3


def test_a_spool_that_cannot_be_written(job, faulty, keys, tmp_path):  # noqa: F811
    keys(faulty.url)
    (tmp_path / "state/resource-tracker").mkdir(parents=True)
    (tmp_path / "state/resource-tracker/upload").write_text("a file")
    done = job("--", "true")
    assert done.returncode == 0 and "push:" not in done.stderr and len(faulty.requests) == 1
    faulty.answer = lambda number: (403, {}, b"")
    done = job("--", "true")
    assert done.returncode == 0 and "is not uploaded, and cannot wait in the spool; s3://runs: " in flat(done.stderr)


def test_the_secret_is_in_no_words(start, faulty, keys, record, tmp_path):  # noqa: F811
    keys(faulty.url, secret=SECRET)
    process = start("--no-config", "--record", record, "--upload", "s3://runs", "--", "sleep", "100")
    words = open(f"/proc/{companion(process)}/cmdline", "rb").read()
    wait_for(lambda: waiting(tmp_path) == ["about.json"], "it has not noted the upload")
    process.terminate()
    stderr = process.communicate()[1]
    assert SECRET.encode() not in words and SECRET not in stderr and SECRET.encode() not in record.read_bytes()
    assert json.loads(record.read_text().splitlines()[0])["id"] and len(faulty.requests) == 1


def test_packets_leave_with_the_option_alone(tracker, keys, noted, tmp_path):  # noqa: F811
    keys(f"http://127.0.0.1:{free_port()}")
    words = tracker, "--no-config", "--record", tmp_path / "run.jsonl", "--push-drain", "2s"
    assert packets_of(*words, "true") == 0 and packets_of(*words, "--upload", "s3://runs", *noted, "0") > 0
