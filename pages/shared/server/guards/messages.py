"""What a page's browser may ask of the server; everything else is dropped before Streamlit reads it.

Streamlit's own menu can empty the caches of all visitors, or read the state of the repository. No page
of the lab needs that, and any program could ask for it. A connection that asks for nothing is closed:
it holds one of the places of its address.
"""

import asyncio
import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.shared.server.streamlit_inside.messages import client_message, json_values

ALLOWED = frozenset(
    {
        "rerun_script",
        "stop_script",
        "file_urls_request",
        "app_heartbeat",
        "backend_operation_request",
    }
)
"""A run, its end, an upload, a sign of life, and what a download or a table asks for later."""

SILENCE_S = 15.0
"""As long as a new connection may ask for nothing; a browser asks at once."""

DEEPEST = 100
"""Lists in lists that a component's value may have; at a thousand Python cannot read it."""

_POLICY = 1008
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)


class MessageGuard:
    """ASGI middleware that lets through, of each page's connection, what a page needs."""

    def __init__(self, app: ASGIApp, silence_s: float = SILENCE_S) -> None:
        self._app, self._silence_s = app, silence_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; of a websocket only the messages that are allowed."""
        if scope["type"] == "websocket":
            receive = _Guarded(receive, send, self._silence_s).next
        await self._app(scope, receive, send)


class _Guarded:
    """The messages of one connection."""

    def __init__(self, receive: Receive, send: Send, silence_s: float) -> None:
        self._receive, self._send = receive, send
        self._closes_at: float | None = asyncio.get_running_loop().time() + silence_s

    async def next(self) -> Message:
        """Return the next message that may pass; the end of the connection if it misbehaves."""
        try:
            while True:
                async with asyncio.timeout_at(self._closes_at):
                    message = await self._receive()
                data = message.get("bytes")
                if message["type"] != "websocket.receive" or data is None:
                    return message
                asked = client_message(data)
                if asked is None:  # Streamlit closes such a connection
                    return message
                if any(map(_is_too_deep, json_values(asked))):
                    return await self._close()
                if asked.WhichOneof("type") in ALLOWED:
                    self._closes_at = None
                    return message
        except TimeoutError:
            return await self._close()

    async def _close(self) -> Message:
        await self._send({"type": "websocket.close", "code": _POLICY})
        return {"type": "websocket.disconnect", "code": _POLICY}


def depth(value: str) -> int:
    """Return how many lists and mappings of a JSON text lie within each other at most.

    Examples
    --------
    >>> depth('{"a": [1, [2], "[[[["]}')
    3
    """
    deepest = now = 0
    for match in _STRING_OR_BRACKET.finditer(value):
        if match[0] in "[{":
            now += 1
            deepest = max(deepest, now)
        elif match[0] in "]}":
            now -= 1
    return deepest


def _is_too_deep(value: str) -> bool:
    return value.count("[") + value.count("{") > DEEPEST and depth(value) > DEEPEST
