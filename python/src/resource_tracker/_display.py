"""What a run used, as notebooks and terminals show it: one line, and a card with charts."""
import html
from typing import Any, Dict, List, NamedTuple, Optional

from . import _chart
from ._errors import ResourceTrackerError
from ._figures import bytes_text, column_of, cores_text, seconds_text, sparkline, steps, thinned
from ._runs import Run

SPARK = 16                              # characters of the small graph in the line

# Of the job, else, where no process was tracked, of the machine.
CPU = ("process.cpu_cores", "cpu.utilization_cores")
MEMORY = ("process.pss_bytes", "process.rss_bytes", "memory.used_bytes")
NETWORK = (("process.net_recv_bytes", "network received"), ("process.net_sent_bytes", "network sent"))
DISK = (("disk_read", "disk read"), ("disk_written", "disk written"))
LEAST_BYTES = 64 << 10                  # less is not shown: the kernel of a notebook has messages and a history of its own
ENTRY = 0                               # enum rt_record_region_kind


class Own(NamedTuple):
    """What this process itself measured of a block, without the beginning and the end of the track around it."""
    seconds: float
    cpu_seconds: float                  # with children that it waited for
    track_cpu_seconds: float            # of that beginning and end
    left_bytes: Optional[float]         # memory that it keeps; negative: that it has given back


class Use:
    """A run with its name, and what was measured beside it."""

    def __init__(self, run: Run, name: Optional[str] = None, own: Optional[Own] = None) -> None:
        self.run = run
        self._name = name
        self._own = own

    @property
    def name(self) -> Optional[str]:
        """The given one, else that of the run."""
        name: Optional[str] = self._name or getattr(self.run, "name", None)
        return name or self.run.info["details"].get("metadata.job_name")

    def figures(self) -> Dict[str, str]:
        """What is known, as text by its name, in the order in which it is shown."""
        summary, own = self.run.summary(), self._own
        duration, cpu, peak = (summary.get(name) for name in ("duration", "cpu_time", "peak_memory"))
        if own:                                         # the recorder also sees children without a wait()
            duration, cpu = own.seconds, max(own.cpu_seconds, (cpu or 0.0) - own.track_cpu_seconds)
        found: Dict[str, str] = {}
        if duration is not None:
            found["time"] = seconds_text(duration)
        if cpu is not None:
            found["CPU"] = seconds_text(cpu) + (f" ({cores_text(cpu / duration)})" if duration else "")
        if peak is not None:
            found["peak memory"] = bytes_text(peak)
        if own and own.left_bytes is not None:
            found["left behind"] = ("+" if own.left_bytes > 0 else "") + bytes_text(own.left_bytes)
        amounts = [(text, summary.get(name) or 0.0) for name, text in DISK]
        samples = self.run.samples
        amounts += [(text, sum(value for value in samples.numbers(column) if value == value))
                    for column, text in NETWORK if column in samples]
        found.update((text, bytes_text(amount)) for text, amount in amounts if amount >= LEAST_BYTES)
        return found

    def spark(self) -> str:
        """The cores in use over time."""
        samples = self.run.samples
        column = column_of(samples, CPU)
        course = steps(samples, samples.numbers(column)) if column else []
        return sparkline([value for _, _, value in thinned(course, SPARK)])

    def line(self) -> str:
        """Everything in one line."""
        figures = self.figures()
        name = self.name
        if "CPU" in figures:
            figures["CPU"] = f"{figures['CPU']} {self.spark()}".rstrip()
        text = ", ".join(value if name == "time" else f"{name} {value}" for name, value in figures.items())
        return f"{name}: {text}" if name else text

    def card(self) -> str:
        """The same as HTML, with charts of CPU and memory over time, and the regions below them."""
        figures = "".join('<span style="white-space:nowrap;margin-right:1.2em">'
                          f'<span style="opacity:.7">{html.escape(name)}</span> {html.escape(value)}</span>'
                          for name, value in self.figures().items())
        name = f'<strong style="margin-right:1.2em">{html.escape(self.name)}</strong>' if self.name else ""
        return (f'<div style="font:13px system-ui,sans-serif;line-height:1.6">{name}{figures}</div>'
                + _chart.svg(self._panels(), self._entries(), seconds_text, self.line()))

    def _panels(self) -> List[_chart.Panel]:
        samples, maxima = self.run.samples, self.run.maxima
        panels = []
        column = column_of(samples, CPU)
        if column:
            course = thinned(steps(samples, samples.numbers(column)), _chart.MOST_STEPS)
            panels.append(_chart.Panel("CPU", course, cores_text, _chart.CPU))
        column = column_of(samples, MEMORY)
        if column:
            highest = maxima if column in maxima and maxima.rows == samples.rows else samples
            course = thinned(steps(samples, highest.numbers(column)), _chart.MOST_STEPS, highest=True)
            panels.append(_chart.Panel("memory", course, bytes_text, _chart.MEMORY))
        return panels

    def _entries(self) -> List[_chart.Entry]:
        events = self.run.events
        if not events.rows:
            return []
        rows = zip(events.numbers("kind"), events.texts("path"), events.numbers("timestamp_seconds"), events.numbers("seconds"))
        return [_chart.Entry(path, begin, begin + seconds) for kind, path, begin, seconds in rows
                if kind == ENTRY and seconds == seconds]

    # ---- for IPython ----------------------------------------------------------------------------------

    def __repr__(self) -> str:
        try:
            return self.line()
        except ResourceTrackerError as error:
            return f"{self._name}: {error}" if self._name else str(error)

    def _repr_html_(self) -> str:
        try:
            return self.card()
        except ResourceTrackerError:
            return f"<div>{html.escape(repr(self))}</div>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
