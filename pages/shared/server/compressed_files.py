"""The files that every first visit asks for, Streamlit's own and the lab's, compressed once and kept.

Streamlit serves its scripts as they are, four times their size, because it would compress them anew for
every visitor. Here a file is compressed when it is first asked for, with gzip at once and with brotli
beside the visits, and whoever comes later gets the copy that is kept in memory.
"""

import asyncio
import hashlib
import mimetypes
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from queue import SimpleQueue
from threading import Lock, Thread, get_native_id

import brotli
import deflate
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

COMPRESSIBLE = {".css", ".js", ".json", ".mjs", ".svg", ".wasm"}
MEDIA_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".woff2": "font/woff2"}
"""Of which Python's own table depends on its version and on the system."""
_MOST_BYTES = 16 << 20  # all that Streamlit 1.67 brings takes 12 MB, as both kinds of copies
_MOST_POLITE = 19
_SMALLEST = 12  # of libdeflate's levels: 4 % smaller than zlib's smallest, in at most 0.2 s a file
_NONE = re.compile(r"q\s*=\s*0(\.0*)?")
_HEADERS = {
    "Cache-Control": "public, immutable, max-age=31536000",  # another content has another name
    "Vary": "Accept-Encoding",
}


@dataclass(frozen=True)
class Copy:
    """What a browser gets of a file, and the mark by which a browser says that it has it."""

    body: bytes
    etag: str

    @classmethod
    def of(cls, body: bytes) -> "Copy":
        """Return a copy with its mark."""
        return cls(body, f'"{hashlib.sha256(body).hexdigest()[:16]}"')


class CompressedCopies:
    """Compressed copies of files, each made once, as long as all of them fit into so many bytes.

    `files`: mapping from str to callable, what reads the bytes of each file, by its name.
    """

    def __init__(
        self, files: Mapping[str, Callable[[], bytes]], most_bytes: int = _MOST_BYTES
    ) -> None:
        self.files = files
        self._most_bytes = most_bytes
        self._kept: dict[tuple[str, str], Copy | None] = {}
        self._lock = Lock()
        self._to_press: SimpleQueue[str] = SimpleQueue()
        Thread(target=self._press_for_ever, name="compress", daemon=True).start()

    def held(self) -> int:
        """Return the bytes of all copies."""
        return sum(len(copy.body) for copy in self._kept.values() if copy)

    def best(self, name: str, accepted: set[str]) -> tuple[str, Copy]:
        """Return the smallest copy that a browser accepts, and its encoding: none for the file as it is.

        The first who ask for a file get gzip, which takes milliseconds; brotli takes seconds for all.
        """
        if _is_compressible(name):
            for encoding in ("br", "gzip"):
                if encoding in accepted and (copy := self._copy(name, encoding)):
                    return encoding, copy
        return "", Copy.of(self.files[name]())

    def make_ahead(self, names: Iterable[str]) -> None:
        """Let copies of files be made beside the visits."""
        for name in names:
            self._to_press.put(name)

    def _copy(self, name: str, encoding: str) -> Copy | None:
        if (name, encoding) in self._kept:
            return self._kept[name, encoding]
        if encoding == "br":
            self._to_press.put(name)
            return None
        with self._lock:
            if (name, encoding) not in self._kept:
                whole = self.files[name]()
                self._keep(name, encoding, whole, gzipped(whole))
        return self._kept[name, encoding]

    def _keep(self, name: str, encoding: str, whole: bytes, body: bytes) -> None:
        fits = len(body) < len(whole) and self.held() + len(body) <= self._most_bytes
        self._kept[name, encoding] = Copy.of(body) if fits else None

    def _press_for_ever(self) -> None:
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _MOST_POLITE)
        while True:
            name = self._to_press.get()
            if _is_compressible(name) and (name, "br") not in self._kept:
                whole = self.files[name]()
                body = brotli.compress(whole, mode=brotli.MODE_TEXT)
                with self._lock:
                    self._keep(name, "br", whole, body)


class CompressedFiles:
    """ASGI middleware that answers for files known by name, compressed where the browser takes that.

    Parameters
    ----------
    app : ASGI application, answers for everything else
    copies : CompressedCopies
        Their names are the end of the address from its first folder on: an address is looked up among
        them, and never opened.
    ahead : iterable of str, the names of those that the first visitor will ask for
    """

    def __init__(self, app: ASGIApp, copies: CompressedCopies, ahead: Iterable[str] = ()) -> None:
        self._app, self._copies = app, copies
        self._folders = {name.partition("/")[0] for name in copies.files}
        copies.make_ahead(ahead)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for a file, or pass the request on."""
        name = self._name(scope)
        if name is None:
            await self._app(scope, receive, send)
        else:
            response = await asyncio.to_thread(self._response, name, Headers(scope=scope))
            await response(scope, receive, send)

    def _name(self, scope: Scope) -> str | None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        for folder in self._folders:  # whatever the address of the lab begins with
            _, found, rest = scope["path"].rpartition(f"/{folder}/")
            if found and f"{folder}/{rest}" in self._copies.files:
                return f"{folder}/{rest}"
        return None

    def _response(self, name: str, asked: Headers) -> Response:
        # Of a part, a browser counts the bytes of the file itself: it gets the whole of that.
        accepted = set() if "range" in asked else accepted_encodings(asked)
        encoding, copy = self._copies.best(name, accepted)
        headers = {**_HEADERS, "ETag": copy.etag}
        known = [
            tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")
        ]
        if copy.etag in known:
            return Response(status_code=304, headers=headers)
        if encoding:
            headers["Content-Encoding"] = encoding
        media_type = MEDIA_TYPES.get(_suffix(name)) or mimetypes.guess_type(name)[0]
        return Response(copy.body, headers=headers, media_type=media_type)


def _suffix(name: str) -> str:
    return PurePosixPath(name).suffix


def _is_compressible(name: str) -> bool:
    return _suffix(name) in COMPRESSIBLE


def gzipped(content: bytes) -> bytes:
    """Return the smallest gzip of what is compressed once and sent often."""
    return bytes(deflate.gzip_compress(content, _SMALLEST))


def accepted_encodings(asked: Headers) -> set[str]:
    """Return the encodings that a browser takes.

    Examples
    --------
    >>> sorted(accepted_encodings(Headers({"Accept-Encoding": "gzip, br;q=0, zstd;q=0.5"})))
    ['gzip', 'zstd']
    """
    parts = (part.partition(";") for part in asked.get("accept-encoding", "").lower().split(","))
    return {name.strip() for name, _, quality in parts if not _NONE.fullmatch(quality.strip())}
