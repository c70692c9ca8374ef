"""test_top_ranks.py - `resource-tracker top DIR`: all ranks of a job while it goes on, as a person at a terminal sees them."""
import json
import os
import re
import subprocess
import time

import pytest

from processes import wait_for
from rank_records import START, record
from screen import Screen

MIB = 1 << 20
COLUMNS = ["process.cpu_cores", "process.pss_bytes", "process.run_delay_seconds"]
KINDS = {"process.run_delay_seconds": ("seconds", "amount")}


def columns(names=COLUMNS):
    return json.dumps({"columns": [[name, *KINDS.get(name, ("cores", "level"))] for name in names]}, separators=(",", ":")) + "\n"


def row(t, *values):
    return json.dumps(["r", float(t), 1.0, 1, list(values), None], separators=(",", ":")) + "\n"


def running(number, size, cores=0.5, memory=MIB, **more):
    """A rank on a machine that is not this one, whose newest row is of a moment ago."""
    more = {"node": f"n{number // 3}", "later": time.time() - START} | more
    return record(number, size=size, rows=columns() + row(1, cores, memory, 0.25), ended=False, **more)


def ended(number, size, exit_code=0, **more):
    return record(number, size=size, exit_code=exit_code, node=f"n{number // 3}", later=time.time() - START, **more)


def end_of(number, size):
    return ended(number, size).splitlines(True)[-1]


def append(path, text):
    with open(path, "a") as growing:
        growing.write(text)


@pytest.fixture
def folder(tmp_path):
    """Eight ranks on three nodes: 1 is over, 4 failed, 3 fell silent long ago, and 6 left nothing."""
    place = tmp_path / "job"
    place.mkdir()
    for number in (0, 2, 3, 5, 7):
        (place / f"{number}.jsonl").write_text(running(number, 8, cores=0.5 + number / 10, memory=(8 - number) * MIB))
    for number in (1, 4):
        (place / f"{number}.jsonl").write_text(ended(number, 8, exit_code=3 * (number == 4)))
    long_ago = time.time() - 1000
    os.utime(place / "3.jsonl", (long_ago, long_ago))
    return place


def ranks(view):
    """The first words of the rows of the table."""
    lines = view.text.split("\n")
    title = next(i for i, line in enumerate(lines) if "RANK" in line)
    return [line.split()[0] for line in lines[title + 1:-1] if line.strip()]


def leave(view):
    view.type("q")
    view.read_to_end()
    assert view.process.wait() == 0


def test_each_rank_and_the_sums(tracker, folder):
    with Screen([tracker, "top", folder], columns=100) as view:
        view.shows("^running 4, ok 1, failed 1, lost 1, no record 1 of 8 ranks on 3 nodes")
        view.shows("^lost 3 on n1; failed 4 .exit 3.; no record of 6$")
        view.shows(r"^slurm 7 ")
        # 0.5 + 0.7 + 1.0 + 1.2 cores; three nodes of 4 CPUs and 8 GiB for the job; 8 + 6 + 3 + 1 MiB
        view.shows(r"^CPU +3.40 of 12.0 cores, 28 %")
        view.shows(r"^Memory +18.0 MiB of 24.0 GiB limit")
        assert ranks(view) == ["0", "1", "2", "3", "4", "5", "7"]
        view.shows(r"^ +5 n1 .* 1.00 +3.00 MiB +0.25 +\d+ s")
        view.shows(r"^ +3 n1 +lost +17 min")
        view.shows(r"^ +4 n1 +exit 3")
        assert "peak" not in view.text
        leave(view)


def test_sorts(tracker, folder):
    with Screen([tracker, "top", folder]) as view:
        view.shows("lost 1")
        for key, title, order in (("c", "CPU↓", "7520134"), ("c", "CPU↑", "1340257"), ("m", "MEMORY↓", "0257134"),
                                  ("s", "STATE↓", "3402571"), ("r", "RANK↓", "0123457"), ("r", "RANK↑", "7543210"),
                                  ("n", "NODE↓", "0123457")):
            view.type(key)
            view.shows(title)
            # Ranks without the value are last, and reversed first; equal ones are in the order of their numbers.
            wait_for(lambda: "".join(ranks(view)) == order or view.more() and False, key)
        number, line = next((i, line) for i, line in enumerate(view.text.split("\n")) if "NODE" in line)
        view.type(f"\x1b[<0;{line.index('CPU') + 1};{number + 1}M")
        view.shows("CPU↓")
        leave(view)


def test_one_rank_and_back(tracker, folder):
    with Screen([tracker, "top", folder]) as view:
        view.shows("lost 1")
        view.type("\x1b[B\x1b[B\r")                     # the third
        view.shows(r"^running .* on n0, every")
        view.shows(r"^backspace all ranks  q leave")
        view.type("\x7f")
        view.shows("RANK↓")
        view.type("4")                                  # no other number begins so
        view.shows(r"^ended, status 3 after .* on n1")
        view.type("\x08")
        view.shows("RANK↓")
        view.type("9")
        view.shows("^rank 9_")
        view.type("\r\x7f5")
        view.shows("on n1, every")
        leave(view)


def test_a_number_that_others_begin_with(tracker, tmp_path):
    for number in (1, 10, 11):
        (tmp_path / f"{number}.jsonl").write_text(running(number, 12, node=f"node{number}"))
    with Screen([tracker, "top", tmp_path]) as view:
        view.shows("running 3")
        view.type("1")
        view.shows("^rank 1_  enter opens it")
        view.type("\r")
        view.shows(" on node1, every")
        view.type("\x7f")
        view.shows("RANK↓")
        view.type("11")
        view.shows(" on node11, every")
        leave(view)


def test_records_that_appear_and_end(tracker, tmp_path):
    with Screen([tracker, "top", tmp_path]) as view:
        view.shows("no record so far")
        (tmp_path / "0.jsonl").write_text(running(0, 2))
        view.shows("^running 1, no record 1 of 2 ranks on 1 node")
        view.shows(r"^ +0 n0 .* 0.50 +1.00 MiB")
        with open(tmp_path / "0.jsonl", "a") as growing:
            growing.write(row(2, 0.75, 2 * MIB, 0) + columns(["cpu.utilization_cores", *COLUMNS]) + row(3, 9, 1.25, 3 * MIB, 0)[:-5])
            growing.flush()
            view.shows(r"^ +0 n0 .* 0.75 +2.00 MiB")
            growing.write(row(3, 9, 1.25, 3 * MIB, 0)[-5:])
        view.shows(r"^ +0 n0 .* 1.25 +3.00 MiB")
        (tmp_path / "1.jsonl").write_text(running(1, 2))
        view.shows("^running 2 of 2 ranks")
        append(tmp_path / "1.jsonl", end_of(1, 2))
        view.shows("^running 1, ok 1 of 2 ranks")
        # The record of another start of the rank under the same name, which is longer than the old one.
        (tmp_path / "0.jsonl").write_text(running(0, 2, cores=3.25).replace('"id":"7-0-0"', '"id":"7-0-0-again"'))
        view.shows(r"^ +0 n0 .* 3.25 +1.00 MiB")
        (tmp_path / "0.jsonl").unlink()
        view.shows("^ok 1, lost 1 of 2 ranks")
        leave(view)


def test_a_pause_stops_the_view_alone(tracker, tmp_path):
    (tmp_path / "0.jsonl").write_text(running(0, 2))
    with Screen([tracker, "top", tmp_path]) as view:
        view.shows("running 1")
        view.type(" ")
        view.shows("paused")
        append(tmp_path / "0.jsonl", end_of(0, 2))
        view.type("?")
        view.shows("opens the marked rank")
        view.type("x")
        view.shows("^running 1, no record 1")
        view.type(" ")
        view.shows("^ok 1, no record 1")
        leave(view)


def test_what_is_no_rank(tracker, tmp_path):
    """Other files, another kind of file, one of an earlier attempt, one around the ranks, and another job."""
    (tmp_path / "0.jsonl").write_text(running(0, 1))
    (tmp_path / "old.jsonl").write_text(ended(0, 1, exit_code=1).replace(str(int(time.time()))[:6], "179349"))
    (tmp_path / "notes.jsonl").write_text("nothing\n")
    (tmp_path / "notes.txt").write_text("nothing\n")
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    with Screen([tracker, "top", tmp_path], columns=200) as view:
        view.shows("^running 1 of 1 rank on 1 node.*, earlier attempts 1, unreadable 3")
        (tmp_path / "other.jsonl").write_text(running(0, 1, job="8"))
        view.shows("has runs of several jobs .7, 8.: choose one with --job")
        assert ranks(view) == ["0"]
        leave(view)
    with Screen([tracker, "top", "--ranks", "--job", "8", "--directory", tmp_path]) as view:
        view.shows("^running 1 of 1 rank on 1 node")
        view.shows("^slurm 8")
        leave(view)


def test_every_size(tracker, folder):
    with Screen([tracker, "top", folder]) as view:
        for rows, width, pattern in ((100, 300, r"RANK.*REGION"), (10, 40, r"^q leave"), (5, 30, "too small"), (24, 80, "RANK.*REGION"),
                                     (50, 160, r"CPU .*Memory ")):
            view.resize(rows, width)
            view.shows(pattern)
        leave(view)


# ---- ranks of this machine ------------------------------------------------------------------------------

class Rank:
    """A recorded command as a rank of Slurm, which goes on until it is released."""

    def __init__(self, tracker, folder, number, command):
        self.hold = folder / f"hold{number}"
        os.mkfifo(self.hold)
        variables = {"SLURM_JOB_ID": "77", "SLURM_STEP_ID": "0", "SLURM_PROCID": str(number), "SLURM_STEP_NUM_TASKS": "2",
                     "SLURM_LOCALID": str(number), "SLURM_NODEID": "0", "SLURMD_NODENAME": "here"}
        self.process = subprocess.Popen([tracker, "--quiet", "-i", "0.2", "--record", f"{folder}/%j/", "--", *command(self.hold)],
                                        env={**os.environ, **variables}, stdout=subprocess.DEVNULL, start_new_session=True)

    def release(self):
        self.hold.write_text("\n")
        return self.process.wait()


def test_ranks_of_this_machine(tracker, loads, tmp_path):
    """Open regions, and the processes of one rank; a recorder that is killed is named."""
    one = Rank(tracker, tmp_path, 0, lambda hold: ["sh", "-c", f"exec {loads}/load_regions hold 0<> {hold}"])
    other = Rank(tracker, tmp_path, 1, lambda hold: ["sh", "-c", f"sleep 1000 & read x < {hold}; kill $!; exit 5"])
    place = tmp_path / "77"
    try:
        wait_for(lambda: place.exists() and len(list(place.iterdir())) == 2, "no records")
        with Screen([tracker, "top", place]) as view:
            view.shows("^running 2 of 2 ranks on 1 node")
            view.shows(r"^ +0 here .* outer/inner")
            view.type("1")
            view.shows(r"^sleep +1 ")
            view.type("\t")
            view.shows(r"^ *\d+ sleep ")
            view.type("\x7f")
            view.shows("RANK↓")
            assert other.release() == 5
            view.shows("^running 1, failed 1 of 2 ranks")
            one.process.kill()
            view.shows("^failed 1, lost 1 of 2 ranks")
            view.shows(r"^lost 0 on here; failed 1 \(exit 5\)")
            leave(view)
    finally:
        for rank in (one, other):
            rank.process.kill()
        # The program of the killed recorder goes on until its input has a line.
        descriptor = os.open(one.hold, os.O_RDWR)
        os.write(descriptor, b"\n")
        os.close(descriptor)


# ---- many ---------------------------------------------------------------------------------------------------

def read_bytes(process):
    return int(re.search(r"rchar: (\d+)", open(f"/proc/{process.pid}/io").read())[1])


def test_of_many_files_the_ends_alone_are_read(tracker, tmp_path):
    """A thousand records, a hundred of them of 2 MiB: what is read does not grow with their size."""
    long = "".join(row(i, 0.5, MIB, 0.25) for i in range(2, 50000))
    assert len(long) > 2 * MIB
    for number in range(1000):
        (tmp_path / f"{number}.jsonl").write_text(running(number, 1000) + (long if number < 100 else ""))
    for number in range(1000):                          # what is old would be lost
        os.utime(tmp_path / f"{number}.jsonl")
    with Screen([tracker, "top", tmp_path]) as view:
        view.shows("^running 1000 of 1000 ranks on 334 nodes")
        # Of a long one the first 16 KiB and 64 KiB at its ends, and as much for its columns; of a short one less than 2 KiB.
        first = read_bytes(view.process)
        assert first < 100 * (160 << 10) + 1000 * (8 << 10)
        view.type("\x1b[F")
        view.shows("^ +999 n333 ")
        append(tmp_path / "999.jsonl", row(50001, 2.5, MIB, 0))
        view.shows("^ +999 n333 +2.50 ")
        assert read_bytes(view.process) < first + (1 << 20)
        leave(view)


# ---- sentences ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("words, sentence", [
    (["--ranks", "--pid", "1"], "either the ranks of a job, --pid, or a command"),
    (["--ranks", "."], None), (["--ranks", "a", "b"], "give one folder of records"),
    (["--ranks", "--directory", "/nowhere"], "/nowhere"),
])
def test_says_what_is_wrong(tracker, tmp_path, words, sentence):
    with Screen([tracker, "top", *words], columns=300, cwd=tmp_path) as view:
        if sentence is None:
            view.shows("no record so far")
            leave(view)
            return
        view.read_to_end()
        assert view.process.wait() == 125 and sentence in view.text
