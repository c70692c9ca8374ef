"""Sends the combined samples of a run to Sentinel's storage, in batches.

Done only with a token, by a thread of its own.
"""
import gzip
import os
import threading
import time
from datetime import datetime, timezone
from logging import getLogger
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from .s3_upload import put_bytes_with_sts
from .sentinel_api import (DataSource, RunStatus, finish_run,
                           refresh_credentials, register_run)

logger = getLogger(__name__)

_CREDENTIAL_REFRESH_THRESHOLD = 300
_CREDENTIAL_REFRESH_RETRY_DELAY = 10
REFRESH_ATTEMPTS = 2
JOIN_SECONDS = 30

Facts = Dict[str, Any]


def _parse_expires_at(expires_at: str) -> float:
    """Unix time of ISO 8601; without a zone it is UTC."""
    moment = datetime.fromisoformat(expires_at.replace("Z", "+00:00"))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return moment.timestamp()


def _read_new_bytes(filepath: str, offset: int,
                    until: Optional[bytes] = None) -> Tuple[bytes, int]:
    """(bytes from `offset` on, where they end); none if there is no file.

    With `until` they end behind it; ValueError if it is not there.
    """
    try:
        with open(filepath, "rb") as file:
            file.seek(offset)
            data = file.read()
    except FileNotFoundError:
        return b"", offset
    if until is not None:
        at = data.find(until)
        if at < 0:
            raise ValueError(f"{until!r} not found in {filepath}")
        data = data[:at + len(until)]
    return data, offset + len(data)


class StreamingManager:
    """One run: registered by start(), sent meanwhile, ended by stop()."""

    def __init__(self, token: str, csv_path: Optional[str] = None,
                 upload_interval: float = 60,
                 metadata: Optional[Facts] = None,
                 host_info: Optional[Facts] = None,
                 cloud_info: Optional[Facts] = None,
                 csv_update_fn: Optional[Callable[[], None]] = None) -> None:
        self._token = token
        self._csv_path = csv_path
        self._upload_interval = max(1, upload_interval)
        self._metadata = metadata
        self._host_info = host_info
        self._cloud_info = cloud_info
        self._csv_update_fn = csv_update_fn
        self._run_id: Optional[str] = None
        self._uri_prefix = ""
        self._credentials: Dict[str, Any] = {}
        self._expires_at = 0.0
        self._csv_offset = 0
        self._seq = 0
        self._uploaded_uris: List[str] = []
        self._stop_event = threading.Event()
        self._thread: Optional[threading.Thread] = None

    @property
    def is_alive(self) -> bool:
        """Does its thread run?"""
        return self._thread is not None and self._thread.is_alive()

    @property
    def run_id(self) -> Optional[str]:
        """The service's name of the run."""
        return self._run_id

    @property
    def uploaded_uris(self) -> List[str]:
        """Where batches were put."""
        return list(self._uploaded_uris)

    def start(self) -> None:
        """Register the run, and begin to send."""
        answer = register_run(
            self._token, metadata=self._metadata, host_info=self._host_info,
            cloud_info=self._cloud_info)
        self._run_id = answer["run_id"]
        self._uri_prefix = answer["upload_uri_prefix"].rstrip("/")
        self._set_credentials(answer["upload_credentials"])
        self._thread = threading.Thread(target=self._streaming_loop,
                                        daemon=True)
        self._thread.start()

    def stop(self, exit_code: int = 0,
             run_status: Union[RunStatus, str] = RunStatus.finished
             ) -> Optional[Facts]:
        """Send what is left, and end the run: the service's answer."""
        self._stop_event.set()
        if self._thread is not None:
            self._thread.join(JOIN_SECONDS)
        if self._run_id is None:
            return None
        data: Facts
        if self._uploaded_uris:
            try:
                self._upload_batch()
            except Exception as error:
                logger.warning("the last samples were not sent: %s", error)
            data = {"data_source": DataSource.s3,
                    "data_uris": self.uploaded_uris}
        else:
            data = {"data_source": DataSource.inline,
                    "data_csv": self._whole_csv_or_empty()}
        return finish_run(self._token, self._run_id, exit_code=exit_code,
                          run_status=run_status,  # type: ignore[arg-type]
                          **data)

    def _whole_csv_or_empty(self) -> str:
        """A run without samples is ended all the same."""
        try:
            return self._read_all_csv()
        except Exception as error:
            logger.warning("the samples could not be read: %s", error)
            return ""

    def _set_credentials(self, creds: Facts) -> None:
        expires_at = _parse_expires_at(creds["expires_at"])
        self._credentials = {
            name: creds[name]
            for name in ("access_key", "secret_key", "session_token")}
        self._expires_at = expires_at

    def _seconds_until_expiry(self) -> float:
        return self._expires_at - time.time()

    def _should_refresh_credentials(self) -> bool:
        return self._seconds_until_expiry() <= _CREDENTIAL_REFRESH_THRESHOLD

    def _refresh_credentials(self) -> None:
        """Some attempts; after the last one the old ones are used on."""
        for attempt in range(REFRESH_ATTEMPTS):
            try:
                self._set_credentials(refresh_credentials(
                    self._token, str(self._run_id))["upload_credentials"])
                return
            except Exception as error:
                logger.warning("no new credentials: %s", error)
            if (attempt + 1 < REFRESH_ATTEMPTS and self._stop_event.wait(
                    _CREDENTIAL_REFRESH_RETRY_DELAY)):
                return

    def _streaming_loop(self) -> None:
        """A batch each interval, and once at once if credentials are old."""
        wait = 0.1 if self._should_refresh_credentials() else (
            self._next_wait())
        while not self._stop_event.wait(wait):
            if self._should_refresh_credentials():
                self._refresh_credentials()
            try:
                self._upload_batch()
            except Exception as error:
                logger.warning("samples were not sent: %s", error)
            wait = self._next_wait()

    def _next_wait(self) -> float:
        """Until the next batch, or until credentials must be new."""
        left = self._seconds_until_expiry() - _CREDENTIAL_REFRESH_THRESHOLD
        return min(self._upload_interval, max(left, 1) if left > 0
                   else self._upload_interval)

    def _update_csv(self) -> None:
        if self._csv_update_fn is None:
            return
        try:
            self._csv_update_fn()
        except Exception as error:
            logger.warning("the samples' file is not new: %s", error)

    def _header(self, path: str) -> bytes:
        try:
            return _read_new_bytes(path, 0, until=b"\n")[0]
        except ValueError:
            raise ValueError(f"{path} has no header line") from None

    def _upload_batch(self) -> None:
        """Send what is new; if that fails, it is new the next time too."""
        self._update_csv()
        if self._csv_path is None:
            return
        data, end = _read_new_bytes(self._csv_path, self._csv_offset)
        if not data:
            return
        header = self._header(self._csv_path)
        if self._csv_offset:
            data = header + data
        uri = f"{self._uri_prefix}/{self._seq + 1:04d}.csv.gz"
        try:
            put_bytes_with_sts(s3_uri=uri, body=gzip.compress(data),
                               **self._credentials)
        except Exception as error:
            logger.warning("samples were not sent: %s", error)
            return
        self._seq += 1
        self._csv_offset = end
        self._uploaded_uris.append(uri)

    def _read_all_csv(self) -> str:
        self._update_csv()
        if self._csv_path is None or not os.path.exists(self._csv_path):
            return ""
        with open(self._csv_path, encoding="utf-8", newline="") as file:
            return file.read()
