"""The scripts of our components as files, which a browser fetches once and keeps."""

from functools import cache

from starlette.datastructures import Headers, QueryParams
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from pages.shared.server.component import SCRIPT_PREFIX, SCRIPTS, digest
from pages.shared.server.compressed_files import gzipped
from pages.shared.server.middleware import Layer

_A_YEAR = "public, max-age=31536000, immutable"


class ComponentScripts(Layer):
    """Answers for the scripts of all components that are registered."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for a script; pass on what asks for anything else."""
        file = scope["path"].rpartition("/")[2] if scope["type"] == "http" else ""
        if file.startswith(SCRIPT_PREFIX):
            asked = QueryParams(scope["query_string"]).get("v", "")
            await _answer(file, asked, Headers(scope=scope))(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _answer(file: str, version: str, headers: Headers) -> Response:
    """Return a script; only the version that was asked for may be kept, which another replica may not have."""
    script = SCRIPTS.get(file)
    if script is None:
        return PlainTextResponse("There is no such script.", status_code=404)
    said = {
        "Cache-Control": _A_YEAR if version == digest(script) else "no-store",
        "Vary": "Accept-Encoding",
    }
    if "gzip" in headers.get("accept-encoding", ""):
        script, said["Content-Encoding"] = _compressed(script), "gzip"
    return Response(script, media_type="text/javascript", headers=said)


@cache
def _compressed(script: bytes) -> bytes:
    return gzipped(script)
