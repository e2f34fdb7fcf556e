"""What compressing websocket messages costs and spares: `python -m tests.benchmarks.compression`.

A visitor opens each page and moves its main control. The messages that the server sends are then
compressed once more, alone, as the server compresses them, with the window and the memory that uvicorn
asks for and with others: printed are the kilobytes of a move, the milliseconds of one thread, and for
how long a phone with a thirtieth of an access point receives what is spared.
"""

import argparse
import asyncio
import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode

from tests.benchmarks.processor_time import visiting
from tests.benchmarks.visitors import MOVED
from tests.browser.conftest import ROOT, serving

PAGES = ("attention", "clustering", "inside-a-cell", "war-and-peace")
MOVES = 8
REPETITIONS = 5
MBITS_OF_A_PHONE = 1.6
SETTINGS = {
    "as uvicorn does": (12, {"memLevel": 5}),
    "least effort": (12, {"memLevel": 5, "level": 1}),
    "largest window": (15, {"memLevel": 8}),
}
"""By name: the bits of the window, and what zlib is asked for."""


async def messages_of(address: str, page: str) -> list[list[bytes]]:
    """Return the messages of the moves of a page's main control, a list for each run, after a first one."""
    runs: list[list[bytes]] = []
    async with visiting(address, page) as visitor:
        receive = visitor.socket.recv

        async def receive_and_note() -> bytes:
            data = await receive()
            assert isinstance(data, bytes)
            runs[-1].append(data)
            return data

        visitor.socket.recv = receive_and_note  # type: ignore[assignment,method-assign]
        runs.append([])
        await visitor.open_page()
        for step in range(1, MOVES + 1):
            runs.append([])
            await visitor.move(MOVED[page], step)
    return runs


def compressed(runs: list[list[bytes]], bits: int, asked: dict[str, int]) -> tuple[float, float]:
    """Return the bytes of a move and the seconds of its compression; the medians of all moves."""
    sizes, seconds = [], []
    for _ in range(REPETITIONS):
        connection = PerMessageDeflate(False, False, bits, bits, asked)
        for messages in runs:
            started = time.thread_time()
            frames = [connection.encode(Frame(Opcode.BINARY, data)) for data in messages]
            seconds.append(time.thread_time() - started)
            sizes.append(sum(len(frame.data) for frame in frames))
        del sizes[-len(runs)], seconds[-len(runs)]  # the first visit
    return statistics.median(sizes), statistics.median(seconds)


def main() -> None:
    """Measure and print a row for each page and way to compress."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", nargs="+", default=PAGES, choices=list(MOVED))
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ["LM_LAB_HOME"] = folder  # the server's too: it inherits the environment
        with serving(ROOT, Path(folder) / "server.log") as address:
            print(
                "| page | compressed | kB of a move | of it on the network | ms | phone's ms spared |"
            )
            print("|---|---|---|---|---|---|")
            for page in arguments.pages:
                runs = asyncio.run(messages_of(address, page))
                whole = statistics.median(sum(map(len, messages)) for messages in runs[1:])
                for name, (bits, asked) in SETTINGS.items():
                    size, seconds = compressed(runs, bits, asked)
                    spared = 8 * (whole - size) / (1e3 * MBITS_OF_A_PHONE)
                    figures = f"{whole / 1e3:.1f} | {size / 1e3:.1f} | {1e3 * seconds:.1f}"
                    print(f"| {page} | {name} | {figures} | {spared:.0f} |", flush=True)


if __name__ == "__main__":
    main()
