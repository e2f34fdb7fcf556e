"""Train the networks of the recall experiment, many at once; call it again to go on."""

import argparse
import sys
from pathlib import Path

import torch

from lm_core.recurrent.recall.models import MODELS
from lm_core.recurrent.recall.protocols import LONGER_LENGTHS, PROTOCOLS, SOURCE_LENGTHS
from lm_core.recurrent.recall.results import RecallResults, results_path
from lm_core.recurrent.recall.sweep import missing_batches, train_batch
from lm_core.training.devices import DEVICES, choose_device, describe_device
from lm_core.training.records import now

HELP = "measure who remembers the beginning of a sequence"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--protocol", choices=sorted(PROTOCOLS), default="source")
    parser.add_argument(
        "--models", nargs="+", default=list(MODELS), help=f"of {', '.join(MODELS)} (default: all)"
    )
    parser.add_argument(
        "--lengths",
        nargs="+",
        type=int,
        default=[*SOURCE_LENGTHS, *LONGER_LENGTHS],
        help="symbols in a sequence (default: the source's 4 to 18, then 30, 50 and 100)",
    )
    parser.add_argument("--seeds", type=int, default=20, help="networks a point (default: 20)")
    parser.add_argument(
        "--out", type=Path, help="file of results (default: the protocol's in assets/results)"
    )
    parser.add_argument("--device", choices=DEVICES, help="default: LM_LAB_DEVICE, or auto")


def run(arguments: argparse.Namespace) -> None:
    """Train what the file does not have yet; the file is written anew after every batch."""
    torch.set_num_threads(1)
    path = arguments.out or results_path(arguments.protocol)
    device = choose_device(arguments.device)
    results = RecallResults(arguments.protocol)
    if path.exists():
        results = RecallResults.load(path)
    batches = missing_batches(results, arguments.models, arguments.lengths, range(arguments.seeds))
    for number, settings in enumerate(batches, start=1):
        results.add(train_batch(settings, device))
        results.device, results.date = describe_device(device), now()
        results.save(path)
        print(f"batch {number} of {len(batches)}: {settings.model}", file=sys.stderr)
    for point in results.points():
        print(
            f"{MODELS[point.model].title:<26} L {point.length:3d}"
            f"  mean {point.mean:.4f}  {min(point.accuracies):.4f} to {max(point.accuracies):.4f}"
            f"  {len(point.accuracies)} seeds  {point.parameter_count:,} parameters"
        )
