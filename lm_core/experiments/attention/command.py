"""Score every head of the shipped transformers of the book, and of their snapshots."""

import argparse
import time
from pathlib import Path

import torch

from lm_core.experiments.attention.head_scores import WINDOW, HeadResults, HeadScores, score_heads
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.results import provenance
from lm_core.text.training_text import load_book
from lm_core.training import checkpoints
from lm_core.training.checkpoints import list_checkpoints, load_checkpoint, read_meta
from lm_core.training.model_vocabulary import vocabulary_of

HELP = "score every attention head of the shipped transformers"
_HELD_OUT = 0.05
"""Last share of the training text that is read: what recipes hold out until the last fifth of the steps."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "models",
        nargs="*",
        type=Path,
        help="checkpoint folders; scores of others are kept (default: all shipped transformers of the book)",
    )
    parser.add_argument(
        "--windows", type=int, default=128, help=f"of {WINDOW} tokens that are read (default: 128)"
    )
    HeadResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print the best head of each pattern by model, then write all scores."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    scores = {}
    if arguments.models and arguments.out.exists():
        scores = dict(HeadResults.load(arguments.out).models)
    for folder in arguments.models or _shipped_transformers():
        found = scores[read_meta(folder).name] = _score(folder, arguments.windows)
        _print(found)
    made = provenance(
        device="cpu",
        seconds=time.perf_counter() - started,
        windows=arguments.windows,
        window=WINDOW,
        held_out=_HELD_OUT,
    )
    HeadResults(made, scores).save(arguments.out)


def _shipped_transformers() -> list[Path]:
    family = TransformerLanguageModelConfig.__name__
    return [
        checkpoints.SHIPPED / meta.name
        for meta in list_checkpoints()
        if meta.config["family"] == family and meta.experiment is None
    ]


def _score(folder: Path, n_windows: int) -> HeadScores:
    meta, vocabulary = read_meta(folder), vocabulary_of(read_meta(folder))
    train = load_book(vocabulary).train
    held_out = torch.from_numpy(train[len(train) - int(_HELD_OUT * len(train)) :])
    window = min(WINDOW, meta.config["context"])
    tokens = held_out[: n_windows * window].view(-1, window)
    measured = score_heads(load_checkpoint(folder).model, vocabulary, tokens)
    return HeadScores(meta.name, meta.weights_sha256, meta.steps, **measured)


def _print(scores: HeadScores) -> None:
    entropy, largest = torch.tensor(scores.entropy_bits), torch.tensor(scores.largest_scores)
    print(
        f"{scores.model}, {scores.steps:,} steps: entropy {entropy.mean():.2f} bits"
        f" ({entropy.min():.2f} to {entropy.max():.2f}), largest score {largest.max():.1f}"
        f" (median head {largest.median():.1f}); random tokens {scores.repetition_losses[0]:.2f} nats,"
        f" again {scores.repetition_losses[1]:.2f}"
    )
    for pattern in dict.fromkeys(p.pattern for p in scores.patterns):
        if best := scores.best(pattern):
            shuffled = "" if best.shuffled_share is None else f"{best.shuffled_share:9.3f}"
            print(
                f"  {pattern:<40}{best.layer + 1}.{best.head + 1}{best.share:9.3f}{shuffled:>9}"
                f"{best.uniform_share:9.3f}{best.n_tokens:8d}",
                flush=True,
            )
