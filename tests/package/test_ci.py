"""test_ci.py - the recipes for CI: their steps run as a runner runs them, with its variables and files."""
import http.server
import os
import pathlib
import re
import subprocess
import threading
import urllib.parse

import pytest
import yaml

from conftest import NATIVE, PACKAGES, ROOT, VERSION, archive_of, unpack

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
CI = ROOT / "examples/ci"
TEMPLATE = yaml.safe_load((CI / "resource-tracker.gitlab-ci.yml").read_text())[".recorded"]
SMALL, LARGE = "/usr/bin/true", "/usr/bin/python3 -c 'bytearray(200 << 20)'"


# ---- GitHub ------------------------------------------------------------------------------------------------------

class Runner:
    """What a runner does for a composite action: expressions, the files of commands, the order of steps."""

    def __init__(self, folder, inputs):
        self.folder, self.outputs, self.status, self.log, self.ran = folder, {}, 0, "", []
        assert set(inputs) <= set(ACTION["inputs"])
        self.inputs = {name: inputs.get(name, one.get("default", "")) for name, one in ACTION["inputs"].items()}
        (folder / "temp").mkdir()
        self.files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_ENV")}
        for path in self.files.values():
            path.touch()
        for step in ACTION["runs"]["steps"]:
            if self.is_wanted(step.get("if", "success()")):
                self.run(step)

    def value(self, name):
        kind, *path = name.split(".")
        return self.inputs[path[0]] if kind == "inputs" else self.outputs.get((path[0], path[2]), "")

    def filled(self, text):
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: self.value(found[1]), text)

    def is_wanted(self, condition):
        """`a && b` of always(), success() and NAME != ''; without always() a step follows success alone."""
        parts = condition.split(" && ")
        known = {"always()": True, "success()": self.status == 0}
        wanted = [known[part] if part in known else self.value(re.fullmatch(r"([\w.-]+) != ''", part)[1]) != "" for part in parts]
        return all(wanted) and ("always()" in parts or self.status == 0)

    def run(self, step):
        self.ran.append(step["name"])
        if "uses" in step:
            self.kept = {name: self.filled(value) if isinstance(value, str) else value for name, value in step["with"].items()}
            return
        assert step["shell"] == "bash"
        script = self.folder / "temp/script.sh"
        script.write_text(step["run"])
        path = ":".join([*reversed(self.files["GITHUB_PATH"].read_text().splitlines()), "/usr/bin", "/bin"])
        self.files["GITHUB_OUTPUT"].write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=self.folder, capture_output=True, text=True,
            env={"PATH": path, "HOME": str(self.folder), "RUNNER_TEMP": str(self.folder / "temp"), "GITHUB_ACTIONS": "true",
                 "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_RUN_ID": "77", "CI": "true",
                 **{name: str(path) for name, path in self.files.items()},
                 **{name: self.filled(value) for name, value in step.get("env", {}).items()}})
        self.log += done.stdout + done.stderr
        self.status = self.status or done.returncode
        for line in self.files["GITHUB_OUTPUT"].read_text().splitlines():
            name, _, value = line.partition("=")
            self.outputs[step["id"], name] = value

    @property
    def page(self):
        return self.files["GITHUB_STEP_SUMMARY"].read_text()


@pytest.fixture
def act(tmp_path):
    """act(**inputs): the action's steps have run, with the archives of this build as the release."""
    count = iter(range(100))

    def start(**inputs):
        folder = tmp_path / f"run {next(count)}"
        folder.mkdir()
        return Runner(folder, {"from": str(PACKAGES / "archive")} | {name.replace("_", "-"): value for name, value in inputs.items()})
    return start


def test_a_step_is_recorded(act):
    done = act(name="build", run="echo one\necho two | tee made")
    assert done.status == 0 and done.ran == ["Install", "Record", "Keep"], done.log
    assert (done.folder / "made").read_text() == "two\n"
    record, report = map(pathlib.Path, done.kept["path"].split("\n")[:2])
    assert record.name == "build.jsonl" and '"77"' in record.read_text().splitlines()[0] and done.kept["name"] == "build"
    assert report.exists() == bool(os.environ.get("PAGE"))
    assert "CPU time" in done.page and "build" in done.page


def test_the_status_and_the_record_of_a_step_that_fails(act):
    done = act(run="echo begun\nfalse | cat\necho not reached", baseline="none")
    assert done.status == 1 and "begun" in done.log and "not reached" not in done.log
    assert done.ran == ["Install", "Record", "Keep"] and "CPU time" in done.page
    assert pathlib.Path(done.kept["path"].split("\n")[0]).exists()


def test_without_a_baseline_nothing_is_compared(act):
    done = act(run=SMALL, baseline="none.jsonl", fail_on="peak_memory>+10%")
    assert done.status == 0 and "there is no baseline none.jsonl yet" in done.log


def test_a_step_that_uses_more_fails(act):
    first = act(run=LARGE)
    record = first.outputs["record", "record"]
    conditions = "peak_memory>+50%\n\ndisk_read>+1000%\n"
    less = act(run=SMALL, baseline=record, fail_on=conditions)
    assert less.status == 0 and less.ran == ["Install", "Record", "Compare", "Keep"] and "| " in less.page, less.log
    more = act(run=LARGE, baseline=less.outputs["record", "record"], fail_on=conditions)
    assert more.status == 1 and more.ran[-1] == "Keep" and "peak_memory>+50%" in more.page + more.log
    assert act(run=LARGE, baseline=less.outputs["record", "record"]).status == 0


def test_a_release_with_another_checksum(act):
    done = act(run=SMALL, sha256="0" * 64)
    assert done.status == 1 and done.ran == ["Install"] and "does not have the checksum" in done.log


def test_the_example_for_github():
    """It is the one that the documentation shows, and has only inputs that there are."""
    text = (CI / "github.yml").read_text()
    assert text.split("\n", 1)[1] in (ROOT / "docs/howto/github-actions.md").read_text()
    step = yaml.safe_load(text)["jobs"]["test"]["steps"][-1]
    assert set(step["with"]) <= set(ACTION["inputs"]) and "run" in step["with"]
    assert step["uses"].endswith(f"@v{VERSION}") and VERSION in step["with"]["from"]


# ---- GitLab ------------------------------------------------------------------------------------------------------

class Artifacts(http.server.BaseHTTPRequestHandler):
    """The artifacts of the last successful job, as GitLab's API gives them."""

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        self.server.asked.append((address.path, urllib.parse.parse_qs(address.query), self.headers["JOB-TOKEN"]))
        found = self.server.baseline
        self.send_response(200 if found else 404)
        self.end_headers()
        self.wfile.write(found or b"")

    def log_message(self, *_):
        pass


@pytest.fixture
def gitlab():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Artifacts) as server:
        server.asked, server.baseline = [], b""
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return unpack(archive_of(NATIVE), tmp_path_factory.mktemp("programs")) / "bin"


@pytest.fixture(params=["sh", "bash"])
def job(request, gitlab, programs, tmp_path):
    """job(**variables): (status, log, folder) of a job that extends the template; sh and bash are the runner's shells."""
    count = iter(range(100))

    def start(**variables):
        folder = tmp_path / f"job {next(count)}"
        folder.mkdir()
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(folder), "CI_JOB_NAME": "unit tests", "CI_JOB_ID": "9",
                       "CI_JOB_TOKEN": "a token", "CI_DEFAULT_BRANCH": "main", "CI_PROJECT_ID": "5", "GITLAB_CI": "true",
                       "CI_API_V4_URL": f"http://127.0.0.1:{gitlab.server_port}/api/v4", **TEMPLATE["variables"], **variables}
        done = [subprocess.run([request.param, "-c", "set -e\n" + "\n".join(TEMPLATE[part])], cwd=folder, env=environment,
                               capture_output=True, text=True) for part in ("script", "after_script")]
        assert done[1].returncode == 0, done[1].stderr
        return done[0].returncode, done[0].stdout + done[0].stderr, folder
    return start


def test_a_job_of_gitlab(job, gitlab):
    status, log, folder = job(COMMANDS="echo one\necho two > made", FAIL_ON="peak_memory>+50%")
    assert status == 0 and "There is no baseline yet" in log and "exit 0 after" in log, log
    assert gitlab.asked == [("/api/v4/projects/5/jobs/artifacts/main/raw/run.jsonl", {"job": ["unit tests"]}, "a token")]
    assert (folder / "made").exists() and "CPU time" in (folder / "summary.md").read_text()
    assert (folder / "report.html").exists() == bool(os.environ.get("PAGE"))


def test_a_job_of_gitlab_that_fails(job):
    status, _, folder = job(COMMANDS="false\ntouch made")
    assert status == 1 and not (folder / "made").exists() and (folder / "run.jsonl").exists()
    assert job()[0] == 1                        # COMMANDS was forgotten


def test_a_job_of_gitlab_that_uses_more_fails(job, gitlab):
    small, large = job(COMMANDS=SMALL)[2], job(COMMANDS=LARGE)[2]
    gitlab.baseline = (large / "run.jsonl").read_bytes()
    status, log, folder = job(COMMANDS=SMALL, FAIL_ON="peak_memory>+50%\n")
    assert status == 0 and (folder / "comparison.md").exists(), log
    gitlab.baseline = (small / "run.jsonl").read_bytes()
    status, log, _ = job(COMMANDS=LARGE, FAIL_ON="peak_memory>+50%\n")
    assert status == 1 and "peak_memory>+50%" in log


def test_the_example_for_gitlab():
    text = (CI / "gitlab.yml").read_text()
    assert text.split("\n", 1)[1] in (ROOT / "docs/howto/gitlab-ci.md").read_text()
    example = yaml.safe_load(text)
    assert (CI / pathlib.Path(example["include"][0]["local"]).name).exists()
    assert example["test"]["extends"] == ".recorded" and set(example["test"]["variables"]) == set(TEMPLATE["variables"])
