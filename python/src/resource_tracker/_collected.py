"""What a tracker has collected: tables, statistics, advice, report, snapshot.

How samples are taken is its subclass's, ResourceTracker.
"""
import gzip
import json
import os
import time
import weakref
from typing import Any, Container, Dict, List, Optional, Type, TypeVar

from . import _metrics, _report_page, _snapshot, cloud_info, keeper
from ._intervals import check_interval
from ._tables import Table, close_all
from .column_maps import PROCESS_COLUMNS, SYSTEM_COLUMNS
from .helpers import aggregate_stats
from .report import Report
from .server_info import get_server_info
from .tiny_data_frame import StatSpec, TinyDataFrame

Stats = Dict[str, Dict[str, Any]]
COLUMNS = {"process_tracker": PROCESS_COLUMNS,
           "system_tracker": SYSTEM_COLUMNS}
Self = TypeVar("Self", bound="Collected")


class Collected:
    """Rows of a process and of the machine, and what is made of them."""

    def __init__(self, pid: Optional[int] = None, children: bool = True,
                 interval: float = 1, method: Optional[str] = None,
                 track_processes: bool = True, track_system: bool = True,
                 discover_server: bool = True,
                 discover_cloud: Optional[bool] = None) -> None:
        check_interval(interval)
        self.pid = os.getpid() if pid is None else pid
        self.children = children
        self.interval = interval
        self.method = method
        self.autostart = False
        self.discover_server = discover_server
        self.discover_cloud = discover_cloud
        self.trackers = [name for name, wanted in (
            ("process_tracker", track_processes),
            ("system_tracker", track_system)) if wanted]
        self.start_time: Optional[float] = None
        self.stop_time: Optional[float] = None
        self._tables = {name: Table(COLUMNS[name]) for name in self.trackers}
        self._finalizers: List[Any] = [weakref.finalize(
            self, close_all, list(self._tables.values()))]
        self._server_info: Optional[Dict[str, Any]] = None
        self._cloud_info: Optional[Dict[str, Any]] = None
        self._server: Optional[Dict[str, Any]] = None
        self._price: Optional[float] = None
        self._implementation = "procfs"

    def _read_rows(self) -> None:
        """Put rows that are new into the tables; here there are none."""

    @property
    def running(self) -> bool:
        """Between start and stop?"""
        return self.start_time is not None and self.stop_time is None

    # The rows.

    def _table(self, name: str, columns: Optional[Container[str]] = None
               ) -> TinyDataFrame:
        table = self._tables.get(name)
        return TinyDataFrame([]) if table is None else table.frame(columns)

    def _path(self, name: str) -> Optional[str]:
        self._read_rows()
        table = self._tables.get(name)
        return table.path() if table is not None else None

    @property
    def process_metrics(self) -> TinyDataFrame:
        """Rows of the process."""
        self._read_rows()
        return self._table("process_tracker")

    @property
    def system_metrics(self) -> TinyDataFrame:
        """Rows of the machine."""
        self._read_rows()
        return self._table("system_tracker")

    @property
    def process_tracker_filepath(self) -> Optional[str]:
        """CSV file of the process, with all rows until this question."""
        return self._path("process_tracker")

    @property
    def system_tracker_filepath(self) -> Optional[str]:
        """CSV file of the machine, with all rows until this question."""
        return self._path("system_tracker")

    @property
    def n_samples(self) -> int:
        """Rows that all that is tracked has."""
        self._read_rows()
        return min(map(len, self._tables.values()), default=0)

    def wait_for_samples(self, n: int = 1, timeout: float = 5) -> None:
        """Until there are n; RuntimeError after so many seconds."""
        end = time.monotonic() + timeout
        while self.n_samples < n:
            if not self.running:
                raise RuntimeError(f"Resource tracker does not run, and has "
                                   f"{self.n_samples} of {n} samples")
            if time.monotonic() > end:
                raise RuntimeError(f"no {n} samples within {timeout} s")
            time.sleep(min(self.interval / 10, 0.1))

    def get_combined_metrics(
            self, bytes: bool = False, human_names: bool = False,
            system_prefix: Optional[str] = None,
            process_prefix: Optional[str] = None,
            offset: Optional[int] = None) -> TinyDataFrame:
        """Both in one table, joined by time; with `bytes` in bytes."""
        self._read_rows()
        return _metrics.combine(
            self._table("process_tracker"), self._table("system_tracker"),
            self.interval, bytes, human_names, system_prefix, process_prefix,
            offset)

    def stats(self, specs: List[StatSpec] = _metrics.DEFAULT_STATS) -> Stats:
        """Statistics of the combined columns."""
        self._read_rows()
        process, system = (self._table(f"{of}_tracker", {
            spec.column.replace(f"{of}_", "", 1) for spec in specs
        } | {"timestamp"}) for of in ("process", "system"))
        return _metrics.statistics(
            _metrics.combine(process, system, self.interval), self.interval,
            specs)

    # Where it runs, and where it could.

    def _discover_cloud(self) -> None:
        self._cloud_info = cloud_info.get_cloud_info()

    @property
    def cloud_info(self) -> Optional[Dict[str, Any]]:
        """The provider; None if it is not asked, or did not answer yet."""
        if self._cloud_info is None and self.discover_cloud is None:
            self._discover_cloud()
        return self._cloud_info

    @property
    def server_info(self) -> Optional[Dict[str, Any]]:
        """The machine, and whether it is the process's alone."""
        facts = self._server_facts()
        if facts is None:
            return None
        return {**facts, "allocation": _metrics.allocation(
            self.process_metrics, self.system_metrics)}

    def _server_facts(self) -> Optional[Dict[str, Any]]:
        if self._server_info is None and self.discover_server:
            self._server_info = get_server_info()
        return self._server_info

    def recommend_resources(self, historical_stats: Optional[List[Stats]]
                            = None) -> Dict[str, int]:
        """CPUs, memory, GPUs and their memory (MiB) for the next run."""
        if self.running:
            self.wait_for_samples(1, timeout=self.interval * 5)
        return _metrics.recommend(aggregate_stats(
            [self.stats(), *(historical_stats or [])]))

    def recommend_server(self, **kwargs: Any) -> Optional[Dict[str, Any]]:
        """The cheapest server for the next run; None without an answer.

        Asks Keeper, also for the price of this machine if its cloud is
        known.  kwargs: `historical_stats`, and filters of Keeper.
        """
        resources = self.recommend_resources(
            kwargs.pop("historical_stats", None))
        servers = keeper.get_recommended_cloud_servers(
            **{**resources, "n": 1, **kwargs})
        self._server = servers[0] if servers else None
        self._price = self._instance_price()
        return self._server

    def _instance_price(self) -> Optional[float]:
        """USD an hour of this machine; None if that is not known."""
        cloud = self._cloud_info
        if cloud is None or cloud.get("instance_type") in (None, "unknown"):
            return None
        return keeper.get_instance_price(
            cloud["vendor"], cloud["region"], cloud["instance_type"])

    def report(self, integration: str = "standalone",
               historical_stats: Optional[List[Stats]] = None,
               status_failed: bool = False,
               integration_version: Optional[str] = None) -> Report:
        """A page of HTML.  No request is made for it.

        A server is on it if recommend_server() was called before, a cloud
        if it is known already.
        """
        if self.running:
            self.wait_for_samples(1, timeout=self.interval * 5)
        return Report(_report_page.page(
            combined=self.get_combined_metrics(bytes=True, human_names=True),
            stats=self.stats(), historical_stats=historical_stats or [],
            server_info=self.server_info, cloud_info=self._cloud_info,
            server=self._server, price=self._price, integration=integration,
            implementation=self._implementation,
            status=("Failed" if status_failed else
                    "Pending" if self.running else "Finished")))

    # As a file.

    def snapshot(self) -> Dict[str, Any]:
        """All of it as plain data."""
        settings = {name: getattr(self, name) for name in (
            "pid", "children", "interval", "method", "autostart")}
        return {
            "metadata": _snapshot.metadata({
                **settings,
                "track_processes": "process_tracker" in self.trackers,
                "track_system": "system_tracker" in self.trackers,
                "discover_server": self.discover_server,
                "discover_cloud": self.discover_cloud is not False,
                "start_time": self.start_time,
                "stop_time": self.stop_time or time.time(),
            }, self._implementation),
            "server_info": self.server_info,
            "cloud_info": self._cloud_info,
            "process_metrics": self.process_metrics.to_dict(),
            "system_metrics": self.system_metrics.to_dict(),
        }

    @classmethod
    def from_snapshot(cls: Type[Self], snapshot: Dict[str, Any]) -> Self:
        """A tracker that is over, from a snapshot of any version."""
        settings = snapshot["metadata"]
        names = ("pid", "children", "interval", "method", "track_processes",
                 "track_system")
        tracker = cls(discover_server=False, discover_cloud=False, **{
            name: settings[name] for name in names if name in settings})
        tracker.start_time = settings.get("start_time")
        tracker.stop_time = settings.get("stop_time") or time.time()
        tracker._implementation = settings.get("resource_tracker", {}).get(
            "implementation", "procfs")
        tracker._server_info = snapshot.get("server_info")
        tracker._cloud_info = snapshot.get("cloud_info")
        for name, table in tracker._tables.items():
            which = name.replace("_tracker", "_metrics")
            table.restore(_snapshot.rows_of(snapshot, which))
        return tracker

    def dumps(self) -> str:
        """The snapshot as JSON."""
        return json.dumps(self.snapshot())

    @classmethod
    def loads(cls: Type[Self], s: str) -> Self:
        """What dumps() wrote."""
        return cls.from_snapshot(json.loads(s))

    def dump(self, file: str) -> None:
        """The snapshot as a file of JSON, compressed by gzip."""
        with gzip.open(file, "wt", encoding="utf-8") as out:
            out.write(self.dumps())

    @classmethod
    def load(cls: Type[Self], file: str) -> Self:
        """What dump() wrote."""
        with gzip.open(file, "rt", encoding="utf-8") as text:
            return cls.loads(text.read())
