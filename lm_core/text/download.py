"""One download over HTTP: bounded in size, patient with a bad line, with progress."""

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable

from lm_core.errors import CorpusUnavailableError

Progress = Callable[[int, int | None], None]
"""Called with (bytes so far, bytes in all or None where the server does not say)."""

TIMEOUT_SECONDS = 20.0
"""Longest silence of the server before an attempt counts as failed."""

_PAUSES_SECONDS = (1.0, 4.0)
"""Waits before the second and the third attempt."""

_CHUNK_BYTES = 1 << 16
_HEADERS = {"User-Agent": "lm-lab/0.1"}


class _TruncatedError(OSError):
    """The connection closed before the announced end."""


def download(address: str, limit_bytes: int, progress: Progress | None = None) -> bytes:
    """Return what lies at `address`, after at most three attempts.

    The bytes are held in memory, so a download that is interrupted leaves nothing behind.

    Parameters
    ----------
    address : str
        An ``http`` or ``https`` address.
    limit_bytes : int
        A longer answer is refused, and read no further than this.
    progress : callable, optional
        See `Progress`. To cancel, let it raise: the exception passes through unchanged.

    Raises
    ------
    CorpusUnavailableError
        If there is no network, the server refuses, or the answer is cut off or too long.
    """
    reason: Exception | None = None
    for pause in (0.0, *_PAUSES_SECONDS):
        time.sleep(pause)
        try:
            with _open(address) as response:
                return _read(response, address, limit_bytes, progress)
        except (OSError, http.client.HTTPException) as error:
            reason = error
            if not _may_pass(error):
                break
    raise CorpusUnavailableError(f"{address} could not be downloaded: {_plainly(reason)}")


def _open(address: str) -> http.client.HTTPResponse:
    request = urllib.request.Request(address, headers=_HEADERS)
    return urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS)


def _read(
    response: http.client.HTTPResponse, address: str, limit_bytes: int, progress: Progress | None
) -> bytes:
    announced = response.headers.get("Content-Length", "")
    total = int(announced) if announced.isdigit() else None
    body = bytearray()
    while chunk := response.read(_CHUNK_BYTES):
        body += chunk
        if max(len(body), total or 0) > limit_bytes:
            raise CorpusUnavailableError(
                f"{address} answers with {max(len(body), total or 0):,} bytes or more,"
                f" at most {limit_bytes:,} were expected"
            )
        if progress:
            progress(len(body), total)
    if total is not None and len(body) != total:
        raise _TruncatedError(f"only {len(body):,} of {total:,} bytes arrived")
    return bytes(body)


def _may_pass(error: Exception) -> bool:
    """Tell a passing trouble from an answer that will not change."""
    if isinstance(error, urllib.error.HTTPError):
        return error.code >= 500 or error.code == http.HTTPStatus.TOO_MANY_REQUESTS
    return True


def _plainly(error: Exception | None) -> str:
    """Return the cause in one line; urllib wraps it, and some causes carry no words."""
    cause = getattr(error, "reason", None) or error
    return str(cause) or type(cause).__name__
