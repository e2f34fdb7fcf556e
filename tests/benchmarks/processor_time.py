"""What a page costs the server: `python -m tests.benchmarks.processor_time` (Linux).

One visitor after another opens each page and moves each of its controls. Not the clock is read but
the server's processor time, which other work on the machine hardly changes. Three things are told
apart: a first run, once an earlier visitor has loaded the models; moves of the page's main control to
values that nobody has asked for yet; and the same moves by those who come later. Of the other
controls, the dearest is named.

Thirty visitors who move every three seconds keep a core busy for ten times the cost of a move: 40 ms
fill four tenths of it.
"""

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from pages.shared.registry import PAGES
from tests.benchmarks.visitor import Visitor, connect
from tests.benchmarks.visitors import MOVED
from tests.browser.conftest import ROOT, serving

SETTLE_S = 0.05  # for what the server does after the last message of a run


class ProcessorTime:
    """The processor time of the process that serves an address."""

    def __init__(self, address: str) -> None:
        port = address.rsplit(":", 1)[1].encode()
        self._clock = ~_process_with(port) << 3 | 2  # Linux's number for a process's own clock

    async def of(self, run: Awaitable[float]) -> float:
        """Await a run, and return the milliseconds that it cost."""
        before = time.clock_gettime(self._clock)
        await run
        await asyncio.sleep(SETTLE_S)
        return 1e3 * (time.clock_gettime(self._clock) - before)


def _process_with(argument: bytes) -> int:
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if argument in (process / "cmdline").read_bytes().split(b"\0"):
                return int(process.name)
    raise ProcessLookupError(f"no process was started with {argument!r}")


@dataclass
class Costs:
    """Milliseconds of processor time of a page's runs.

    Attributes
    ----------
    cold, first : float, list of float, first runs: on a server that has not shown the page yet, and later
    new, known : list of float, moves of the main control
    others : dict of str to float
        The dearest move of each other control, of those that earlier visitors have made as well.
    """

    cold: float = 0.0
    first: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)
    known: list[float] = field(default_factory=list)
    others: dict[str, float] = field(default_factory=dict)

    def row(self, page: str) -> str:
        """Return the line of the table."""
        moves = [_middle_and_most(times) for times in (self.new, self.known)]
        dearest = max(self.others, key=self.others.__getitem__, default="")
        other = f"{dearest} {self.others[dearest]:.0f}" if dearest else "-"
        first = f"{statistics.median(self.first):.0f}"
        return " | ".join([f"| {page or 'home'}", f"{self.cold:.0f}", first, *moves, f"{other} |"])


def _middle_and_most(times: list[float]) -> str:
    return f"{statistics.median(times):.0f} / {max(times):.0f}" if times else "-"


@asynccontextmanager
async def visiting(address: str, page: str) -> AsyncIterator[Visitor]:
    """Yield a visitor to a page who has not opened it yet."""
    async with connect(address) as socket:
        yield Visitor(socket, page)
    await asyncio.sleep(SETTLE_S)


async def costs(address: str, page: str, visits: int, moves: int) -> Costs:
    """Let so many visitors after the first use a page, one after the other."""
    spent, main, found = ProcessorTime(address), MOVED.get(page.partition("?")[0]), Costs()
    steps = range(1, moves + 1)
    async with visiting(address, page) as visitor:
        found.cold = await spent.of(visitor.open_page())
        if main:
            found.new = [await spent.of(visitor.move(main, step)) for step in steps]
    for _ in range(visits):
        async with visiting(address, page) as visitor:
            found.first.append(await spent.of(visitor.open_page()))
            if main:
                found.known += [await spent.of(visitor.move(main, step)) for step in steps]
    for is_timed in (False, True):
        async with visiting(address, page) as visitor:
            await visitor.open_page()
            for name in sorted({*visitor.controls} - {main}):
                times = [await spent.of(visitor.move(name, step)) for step in (1, 2, 3, 0)]
                if is_timed:
                    found.others[name] = max(times)
    return found


def main() -> None:
    """Measure and print one row for each page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--pages", nargs="+", default=[spec.address for spec in PAGES], help="default: all"
    )
    parser.add_argument("--visits", type=int, default=3, help="of each page; default: 3")
    parser.add_argument("--moves", type=int, default=6, help="of a visit; default: 6")
    parser.add_argument("--all-controls", action="store_true", help="each control's dearest move")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ["LM_LAB_HOME"] = folder  # the server's too: it inherits the environment
        with serving(ROOT, Path(folder) / "server.log") as address:
            print("| page | very first run | first run | new move, median / most", end=" | ")
            print("known move | dearest other control (ms of processor time) |")
            print("|---|---|---|---|---|---|")
            for page in arguments.pages:
                found = asyncio.run(costs(address, page, arguments.visits, arguments.moves))
                print(found.row(page), flush=True)
                if arguments.all_controls:
                    print({name: round(cost) for name, cost in found.others.items()}, flush=True)


if __name__ == "__main__":
    main()
