"""test_verify.py - resource-tracker verify from outside: the recorder beside loads of known use."""
import json
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import time

import jsonschema
import pytest

from processes import wait_for

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/reference/verify.schema.json").read_text())
QUICK = "steady,odd-names,memory"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """TMPDIR for the files of a verification."""
    path = tmp_path / "place"
    path.mkdir()
    monkeypatch.setenv("TMPDIR", str(path))
    return path


@pytest.fixture
def fake(tmp_path):
    """fake(text): a recorder that is this shell script; $record is the path of its record."""
    def make(text):
        path = tmp_path / "fake-recorder"
        path.write_text('#!/bin/sh\nrecord=\nwhile [ "$1" != -- ]; do [ "$1" = --record ] && record=$2; shift; done\nshift\n'
                        + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path
    return make


def figures_of(done):
    jsonschema.validate(json.loads(done.stdout), SCHEMA)
    return {(f["load"], f["quantity"]): f for f in json.loads(done.stdout)["figures"]}


def seen(verify, *arguments):
    """verify(*arguments): again if the recorder had no CPU for as long as a load was held."""
    while "no sample came while it" in " ".join((done := verify(*arguments)).stdout.split()):
        pass
    return done


def test_values_are_true(run, place):
    done = seen(run, "verify", "--json", "--only", QUICK, "-i", "0.2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert result["interval_seconds"] == 0.2 and result["broken"] == 0
    assert result["root"] == (os.geteuid() == 0)
    figures = figures_of(done)
    assert set(figures) == {("steady", "cpu_seconds"), ("odd-names", "cpu_seconds"),
                            ("memory", "peak_rss_bytes"), ("memory", "pss_bytes")}
    for figure in figures.values():
        assert figure["verdict"] == "ok" and figure["reason"] is None
        assert figure["truth_lower"] <= figure["truth"] <= figure["truth_upper"]
        assert figure["source"] and figure["truth"] > 0 and figure["reported"] > 0
    cost = result["cost"]
    # Linked statically it has less than 1 MiB resident, with the system's libc 2.3.
    assert 0 < cost["cpu_seconds"] < 0.2 * cost["recorded_seconds"] and 1 << 18 < cost["rss_bytes"] < 1 << 23
    assert cost["mmap_speed"] is None                   # only the whole verification measures that
    # The use requested of the loads, not that reported by them.
    assert 1.0 <= figures["steady", "cpu_seconds"]["truth"] < 1.2
    assert 200 << 20 <= figures["memory", "peak_rss_bytes"]["truth"] < 220 << 20
    assert list(place.iterdir()) == []


def test_table_for_people(run, place):
    done = run("verify", "--only", "steady")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\x1b" not in done.stdout and done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "one process computes for 1 s" in done.stdout
    assert "1 of 1 figures are within their bounds" in done.stdout


def test_disk_is_tested_if_there_is_one(run, place):
    done = run("verify", "--json", "--only", "file,direct")
    assert done.returncode == 0, done.stdout + done.stderr
    figures = figures_of(done)
    assert len(figures) == 3
    for figure in figures.values():
        assert figure["verdict"] in ("ok", "not_tested")
        if figure["verdict"] == "ok":
            assert figure["truth"] == 32 << 20


def without_a_value(figure):
    """A value reported as too uncertain, with bounds: that is not a failure, and the bounds are true."""
    return (figure["verdict"] == "not_measured" and figure["samples_without_value"] == figure["samples"] > 0
            and "bounds were too wide" in figure["reason"]
            and figure["reported_lower"] <= 1.005 * figure["truth"] and figure["truth"] <= 1.005 * figure["reported_upper"])


def test_pools_and_shared_maps(run, place):
    """Memory of one fork group has a true value, or none with the width of its bounds stated."""
    done = seen(run, "verify", "--json", "-i", "0.2", "--only", "pool-8,shared-map,leaderless")
    figures = figures_of(done)
    assert len(figures) == 5
    for (load, quantity), figure in figures.items():
        assert figure["verdict"] == "ok" or without_a_value(figure), figure
        assert (figure["samples"] is None) == (quantity != "pss_bytes")
    # The use requested of the loads: the whole counts once, and the smallest part of 9 processes counts 9 times.
    assert 200 << 20 < figures["pool-8", "pss_bytes"]["truth"] < 210 << 20
    assert 256 << 20 < figures["shared-map", "pss_bytes"]["truth"] < 266 << 20


def test_a_missing_value_gives_its_own_reason(run, place, fake, tracker):
    silent = fake(f'exec {tracker} --quiet -i 0.1 --pss never --record "$record" -- "$@"\n')
    done = seen(run, "verify", "--recorder", silent, "--json", "-i", "0.1", "--only", "shared")
    assert without_a_value(figures_of(done)["shared", "pss_bytes"]) and done.returncode == 0
    table = seen(run, "verify", "--recorder", silent, "-i", "0.1", "--only", "shared").stdout
    assert "not measured" in table and "its bounds were too wide for a value in each of the" in table


def test_an_attached_process_and_switches(run, place):
    done = run("verify", "--json", "-i", "0.2", "--only", "attached,switching")
    assert done.returncode == 0, done.stdout + done.stderr
    figures = figures_of(done)
    assert figures["attached", "peak_rss_bytes"]["truth"] > 550 << 20
    assert figures["switching", "context_switches"]["truth"] > 2000
    assert list(place.iterdir()) == []


def test_an_attached_recorder_that_fails_is_reported(run, place, tmp_path):
    """The load to which it should have attached does not wait for it for ever."""
    failing = tmp_path / "failing"
    failing.write_text("#!/bin/sh\necho oh no >&2\nexit 1\n")
    failing.chmod(0o755)
    done = run("verify", "--recorder", failing, "--json", "--only", "attached")
    assert done.returncode == 1
    assert "oh no" in figures_of(done)["attached", "peak_rss_bytes"]["reason"]
    assert list(place.iterdir()) == []


def test_programs_of_a_build(run, place):
    done = run("verify", "--json", "--only", "build,forkers")
    jsonschema.validate(json.loads(done.stdout), SCHEMA)
    all_figures = json.loads(done.stdout)["figures"]
    programs = {figure["program"]: figure for figure in all_figures if figure["quantity"] == "program_cpu_seconds"}
    assert set(programs) == {"preprocessor", "archiver", "assembler", "linker", "compiler"}
    for figure in all_figures:
        if figure["quantity"] == "processes_started":
            assert figure["verdict"] in ("ok", "not_measured"), figure
    for figure in programs.values():
        assert figure["verdict"] == "ok" or "belong to no program" in figure["reason"] or "had no room" in figure["reason"]
    whole = next(f["truth"] for f in all_figures if f["load"] == "build" and f["quantity"] == "cpu_seconds")
    assert 0.8 * whole < sum(figure["truth"] for figure in programs.values()) < whole


def test_without_perf(run, place):
    """Refused to the recorder as by a container; values of perf alone are not measured, and no other one is wrong."""
    done = run("verify", "--without-perf", "--json", "--only", "short-children,build")
    assert done.returncode == 0, done.stdout + done.stderr
    for figure in json.loads(done.stdout)["figures"]:
        if figure["quantity"] == "processes_started":
            assert figure["verdict"] == "not_measured" and "does not report here" in figure["reason"]
        else:
            assert figure["source"] != "perf"
    done = run("verify", "--without-perf", "--cpu-source", "perf", "--json", "--only", "steady")
    assert figures_of(done)["steady", "cpu_seconds"]["source"] != "perf"
    assert any("without perf (Operation not permitted)" in notice for notice in json.loads(done.stdout)["notices"])


def test_beside_busy_processes(run):
    done = run("verify", "--busy", 4, "--json", "--only", "steady,unwaited")
    result = json.loads(done.stdout)
    assert done.returncode == 0 and len(result["figures"]) >= 1
    assert all(figure["verdict"] in ("ok", "not_tested") for figure in result["figures"])
    for wrong in ("many", -1, 257):
        done = run("verify", "--busy", wrong)
        assert done.returncode == 125 and "--busy: " in done.stderr and "is not a whole number up to 256" in done.stderr


@pytest.mark.parametrize("word", ["VmHWM", "ru_maxrss"])
def test_the_record_names_the_source_of_a_peak(run, place, fake, tracker, word):
    """Regression: it was always VmHWM."""
    named = fake(f"""
        {tracker} --quiet --record "$record" -- "$@" || exit
        grep -q '"process.peak_rss_source":"' "$record" || exit 1
        sed -i 's/"process.peak_rss_source":"[^"]*"/"process.peak_rss_source":"{word}"/' "$record"
    """)
    done = run("verify", "--recorder", named, "--json", "--only", "spike")
    assert done.returncode == 0, done.stdout + done.stderr
    figure = figures_of(done)["spike", "peak_rss_bytes"]
    assert figure["source"] == word and figure["verdict"] == "ok"
    table = run("verify", "--recorder", named, "--only", "spike").stdout
    assert f"  {word}" in table and f"\n      {word}: the " in table


def assert_a_sample_saw(figures):
    """Every value that only a sample can see was seen; except for memory, its truth is not checked here."""
    assert len(figures) == 7
    for (load, _), figure in figures.items():
        if load in ("memory", "shared"):
            assert figure["verdict"] == "ok", json.dumps(figure)
        else:
            assert figure["verdict"] in ("ok", "broken") or "TCP connections" in figure["reason"], json.dumps(figure)


SEEN_ALIVE = "memory,shared,tcp,short-tcp"


def test_loads_outlive_a_long_interval(run, place):
    """Regression: values were "not measured" at any interval that was longer than the loads."""
    done = seen(run, "verify", "--json", "-i", "2500ms", "--only", SEEN_ALIVE)
    result = json.loads(done.stdout)
    assert result["interval_seconds"] == 2.5
    assert_a_sample_saw(figures_of(done))
    assert result["seconds"] > 2.5


def test_an_interval_is_shown_as_an_interval(run, place):
    """The owner of the sender's connections is unknown: the answer is not 0 B, wrong by 100 % and ok."""
    # In some runs a sample meets a connection that is open, or connections of others end meanwhile.
    figure = {"answer": None}
    while figure["answer"] != "interval":
        done = run("verify", "--json", "--only", "short-tcp")
        figure = figures_of(done)["short-tcp", "net_sent_bytes"]
        if said := [notice for notice in json.loads(done.stdout)["notices"] if "TCP" in notice]:
            pytest.skip(f"their ends are not seen here: {said[0]}")
    assert figure["verdict"] == "ok"
    assert figure["reported_lower"] <= figure["truth"] <= 1.005 * figure["reported_upper"]
    text = ""
    while "but not their owner" not in text:
        text = " ".join(run("verify", "--only", "short-tcp").stdout.split())
        assert "-100" not in text


def test_a_neighbours_connections_are_not_the_recorders_error(run, place, loads):
    """Regression: they turned a true, wide interval into a broken bound."""
    neighbour = subprocess.Popen([loads / "load_tcp", "--mib", "0", "--connections", "1000000", "--kib", "500", "--gap", "30",
                                  "--truth", "/dev/null"])
    wait_for(pathlib.Path(f"/proc/{neighbour.pid}/task/{neighbour.pid}/children").read_text, "it sends nothing")
    # It can be without a CPU all the time.
    figure = {"verdict": "ok"}
    while figure["verdict"] == "ok":
        figure = figures_of(seen(run, "verify", "--json", "--only", "short-tcp"))["short-tcp", "net_sent_bytes"]
    assert neighbour.poll() is None
    neighbour.kill()                    # and with it its sender
    neighbour.wait()
    assert figure["verdict"] == "not_measured" and "TCP connections" in figure["reason"], json.dumps(figure)
    assert figure["reported"] is None and figure["answer"] is None


def test_memory_is_not_a_disk(run, monkeypatch):
    if not os.path.ismount("/dev/shm") or not os.access("/dev/shm", os.W_OK):
        pytest.skip("no tmpfs to write to")
    monkeypatch.setenv("TMPDIR", "/dev/shm")
    done = run("verify", "--json", "--only", "file")
    assert done.returncode == 0
    figure = figures_of(done)["file", "disk_write_bytes"]
    assert figure["verdict"] == "not_tested" and "TMPDIR" in figure["reason"]


def test_no_false_notice_is_given(run, place):
    """A process during its exit is not another user's, nor a program that the kernel stopped following."""
    done = run("verify", "--json", "-i", "0.01", "--only", "short-children,unwaited-short,orphans")
    result = json.loads(done.stdout)
    assert not [notice for notice in result["notices"] if "another user" in notice or "do not follow" in notice]
    for figure in result["figures"]:
        if figure["quantity"] == "processes_started" and figure["verdict"] != "not_measured":
            assert figure["reported"] == figure["truth"]


def test_a_broken_bound_is_exit_1(run, place, fake, tracker):
    """A recorder that watches something else: the load uses 1 s of CPU, the record has next to nothing."""
    liar = fake(f'"$@" && exec {tracker} --quiet --record "$record" -- true\n')
    done = run("verify", "--recorder", liar, "--json", "--only", "steady")
    assert done.returncode == 1
    figure = figures_of(done)["steady", "cpu_seconds"]
    assert figure["verdict"] == "broken" and figure["error_pct"] < -90
    done = run("verify", "--recorder", liar, "--only", "steady")
    assert done.returncode == 1 and "BAD" in done.stdout and "0 of 1 figures" in done.stdout


def test_a_source_that_misses_processes_is_found(run, place):
    """The real recorder, with a source that misses children that are not waited for."""
    done = run("verify", "--json", "--cpu-source", "ledger", "--only", "unwaited,steady")
    assert done.returncode == 1, done.stdout + done.stderr
    figures = figures_of(done)
    assert figures["steady", "cpu_seconds"]["verdict"] == "ok"
    unwaited = figures["unwaited", "cpu_seconds"]
    assert unwaited["verdict"] == "broken" and unwaited["source"] == "ledger" and "does not see children" in unwaited["reason"]
    # Its bounds are true.
    assert unwaited["reported_lower"] <= unwaited["truth_upper"]
    assert unwaited["reported_upper"] >= unwaited["truth_lower"]


@pytest.mark.parametrize("script, said", [("exit 3\n", "without a word"), ("kill -9 $$\n", "signal 9"),
                                          ('"$@"\n', "record"), ('"$@"; echo text > "$record"\n', "record"),
                                          ("echo oh no >&2; exit 1\n", "oh no")])
def test_a_recorder_that_fails_is_broken(run, place, fake, script, said):
    done = run("verify", "--recorder", fake(script), "--json", "--only", "steady")
    assert done.returncode == 1, done.stderr
    assert said in figures_of(done)["steady", "cpu_seconds"]["reason"]
    assert list(place.iterdir()) == []


def test_a_refusal_of_the_recorder_is_reported_once(run, place):
    done = run("verify", "-i", "0")
    assert done.returncode == 125 and done.stdout == ""
    assert "too short" in done.stderr and len(done.stderr.splitlines()) == 1
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("arguments, said", [(["--only", "stedy"], "did you mean steady?"), (["--jsn"], "--help"),
                                             (["-i"], "wants a value"), (["--json=1"], "takes no value"),
                                             (["--recorder", "/nonexistent"], "/nonexistent")])
def test_mistakes_give_one_sentence(run, place, arguments, said):
    done = run("verify", *arguments)
    assert done.returncode == 125 and done.stdout == ""
    assert said in done.stderr and len(done.stderr.splitlines()) == 1


def test_place_that_cannot_be_written(run, monkeypatch):
    monkeypatch.setenv("TMPDIR", "/nonexistent")
    done = run("verify", "--only", "steady")
    assert done.returncode == 125 and "TMPDIR" in done.stderr


def test_settings_of_the_caller_do_not_affect_it(run, place, tmp_path, monkeypatch):
    """Neither variables nor a config file of the caller's job."""
    (tmp_path / "resource-tracker.toml").write_text('[tracker]\nwithout = "process"\n')
    monkeypatch.setenv("RESOURCE_TRACKER_WITHOUT", "process")
    monkeypatch.setenv("TRACKER_JOB_NAME", "mine")
    done = run("verify", "--only", "steady", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_interrupt_leaves_no_file(tracker, place):
    before = set(os.listdir("/proc"))
    verify = subprocess.Popen([tracker, "verify", "--only", "memory", "-i", "60"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True)
    wait_for(lambda: list(place.glob("*/record")), "a record is being written")
    verify.send_signal(signal.SIGTERM)
    out, err = verify.communicate()
    assert verify.returncode == -signal.SIGTERM and out == b""
    assert list(place.iterdir()) == []

    def in_session():
        for pid in os.listdir("/proc"):
            try:
                if pid.isdigit() and pid not in before and os.getsid(int(pid)) == verify.pid:
                    return True
            except (ProcessLookupError, PermissionError):
                pass
        return False
    wait_for(lambda: not in_session(), "all processes of it are gone")


@pytest.fixture
def run_as_other_user(tracker):
    """run_as_other_user(*arguments): verify as another user; files left below its TMPDIR are an error."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or not setpriv:
        pytest.skip("needs root to become somebody else")
    # A folder that every user can pass: the build can lie below a folder that only root can pass.
    home = pathlib.Path("/var/tmp") / f"verify-{os.getpid()}-{time.monotonic_ns()}"
    home.mkdir()
    try:
        for name in ("resource-tracker", "resource-tracker-verify"):
            shutil.copy(tracker.parent / name, home / name)
        (home / "place").mkdir()
        home.chmod(0o755)
        os.chown(home / "place", 65534, 65534)

        def run(*arguments):
            words = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", home / "resource-tracker", "verify"]
            return subprocess.run([*words, *arguments], capture_output=True, text=True, cwd="/",
                                  env=dict(os.environ, TMPDIR=str(home / "place"), HOME="/"))
        yield run
        assert list((home / "place").iterdir()) == []
    finally:
        shutil.rmtree(home)


def test_as_an_ordinary_user(run_as_other_user):
    done = seen(run_as_other_user, "--json", "-i", "0.05", "--only", QUICK + ",orphans")
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout)
    assert result["root"] is False
    # A process that ends belongs to root for a moment, before it is a zombie: it is not another user's.
    assert not [notice for notice in result["notices"] if "another user" in notice]


def test_loads_outlive_a_long_interval_of_an_ordinary_user(run_as_other_user):
    done = seen(run_as_other_user, "--json", "-i", "2.5", "--only", SEEN_ALIVE)
    assert json.loads(done.stdout)["root"] is False
    assert_a_sample_saw(figures_of(done))


def test_it_measures_its_cost(run, place):
    """The whole verification, once: all that can be measured here is measured, with the job's waits."""
    done = run("verify", "--json", "-i", "0.5")
    assert done.returncode in (0, 1), done.stderr       # test_accuracy.py checks accuracy
    figures, cost = figures_of(done), json.loads(done.stdout)["cost"]
    assert {load for load, _ in figures} == {line.split()[0] for line in run("verify", "--list").stdout.splitlines()}
    assert all(figure["verdict"] != "broken" for figure in figures.values() if figure["quantity"] == "peak_rss_bytes")
    assert cost["start_delay_seconds"] is not None and cost["end_delay_seconds"] is not None
    assert cost["longest_mmap_seconds"] > 0 and cost["longest_mmap_without_seconds"] > 0
    assert cost["mmap_speed"] > 0


def test_names_of_the_tests(run):
    done = run("verify", "--list")
    assert done.returncode == 0
    names = [line.split()[0] for line in done.stdout.splitlines()]
    assert len(set(names)) == len(names) and {"steady", "unwaited", "spike", "tcp"} <= set(names)
    text = run("verify", "--help").stdout
    assert text.startswith("Usage:") and "-i 10s" in text and max(map(len, text.splitlines())) <= 80
