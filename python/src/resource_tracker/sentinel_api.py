"""The service Sentinel, which keeps runs: its requests, and nothing by itself.

All requests pass `_request`.
"""
import gzip
import json
import os
import shlex
from enum import Enum
from logging import getLogger
from typing import Any, Dict, List, Optional
from urllib.error import HTTPError

from ._web import Request, urlopen

logger = getLogger(__name__)

DEFAULT_SENTINEL_URL = "https://api.sentinel.sparecores.net"
DEFAULT_TIMEOUT = 30

Facts = Dict[str, Any]


class RunStatus(Enum):
    """How a run ended."""

    finished = "finished"
    failed = "failed"


class DataSource(Enum):
    """Where the samples of a run are."""

    s3 = "s3"
    inline = "inline"


class SentinelAPIError(Exception):
    """An answer other than success."""

    def __init__(self, status_code: int, body: str) -> None:
        super().__init__(f"Sentinel API error {status_code}: {body}")
        self.status_code = status_code
        self.body = body


def _get_base_url() -> str:
    return os.environ.get("SENTINEL_API_URL", DEFAULT_SENTINEL_URL)


def _request(method: str, path: str, *, token: str,
             payload: Optional[Facts] = None, base_url: Optional[str] = None,
             timeout: float = DEFAULT_TIMEOUT,
             compress: bool = False) -> Facts:
    """The JSON answer, {} if it is empty; SentinelAPIError, or OSError."""
    headers = {"Authorization": f"Bearer {token}",
               "Content-Type": "application/json",
               "Accept": "application/json"}
    body = None if payload is None else json.dumps(payload).encode("utf-8")
    if compress and body is not None:
        body = gzip.compress(body)
        headers["Content-Encoding"] = "gzip"
    base = _get_base_url() if base_url is None else base_url
    request = Request(base.rstrip("/") + path, data=body, headers=headers,
                      method=method)
    try:
        with urlopen(request, timeout=timeout) as answer:
            text = answer.read()
    except HTTPError as error:
        said = error.read().decode("utf-8", "replace")
        raise SentinelAPIError(error.code, said) from error
    found: Facts = json.loads(text) if text else {}
    return found


def _known(*parts: Optional[Facts]) -> Facts:
    return {key: value for part in parts if part
            for key, value in part.items() if value is not None}


def register_run(token: str, metadata: Optional[Facts] = None, *,
                 host_info: Optional[Facts] = None,
                 cloud_info: Optional[Facts] = None) -> Facts:
    """Begin a run: its id, and where its samples may be put."""
    payload = _known(metadata, host_info, cloud_info)
    command = payload.get("command")
    if command is not None:
        words = shlex.split(command) if isinstance(command, str) else command
        payload["command"] = json.dumps(list(words))
    return _request("POST", "/runs", token=token, payload=payload)


def refresh_credentials(token: str, run_id: str) -> Facts:
    """New credentials to put samples with."""
    return _request("POST", f"/runs/{run_id}/refresh-credentials",
                    token=token)


def finish_run(token: str, run_id: str, *, exit_code: int = 0,
               run_status: RunStatus = RunStatus.finished,
               data_source: DataSource = DataSource.s3,
               data_uris: Optional[List[str]] = None,
               data_csv: Optional[str] = None) -> Facts:
    """End a run, with the places of its samples or with these themselves."""
    payload: Facts = {
        "exit_code": exit_code,
        "run_status": getattr(run_status, "value", run_status),
        "data_source": data_source.value,
    }
    inline = data_source is DataSource.inline
    name, data = (("data_csv", data_csv) if inline
                  else ("data_uris", data_uris))
    if data is None:
        raise ValueError(f"{data_source.value} needs {name}")
    payload[name] = data
    return _request("POST", f"/runs/{run_id}/finish", token=token,
                    payload=payload, compress=inline)
