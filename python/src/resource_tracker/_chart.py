"""
Charts of a run as one inline SVG, which needs no script, no style sheet and no network.

Text and axes have the colour of the text around them (currentColor); the other colours stand out from a light and from a
dark page by 3:1 or more.
"""
import html
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ._figures import Step

WIDTH, PANEL, GAP, LANE = 760, 64, 22, 16
LEFT = 8                                        # and right of the charts
MOST_STEPS, MOST_ENTRIES, MOST_LANES = 300, 200, 4
LEAST_STEPS = 3                                 # fewer are no course: the figures say it all

CPU, MEMORY = "#2f7fc1", "#b8661b"
REGIONS = ("#7a6ad8", "#2a8c6a", "#b8508f", "#8a7a1f", "#4a7fa8", "#c0574f")


class Panel(NamedTuple):
    """One chart: what it shows, its course, how its values are written, its colour."""
    title: str
    course: Sequence[Step]
    text: Callable[[float], str]
    colour: str


class Entry(NamedTuple):
    """A region that was open, by its path ("fit/batch")."""
    path: str
    begin: float
    end: float


def _element(name: str, content: Optional[str] = None, **attributes: Any) -> str:
    words = "".join(f' {key.replace("_", "-")}="{html.escape(_number(value))}"' for key, value in attributes.items())
    return f"<{name}{words}/>" if content is None else f"<{name}{words}>{content}</{name}>"


def _number(value: Any) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _text(x: float, y: float, text: str, **attributes: Any) -> str:
    return _element("text", html.escape(text), x=float(x), y=float(y), fill="currentColor", **attributes)


class _Scale:
    """Instants to places."""

    def __init__(self, begin: float, end: float) -> None:
        self.begin, self.end = begin, end

    def x(self, instant: float) -> float:
        length = self.end - self.begin
        part = (instant - self.begin) / length if length > 0 else 0.0
        return LEFT + min(max(part, 0.0), 1.0) * (WIDTH - 2 * LEFT)


def _panel(panel: Panel, scale: _Scale, top: int) -> str:
    """An area of steps, with the name and the highest value above it."""
    highest = max((value for _, _, value in panel.course), default=0.0)
    bottom = top + PANEL
    parts = [_text(LEFT, top - 6, panel.title), _text(WIDTH - LEFT, top - 6, f"at most {panel.text(highest)}", text_anchor="end")]
    path: List[str] = []
    for begin, end, value in panel.course:
        y = bottom - (value / highest if highest > 0 else 0.0) * PANEL
        path.append(f"{'L' if path else 'M'}{_number(scale.x(begin))} {_number(y)}H{_number(scale.x(end))}")
    if path:
        line = "".join(path)
        first = scale.x(panel.course[0][0])
        parts.append(_element("path", d=f"{line}V{bottom}H{_number(first)}Z", fill=panel.colour, fill_opacity="0.25"))
        parts.append(_element("path", d=line, fill="none", stroke=panel.colour, stroke_width="1.5"))
    parts.append(_element("path", d=f"M{LEFT} {bottom}H{WIDTH - LEFT}", stroke="currentColor", stroke_opacity="0.35"))
    return "".join(parts)


def _lanes(entries: Sequence[Entry], scale: _Scale, top: int, text: Callable[[float], str]) -> Tuple[str, int]:
    """A bar for each entry, those of an outer region above those within it; also where they end."""
    longest = sorted(entries, key=lambda entry: entry.begin - entry.end)[:MOST_ENTRIES]
    colours: Dict[str, str] = {}
    parts, bottom = [], top
    for entry in sorted(longest, key=lambda entry: entry.begin):
        depth = entry.path.count("/")
        if depth >= MOST_LANES:
            continue
        colour = colours.setdefault(entry.path, REGIONS[len(colours) % len(REGIONS)])
        x, y = scale.x(entry.begin), float(top + depth * LANE)
        width = max(scale.x(entry.end) - x, 1.0)
        title = _element("title", html.escape(f"{entry.path}: {text(entry.end - entry.begin)}"))
        parts.append(_element("rect", title, x=x, y=y, width=width, height=LANE - 2, rx=2, fill=colour))
        name = entry.path.rpartition("/")[2]
        if len(name) * 7 + 8 <= width:
            parts.append(_element("text", html.escape(name), x=x + 4, y=y + LANE - 5, fill="#ffffff", pointer_events="none"))
        bottom = max(bottom, top + (depth + 1) * LANE)
    if len(entries) > len(longest):
        parts.append(_text(LEFT, bottom + 12, f"the longest {len(longest)} of {len(entries)} entries of regions"))
        bottom += LANE
    return "".join(parts), bottom


def svg(panels: Sequence[Panel], entries: Sequence[Entry], seconds: Callable[[float], str], label: str) -> str:
    """The charts above each other, regions below them, and the time; "": there is no course to draw."""
    shown = [panel for panel in panels if len(panel.course) >= LEAST_STEPS]
    if not shown:
        return ""
    scale = _Scale(min(panel.course[0][0] for panel in shown), max(panel.course[-1][1] for panel in shown))
    parts, y = [], GAP
    for panel in shown:
        parts.append(_panel(panel, scale, y))
        y += PANEL + GAP
    lanes, y = _lanes(entries, scale, y - GAP + 6, seconds)
    parts += [lanes, _text(LEFT, y + 12, "0"),
              _text(WIDTH - LEFT, y + 12, seconds(scale.end - scale.begin), text_anchor="end")]
    return _element("svg", "".join(parts), xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {y + 18}", role="img",
                    aria_label=label, style=f"width:100%;max-width:{WIDTH}px;height:auto;font:11px system-ui,sans-serif")
