"""The charts of a report: paths in units of the data, scaled by the page.

A chart is SVG that needs no script; the page's script zooms all of them by
their view boxes, and shows values from the same points.
"""
from typing import Any, Dict, List, NamedTuple

from .column_maps import REPORT_CSV_MAPPING
from .tiny_data_frame import TinyDataFrame

MOST_POINTS = 1000
HEIGHT = 100            # of the y axis in the SVG's own units
LINES = 4               # of the grid


class Chart(NamedTuple):
    """What is said of a chart; `kind`: "count", "bytes" or "gb"."""

    name: str
    title: str
    what: str
    kind: str


CHARTS = [
    Chart("cpu", "CPU usage", "Cores that were busy", "count"),
    Chart("mem", "Memory usage", "Memory in use", "bytes"),
    Chart("disk", "Disk I/O", "Read and written in each interval", "bytes"),
    Chart("disk_space", "Disk space usage", "Space in use", "gb"),
    Chart("net", "Network traffic", "Received and sent in each interval",
          "bytes"),
    Chart("gpu_usage", "GPU usage", "GPUs that were busy", "count"),
    Chart("gpu_utilized", "GPUs in use", "GPUs that anything was run on",
          "count"),
    Chart("gpu_vram_mib", "VRAM usage", "GPU memory in use", "bytes"),
]


def amount(value: float, kind: str) -> str:
    """A value with its unit."""
    if kind == "count":
        return f"{value:.2f}".rstrip("0").rstrip(".")
    base, units = ((1000, ["B", "kB", "MB", "GB", "TB", "PB"])
                   if kind == "gb" else
                   (1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]))
    at = 0
    while value >= base and at < len(units) - 1:
        value, at = value / base, at + 1
    return f"{value:.1f}".rstrip("0").rstrip(".") + " " + units[at]


def _thinned(times: List[float], series: List[List[float]]
             ) -> Dict[str, Any]:
    """At most MOST_POINTS points: of each stretch its largest values."""
    step = -(-len(times) // MOST_POINTS) or 1
    starts = range(0, len(times), step)
    return {"times": [times[at] for at in starts],
            "values": [[max(values[at:at + step]) for at in starts]
                       for values in series]}


def _path(times: List[float], values: List[float], top: float) -> str:
    points = [f"{time - times[0]:.3f} {HEIGHT * (1 - value / top):.3f}"
              for time, value in zip(times, values)]
    if len(points) == 1:    # a line that has a length can be seen
        points.append(f"1 {points[0].split()[1]}")
    return "M" + "L".join(points)


def _chart(chart: Chart, combined: TinyDataFrame) -> Dict[str, Any]:
    names = [name for name in REPORT_CSV_MAPPING[chart.name][1:]
             if name in combined.columns]
    points = _thinned(combined["Timestamp"],
                      [combined[name] for name in names])
    times = points["times"]
    top = max(max(values) for values in points["values"]) or 1
    return {
        **chart._asdict(),
        "seconds": max(times[-1] - times[0], 1),
        "grid": [{"y": HEIGHT * at / LINES,
                  "label": amount(top * (1 - at / LINES), chart.kind)}
                 for at in range(LINES + 1)],
        "lines": [{
            "name": name,
            "path": _path(times, values, top),
            "look": ("process" if name.startswith("Process") else "system")
            + (" second" if "write" in name or "outbound" in name else ""),
        } for name, values in zip(names, points["values"])],
        "data": points,
    }


def charts(combined: TinyDataFrame, has_gpus: bool) -> List[Dict[str, Any]]:
    """Those that there is something for, from columns in bytes."""
    return [_chart(chart, combined) for chart in CHARTS
            if (has_gpus or not chart.name.startswith("gpu_"))
            and any(name in combined.columns
                    for name in REPORT_CSV_MAPPING[chart.name][1:])]
