"""Train the transformers of "What if we leave a part out?"; call it again to go on."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from lm_core.errors import SettingError
from lm_core.experiments.ablations.results import RESULTS_FILE, SHIPPED, WithoutResults, save_model
from lm_core.experiments.ablations.training import letter_frequency_loss, train_variant
from lm_core.experiments.ablations.variants import VARIANTS
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book
from lm_core.training.loop import TrainStep

HELP = "train small transformers, each without one of its parts"
_LOG_EVERY = 100
_DEVICE = "CPU, 1 thread"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "variants", nargs="*", metavar="NAME", help=f"of {', '.join(VARIANTS)}; default: all"
    )
    parser.add_argument(
        "--out", type=Path, default=SHIPPED, help="folder to fill (default: the shipped results)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Train what the folder does not hold yet, one model after another; print a row for each.

    Raises
    ------
    SettingError
        If a variant is unknown.
    """
    torch.set_num_threads(1)
    if strangers := sorted(set(arguments.variants) - set(VARIANTS)):
        raise SettingError(f"variants must be among {list(VARIANTS)}, got {strangers}")
    book = load_book(SOURCE)
    results = WithoutResults(book.corpus, book.sha256, letter_frequency_loss(book))
    if (arguments.out / RESULTS_FILE).exists():
        results = WithoutResults.load(arguments.out)
    for name in arguments.variants or VARIANTS:
        variant = VARIANTS[name]
        if name not in results:
            model, record = train_variant(variant, book, watch=_logger(name))
            if variant.is_kept:
                save_model(arguments.out, variant, model, record, book, _DEVICE)
            results.add(variant, record, _DEVICE)
            results.save(arguments.out)
        _print_row(name, results[name])


def _logger(name: str) -> Callable[[TrainStep], None]:
    def log(step: TrainStep) -> None:
        if step.step % _LOG_EVERY == 0:
            sys.stderr.write(f"{name}  step {step.step:5d}  loss {step.loss:.4f}\n")

    return log


def _print_row(name: str, record: dict[str, Any]) -> None:
    verdict = record["validation"]
    masked = f"  masked {verdict['masked_loss']:.4f}" if "masked_loss" in verdict else ""
    print(
        f"{name:<20}{record['parameters']:>11,}  training {record['curve']['loss'][-1]:.4f}"
        f"  validation {verdict['loss']:.4f}{masked}  {record['seconds']:.0f} s",
        flush=True,
    )
