"""Templates: a small part of Handlebars.

    {{ name.of.value | filter:parameter }}      escaped for HTML
    {{{ name }}}                                as it is
    {{#if name}} ... {{#else}} ... {{/if}}
    {{#each names as name}} ... {{/each}}

An error is text at its place, `[Error: ...]`, so that a page with one fault
is still a page.  In `#if` it is false.  A block without end is a ValueError.
"""
import re
from datetime import datetime
from html import escape
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional

from ._sizes import round_memory

TAG = re.compile(r"\{\{\{(?P<raw>[^{}]*)\}\}\}"
                 r"|\{\{\s*(?P<word>#each\b|#if\b|#else\b|/each\b|/if\b)?"
                 r"(?P<rest>[^{}]*)\}\}")
EACH = re.compile(r"(.+?)\s+as\s+([\w.]+)$", re.DOTALL)
Context = Dict[str, Any]


def _filter_index(value: Any, index: Any = 0) -> Any:
    return value[index]


def _filter_pretty_number(value: float, digits: int = 0) -> str:
    text = f"{value:,.{int(digits)}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _filter_divide(value: float, divisor: float = 1) -> float:
    return value / divisor


def _filter_round(value: float, digits: int = 0) -> float:
    return round(value, int(digits)) if digits else round(value)


def _filter_unix_timestamp_to_local_tz_string(value: float) -> str:
    local = datetime.fromtimestamp(value).astimezone()
    return local.strftime("%Y-%m-%d %H:%M:%S %Z")


FILTERS: Dict[str, Callable[..., Any]] = {
    "index": _filter_index,
    "pretty_number": _filter_pretty_number,
    "divide": _filter_divide,
    "round": _filter_round,
    "round_memory": round_memory,
    "unix_timestamp_to_local_tz_string":
        _filter_unix_timestamp_to_local_tz_string,
}


def _parameter(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _member(value: Any, key: str) -> Any:
    """A key of a dict or a table, or an attribute."""
    if isinstance(value, dict) or hasattr(value, "columns"):
        return value[key]
    return getattr(value, key)


def _resolve_var(name: str, ctx: Context) -> Any:
    """The value of an expression; KeyError where there is none."""
    path, *filters = [part.strip() for part in name.split("|")]
    value: Any = ctx
    for key in path.split("."):
        try:
            value = _member(value, key)
        except (KeyError, AttributeError, TypeError):
            value = None
        if value is None:
            raise KeyError(f"'{key}' not found in '{path}'")
    for each in filters:
        word, colon, text = (part.strip() for part in each.partition(":"))
        if word not in FILTERS:
            raise KeyError(f"Unknown filter: {word}")
        value = FILTERS[word](value, *([_parameter(text)] if colon else []))
    return value


def _error(expression: str, error: Exception) -> str:
    said = error.args[0] if error.args else type(error).__name__
    return f"[Error: {expression} - {said}]"


class Node(NamedTuple):
    """A part of a template: text, a value, or a block with its bodies."""

    kind: str
    text: str
    body: List["Node"] = []
    otherwise: List["Node"] = []


def _nodes(tags: Iterator[Node], end: Optional[str]) -> List[Node]:
    """The nodes until `end` (None: of the template)."""
    found: List[Node] = []
    for tag in tags:
        if tag.kind in ("#if", "#each"):
            inner = _nodes(tags, "/" + tag.kind[1:])
            at = next((i for i, node in enumerate(inner)
                       if node.kind == "#else"), len(inner))
            found.append(Node(tag.kind, tag.text, inner[:at],
                              inner[at + 1:]))
        elif tag.kind == end:
            return found
        elif tag.kind in ("/if", "/each"):
            raise ValueError(f"{tag.kind} without its beginning")
        else:
            found.append(tag)
    if end is not None:
        raise ValueError(f"a block without {{{{{end}}}}}")
    return found


def _tags(template: str) -> Iterator[Node]:
    at = 0
    for tag in TAG.finditer(template):
        yield Node("text", template[at:tag.start()])
        at = tag.end()
        if tag.group("raw") is not None:
            yield Node("raw", tag.group("raw").strip())
        else:
            yield Node(tag.group("word") or "value",
                       tag.group("rest").strip())
    yield Node("text", template[at:])


def _is_true(expression: str, context: Context) -> bool:
    try:
        return bool(_resolve_var(expression, context))
    except Exception:
        return False


def _each(node: Node, context: Context) -> Iterator[str]:
    words = EACH.match(node.text)
    if words is None:
        yield f"[Error: {node.text} - '#each LIST as NAME' is needed]"
        return
    try:
        items = _resolve_var(words.group(1), context)
        if not isinstance(items, (list, tuple)):
            raise TypeError("not a list")
    except Exception as error:
        yield _error(words.group(1), error)
        return
    for item in items:
        yield _text(node.body, {**context, words.group(2): item})


def _value(node: Node, context: Context) -> str:
    try:
        text = str(_resolve_var(node.text, context))
    except Exception as error:
        return _error(node.text, error)
    return text if node.kind == "raw" else escape(text)


def _text(nodes: List[Node], context: Context) -> str:
    parts: List[str] = []
    for node in nodes:
        if node.kind == "text":
            parts.append(node.text)
        elif node.kind == "#if":
            chosen = (node.body if _is_true(node.text, context)
                      else node.otherwise)
            parts.append(_text(chosen, context))
        elif node.kind == "#each":
            parts += _each(node, context)
        else:
            parts.append(_value(node, context))
    return "".join(parts)


def render_template(template: str, context: Context) -> str:
    """The template with the values of `context` put in."""
    return _text(_nodes(_tags(template), None), context)
