"""test_mpi.py - MPI programs of Open MPI and MPICH without a scheduler, and many runs at once: as docs/howto/mpi.md shows them."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from hosts import NAMES, Hosts, missing

PAGE = (pathlib.Path(__file__).parents[2] / "docs/howto/mpi.md").read_text()
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S) for line in block.splitlines()]
SOLVER = pathlib.Path(__file__).with_name("solver.c")


# Where the headers are missing: mpirun starts it all the same.
SCRIPT = """#!/usr/bin/python3
import os, sys, time
rank, size = int(os.environ["PMI_RANK"]), int(os.environ["PMI_SIZE"])
while time.process_time() < 0.2:
    pass
if rank == 0:
    print(f"{size} ranks, sum {size * (size - 1) // 2}")
sys.exit(int(sys.argv[1]) if rank == 1 and len(sys.argv) > 1 else 0)
"""


@pytest.fixture(params=["openmpi", "mpich"])
def mpi(request, tracker, tmp_path):
    """A folder with ./solver, and mpirun and resource-tracker on PATH; mpi.run(command): in a shell."""
    kind = request.param
    programs = {"mpirun": shutil.which(f"mpirun.{kind}"), "resource-tracker": tracker}
    compiler = shutil.which(f"mpicc.{kind}")
    if not compiler or not programs["mpirun"]:
        pytest.skip(f"needs {kind}")
    (tmp_path / "bin").mkdir()
    (tmp_path / "work").mkdir()
    if subprocess.run([compiler, "-o", tmp_path / "work/solver", SOLVER], capture_output=True).returncode != 0:
        (tmp_path / "work/solver").write_text(SCRIPT)
        (tmp_path / "work/solver").chmod(0o755)
    (tmp_path / "bin/mpirun").write_text(f"#!/bin/sh\nexec {programs['mpirun']} {'--oversubscribe' if kind == 'openmpi' else ''} \"$@\"\n")
    (tmp_path / "bin/resource-tracker").write_text(f"#!/bin/sh\nexec {tracker} \"$@\"\n")
    for path in (tmp_path / "bin").iterdir():
        path.chmod(0o755)

    class Mpi:
        work = tmp_path / "work"
        name = kind

        @staticmethod
        def run(command):
            environment = {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "TMPDIR": str(tmp_path)}
            return subprocess.run(["sh", "-c", command], cwd=tmp_path / "work", env=environment, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL)

        @staticmethod
        def summary(folder):
            return json.loads(Mpi.run(f"resource-tracker summary {folder} --json").stdout)
    return Mpi


def command(*parts):
    (found,) = [line for line in COMMANDS if all(part in line for part in parts)]
    return found


def test_ranks_find_each_other(mpi):
    """Open MPI names the start; under MPICH the folder does."""
    words = command("%j") if mpi.name == "openmpi" else command("date")
    done = mpi.run(words)
    assert (done.returncode, done.stdout) == (0, "4 ranks, sum 6\n"), done
    (folder,) = mpi.work.glob("records*")
    headers = [json.loads(path.read_text().splitlines()[0])["job"] for path in folder.iterdir()]
    assert sorted((job["launcher"], job["rank"], job["size"], job["local_rank"]) for job in headers) == [
        (mpi.name, rank, 4, rank) for rank in range(4)]
    whole = mpi.summary(folder.name)
    assert (whole["missing"], [one["rank"] for one in whole["ranks"]]) == (0, [0, 1, 2, 3])
    assert whole["totals"]["cpu_seconds"] >= 4 * 0.2 and [node["ranks"] for node in whole["nodes"]] == [4]
    if mpi.name == "openmpi":
        (name,) = {job["launch"] for job in headers}
        assert (whole["job"], folder.name) == (name, f"records-{name}")


@pytest.mark.skipif(missing() is not None, reason=missing() or "")
@pytest.mark.parametrize("mpi", ["openmpi"], indirect=True)
def test_ranks_on_two_hosts(mpi, tmp_path, page_built):
    """Each host is counted once; a rank that is held up on the second one is named with that host."""
    hosts = Hosts()
    try:
        agent = hosts.agent(tmp_path / "bin/agent")
        where = ",".join(f"{address}:2" for address in hosts.addresses)
        network = f"--mca plm_rsh_agent {agent} --mca btl_tcp_if_include cable --mca oob_tcp_if_include cable --mca btl tcp,self"
        words = command("%j").replace("mpirun", f"{' '.join(hosts.words(0))} mpirun {network} --host {where}")
        done = mpi.run(words)
    finally:
        hosts.close()
    assert (done.returncode, done.stdout) == (0, "4 ranks, sum 6\n"), done
    (folder,) = mpi.work.glob("records*")
    headers = [json.loads(path.read_text().splitlines()[0]) for path in folder.iterdir()]
    assert sorted((one["host"]["name"], one["job"]["rank"], one["job"]["local_rank"]) for one in headers) == [
        (NAMES[0], 0, 0), (NAMES[0], 1, 1), (NAMES[1], 2, 0), (NAMES[1], 3, 1)]
    whole = mpi.summary(folder.name)
    assert (whole["missing"], sorted((node["name"], node["ranks"]) for node in whole["nodes"])) == (0, [(NAMES[0], 2), (NAMES[1], 2)])
    assert whole["totals"]["cpu_seconds"] == pytest.approx(sum(one["cpu_seconds"] for one in whole["ranks"]), abs=1e-5)
    assert all(one["cpu_seconds"] >= 0.2 for one in whole["ranks"])
    text = mpi.run(f"resource-tracker summary {folder.name}").stdout
    assert "4 ranks with a record, on 2 nodes" in text
    if page_built:
        assert mpi.run(f"resource-tracker report {folder.name} -o two.html").returncode == 0
        assert all(name in (mpi.work / "two.html").read_text() for name in NAMES)


def test_outside_of_mpirun_one_record_has_all_ranks(mpi):
    done = mpi.run(command("whole.jsonl"))
    assert (done.returncode, done.stdout) == (0, "4 ranks, sum 6\n"), done
    one = json.loads(mpi.run("resource-tracker summary whole.jsonl --json").stdout)
    assert one["quantities"]["cpu_time"] >= 4 * 0.2 and one["job"] is None


def test_inside_and_outside_together_count_once(mpi):
    done = mpi.run("resource-tracker -q --record both/ -- mpirun -n 2 resource-tracker -q --record both/ -- ./solver")
    assert done.returncode == 0, done
    whole = mpi.summary("both")
    assert [one["rank"] for one in whole["ranks"]] == [0, 1] and [one["why"] for one in whole["left_out"]] == ["around"]
    around = json.loads(mpi.run(f"resource-tracker summary {whole['left_out'][0]['record']} --json").stdout)
    assert whole["totals"]["cpu_seconds"] <= around["quantities"]["cpu_time"]
    assert whole["totals"]["cpu_seconds"] == pytest.approx(sum(one["cpu_seconds"] for one in whole["ranks"]), abs=1e-5)


def test_the_exit_status_is_that_of_the_rank(mpi):
    plain = mpi.run("mpirun -n 2 ./solver 5")
    done = mpi.run("mpirun -n 2 resource-tracker -q --record records/ -- ./solver 5")
    assert done.returncode == plain.returncode == 5
    assert [one["rank"] for one in mpi.summary("records")["ranks"] if one["state"] == "failed"] == [1]


def test_many_runs_at_once(mpi):
    """The recipe for xargs."""
    (mpi.work / "one-item").write_text("#!/bin/sh\n[ \"$1\" != 5 ]\n")
    (mpi.work / "one-item").chmod(0o755)
    recipe = COMMANDS[COMMANDS.index(command("xargs")):]
    assert len(recipe) == 3 and mpi.run(recipe[0]).returncode == 123
    text = mpi.run(recipe[1]).stdout
    assert "8 runs with a record" in text and re.search(r"7 ok, 1 exit 1 \(run \d\)|1 exit 1 \(run \d\), 7 ok", text)
    listed = mpi.run(f"{recipe[2]} --json")
    tags = sorted(tag for one in json.loads(listed.stdout) for tag in one["tags"])
    assert tags == [f"item={number}" for number in range(1, 9)]


def test_each_command_of_the_page_is_run_here():
    tested = [command("%j"), command("date"), command("whole.jsonl"), command("summary records"), command("report records"), *COMMANDS[-3:]]
    assert tested == COMMANDS


def test_the_summary_of_the_page(mpi, page_built):
    assert mpi.run(command("date").replace("$(date +%s)", "1764000000")).returncode == 0
    text = mpi.run(command("summary records")).stdout
    assert "4 ranks with a record, on 1 node" in text and re.search(r"^ Status +4 ok$", text, re.M)
    if page_built:
        assert re.fullmatch(r"resource-tracker-report-.*\.html\n", mpi.run(command("report records")).stdout)
