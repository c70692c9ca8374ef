"""conftest.py - what all tests in Python share: the one limit of time, which catches what hangs."""
import signal

import pytest

# Of one test, with its fixtures.  A test waits for what happened and states no limit of its own: on a machine with
# sixteen busy processes beside, or under a sanitizer, the longest takes minutes.
ENOUGH_SECONDS = 900


def pytest_configure():
    """What the caller ignores or blocks (`nohup make check &`) the tests would hand on to all that they start."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCHLD, signal.SIGTSTP,
                   signal.SIGTTIN, signal.SIGTTOU):
        signal.signal(number, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def enough_time():
    """The test fails where it waits, so the report shows for what."""
    def hangs(*_):
        pytest.fail(f"not over in {ENOUGH_SECONDS} s")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(ENOUGH_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
