"""Many first visits at once, without browsers: each asks for the files that a browser has asked for."""

import asyncio
import http.client
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.benchmarks.processor_time import ProcessorTime
from tests.benchmarks.visitor import Visitor, connect

HEADERS = {"Accept-Encoding": "gzip, deflate", "Accept": "*/*"}


@dataclass
class Cost:
    """What all visitors together have cost: seconds of the clock and of the server's processor, and bytes."""

    clock: float
    processor: float
    received: int = 0


async def crowd(address: str, page: str, paths: list[str], n: int) -> tuple[Cost, Cost]:
    """Return what the files of so many visitors cost a server, and then their first runs."""
    spent = ProcessorTime(address)
    received: list[int] = []

    async def files() -> float:
        with ThreadPoolExecutor(n) as threads:
            loop = asyncio.get_running_loop()
            fetches = [loop.run_in_executor(threads, _fetch, address, paths) for _ in range(n)]
            received.extend(await asyncio.gather(*fetches))
        return 0.0

    async def runs() -> float:
        await asyncio.gather(*(_run(address, page) for _ in range(n)))
        return 0.0

    of_files = await _cost(spent, files)
    of_files.received = sum(received)
    return of_files, await _cost(spent, runs)


async def _cost(spent: ProcessorTime, work: Callable[[], "asyncio.Future[float]"]) -> Cost:
    began = time.perf_counter()
    milliseconds = await spent.of(work())
    return Cost(time.perf_counter() - began, milliseconds / 1e3)


def _fetch(address: str, paths: list[str]) -> int:
    """Return the bytes of the bodies of all files, asked for over one connection."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=600)
    received = 0
    for path in paths:
        connection.request("GET", path, headers=HEADERS)
        received += len(connection.getresponse().read())
    connection.close()
    return received


async def _run(address: str, page: str) -> None:
    async with connect(address) as socket:
        await Visitor(socket, page).open_page()
