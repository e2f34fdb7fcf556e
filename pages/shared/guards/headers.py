"""What browsers are told to refuse: scripts from elsewhere, frames around the lab, guessed types.

The policy is as narrow as Streamlit's page allows. Its styles are inline, its components' scripts are
handed over as blobs, and pictures are drawn from data within the page.
"""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_A_YEAR_S = 365 * 86_400


def content_security_policy(inline_scripts: list[str], framed_by: str = "'self'") -> str:
    """Return the policy of every page.

    Parameters
    ----------
    inline_scripts : list of str
        Hashes of the scripts within Streamlit's page.
    framed_by : str
        Origins of the pages that may show the lab in a frame, between spaces.
    """
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", *inline_scripts]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' data: blob:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": framed_by,
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


class SecurityHeaders:
    """ASGI middleware that says with every answer what a browser must not do with it.

    Parameters
    ----------
    app : ASGI application
    policy : str
        The Content-Security-Policy.
    """

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app = app
        self._headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its answer."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                if scope["scheme"] == "https":
                    headers["Strict-Transport-Security"] = f"max-age={_A_YEAR_S}"
            await send(message)

        await self._app(scope, receive, send_with_headers)
