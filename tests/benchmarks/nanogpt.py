"""Ours beside nanoGPT's configuration for processors, at equal processor time.

`python -m tests.benchmarks.nanogpt --seconds 100` trains both on the book's training part for so many
seconds of processor time, one after the other, and scores both, and the shipped transformer, on its
validation part: A (cold windows of 64) and B (carried). The rival is nanoGPT's shape (4 layers, 4
heads, width 128, context 64, learned positions, dropout 0) and its settings (AdamW at 1e-3, batch 12,
100 steps of warm-up, weight decay 0.1, windows that start anywhere), in our code: its float32 products
and our fused kernel are torch's own.

Ours is `QUICK`: the same width and depth, with what the shipped model has besides: rotary positions,
Muon, and a memory that is handed from window to window.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from dataclasses import replace  # noqa: E402

import torch  # noqa: E402

from lm_core.models.registry import build  # noqa: E402
from lm_core.models.transformer import TransformerLanguageModel  # noqa: E402
from lm_core.models.transformer_config import TransformerLanguageModelConfig  # noqa: E402
from lm_core.text.character_vocabulary import SOURCE  # noqa: E402
from lm_core.text.training_text import Book, load_book  # noqa: E402
from lm_core.training.checkpoints import SHIPPED, load_checkpoint  # noqa: E402
from lm_core.training.evaluation import BLOCK, carried_losses, cold_window_losses, score  # noqa: E402
from lm_core.training.language_modelling import Training, TrainingConfig  # noqa: E402

STRIDE = 16
_TRIAL_STEPS = 30

NANOGPT = (
    TransformerLanguageModelConfig(
        len(SOURCE), 128, 4, 4, context=64, position="learned", cold_starts=1.0
    ),
    TrainingConfig(1, batch=12, window=64, learning_rate=1e-3, warmup_steps=100, weight_decay=0.1),
)
QUICK = (
    TransformerLanguageModelConfig(len(SOURCE), 128, 4, 4, context=64, cold_starts=0.5),
    TrainingConfig(
        1,
        batch=16,
        window=64,
        learning_rate=2e-2,
        warmup_steps=50,
        weight_decay=0.1,
        optimizer="muon",
    ),
)


def main() -> None:
    """Train both, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=100.0, help="of processor time, each")
    parser.add_argument("--only", choices=("nanogpt", "ours"), help="train one of the two")
    parser.add_argument(
        "--held-out", action="store_true", help="score the end of the training part instead"
    )
    parsed = parser.parse_args()
    torch.set_num_threads(1)
    book = load_book(SOURCE)
    judged = book.train[-len(book.train) // 20 :] if parsed.held_out else book.validation
    learned = book.train[: -len(book.train) // 20] if parsed.held_out else book.train
    print("| model | parameters | processor seconds | steps | M characters | A | B |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for name, contestant in {"nanogpt": NANOGPT, "ours": QUICK}.items():
        if parsed.only in (None, name):
            training, seconds = _train(*contestant, torch.from_numpy(learned), parsed.seconds)
            seen = training.step * training.config.batch * training.config.window / 1e6
            row = [name, f"{training.model.parameter_count:,}", f"{seconds:.0f}"]
            row += [f"{training.step:,}", f"{seen:.1f}", *_scores(training.model.eval(), judged)]
            print(f"| {' | '.join(row)} |", flush=True)
    if (SHIPPED / "book-transformer").is_dir() and not parsed.held_out:
        _print_shipped(book)


def _train(
    model: TransformerLanguageModelConfig,
    config: TrainingConfig,
    text: torch.Tensor,
    seconds: float,
) -> tuple[Training, float]:
    """Train for about so many seconds of processor time; return the training and what it took."""
    trial = Training(build(model), text, replace(config, steps=1_000))
    for _ in range(5):
        trial.take_step()
    begin = time.process_time()
    for _ in range(_TRIAL_STEPS):
        trial.take_step()
    per_step = (time.process_time() - begin) / _TRIAL_STEPS
    training = Training(build(model), text, replace(config, steps=round(seconds / per_step)))
    begin = time.process_time()
    for step in training:
        if step.step % 500 == 0:
            sys.stderr.write(f"step {step.step} of {training.config.steps} {step.loss:.3f}\n")
    return training, time.process_time() - begin


def _scores(model: TransformerLanguageModel, ids: object) -> list[str]:
    """Return A and B."""
    tokens = torch.as_tensor(ids)
    cold = cold_window_losses(model, tokens, stride=STRIDE)
    scores = (score(cold.mean(1), block=BLOCK // STRIDE), score(carried_losses(model, tokens)))
    return [f"{each.nats:.4f} ± {each.standard_error:.4f}" for each in scores]


def _print_shipped(book: Book) -> None:
    model, meta = load_checkpoint(SHIPPED / "book-transformer")
    row = ["shipped", f"{meta.parameter_count:,}", f"{meta.seconds:.0f} (wall clock)"]
    row += [
        f"{meta.steps:,}",
        f"{meta.characters_seen / 1e6:.1f}",
        *_scores(model, book.validation),
    ]
    print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
