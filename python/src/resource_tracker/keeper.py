"""Prices and sizes of cloud servers, from the public service Keeper.

Nothing is sent but the sizes that are asked for, and only by these calls.
All of it passes `keeper_request`.
"""
import json
from typing import Any, Dict, List, Optional
from urllib.parse import quote, urlencode

from ._web import Request, urlopen

KEEPER_URL = "https://keeper.sparecores.net"
MAX_VCPUS = 256         # more are refused


def keeper_request(path: str, timeout: float = 2,
                   endpoint: str = KEEPER_URL) -> Any:
    """The JSON answer to GET `path`; None on any error."""
    request = Request(endpoint + path, headers={
        "X-Application-ID": "resource-tracker",
        "Accept": "application/json"})
    try:
        with urlopen(request, timeout=timeout) as answer:
            return json.loads(answer.read())
    except (OSError, ValueError):
        return None


def get_instance_price(vendor_id: str, region_id: str,
                       instance_type: str) -> Optional[float]:
    """USD an hour on demand with Linux: there, else in any region."""
    prices = keeper_request("/server/" + "/".join(
        quote(part, safe="") for part in (vendor_id, instance_type))
        + "/prices")
    fitting = [price for price in prices or []
               if price.get("allocation") == "ondemand"
               and price.get("operating_system") == "Linux"]
    # The sort is stable: the first of the region, else the first of all.
    fitting.sort(key=lambda price: bool(price.get("region_id") != region_id))
    return fitting[0].get("price") if fitting else None


def get_recommended_cloud_servers(
        cpu: int, memory: int, gpu: Optional[int] = None,
        vram: Optional[int] = None, n: int = 10,
        **filters: Any) -> List[Dict[str, Any]]:
    """The cheapest servers with so many CPUs and so much memory (MiB).

    `filters` are further parameters of the service, such as `vendor`.
    An empty list where there is no answer.
    """
    asked: Dict[str, Any] = {
        "vcpus_min": min(max(1, cpu), MAX_VCPUS),
        "memory_min": memory / 1024,
        "order_by": "min_price_ondemand",
        "order_dir": "asc",
        "limit": n,
    }
    if gpu:
        asked["gpu_min"] = gpu
    if vram:
        asked["gpu_memory_total"] = vram / 1024
    asked.update(filters)
    servers = keeper_request("/servers?" + urlencode(asked, doseq=True))
    return servers if isinstance(servers, list) else []
