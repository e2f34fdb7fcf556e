"""How fast attention is: `python -m tests.benchmarks.attention`.

* our layers beside torch's `nn.MultiheadAttention` on the same weights: a forward pass, with
  every stage kept and without;
* writing with the key-value cache beside reading the whole text anew for every character;
* everything that the page shows of a sentence: the trace of 6 layers x 8 heads on 128 characters;
* training: the book's recipe beside a shape that others use on processors, characters a second.

Everything runs on one thread. Rates are by processor time; the contestants take turns, and each
figure is the median of its rounds. Speed does not depend on what a network has learned, so the weights
are random.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import replace  # noqa: E402

import numpy as np  # noqa: E402
import torch  # noqa: E402
from torch import nn  # noqa: E402

from lm_core.analysis.attention_trace import trace_attention  # noqa: E402
from lm_core.models.attention import causal_mask  # noqa: E402
from lm_core.models.multi_head_attention import (  # noqa: E402
    AttentionMask,
    MultiHeadAttention,
    head_by_head,
    recording,
)
from lm_core.models.registry import build  # noqa: E402
from lm_core.models.transformer import TransformerLanguageModel  # noqa: E402
from lm_core.models.transformer_config import TransformerLanguageModelConfig  # noqa: E402
from lm_core.rng import generator  # noqa: E402
from lm_core.training.language_modelling import Training, TrainingConfig  # noqa: E402
from lm_core.training.recipes import BOOK_TRANSFORMER  # noqa: E402
from tests.benchmarks.in_turn import seconds_in_turn  # noqa: E402

SHOWN = TransformerLanguageModelConfig(70, 256, 8, 6)
NANOGPT = TransformerLanguageModelConfig(
    70, 128, 4, 4, context=64, position="learned", cold_starts=1.0
)
NANOGPT_TRAINING = TrainingConfig(
    steps=1_000, batch=12, window=64, learning_rate=1e-3, weight_decay=0.1
)


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15, help="of each contestant; default: 15")
    parser.add_argument("--steps", type=int, default=4, help="of training, a round; default: 4")
    parsed = parser.parse_args()
    torch.set_num_threads(1)
    print("One layer, 8 heads of 32, batch 1, causal, ms; ratio = torch's / ours\n")
    print("| tokens | what | ours | torch | ratio |\n|---|---|---|---|---|")
    for length in (64, 256, 1024):
        for row in _layers(length, parsed.rounds):
            print(row, flush=True)
    print("\nWriting 200 characters with the book's network, characters a second\n")
    print(_writing(min(3, parsed.rounds)), flush=True)
    print("\nTrace of 6 layers x 8 heads on 128 characters, ms\n")
    print(_tracing(2 * parsed.rounds), flush=True)
    print("\nTraining, characters a processor second\n")
    print("| what | characters/s |\n|---|---|")
    for row in _training(parsed.steps):
        print(row, flush=True)


def _milliseconds(contestants: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Let all take turns; return the median of each."""
    return {name: 1e3 * s for name, s in seconds_in_turn(contestants, rounds).items()}


@torch.inference_mode()
def _layers(length: int, rounds: int) -> list[str]:
    layer = MultiHeadAttention(256, 8)
    layer.initialise(generator(0))
    torchs = nn.MultiheadAttention(256, 8, bias=False, batch_first=True)
    torchs.in_proj_weight.copy_(layer.projections.weight)
    torchs.out_proj.weight.copy_(layer.output.weight)
    x, visible = torch.randn(1, length, 256, generator=generator(1)), causal_mask(length)
    mask = ~visible
    taken = _milliseconds(
        {
            "fused": lambda: layer(x, AttentionMask(visible, x.dtype)),
            "torch": lambda: torchs(x, x, x, attn_mask=mask, need_weights=False),
            "trace": lambda: layer(x, AttentionMask(visible, x.dtype), attention=recording([])),
            "torch weights": lambda: torchs(x, x, x, attn_mask=mask, average_attn_weights=False),
            "head by head": lambda: head_by_head(layer, x, visible),
        },
        rounds,
    )
    pairs = (
        ("output alone", "fused", "torch"),
        ("with weights; ours with all stages", "trace", "torch weights"),
        ("head by head", "head by head", "torch weights"),
    )
    return [
        f"| {length} | {what} | {taken[ours]:.2f} | {taken[theirs]:.2f}"
        f" | {taken[theirs] / taken[ours]:.2f} |"
        for what, ours, theirs in pairs
    ]


def _writing(rounds: int, length: int = 200) -> str:
    model = _random(replace(BOOK_TRANSFORMER.model, dropout=0.0))
    taken = _milliseconds(
        {
            "cache": lambda: write_with_cache(model, length),
            "anew": lambda: write_anew(model, length),
        },
        rounds,
    )
    rate = {name: 1e3 * length / ms for name, ms in taken.items()}
    return (
        "| with the cache | without | ratio |\n|---|---|---|\n"
        f"| {rate['cache']:,.0f} | {rate['anew']:,.0f} | {rate['cache'] / rate['anew']:.1f} |"
    )


@torch.inference_mode()
def write_with_cache(model: TransformerLanguageModel, length: int) -> list[int]:
    """Write the likeliest character again and again, reading only the new one each time."""
    written = [1]
    state = model.initial_state(1)
    for _ in range(length):
        logits, state = model(torch.tensor([written[-1:]]), state)
        written.append(int(logits[0, -1].argmax()))
    return written


@torch.inference_mode()
def write_anew(model: TransformerLanguageModel, length: int) -> list[int]:
    """Write the same, reading the whole text each time."""
    written = [1]
    for _ in range(length):
        logits, _ = model(torch.tensor([written]), model.initial_state(1))
        written.append(int(logits[0, -1].argmax()))
    return written


def _tracing(rounds: int) -> str:
    model, tokens = _random(SHOWN), torch.randint(0, 70, (128,), generator=generator(0))
    trace_attention(model, tokens)
    taken = []
    for _ in range(rounds):
        begin = time.process_time()
        trace_attention(model, tokens)
        taken.append(1e3 * (time.process_time() - begin))
    median, p95 = np.percentile(taken, [50, 95])
    return f"| median | p95 |\n|---|---|\n| {median:.0f} | {p95:.0f} |"


def _training(steps: int) -> list[str]:
    text = torch.randint(0, 70, (200_000,), generator=generator(0))
    book = BOOK_TRANSFORMER.training
    runs = {
        "4 x 256, the book's recipe": (BOOK_TRANSFORMER.model, book),
        "4 x 256, AdamW": (BOOK_TRANSFORMER.model, replace(book, optimizer="adamw")),
        "4 x 256, float32": (BOOK_TRANSFORMER.model, replace(book, dtype="float32")),
        "4 x 128, context 64, batch 12, float32": (NANOGPT, NANOGPT_TRAINING),
    }
    return [f"| {name} | {_speed(*run, text, steps):,.0f} |" for name, run in runs.items()]


def _speed(
    model: TransformerLanguageModelConfig, config: TrainingConfig, text: torch.Tensor, steps: int
) -> float:
    training = Training(build(model), text, replace(config, held_out=0.0))
    for _ in range(3):  # until the memory is full
        training.take_step()
    steps = max(steps, steps * book_share(config))
    begin = time.process_time()
    for _ in range(steps):
        training.take_step()
    return steps * config.batch * config.window / (time.process_time() - begin)


def book_share(config: TrainingConfig) -> int:
    """Return how many steps make about as many characters as one of the book's recipe."""
    book = BOOK_TRANSFORMER.training
    return book.batch * book.window // (config.batch * config.window)


def _random(config: TransformerLanguageModelConfig) -> TransformerLanguageModel:
    model = build(config)
    model.initialise(generator(0))
    return model.eval()


if __name__ == "__main__":
    main()
