"""Every page loads our own script before Streamlit's; nothing else is touched."""

import asyncio
import gzip

import pytest
from starlette.responses import HTMLResponse, JSONResponse, Response

from pages.shared.server.first_sight import script_tags
from pages.shared.server.front_end import FrontEnd

PAGE = (
    "<html><head><title>Streamlit</title><script src='./static/js/index.js'></script></head></html>"
)
ASKS_FOR_PAGE = [(b"accept", b"text/html,*/*"), (b"accept-encoding", b"br")]


def answer(response, path="/attention", headers=ASKS_FOR_PAGE):
    """Return what a browser gets, and the headers that the application saw."""
    sent, seen = [], {}

    async def application(scope, receive, send):
        seen.update(scope["headers"])
        await response(scope, receive, send)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    asyncio.run(FrontEnd(application)(scope, None, send))
    start, *body = sent
    return dict(start["headers"]), b"".join(part["body"] for part in body), seen


def test_a_page_loads_the_script_before_all_others():
    headers, body, _ = answer(HTMLResponse(PAGE, headers={"etag": "x"}))
    assert body.index(script_tags().encode()) < body.index(b"index.js")
    assert int(headers[b"content-length"]) == len(body)
    assert b"etag" not in headers


def test_the_application_answers_with_the_plain_page_and_the_whole_of_it():
    stored = [*ASKS_FOR_PAGE, (b"if-none-match", b"x"), (b"if-modified-since", b"x")]
    *_, seen = answer(HTMLResponse(PAGE), headers=stored)
    assert set(seen) == {b"accept"}


def test_a_page_is_compressed_for_who_takes_that():
    asks = [ASKS_FOR_PAGE[0], (b"accept-encoding", b"gzip, br")]
    headers, body, _ = answer(HTMLResponse(PAGE), headers=asks)
    assert headers[b"content-encoding"] == b"gzip"
    assert headers[b"vary"] == b"Accept-Encoding"
    assert int(headers[b"content-length"]) == len(body)
    _, plain, _ = answer(HTMLResponse(PAGE))
    assert gzip.decompress(body) == plain


@pytest.mark.parametrize("response", [JSONResponse({"a": 1}), Response(b"\x00", 200)])
def test_what_is_no_page_stays_as_it_is(response):
    _, body, _ = answer(response)
    assert body == response.body
