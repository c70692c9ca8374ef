"""What a part of this process uses, from begin() to end(): exact where the kernel keeps an account, else sampled."""
import os
import resource
import threading
import time
from typing import NamedTuple, Optional, Tuple

from ._extension import library as _library

INTERVAL_SECONDS = 0.05


class Used(NamedTuple):
    """
    cpu_seconds: of all threads of the process, and of children that ended and were waited for; exact.
    memory_bytes: the most beyond the begin: of this process as the kernel counted it, with its descendants in a sample.
    """
    cpu_seconds: float
    memory_bytes: float
    seconds: float


def _resident_bytes() -> Tuple[int, int]:
    """The most that this process ever had (the kernel's VmHWM), and what it has; zeros: not known."""
    try:
        with open("/proc/self/status", "rb", 0) as file:
            text = file.read()
        return _kilobytes(text, b"VmHWM:"), _kilobytes(text, b"VmRSS:")
    except (OSError, ValueError):
        return 0, 0


def _kilobytes(text: bytes, name: bytes) -> int:
    begin = text.index(name) + len(name)
    return int(text[begin:text.index(b"kB", begin)]) * 1024


def _reset_peak() -> bool:
    """The kernel's peak begins anew with what is resident now; False: it cannot."""
    try:
        with open("/proc/self/clear_refs", "wb", 0) as file:
            file.write(b"5")
        return True
    except OSError:
        return False


class Meter:
    """For one thing at a time.  A thread samples descendants while there is something to measure."""

    def __init__(self) -> None:
        self._process = 0                               # in which all this is: a child of fork has no thread
        self._is_on = False

    def begin(self) -> None:
        if self._process != os.getpid():
            self._start()
        with self._lock:
            self._base = self._sampled()[0]
            self._is_exact = _reset_peak()
            self._peak, self._resident = _resident_bytes()
            self._most = 0.0
            self._is_on = True
        self._cpu = self._cpu_seconds()
        self._begin = time.perf_counter()

    def end(self) -> Optional[Used]:
        """None: nothing has begun here, or it has ended."""
        if not self._is_on or self._process != os.getpid():
            return None
        seconds, cpu = time.perf_counter() - self._begin, self._cpu_seconds()
        with self._lock:
            self._take()
            self._is_on = False
            peak = _resident_bytes()[0]
        # A peak that was not reset is that of this time only if it has grown.
        own = float(peak - self._resident) if self._is_exact or peak > self._peak else 0.0
        return Used(cpu - self._cpu, max(own, self._most), seconds)

    def _cpu_seconds(self) -> float:
        """Without the thread that samples: the longer a test has to wait for a busy machine, the more that one has used."""
        used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(usage.ru_utime + usage.ru_stime for usage in used) - time.clock_gettime(self._thread_clock)

    def close(self) -> None:
        if self._process == os.getpid():
            self._over.set()
            self._thread.join()
            self._process = 0

    # ---- samples --------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._process = os.getpid()
        self._is_on = False
        try:
            self._tracker: Optional[_library.Tracker] = _library.Tracker([self._process], "process")
        except OSError:                                 # no /proc: what the kernel keeps of this process is all
            self._tracker = None
        self._thread = threading.Thread(target=self._run, args=(self._over, self._lock), daemon=True, name="resource-tracker")
        self._thread.start()
        self._thread_clock = time.pthread_getcpuclockid(self._thread.ident or 0)

    def _run(self, over: threading.Event, lock: threading.Lock) -> None:
        while not over.wait(INTERVAL_SECONDS):
            with lock:
                if self._is_on:
                    self._take()

    def _sampled(self) -> Tuple[float, float]:
        """PSS of this process with its descendants, and how many they are."""
        try:
            if self._tracker:
                self._tracker.sample()
                total = self._tracker.tables()["total"]
                memory = total.get("process.pss_bytes") or total.get("process.rss_bytes") or 0.0
                return memory, total.get("process.count", 0.0)
        except OSError:
            pass
        return 0.0, 0.0

    def _take(self) -> None:
        memory, processes = self._sampled()
        # Alone, this process is known better by the kernel's peak.
        if processes > 1 or not self._is_exact:
            self._most = max(self._most, memory - self._base)
