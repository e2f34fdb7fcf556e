"""Scripts and style sheets of components are fetched once, and no message carries one."""

import asyncio
import gzip
import json

import pytest
from starlette.responses import PlainTextResponse

import pages.shared.components.attention  # noqa: F401  its scripts are registered as it is imported
from pages.shared.server import component
from pages.shared.server.component import SCRIPT_PREFIX, SCRIPTS, digest
from pages.shared.server.component_scripts import ComponentScripts

FILE = f"{SCRIPT_PREFIX}attention_map.js"


def answer(path, query="", headers=()):
    """Return the status, the headers and the body of what a browser gets."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": [*headers]}
    scope["query_string"] = query.encode()
    asyncio.run(ComponentScripts(PlainTextResponse("the page"))(scope, None, send))
    start, body = sent
    return start["status"], dict(start["headers"]), body["body"]


@pytest.mark.parametrize("path", [f"/{FILE}", f"/below/{FILE}"])
def test_a_script_is_kept_by_the_version_that_was_asked_for(path):
    status, headers, script = answer(path, f"v={digest(SCRIPTS[FILE])}")
    assert (status, script) == (200, SCRIPTS[FILE])
    assert b"export default" in script
    assert headers[b"content-type"].startswith(b"text/javascript")
    assert b"immutable" in headers[b"cache-control"]


def test_a_script_is_compressed_for_a_browser_that_reads_it():
    _, headers, script = answer(f"/{FILE}", headers=[(b"accept-encoding", b"gzip, br")])
    assert headers[b"content-encoding"] == b"gzip"
    assert headers[b"vary"] == b"Accept-Encoding"
    assert gzip.decompress(script) == SCRIPTS[FILE]
    assert len(script) < len(SCRIPTS[FILE]) / 2


def test_another_version_than_was_asked_for_is_not_kept():
    status, headers, script = answer(f"/{FILE}", "v=of-another-replica")
    assert (status, script) == (200, SCRIPTS[FILE])
    assert headers[b"cache-control"] == b"no-store"


def test_what_there_is_not_is_said_and_all_else_is_passed_on():
    assert answer(f"/{SCRIPT_PREFIX}nothing.js")[0] == 404
    assert answer("/attention")[2] == b"the page"


def test_every_component_offers_its_script_and_style_sheet_and_sends_none(monkeypatch):
    registered = {}
    monkeypatch.setattr(
        component.st.components.v2,
        "component",
        lambda name, **parts: registered.setdefault(name, parts),
    )
    names = [path.stem for path in component._FOLDER.glob("*.html")]
    for name in names:
        component.component(name)
    assert len(registered) == len(names) > 10
    for name, parts in registered.items():
        file = f"{SCRIPT_PREFIX}{name.removeprefix('lm_lab_')}.js"
        assert f"{file}?v=" in parts["js"]
        assert len(parts["js"]) < 250 < len(SCRIPTS[file])
        assert "css" not in parts
        style = (component._FOLDER / f"{name.removeprefix('lm_lab_')}.css").read_text("utf-8")
        assert json.dumps(style).encode() in SCRIPTS[file]
        assert SCRIPTS[file].count(b"export default") == 1
        assert SCRIPTS[file].count(b"drawUndressed") == 2
