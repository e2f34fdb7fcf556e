"""How soon a page answers: `python -m tests.benchmarks.visitors --visitors 1 30`.

Each visitor speaks the browser's own protocol over a websocket: opens the page, then moves one
slider about once a second. Two times are taken, both from the message sent to "the script has
finished": the first run of a new visit, and the run after a move. The server is a fresh process, as
`make app` starts it; one visit before the measurement loads the models (a warm server).

With ``--training`` everything is measured a second time while a training runs in the background, and
the ratio of the two is printed, together with the time from asking for a training to its first loss,
by a worker that is started then and by one that was waiting.
"""

import argparse
import asyncio
import os
import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.experiments.war_and_peace.presets import PRESETS, fitted
from lm_core.jobs import jobs
from lm_core.text.own_text import read_own_text
from lm_core.text.training_text import own_training_text
from lm_core.training.model_vocabulary import vocabulary_fields
from tests.browser.conftest import ROOT, serving

PAUSE_S = 1.0
WARM_UP_S = 10.0  # for the waiting worker to have got ready


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
        return await self._run(self._message())

    async def move(self, label: str, value: float) -> float:
        """Move a slider; return the seconds until the page has answered."""
        widget, fragment = self.sliders[label]
        message = self._message()
        message.rerun_script.fragment_id = fragment
        state = message.rerun_script.widget_states.widgets.add(id=widget)
        state.double_array_value.data.append(value)
        return await self._run(message)

    def _message(self) -> BackMsg:
        message = BackMsg()
        name, _, message.rerun_script.query_string = self.page.partition("?")
        message.rerun_script.page_name = name
        return message

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


async def visit(address: str, arguments: argparse.Namespace, times: Times) -> None:
    """Open a page and move a slider so many times, up its range and again from below."""
    low, high = arguments.range
    chance = random.Random(len(times.first))
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    async with websockets.connect(stream, subprotocols=["streamlit"], max_size=None) as socket:
        visitor = Visitor(socket, arguments.page)
        times.first.append(await visitor.open_page())
        for i in range(arguments.moves):
            await asyncio.sleep(PAUSE_S * chance.uniform(0.5, 1.5))
            value = round(low + (high - low) * (i % 20) / 19, 2)
            times.moves.append(await visitor.move(arguments.slider, value))


async def visit_together(address: str, arguments: argparse.Namespace, visitors: int) -> Times:
    """Let so many visitors use the page at once."""
    times = Times()
    await asyncio.gather(*(visit(address, arguments, times) for _ in range(visitors)))
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
    yield f"{1e3 * statistics.median(seconds):.0f}"
    yield f"{1e3 * percentile(seconds):.0f}"
    yield f"{1e3 * max(seconds):.0f}"


def percentile(seconds: list[float], share: float = 0.95) -> float:
    """Return the time that this share of all stay within."""
    return sorted(seconds)[max(0, round(share * len(seconds)) - 1)]


@contextmanager
def training_in_background(seed: int) -> Iterator[float]:
    """Train while the block lasts, and yield the seconds from asking to the first loss."""
    text = "the quick brown fox jumps over the lazy dog " * 2_000
    training = own_training_text(read_own_text(text))
    recipe = fitted(PRESETS["words"], len(training.vocabulary))
    recipe = replace(recipe, training=replace(recipe.training, steps=10_000_000, seed=seed))
    config = run_config(
        recipe,
        corpus=training.corpus,
        corpus_sha256=training.sha256,
        vocabulary=training.vocabulary.name,
    )
    config = replace(config, **vocabulary_fields(training.vocabulary))
    asked = time.perf_counter()
    job = jobs.submit(config, text, visitor="benchmark")
    while job.run.last_metrics() is None:
        time.sleep(0.02)
    yield time.perf_counter() - asked
    jobs.cancel(job.key)
    while jobs.job(job.key).status.state.is_live:
        time.sleep(0.1)


def measured(address: str, arguments: argparse.Namespace) -> dict[int, Times]:
    """Measure all numbers of visitors, print their rows, and return their times."""
    port = address.rsplit(":", 1)[1]
    print("| visitors | first run p50 | p95 | max | move p50 | p95 | max (ms) | RSS, MB |")
    print("|---|---|---|---|---|---|---|---|")
    taken = {}
    for visitors in arguments.visitors:
        times = taken[visitors] = asyncio.run(visit_together(address, arguments, visitors))
        cells = [*percentiles(times.first), *percentiles(times.moves)]
        print(f"| {visitors} | {' | '.join(cells)} | {resident_megabytes(port):.0f} |", flush=True)
    return taken


def main() -> None:
    """Measure and print one row for each number of visitors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--page", default="war-and-peace", help="its address within the lab, such as recall?seed=2"
    )
    parser.add_argument("--slider", default="Temperature", help="label of the one that is moved")
    parser.add_argument(
        "--range", type=float, nargs=2, default=[0.5, 1.45], help="of the slider's values"
    )
    parser.add_argument("--visitors", type=int, nargs="+", default=[1, 10, 30])
    parser.add_argument("--moves", type=int, default=20, help="of each visitor; default: 20")
    parser.add_argument("--training", action="store_true", help="also while a training runs")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ["LM_LAB_HOME"] = folder  # the server's too: it inherits the environment
        with serving(ROOT, Path(folder) / "server.log") as address:
            alone = argparse.Namespace(**vars(arguments) | {"moves": 1})
            cold = asyncio.run(visit_together(address, alone, 1))
            print(f"first visit to a server that has loaded nothing: {cold.first[0]:.2f} s\n")
            quiet = measured(address, arguments)
            if arguments.training:
                with training_in_background(seed=1) as cold_s:
                    pass
                jobs.expect_one()
                time.sleep(WARM_UP_S)
                with training_in_background(seed=2) as warm_s:
                    print(
                        f"\nWhile a training runs (first loss {cold_s:.2f} s after asking, or"
                        f" {warm_s:.2f} s from a worker that was waiting):\n"
                    )
                    busy = measured(address, arguments)
                for visitors, times in busy.items():
                    ratio = percentile(times.moves) / percentile(quiet[visitors].moves)
                    print(f"\n{visitors} visitors: p95 of a move {ratio:.2f} times that without")


if __name__ == "__main__":
    main()
