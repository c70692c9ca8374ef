"""test_ranks.py - a job over all its ranks: totals, each machine once, imbalance, stragglers, missing ranks."""
import json
import os
import pathlib
import re
import subprocess

import pytest

SPIN = "import time\nwhile time.process_time() < {}: pass"


@pytest.fixture(scope="module")
def real(tracker, tmp_path_factory):
    """The lines of a real record: header, rows, end."""
    path = tmp_path_factory.mktemp("real") / "run.jsonl"
    done = subprocess.run([tracker, "-q", "--interval", "0.1", "--record", path, "--", "/usr/bin/python3", "-c", SPIN.format(0.3)])
    assert done.returncode == 0
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def rank(real, tmp_path):
    """rank(number, job={}, cut=False, seconds=100, **statistics): the record of a rank of job 7, made of a real one."""
    folder = tmp_path / "ranks"
    folder.mkdir()

    def write(number, *, job=None, cut=False, seconds=100.0, later=0, name=None, node="n1", cpu=50.0, **statistics):
        lines = json.loads(json.dumps(real))
        header, end = lines[0], lines[-1]["end"]
        header["job"] = {"scheduler": "slurm", "id": "7", "step": "0", "launcher": "slurm", "rank": number, "size": 4,
                         "node": node, "node_cpus": 2, "node_memory_bytes": 4 << 30} | (job or {})
        header["job"] = {key: value for key, value in header["job"].items() if value is not None}
        header["start"] += later
        end["seconds"] = seconds
        values = {"process.cpu_user_seconds": cpu, "process.cpu_system_seconds": 0, "process.cpu_seconds": cpu,
                  "process.run_delay_seconds": 0, "process.block_delay_seconds": 0, "cgroup.cpu_throttled_seconds": 0,
                  "cpu.utilization_cores": 1.5, "process.pss_bytes": 1 << 30, "process.rss_bytes": 2 << 30,
                  "process.swap_bytes": 0, "memory.swap_in_bytes": 0, "memory.swap_out_bytes": 0,
                  "process.disk_read_bytes": 1000, "pressure.memory_some_seconds": 0, "process.peak_rss_bytes": 1}
        for key, value in {**values, **{key.replace("__", "."): value for key, value in statistics.items()}}.items():
            end["statistics"][key] = [value, value, value]
        for key in [key for key in end["statistics"] if key.startswith("pressure.cgroup")]:
            del end["statistics"][key]
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in (lines[:-1] if cut else lines))
        (folder / f"{name or f'r{number}'}.jsonl").write_text(text)
        return folder
    write.folder = folder
    return write


@pytest.fixture
def summary(run, rank):
    """summary(*words): the JSON over all ranks."""
    def ask(*words):
        done = run("summary", rank.folder, "--json", *words)
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)
    return ask


def test_the_totals_are_those_of_the_ranks(run, tracker, tmp_path):
    """Real runs, at the same time: the job's sums are those of its runs, and the machine stands there once."""
    jobs = []
    for number in range(3):
        env = {**os.environ, "SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0", "SLURM_PROCID": str(number), "SLURM_NTASKS": "3",
               "SLURMD_NODENAME": "n1", "SLURM_CPUS_ON_NODE": "2", "SLURM_MEM_PER_NODE": "1024"}
        env["RESOURCE_TRACKER_RECORD"] = f"{tmp_path}/%j-%t.jsonl"
        jobs.append(subprocess.Popen([tracker, "-q", "--interval", "0.1", "--", "/usr/bin/python3", "-c",
                                      SPIN.format(0.2 * (number + 1))], env=env))
    assert all(job.wait() == 0 for job in jobs)
    runs = [json.loads(run("summary", tmp_path / f"7-{number}.jsonl", "--json").stdout) for number in range(3)]
    whole = json.loads(run("summary", tmp_path, "--json").stdout)

    def total(name):
        return sum(one["quantities"][name] for one in runs)
    assert whole["totals"]["cpu_seconds"] == pytest.approx(total("cpu_time"), abs=1e-5) and total("cpu_time") > 1.1
    assert whole["totals"]["disk_read_bytes"] == total("disk_read")
    peaks = [one["peak_pss_bytes" if whole["totals"]["memory_basis"] == "PSS" else "peak_rss_bytes"] for one in whole["ranks"]]
    assert whole["totals"]["memory_bytes"] == sum(peaks)
    (node,) = whole["nodes"]
    assert (node["name"], node["ranks"], node["cpus"], node["available_memory_bytes"]) == ("n1", 3, 2, 1 << 30)
    longest = max(runs, key=lambda one: one["quantities"]["duration"])
    assert node["machine_received_bytes"] == longest["quantities"]["net_received"]
    assert whole["totals"]["cpu_efficiency"] == pytest.approx(total("cpu_time") / (2 * whole["totals"]["seconds"]), abs=1e-4)
    assert [one["rank"] for one in whole["ranks"]] == [0, 1, 2] and whole["missing"] == 0
    assert whole["spread"]["cpu_seconds"]["most_rank"] == 2 and whole["spread"]["cpu_seconds"]["least_rank"] == 0
    mean = total("cpu_time") / 3
    assert whole["spread"]["cpu_seconds"]["imbalance"] == pytest.approx(runs[2]["quantities"]["cpu_time"] / mean, abs=1e-3)


def test_efficiency_is_that_of_seff(rank, summary):
    """Two nodes with 2 CPUs and 4 GiB each; ranks of 100 s with 50 s of CPU time and 1 GiB."""
    for number in range(4):
        rank(number, node=f"n{number // 2}")
    totals = summary()["totals"]
    assert (totals["cpus"], totals["cpus_of"], totals["cpu_seconds"]) == (4, "job", 200)
    assert totals["seconds"] == pytest.approx(100) and totals["cpu_efficiency"] == pytest.approx(0.5)
    assert (totals["memory_bytes"], totals["available_memory_bytes"]) == (4 << 30, 8 << 30)
    assert totals["memory_efficiency"] == pytest.approx(0.5) and totals["memory_basis"] == "PSS"


def test_clocks_an_hour_apart_change_no_efficiency(rank, summary, run):
    for number in range(4):
        rank(number, node=f"n{number // 2}", later=3600 * (number // 2))
    totals = summary()["totals"]
    assert totals["seconds"] == pytest.approx(100) and totals["cpu_efficiency"] == pytest.approx(0.5)
    assert totals["starts_apart_seconds"] == pytest.approx(3600)
    assert " Clocks " in run("summary", rank.folder).stdout


def test_steps_after_each_other_add_to_the_time(rank, summary, run):
    rank(0, name="a", job={"size": 1})
    rank(0, name="b", job={"size": 1, "step": "1"}, later=150)
    totals = summary()["totals"]
    assert totals["seconds"] == pytest.approx(250) and totals["starts_apart_seconds"] is None
    assert " Clocks " not in run("summary", rank.folder).stdout


def test_memory_requested_for_each_cpu_counts_by_cpus(rank, summary):
    rank(0, job={"node_memory_bytes": None, "cpu_memory_bytes": 1 << 30, "node_cpus": 8, "size": 1})
    assert summary()["totals"]["available_memory_bytes"] == 8 << 30


def test_without_a_request_the_nodes_are_what_it_had(rank, summary, real):
    for number in range(2):
        rank(number, job={"node_memory_bytes": None, "node_cpus": None, "size": 2})
    totals = summary()["totals"]
    assert (totals["cpus_of"], totals["available_memory_of"]) == ("nodes", "nodes")
    assert totals["cpus"] == real[-1]["end"]["statistics"]["cpu.count"][0]


@pytest.mark.parametrize("numbers, size, gaps", [
    ([0, 1, 2, 3], 4, []), ([1, 3], 6, [(0, 0), (2, 2), (4, 5)]), ([0], 3, [(1, 2)]), ([2], 3, [(0, 1)]),
    ([0, 1], None, []),
])
def test_missing_ranks_are_named(rank, summary, run, numbers, size, gaps):
    for number in numbers:
        rank(number, job={"size": size})
    whole = summary()
    assert [(gap["first"], gap["last"]) for gap in whole["missing_ranks"]] == gaps
    assert whole["missing"] == sum(last - first + 1 for first, last in gaps)
    text = run("summary", rank.folder).stdout
    assert ("Missing" in text) == bool(gaps)
    for first, last in gaps:
        assert (f"{first} to {last}" if last > first else f"{first}") in text


def test_a_record_that_was_cut_off_is_named(rank, summary, run):
    for number in range(4):
        rank(number, cut=number == 2)
    assert [one["state"] for one in summary()["ranks"]] == ["ok", "ok", "truncated", "ok"]
    assert re.search(r"^ Status +3 ok, 1 cut off \(rank 2\)$", run("summary", rank.folder).stdout, re.M)


def test_broken_files_are_counted_and_not_fatal(rank, summary, run):
    rank(0, job={"size": 1})
    (rank.folder / "empty.jsonl").write_text("")
    (rank.folder / "noise.jsonl").write_bytes(b"\xff\x00{\n")
    (rank.folder / "folder.jsonl").mkdir()
    (rank.folder / "notes.txt").write_text("no record")
    whole = summary()
    assert len(whole["ranks"]) == 1
    assert sorted((pathlib.Path(one["record"]).name, one["why"]) for one in whole["left_out"]) == [
        ("empty.jsonl", "unreadable"), ("folder.jsonl", "unreadable"), ("noise.jsonl", "unreadable")]
    assert "3 files are not records" in run("summary", rank.folder).stdout


def test_the_batch_script_and_earlier_attempts_are_left_out(rank, summary):
    for number in range(2):
        rank(number, job={"size": 2})
    rank(9, name="script", job={"rank": None, "size": None, "launcher": None, "step": None})
    rank(0, name="before", job={"size": 2}, later=-1000)
    whole = summary()
    assert whole["totals"]["cpu_seconds"] == 100 and len(whole["ranks"]) == 2
    assert sorted((pathlib.Path(one["record"]).name, one["why"]) for one in whole["left_out"]) == [
        ("before.jsonl", "earlier"), ("script.jsonl", "around")]


def left_out(whole):
    return sorted((pathlib.Path(one["record"]).name, one["why"]) for one in whole["left_out"])


@pytest.mark.parametrize("restarts", [1, None])
def test_two_attempts_in_one_folder_are_not_mixed(rank, summary, restarts):
    """The second attempt has no record of rank 3 yet: that of the first is not taken for it, with a count of restarts or without."""
    for number in range(4):
        rank(number, name=f"first{number}", cpu=70.0)
    for number in range(3):
        rank(number, name=f"second{number}", later=1000, job={"restarts": restarts})
    whole = summary()
    assert left_out(whole) == [(f"first{number}.jsonl", "earlier") for number in range(4)]
    assert [one["rank"] for one in whole["ranks"]] == [0, 1, 2] and whole["totals"]["cpu_seconds"] == 150
    assert whole["missing_ranks"] == [{"step": "0", "first": 3, "last": 3}]


def test_a_rank_of_another_node_is_no_earlier_attempt(rank, summary):
    """Its clock is an hour behind: that it ended before the second attempt began says nothing."""
    for number in range(3):
        rank(number, name=f"first{number}")
        rank(number, name=f"second{number}", later=1000)
    rank(3, node="n2", later=-3600)
    assert left_out(summary()) == [(f"first{number}.jsonl", "earlier") for number in range(3)]


@pytest.mark.parametrize("changes, cause, words", [
    ({"cgroup__cpu_throttled_seconds": 40, "seconds": 140.0}, "throttled", "throttled by the quota for 40.0s"),
    ({"process__block_delay_seconds": 30, "seconds": 130.0}, "disk", "waited 30.0s for the disk"),
    ({"cgroup__cpu_throttled_seconds": 40, "process__run_delay_seconds": 43, "seconds": 140.0}, "throttled", "throttled by the quota for 40.0s"),
    ({"process__run_delay_seconds": 30, "seconds": 130.0}, "other_load", "other programs used"),
    ({"process__run_delay_seconds": 30, "cpu__utilization_cores": 0.5, "seconds": 130.0}, "cpu", "waited 30.0s for a CPU"),
    ({"pressure__memory_some_seconds": 30, "memory__swap_in_bytes": 1 << 20, "seconds": 130.0}, "swapping", "pages were swapped"),
    ({"cpu": 90.0, "seconds": 140.0}, "work", "computed 1.8 times as much"),
    ({"cpu": 70.0}, "work", "on n2 computed 1.4 times as much as the median rank"),
    ({"cpu": 70.0, "process__block_delay_seconds": 15}, "work", "computed 1.4 times as much"),
    ({"seconds": 140.0}, "unknown", "took 1.4 times as long"),
    ({"process__block_delay_seconds": 30}, "disk", "waited 30.0s for the disk"),
])
def test_a_straggler_is_named_with_its_reason(rank, summary, run, changes, cause, words):
    for number in range(3):
        rank(number, process__run_delay_seconds=1, job={"size": 4})
    rank(3, node="n2", **changes)
    (straggler,) = summary()["stragglers"]
    assert (straggler["rank"], straggler["node"], straggler["cause"]) == (3, "n2", cause)
    text = " ".join(run("summary", rank.folder).stdout.split())
    assert "Stragglers rank 3 on n2" in text and words in text


def test_who_computes_while_another_is_throttled_is_no_straggler(rank, summary):
    rank(0, cpu=90.0)
    rank(1, cpu=10.0, cgroup__cpu_throttled_seconds=80)
    assert [(one["rank"], one["cause"]) for one in summary()["stragglers"]] == [(1, "throttled")]


def test_waits_for_memory_without_swapping_are_no_reason(rank, summary):
    for number in range(3):
        rank(number)
    rank(3, pressure__memory_some_seconds=30, seconds=140.0)
    assert [one["cause"] for one in summary()["stragglers"]] == ["unknown"]


def test_ranks_alike_have_no_straggler(rank, summary, run):
    for number in range(4):
        rank(number, seconds=100.0 + number, process__run_delay_seconds=5 + number)
    assert summary()["stragglers"] == [] and "Stragglers" not in run("summary", rank.folder).stdout


def test_steps_and_arrays_keep_their_ranks_apart(rank, summary):
    for number in range(2):
        rank(number, name=f"a{number}", job={"size": 2})
        rank(number, name=f"b{number}", job={"size": 3, "step": "1"}, process__pss_bytes=3 << 29)
    whole = summary()
    assert [(one["step"], one["rank"]) for one in whole["ranks"]] == [("0", 0), ("0", 1), ("1", 0), ("1", 1)]
    assert whole["missing_ranks"] == [{"step": "1", "first": 2, "last": 2}]
    assert whole["totals"]["memory_bytes"] == 3 << 30   # of the larger step


def test_the_tasks_of_an_array_are_one_job(rank, summary, run):
    for number in range(3):
        rank(number, job={"id": f"{8 + number}", "array_id": "8", "array_task": number, "rank": None, "size": None, "step": None,
                          "launcher": None})
    whole = summary()
    assert (whole["job"], [one["rank"] for one in whole["ranks"]], whole["missing"]) == ("8", [0, 1, 2], 0)
    assert "3 tasks with a record" in run("summary", rank.folder).stdout


def test_runs_without_a_job_are_numbered_by_their_start(run, tmp_path):
    for _ in range(3):
        assert run("-q", "--record", f"{tmp_path}/out/", "--", "true").returncode == 0
    whole = json.loads(run("summary", tmp_path / "out", "--json").stdout)
    assert (whole["job"], [one["rank"] for one in whole["ranks"]]) == (None, [0, 1, 2])
    assert "3 runs with a record" in run("summary", tmp_path / "out").stdout


def test_one_of_several_jobs_is_chosen(rank, run, summary):
    rank(0)
    rank(1, job={"id": "70"})
    done = run("summary", rank.folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1)
    assert re.search(r"has runs of several jobs \((7, 70|70, 7)\): choose one with --job", done.stderr)
    assert summary("--job", "70")["job"] == "70"
    by_id = run("summary", "--job", "7", "--ranks", "--json", "--directory", rank.folder)
    assert json.loads(by_id.stdout)["job"] == "7"


@pytest.mark.parametrize("words, says", [
    (["--markdown"], "a summary is text or JSON"), (["--template", "{id}"], "a summary is text or JSON"),
    (["--job", "99"], "has no record of that job"), (["--directory", "."], "give one folder"), ([".", "--ranks"], "give one folder"),
])
def test_a_wrong_question_is_one_sentence(rank, run, words, says):
    rank(0)
    done = run("summary", rank.folder, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (125, "", 1) and says in done.stderr


def test_an_empty_folder_and_a_closed_one(run, tmp_path):
    done = run("summary", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (125, 1) and "has no record of that job" in done.stderr
    assert "cannot read" in run("summary", "--ranks", "--job", "1", "--directory", __file__).stderr


def test_hostile_names_cannot_steer_the_terminal(rank, run):
    path = rank(0, job={"size": 2147483647}) / "r0.jsonl"
    path.write_text(path.read_text().replace('"node":"n1"', r'"node":"a\u001b[31mb"'))
    done = run("summary", rank.folder)
    assert done.returncode == 0 and "\x1b" not in done.stdout and "2147483646 ranks have no record: 1 to 2147483646" in done.stdout


def test_a_job_of_many_ranks_is_sized_as_a_whole(rank, run):
    """Four ranks, of which the largest has 1.5 GiB, two on a node: memory is that of a node, CPUs those of a rank."""
    for number in range(4):
        rank(number, node=f"n{number // 2}", process__pss_bytes=(3 << 29) if number == 2 else 1 << 30)
    done = run("recommend", rank.folder, "--for", "slurm")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "# of 4 ranks on 2 nodes; memory: most 1.50 GiB, 95 % of them at most 1.50 GiB, imbalance (most/mean) 1.33; CPU time: most " \
        "50.0s, 95 % of them at most 50.0s, imbalance (most/mean) 1.00" in lines
    assert {"#SBATCH --ntasks=4", "#SBATCH --ntasks-per-node=2", "#SBATCH --mem=4G"} <= set(lines)
    assert [line for line in lines if line.startswith("#SBATCH --cpus-per-task=")]
    alone = run("recommend", rank.folder / "r0.jsonl", "--for", "slurm").stdout
    assert "--ntasks" not in alone and "#SBATCH --mem=" in alone
    assert json.loads(run("recommend", rank.folder, "--json").stdout)["succeeded"] == 4


def test_a_thousand_ranks_need_little_memory(tracker, rank, run, peak_bytes):
    """Only headers and ends are read, and nothing of a record is kept but its figures."""
    if b"__asan_init" in tracker.read_bytes():
        pytest.skip("a sanitizer keeps freed memory")
    template = rank(0, job={"size": 1000}) / "r0.jsonl"
    text = template.read_text()
    for number in range(1, 1000):
        (rank.folder / f"r{number}.jsonl").write_text(text.replace('"rank":0', f'"rank":{number}'))
    whole = json.loads(run("summary", rank.folder, "--json").stdout)
    assert (len(whole["ranks"]), whole["missing"]) == (1000, 0)
    assert peak_bytes(tracker, "summary", rank.folder, "--json") < 100_000_000
