"""view.py - what the live view costs: its own CPU time, what it sends, and the recorder's CPU time beside it."""
import fcntl
import os
import pty
import struct
import subprocess
import tempfile
import termios
import threading
import time

MANY = """
import os, signal
for i in range(%d):
    if os.fork() == 0:
        signal.pause()
        os._exit(0)
open("ready", "w").write("x")
while True:
    sum(range(200000))
"""


class View:
    """`resource-tracker top` of a record, on a terminal of this size that is read."""

    def __init__(self, program, record, rows=24, columns=80):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen([program, record], stdin=slave, stdout=slave, stderr=slave,
                                        env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"}, start_new_session=True)
        os.close(slave)
        self.master, self.sent = master, 0
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        try:
            while data := os.read(self.master, 65536):
                self.sent += len(data)
        except OSError:                 # EIO: it has left
            pass

    def seconds(self):
        """Its CPU time so far."""
        with open(f"/proc/{self.process.pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0]) / 1e9

    def leave(self):
        os.write(self.master, b"q")
        self.process.wait()
        self.reader.join()
        os.close(self.master)


def wait_for_file(path):
    while not (os.path.exists(path) and os.path.getsize(path)):
        time.sleep(0.05)


def of_a_job(recorder, view, processes, seconds, rows, columns):
    """A busy job of so many processes at 1 Hz: (share of a core, bytes a second) of the view."""
    with tempfile.TemporaryDirectory() as folder:
        record = f"{folder}/record"
        job = subprocess.Popen([recorder, "--quiet", "--record", record, "--", "/usr/bin/python3", "-c", MANY % processes],
                               cwd=folder, start_new_session=True)
        wait_for_file(f"{folder}/ready")
        wait_for_file(record)
        seen = View(view, record, rows, columns)
        time.sleep(3)                   # the first screen and the first reading
        cpu, sent, begin = seen.seconds(), seen.sent, time.monotonic()
        time.sleep(seconds)
        elapsed = time.monotonic() - begin
        figures = (seen.seconds() - cpu) / elapsed, (seen.sent - sent) / elapsed
        seen.leave()
        os.killpg(job.pid, 9)
        job.wait()
        return figures


def recorder_beside(recorder, view, seconds):
    """CPU time of a recorder at 100 Hz around a command that sleeps; view: None, or the program that looks at it."""
    with tempfile.TemporaryDirectory() as folder:
        record = f"{folder}/record"
        process = subprocess.Popen([recorder, "--quiet", "-i", "0.01", "--record", record, "--", "sleep", str(seconds)])
        wait_for_file(record)
        seen = View(view, record) if view else None
        _, status, used = os.wait4(process.pid, 0)
        if seen:
            seen.leave()
        if status:
            raise SystemExit("bench: a recorder failed")
        return used.ru_utime + used.ru_stime
