"""
The plugin of pytest: what each test uses, and limits of it.  docs/howto/pytest.md

This module is loaded with every pytest; all else only if an option or a mark asks for it.
"""
from __future__ import annotations          # pytest before 7 has not all of these names

from typing import List

import pytest

NAME = "resource-tracker-tests"
MARKS = {
    "limit_memory": 'limit_memory("200 MiB"): the test fails if it used more memory than this beyond what there was at its begin',
    "limit_cpu": "limit_cpu(seconds): the test fails if it used more CPU time, with threads and children",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("resource-tracker", "CPU time and memory of tests")
    group.addoption("--resource-tracker", action="store_true", help="show the tests that used most; all of them with -v")
    group.addoption("--resource-tracker-baseline", metavar="FILE", help="fail tests that use more than FILE says")
    group.addoption("--resource-tracker-update-baseline", action="store_true", help="write what tests use to that file instead")
    group.addoption("--resource-tracker-tolerance", metavar="PERCENT", type=float, default=25.0,
                    help="of what the baseline says, by default 25")


def _register(config: pytest.Config) -> None:
    from ._tests import Tests

    config.pluginmanager.register(Tests(config), NAME)


def pytest_configure(config: pytest.Config) -> None:
    for line in MARKS.values():
        config.addinivalue_line("markers", line)
    option = config.option
    if option.resource_tracker or option.resource_tracker_baseline or option.resource_tracker_update_baseline:
        _register(config)


def pytest_collection_finish(session: pytest.Session) -> None:
    items: List[pytest.Item] = session.items
    is_there = session.config.pluginmanager.has_plugin(NAME)
    if not is_there and any(mark.name in MARKS for item in items for mark in item.iter_markers()):
        _register(session.config)
