"""One download over HTTP: bounded in size, patient with a bad line, with progress."""

import io
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lm_core.errors import CorpusUnavailableError

if TYPE_CHECKING:
    import requests

Progress = Callable[[int, int | None], None]
"""Called with (bytes so far, bytes in all or None where the server does not say)."""

TIMEOUT_SECONDS = 20.0
"""Longest silence of the server before an attempt counts as failed."""

_PAUSES_SECONDS = (1.0, 4.0)  # waits before the second and the third attempt

_CHUNK_BYTES = 1 << 16
_HEADERS = {"User-Agent": "lm-lab/0.1", "Accept-Encoding": "identity"}  # lengths are the text's own


class _Received(io.BytesIO):
    """Takes the bytes as they come: tells of them, and refuses more than were expected."""

    def __init__(self, address: str, limit_bytes: int, progress: Progress | None) -> None:
        super().__init__()
        self._address, self._limit_bytes, self._progress = address, limit_bytes, progress
        self._total: int | None = None

    def announce(self, response: "requests.Response", **_: Any) -> None:
        """Remember how many bytes the server says that it will send."""
        length = response.headers.get("Content-Length", "")
        self._total = int(length) if length.isdigit() else None

    def write(self, chunk: Any) -> int:
        size = self.tell() + len(chunk)
        if max(size, self._total or 0) > self._limit_bytes:
            raise CorpusUnavailableError(
                f"{self._address} answers with {max(size, self._total or 0):,} bytes or more,"
                f" at most {self._limit_bytes:,} were expected"
            )
        if self._progress:
            self._progress(size, self._total)
        return super().write(chunk)


def download(address: str, limit_bytes: int, progress: Progress | None = None) -> bytes:
    """Return what lies at `address`, after at most three attempts.

    The bytes are held in memory, so a download that is interrupted leaves nothing behind. Raises
    CorpusUnavailableError if there is no network, the server refuses, or the answer is incomplete
    or too long.

    Parameters
    ----------
    address : str, an ``http`` or ``https`` address
    limit_bytes : int, a longer answer is refused, and read no further than this
    progress : callable, optional
        See `Progress`. To cancel, let it raise: the exception passes through unchanged.
    """
    import pooch  # with all of requests: nobody who downloads nothing need load it
    import requests

    reason: Exception | None = None
    for pause in (0.0, *_PAUSES_SECONDS):
        time.sleep(pause)
        received = _Received(address, limit_bytes, progress)
        fetch = pooch.HTTPDownloader(
            chunk_size=_CHUNK_BYTES,
            timeout=TIMEOUT_SECONDS,
            headers=_HEADERS,
            hooks={"response": received.announce},
        )
        try:
            fetch(address, received, None)
            return received.getvalue()
        except requests.RequestException as error:
            reason = error
            if not _may_pass(error):
                break
    raise CorpusUnavailableError(f"{address} could not be downloaded: {_plainly(reason)}")


def _may_pass(error: "requests.RequestException") -> bool:
    """Tell a passing trouble from an answer that will not change."""
    if error.response is None:
        return True
    return bool(error.response.status_code >= 500 or error.response.status_code == 429)


def _plainly(error: BaseException | None) -> str:
    """Return the cause in one line: the libraries wrap it several times."""
    while error is not None and error.__context__ is not None:
        error = error.__context__
    return str(error) or type(error).__name__
