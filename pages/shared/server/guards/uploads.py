"""How much memory uploads may fill: of a page, of an address and in all.

Streamlit takes any number of files for an open page, whether or not the page has asked for one, and
keeps them until the page is closed.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from pages.shared.server.connections import network_of
from pages.shared.server.middleware import Layer
from pages.shared.server.streamlit_inside.sessions import uploads_held

MEGABYTE = 1 << 20
_UPLOAD = re.compile(r".*/_stcore/upload_file/(?P<session>[^/]+)/[^/]+/?")
_TRY_AGAIN_S = 120
"""As long as Streamlit keeps a closed page."""


@dataclass(frozen=True)
class UploadLimits:
    """Bytes that may be held for one page, for one address, and in all."""

    of_page: int = 20 * MEGABYTE
    of_address: int = 100 * MEGABYTE
    in_all: int = 200 * MEGABYTE


def _limits() -> UploadLimits:
    """Return the limits of a server; they grow where its owner allows larger files."""
    usual, largest = UploadLimits(), st.get_option("server.maxUploadSize") * MEGABYTE
    return UploadLimits(
        max(usual.of_page, largest + 4 * MEGABYTE),
        max(usual.of_address, 2 * largest),
        max(usual.in_all, 3 * largest),
    )


@dataclass
class UploadQuota(Layer):
    """Refuses uploads beyond the limits before they are read."""

    limits: UploadLimits = field(default_factory=_limits)
    # returns the bytes that are held, by session
    held: Callable[[], Mapping[str, int]] = uploads_held
    _on_the_way: Counter[str] = field(default_factory=Counter)
    _addresses: dict[str, str] = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        is_upload = scope["type"] == "http" and scope["method"] == "PUT"
        match = _UPLOAD.fullmatch(scope["path"]) if is_upload else None
        if match is None:
            await self.app(scope, receive, send)
            return
        session = match["session"]
        address = network_of(scope["client"][0]) if scope.get("client") else ""
        length = _length(Headers(scope=scope).get("content-length"))
        if refusal := self._refusal(session, address, length):
            await refusal(scope, receive, send)
            return
        with self._coming(session, address, length):
            await self.app(scope, receive, send)

    @contextmanager
    def _coming(self, session: str, address: str, length: int) -> Iterator[None]:
        self._addresses[session] = address
        self._on_the_way[session] += length
        try:
            yield
        finally:
            self._on_the_way[session] -= length
            self._on_the_way += Counter()  # forgets who has none left

    def _refusal(self, session: str, address: str, length: int) -> PlainTextResponse | None:
        held = Counter(self.held()) + self._on_the_way
        self._addresses = {s: a for s, a in self._addresses.items() if s in held}
        if held[session] + length > self.limits.of_page:
            return PlainTextResponse(
                f"A page may hold {self.limits.of_page // MEGABYTE} MB of files. Remove a file, or"
                " load the page again.",
                status_code=413,
            )
        of_address = sum(n for s, n in held.items() if self._addresses.get(s) == address)
        if (
            of_address + length > self.limits.of_address
            or held.total() + length > self.limits.in_all
        ):
            return PlainTextResponse(
                "This server holds as many uploaded files as it can. Try again in two minutes.",
                status_code=429,
                headers={"Retry-After": str(_TRY_AGAIN_S)},
            )
        return None


def _length(header: str | None) -> int:
    """Return the bytes that are coming; where the browser does not say, as many as may come."""
    largest = st.get_option("server.maxUploadSize") * MEGABYTE
    return int(header) if header is not None and header.isdecimal() else largest
