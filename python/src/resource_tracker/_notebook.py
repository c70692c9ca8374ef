"""
%load_ext resource_tracker: what cells of a notebook use.

    %%track -n fit              the cell, whatever it does; as its first line
    %track -n fit work()        a statement
    %track                      the last one that was measured
"""
import ast
import contextvars
import os
import re
import resource
import sys
import threading
import time
from importlib import import_module
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from ._display import SPARK, Own, Use
from ._errors import ResourceTrackerError
from ._extension import library as _library
from ._figures import bytes_text, cores_text, seconds_text, sparkline
from ._track import track

INTERVAL = 0.1                  # between samples: cells are short
LIVE_SECONDS = 1.0              # between lines while it runs; a cell that is shorter has none
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")

_NAMES = ("-n", "--name", "-i", "--interval")
_OPTION = re.compile(r"""\s*(?:-n|--name|-i|--interval)(?:\s+|=)(?:"[^"]*"|'[^']*'|\S+)(?=\s|$)""")
_CELL = re.compile(r"%%track(?:\s(.*))?$")
_BEGIN = "_track_cell"          # the magic that a cell begins with


class Words(NamedTuple):
    """What stands behind %track."""
    name: Optional[str]
    interval: float
    rest: str


def words(line: str) -> Words:
    """ValueError: the sentence says what is wrong."""
    name, interval, rest = None, INTERVAL, line
    while True:
        found = _OPTION.match(rest)
        if not found:
            break
        option, value = re.split(r"\s+|=", found.group().strip(), maxsplit=1)
        value = value[1:-1] if value[0] in "\"'" else value
        rest = rest[found.end():]
        if option in _NAMES[:2]:
            name = value
            continue
        try:
            interval = float(value)
        except ValueError:
            interval = 0.0
        if not 0 < interval < float("inf"):
            raise ValueError(f"the interval is {value}: it has to be a number of seconds above 0")
    if rest.strip() in _NAMES:
        raise ValueError(f"{rest.strip()} wants a value: -n NAME, -i SECONDS")
    return Words(name, interval, rest.strip())


def _cpu_seconds() -> float:
    """Of this process, and of children that it waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _resident_bytes() -> Optional[int]:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return None


# ---- while it runs ------------------------------------------------------------------------------------------

class Live:
    """A line that changes once a second, by a thread that samples this process and its descendants without the GIL."""

    def __init__(self, name: str, display: Callable[..., Any]) -> None:
        self._name = name
        self._display = display
        self._over = threading.Event()
        # What is displayed belongs to the cell of the thread that has begun it.
        self._thread = threading.Thread(target=contextvars.copy_context().run, args=(self._show,), daemon=True,
                                        name="resource-tracker")
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _show(self) -> None:
        begin = time.monotonic()
        handle: Any = None
        cores: List[float] = []
        try:
            if self._over.wait(LIVE_SECONDS):
                return
            tracker = _library.Tracker([os.getpid()], "process")
            tracker.sample()
            while not self._over.wait(LIVE_SECONDS if cores else LIVE_SECONDS / 5):
                tracker.sample()
                total = tracker.tables()["total"]
                cores = [*cores, total.get("process.cpu_cores", 0.0)][-SPARK:]
                shown = _plain(self._line(time.monotonic() - begin, cores, total))
                if handle is None:
                    handle = self._display(shown, raw=True, display_id=True)
                else:
                    handle.update(shown, raw=True)
        except Exception:                               # no sample, or it cannot be displayed: the cell goes on without a line
            handle = None
        finally:
            if handle is not None:
                handle.update(_plain(""), raw=True)

    def _line(self, seconds: float, cores: List[float], total: Dict[str, Any]) -> str:
        memory = total.get("process.pss_bytes") or total.get("process.rss_bytes")
        text = f"{self._name}: {seconds_text(seconds)}, {cores_text(cores[-1])} {sparkline(cores)}"
        return f"{text}, memory {bytes_text(memory)}" if memory else text


def _plain(text: str) -> Dict[str, str]:
    return {"text/plain": text}


# ---- what is measured ---------------------------------------------------------------------------------------

class Part:
    """A cell or a statement, from its begin to its end."""

    def __init__(self, name: str, interval: float, display: Callable[..., Any], is_live: bool) -> None:
        self.name = name
        self.depth = 0                                  # of the cells that it runs itself
        self._display = display
        before = _cpu_seconds()
        self._track = track(name, interval)
        self._run = self._track.__enter__()
        self._live = Live(name, display) if is_live else None
        self._resident = _resident_bytes()
        self._cpu = _cpu_seconds()
        self._track_cpu = self._cpu - before
        self._begin = time.perf_counter()

    def end(self) -> Use:
        """Shows what it used."""
        seconds = time.perf_counter() - self._begin
        cpu, resident = _cpu_seconds(), _resident_bytes()
        left = None if resident is None or self._resident is None else resident - self._resident
        try:
            self._track.__exit__(None, None, None)
        except ResourceTrackerError as error:
            _complain(error)
        finally:
            if self._live:
                self._live.stop()
        track_cpu = self._track_cpu + _cpu_seconds() - cpu
        use = Use(self._run, self.name, Own(seconds, cpu - self._cpu, track_cpu, left))
        self._display(use)
        return use


def _complain(error: Exception) -> None:
    print(f"resource-tracker: {error}", file=sys.stderr)


class Magics:
    """What %load_ext puts into a shell of IPython."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._parts: List[Part] = []                    # cells that run: those within others last
        self._last: Optional[Use] = None
        self._display: Callable[..., Any] = import_module("IPython.display").display
        self._usage_error: Any = import_module("IPython.core.error").UsageError

    def load(self) -> None:
        self._shell.register_magic_function(self.track, "line_cell", "track")
        self._shell.register_magic_function(self._begin_cell, "line", _BEGIN)
        self._shell.input_transformers_cleanup.append(self._transform)
        self._shell.events.register("pre_execute", self._cell_begins)
        self._shell.events.register("post_execute", self._cell_ends)

    def unload(self) -> None:
        for kind in ("line", "cell"):
            self._shell.magics_manager.magics[kind].pop("track", None)
        self._shell.magics_manager.magics["line"].pop(_BEGIN, None)
        self._shell.input_transformers_cleanup.remove(self._transform)
        self._shell.events.unregister("pre_execute", self._cell_begins)
        self._shell.events.unregister("post_execute", self._cell_ends)

    def _words(self, line: str) -> Words:
        try:
            return words(line)
        except ValueError as error:
            raise self._usage_error(f"%track: {error}") from None

    def _begun(self, asked: Words) -> Optional[Part]:
        """None: it cannot be measured, and goes on so."""
        try:
            return Part(asked.name or f"cell {self._shell.execution_count}", asked.interval, self._display,
                        is_live=hasattr(self._shell, "kernel"))
        except ResourceTrackerError as error:
            _complain(error)
            return None

    # ---- a cell ---------------------------------------------------------------------------------------

    @staticmethod
    def _transform(lines: List[str]) -> List[str]:
        """
        The cell itself, with a first statement that begins its measurement: so awaiting, its last expression and its
        exceptions are those of any cell.  The end is the shell's event.
        """
        found = _CELL.match(lines[0].rstrip()) if lines else None
        if not found:
            return lines
        begin = f"get_ipython().run_line_magic({_BEGIN!r}, {(found.group(1) or '')!r})\n"
        body = lines[1:]
        first = next((n for n, line in enumerate(body) if line.strip()), len(body))
        if body[first:] and body[first].startswith("%%"):
            body = import_module("IPython.core.inputtransformer2").cell_magic(body[first:])
        return [begin, *body]

    def _begin_cell(self, line: str) -> None:
        asked = self._words(line)
        if asked.rest:
            raise self._usage_error(f"%%track: {asked.rest}: the cell begins on the next line")
        part = self._begun(asked)
        if part:
            self._parts.append(part)

    def _cell_begins(self) -> None:
        if self._parts:
            self._parts[-1].depth += 1

    def _cell_ends(self) -> None:
        if not self._parts:
            return
        if self._parts[-1].depth:
            self._parts[-1].depth -= 1
        else:
            self._last = self._parts.pop().end()

    # ---- a statement ----------------------------------------------------------------------------------

    def track(self, line: str, cell: Optional[str] = None) -> Any:
        """What a cell (%%track) or a statement (%track) uses: CPU, memory, time, disk, network, of all its processes.

        %%track [-n NAME] [-i SECONDS]
        %track [-n NAME] [-i SECONDS] STATEMENT
        %track                          the last one that was measured; its attribute `run` has everything

        -n NAME: in the history of runs.  -i SECONDS: between samples, 0.1 by default.
        """
        __tracebackhide__ = True
        if cell is not None:                            # of a script that was made of a notebook
            return self._shell.run_cell(f"%%track {line}\n{cell}").raise_error()
        asked = self._words(line)
        if not asked.rest:
            return self._last
        code = _compiled(self._shell.transform_cell(asked.rest))
        part = self._begun(asked)
        try:
            return eval(code, self._shell.user_ns)
        finally:
            if part:
                self._last = part.end()


def _compiled(text: str) -> Any:
    """As eval() takes it; it has a value if it is an expression."""
    tree = ast.parse(text, "<track>")
    if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
        return compile(ast.Expression(tree.body[0].value), "<track>", "eval")
    return compile(tree, "<track>", "exec")


_loaded: Dict[int, Magics] = {}                         # by the shell's id


def load(shell: Any) -> None:
    if id(shell) not in _loaded:
        _loaded[id(shell)] = Magics(shell)
        _loaded[id(shell)].load()


def unload(shell: Any) -> None:
    magics = _loaded.pop(id(shell), None)
    if magics:
        magics.unload()
