"""Whose page may open a connection: the lab's own, whatever proxies lie between.

A browser sends the origin of the page that asks. Streamlit compares it with the Host letter by letter,
so that a proxy which leaves the port out shuts everybody out. Here the names count, and the ports where
both name one; Streamlit is then told that they are the same.
"""

from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Receive, Scope, Send

from pages.shared.server.middleware import Layer
from pages.shared.server.streamlit_inside.addresses import allowed_origins


class SameOrigin(Layer):
    """Refuses websockets which a foreign page opens.

    A client that sends no origin is no browser, and is let through: it could say anything.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        origin = Headers(scope=scope).get("origin") if scope["type"] == "websocket" else None
        if origin is not None:
            host = Headers(scope=scope).get("host", "")
            if not is_own_origin(origin, host):
                await send({"type": "websocket.close", "code": 1008})  # against the policy
                return
            scope = {**scope, "headers": list(scope["headers"])}
            MutableHeaders(scope=scope)["origin"] = f"{urlsplit(origin).scheme}://{host}"
        await self.app(scope, receive, send)


def is_own_origin(origin: str, host: str) -> bool:
    """Return whether a page of this origin is the lab's, which was reached under this Host.

    Streamlit's settings ``server.corsAllowedOrigins``, ``browser.serverAddress`` and
    ``server.enableCORS`` allow others.

    Examples
    --------
    >>> is_own_origin("https://lab.example.org:8443", "lab.example.org")
    True
    >>> is_own_origin("https://evil.example", "lab.example.org")
    False
    """
    if not st.get_option("server.enableCORS"):
        return True
    page = _name_and_port(origin)
    return page is not None and any(
        page[0] == own[0] and (page[1] == own[1] or None in (page[1], own[1]))
        for own in filter(None, map(_name_and_port, [f"//{host}", *allowed_origins()]))
    )


def _name_and_port(address: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(address)
        return (parts.hostname, parts.port) if parts.hostname else None
    except ValueError:  # a port that is no number, or half an IPv6 address
        return None
