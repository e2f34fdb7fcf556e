"""How soon a page answers a letter: `python -m tests.benchmarks.typing`.

A visitor opens the page and types at the end of a text of so many characters; each letter is one
message, as the field sends it after a pause. The time is that from the message to "the script has
finished". The server is a fresh process, and speaks with the visitor as with a browser.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.visitors import percentiles
from tests.browser.conftest import ROOT, serving

WORDS = "the prince said nothing but looked at the café for a while; Наташа sang, 1812 times over. "
PAUSE_S = 0.3
PAGES = {
    ("tokenization", "Your text"): [
        ("tokenizers", name)
        for name in (
            "Whitespace",
            "Basic English",
            "Characters, source",
            "Characters, full",
            "Bytes",
            "BPE of the book",
        )
    ],
    ("byte-pair-encoding", "Text to learn from"): [("reveal", "first_merge"), ("merge", "40")],
}
"""Pages and their fields, with what the link asks for: all tokenizers, and forty merges."""


def texts(length: int) -> Iterator[str]:
    """Yield a text that grows letter by letter from so many characters on."""
    letters = cycle(WORDS)
    text = "".join(islice(letters, length))
    while True:
        yield text
        text += next(letters)


async def type_letters(
    address: str, page: str, label: str, link: list[tuple[str, str]], length: int, letters: int
) -> tuple[list[float], int]:
    """Open a page, type, and return the seconds of each letter and the bytes of the last answer."""
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    async with websockets.connect(stream, subprotocols=["streamlit"], max_size=None) as socket:
        field: tuple[str, str] | None = None
        seconds, n_bytes = [], 0
        for i, text in enumerate(islice(texts(length), letters + 2)):
            message = BackMsg()
            run = message.rerun_script
            run.page_name, run.query_string = page, urlencode(link)
            if field:
                run.fragment_id = field[1]
                run.widget_states.widgets.add(id=field[0]).string_value = text
            started, n_bytes = time.perf_counter(), 0
            await socket.send(message.SerializeToString())
            while True:
                raw = await socket.recv()
                n_bytes += len(raw)
                answer = ForwardMsg.FromString(raw)
                area = answer.delta.new_element.text_area
                if area.label == label:
                    field = area.id, answer.delta.fragment_id
                if answer.WhichOneof("type") == "script_finished":
                    break
            if i > 1:  # the page itself, and the text that is there before the first letter
                seconds.append(time.perf_counter() - started)
            await asyncio.sleep(PAUSE_S)
        return seconds, n_bytes


def main() -> None:
    """Measure and print one row for each page and length."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lengths", type=int, nargs="+", default=[35, 1_000, 4_900])
    parser.add_argument("--letters", type=int, default=40, help="typed at each length; default: 40")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder, serving(ROOT, Path(folder) / "server.log") as address:
        print("| page | characters | p50 | p95 | max (ms) | answer, kB |")
        print("|---|---|---|---|---|---|")
        for (page, label), link in PAGES.items():
            for length in arguments.lengths:
                seconds, n_bytes = asyncio.run(
                    type_letters(address, page, label, link, length, arguments.letters)
                )
                times = " | ".join(percentiles(seconds))
                print(f"| {page} | {length:,} | {times} | {n_bytes / 1e3:.0f} |", flush=True)


if __name__ == "__main__":
    main()
