"""truth.py - how close a value must be to the load's own figure, on a calm machine and on a busy one."""
import pytest

# On a calm machine a process's exit takes 0.1 ms; above this limit the kernel is slow here, or the machine is busy.
CALM_EXIT_SECONDS = 0.0003


def is_calm(truth, idle=0.0):
    """
    Whether the load had the CPUs that it needed, by its own clocks.  If not, it was switched off and on hundreds of
    times, each with cold caches, and the kernel's accounts disagree among themselves about the owner of this time.
    idle: the seconds for which it slept.
    """
    return truth["wall_seconds"] - idle <= 2 * truth["cpu_seconds"] + 0.5 and truth.get("exit_seconds", 0) <= CALM_EXIT_SECONDS


def interrupted(rows):
    """Seconds that interrupts and other virtual machines took from the CPUs: perf counts those of a task's time, no task uses them."""
    return sum(row["cpu"][f"{what}_seconds"] or 0 for row in rows for what in ("irq", "softirq", "steal"))


def room(truth, idle=0.0):
    """Seconds of CPU by which a figure can be off: 2 % or 20 ms, on a busy machine 5 % or 50 ms."""
    part = 0.02 if is_calm(truth, idle) else 0.05
    return max(part, part * truth["cpu_seconds"])


def cpu_near(truth, idle=0.0):
    """The load's CPU time, to compare with by ==.  Some loads know theirs as an interval."""
    low, high = (truth.get(f"cpu_{end}_seconds", truth["cpu_seconds"]) for end in ("low", "high"))
    return pytest.approx((low + high) / 2, abs=(high - low) / 2 + room(truth, idle))
