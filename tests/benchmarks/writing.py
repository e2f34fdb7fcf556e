"""How a class writes at once: `python -m tests.benchmarks.writing --visitors 1 30`.

Each visitor opens *Sampling War and Peace* and presses *Continue*: from then on a browser has the text
drawn again every second, and each of these runs writes what is due by the clock. Two things are taken:
how long such a run takes, and how many tokens a second each visitor gets, the slowest among them. Tokens for
a second of the server's processor depend least on what else the machine does.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.processor_time import ProcessorTime
from tests.benchmarks.visitor import Visitor, connect
from tests.benchmarks.visitors import ARRIVAL_S, percentiles, resident_megabytes
from tests.browser.conftest import ROOT, serving

EVERY_S = 1.0
"""As the page asks a browser to draw the text again."""


@dataclass
class Writer(Visitor):
    """A visitor whose text grows."""

    fragment: str = ""
    """Of the page: what is drawn again; empty while nothing is."""
    n_tokens: int = 0
    """Of the text on screen, the prompt's and those above it included."""
    waited: list[float] = field(default_factory=list)

    def _note(self, answer: ForwardMsg) -> None:
        super()._note(answer)
        kind = answer.WhichOneof("type")
        if kind == "auto_rerun":
            self.fragment = answer.auto_rerun.fragment_id
        elif kind == "delta" and answer.delta.new_element.WhichOneof("type") == "bidi_component":
            drawn = answer.delta.new_element.bidi_component
            if drawn.component_name == "lm_lab_token_strip":
                strip = json.loads(drawn.json)
                self.n_tokens = strip["begin"] + len(strip["tokens"])

    async def write(self, seconds: float) -> tuple[int, float]:
        """Let the text grow for so long; return by how many tokens it has grown, and the seconds."""
        before, began = self.n_tokens, time.perf_counter()
        await self.set("writing_start", True)
        while time.perf_counter() < began + seconds:
            await asyncio.sleep(EVERY_S - (self.waited[-1] if self.waited else 0.0))
            message = self._message()
            message.rerun_script.fragment_id = self.fragment
            message.rerun_script.is_auto_rerun = True
            self.waited.append(await self._run(message))
        return self.n_tokens - before, time.perf_counter() - began


class Written(NamedTuple):
    """What visitors who wrote at once have got."""

    waited: list[float]
    """Seconds of all runs."""
    grown: list[tuple[int, float]]
    """Tokens of each visitor, and the seconds that they took."""
    processor_s: float
    """Of the server, first runs included."""

    @property
    def row(self) -> str:
        """The cells of a table."""
        speeds = sorted(n / seconds for n, seconds in self.grown)
        each = [speeds[0], statistics.median(speeds), speeds[-1], sum(speeds)]
        n_tokens = sum(n for n, _ in self.grown)
        cells = [*(f"{speed:.1f}" for speed in each), f"{n_tokens / self.processor_s:.0f}"]
        return " | ".join([*percentiles(self.waited), *cells])


async def write_together(address: str, page: str, visitors: int, seconds: float) -> Written:
    """Let so many visitors write at once."""
    chance, waited, grown = random.Random(visitors), [], []

    async def one(late: float) -> None:
        await asyncio.sleep(late)
        async with connect(address) as socket:
            writer = Writer(socket, page)
            await writer.open_page()
            grown.append(await writer.write(seconds))
            waited.extend(writer.waited)

    async def all_of_them() -> float:
        lates = [chance.uniform(0, ARRIVAL_S) if visitors > 1 else 0.0 for _ in range(visitors)]
        await asyncio.gather(*map(one, lates))
        return 0.0

    milliseconds = await ProcessorTime(address).of(all_of_them())
    return Written(waited, grown, milliseconds / 1e3)


def main() -> None:
    """Print a row for each model and number of visitors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, nargs="+", default=[1, 30])
    parser.add_argument("--seconds", type=float, default=20.0, help="of writing; default: 20")
    parser.add_argument("--models", nargs="+", default=["library-transformer", "full-lstm"])
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ["LM_LAB_HOME"] = folder
        with serving(ROOT, Path(folder) / "server.log") as address:
            print(
                "| model | visitors | run p50 | p95 | max (ms) | tokens/s: least | median | most"
                " | all together | tokens a second of the processor | RSS, MB |"
            )
            print(f"|{'---|' * 11}")
            for model in arguments.models:
                page = f"war-and-peace?model={model}"
                asyncio.run(write_together(address, page, 1, 1.0))  # loads the model
                for n in arguments.visitors:
                    written = asyncio.run(write_together(address, page, n, arguments.seconds))
                    megabytes = resident_megabytes(address.rsplit(":", 1)[1])
                    print(f"| {model} | {n} | {written.row} | {megabytes:.0f} |", flush=True)


if __name__ == "__main__":
    main()
