"""How soon a page answers to a class: `python -m tests.benchmarks.visitors --visitors 1 30`.

Each visitor speaks the browser's own protocol over a websocket: opens the page, then moves its
main control about every three seconds; all arrive within five. Two times are taken, both from the
message sent to "the script has finished": the first run of a new visit, and the run after a move.
The server is a fresh process, as `make app` starts it; one visit to each page before the measurement
loads the models (a warm server).

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

from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.experiments.war_and_peace.presets import PRESETS, fitted
from lm_core.jobs import jobs
from lm_core.text.own_text import read_own_text
from lm_core.text.training_text import own_training_text
from lm_core.training.model_vocabulary import vocabulary_fields
from tests.benchmarks.visitor import Visitor, connect
from tests.browser.conftest import ROOT, serving

THINK_S = 3.0
ARRIVAL_S = 5.0
WARM_UP_S = 10.0  # for the waiting worker to have got ready

MOVED = {
    "published-figures": "chapter",
    "perceptron": "points_shown",
    "optimisers": "step",
    "gradients": "pass",
    "overfitting": "evaluation",
    "convolution": "window",
    "clustering": "clusters",
    "number-of-clusters": "clusters",
    "mixture-pitfalls": "part",
    "estimation": "length",
    "thirty-runs": "runs",
    "tokenization": "number_a",
    "byte-pair-encoding": "merge",
    "embeddings": "among",
    "word2vec": "place",
    "n-grams": "n",
    "neural-language-model": "sentence_frame",
    "part-of-speech-tagging": "context_words",
    "model-ladder": "rival",
    "order-matters": "shifted_steps",
    "minimal-pairs": "pair",
    "rnn-vs-lstm": "protocol",
    "inside-a-cell": "step",
    "inside-a-writer": "text",
    "counting": "generated",
    "sequence-models": "shape",
    "encoder-decoder": "beginning",
    "attention": "query",
    "transformer-block": "token",
    "cross-attention": "drawn_as",
    "attention-by-hand": "query_x",
    "positional-encoding": "part",
    "ablations": "ablation",
    "attention-cost": "quantity",
    "war-and-peace": "temperature",
    "surprisal": "text",
    "masked-language-model": "gap_word",
    "fine-tuning": "part",
    "reservoir-computing": "chaos_radius",
    "preferences": "exploited_rule",
    "assistant": "task",
}
"""The control of each page that is moved, by its name in the page's link."""


@dataclass
class Times:
    """Seconds of first runs and of moves, over all visitors."""

    first: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)


async def visit(address: str, page: str, moves: int, late: float, times: Times) -> None:
    """Open a page after `late` seconds and move its control so many times, from value to value."""
    chance = random.Random(late)
    await asyncio.sleep(late)
    async with connect(address) as socket:
        visitor = Visitor(socket, page)
        times.first.append(await visitor.open_page())
        for i in range(moves):
            await asyncio.sleep(THINK_S * chance.uniform(0.5, 1.5))
            times.moves.append(await visitor.move(MOVED[page.partition("?")[0]], i + 1))


async def visit_together(address: str, page: str, moves: int, visitors: int) -> Times:
    """Let so many visitors use the page at once."""
    times = Times()
    chance = random.Random(visitors)
    lates = [chance.uniform(0, ARRIVAL_S) if visitors > 1 else 0.0 for _ in range(visitors)]
    await asyncio.gather(*(visit(address, page, moves, late, times) for late in lates))
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
    try:
        yield time.perf_counter() - asked
    finally:
        jobs.cancel(job.key)
        while jobs.job(job.key).status.state.is_live:
            time.sleep(0.1)


def measured(address: str, arguments: argparse.Namespace) -> dict[tuple[str, int], Times]:
    """Measure all pages and numbers of visitors, print their rows, and return their times."""
    port = address.rsplit(":", 1)[1]
    print("| page | visitors | first run p50 | p95 | max | move p50 | p95 | max (ms) | RSS, MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    taken = {}
    for page in arguments.pages:
        for visitors in arguments.visitors:
            times = asyncio.run(visit_together(address, page, arguments.moves, visitors))
            taken[page, visitors] = times
            cells = " | ".join([*percentiles(times.first), *percentiles(times.moves)])
            megabytes = resident_megabytes(port)
            print(f"| {page} | {visitors} | {cells} | {megabytes:.0f} |", flush=True)
    return taken


def main() -> None:
    """Measure and print one row for each page and number of visitors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--pages",
        nargs="+",
        default=list(MOVED),
        help="addresses within the lab, such as counting?seed=2; default: all",
    )
    parser.add_argument("--visitors", type=int, nargs="+", default=[1, 30])
    parser.add_argument("--moves", type=int, default=8, help="of each visitor; default: 8")
    parser.add_argument("--training", action="store_true", help="also while a training runs")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        os.environ["LM_LAB_HOME"] = folder  # the server's too: it inherits the environment
        with serving(ROOT, Path(folder) / "server.log") as address:
            print("first visit to a server on which nobody has opened the page, s:")
            for page in arguments.pages:
                cold = asyncio.run(visit_together(address, page, 1, 1))
                print(f"{page} {cold.first[0]:.2f}", end="; ", flush=True)
            print("\n")
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
                for (page, visitors), times in busy.items():
                    ratio = percentile(times.moves) / percentile(quiet[page, visitors].moves)
                    print(
                        f"\n{page}, {visitors} visitors: p95 of a move {ratio:.2f} times that without"
                    )


if __name__ == "__main__":
    main()
