"""screen.py - what a program shows on a terminal, read as a person would: rows of text.  Needs pyte."""
import fcntl
import os
import re
import struct
import termios

import pyte

from terminal import Terminal


class Screen(Terminal):
    """A Terminal of a size, whose output a terminal emulator draws."""

    def __init__(self, argv, rows=24, columns=80, **more):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.sent = b""
        more.setdefault("env", dict(os.environ, TERM="xterm-256color"))
        super().__init__(argv, before=lambda slave: self.set_size(slave, rows, columns), **more)

    @staticmethod
    def set_size(fd, rows, columns):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.screen.resize(rows, columns)
        self.set_size(self.master, rows, columns)       # the kernel sends SIGWINCH

    def more(self):
        """Draws what comes next; False: the terminal was closed."""
        try:
            data = os.read(self.master, 65536)
        except OSError:             # EIO: no process holds the other end
            data = b""
        self.sent += data
        self.stream.feed(data)
        return bool(data)

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def shows(self, pattern):
        """Waits until the pattern is on the screen; returns the match."""
        while True:
            match = re.search(pattern, self.text, re.M)
            if match:
                return match
            assert self.more(), f"the terminal closed without {pattern!r}:\n{self.text}"

    def read_to_end(self):
        """After the program has ended."""
        self.process.wait()
        os.set_blocking(self.master, False)
        while self.more():
            pass

    def modes(self):
        return termios.tcgetattr(self.master)
