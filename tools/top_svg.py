#!/usr/bin/python3
"""top_svg.py PROGRAM ROWSxCOLUMNS SECONDS [WORD...] - what `PROGRAM WORD...` shows after so many seconds, as SVG.

WORDs are "top" and its own, or "--status" and a command; then it is hung up.

Needs pyte.  NO_COLOR and the locale are those of the environment.
"""
import html
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "cli"))
from screen import Screen                       # noqa: E402

CELL, LINE, MARGIN = 8.4, 19, 16
BACKGROUND, TEXT = "#0d1117", "#e6edf3"
COLOURS = {"green": "#7ee787", "cyan": "#56d4dd", "brown": "#e3b341", "magenta": "#d2a8ff", "blue": "#79c0ff",
           "red": "#ff7b72"}


def look_of(cell):
    return cell.fg, cell.bold, cell.reverse


def runs_of(line, columns):
    """(first column, text, look) of the pieces of a row that look alike."""
    begin = 0
    for column in range(1, columns + 1):
        if column == columns or look_of(line[column]) != look_of(line[begin]):
            yield begin, "".join(line[i].data for i in range(begin, column)), look_of(line[begin])
            begin = column


def row_of(line, row, columns):
    y = MARGIN + (row + 0.75) * LINE
    for column, text, (colour, bold, reverse) in runs_of(line, columns):
        x, width = MARGIN + column * CELL, len(text) * CELL
        if reverse:
            yield (f'<rect x="{x:.1f}" y="{MARGIN + row * LINE}" width="{width:.1f}" height="{LINE}" fill="{TEXT}"/>')
        if text.strip():
            fill = BACKGROUND if reverse else COLOURS.get(colour, TEXT)
            weight = ' font-weight="bold"' if bold else ""
            yield (f'<text x="{x:.1f}" y="{y:.1f}" textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs" '
                   f'xml:space="preserve" fill="{fill}"{weight}>{html.escape(text)}</text>')


def main():
    program, size, seconds, *words = sys.argv[1:]
    rows, columns = map(int, size.split("x"))
    with Screen([program, *words], rows=rows, columns=columns) as view:
        os.set_blocking(view.master, False)
        end = time.monotonic() + float(seconds)
        while time.monotonic() < end:
            try:
                view.more()
            except BlockingIOError:
                pass
            time.sleep(0.05)
        lines = [part for row in range(rows) for part in row_of(view.screen.buffer[row], row, columns)]
        os.set_blocking(view.master, True)
        if words[:1] == ["top"]:
            view.type("q")
            view.read_to_end()
    shown = words[:words.index("--")] if "--" in words else words[:1]
    width, height = columns * CELL + 2 * MARGIN, rows * LINE + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" font-family="ui-monospace, '
          f'DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">\n<title>resource-tracker {html.escape(" ".join(shown))}</title>\n'
          f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>')
    print("\n".join(lines) + "\n</svg>")


if __name__ == "__main__":
    main()
