"""The part of pytest's plugin that measures tests: limits, a baseline, and the tests that used most."""
from __future__ import annotations          # pytest before 7 has not all of these names

import os
from typing import Any, Callable, Dict, Generator, List, Optional, TypeVar

import pytest

from . import _baseline
from ._figures import bytes_text, seconds_text
from ._limits import Limits, exceeded, limits_of
from ._meter import Meter, Used

MOST_TESTS = 10                         # of a list at the end
ATTRIBUTE = "resource_tracker"          # of a report: goes with it from a process of xdist to the one that reports


_Function = TypeVar("_Function", bound=Callable[..., Any])


def _hook(**how: bool) -> Callable[[_Function], _Function]:
    """pytest.hookimpl, which not every version has types for."""
    mark: Callable[[_Function], _Function] = pytest.hookimpl(**how)
    return mark


class Tests:
    """
    The call of each test is measured, without its fixtures, in the process that runs it.  Of several processes (xdist)
    each has its own; the one that starts them has all reports, and writes.
    """

    def __init__(self, config: pytest.Config) -> None:
        option = config.option
        self._is_worker = hasattr(config, "workerinput")
        self._is_shown = bool(option.resource_tracker)
        self._tolerance = float(option.resource_tracker_tolerance)
        self._meter = Meter()
        self._limits = Limits(None, None)
        self._last: Optional[Used] = None               # of the test that runs, once it has ended
        self._used: Dict[str, Used] = {}
        self._passed: Dict[str, Used] = {}
        self._failure = ""
        self._baseline: Dict[str, Used] = {}
        self._path: Optional[str] = option.resource_tracker_baseline
        self._updates = bool(option.resource_tracker_update_baseline)
        if self._path:
            # Processes of xdist get the option as it is then, and are in other folders.
            self._path = option.resource_tracker_baseline = os.path.join(str(config.invocation_params.dir), self._path)
        elif self._updates:
            raise pytest.UsageError("--resource-tracker-update-baseline: --resource-tracker-baseline names the file")
        if not 0 <= self._tolerance < float("inf"):
            raise pytest.UsageError("--resource-tracker-tolerance: a number of percent, 0 or more")
        self._read()

    def _read(self) -> None:
        if not self._path or (self._updates and not os.path.exists(self._path)):
            return
        try:
            self._baseline = _baseline.read(self._path)
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None

    # ---- a test ---------------------------------------------------------------------------------------

    @_hook(trylast=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """After its fixtures are set up."""
        try:
            self._limits = limits_of(item)
        except ValueError as error:
            pytest.fail(str(error), pytrace=False)
        self._last = None
        self._meter.begin()

    @_hook(trylast=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        """After the test itself, if it passed: one that used too much fails as any other."""
        used = self._meter.end()
        if used is None:
            return
        self._last = used
        sentences = exceeded(self._limits, used)
        if item.nodeid in self._baseline and not self._updates:
            sentences += _baseline.regressions(self._baseline[item.nodeid], used, self._tolerance)
        if sentences:
            pytest.fail("\n".join(sentences), pytrace=False)

    @_hook(hookwrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
        used = (self._meter.end() or self._last) if call.when == "call" else None
        outcome = yield
        if used:
            setattr(outcome.get_result(), ATTRIBUTE, list(used))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        used = getattr(report, ATTRIBUTE, None)
        if used and not report.skipped:
            self._used[report.nodeid] = Used(*used)
            if report.passed:
                self._passed[report.nodeid] = Used(*used)

    # ---- the end --------------------------------------------------------------------------------------

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self._updates or self._is_worker or not self._path:
            return
        try:
            _baseline.write(self._path, {**self._baseline, **self._passed})
        except OSError as error:
            self._failure = f"the baseline {self._path} cannot be written: {error.strerror}"
            if not session.exitstatus:
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_unconfigure(self) -> None:
        self._meter.close()

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        write = terminalreporter.write_line
        if self._is_shown and self._used:
            self._show(terminalreporter)
        if self._failure:
            write(f"resource-tracker: {self._failure}", red=True)
        elif self._updates:
            write(f"resource-tracker: {self._path} has what {_tests(len(self._passed))} used")
        elif self._path:
            new = sum(name not in self._baseline for name in self._used)
            if new:
                write(f"resource-tracker: {_tests(new)} of {len(self._used)} not in the baseline")

    def _show(self, reporter: Any) -> None:
        count = len(self._used)
        if reporter.verbosity > 0 or count <= MOST_TESTS:
            self._table(reporter, f"resource use of {_tests(count)}", lambda used: used.cpu_seconds, count)
            return
        for noun, key in (("CPU time", lambda used: used.cpu_seconds), ("memory", lambda used: used.memory_bytes)):
            self._table(reporter, f"resource use of {_tests(count)}: most {noun}", key, MOST_TESTS)

    def _table(self, reporter: Any, title: str, key: Callable[[Used], float], most: int) -> None:
        reporter.write_sep("=", title)
        reporter.write_line(f"{'CPU time':>12} {'memory':>11} {'time':>12}  test")
        rows: List[str] = sorted(self._used, key=lambda name: (-key(self._used[name]), name))
        for name in rows[:most]:
            used = self._used[name]
            reporter.write_line(f"{seconds_text(used.cpu_seconds):>12} {'+' + bytes_text(used.memory_bytes):>11} "
                                f"{seconds_text(used.seconds):>12}  {name}")


def _tests(count: int) -> str:
    return "1 test" if count == 1 else f"{count} tests"
