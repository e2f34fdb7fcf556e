"""What the policy lets a page connect to: this server, also where a browser wants websockets by name."""

import asyncio

import pytest

from pages.shared.server.guards.headers import SecurityHeaders, content_security_policy
from tests.pages.shared.guards.connection import Connection


def headers_of(media_type, host="lab.example.org"):
    async def answers(scope, receive, send):
        headers = [(b"content-type", media_type)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    guard = SecurityHeaders(answers, lambda host: content_security_policy([], host=host))
    request = Connection(guard, "http", "/", {"host": host})
    asyncio.run(request.run())
    sent = next(message for message in request.sent if message["type"] == "http.response.start")
    return dict(sent["headers"])


def connect_sources(host):
    policy = headers_of(b"text/html", host)[b"content-security-policy"].decode()
    (rule,) = [rule for rule in policy.split("; ") if rule.startswith("connect-src ")]
    return set(rule.split()[1:])


@pytest.mark.parametrize("host", ["lab.example.org", "10.0.0.7:8501", "[fe80::1]:8501"])
def test_websockets_of_this_host_are_named(host):
    assert connect_sources(host) == {"'self'", "data:", "blob:", f"ws://{host}", f"wss://{host}"}


@pytest.mark.parametrize("host", ["", "*", "a b", "a; script-src *", "a,b", "*.example.org", "a:*"])
def test_what_is_no_host_adds_nothing_to_the_policy(host):
    assert connect_sources(host) == {"'self'", "data:", "blob:"}


@pytest.mark.parametrize("media_type", [b"text/html", b"image/svg+xml", b"application/json", b""])
def test_what_a_browser_may_open_by_itself_is_under_the_policy(media_type):
    assert {b"content-security-policy", b"x-content-type-options"} <= headers_of(media_type).keys()


@pytest.mark.parametrize("media_type", [b"text/javascript; charset=utf-8", b"font/woff2"])
def test_a_part_of_a_page_does_not_carry_the_pages_policy(media_type):
    headers = headers_of(media_type)
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert b"content-security-policy" not in headers
