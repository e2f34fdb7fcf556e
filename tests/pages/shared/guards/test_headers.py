"""What the policy lets a page connect to: this server, also where a browser wants websockets by name."""

import asyncio

import pytest

from pages.shared.guards.headers import SecurityHeaders, content_security_policy
from tests.pages.shared.guards.connection import Connection


async def answers(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def connect_sources(host):
    guard = SecurityHeaders(answers, lambda host: content_security_policy([], host=host))
    request = Connection(guard, "http", "/", {"host": host})
    asyncio.run(request.run())
    sent = next(message for message in request.sent if message["type"] == "http.response.start")
    policy = dict(sent["headers"])[b"content-security-policy"].decode()
    (rule,) = [rule for rule in policy.split("; ") if rule.startswith("connect-src ")]
    return set(rule.split()[1:])


@pytest.mark.parametrize("host", ["lab.example.org", "10.0.0.7:8501", "[fe80::1]:8501"])
def test_websockets_of_this_host_are_named(host):
    assert connect_sources(host) == {"'self'", "data:", "blob:", f"ws://{host}", f"wss://{host}"}


@pytest.mark.parametrize("host", ["", "*", "a b", "a; script-src *", "a,b", "*.example.org", "a:*"])
def test_what_is_no_host_adds_nothing_to_the_policy(host):
    assert connect_sources(host) == {"'self'", "data:", "blob:"}
