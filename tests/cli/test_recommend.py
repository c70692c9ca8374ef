"""test_recommend.py - the right size of loads with a known need, and formats that can be pasted."""
import ast
import json
import re
import shlex

import pytest
import yaml

MIB, GIB = 2**20, 2**30


@pytest.fixture
def advice(run, loads, tmp_path):
    """advice(load, *arguments): the recommendation after a run of it."""
    def give(load, *arguments):
        command = [loads / load] if load.startswith("load_") else [load]
        record = tmp_path / "record.jsonl"
        run("--quiet", "-i", "0.5", "--record", record, "--", *command, *arguments)
        done = run("recommend", record, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    return give


def test_one_core_and_the_next_gibibyte(advice):
    given = advice("load_memory", "--rss", 900, "--hold", "0.2")["advice"]
    assert given["cpu"]["cores"] == 1 and given["cpu"]["why"].startswith("serial")
    assert given["memory"]["bytes"] == 2 * GIB                      # 0.9 GiB and 20 %, up to the next GiB
    assert "gpu" not in given


def test_two_cores_in_parallel_however_busy_the_machine_is(advice):
    given = advice("load_cpu", "--threads", 2, "--seconds", 3)
    assert given["advice"]["cpu"]["cores"] == min(2, int(given["runs"][0]["cpu_had_cores"]))
    assert 1.1 < given["runs"][0]["cpu_wanted_cores"] < 2.8        # less than 2 if one thread ends before the other


@pytest.mark.parametrize("watched, wanted", [(4.0, 2.0), (3.6, 1 + 1 * 4 / 3.6), (2.4, 2.25), (1.9, None)])
def test_waits_that_nothing_measured_are_not_guessed(run, tmp_path, watched, wanted):
    """4 s of CPU time in 4 s, and 4 s of waits by threads that had `watched` of it: two cores, unless most is unknown."""
    recording = tmp_path / "samples.jsonl"
    run("--quiet", "--record", "none", "-i", "0.1", "-o", recording, "--", "sleep", "0.3")
    sample = json.loads(recording.read_text().splitlines()[-1])
    rows = []
    for second in range(1, 5):
        sample["process"] |= {"cpu_seconds": 1, "cpu_cores": 1, "watched_cpu_seconds": watched / 4, "run_delay_seconds": 1}
        rows.append(sample | {"timestamp": 1.8e9 + second, "timestamp_secs": 1800000000 + second, "actual_interval_ms": 1000})
    recording.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = json.loads(run("recommend", recording, "--json").stdout)
    assert given["runs"][0]["cpu_wanted_cores"] == (wanted and pytest.approx(wanted, rel=0.01))


def test_a_spike_between_samples_is_not_missed(advice):
    given = advice("load_memory", "--rss", 20, "--hold", "0.5", "--spike", 400, "--spike-ms", 1)
    assert given["advice"]["memory"]["bytes"] == 512 * MIB
    assert given["runs"][0]["memory_process_peak_bytes"] == pytest.approx(421 * MIB, rel=0.02)


def test_a_sleeper_needs_the_least(advice):
    while True:                         # a wait for a CPU is a need, too
        given = advice("sleep", "1.5")
        if (given["runs"][0]["cpu_wanted_cores"] or 0) < 0.1:
            break
    assert given["advice"]["cpu"]["cores"] == 1 and given["advice"]["cpu"]["request_cores"] == pytest.approx(0.1)
    assert given["advice"]["cpu"]["why"].startswith("hardly any CPU")
    assert given["advice"]["memory"]["bytes"] == 128 * MIB and given["advice"]["time"]["seconds"] == 60
    assert given["confidence"] == "low"
    assert re.search(r"took only \d", given["confidence_why"])         # 1.5 s, and the delay of a busy machine


def test_all_runs_of_a_job(run, tmp_path):
    for code in (0, 0, 1):
        run("--quiet", "-n", "nightly", "--record", tmp_path, "--", "sh", "-c", f"exit {code}")
    run("--quiet", "-n", "other", "--record", tmp_path, "--", "true")
    given = json.loads(run("recommend", "--name", "night*", "--directory", tmp_path, "--json").stdout)
    assert given["for"] == "nightly" and given["succeeded"] == 2
    assert [use["status"] for use in given["runs"]] == ["failed", "ok", "ok"]               # newest first
    given = json.loads(run("recommend", "--name", "nightly", "--limit", 1, "--directory", tmp_path, "--json").stdout)
    assert given["succeeded"] == 0 and given["advice"]["time"]["seconds"] is None


@pytest.fixture
def large(run, tmp_path):
    """Path of a recording of 1.5 cores and 3 GiB for two hours, by the Python tracker."""
    path = tmp_path / "large.csv"
    rows = "".join(f"{1000 + 60 * t},7,80.0,10.0,1.5,3072\n" for t in range(120))
    path.write_text("timestamp,pid,utime,stime,cpu_usage,memory_mib\n" + rows)
    return path


def comments(text):
    lines = text.splitlines()
    assert lines[0].startswith("# from 1 run of ") and lines[1].startswith("# confidence medium: ")
    return [line for line in lines if not line.startswith("# ")]


def test_slurm(run, large):
    """sbatch(1): each directive is `#SBATCH --option=value`; --mem in M or G, --time as hours:minutes:seconds."""
    assert comments(run("recommend", large, "--for", "slurm").stdout) == [
        "#SBATCH --cpus-per-task=2", "#SBATCH --mem=4G", "#SBATCH --time=03:00:00"]


def test_kubernetes(run, large):
    text = run("recommend", large, "--for", "kubernetes").stdout
    comments(text)
    assert yaml.safe_load(text) == {"resources": {"requests": {"cpu": 2, "memory": "4Gi"}, "limits": {"memory": "4Gi"}}}
    assert "activeDeadlineSeconds: 10800" in text


def test_docker(run, large):
    done = run("recommend", large, "--for", "docker")
    assert shlex.split(done.stdout) == ["--cpus=2", "--memory=4g"] and "confidence medium" in done.stderr


def test_metaflow(run, large):
    text = run("recommend", large, "--for", "metaflow").stdout
    comments(text)
    step = ast.parse(text + "def step(self):\n    pass\n").body[0]
    resources, timeout = ({k.arg: k.value.value for k in d.keywords} for d in step.decorator_list)
    assert [d.func.id for d in step.decorator_list] == ["resources", "timeout"]
    assert resources == {"cpu": 2, "memory": 4096} and timeout == {"minutes": 180}


def killed_for_memory(path, limit):
    """The record of a run as if the kernel had killed it at this limit."""
    lines = path.read_text().splitlines()
    end = json.loads(lines[-1])
    end["end"].update(status="signaled", signal=9,
                      reason={"cause": "out_of_memory", "certainty": "likely", "text": "killed by the kernel"})
    end["end"]["statistics"]["cgroup.memory_limit_bytes"] = [limit, limit, None]
    path.write_text("\n".join([*lines[:-1], json.dumps(end)]) + "\n")


def test_the_next_try_after_memory_ran_out(run, tmp_path):
    record = tmp_path / "record.jsonl"
    run("--quiet", "--record", record, "--", "true")
    killed_for_memory(record, GIB)
    text = " ".join(run("recommend", record).stdout.split())
    assert "Memory 2 GiB memory ran out at 1.00 GiB, so its true need is unknown: the next try is twice that" in text
    assert "Found out of memory: memory ran out in 1 of 1 run" in text and "Time unknown" in text


def test_text(run, large):
    text = run("recommend", large).stdout
    assert re.search(r"^ Confidence  medium: 1 run; from 5 alike on it is high$", text, re.M)
    assert re.search(r"^ CPU         2 cores    parallel throughout: mean 1.50, p95 1.50, peak 1.50\s+cores; how long "
                     r"its threads waited for a CPU is not known, so it\s+may need more \(confidence low\)$", text, re.M)
    assert re.search(r"^ Memory      4 GiB ", text, re.M) and re.search(r"^ Time        3 h ", text, re.M)


def test_a_name_cannot_begin_a_line(run, tmp_path):
    record = tmp_path / "record.jsonl"
    run("--quiet", "-n", "job\n#SBATCH --account=mine", "--record", record, "--", "true")
    text = run("recommend", record, "--for", "slurm").stdout
    assert text.startswith("# from 1 run of job?#SBATCH --account=mine\n")


@pytest.mark.parametrize("words, says", [
    ([], "which runs"), (["x.csv", "--job", "x"], "not both"), (["--job", "x"], "no run of that job"), (["--name", "x"], "no run of that job"),
    (["x.csv"], "x.csv"), (["a.csv", "--for", "slrm"], "there is no 'slrm'"), (["a.csv", "--limit", "3"], "--limit"),
    (["--name", "x", "--limit", "0"], "'0'"), (["a.csv", "--json", "--for", "slurm"], "not both"),
])
def test_impossible_advice_is_125(run, monkeypatch, tmp_path, words, says):
    monkeypatch.chdir(tmp_path)
    done = run("recommend", *words)
    assert done.returncode == 125 and done.stdout == ""
    assert says in done.stderr and done.stderr.count("\n") == 1


def test_gpus_of_the_job(run, tmp_path):
    path = tmp_path / "gpu.csv"
    rows = "".join(f"{1000 + t},7,1.0,0.0,1.0,100,{0.05 if t % 2 else 0.03},3000,2\n" for t in range(20))
    path.write_text("timestamp,pid,utime,stime,cpu_usage,memory_mib,gpu_usage,gpu_vram_mib,gpu_utilized\n" + rows)
    given = json.loads(run("recommend", path, "--json").stdout)
    assert given["advice"]["gpu"]["gpus"] == 2 and given["advice"]["gpu_memory"]["bytes"] == 4 * GIB
    assert [found["finding"] for found in given["findings"]] == ["gpu_idle"]
    assert "#SBATCH --gpus=2\n" in run("recommend", path, "--for", "slurm").stdout
    text = run("recommend", path, "--for", "kubernetes").stdout
    assert yaml.safe_load(text)["resources"]["limits"]["nvidia.com/gpu"] == 2
