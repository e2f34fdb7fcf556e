"""Our own script in the browser, before Streamlit's: one history entry for one act, and no page that stays white.

Streamlit has no place for a script that runs before its own and outlives them: a component comes with the
first page, and goes with the last.
"""

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPT = "lab-front-end.js"
_TAG = f'<script src="./{SCRIPT}"></script>'.encode()
_BEFORE = b"<title>"
_SOURCE = Path(__file__).with_name("front_end.js")
_KEPT_BACK = {b"if-none-match", b"if-modified-since", b"accept-encoding"}
"""By which the application might answer with something else than the plain page, whole."""


class FrontEnd:
    """ASGI middleware that serves the script, and has every page load it first.

    Parameters
    ----------
    app : ASGI application
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._script = _SOURCE.read_bytes()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for the script; put its tag into what the application answers, if that is a page."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif _asks_for_page(scope):
            asked = [pair for pair in scope["headers"] if pair[0] not in _KEPT_BACK]
            await self._app({**scope, "headers": asked}, receive, _Tagging(send).pass_on)
        elif scope["path"].endswith(f"/{SCRIPT}"):
            headers = {"Cache-Control": "no-cache"}
            script = Response(self._script, media_type="text/javascript", headers=headers)
            await script(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class _Tagging:
    """What sends one answer on, with the tag if it is a page of HTML."""

    def __init__(self, send: Send) -> None:
        self._send = send
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
        body = self._body.replace(_BEFORE, _TAG + _BEFORE, 1)
        headers = MutableHeaders(raw=list(start["headers"]))
        for name in ("etag", "last-modified"):
            del headers[name]
        if self._body:  # what answers HEAD has none, and names the length all the same
            headers["content-length"] = str(len(body))
        await self._send({**start, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": body})


def _asks_for_page(scope: Scope) -> bool:
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _is_html(start: Message) -> bool:
    headers = MutableHeaders(raw=list(start["headers"]))
    return headers.get("content-type", "").startswith("text/html")


def front_end() -> Middleware:
    """Return the middleware."""
    return Middleware(FrontEnd)
