#!/usr/bin/python3
"""terminal_svg.py COMMAND [ARGUMENT...] - runs a command in a terminal of 80 columns, and writes what it showed as SVG.

Knows the colours that resource-tracker uses.  The prompt line shows the command as it was given.
"""
import fcntl
import html
import os
import pty
import re
import shlex
import struct
import sys
import termios

COLUMNS, CELL, LINE, MARGIN = 80, 8.4, 19, 16
BACKGROUND, TEXT = "#0d1117", "#e6edf3"
STYLES = {
    "1": 'font-weight="bold"', "2": 'fill="#8b949e"', "31": 'fill="#ff7b72"', "32": 'fill="#7ee787"',
    "33": 'fill="#e3b341"', "36": 'fill="#56d4dd"',
}
COLOUR = re.compile(r"\x1b\[([\d;]*)m")
WORDS = re.compile(r"\S+(?: \S+)*")             # what more than one blank separates has a place of its own


def shown_by(command):
    """What the command wrote to its terminal; its status if that is not 0 ends us."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 24, COLUMNS, 0, 0))
        os.execvp(command[0], command)
    text = b""
    try:
        while chunk := os.read(terminal, 65536):
            text += chunk
    except OSError:                             # EIO: the last process of the terminal has ended
        pass
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status:
        sys.exit(f"terminal_svg.py: {command[0]} ended with {status}")
    return text.decode().replace("\r\n", "\n").splitlines()


def pieces(line):
    """[(text, style)] of a line: neighbours of one style are one piece."""
    result, style = [], ""
    for i, part in enumerate(COLOUR.split(line)):
        if i % 2:
            style = " ".join(STYLES[code] for code in part.split(";") if code in STYLES)
        elif part and result and result[-1][1] == style:
            result[-1] = (result[-1][0] + part, style)
        elif part:
            result.append((part, style))
    return result


def svg(lines):
    """All words have their place and their width, so that columns stand whatever font a reader has."""
    width, height = round(COLUMNS * CELL + 2 * MARGIN), len(lines) * LINE + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
           f'<title>{html.escape(COLOUR.sub("", lines[0]))}</title>',
           f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>',
           f'<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="14" fill="{TEXT}">']
    for row, line in enumerate(lines):
        column = 0
        for text, style in pieces(line):
            for words in WORDS.finditer(text):
                x, y = MARGIN + (column + words.start()) * CELL, MARGIN + row * LINE + 14
                out.append(f'<text x="{x:.1f}" y="{y}" textLength="{len(words[0]) * CELL:.1f}" lengthAdjust="spacingAndGlyphs"'
                           f'{style and " " + style}>{html.escape(words[0])}</text>')
            column += len(text)
    return "\n".join([*out, "</g>", "</svg>"])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    command = sys.argv[1:]
    prompt = "\x1b[2m$\x1b[0m \x1b[1m" + shlex.join([os.path.basename(command[0]), *command[1:]]) + "\x1b[0m"
    print(svg([prompt, *shown_by(command)]))


if __name__ == "__main__":
    main()
