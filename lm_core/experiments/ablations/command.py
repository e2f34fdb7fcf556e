"""Train the variants of the ablation study; called again, it goes on where it stopped."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import torch

from lm_core.errors import SettingError
from lm_core.experiments.ablations.results import AblationResults, save_variant
from lm_core.experiments.ablations.training import TrainedVariant, train_variant
from lm_core.experiments.ablations.variants import VARIANTS
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import SHIPPED
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
        "--out",
        type=Path,
        default=AblationResults.shipped(),
        help="file of results to write or to complete (default: the shipped one)",
    )
    parser.add_argument(
        "--checkpoints",
        type=Path,
        default=SHIPPED,
        help="folder for the models that generate (default: the shipped ones)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Train what the results do not hold yet, one model after another; print a row for each.

    Raises
    ------
    SettingError
        If a variant is unknown.
    """
    torch.set_num_threads(1)
    if strangers := sorted(set(arguments.variants) - set(VARIANTS)):
        raise SettingError(f"variants must be among {list(VARIANTS)}, got {strangers}")
    book = load_book(SOURCE)
    results = AblationResults.begin(book)
    if arguments.out.exists():
        results = AblationResults.load(arguments.out)
    for name in arguments.variants or VARIANTS:
        variant = VARIANTS[name]
        if name not in results.trainings:
            model, record = train_variant(variant, book, on_step=_logger(name))
            if variant.has_checkpoint:
                save_variant(arguments.checkpoints, variant, model, record, book, _DEVICE)
            results = results.add(name, record, _DEVICE)
            results.save(arguments.out)
        _print_row(name, results.trainings[name])


def _logger(name: str) -> Callable[[TrainStep], None]:
    def log(step: TrainStep) -> None:
        if step.step % _LOG_EVERY == 0:
            sys.stderr.write(f"{name}  step {step.step:5d}  loss {step.loss:.4f}\n")

    return log


def _print_row(name: str, record: TrainedVariant) -> None:
    found = record.validation
    masked = "" if found.masked_loss is None else f"  masked {found.masked_loss:.4f}"
    print(
        f"{name:<20}{record.parameters:>11,}  training {record.curve.loss[-1]:.4f}"
        f"  validation {found.loss:.4f}{masked}  {record.seconds:.0f} s",
        flush=True,
    )
