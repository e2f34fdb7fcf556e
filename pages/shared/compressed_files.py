"""The files that every first visit asks for, Streamlit's own and the lab's, compressed once and kept.

Streamlit serves its scripts as they are, four times their size, because it would compress them anew for
every visitor. Here a file is compressed when it is first asked for, with gzip at once and with brotli
beside the visits, and whoever comes later gets the copy that is kept in memory.
"""

import asyncio
import gzip
import hashlib
import mimetypes
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread, get_native_id

import brotli
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

COMPRESSIBLE = {".css", ".js", ".json", ".mjs", ".svg", ".wasm"}
MEDIA_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".woff2": "font/woff2"}
"""Of which Python's own table depends on its version and on the system."""
_MOST_BYTES = 16 << 20  # all that Streamlit 1.67 brings takes 12 MB, as both kinds of copies
_MOST_POLITE = 19
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
    """Compressed copies of files, each made once, as long as all of them fit into so many bytes."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: dict[tuple[Path, str], Copy | None] = {}
        self._lock = Lock()
        self._to_press: SimpleQueue[Path] = SimpleQueue()
        Thread(target=self._press_for_ever, name="compress", daemon=True).start()

    def held(self) -> int:
        """Return the bytes of all copies."""
        return sum(len(copy.body) for copy in self._kept.values() if copy)

    def best(self, path: Path, accepted: set[str]) -> tuple[str, Copy]:
        """Return the smallest copy that a browser accepts, and its encoding: none for the file as it is.

        The first who ask for a file get gzip, which takes milliseconds; brotli takes seconds for all.
        """
        if path.suffix in COMPRESSIBLE:
            for encoding in ("br", "gzip"):
                if encoding in accepted and (copy := self._copy(path, encoding)):
                    return encoding, copy
        return "", Copy.of(path.read_bytes())

    def make_ahead(self, paths: Iterable[Path]) -> None:
        """Let copies of files be made beside the visits."""
        for path in paths:
            self._to_press.put(path)

    def _copy(self, path: Path, encoding: str) -> Copy | None:
        if (path, encoding) in self._kept:
            return self._kept[path, encoding]
        if encoding == "br":
            self._to_press.put(path)
            return None
        with self._lock:
            if (path, encoding) not in self._kept:
                self._keep(path, encoding, gzip.compress(path.read_bytes(), mtime=0))
        return self._kept[path, encoding]

    def _keep(self, path: Path, encoding: str, body: bytes) -> None:
        fits = len(body) < path.stat().st_size and self.held() + len(body) <= self._most_bytes
        self._kept[path, encoding] = Copy.of(body) if fits else None

    def _press_for_ever(self) -> None:
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _MOST_POLITE)
        while True:
            path = self._to_press.get()
            if path.suffix in COMPRESSIBLE and (path, "br") not in self._kept:
                body = brotli.compress(path.read_bytes(), mode=brotli.MODE_TEXT)
                with self._lock:
                    self._keep(path, "br", body)


class CompressedFiles:
    """ASGI middleware that answers for files known by name, compressed where the browser takes that.

    Parameters
    ----------
    app : ASGI application
        Answers for everything else.
    files : mapping from str to Path
        By the end of the address from its first folder on; an address is looked up and never opened.
    ahead : iterable of str
        Of these, the names of those that the first visitor will ask for.
    copies : CompressedCopies
    """

    def __init__(
        self,
        app: ASGIApp,
        files: Mapping[str, Path],
        ahead: Iterable[str] = (),
        copies: CompressedCopies | None = None,
    ) -> None:
        self._app, self._files = app, files
        self._folders = {name.partition("/")[0] for name in files}
        self._copies = copies or CompressedCopies()
        self._copies.make_ahead(files[name] for name in ahead)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for a file, or pass the request on."""
        path = self._file(scope)
        if path is None:
            await self._app(scope, receive, send)
        else:
            response = await asyncio.to_thread(self._response, path, Headers(scope=scope))
            await response(scope, receive, send)

    def _file(self, scope: Scope) -> Path | None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        for folder in self._folders:  # whatever the address of the lab begins with
            _, found, rest = scope["path"].rpartition(f"/{folder}/")
            if found and (path := self._files.get(f"{folder}/{rest}")):
                return path
        return None

    def _response(self, path: Path, asked: Headers) -> Response:
        # Of a part, a browser counts the bytes of the file itself: it gets the whole of that.
        accepted = set() if "range" in asked else accepted_encodings(asked)
        encoding, copy = self._copies.best(path, accepted)
        headers = {**_HEADERS, "ETag": copy.etag}
        known = [
            tag.strip().removeprefix("W/") for tag in asked.get("if-none-match", "").split(",")
        ]
        if copy.etag in known:
            return Response(status_code=304, headers=headers)
        if encoding:
            headers["Content-Encoding"] = encoding
        media_type = MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
        return Response(copy.body, headers=headers, media_type=media_type)


def accepted_encodings(asked: Headers) -> set[str]:
    """Return the encodings that a browser takes.

    Examples
    --------
    >>> sorted(accepted_encodings(Headers({"Accept-Encoding": "gzip, br;q=0, zstd;q=0.5"})))
    ['gzip', 'zstd']
    """
    parts = (part.partition(";") for part in asked.get("accept-encoding", "").lower().split(","))
    return {name.strip() for name, _, quality in parts if not _NONE.fullmatch(quality.strip())}
