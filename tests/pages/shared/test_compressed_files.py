"""Files that all ask for are compressed once, are the same after decoding, and open no other path."""

import asyncio
import gzip

import brotli
import pytest
from starlette.responses import PlainTextResponse

from pages.shared.server import compressed_files
from pages.shared.server.compressed_files import CompressedCopies, CompressedFiles

SCRIPT = b"export const several = ['of', 'the', 'same', 'words', 'of', 'the', 'same'];\n" * 400
FONT = bytes(range(256)) * 20


NAME = "static/js/a.1f.js"


@pytest.fixture
def files():
    return {NAME: lambda: SCRIPT, "static/media/b.2e.woff2": lambda: FONT}


def asked(served, path, method="GET", **headers):
    """Return status, headers and body of an answer."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        sent.append(message)

    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": pairs}
    asyncio.run(served({**scope, "query_string": b""}, receive, send))
    start, *body = sent
    decoded = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], decoded, b"".join(part.get("body", b"") for part in body)


@pytest.fixture
def copies(files):
    return CompressedCopies(files)


@pytest.fixture
def served(copies):
    return CompressedFiles(PlainTextResponse("the application"), copies)


def pressed(copies):
    """Return once the brotli copy of the script is there."""
    while copies.best(NAME, {"br", "gzip"})[0] != "br":
        pass


def test_gzip_comes_at_once_and_brotli_when_it_is_made(copies, served):
    _, headers, body = asked(served, "/static/js/a.1f.js", accept_encoding="gzip, br")
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == SCRIPT
    pressed(copies)
    _, headers, body = asked(served, "/static/js/a.1f.js", accept_encoding="gzip, br")
    assert headers["content-encoding"] == "br"
    assert brotli.decompress(body) == SCRIPT
    assert int(headers["content-length"]) == len(body)


def test_what_is_asked_for_again_is_not_compressed_again(monkeypatch, served):
    first = asked(served, "/static/js/a.1f.js", accept_encoding="gzip")
    monkeypatch.delattr(compressed_files.deflate, "gzip_compress")
    assert asked(served, "/static/js/a.1f.js", accept_encoding="gzip") == first


@pytest.mark.parametrize("accepted", ["", "identity", "gzip;q=0", "deflate, zstd"])
def test_who_takes_neither_gets_the_file_and_caches_are_told(served, accepted):
    _, headers, body = asked(served, "/static/js/a.1f.js", accept_encoding=accepted)
    assert body == SCRIPT
    assert "content-encoding" not in headers
    assert headers["vary"] == "Accept-Encoding"


def test_who_asks_for_a_part_gets_the_whole_file_as_it_is(served):
    status, headers, body = asked(
        served, "/static/js/a.1f.js", accept_encoding="gzip", range="bytes=10-29"
    )
    assert (status, body) == (200, SCRIPT)
    assert "content-encoding" not in headers


def test_a_font_is_compressed_already(served):
    _, headers, body = asked(served, "/static/media/b.2e.woff2", accept_encoding="gzip, br")
    assert body == FONT
    assert "content-encoding" not in headers
    assert headers["content-type"] == "font/woff2"


def test_a_browser_that_has_the_file_is_told_so(served):
    _, headers, _ = asked(served, "/static/js/a.1f.js", accept_encoding="gzip")
    assert "immutable" in headers["cache-control"]
    mark = f'"other", W/{headers["etag"]}'
    status, again, body = asked(
        served, "/static/js/a.1f.js", accept_encoding="gzip", if_none_match=mark
    )
    assert (status, body) == (304, b"")
    assert {name: again[name] for name in ("etag", "vary", "cache-control")} == {
        name: headers[name] for name in ("etag", "vary", "cache-control")
    }


def test_the_two_copies_of_a_file_have_marks_of_their_own(copies):
    pressed(copies)
    marks = {copies.best(NAME, {encoding})[1].etag for encoding in ("br", "gzip")}
    assert len(marks) == 2


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/static/js/secret.js",
        "/static/js/../secret.js",
        "/static/js/%2e%2e/secret.js",
        "/static/js//a.1f.js",
        "/static/js/",
        "/static/js/a.1f.js/",
        "/a.1f.js",
        "/_stcore/health",
    ],
)
def test_no_other_path_is_opened(served, path):
    assert asked(served, path, accept_encoding="gzip")[2] == b"the application"


def test_the_lab_may_lie_below_any_address(served):
    assert asked(served, "/school/lab/static/js/a.1f.js")[2] == SCRIPT


def test_what_is_not_read_is_the_applications_business(served):
    assert asked(served, "/static/js/a.1f.js", method="POST")[2] == b"the application"


def test_copies_fill_no_more_memory_than_they_may(files):
    small = CompressedCopies(files, most_bytes=100)
    served = CompressedFiles(PlainTextResponse(""), small)
    _, headers, body = asked(served, "/static/js/a.1f.js", accept_encoding="gzip")
    assert body == SCRIPT
    assert "content-encoding" not in headers
    assert small.held() == 0
