"""test_programs.py - the use of each program, with short-lived processes, compared with wait4 of their parent."""
import json
import os
import shutil
import subprocess
import sys

import pytest

# Runs short commands of several programs, some in parallel, and writes the use and the number of each.
LAUNCHER = """
import json, os, random, sys
folder, beside, unwaited = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "unwaited"
kinds = {"tiny": ([], 1570), "zip": (["-c", folder + "/data"], 190), "lister": (["-lR", "/usr/include/linux"], 120),
         "snake": (["-S", "-E", "-c", "pass"], 60), "holder": (["--rss", "30", "--hold", "0"], 60)}
jobs = [name for name, (_, number) in kinds.items() for _ in range(number)]
random.Random(1).shuffle(jobs)
null, running, truth = os.open("/dev/null", os.O_RDWR), {}, {name: 0 for name in kinds}
def reap():
    pid, _, usage = os.wait4(-1, 0)
    truth[running.pop(pid)] += usage.ru_utime + usage.ru_stime
for name in jobs:
    if len(running) == beside: reap()
    path = f"{folder}/{name}"
    pid = os.posix_spawn(path, [path, *kinds[name][0]], {}, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    running[pid] = name
while running: reap()
json.dump(truth, open(folder + "/truth", "w"))
"""


TOTALS = ("cpu_seconds", "unaccounted_cpu_seconds", "cpu_user_seconds", "cpu_system_seconds", "lost_records")
LOST = "the recorder got no CPU for so long that the kernel had no room for all records, as it says"


@pytest.fixture
def short_commands(tmp_path, loads):
    for name, of in {"tiny": "/bin/true", "zip": "/bin/gzip", "lister": "/bin/ls", "snake": os.path.realpath("/usr/bin/python3"),
                     "holder": loads / "load_memory"}.items():
        shutil.copy(shutil.which(of), tmp_path / name)
    (tmp_path / "data").write_bytes(os.urandom(150000))
    return tmp_path


@pytest.fixture
def recorded(recorded_end):
    """
    recorded(*command, options=()): CPU seconds by program, those of all, and how processes were found.  `taken` is what
    interrupts and other virtual machines took from the CPUs: perf counts it as a task's time, its parent's wait4 does not.
    """
    def around(*command, options=()):
        end, membership = recorded_end(*command, options=options)
        programs = {row["key"]: row["cpu_seconds"][2] for row in end["tables"]["program"] if row.get("cpu_seconds")}
        total = {name: (end["statistics"].get(f"process.{name}") or [0, 0, 0])[2] for name in TOTALS}
        if membership == "perf" and total["lost_records"]:
            pytest.skip(LOST)
        total["taken"] = sum(end["statistics"][f"cpu.{what}_seconds"][2] or 0 for what in ("irq", "softirq", "steal"))
        return programs, total, membership
    return around


@pytest.mark.parametrize("beside", [1, 3])
@pytest.mark.parametrize("options", [("-i", 1), ("-i", 60), ("-i", 0.2, "--cpu-source", "perf")], ids=["1s", "60s", "perf"])
def test_short_commands_count_for_their_programs(recorded, short_commands, beside, options):
    programs, total, membership = recorded(sys.executable, "-S", "-c", LAUNCHER, short_commands, beside, "waited", options=options)
    if membership != "perf":
        pytest.skip("the kernel does not tell us of forks here")
    truth = json.loads((short_commands / "truth").read_text())
    all_of_them, taken = sum(truth.values()), total["taken"]
    for name, seconds in truth.items():
        assert abs(programs[name] - seconds) < 0.05 * all_of_them + taken, (name, programs, truth, taken)
        assert 0.8 * seconds < programs[name] < 1.2 * seconds + taken, (name, programs, truth, taken)
    # What the kernel does for a process after perf's record of its end, by wait4: on a slow machine that is more.
    lacking = all_of_them - sum(programs[name] for name in truth)
    assert total["unaccounted_cpu_seconds"] < max(lacking, 0) + 0.02 * total["cpu_seconds"] + taken, (programs, truth, total)


UNWAITED = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for i in range(100):
    pid = os.posix_spawn(sys.argv[1], [sys.argv[1], "--threads", "1", "--seconds", "0.005"], {})
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.001)
"""


@pytest.mark.parametrize("source", ["perf", "auto"])
def test_children_not_waited_for_are_in_user_and_system_time(recorded, tmp_path, loads, source):
    """A reader of utime + stime of the CSV gets all of it: the ledger alone sees an eighth."""
    shutil.copy(loads / "load_cpu", tmp_path / "burner")
    programs, total, membership = recorded(sys.executable, "-S", "-c", UNWAITED, tmp_path / "burner",
                                           options=("-i", 0.5, "--cpu-source", source))
    both = total["cpu_user_seconds"] + total["cpu_system_seconds"]
    assert both == pytest.approx(total["cpu_seconds"], abs=1e-4)
    if membership == "perf":
        assert total["cpu_seconds"] > 0.5 and programs["burner"] > 0.5
        assert sum(programs.values()) == pytest.approx(total["cpu_seconds"], rel=0.05)


# Runs the program of its own name in the folder "real", waits for it and writes down the use of both.
STAND_IN = r"""
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

static double used(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv, char **environment)
{
	const char *name = strrchr(argv[0], '/') + 1;
	char path[PATH_MAX], real[PATH_MAX] = "", line[200];
	int status = -1, truth = open(FOLDER "/truth", O_WRONLY | O_APPEND | O_CREAT, 0600);
	pid_t pid;

	snprintf(path, sizeof path, FOLDER "/real/%s", name);
	if (readlink(path, real, sizeof real - 1) < 0 || argc < 1)
		return 99;
	argv[0] = real;                         /* gcc finds its parts by it */
	if (posix_spawn(&pid, path, NULL, NULL, argv, environment) || waitpid(pid, &status, 0) != pid || status)
		return 99;
	int n = snprintf(line, sizeof line, "%s %.6f\n", name, used(RUSAGE_SELF) + used(RUSAGE_CHILDREN));
	return write(truth, line, n) == n ? 0 : 99;
}
"""
PARTS = {"gcc": ["cc1", "as", "collect2"], "cc1": [], "as": [], "collect2": ["ld"], "ld": []}


@pytest.fixture
def compilation(tmp_path):
    """A folder with a Makefile of 24 files; stand-ins for the programs of gcc wait for them and write their use."""
    (tmp_path / "real").mkdir()
    (tmp_path / "stand_in.c").write_text(f'#define FOLDER "{tmp_path}"\n{STAND_IN}')
    subprocess.run(["gcc", "-O1", "-static", "-o", tmp_path / "stand_in", tmp_path / "stand_in.c"], check=True)
    for name in PARTS:
        found = subprocess.run(["gcc", f"-print-prog-name={name}"], check=True, capture_output=True, text=True).stdout.strip()
        os.symlink(shutil.which(found), tmp_path / "real" / name)
        shutil.copy(tmp_path / "stand_in", tmp_path / name)
    for i in range(24):
        (tmp_path / f"f{i}.c").write_text(f"#include <stdio.h>\nint f{i}(int a) {{ return printf(\"%d\", a + {i}); }}\n" * 1)
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    objects = " ".join(f"f{i}.o" for i in range(24))
    (tmp_path / "Makefile").write_text(
        f"all: {objects}; {tmp_path}/gcc -B {tmp_path}/ -o all {objects} main.c\n"
        f"%.o: %.c; @{tmp_path}/gcc -B {tmp_path}/ -O2 -c -o $@ $<\n")
    return tmp_path


@pytest.mark.parametrize("source", ["auto", "perf"])
def test_programs_of_a_make(recorded, compilation, source):
    programs, total, membership = recorded("make", "-s", "-j2", "-C", compilation, options=("-i", 0.5, "--cpu-source", source))
    if membership != "perf":
        pytest.skip("the kernel does not tell us of forks here")
    with_parts = dict.fromkeys(PARTS, 0.0)
    for line in (compilation / "truth").read_text().splitlines():
        name, seconds = line.split()
        with_parts[name] += float(seconds)
    truth = {name: with_parts[name] - sum(with_parts[part] for part in parts) for name, parts in PARTS.items()}
    for name, seconds in truth.items():
        assert abs(programs[name] - seconds) < 0.05 * total["cpu_seconds"] + total["taken"], (name, programs, truth, total)
