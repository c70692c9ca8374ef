"""test_job.py - the job of a scheduler: in the record, in reports, and as the name of its runs."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import jsonschema
import pytest
import yaml

ROOT = pathlib.Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/reference/record.schema.json").read_text())
DOCS = (ROOT / "docs/reference/record-format.md").read_text()
TABLE = (ROOT / "src/core/job.def").read_text().rpartition("#endif")[2]
VARIABLES = set(re.findall(r'JOB_VALUE\(\w+, \w+, "(\w+)"\)', TABLE))
NEEDED = set(re.findall(r'JOB_(?:SCHEDULER|LAUNCHER)\(\w+, "(\w+)"\)', TABLE))
KEYS = re.findall(r"JOB_(?:TEXT|NUMBER|AMOUNT)\((\w+), ", TABLE)
STRANGER = 65534

SLURM = {"SLURM_JOB_ID": "1235", "SLURM_STEP_ID": "0", "SLURM_PROCID": "3", "SLURM_NTASKS": "8", "SLURM_LOCALID": "1",
         "SLURMD_NODENAME": "n2", "SLURM_NODEID": "1"}
ENVIRONMENTS = [
    (SLURM, {"scheduler": "slurm", "id": "1235", "step": "0", "launcher": "slurm", "rank": 3, "size": 8, "local_rank": 1,
             "node": "n2", "node_number": 1}),
    ({**SLURM, "SLURM_JOB_NUM_NODES": "2", "SLURM_NNODES": "1", "SLURM_CPUS_ON_NODE": "16", "SLURM_CPUS_PER_TASK": "4",
      "SLURM_MEM_PER_NODE": "524288", "SLURM_JOB_START_TIME": "1764000000", "SLURM_JOB_END_TIME": "9007199254740994",
      "SLURM_RESTART_COUNT": "1"},
     {"scheduler": "slurm", "id": "1235", "step": "0", "launcher": "slurm", "rank": 3, "size": 8, "local_rank": 1, "node": "n2",
      "node_number": 1, "nodes": 2, "node_cpus": 16, "rank_cpus": 4, "node_memory_bytes": 549755813888,
      "start_unix_seconds": 1764000000, "restarts": 1}),
    ({"SLURM_JOB_ID": "9", "SLURM_MEM_PER_CPU": "1500", "SLURM_MEM_PER_NODE": "0", "SLURM_RESTART_COUNT": "0",
      "SLURM_JOB_END_TIME": "1764003600"},
     {"scheduler": "slurm", "id": "9", "cpu_memory_bytes": 1572864000, "limit_unix_seconds": 1764003600}),
    ({"SLURM_JOB_ID": "9", "SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "0"},
     {"scheduler": "slurm", "id": "9", "array_id": "7", "array_task": 0}),
    ({"PBS_JOBID": "1230[7].head", "PBS_ARRAY_INDEX": "7"}, {"scheduler": "pbs", "id": "1230[7].head", "array_task": 7}),
    ({"LSB_JOBID": "77", "LSB_JOBINDEX": "0"}, {"scheduler": "lsf", "id": "77"}),
    ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2", "PMIX_NAMESPACE": "345", "OMPI_COMM_WORLD_LOCAL_RANK": "0"},
     {"scheduler": "openmpi", "id": "345", "launcher": "openmpi", "launch": "345", "rank": 1, "size": 2, "local_rank": 0}),
    ({"PMI_RANK": "1", "PMI_SIZE": "2", "MPI_LOCALRANKID": "1"},
     {"launcher": "mpich", "rank": 1, "size": 2, "local_rank": 1}),
    ({"KUBERNETES_SERVICE_HOST": "10.0.0.1", "K8S_JOB_NAME": "train", "K8S_POD_NAME": "train-x", "K8S_NODE_NAME": "w1"},
     {"scheduler": "kubernetes", "id": "train", "step": "train-x", "node": "w1"}),
    ({"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "99", "GITHUB_JOB": "build"},
     {"scheduler": "github", "id": "99", "step": "build"}),
    ({"GITLAB_CI": "true", "CI_JOB_ID": "12", "CI_JOB_NAME": "test: [py3]"},
     {"scheduler": "gitlab", "id": "12", "step": "test: [py3]"}),
]
HOSTILE = {
    "SLURM_JOB_ID": "1;rm -rf /", "SLURM_JOBID": "\x1b]0;x\x07", "SLURM_ARRAY_TASK_ID": "-1", "PBS_JOBID": "x" * 100_000,
    "LSB_JOBID": "9" * 40, "PMI_RANK": "4294967295", "PMI_SIZE": "0", "PMIX_RANK": "1e9", "MPI_LOCALRANKID": "",
    "GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "12\n34", "KUBERNETES_SERVICE_HOST": "x", "POD_NAME": "b\u00f6se",
    "OMPI_COMM_WORLD_RANK": "nan", "PMIX_NAMESPACE": " ",
}


@pytest.fixture
def record(run, tmp_path, lines_of):
    """record(variables, *arguments): the header of a run in that environment."""
    def start(variables, *arguments):
        path = tmp_path / "run.jsonl"
        done = run("--quiet", "--record", path, *arguments, "--", "true", env={**os.environ, **variables})
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        lines = lines_of(path)
        jsonschema.Draft202012Validator(SCHEMA).validate(lines[0])
        return lines[0]
    return start


def test_the_documents_name_each_variable_and_key():
    section = DOCS.partition("#### The job of a scheduler")[2].partition("#### Secrets")[0]
    assert len(VARIABLES) > 35 and len(KEYS) == 20
    assert [name for name in sorted(VARIABLES | NEEDED) if f"`{name}`" not in section] == []
    assert [key for key in KEYS if f"`{key}`" not in section] == []
    assert list(SCHEMA["$defs"]["header"]["properties"]["job"]["properties"]) == KEYS


def test_the_recipe_for_a_pod_sets_the_variables():
    pod = yaml.safe_load(DOCS.partition("```yaml\n")[2].partition("```")[0])
    assert {one["name"] for one in pod["env"]} == {"K8S_JOB_NAME", "K8S_POD_NAME", "K8S_NODE_NAME"} <= VARIABLES
    assert all(list(one["valueFrom"]["fieldRef"]) == ["fieldPath"] for one in pod["env"])


@pytest.mark.parametrize("variables, job", ENVIRONMENTS, ids=lambda part: part.get("scheduler") or part.get("launcher"))
def test_the_header_has_the_job(record, variables, job):
    assert record(variables)["job"] == job


def test_without_a_scheduler_there_is_no_job(record, run, tmp_path):
    assert "job" not in record({"POD_NAME": "x", "CI_JOB_ID": "5", "SLURM_NTASKS": "3", "RANK": "1"})
    assert json.loads(run("summary", tmp_path / "run.jsonl", "--json").stdout)["job"] is None
    assert "\n Job " not in run("summary", tmp_path / "run.jsonl").stdout


def test_impossible_values_are_left_out_without_an_error(record):
    assert "job" not in record(HOSTILE)
    assert record({**HOSTILE, "GITHUB_RUN_ID": "5", "GITHUB_JOB": "x" * 128})["job"] == {"scheduler": "github", "id": "5"}


def test_nothing_else_of_the_environment_is_recorded(record, tmp_path):
    others = {"SLURM_JOB_USER": "mallory", "SLURM_JOB_NAME": "hidden-name", "CI_JOB_TOKEN": "glcbt-hidden",
              "GITHUB_TOKEN": "hidden-token", "PMI_FD": "hidden-fd", "MY_SECRET": "hidden"}
    record({**SLURM, **others})
    text = (tmp_path / "run.jsonl").read_text()
    assert '"1235"' in text and "hidden" not in text and "mallory" not in text


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root and setpriv")
def test_another_user_has_the_job_too(open_path, open_tracker, lines_of):
    (open_path / "out").mkdir()
    os.chown(open_path / "out", STRANGER, STRANGER)
    path = open_path / "out/run.jsonl"
    done = subprocess.run(["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups", open_tracker,
                           "--quiet", "--record", path, "--", "true"], env={**os.environ, **SLURM}, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines_of(path)[0]["job"] == ENVIRONMENTS[0][1]


def test_reports_show_the_job(run, tmp_path):
    words = "slurm 1235, step 0, rank 3 of 8, node n2"
    path = tmp_path / "run.jsonl"
    done = run("--record", path, "--", "true", env={**os.environ, **SLURM})
    assert re.search(rf"^ Job +{words}$", done.stderr, re.M)
    assert re.search(rf"^ Job +{words}$", run("summary", path).stdout, re.M)
    assert re.search(rf"^job +{words}$", run("runs", "show", path).stdout, re.M)
    assert json.loads(run("summary", path, "--json").stdout)["job"]["rank"] == 3
    facts = json.loads(run("report", path, "--json").stdout)["runs"][0]["facts"]
    assert [fact for fact in facts if words in json.dumps(fact)], facts


@pytest.mark.parametrize("pattern, name", [
    ("%j-%s-%t-%n.jsonl", "1235-0-3-1.jsonl"), ("%j/", "1235/20*.jsonl"), ("a%%b-%a.jsonl", "a%b-none.jsonl"),
    ("%h-%t.jsonl", f"{os.uname().nodename}-3.jsonl"), ("x%t%t", "x33"),
])
def test_the_name_of_a_record_has_parts_of_the_run(run, tmp_path, pattern, name):
    done = run("-q", "--record", f"{tmp_path}/{pattern}", "--", "sh", "-c", "echo $RESOURCE_TRACKER_RUN", env={**os.environ, **SLURM})
    (record,) = tmp_path.glob(name)
    assert done.returncode == 0 and json.loads(record.read_text().splitlines()[0])["job"]["rank"] == 3
    assert done.stdout.strip() == (str(record) if name.endswith(".jsonl") else "")


def test_the_process_in_a_name_is_the_recorder(tracker, tmp_path):
    with subprocess.Popen([tracker, "-q", "--record", tmp_path / "%p.jsonl", "--", "true"]) as recorder:
        pass
    assert [path.name for path in tmp_path.glob("*.jsonl")] == [f"{recorder.pid}.jsonl"]


def test_a_job_cannot_lead_out_of_the_folder(run, tmp_path):
    job = {"PBS_JOBID": "../../x/$(id) y", "RESOURCE_TRACKER_RECORD": f"{tmp_path}/kept-%j.jsonl"}
    assert run("-q", "--", "true", env={**os.environ, **job}).returncode == 0
    assert [path.name for path in tmp_path.glob("*.jsonl")] == ["kept--.-..-x---id--y.jsonl"]


@pytest.mark.parametrize("pattern, says", [
    ("%q.jsonl", "--record: there is no %q; there are %j %a %s %t %n %h %p"), ("a%", "--record: '%' at the end stands for nothing"),
    ("%%%", "--record: '%' at the end"), ("%\x1b", "--record: there is no %?;"),
])
def test_a_wrong_pattern_is_one_sentence(run, tmp_path, pattern, says):
    done = run("--record", pattern, "--", "true", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (125, 1) and says in done.stderr
    assert [*tmp_path.iterdir()] == []


def test_the_folder_of_a_pattern_has_the_history(run, tmp_path):
    place = {**os.environ, **SLURM, "RESOURCE_TRACKER_RECORD": f"{tmp_path}/kept/%t.jsonl"}
    (tmp_path / "kept").mkdir()
    for rank in "01":
        run("-q", "--", "true", env={**place, "SLURM_PROCID": rank})
    assert {one["job"]["rank"] for one in json.loads(run("runs", "--json", env=place).stdout)} == {0, 1}


def test_a_rank_opens_its_record_once(run, tmp_path):
    """On a file server, each of a thousand ranks costs one request: nothing is listed, and no rank waits for another."""
    if not shutil.which("strace"):
        pytest.skip("needs strace")
    (tmp_path / "shared").mkdir()
    for place in ("shared/%j-%t.jsonl", "shared/"):
        trace = tmp_path / "trace"
        done = run("-q", "--record", tmp_path / place, "--", "true", env={**os.environ, **SLURM},
                   prefix=("strace", "-f", "-y", "-o", trace, "-e", "trace=open,openat,openat2,getdents64,flock,fcntl"))
        if done.returncode != 0:
            pytest.skip("strace cannot trace here")
        calls = trace.read_text()
        assert len(re.findall(r'O_WRONLY\|O_CREAT.*jsonl|jsonl.*O_WRONLY\|O_CREAT', calls)) == 1, calls
        assert "F_OFD_SETLKW" not in calls and "flock(" not in calls
        assert not re.search(r"getdents64\(\d+<[^>]*shared", calls)


def test_switched_off_a_rank_leaves_no_record(run, tmp_path):
    done = run("--record", tmp_path / "%j-%t.jsonl", "--", "sh", "-c", "exit 7",
               env={**os.environ, **SLURM, "RESOURCE_TRACKER": "off"})
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "") and [*tmp_path.iterdir()] == []


@pytest.fixture
def ranks(run, tmp_path):
    """Two ranks of job 1235 called train, one run of job 1236, one without a job; their folder."""
    place = tmp_path / "place"
    for rank in "01":
        run("-q", "--record", f"{place}/", "-n", "train", "--tag", f"rank={rank}", "--", "true",
            env={**os.environ, **SLURM, "SLURM_PROCID": rank})
    run("-q", "--record", f"{place}/", "-n", "other", "--", "true", env={**os.environ, **SLURM, "SLURM_JOB_ID": "1236"})
    run("-q", "--record", f"{place}/", "--tag", "rank=1", "--", "false")
    return place


@pytest.mark.parametrize("flags, ids", [
    (["--job", "1235"], ["1235", "1235"]), (["--job", "123*"], ["1236", "1235", "1235"]), (["--job", "1235.0"], ["1235"] * 2),
    (["--job", "1235.1"], []), (["--job", "123"], []), (["--name", "tr*"], ["1235", "1235"]), (["--name", "tr"], []),
    (["--tag", "rank=1"], [None, "1235"]), (["--tag", "rank"], [None, "1235", "1235"]), (["--tag", "ran"], []),
    (["--tag", "rank=1", "--job", "1235"], ["1235"]), (["--tag", "rank=1", "--tag", "rank=0"], []),
    (["--job", "1235", "--name", "other"], []), (["--job", ""], []), (["--job", "[", "--name", "*"], []),
])
def test_runs_are_listed_by_job_name_and_tag(run, ranks, flags, ids):
    listed = json.loads(run("runs", "--directory", ranks, "--json", *flags).stdout)
    assert [(one["job"] or {}).get("id") for one in listed] == ids


def test_the_table_has_a_column_for_the_job(run, ranks):
    table = run("runs", "--directory", ranks).stdout.splitlines()
    assert re.search(r" NAME +JOB +COMMAND$", table[0])
    assert re.search(r" other +1236 rank 3 +true$", table[2]) and re.search(r" train +1235 rank 0 +true$", table[4])
    assert "JOB" not in run("runs", "--directory", ranks, "--tag", "rank=1", "--limit", "1").stdout


def test_a_run_is_chosen_by_job_name_and_tag(run, ranks, tmp_path):
    """`last` is the last of them; without a word all of them are read, oldest first."""
    def ask(*words):
        done = run(*words, "--directory", ranks, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    one = json.loads(ask("summary", "last", "--job", "1235", "--json"))
    assert (one["job"]["rank"], one["metadata"]["job_name"]) == (1, "train")
    assert json.loads(ask("summary", "last~1", "--name", "train", "--json"))["job"]["rank"] == 0
    several = [json.loads(line) for line in ask("summary", "--job", "1235", "--json").splitlines()]
    assert [each["job"]["rank"] for each in several] == [0, 1]
    assert len(json.loads(ask("report", "--name", "train", "--json"))["runs"]) == 2
    assert [each["job"]["rank"] for each in json.loads(ask("runs", "show", "--job", "1235", "--json"))] == [1, 0]
    assert json.loads(ask("recommend", "--job", "1235", "--json"))["succeeded"] == 2
    assert json.loads(ask("recommend", "--tag", "rank=0", "--json"))["succeeded"] == 1
    assert ask("export", "--job", "1236", "--to", "jsonl")
    assert json.loads(ask("compare", "last~1", "last", "--name", "train", "--json"))
    ask("runs", "rm", "last", "--name", "other")
    assert [(each["job"] or {}).get("id") for each in json.loads(ask("runs", "--json"))] == [None, "1235", "1235"]


@pytest.mark.parametrize("words, says", [
    (["summary", "--job", "77"], "no run has that job, name or tag"), (["summary", "last", "--tag", "x"], "no run has"),
    (["summary", "last~2", "--job", "1235"], "there is no 'last~2': the history has 2 runs"),
    (["report", "--name", "x", "-o", "x.html"], "no run has"), (["export", "--job", "1235", "--to", "perfetto"], "holds one run"),
    (["plot", "--job", "1235", "-o", "x.svg"], "a picture shows one run, and these are 2"),
    (["compare", "--job", "1235"], "which runs"), (["compare", "last", "last", "--job", "77"], "no run has"),
    (["recommend", "--job", "77"], "no run of that job, name or tag"), (["runs", "rm", "--job", "1235"], "which run"),
    (["runs", "show", "last", "--job", "77"], "the history has 0 runs"),
])
def test_a_missing_run_gives_one_sentence(run, ranks, tmp_path, words, says):
    done = run(*words, "--directory", ranks, cwd=tmp_path)
    if "is not installed" in done.stderr or "without cairo" in done.stderr:
        pytest.skip("not built here")
    assert (done.returncode, done.stdout) == (125, "") and done.stderr.count("\n") == 1
    assert says in done.stderr
    assert len(json.loads(run("runs", "--directory", ranks, "--json").stdout)) == 4


def test_a_hostile_record_cannot_steer_the_terminal(run, record, tmp_path):
    record(SLURM)
    path = tmp_path / "run.jsonl"
    text = path.read_text()
    for value in (r'"a\u001b[31mb"', r'"a\nb"', '"' + "x" * 300 + '"', "[1]", "null", "7"):
        path.write_text(text.replace('"id":"1235"', f'"id":{value}'))
        for words in (("summary", path), ("runs", "show", path), ("runs", "--directory", tmp_path), ("summary", path, "--json")):
            done = run(*words)
            assert done.returncode == 0 and "\x1b" not in done.stdout and "xxx" not in done.stdout, words
        assert json.loads(done.stdout)["job"]["rank"] == 3
