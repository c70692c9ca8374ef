"""The page of a report: cards with facts and statistics, and charts.

One file that asks for nothing from elsewhere.
"""
import json
import time
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import _metrics
from ._report_charts import amount, charts
from ._report_template import TEMPLATE
from .helpers import aggregate_stats
from .tiny_bars import render_template
from .tiny_data_frame import TinyDataFrame

MIB = 1024 ** 2
Stats = Dict[str, Dict[str, Any]]
Facts = Dict[str, Any]


class Card(NamedTuple):
    """A value with what it is; `of` is "task", "machine" or "failed"."""

    label: str
    value: str
    of: str = "machine"


def _server_cards(info: Facts, combined: TinyDataFrame) -> List[Card]:
    cards = [
        Card("Operating system", str(info.get("os", "unknown"))),
        Card("Allocation", str(info.get("allocation") or "unknown")),
        Card("vCPUs", str(info.get("vcpus", "unknown"))),
        Card("Memory", f"{info.get('memory_mib', 0):,.0f} MiB"),
    ]
    if "System disk space total" in combined.columns:
        cards.append(Card("Storage", amount(
            combined["System disk space total"][0], "gb")))
    if info.get("gpu_count"):
        cards += [
            Card("GPUs", f"{info['gpu_count']} x {info.get('gpu_name')}"),
            Card("VRAM", f"{info.get('gpu_memory_mib', 0):,.0f} MiB")]
    return cards


def _costs(price: float, seconds: float) -> str:
    return f"${price / 3600 * seconds:.6f}"


def _cloud_cards(info: Facts, price: Optional[float],
                 seconds: float) -> List[Card]:
    cards = [Card("Cloud provider", str(info.get("vendor", "unknown"))),
             Card("Region", str(info.get("region", "unknown"))),
             Card("Instance type", str(info.get("instance_type")))]
    if price:
        cards.append(Card("Compute costs", _costs(price, seconds)))
    return cards


def _of(stats: Stats, column: str, statistic: str) -> Optional[float]:
    value = stats.get(column, {}).get(statistic)
    return None if value is None else float(value)


def _shown(value: Optional[float], kind: str) -> str:
    return "-" if value is None else amount(value, kind)


# Label, column, its unit in that of the kind, kind.
_OF_TASK: List[Tuple[str, str, float, str]] = [
    ("CPU", "process_cpu_usage", 1, "count"),
    ("Memory", "process_memory_mib", MIB, "bytes"),
    ("GPU", "process_gpu_usage", 1, "count"),
    ("VRAM", "process_gpu_vram_mib", MIB, "bytes")]
_OF_MACHINE: List[Tuple[str, str, str, float, str]] = [
    ("Disk space peak", "system_disk_space_used_gb", "max", 1e9, "gb"),
    ("Traffic in", "system_net_recv_bytes", "sum", 1, "bytes"),
    ("Traffic out", "system_net_sent_bytes", "sum", 1, "bytes")]


def _usage_cards(stats: Stats, before: Stats, status: str,
                 has_gpus: bool) -> List[Card]:
    """`before`: of earlier runs, {} if there were none."""
    cards = []
    for label, column, unit, kind in _OF_TASK:
        if column not in stats or label in ("GPU", "VRAM") and not has_gpus:
            continue
        for what, source, statistic in [
                ("average", stats, "mean"), ("peak", stats, "max"),
                ("average of earlier runs", before, "mean"),
                ("peak of earlier runs", before, "max")]:
            value = _of(source, column, statistic)
            if value is None and source is before:
                continue
            cards.append(Card(f"{label} {what}", _shown(
                None if value is None else value * unit, kind), "task"))
    for label, column, statistic, unit, kind in _OF_MACHINE:
        value = _of(stats, column, statistic)
        if value is not None:
            cards.append(Card(label, amount(value * unit, kind)))
    seconds = _of(stats, "timestamp", "duration") or 0
    return cards + [
        Card("Duration", f"{seconds:.2f} s", "task"),
        Card("Status", status,
             "task" if status == "Finished" else "failed")]


def _advice_text(advice: Dict[str, int], integration: str) -> str:
    asked = {"cpu": advice["cpu"], "memory": advice["memory"]}
    if advice["gpu"]:
        asked["gpu"] = advice["gpu"]
    if integration == "Metaflow":
        words = ", ".join(f"{key}={value}" for key, value in asked.items())
        return f"@resources({words})"
    return ", ".join([
        f"{advice['cpu']} vCPUs", f"{advice['memory']} MiB of memory",
        *([f"{advice['gpu']} GPUs with {advice['vram']} MiB of VRAM"]
          if advice["gpu"] else [])])


def _advice_cards(advice: Dict[str, int], integration: str,
                  server: Optional[Facts], own_price: Optional[float],
                  seconds: float) -> List[Card]:
    cards = [Card("Resources for the next run",
                  _advice_text(advice, integration), "task")]
    price = (server or {}).get("min_price_ondemand")
    if server is not None:
        cards.append(Card("Cheapest server", " ".join(
            str(server.get(key, "")) for key in ("vendor_id",
                                                 "api_reference"))))
    if price:
        cards.append(Card("Its costs for such a run",
                          _costs(price, seconds)))
    if price and own_price:
        saved = own_price - price
        cards.append(Card(
            "Potential cost savings", f"{saved / own_price * 100:.2f} %, "
            + _costs(saved, seconds)))
    return cards


def page(combined: TinyDataFrame, stats: Stats, historical_stats: List[Stats],
         server_info: Optional[Facts], cloud_info: Optional[Facts],
         server: Optional[Facts], price: Optional[float], integration: str,
         implementation: str, status: str) -> str:
    """`combined` is in bytes with human names.

    `server`: the cheapest one, `price`: USD an hour of this machine.
    """
    machine, cloud = server_info or {}, cloud_info or {}
    seconds = _of(stats, "timestamp", "duration") or 0
    advice = _metrics.recommend(aggregate_stats([stats, *historical_stats]))
    has_gpus = bool(machine.get("gpu_names"))
    before = aggregate_stats(historical_stats)
    shown = charts(combined, has_gpus)
    groups = [
        ("Server", _server_cards(machine, combined) if machine else []),
        ("Cloud", _cloud_cards(cloud, price, seconds) if cloud else []),
        ("Usage statistics", _usage_cards(stats, before, status, has_gpus)),
        ("Recommendations", _advice_cards(advice, integration, server, price,
                                          seconds)),
    ]
    data = json.dumps({chart["name"]: {**chart["data"],
                                       "kind": chart["kind"]}
                       for chart in shown})
    return render_template(TEMPLATE, {
        "groups": [{"title": title,
                    "cards": [card._asdict() for card in cards]}
                   for title, cards in groups if cards],
        "charts": shown, "data": data, "integration": integration,
        "implementation": implementation, "now": time.time()})
