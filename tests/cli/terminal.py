"""terminal.py - a program on a terminal of its own, with a test at the keyboard."""
import fcntl
import os
import pty
import re
import signal
import subprocess
import termios


class Terminal:
    """
    Starts argv as leader of a new session with a new pty as its controlling terminal; before(slave) prepares that.
    """

    def __init__(self, argv, before=lambda slave: None, **more):
        self.master, slave = pty.openpty()
        before(slave)

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(argv, stdin=slave, stdout=slave, stderr=slave,
                                        preexec_fn=take_terminal, **more)
        os.close(slave)
        self.seen = ""

    def type(self, text):
        os.write(self.master, text.encode())

    def until(self, pattern):
        """Reads until the pattern shows up; returns the match, and drops the text up to its end."""
        while True:
            match = re.search(pattern, self.seen)
            if match:
                self.seen = self.seen[match.end():]
                return match
            try:
                more = os.read(self.master, 65536)
            except OSError:             # EIO: no process holds the other end
                more = b""
            if not more:
                raise AssertionError(f"the terminal closed without {pattern!r}: {self.seen!r}")
            self.seen += more.decode(errors="replace")

    def close(self):
        """Hangs up: the session's processes get SIGHUP; the leader is killed if that does not end it."""
        os.close(self.master)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
