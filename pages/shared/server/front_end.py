"""Our own script in the browser, before Streamlit's: one history entry for one act, and no page that stays white.

Streamlit has no place for a script that runs before its own and outlives them: a component comes with the
first page, and goes with the last.
"""

from functools import lru_cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import Message, Receive, Scope, Send

from pages.shared.server.compressed_files import (
    CompressedCopies,
    CompressedFiles,
    accepted_encodings,
    gzipped,
)
from pages.shared.server.first_sight import ahead, served_files, with_first_sight
from pages.shared.server.middleware import Layer, asks_for_page

_KEPT_BACK = {b"if-none-match", b"if-modified-since", b"accept-encoding"}
"""By which the application might answer with something else than the plain page, whole."""


class FrontEnd(Layer):
    """Has every page load our script, fonts and what it will need, early."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Put the tags into what the application answers, if that is a page."""
        if asks_for_page(scope):
            asked = [pair for pair in scope["headers"] if pair[0] not in _KEPT_BACK]
            takes_gzip = "gzip" in accepted_encodings(Headers(scope=scope))
            send = _Tagging(send, takes_gzip).pass_on
            await self.app({**scope, "headers": asked}, receive, send)
        else:
            await self.app(scope, receive, send)


class _Tagging:
    """What sends one answer on, with the tags if it is a page of HTML."""

    def __init__(self, send: Send, takes_gzip: bool) -> None:
        self._send, self._takes_gzip = send, takes_gzip
        self._start: Message | None = None
        self._body = b""

    async def pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_html(message):
            self._start = message
        elif message["type"] == "http.response.body" and self._start is not None:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_whole(self._start)
        else:
            await self._send(message)

    async def _send_whole(self, start: Message) -> None:
        headers = MutableHeaders(raw=list(start["headers"]))
        for name in ("etag", "last-modified"):
            del headers[name]
        headers["vary"] = "Accept-Encoding"
        body = _tagged(self._body, self._takes_gzip) if self._body else b""
        if body:  # what answers HEAD has none, and names the length all the same
            headers["content-length"] = str(len(body))
            if self._takes_gzip:
                headers["content-encoding"] = "gzip"
        await self._send({**start, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": body})


@lru_cache(maxsize=8)
def _tagged(page: bytes, is_compressed: bool) -> bytes:
    tagged = with_first_sight(page.decode()).encode()
    return gzipped(tagged) if is_compressed else tagged


def _is_html(start: Message) -> bool:
    headers = MutableHeaders(raw=list(start["headers"]))
    return headers.get("content-type", "").startswith("text/html")


def front_end() -> list[Middleware]:
    """Return the middleware of what a browser loads before the first run."""
    return [
        Middleware(FrontEnd),
        Middleware(CompressedFiles, copies=CompressedCopies(served_files()), ahead=ahead()),
    ]
