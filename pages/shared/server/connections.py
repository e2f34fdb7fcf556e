"""How many visitors are connected at once: of one address and in all, and what the next one sees.

Every open page holds a websocket, and Streamlit three descriptors more for its session. A server that
has none left answers nobody, not even those who are connected; so whoever comes when it is full is
turned away with a page that says so and tries again by itself.
"""

import ipaddress
from collections import Counter

from pydantic import PositiveInt
from pydantic_settings import SettingsConfigDict
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from lm_core.settings import PREFIX, EnvironmentSettings, settings
from pages.shared.server.middleware import asks_for_page

_DESCRIPTORS_EACH = 4
_DESCRIPTORS_BESIDE = 512  # files, libraries, and the sessions that Streamlit keeps for a return
_SHARE_OF_ADDRESS = 0.75  # so that no single address can lock out all others
_TRY_AGAIN_S = 10

_FULL = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="{seconds}">
<title>LM Lab is full</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.2rem/1.5 sans-serif; max-width: 32rem; margin: 15vh auto; padding: 0 1rem }}
</style>
<main>
<h1>LM Lab is full</h1>
<p>{n} pages are open {whose}, as many as this server can serve at a time. Close the tabs that you do
not need. This page tries again every {seconds} seconds.</p>
</main>
</html>
"""


class ConnectionLimits(EnvironmentSettings):
    """How many pages may be open; the variables are ``LM_LAB_MAX_CONNECTIONS`` and so on."""

    model_config = SettingsConfigDict(env_prefix=f"{PREFIX}MAX_")

    # connections and connections_per_address: in all, and of one address: a class behind one router
    # has one
    connections: PositiveInt = 600
    connections_per_address: PositiveInt = 200

    def within(self, descriptors: int) -> "ConnectionLimits":
        """Return the limits that a process can keep which may open so many descriptors."""
        affordable = max(1, (descriptors - _DESCRIPTORS_BESIDE) // _DESCRIPTORS_EACH)
        in_all = min(self.connections, affordable)
        of_address = min(self.connections_per_address, max(1, int(in_all * _SHARE_OF_ADDRESS)))
        return ConnectionLimits(connections=in_all, connections_per_address=of_address)


class ConnectionLimit:
    """ASGI middleware that counts open websockets and turns away those above the limits.

    `app`: ASGI application.
    """

    def __init__(self, app: ASGIApp, limits: ConnectionLimits) -> None:
        self._app, self._limits = app, limits
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        address = network_of(scope["client"][0]) if scope.get("client") else ""
        if scope["type"] == "websocket":
            await self._connect(address, scope, receive, send)
        elif (full := self._full(address)) and asks_for_page(scope):
            await full(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _connect(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        if self._full(address):
            await send({"type": "websocket.close", "code": 1013})  # try again later
            return
        self._open[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[address] -= 1
            self._open += Counter()  # forgets who has none left

    def _full(self, address: str) -> HTMLResponse | None:
        """Return the page for whoever comes from an address while there is no place for them."""
        n_of_address, n_in_all = self._open[address], self._open.total()
        if n_of_address >= self._limits.connections_per_address:
            return _page(n_of_address, "from your address")
        if n_in_all >= self._limits.connections:
            return _page(n_in_all, "on this server")
        return None


def connection_limit(descriptors: int) -> Middleware:
    """Return the middleware for a process that may open so many descriptors.

    Raises SettingError if a variable has a value that cannot be used.
    """
    limits = ConnectionLimits.from_environment().within(descriptors)
    return Middleware(ConnectionLimit, limits=limits)


def visitors_behind_proxies() -> list[Middleware]:
    """Return the middleware that gives a request its visitor's address where a trusted proxy passes it on.

    None without ``LM_LAB_TRUSTED_PROXIES``: then anybody could claim any address. Raises
    SettingError if that variable has a value that cannot be used.
    """
    trusted = settings().trusted_proxies
    return [Middleware(ProxyHeadersMiddleware, trusted_hosts=trusted)] if trusted else []


def network_of(address: str) -> str:
    """Return what stands for one customer of a provider: an IPv4 address, or the first half of an IPv6 one.

    Examples
    --------
    >>> network_of("192.0.2.7")
    '192.0.2.7'
    >>> network_of("2001:db8:1:2:a::7")
    '2001:db8:1:2::/64'
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((known, 64), strict=False))
    return address


def _page(n: int, whose: str) -> HTMLResponse:
    return HTMLResponse(
        _FULL.format(n=n, whose=whose, seconds=_TRY_AGAIN_S),
        status_code=503,
        headers={"Retry-After": str(_TRY_AGAIN_S)},
    )
