"""Tracks a process and the machine beside the program that asks for it."""
import os
import threading
import time
import weakref
from logging import getLogger
from queue import SimpleQueue
from typing import Any, Dict, Optional, Type, Union

from ._blocking import PidTracker, ProcessTracker, SystemTracker
from ._collected import Collected
from ._sampling import Sampling, describe
from ._tables import Appended, close_all
from .sentinel_api import RunStatus
from .streaming import StreamingManager

__all__ = ["PidTracker", "ProcessTracker", "ResourceTracker",
           "SystemTracker"]

logger = getLogger(__name__)


class ResourceTracker(Collected):
    """Samples of a process and of the machine, each `interval` seconds.

    They are taken by the recorder, a process of its own, which is not part
    of what is tracked.  Without `pid` the calling process is tracked.
    `discover_cloud`: True asks the provider at the start; None, the default,
    when `cloud_info` is read; False never.  Samples are sent to Sentinel if
    there is a token, here or in SENTINEL_API_TOKEN; "" is none.
    """

    def __init__(self, pid: Optional[int] = None, children: bool = True,
                 interval: float = 1, method: Optional[str] = None,
                 autostart: bool = False, track_processes: bool = True,
                 track_system: bool = True, discover_server: bool = True,
                 discover_cloud: Optional[bool] = None,
                 sentinel_token: Optional[str] = None,
                 upload_interval: float = 60,
                 streaming_metadata: Optional[Dict[str, Any]] = None
                 ) -> None:
        super().__init__(pid, children, interval, method, track_processes,
                         track_system, discover_server, discover_cloud)
        self.autostart = autostart
        self.upload_interval = upload_interval
        self.streaming_metadata = streaming_metadata
        self.error_queue: "SimpleQueue[Dict[str, Any]]" = SimpleQueue()
        self._token = (os.environ.get("SENTINEL_API_TOKEN")
                       if sentinel_token is None else sentinel_token)
        self._sampling: Optional[Sampling] = None
        self._lock = threading.Lock()
        self._streaming: Optional[StreamingManager] = None
        self._combined_csv: Optional[Appended] = None
        self._sentinel_result: Optional[Dict[str, Any]] = None
        if autostart:
            self.start()

    # How it begins and ends.

    def start(self) -> None:
        """Begin; RuntimeError if that was done before."""
        if self.stop_time is not None:
            raise RuntimeError("Resource tracker already stopped: "
                               "make a new one")
        if self._sampling is not None:
            raise RuntimeError("Resource tracker already running")
        # Of the machine alone, samples end with this process.
        pid = self.pid if "process_tracker" in self.trackers else os.getpid()
        start_time = time.time()
        self._sampling = Sampling(pid, self.children, self.interval)
        self.start_time = start_time
        self._implementation = self._sampling.implementation
        self._finalizers.append(
            weakref.finalize(self, close_all, [self._sampling]))
        for name in self.trackers:
            setattr(self, name + "_process", self._sampling.process)
        if self.discover_cloud:
            threading.Thread(target=self._discover_cloud,
                             daemon=True).start()
        self._start_streaming()

    def stop(self, exit_code: int = 0,
             run_status: Union[RunStatus, str] = RunStatus.finished) -> None:
        """End; nothing if it does not run.  Rows until now are kept."""
        if self._sampling is None or self.stop_time is not None:
            return
        failure = self._sampling.failure()
        self._sampling.stop()
        self.stop_time = time.time()
        failure = failure or self._sampling.failure()
        self._read_rows()
        if failure is not None:
            self.error_queue.put(describe(failure))
            logger.warning("tracking ended early: %s", failure)
        self._stop_streaming(exit_code, run_status)
        with self._lock:
            self._sampling.close()
        logger.debug("stopped with %d samples, %s", self.n_samples,
                     getattr(run_status, "value", run_status))

    def cleanup(self) -> None:
        """End, and remove the files."""
        try:
            self.stop()
        except Exception as error:
            logger.debug("cleanup: %s", error)
        for finalize in self._finalizers:
            finalize()

    def __enter__(self) -> "ResourceTracker":
        self.autostart = True
        if self._sampling is None:
            self.start()
        return self

    def __exit__(self, kind: Optional[Type[BaseException]],
                 *_: Any) -> None:
        if kind is None:
            self.stop(0, RunStatus.finished)
        else:
            self.stop(1, RunStatus.failed)

    def _read_rows(self) -> None:
        with self._lock:
            if self._sampling is None:
                return
            pairs = self._sampling.rows()
            for name, at in (("process_tracker", 0), ("system_tracker", 1)):
                if name in self._tables:
                    rows = [pair[at] for pair in pairs]
                    self._tables[name].add(
                        [row for row in rows if row is not None])

    # What is sent, if there is a token.

    @property
    def sentinel_result(self) -> Optional[Dict[str, Any]]:
        """The service's answer to the end of the run."""
        return self._sentinel_result

    @property
    def _combined_csv_filepath(self) -> Optional[str]:
        return None if self._combined_csv is None else self._combined_csv.path

    @property
    def _combined_csv_rows_written(self) -> int:
        return 0 if self._combined_csv is None else self._combined_csv.rows

    def _update_combined_csv(self) -> None:
        if self._combined_csv is not None:
            self._combined_csv.add(self.get_combined_metrics(
                offset=self._combined_csv.rows))

    def _start_streaming(self) -> None:
        """A service that does not answer leaves the samples here."""
        if not self._token:
            return
        self._combined_csv = Appended()
        self._finalizers.append(
            weakref.finalize(self, close_all, [self._combined_csv]))
        streaming = StreamingManager(
            self._token, self._combined_csv.path, self.upload_interval,
            self.streaming_metadata, _host_facts(self._server_facts()),
            _cloud_facts(self._cloud_info), self._update_combined_csv)
        try:
            streaming.start()
            self._streaming = streaming
        except Exception as error:
            logger.warning("samples are not sent: %s", error)

    def _stop_streaming(self, exit_code: int,
                        run_status: Union[RunStatus, str]) -> None:
        streaming, self._streaming = self._streaming, None
        if streaming is None:
            return
        try:
            self._sentinel_result = streaming.stop(exit_code, run_status)
        except Exception as error:
            logger.warning("the end of the run was not sent: %s", error)


def _host_facts(info: Optional[Dict[str, Any]]) -> Dict[str, Any]:
    names = ("vcpus", "memory_mib", "gpu_count", "gpu_name",
             "gpu_memory_mib")
    return {f"host_{name}": info[name] for name in names} if info else {}


def _cloud_facts(info: Optional[Dict[str, Any]]) -> Dict[str, Any]:
    names = {"cloud_vendor_id": "vendor", "cloud_region_id": "region",
             "cloud_instance_type": "instance_type"}
    return ({name: info.get(key) for name, key in names.items()}
            if info else {})
