"""A connection without a network: what an application behind the guards sees and says."""

import asyncio


class Connection:
    """One ASGI request; what is sent to the application is queued beforehand."""

    def __init__(self, guard, kind="websocket", path="/_stcore/stream", headers=(), **scope):
        self.sent, self.waiting = [], asyncio.Queue()
        pairs = [(name.encode(), value.encode()) for name, value in dict(headers).items()]
        self.scope = {"type": kind, "path": path, "headers": pairs, "scheme": "http"} | scope
        self.guard = guard

    async def run(self):
        await self.guard(self.scope, self.waiting.get, self._note)
        return self

    async def _note(self, message):
        self.sent.append(message)

    @property
    def closed(self):
        return any(message["type"] == "websocket.close" for message in self.sent)

    @property
    def status(self):
        return next(m["status"] for m in self.sent if m["type"] == "http.response.start")
