"""Uploads are bounded: of a page, of an address and in all, also those that are still coming."""

import asyncio

import pytest

from pages.shared.server.guards.uploads import MEGABYTE, UploadLimits, UploadQuota
from tests.pages.shared.guards.connection import Connection

LIMITS = UploadLimits(of_page=10, of_address=25, in_all=40)


class Server:
    """An application that keeps what it is sent, and says so when it is told to."""

    def __init__(self):
        self.held, self.quota = {}, UploadQuota(self.app, LIMITS, lambda: self.held)
        self.answers = asyncio.Event()
        self.answers.set()

    async def app(self, scope, receive, send):
        await self.answers.wait()
        session = scope["path"].split("/")[-2]
        length = int(dict(scope["headers"]).get(b"content-length", b"0"))
        self.held[session] = self.held.get(session, 0) + length
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def put(self, session, length=5, address="10.0.0.1", method="PUT"):
        headers = {} if length is None else {"content-length": str(length)}
        path = f"/lab/_stcore/upload_file/{session}/a-file"
        request = Connection(self.quota, "http", path, headers, method=method, client=(address, 1))
        return (await request.run()).status


def test_a_page_has_its_bytes_and_other_pages_theirs():
    async def uploads():
        server = Server()
        assert [await server.put("one") for _ in range(3)] == [204, 204, 413]
        assert await server.put("two") == 204
        del server.held["one"]
        assert await server.put("one") == 204

    asyncio.run(uploads())


def test_an_address_has_its_bytes_and_others_still_have_room():
    async def uploads():
        server = Server()
        pages = "abcdefgh"
        assert [await server.put(page) for page in pages] == [204] * 5 + [429] * 3
        assert await server.put("other", address="10.0.0.2") == 204

    asyncio.run(uploads())


def test_all_together_have_so_many():
    async def uploads():
        server = Server()
        came = [await server.put(str(i), address=f"10.0.0.{i}") for i in range(10)]
        assert came == [204] * 8 + [429] * 2

    asyncio.run(uploads())


def test_what_is_still_coming_counts():
    async def uploads():
        server = Server()
        server.answers.clear()
        slow = [asyncio.create_task(server.put("one")) for _ in range(2)]
        await asyncio.sleep(0)
        assert await server.put("one") == 413
        server.answers.set()
        assert [await task for task in slow] == [204, 204]
        assert server.quota._on_the_way.total() == 0

    asyncio.run(uploads())


def test_whoever_does_not_say_how_much_is_taken_to_send_the_most():
    async def uploads():
        server = Server()
        assert await server.put("one", length=None) == 413  # 16 MB are more than ten bytes
        roomy = UploadQuota(server.app, UploadLimits(of_page=20 * MEGABYTE), lambda: {})
        server.quota = roomy
        assert await server.put("one", length=None) == 204

    asyncio.run(uploads())


@pytest.mark.parametrize("method", ["DELETE", "OPTIONS", "GET"])
def test_nothing_else_is_refused(method):
    async def asks():
        server = Server()
        server.held["one"] = 1_000
        assert await server.put("one", method=method) == 204

    asyncio.run(asks())
