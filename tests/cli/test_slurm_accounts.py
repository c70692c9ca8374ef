"""test_slurm_accounts.py - what the records of a job's ranks add up to, beside the accounts of a real Slurm (sacct)."""
import json
import pathlib

import pytest
import slurm_accounts
import slurm_cluster
from slurm_accounts import bytes_of, seconds_of

pytestmark = pytest.mark.skipif(slurm_accounts.missing() is not None, reason=slurm_accounts.missing() or "")
# Holds 150 MiB for several samples of Slurm, one a second, and uses CPU time itself and in a child; its words: how much.
# Prints what it used: less than Slurm counts, by its own end and by what Slurm and the recorder do in the task before and after.
WORK = """
import resource, subprocess, sys, time
kept = bytearray(b"x") * (150 << 20)
def use(seconds):
    while time.process_time() < seconds: pass
use(float(sys.argv[1]))
if len(sys.argv) > 2:
    subprocess.run([sys.executable, "-I", __file__, *sys.argv[2:]], check=True, stdout=subprocess.DEVNULL)
time.sleep(3)
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(u.ru_utime + u.ru_stime for u in used), flush=True)
"""


@pytest.fixture(scope="module")
def cluster(tracker):
    with slurm_cluster.running(slurm_accounts.Accounts, tracker) as cluster:
        (cluster.folder / "work.py").write_text(WORK)
        yield cluster


@pytest.fixture
def place(cluster):
    with cluster.users_folder() as folder:
        yield folder


def srun(cluster, place, way, options=""):
    """How a step is started, with the recorder in it; -Q: not that it waits until the nodes of the step before are free."""
    if way == "plugin" and not cluster.plugin:
        pytest.skip("the plugin is not built")
    return (f"srun -Q {options} --track={place}" if way == "plugin" else
            f"srun -Q {options} {cluster.tracker} -q --record {place}/ --") + f" /usr/bin/python3 -I {cluster.folder}/work.py"


def summary(run, place, job):
    done = run("summary", place, "--job", job, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def accounts_of(steps, step):
    """CPU time and the largest task of a step, of all components of a heterogeneous job together."""
    of = [row for row in steps if row["JobID"].partition(".")[2] == step]
    assert of, steps
    return sum(seconds_of(row["TotalCPU"]) for row in of), max(bytes_of(row["MaxRSS"]) for row in of), sum(int(row["NTasks"]) for row in of)


def is_between(ours, used, accounts):
    """The CPU time is at least what the tasks saw themselves, and at most what Slurm counts, in ms for each task."""
    assert sum(map(float, used)) <= ours["totals"]["cpu_seconds"] <= accounts + 0.001 * len(used)


@pytest.mark.parametrize("way", ["wrapper", "plugin"])
def test_totals_are_those_of_sacct(cluster, place, run, way):
    """Two steps of a job on three nodes: the CPU time of all tasks with their children, and the memory of the largest one."""
    command = srun(cluster, place, way)
    done = cluster.user("salloc", "-Q", "-N3", "-n3", "--mem=1000", "sh", "-c",
                        f"echo $SLURM_JOB_ID; {command} 0.6 0.9 && {srun(cluster, place, way, '-N1 -n1')} 1.5")
    assert done.returncode == 0 and done.stderr == ""
    job, *used = done.stdout.split()
    steps = cluster.sacct(job)
    for step, tasks, used_of_step in (("0", 3, used[:3]), ("1", 1, used[3:])):
        cpu, largest, counted = accounts_of(steps, step)
        ours = summary(run, place, f"{job}.{step}")
        assert len(ours["ranks"]) == counted == len(used_of_step) == tasks
        is_between(ours, used_of_step, cpu)
        assert max(rank["peak_rss_bytes"] for rank in ours["ranks"]) == pytest.approx(largest, rel=0.03)
    is_between(summary(run, place, job), used, sum(accounts_of(steps, step)[0] for step in "01"))


def test_attempts_of_a_requeued_job_are_kept_apart(cluster, place, run):
    """The totals are those of the last one, as those of sacct without -D."""
    mark = place / "attempt"
    script = f"touch {mark}$SLURM_RESTART_COUNT; {srun(cluster, place, 'wrapper')}"
    done = cluster.user("sbatch", "--parsable", "--requeue", "-o", f"{place}/requeued.txt", "-n1", "--mem=500", "--wrap",
                        f"{script} $(test -n \"$SLURM_RESTART_COUNT\" && echo 1.5 || echo 1000)")
    job = done.stdout.strip()
    cluster.wait(lambda: pathlib.Path(f"{mark}").exists() and list(place.glob("*.jsonl")), "the first attempt")
    assert cluster.user("scontrol", "requeue", job).returncode == 0

    # It would wait for two minutes. A node refuses an attempt of the second in which it ended the one before (its credential is revoked).
    cluster.wait(lambda: cluster.root("squeue", "-h", "-o", "%T", "-j", job).stdout.strip() == "PENDING", "the end of the first attempt")
    begin = cluster.root("scontrol", "update", f"job={job}", "StartTime=now+2seconds")
    assert begin.returncode == 0, begin.stderr
    cluster.wait(lambda: pathlib.Path(f"{mark}1").exists(), "the second attempt")
    cluster.wait(lambda: not cluster.root("squeue", "-h", "-j", job).stdout.strip(), "its end")
    restarts = sorted(json.loads(path.read_text().splitlines()[0])["job"].get("restarts", 0) for path in place.glob("*.jsonl"))
    assert restarts == [0, 1]
    ours = summary(run, place, job)
    last = [row for row in cluster.sacct(job) if row["JobID"].endswith(".0")][-1]
    assert len(ours["ranks"]) == 1 and ours["ranks"][0]["state"] == "ok"
    assert [left["why"] for left in ours["left_out"]] == ["earlier"]
    is_between(ours, (place / "requeued.txt").read_text().split()[-1:], seconds_of(last["TotalCPU"]))


def test_a_heterogeneous_job_is_one_job(cluster, place, run):
    """Its components have numbers of their own for Slurm; its ranks are numbered through."""
    one = srun(cluster, place, "wrapper", "-n1 --mem=400")
    other = srun(cluster, place, "wrapper", ": -n2 --mem=800").removeprefix("srun -Q ")
    done = cluster.user("sh", "-c", f"{one} 1 {other} 1.5")
    assert done.returncode == 0, done.stderr
    job, = {json.loads(path.read_text().splitlines()[0])["job"]["id"] for path in place.glob("*.jsonl")}
    ours = summary(run, place, job)
    assert [rank["rank"] for rank in ours["ranks"]] == [0, 1, 2] and ours["missing"] == 0
    is_between(ours, done.stdout.split(), accounts_of(cluster.sacct(job), "0")[0])


def test_pmix_starts_ranks_as_well(cluster, place, run):
    """On one host; test_slurm_hosts.py has two."""
    listed = cluster.user("srun", "--mpi=list")
    if "pmix" not in listed.stdout + listed.stderr:
        pytest.skip("Slurm has no plugin for PMIx")
    done = cluster.user("sh", "-c", f"{srun(cluster, place, 'wrapper', '--mpi=pmix -N1 -n3 --mem=800')} 1")
    assert done.returncode == 0, done.stderr
    headers = [json.loads(path.read_text().splitlines()[0])["job"] for path in place.glob("*.jsonl")]
    assert sorted(job["rank"] for job in headers) == [0, 1, 2] and {job["size"] for job in headers} == {3}
    assert len({(job["launcher"], job["step"], job.get("launch")) for job in headers}) == 1
    ours = summary(run, place, headers[0]["id"])
    assert ours["missing"] == 0
    is_between(ours, done.stdout.split(), accounts_of(cluster.sacct(headers[0]["id"]), "0")[0])
