"""test_slurm.py - jobs of a real Slurm with three nodes, submitted by an ordinary user, with the recorder in them."""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

import pytest
import slurm_cluster
from screen import Screen

pytestmark = pytest.mark.skipif(slurm_cluster.missing() is not None, reason=slurm_cluster.missing() or "")
SPIN = "/usr/bin/python3 -c 'import time\nwhile time.process_time() < 0.4: pass'"


@pytest.fixture(scope="module")
def cluster(tracker):
    """plugstack.conf has a word that the plugin does not know."""
    with slurm_cluster.running(slurm_cluster.Cluster, tracker, "wrong=1") as cluster:
        yield cluster


@pytest.fixture
def records(cluster):
    """An empty folder of the user for the records; records.read(): their lines, by (step, rank)."""
    with cluster.users_folder() as folder:
        class Records:
            path = folder

            @staticmethod
            def read():
                all_of_them = {}
                for path in folder.rglob("*.jsonl"):
                    lines = [json.loads(line) for line in path.read_text().splitlines()]
                    job = lines[0]["job"]
                    all_of_them[job.get("step"), job.get("rank"), job.get("array_task")] = lines
                return all_of_them
        yield Records


def same(text):
    """Without what is another one in each step, or for each process."""
    variable = r"SLURM_(JOB_?ID|STEP_?ID|SRUN_COMM_PORT|TASK_PID|STEP_LAUNCHER_PORT)|PMI_JOBID|PMI_FD|RESOURCE_TRACKER_(RUN|REGIONS)\w*|_"
    kept = [line for line in text.splitlines() if not re.match(rf"(\d+: )?({variable})=", line)]
    return sorted(kept)


@pytest.fixture(params=["wrapper", "plugin"])
def recorded(request, cluster, records):
    """recorded(options, command): srun's words for the command, with the recorder around each rank."""
    if request.param == "plugin" and not cluster.plugin:
        pytest.skip("the plugin is not built here")

    def words(options, command):
        if request.param == "plugin":
            return [*options, f"--track={records.path}", *command]
        return [*options, cluster.tracker, "-q", "--record", f"{records.path}/", "--", *command]
    words.exact = request.param == "plugin"
    return words


@pytest.mark.parametrize("options, command", [
    (["-n1"], ["true"]), (["-n1"], ["false"]), (["-n1"], ["sh", "-c", "exit 42"]),
    (["-n3", "-N3"], ["sh", "-c", "exit $SLURM_PROCID"]),
    (["-n4", "-l"], ["sh", "-c", "echo rank $SLURM_PROCID; echo err $SLURM_PROCID >&2"]),
    (["-n1"], ["sh", "-c", "kill -SEGV $$"]), (["-n1"], ["sh", "-c", "kill -KILL $$"]), (["-n1"], ["sh", "-c", "kill -TERM $$"]),
    (["-n2", "-l", "-wn1"], ["env"]), (["-n1", "--mpi=none", "-wn1"], ["env"]), (["-n1"], ["no-such-program"]), (["-n1"], ["/etc/passwd"]),
    (["-n1", "-c2"], ["sh", "-c", "echo $SLURM_CPUS_PER_TASK $SLURM_CPUS_ON_NODE"]),
    (["-n1"], ["sh", "-c", "ulimit -a; umask; pwd; id -u"]), (["-n1", "--unbuffered"], ["printf", "no newline"]),
    (["-n1"], ["sh", "-c", "cat"]), (["-n2", "-N2", "-wn[1-2]", "-l"], ["sh", "-c", "echo $SLURMD_NODENAME $SLURM_NODEID $SLURM_LOCALID"]),
    (["-n1", "--export=ALL,A=b c"], ["sh", "-c", "echo \"$A\""]),
    # One rank fails, the other is killed: two that fail at once are killed or not, as it happens.  Both have their records.
    (["-n2", "--kill-on-bad-exit=1"], ["sh", "-c", "[ $SLURM_PROCID = 0 ] || exec sleep 600; case $(cat /proc/$PPID/comm) in slurmstepd) ;; "
      "*) until [ $(find tmp* -name '*.jsonl' -size +0 | wc -l) = 2 ]; do sleep 0.1; done;; esac; exit 3"]),
    (["-n1"], ["sh", "-c", "sleep 0.2 & wait $!; exit 9"]),
], ids=str)
def test_a_job_is_the_same_with_the_recorder(cluster, records, recorded, options, command):
    more = {"input": "a line\n", "stdin": None} if command[-1] == "cat" else {}
    plain = cluster.user("srun", "-J", "x", *options, *command, **more)
    ours = cluster.user("srun", "-J", "x", *recorded(options, command), **more)
    # srun's own sentences name node, step and the program
    told = [[line for line in same(done.stderr) if not re.match(r"(s?run|slurmstepd)(-\w+)?: ", line)] for done in (plain, ours)]
    if recorded.exact:
        assert ours.returncode == plain.returncode
    if command[0] in ("no-such-program", "/etc/passwd"):
        assert (ours.returncode != 0) == (plain.returncode != 0)
        return
    died = plain.returncode >= 128                  # by a signal: the recorder ends with 128 + its number, as a shell
    assert died == (ours.returncode >= 128) and plain.returncode & 127 == ours.returncode & 127, (plain, ours)
    assert same(ours.stdout) == same(plain.stdout) and told[0] == told[1]
    ranks = int(options[0].removeprefix("-n"))
    assert len(records.read()) == ranks


def test_ranks_of_a_step_find_each_other(cluster, records, run):
    job, output = cluster.batch(f"srun {cluster.tracker} -q --record '{records.path}/%j-%s-%t.jsonl' -- {SPIN}; echo done",
                                "-N3", "--ntasks=6", "--ntasks-per-node=2", "--mem=300")
    assert output == "done\n"
    assert sorted(path.name for path in records.path.iterdir()) == [f"{job}-0-{rank}.jsonl" for rank in range(6)]
    found = {rank: lines[0]["job"] for (_, rank, _), lines in records.read().items()}
    assert {one["id"] for one in found.values()} == {job} and {one["step"] for one in found.values()} == {"0"}
    assert [found[rank]["local_rank"] for rank in range(6)] == [0, 1] * 3
    assert [(found[rank]["node"], found[rank]["node_number"]) for rank in range(6)] == [("n1", 0)] * 2 + [("n2", 1)] * 2 + [("n3", 2)] * 2
    assert {(one["size"], one["nodes"], one["node_cpus"], one["node_memory_bytes"]) for one in found.values()} == {(6, 3, 2, 300 << 20)}
    whole = json.loads(run("summary", records.path, "--json").stdout)
    assert (whole["job"], whole["missing"], len(whole["nodes"])) == (job, 0, 3)
    assert [node["ranks"] for node in whole["nodes"]] == [2, 2, 2]
    assert whole["totals"]["cpu_seconds"] >= 6 * 0.4 and whole["totals"]["cpus"] == 6
    assert whole["totals"]["available_memory_bytes"] == 900 << 20


def test_an_array_is_one_job(cluster, records, run):
    cluster.batch(f"{cluster.tracker} -q --record '{records.path}/%j-%a.jsonl' -- true", "--array=0-3")
    assert sorted(task for _, _, task in records.read()) == [0, 1, 2, 3]
    whole = json.loads(run("summary", records.path, "--json").stdout)
    assert [one["rank"] for one in whole["ranks"]] == [0, 1, 2, 3]


def test_off_leaves_no_record(cluster, records):
    done = cluster.user("srun", "-n2", cluster.tracker, "--record", f"{records.path}/", "--", "sh", "-c", "exit 6",
                        env={"RESOURCE_TRACKER": "off"})
    assert done.returncode == 6 and records.read() == {}


# Ends by SIGTERM once slurmstepd sleeps: it signals the processes of a task one by one, and the command before the recorder.
POLITE = """
import os, pathlib, signal, sys, time
stepd = pathlib.Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1]
def sleeps():
    try:
        return {p.read_text().rpartition(")")[2].split()[0] for p in pathlib.Path(f"/proc/{stepd}/task").glob("*/stat")} == {"S"}
    except OSError:
        return False
def end(number, _):
    seen = 0
    while seen < 3:
        time.sleep(0.1)
        seen = seen + 1 if sleeps() else 0
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
signal.signal(signal.SIGTERM, end)
open(sys.argv[1], "a").write("\\n")
while True:
    time.sleep(10)
"""


@pytest.fixture
def polite(records):
    """The words of a command that ends by SIGTERM, and the file with a line for each that has begun."""
    started = records.path / "started"
    (records.path / "polite.py").write_text(POLITE)
    return ["/usr/bin/python3", records.path / "polite.py", started], started


def ended(lines):
    return lines[-1].get("end") if isinstance(lines[-1], dict) else None


def test_scancel_ends_a_rank_with_its_last_sample(cluster, records, polite):
    """SIGTERM reaches the ranks; each record has the end and who sent it."""
    command, started = polite
    with subprocess.Popen(cluster.as_user("srun", "-n2", "-N2", cluster.tracker, "-q", "--interval", "0.2", "--record",
                                          f"{records.path}/%t.jsonl", "--", *command),
                          env=cluster.environment, cwd=cluster.work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as srun:
        cluster.wait(lambda: started.exists() and started.read_text().count("\n") == 2, "the ranks")
        cluster.user("scancel", "--signal=TERM", cluster.user("squeue", "-h", "-t", "RUNNING", "-o", "%A").stdout.strip())
        srun.wait()
    ends = [ended(lines) for lines in records.read().values()]
    assert [(end["status"], end["signal"]) for end in ends] == [("signaled", signal.SIGTERM)] * 2
    assert all("(slurmstepd) to all processes of the step" in end["reason"]["text"] for end in ends)


COUNT = """
import signal, sys, time, pathlib
got = []
signal.signal(signal.SIGUSR1, lambda *_: got.append(1))
pathlib.Path(sys.argv[1]).write_text("")
while not got:
    time.sleep(0.05)
time.sleep(1)
print(len(got))
"""


def test_a_signal_arrives_once(cluster, records, recorded):
    """Slurm sends it to each process of a task, so to the command as well: nothing is passed on."""
    (records.path / "count.py").write_text(COUNT)
    ready = records.path / "ready"
    with subprocess.Popen(cluster.as_user("srun", *recorded(["-n1"], ["/usr/bin/python3", records.path / "count.py", ready])),
                          env=cluster.environment, cwd=cluster.work, stdout=subprocess.PIPE, text=True) as srun:
        cluster.wait(ready.exists, "the task")
        cluster.user("scancel", "--signal=USR1", cluster.user("squeue", "-h", "-t", "RUNNING", "-o", "%A").stdout.strip())
        assert srun.stdout.read() == "1\n"
    assert srun.returncode == 0


def test_the_time_limit_leaves_an_end(cluster, records, polite):
    """SIGTERM, and SIGKILL some seconds later (KillWait): a rank that ignores the first has its rows up to the second."""
    command, started = polite
    # Slurm sets the variable itself from version 23.02 on.
    script = ("export SLURM_JOB_END_TIME=$(date -d $(squeue -h -j $SLURM_JOB_ID -o %e) +%s); "
              f"srun --overlap -n1 {cluster.tracker} -q --interval 0.2 --record {records.path}/polite.jsonl -- {' '.join(map(str, command))} & "
              f"srun --overlap -n1 {cluster.tracker} -q --interval 0.2 --record {records.path}/stubborn.jsonl -- "
              "sh -c \"trap '' TERM; while :; do sleep 1; done\" & wait")
    job = cluster.user("sbatch", "--parsable", "-n2", "-N1", "--time=1", "-o", "/dev/null", "--wrap", script).stdout.strip()
    cluster.wait(lambda: started.exists() and all((records.path / f"{name}.jsonl").exists() and len((records.path / f"{name}.jsonl").read_text()
                             .splitlines()) > 2 for name in ("polite", "stubborn")), "both ranks")
    cluster.wait(lambda: not cluster.root("squeue", "-h", "-j", job).stdout.strip(), "the time limit")
    lines = {name: [json.loads(line) for line in (records.path / f"{name}.jsonl").read_text().splitlines()]
             for name in ("polite", "stubborn")}
    assert (ended(lines["polite"])["status"], ended(lines["polite"])["signal"]) == ("signaled", signal.SIGTERM)
    assert ended(lines["polite"])["reason"]["text"].endswith("at the time limit of the job")
    assert ended(lines["stubborn"]) is None or ended(lines["stubborn"])["signal"] == signal.SIGKILL
    assert len(lines["stubborn"]) > 2


def test_a_job_that_cannot_write_its_record_runs(cluster, records):
    records.path.chmod(0o555)
    done = cluster.user("srun", "-n2", cluster.tracker, "-q", "--record", f"{records.path}/%t.jsonl", "--", "sh", "-c", "echo ran; exit 4")
    assert (done.returncode, done.stdout) == (4, "ran\nran\n")
    records.path.chmod(0o755)


# ---- the page --------------------------------------------------------------------------------------

PAGE = (pathlib.Path(__file__).parents[2] / "docs/howto/slurm.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.S)


def jobs_of(folder):
    return {json.loads(path.read_text().splitlines()[0])["job"]["id"] for path in folder.glob("*.jsonl")}


def test_each_command_of_the_page(cluster, records, run, page_built, tracker):
    """Jobs as the ordinary user, then the questions about their records."""
    for name, text in (("train.py", "print('trained')\n"), ("train.sh", "#!/bin/sh\necho trained\n"), ("solver", "#!/bin/sh\nexit 0\n")):
        (cluster.work / name).write_text(text)
        (cluster.work / name).chmod(0o755)
    here = {**cluster.environment, "PATH": f"{cluster.folder}:{cluster.environment['PATH']}"}
    own = cluster.work / "state/resource-tracker/runs"
    script, *lines = [block for block in BLOCKS if block.startswith("#!")] + [
        line for block in BLOCKS if not block.startswith("#!") for line in block.splitlines()]
    (cluster.work / "job.sh").write_text(script)
    jobs = ["sbatch --wait job.sh", *(line.replace("sbatch", "sbatch --wait") for line in lines if line.startswith(("srun", "sbatch")))]
    for line in jobs:
        done = cluster.user("sh", "-c", line.replace("/scratch/records", str(records.path)), env=here)
        assert done.returncode == 0, (line, done.stderr)
    assert len(jobs) == 5 and "trained" in "".join(path.read_text() for path in cluster.work.glob("slurm-*.out"))
    (folder,) = [path for path in records.path.iterdir() if path.is_dir()]
    (one,) = records.path.glob("*-0-0.jsonl")
    assert jobs_of(folder) == {folder.name} and one.name == f"{json.loads(one.read_text().splitlines()[0])['job']['id']}-0-0.jsonl"
    asked = [line for line in lines if line.startswith("resource-tracker ")]
    for line in asked:
        if " report " in line and not page_built:
            continue
        words = line.replace("/scratch/records/1235", str(folder)).replace("1235", sorted(jobs_of(own))[0]).split()[1:]
        environment = {**os.environ, "XDG_STATE_HOME": str(cluster.work / "state")}
        if words[0] == "top":
            with Screen([tracker, *words], cwd=records.path,
                        env={**environment, "TERM": "xterm"}) as view:
                view.shows(r"^ok \d of \d ")
                view.type("q")
                view.read_to_end()
            continue
        done = run(*words, cwd=records.path, env=environment)
        assert (done.returncode, done.stderr) == (0, "") and (done.stdout or "-o" in words), (line, done.stderr)
    assert len(asked) == 13


# ---- the plugin -----------------------------------------------------------------------------------


@pytest.fixture
def plugin(cluster):
    if not cluster.plugin:
        pytest.skip("the plugin is not built here")
    return cluster.plugin


def test_the_plugin_does_nothing_unless_asked(cluster, records, plugin):
    done = cluster.user("srun", "-n2", "sh", "-c", "echo $PPID; cat /proc/$PPID/comm; env | grep -c ^RESOURCE_TRACKER")
    assert "slurmstepd" in done.stdout and "resource-tracke" not in done.stdout and done.stdout.split()[-1] == "0"
    assert records.read() == {}


def test_a_tracked_task_has_the_figures_of_the_task(cluster, records, plugin, run):
    """The record is of the rank alone: its command, its CPU time, its end."""
    done = cluster.user("srun", "-n2", "-N2", f"--track={records.path}", "/usr/bin/python3", "-c",
                        "import time, sys\nwhile time.process_time() < 0.4: pass\nprint(time.process_time())\nsys.exit(7)")
    used = [float(line) for line in done.stdout.split()]
    assert done.returncode == 7 and len(used) == 2
    ranks = records.read()
    assert sorted(rank for _, rank, _ in ranks) == [0, 1]
    for lines in ranks.values():
        assert lines[0]["command"][0] == "/usr/bin/python3" and (ended(lines)["status"], ended(lines)["exit_code"]) == ("exited", 7)
    whole = json.loads(run("summary", records.path, "--json").stdout)
    assert sum(used) * 0.97 <= whole["totals"]["cpu_seconds"] <= sum(used) + 0.5


def test_tracking_is_handed_from_sbatch_to_its_steps(cluster, records, plugin):
    job, output = cluster.batch("srun -n2 sh -c 'env | grep -c ^RESOURCE_TRACKER_TRACK; true'; srun --track=off -n1 echo quiet",
                                f"--track={records.path}", "-n2")
    assert output == "0\n0\nquiet\n" and {(step, rank) for step, rank, _ in records.read()} == {(None, None), ("0", 0), ("0", 1)}


def test_off_records_no_task(cluster, records, plugin):
    done = cluster.user("srun", "-n1", f"--track={records.path}", "sh", "-c", "exit 5", env={"RESOURCE_TRACKER": "off"})
    assert done.returncode == 5 and records.read() == {}


@pytest.mark.parametrize("name, number", [("TERM", signal.SIGTERM), ("USR1", signal.SIGUSR1), ("KILL", signal.SIGKILL)])
def test_a_tracked_task_dies_of_its_signal(cluster, records, plugin, name, number):
    done = cluster.user("srun", "-n1", f"--track={records.path}", "sh", "-c", f"kill -{name} $$")
    plain = cluster.user("srun", "-n1", "sh", "-c", f"kill -{name} $$")
    assert done.returncode == plain.returncode
    ((_, lines),) = records.read().items()
    assert (ended(lines)["status"], ended(lines)["signal"]) == ("signaled", number)


@pytest.mark.parametrize("spoil", ["missing", "not a program", "crashes", "wrong folder"])
def test_a_broken_plugin_never_stops_a_job(cluster, records, plugin, spoil):
    whole = cluster.tracker.read_bytes()
    place = records.path / "file"
    place.write_text("")
    try:
        cluster.tracker.unlink()
        if spoil == "wrong folder":
            cluster.tracker.write_bytes(whole)
        elif spoil != "missing":
            cluster.tracker.write_text("no program" if spoil == "not a program" else "#!/bin/sh\nkill -SEGV $$\n")
        if cluster.tracker.exists():
            cluster.tracker.chmod(0o755)
        out = records.path / "out"
        done = cluster.user("srun", "-n1", f"--track={place if spoil == 'wrong folder' else records.path}", "sh", "-c",
                            f"echo ran > {out}; echo ran; exit 3")
    finally:
        cluster.tracker.unlink(missing_ok=True)
        cluster.tracker.write_bytes(whole)
        cluster.tracker.chmod(0o755)
    if spoil == "crashes":
        cluster.wait(lambda: out.exists() and out.read_text() == "ran\n", "the task, which its recorder left")
    else:
        assert (done.returncode, done.stdout) == (3, "ran\n"), done


def test_a_site_can_record_all_jobs(cluster, plugin):
    """By plugstack.conf alone; a user can still refuse."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="resource-tracker-slurm-") as folder:
        kept = pathlib.Path(folder, "work", "kept")
        site = slurm_cluster.Cluster(folder, f"optional {plugin} program={cluster.tracker} record={kept}/%j/ default=on\n")
        kept.mkdir()
        os.chown(kept, slurm_cluster.USER, slurm_cluster.USER)
        try:
            site.start()
            assert site.user("srun", "-n2", "true").returncode == 0
            assert site.user("srun", "-n1", "--track=off", "true").returncode == 0
            assert site.user("srun", "-n1", "true", env={"RESOURCE_TRACKER": "off"}).returncode == 0
            assert len([*kept.glob("1/*.jsonl")]) == 2 and len([*kept.iterdir()]) == 1
        finally:
            site.stop()
