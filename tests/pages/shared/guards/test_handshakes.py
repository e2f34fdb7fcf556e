"""A foreign page opens no connection; the lab's own does, whatever proxies leave of its address."""

import asyncio

import pytest

from pages.shared.server.guards.handshakes import SameOrigin, is_own_origin
from tests.pages.shared.guards.connection import Connection


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://lab.example:8501", "lab.example:8501"),
        ("https://lab.example", "lab.example"),
        ("https://lab.example:8443", "lab.example"),  # a proxy that leaves the port out
        ("https://lab.example", "lab.example:8501"),  # one that names its own
        ("https://LAB.example", "lab.example"),
        ("http://[2001:db8::1]:8501", "[2001:db8::1]:8501"),
    ],
)
def test_the_labs_own_page(origin, host):
    assert is_own_origin(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://evil.example", "lab.example"),
        ("http://lab.example.evil.example", "lab.example"),
        ("http://lab.example@evil.example", "lab.example"),
        ("http://lab.example:9000", "lab.example:8501"),  # another server on the same machine
        ("null", "lab.example"),
        ("http://lab.example:port", "lab.example"),
        ("http://evil.example", ""),
        ("http://[", "["),
    ],
)
def test_a_foreign_page(origin, host):
    assert not is_own_origin(origin, host)


def seen_by_streamlit(**headers):
    seen = []

    async def app(scope, receive, send):
        seen.append(dict(scope["headers"]))

    connection = asyncio.run(_run(app, headers))
    assert connection.closed == (not seen)
    return seen


async def _run(app, headers):
    return await Connection(SameOrigin(app), headers=headers).run()


def test_streamlit_is_told_that_they_are_the_same_and_never_sees_a_foreign_one():
    (seen,) = seen_by_streamlit(origin="https://lab.example:8443", host="lab.example")
    assert seen[b"origin"] == b"https://lab.example"
    assert seen_by_streamlit(origin="http://evil.example", host="lab.example") == []
    assert len(seen_by_streamlit(host="lab.example")) == 1  # no browser
