"""terminal.py - a program on a terminal of its own, typed at and read from by a test."""
import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time


class Terminal:
    """Starts argv as leader of a new session whose controlling terminal is a new pty."""

    def __init__(self, argv, **more):
        self.master, slave = pty.openpty()

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(argv, stdin=slave, stdout=slave, stderr=slave,
                                        preexec_fn=take_terminal, **more)
        os.close(slave)
        self.seen = ""

    def type(self, text):
        os.write(self.master, text.encode())

    def until(self, pattern, seconds=40):
        """Reads until the pattern shows up; returns the match, and forgets all up to its end."""
        end = time.monotonic() + seconds
        while True:
            match = re.search(pattern, self.seen)
            if match:
                self.seen = self.seen[match.end():]
                return match
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s for {pattern!r}; the terminal shows {self.seen!r}")
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    more = os.read(self.master, 65536)
                except OSError:         # EIO: nobody holds the other end
                    more = b""
                if not more and not re.search(pattern, self.seen):
                    raise AssertionError(f"the terminal closed without {pattern!r}: {self.seen!r}")
                self.seen += more.decode(errors="replace")

    def close(self):
        """Hangs up: the session's processes get SIGHUP, the leader is killed if that does not end it."""
        os.close(self.master)
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(5)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
