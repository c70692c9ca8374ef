"""test_machine.py - single questions: the machine, and a tree of processes."""
import os


def test_the_machine(python):
    cpus, memory, has_rate, rate, disks, timestamp = python("""
now, later = resource_tracker.machine(), resource_tracker.machine(seconds=0.05)
show(now["cpu.count"], now["memory.total_bytes"], "cpu.user_seconds" in now, "cpu.user_seconds" in later, "disk" in now.tables,
     abs(now.timestamp - time.time()) < 3600)
""")
    assert cpus == os.cpu_count() and memory == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert (has_rate, rate, disks, timestamp) == (False, True, True, True)


def test_a_tree(python):
    alone, both, used, sentence = python("""
import subprocess
show(resource_tracker.tree()["process.count"])
child = subprocess.Popen(["sleep", "600"])
show(resource_tracker.tree(os.getpid())["process.count"])
child.kill(); child.wait()
show(resource_tracker.tree(seconds=0.01)["process.cpu_seconds"] >= 0)
try:
    resource_tracker.tree(2 ** 22 + 99)
except resource_tracker.ResourceTrackerError as error:
    show(str(error))
""")
    assert (alone, both, used) == (1, 2, True) and sentence == "there is no process 4194403"


def test_other_threads_run_meanwhile(python):
    """A sample lets go of the GIL: with so long a switch interval another thread runs only where it is given away."""
    ran, = python("""
import threading
from resource_tracker import _library
tracker, ran, go = _library.Tracker(()), [], threading.Lock()
go.acquire()
def waits():
    go.acquire()
    ran.append(True)
thread = threading.Thread(target=waits)
thread.start()
sys.setswitchinterval(1000)
go.release()
for _ in range(5000):
    if not ran: tracker.sample()
sys.setswitchinterval(0.005)
show(bool(ran))
thread.join()
""")
    assert ran


def test_objects_are_used_as_they_can_be(python):
    assert python("""
from resource_tracker import _library
tracker = _library.Tracker([os.getpid()])
for call in (lambda: tracker.__init__(()), lambda: _library.Tracker(("a",)), lambda: _library.Tracker(3),
             lambda: _library.Record("/nosuch", "total"), lambda: _library.Record("/dev/null", "total")):
    try:
        call()
    except Exception as error:
        show(type(error).__name__)
if os.fork() == 0:
    try:
        tracker.sample()
    except OSError as error:
        show(type(error).__name__)
    os._exit(0)
os.wait()
""") == ["TypeError", "TypeError", "TypeError", "FileNotFoundError", "OSError", "ChildProcessError"]
