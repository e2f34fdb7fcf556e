"""How soon a page answers: `python -m tests.benchmarks.visitors --visitors 1 30`.

Each visitor speaks the browser's own protocol over a websocket: opens the page, then moves one
slider about once a second. Two times are taken, both from the message sent to "the script has
finished": the first run of a new visit, and the run after a move. The server is a fresh process, as
`make app` starts it; one visit before the measurement loads the models (a warm server).
"""

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import ROOT, serving

PAUSE_S = 1.0


@dataclass
class Visitor:
    """One browser tab's connection.

    Attributes
    ----------
    sliders : dict of str to (widget id, fragment id)
        By label, as the server has drawn them so far.
    """

    socket: websockets.ClientConnection
    page: str
    sliders: dict[str, tuple[str, str]] = field(default_factory=dict)

    async def open_page(self) -> float:
        """Run the page for the first time; return the seconds that took."""
        message = BackMsg()
        message.rerun_script.page_name = self.page
        return await self._run(message)

    async def move(self, label: str, value: float) -> float:
        """Move a slider; return the seconds until the page has answered."""
        widget, fragment = self.sliders[label]
        message = BackMsg()
        message.rerun_script.page_name = self.page
        message.rerun_script.fragment_id = fragment
        state = message.rerun_script.widget_states.widgets.add(id=widget)
        state.double_array_value.data.append(value)
        return await self._run(message)

    async def _run(self, message: BackMsg) -> float:
        started = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(await self.socket.recv())
            element = answer.delta.new_element
            if element.WhichOneof("type") == "slider":
                self.sliders[element.slider.label] = (element.slider.id, answer.delta.fragment_id)
            if answer.WhichOneof("type") == "script_finished":
                return time.perf_counter() - started


@dataclass
class Times:
    """Seconds of first runs and of moves, over all visitors."""

    first: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)


async def visit(address: str, page: str, label: str, moves: int, times: Times) -> None:
    """Open a page and move a slider so many times."""
    chance = random.Random(len(times.first))
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    async with websockets.connect(stream, subprotocols=["streamlit"], max_size=None) as socket:
        visitor = Visitor(socket, page)
        times.first.append(await visitor.open_page())
        for i in range(moves):
            await asyncio.sleep(PAUSE_S * chance.uniform(0.5, 1.5))
            times.moves.append(await visitor.move(label, round(0.5 + 0.05 * (i % 20), 2)))


async def visit_together(address: str, arguments: argparse.Namespace, visitors: int) -> Times:
    """Let so many visitors use the page at once."""
    times = Times()
    await asyncio.gather(
        *(
            visit(address, arguments.page, arguments.slider, arguments.moves, times)
            for _ in range(visitors)
        )
    )
    return times


def resident_megabytes(port: str) -> float:
    """Return the memory of the process that serves a port (Linux)."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            command = (status.parent / "cmdline").read_bytes()
            if b"streamlit" in command and port.encode() in command:
                line = next(s for s in status.read_text().splitlines() if s.startswith("VmRSS"))
                return int(line.split()[1]) / 1024
        except (OSError, StopIteration):
            continue
    return float("nan")


def percentiles(seconds: list[float]) -> Iterator[str]:
    """Yield the median, the 95th percentile and the largest, in milliseconds."""
    ordered = sorted(seconds)
    yield f"{1e3 * statistics.median(ordered):.0f}"
    yield f"{1e3 * ordered[max(0, round(0.95 * len(ordered)) - 1)]:.0f}"
    yield f"{1e3 * ordered[-1]:.0f}"


def main() -> None:
    """Measure and print one row for each number of visitors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", default="war-and-peace", help="its address within the lab")
    parser.add_argument("--slider", default="Temperature", help="label of the one that is moved")
    parser.add_argument("--visitors", type=int, nargs="+", default=[1, 10, 30])
    parser.add_argument("--moves", type=int, default=20, help="of each visitor; default: 20")
    arguments = parser.parse_args()
    with (
        TemporaryDirectory() as folder,
        serving(ROOT, Path(folder) / "server.log") as address,
    ):
        port = address.rsplit(":", 1)[1]
        cold = asyncio.run(
            visit_together(address, argparse.Namespace(**vars(arguments) | {"moves": 1}), 1)
        )
        print(f"first visit to a server that has loaded nothing: {cold.first[0]:.2f} s\n")
        print("| visitors | first run p50 | p95 | max | move p50 | p95 | max (ms) | RSS, MB |")
        print("|---|---|---|---|---|---|---|---|")
        for visitors in arguments.visitors:
            times = asyncio.run(visit_together(address, arguments, visitors))
            cells = [*percentiles(times.first), *percentiles(times.moves)]
            print(
                f"| {visitors} | {' | '.join(cells)} | {resident_megabytes(port):.0f} |", flush=True
            )


if __name__ == "__main__":
    main()
