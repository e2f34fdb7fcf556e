"""What browsers are told to refuse: scripts from elsewhere, frames around the lab, guessed types.

The policy is as narrow as Streamlit's page allows. Its styles are inline, its components' scripts are
handed over as blobs, and pictures are drawn from data within the page.
"""

import re
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_A_YEAR_S = 365 * 86_400
_HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
"""A name or an address with or without a port: nothing that could end a rule of the policy."""

_PARTS = frozenset({"text/css", "text/javascript", "font/woff2"})
"""What is only ever a part of a page, under that page's policy. A first visit asks for some 150 of them,
and the policy is longer than many."""


def content_security_policy(
    inline_scripts: list[str], framed_by: str = "'self'", host: str = ""
) -> str:
    """Return the policy of every page.

    WebAssembly stays refused: what decodes Streamlit's messages tries it for numbers of 64 bits, and does
    without; Firefox writes so to its console.

    Safari before 15.4 does not count websockets among what ``'self'`` allows: they are named, those
    of this host alone.

    Parameters
    ----------
    inline_scripts : list of str, hashes of the scripts within Streamlit's page
    framed_by : str, origins of the pages that may show the lab in a frame, between spaces
    host : str, what the browser has asked for as ``Host``; one that is not well-formed is left out
    """
    sockets = [f"ws://{host}", f"wss://{host}"] if _HOST.fullmatch(host) else []
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", *inline_scripts]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": " ".join(["'self' data: blob:", *sockets]),
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": framed_by,
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


class SecurityHeaders:
    """ASGI middleware that says with every answer what a browser must not do with it.

    The parts of a page, its scripts, styles and fonts, are under the page's policy and bear none.

    Parameters
    ----------
    app : ASGI application
    policy : callable, returns the Content-Security-Policy for a ``Host``
    """

    def __init__(self, app: ASGIApp, policy: Callable[[str], str]) -> None:
        self._app, self._policy = app, policy
        self._headers = {
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its answer."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").partition(";")[0] in _PARTS:
                    headers["X-Content-Type-Options"] = "nosniff"
                    await send(message)
                    return
                headers.update(self._headers)
                host = Headers(scope=scope).get("host", "")
                headers["Content-Security-Policy"] = self._policy(host)
                if scope["scheme"] == "https":
                    headers["Strict-Transport-Security"] = f"max-age={_A_YEAR_S}"
            await send(message)

        await self._app(scope, receive, send_with_headers)
