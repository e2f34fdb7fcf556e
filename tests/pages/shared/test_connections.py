"""Open websockets are counted, of an address and in all; whoever comes too many gets a page."""

import asyncio
import subprocess
import sys

import pytest

from pages.shared.server.connections import (
    ConnectionLimit,
    ConnectionLimits,
    network_of,
    visitors_behind_proxies,
)
from tests.conftest import ROOT

PAGE = [(b"accept", b"text/html,*/*")]


class Server:
    """An application that holds websockets open until told, behind the limit."""

    def __init__(self, in_all, of_address):
        limits = ConnectionLimits(connections=in_all, connections_per_address=of_address)
        self.limit = ConnectionLimit(self.app, limits)
        self.held = {}

    async def app(self, scope, receive, send):
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            done = self.held[scope["path"]] = asyncio.Event()
            await done.wait()
            if scope["path"] == "broken":
                raise OSError
        else:
            await send({"type": "http.response.start", "status": 200, "headers": []})

    async def ask(self, kind, address, path="/", headers=()):
        """Send a request; return the first answer, and the task that may still be at it."""
        sent = asyncio.Queue()
        scope = {"type": kind, "client": (address, 1), "path": path, "headers": list(headers)}
        task = asyncio.create_task(self.limit(scope, None, sent.put))
        return await sent.get(), task

    async def connects(self, address, path="/"):
        answer, _ = await self.ask("websocket", address, path)
        return answer["type"] == "websocket.accept"

    async def status(self, address, headers=PAGE):
        answer, _ = await self.ask("http", address, headers=headers)
        return answer["status"]


def test_an_address_has_so_many_and_others_still_come_in():
    async def visits():
        server = Server(in_all=10, of_address=3)
        assert [await server.connects("10.0.0.1", str(i)) for i in range(5)] == [True] * 3 + [
            False
        ] * 2
        assert await server.connects("10.0.0.2", "other")
        assert [await server.status(a) for a in ("10.0.0.1", "10.0.0.2")] == [503, 200]
        server.held["1"].set()
        await asyncio.sleep(0)
        assert await server.status("10.0.0.1") == 200
        assert await server.connects("10.0.0.1", "again")
        assert not await server.connects("10.0.0.1", "one more")

    asyncio.run(visits())


def test_all_together_have_so_many():
    async def visits():
        server = Server(in_all=4, of_address=3)
        came = [await server.connects(f"10.0.0.{i}", str(i)) for i in range(6)]
        assert came == [True] * 4 + [False] * 2
        assert await server.status("10.0.0.9") == 503

    asyncio.run(visits())


def test_a_connection_that_breaks_makes_room_too():
    async def visits():
        server = Server(in_all=1, of_address=1)
        _, task = await server.ask("websocket", "10.0.0.1", "broken")
        server.held["broken"].set()
        with pytest.raises(OSError):  # noqa: PT011
            await task
        assert await server.connects("10.0.0.1")

    asyncio.run(visits())


def test_the_parts_of_an_open_page_are_served_though_all_places_are_taken():
    async def visits():
        server = Server(in_all=1, of_address=1)
        await server.connects("10.0.0.1")
        assert await server.status("10.0.0.1", headers=[(b"accept", b"*/*")]) == 200
        answer, _ = await server.ask("http", "10.0.0.1", headers=PAGE)
        assert dict(answer["headers"])[b"retry-after"] == b"10"

    asyncio.run(visits())


@pytest.mark.parametrize(
    ("descriptors", "in_all", "of_address"), [(65_536, 600, 200), (1_024, 128, 96), (256, 1, 1)]
)
def test_the_limits_are_what_the_process_can_hold(descriptors, in_all, of_address):
    limits = ConnectionLimits().within(descriptors)
    assert (limits.connections, limits.connections_per_address) == (in_all, of_address)


def test_one_customer_is_one_address():
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff") != network_of("2001:db9::1")
    assert network_of("10.0.0.1") != network_of("10.0.0.2")
    assert network_of("testclient") == "testclient"


def address_seen(client, forwarded, trusted, monkeypatch):
    """Return the address that the limits count for a request with that header."""
    monkeypatch.setenv("LM_LAB_TRUSTED_PROXIES", trusted)
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["client"][0])

    for middleware in visitors_behind_proxies():
        app = middleware.cls(app, **middleware.kwargs)
    headers = [(b"x-forwarded-for", forwarded.encode())]
    asyncio.run(app({"type": "websocket", "client": (client, 1), "headers": headers}, None, None))
    return seen[0]


@pytest.mark.parametrize(
    ("client", "forwarded", "trusted", "address"),
    [
        ("172.30.86.2", "192.0.2.7", "172.30.86.2", "192.0.2.7"),
        ("172.30.86.2", "192.0.2.7", "172.30.0.0/16", "192.0.2.7"),
        ("172.30.86.2", "192.0.2.7", "", "172.30.86.2"),
        ("198.51.100.9", "192.0.2.7", "172.30.86.2", "198.51.100.9"),
        # Only what a trusted proxy has added counts, not what the visitor wrote before it.
        ("172.30.86.2", "203.0.113.1, 192.0.2.7", "172.30.86.2", "192.0.2.7"),
        ("172.30.86.2", "192.0.2.7, 10.0.0.9", "172.30.86.2,10.0.0.0/8", "192.0.2.7"),
    ],
)
def test_a_trusted_proxy_names_the_visitor_and_nobody_else_does(
    client, forwarded, trusted, address, monkeypatch
):
    assert address_seen(client, forwarded, trusted, monkeypatch) == address


OPEN_FILES = """
import resource
from pages.shared.server import start
resource.setrlimit(resource.RLIMIT_NOFILE, (128, 4_000))
print(start.open_files(), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_the_server_asks_for_as_many_open_files_as_it_can_get():
    told = subprocess.run(
        [sys.executable, "-c", OPEN_FILES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["4000", "4000", "4000"]
