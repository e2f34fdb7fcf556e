"""What the job machinery costs a training: `python -m tests.benchmarks.training`.

Ours is one run in a run folder, as a worker process does it: resume states, metrics, validation
looks, samples and the watch for markers, through `train_here`. The reference is a bare PyTorch loop on
the same model class, batch and text: forward, loss, backward, clip, AdamW, nothing else. Our
`Training` alone stands between them, so that the loop's own cost and the run folder's can be told
apart.

All three train from the same seed. In each round each contestant does the same number of steps, in
turn and in an order that rotates, so that a busy neighbour strikes all alike; what comes out is the
median, over the rounds, of the ratio within a round. Rates are by wall clock, because waiting for a
disk is part of what is measured; processor time is shown beside it.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import hashlib  # noqa: E402
import statistics  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from collections.abc import Iterator  # noqa: E402
from pathlib import Path  # noqa: E402

import torch  # noqa: E402
from torch import Tensor, nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from lm_core.jobs.records import RunConfig  # noqa: E402
from lm_core.jobs.run import train_here  # noqa: E402
from lm_core.jobs.run_folder import RunFolder  # noqa: E402
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig  # noqa: E402
from lm_core.models.registry import build, config_to_dict  # noqa: E402
from lm_core.rng import generator  # noqa: E402
from lm_core.text.character_vocabulary import SOURCE  # noqa: E402
from lm_core.training.language_modelling import Training, TrainingConfig  # noqa: E402

SIZES = {
    "1 x 128, E 32": (LSTMLanguageModelConfig(70, 32, 128, 1), 32, 64),
    "4 x 128, E 32": (LSTMLanguageModelConfig(70, 32, 128, 4), 32, 96),
    "2 x 512, E 64": (LSTMLanguageModelConfig(70, 64, 512, 2), 64, 96),
}
_ENDLESS = 1_000_000  # steps
_CHARACTERS = 1_000_000


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="default: %(default)s")
    parser.add_argument("--seconds", type=float, default=12.0, help="of each turn; default: 12")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parsed = parser.parse_args()
    torch.set_num_threads(1)
    print(
        f"Characters a second, {parsed.rounds} rounds of {parsed.seconds:g} s a turn;"
        " ratio = time of ours / time of the bare loop, median of the rounds (middle half)\n"
    )
    print("| model | batch | bare loop | our loop, ratio | in a run, ratio | by processor time |")
    print("|---|---|---|---|---|---|")
    for name in parsed.sizes:
        print(_row(name, parsed.rounds, parsed.seconds), flush=True)


def _row(name: str, rounds: int, seconds: float) -> str:
    """Let the three take turns, and return their line of the table."""
    model, batch, window = SIZES[name]
    config = TrainingConfig(steps=_ENDLESS, batch=batch, window=window)
    text = _some_text()
    tokens = torch.from_numpy(SOURCE.encode(text))
    with tempfile.TemporaryDirectory() as folder:
        contestants: dict[str, Iterator[object]] = {
            "bare": bare_loop(model, tokens, config),
            "loop": iter(Training(build(model), tokens, config)),
            "run": train_here(
                RunFolder(Path(folder) / "run"), _run_config(model, config, text), text
            ),
        }
        for (
            contestant
        ) in contestants.values():  # whatever is made once is made before the clock runs
            _turn(contestant, 3)
        n_steps = max(1, round(seconds / _turn(contestants["bare"], 3)[0] * 3))
        wall: dict[str, list[float]] = {contestant: [] for contestant in contestants}
        processor: dict[str, list[float]] = {contestant: [] for contestant in contestants}
        order = list(contestants)
        for _ in range(rounds):
            for contestant in order:
                elapsed, used = _turn(contestants[contestant], n_steps)
                wall[contestant].append(elapsed)
                processor[contestant].append(used)
            order = [*order[1:], order[0]]
        contestants["run"].close()
    rate = n_steps * batch * window / statistics.median(wall["bare"])
    return (
        f"| {name} | {batch} x {window} | {rate:,.0f} | {_ratio(wall, 'loop')}"
        f" | {_ratio(wall, 'run')} | {_ratio(processor, 'run')} |"
    )


def _turn(contestant: Iterator[object], n_steps: int) -> tuple[float, float]:
    """Return the seconds that some steps took, by the wall and of the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    for _ in range(n_steps):
        next(contestant)
    return time.perf_counter() - wall, time.process_time() - processor


def _ratio(seconds: dict[str, list[float]], name: str) -> str:
    """Return the median of the ratios to the bare loop, and between what their middle half lies."""
    ratios = [ours / bare for ours, bare in zip(seconds[name], seconds["bare"], strict=True)]
    if len(ratios) < 3:
        return f"{statistics.median(ratios):.3f}"
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def bare_loop(
    config: LSTMLanguageModelConfig, tokens: Tensor, training: TrainingConfig
) -> Iterator[float]:
    """Train as one would at first: `nn.LSTM`, a carried state, AdamW, and the loss of each step."""
    model = build(config)
    model.initialise(generator(training.seed))
    optimizer = torch.optim.AdamW(model.parameters(), lr=training.learning_rate, weight_decay=0.0)
    batch, window = training.batch, training.window
    streams = tokens[: len(tokens) // batch * batch].view(batch, -1)
    start, state = 0, model.initial_state(batch)
    while True:
        if start + window + 1 > streams.shape[1]:
            start, state = 0, model.initial_state(batch)
        inputs, targets = (streams[:, start + i : start + i + window] for i in (0, 1))
        logits, state = model(inputs, state)
        state = tuple(tensor.detach() for tensor in state)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), training.clip)
        optimizer.step()
        start += window
        yield loss.item()


def _run_config(model: LSTMLanguageModelConfig, training: TrainingConfig, text: str) -> RunConfig:
    return RunConfig(
        name="benchmark",
        title="Benchmark",
        model=config_to_dict(model),
        training={**vars(training)},
        corpus="random letters",
        corpus_sha256=hashlib.sha256(text.encode()).hexdigest(),
        vocabulary=SOURCE.name,
    )


def _some_text() -> str:
    """Return random letters: speed does not depend on what a text says."""
    ids = torch.randint(1, len(SOURCE), (_CHARACTERS,), generator=generator(0))
    return SOURCE.decode(ids.tolist())


if __name__ == "__main__":
    main()
