"""test_package.py - the R package: R CMD check has nothing to say, and what track() reports is the truth."""
import os
import re
import sys
import tarfile

import pytest

from conftest import ROOT, build

sys.path.insert(0, str(ROOT / "tests/cli"))
from screen import Screen  # noqa: E402

# The use of this process by the kernel's accounts, of all its threads and the children that it waited for.
TRUTH = """
used <- function() sum(proc.time()[c(1, 2, 4, 5)])
burn <- function(seconds) { end <- sum(proc.time()[1:2]) + seconds; while (sum(proc.time()[1:2]) < end) sum(sqrt(1:9999)) }
"""


def test_the_check_is_clean(checked):
    log = (checked / "00check.log").read_text()
    bad = re.findall(r"^\* checking .*\.\.\. (?:WARNING|ERROR|NOTE)$(?:\n(?!\*).*)*", log, re.M)
    failed = [path.read_text()[-6000:] for path in checked.glob("tests/*.fail")]
    assert bad == [] and failed == []
    assert re.search(r"^Status: OK$", log, re.M), log[-3000:]


def test_all_tests_of_the_package_ran(checked, page):
    """Those that need the page of the report are skipped where it could not be bundled, no others."""
    said = (checked / "tests/testthat.Rout").read_text()
    failed, skipped, passed = map(int, re.search(r"\[ FAIL (\d+) \| WARN \d+ \| SKIP (\d+) \| PASS (\d+) \]", said).groups())
    assert failed == 0 and skipped == (0 if page else 2) and passed > 100


def test_cpu_time_and_memory_are_the_truth(rscript):
    """CPU time from the expression's, less 2 % or 30 ms, to that with what begins and ends the run, from which perf's count may
    differ by interrupts (cpu-time.md) but its lower bound may not; memory between the vector's and the process's."""
    found, lower, within, around, vector, peak, high = map(float, rscript(TRUTH + """
burn(0.3)                       # before: not of the run
before <- used()
run <- track({
    begin <- used()
    kept <- rep(1, 200 * 2^17)
    burn(1)
    system2("sh", c("-c", shQuote("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done")))
    used() - begin
}, interval = 0.1)
around <- used() - before
burn(0.3)
high <- as.numeric(gsub("[^0-9]", "", grep("^VmHWM", readLines("/proc/self/status"), value = TRUE))) * 1024
lower <- sum(run$samples[["process.cpu_lower_seconds"]])
cat(summary(run)[["cpu_time"]], lower, run$value, around, object.size(kept), run$peak_memory, high, sep = "\\n")
"""))
    assert within - max(0.02 * within, 0.03) <= found <= 1.2 * around
    assert 0.5 * around <= lower <= around + 0.005          # four clocks, each in whole ms
    assert vector <= peak <= high * 1.02
    assert vector == pytest.approx(200 << 20, rel=0.01)


def test_the_programs_find_each_other(checked, settings, tmp_path):
    """`top` finds the recorder that it starts around the command, and is found by it."""
    hold = tmp_path / "hold"
    os.mkfifo(hold)
    with Screen([checked / "resourcetracker/bin/resource-tracker", "top", "--", "sh", "-c", "read x < hold; exit 4"], cwd=tmp_path,
                env={**settings, "TERM": "xterm-256color"}) as view:
        view.shows("^running")
        hold.write_text("")
        view.shows("^ended, status 4")
        view.type("q")
        view.read_to_end()
        assert view.process.wait() == 4


def test_what_is_in_it(package, page):
    """The C sources of this tree and what R wants; the version is the library's."""
    version = ".".join(re.findall(r"^#define RT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$",
                                  (ROOT / "include/resource_tracker.h").read_text(), re.M))
    assert package.name == f"resourcetracker_{version}.tar.gz"
    with tarfile.open(package) as archive:
        names = set(archive.getnames())
        description = archive.extractfile("resourcetracker/DESCRIPTION").read().decode()
    assert f"Version: {version}\n" in description
    assert {"resourcetracker/src/Makevars", "resourcetracker/src/tracker/include/resource_tracker.h",
            "resourcetracker/src/tracker/src/core/json_read.c", "resourcetracker/LICENSE"} <= names
    assert ("resourcetracker/src/tracker/report.html" in names) == bool(page)
    assert not (ROOT / "r/src/Makevars").exists() and not (ROOT / "r/src/tracker").exists()


def test_the_same_input_gives_the_same_bytes(package, page, tmp_path):
    assert build(tmp_path, page).read_bytes() == package.read_bytes()


def test_without_a_recorder_the_error_says_what_to_install(checked, rscript, tmp_path):
    """A package of which the programs are missing, and nothing on PATH."""
    bundled = checked / "resourcetracker/bin"
    aside = tmp_path / "bin"
    bundled.rename(aside)
    try:
        said = rscript("Sys.setenv(PATH = '/nonexistent')\n"
                       "cat(tryCatch(track(1), resource_tracker_error = conditionMessage))\n")
    finally:
        aside.rename(bundled)
    assert said == ["resource-tracker is neither in the R package nor on PATH: install the R package from its sources, "
                    "or the recorder (Debian package resource-tracker)"]
