"""Puts an object into S3 with temporary credentials (signature version 4).

    python -m resource_tracker.s3_upload --s3-uri s3://BUCKET/KEY --file FILE
        --access-key ... --secret-key ... --session-token ...
"""
import argparse
import hashlib
import hmac
from datetime import datetime, timezone
from logging import getLogger
from pathlib import Path
from typing import Dict, Optional, Tuple
from urllib.error import HTTPError
from urllib.parse import quote

from ._web import Request, urlopen

logger = getLogger(__name__)

DEFAULT_UPLOAD_TIMEOUT = 30
DEFAULT_REGION = "eu-central-1"
bucket_region_cache: Dict[str, str] = {}


def _parse_s3_uri(s3_uri: str) -> Tuple[str, str]:
    """(bucket, key)"""
    scheme, _, rest = s3_uri.partition("://")
    bucket, _, key = rest.partition("/")
    if scheme != "s3" or not bucket or not key:
        raise ValueError(f"Expected s3 URI (s3://BUCKET/KEY), not {s3_uri!r}")
    return bucket, key


def _get_bucket_region(bucket: str, timeout: float = 10) -> str:
    """Where the bucket is; any answer of S3 says it in a header."""
    if bucket not in bucket_region_cache:
        request = Request(f"https://{bucket}.s3.amazonaws.com/",
                          method="HEAD")
        try:
            with urlopen(request, timeout=timeout) as answer:
                headers = answer.headers
        except HTTPError as error:
            headers = error.headers
        bucket_region_cache[bucket] = (
            headers.get("x-amz-bucket-region") or DEFAULT_REGION)
    return bucket_region_cache[bucket]


def _sha256_hex(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _hmac_sha256(key: bytes, msg: str) -> bytes:
    return hmac.new(key, msg.encode("utf-8"), hashlib.sha256).digest()


def _derive_signing_key(secret_key: str, date_stamp: str,
                        region: str) -> bytes:
    key = ("AWS4" + secret_key).encode("utf-8")
    for part in (date_stamp, region, "s3", "aws4_request"):
        key = _hmac_sha256(key, part)
    return key


def _signature_headers(method: str, host: str, path: str, body: bytes,
                       region: str, now: datetime, access_key: str,
                       secret_key: str, session_token: str) -> Dict[str, str]:
    """The headers that prove who puts what."""
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    day = stamp[:8]
    signed = {
        "host": host,
        "x-amz-content-sha256": _sha256_hex(body),
        "x-amz-date": stamp,
        "x-amz-security-token": session_token,
    }
    names = ";".join(signed)
    canonical = "\n".join([
        method, path, "", *(f"{name}:{value}" for name, value
                            in signed.items()),
        "", names, signed["x-amz-content-sha256"]])
    scope = f"{day}/{region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope,
                      _sha256_hex(canonical.encode("utf-8"))])
    signature = _hmac_sha256(_derive_signing_key(secret_key, day, region),
                             text).hex()
    return {**signed, "Authorization":
            f"AWS4-HMAC-SHA256 Credential={access_key}/{scope}, "
            f"SignedHeaders={names}, Signature={signature}"}


def put_bytes_with_sts(*, s3_uri: str, body: bytes, access_key: str,
                       secret_key: str, session_token: str,
                       region: Optional[str] = None,
                       timeout: float = DEFAULT_UPLOAD_TIMEOUT) -> str:
    """Put `body` there; the address again.  RuntimeError if refused."""
    bucket, key = _parse_s3_uri(s3_uri)
    if region is None:
        region = _get_bucket_region(bucket)
    host, path = f"{bucket}.s3.{region}.amazonaws.com", "/" + quote(key)
    headers = _signature_headers(
        "PUT", host, path, body, region, datetime.now(timezone.utc),
        access_key, secret_key, session_token)
    headers["Content-Length"] = str(len(body))
    request = Request(f"https://{host}{path}", data=body, headers=headers,
                      method="PUT")
    try:
        with urlopen(request, timeout=timeout) as answer:
            status, said = answer.status, ""
    except HTTPError as error:
        status = error.code
        said = error.read().decode("utf-8", "replace")
    if status not in (200, 201):
        raise RuntimeError(f"S3 answers {status} for {s3_uri}: {said}")
    return s3_uri


def put_object_with_sts(*, s3_uri: str, file_path: Path, access_key: str,
                        secret_key: str, session_token: str,
                        region: Optional[str] = None,
                        timeout: float = DEFAULT_UPLOAD_TIMEOUT) -> str:
    """Put a file there."""
    return put_bytes_with_sts(
        s3_uri=s3_uri, body=Path(file_path).read_bytes(),
        access_key=access_key, secret_key=secret_key,
        session_token=session_token, region=region, timeout=timeout)


def _build_arg_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Put a file into S3.")
    for name in ("s3-uri", "file", "access-key", "secret-key",
                 "session-token"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--region")
    return parser


def main() -> None:
    """Put the file that the command line names."""
    given = _build_arg_parser().parse_args()
    print(put_object_with_sts(
        s3_uri=given.s3_uri, file_path=Path(given.file),
        access_key=given.access_key, secret_key=given.secret_key,
        session_token=given.session_token, region=given.region))


if __name__ == "__main__":
    main()
