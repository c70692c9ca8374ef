"""test_slurm_hosts.py - a job of Slurm on two hosts, each with a network and a name of its own; ranks by PMIx among them."""
import json
import pathlib
import shutil
import subprocess

import hosts
import pytest
import slurm_cluster

REASON = slurm_cluster.missing() or hosts.missing()
pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")
SOLVER = pathlib.Path(__file__).with_name("solver.c")


@pytest.fixture(scope="module")
def cluster(tracker):
    two = hosts.Hosts()
    try:
        nodes = [slurm_cluster.Host(name, address, two.words(i)) for i, (name, address) in enumerate(zip(hosts.NAMES, two.addresses))]
        with slurm_cluster.running(slurm_cluster.Cluster, tracker, hosts=nodes) as cluster:
            yield cluster
    finally:
        two.close()


@pytest.fixture
def place(cluster):
    with cluster.users_folder() as folder:
        yield folder


def four_ranks(cluster, place, kind, *program):
    """Runs the program as two ranks on each host; its output, and the header of each record."""
    listed = cluster.user("srun", "--mpi=list")
    if kind not in listed.stdout + listed.stderr:
        pytest.skip(f"Slurm has no plugin for {kind}")
    done = cluster.user("srun", "-Q", f"--mpi={kind}", "-N2", "-n4", "--ntasks-per-node=2", "--mem=400", cluster.tracker, "-q",
                        "--record", f"{place}/", "--", *program,
                        env={"OMPI_MCA_btl": "tcp,self", "OMPI_MCA_btl_tcp_if_include": "cable"})
    assert done.returncode == 0, done.stderr
    return done.stdout, [json.loads(path.read_text().splitlines()[0]) for path in place.glob("*.jsonl")]


def is_one_job(run, place, headers):
    """Of two nodes with the names that Slurm gave them."""
    assert sorted((one["job"]["rank"], one["job"]["local_rank"], one["host"]["name"]) for one in headers) == [
        (0, 0, hosts.NAMES[0]), (1, 1, hosts.NAMES[0]), (2, 0, hosts.NAMES[1]), (3, 1, hosts.NAMES[1])]
    (job,) = {(one["job"]["scheduler"], one["job"]["launcher"], one["job"]["id"], one["job"]["step"], one["job"]["size"]) for one in headers}
    assert (job[0], job[4]) == ("slurm", 4)
    done = run("summary", place, "--json")
    assert done.returncode == 0, done.stderr
    whole = json.loads(done.stdout)
    assert (whole["missing"], sorted((node["name"], node["ranks"]) for node in whole["nodes"])) == (0, [("n1", 2), ("n2", 2)])
    assert whole["totals"]["cpu_seconds"] == pytest.approx(sum(one["cpu_seconds"] for one in whole["ranks"]), abs=1e-5)
    assert all(one["cpu_seconds"] >= 0.2 for one in whole["ranks"])


@pytest.mark.parametrize("kind", ["pmi2", "pmix"])
def test_ranks_on_two_hosts_find_each_other(cluster, place, run, kind):
    _, headers = four_ranks(cluster, place, kind, "/usr/bin/python3", "-c", "import time\nwhile time.process_time() < 0.2: pass")
    is_one_job(run, place, headers)


def test_mpi_between_two_hosts_by_pmix(cluster, place, run):
    """Open MPI learns by PMIx alone where the other ranks are."""
    compiler = shutil.which("mpicc.openmpi")
    if not compiler or subprocess.run([compiler, "-o", place / "solver", SOLVER], capture_output=True).returncode != 0:
        pytest.skip("needs Open MPI with its headers")
    printed, headers = four_ranks(cluster, place, "pmix", place / "solver")
    assert printed == "4 ranks, sum 6\n"
    is_one_job(run, place, headers)
