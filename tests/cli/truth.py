"""truth.py - how near a figure must be to what a load says of itself, on a calm machine and on a busy one."""
import pytest

# What a process's exit costs on a calm machine is 0.1 ms; beyond this the kernel is slow here, or the machine is busy.
CALM_EXIT_SECONDS = 0.0003


def is_calm(truth, idle=0.0):
    """
    Whether the load had the CPUs that it asked for, by its own clocks.  Else it was switched off and on hundreds of
    times, each with cold caches, and where this time belongs the kernel's accounts do not agree among themselves.
    idle: the seconds for which it slept.
    """
    return truth["wall_seconds"] - idle <= 2 * truth["cpu_seconds"] + 0.5 and truth.get("exit_seconds", 0) <= CALM_EXIT_SECONDS


def room(truth, idle=0.0):
    """Seconds of CPU that a figure may be off: 2 % or 20 ms, on a busy machine 5 % or 50 ms."""
    part = 0.02 if is_calm(truth, idle) else 0.05
    return max(part, part * truth["cpu_seconds"])


def cpu_near(truth, idle=0.0):
    """The load's CPU time, to compare with by ==.  Some loads know theirs as an interval."""
    low, high = (truth.get(f"cpu_{end}_seconds", truth["cpu_seconds"]) for end in ("low", "high"))
    return pytest.approx((low + high) / 2, abs=(high - low) / 2 + room(truth, idle))
