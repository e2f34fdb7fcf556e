"""Train the networks of the recall experiment, many at once; call it again to go on."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import torch

from lm_core.experiments.published import RECALL_LENGTHS, RECALL_LSTM, RECALL_RNN
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.results import (
    RecallPoint,
    RecallResults,
    Training,
    missing_batches,
)
from lm_core.experiments.rnn_vs_lstm.settings import LONGER_LENGTHS, PROTOCOLS, PUBLISHED_LENGTHS
from lm_core.experiments.rnn_vs_lstm.training import train_batch
from lm_core.jobs.records import now
from lm_core.training.devices import DEVICES, choose_device, describe_device

HELP = "measure who remembers the beginning of a sequence"
_LENGTHS_SHOWN = (8, 10, 12, 14, 16, 18, 30, 50, 100)
_FULL_BAND = 20  # seeds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--protocol", choices=list(PROTOCOLS), default="original")
    parser.add_argument(
        "--backbones",
        nargs="+",
        default=list(BACKBONES),
        help=f"of {', '.join(BACKBONES)} (default: all)",
    )
    parser.add_argument(
        "--lengths",
        nargs="+",
        type=int,
        default=[*PUBLISHED_LENGTHS, *LONGER_LENGTHS],
        help="symbols in a sequence (default: the published 4 to 18, then 30, 50 and 100)",
    )
    parser.add_argument("--seeds", type=int, default=20, help="networks a point (default: 20)")
    parser.add_argument(
        "--out", type=Path, help="file of results (default: the one in assets/results)"
    )
    parser.add_argument(
        "--table", action="store_true", help="print the table of both protocols; train nothing"
    )
    parser.add_argument("--device", choices=DEVICES, help="default: LM_LAB_DEVICE, or auto")


def run(arguments: argparse.Namespace) -> None:
    """Train what the file does not have yet; the file is written anew after every batch."""
    if arguments.table:
        print("\n".join(_table()))
        return
    torch.set_num_threads(1)
    path, protocol = arguments.out or RecallResults.shipped(), arguments.protocol
    device = choose_device(arguments.device)
    results = RecallResults.load(path) if path.exists() else RecallResults({}, {}, {})
    seeds = range(arguments.seeds)
    batches = missing_batches(results, protocol, arguments.backbones, arguments.lengths, seeds)
    for number, settings in enumerate(batches, start=1):
        trained = train_batch(settings, device)
        results = results.added(protocol, trained, Training(now(), describe_device(device)))
        results.save(path)
        print(f"batch {number} of {len(batches)}: {settings.backbone}", file=sys.stderr)
    for point in results.points(protocol):
        print(
            f"{BACKBONES[point.backbone].title:<26} L {point.length:3d}"
            f"  mean {point.mean:.4f}  {min(point.accuracies):.4f} to {max(point.accuracies):.4f}"
            f"  {len(point.accuracies)} seeds  {point.parameter_count:,} parameters"
        )


def _table() -> Iterator[str]:
    """Yield the lines of a Markdown table: a row for each backbone and protocol, the published first."""
    columns = [f"L = {length}" for length in _LENGTHS_SHOWN]
    titles = ["Backbone", "Parameters", "Training", *columns, "L = 18, shuffled"]
    yield _row(titles)
    yield _row(["---"] * len(titles))
    for title, figures in {"RNN": RECALL_RNN, "LSTM": RECALL_LSTM}.items():
        known = dict(zip(RECALL_LENGTHS, figures, strict=True))
        cells = [f"*{known[n]:.3f}*" if n in known else "" for n in _LENGTHS_SHOWN]
        yield _row([f"*Published {title}, one run*", "", "original settings", *cells, ""])
    results = RecallResults.load()
    for protocol in results.trained:
        points = results.points(protocol)
        for backbone in dict.fromkeys(point.backbone for point in points):
            by_length = {point.length: point for point in points if point.backbone == backbone}
            cells = [_cell(by_length[n]) if n in by_length else "" for n in _LENGTHS_SHOWN]
            at_18 = by_length.get(18)
            size = f"{at_18.parameter_count:,}" if at_18 else ""
            shuffled = f"{at_18.shuffled().mean:.3f}" if at_18 else ""
            titles = [BACKBONES[backbone].title, size, PROTOCOLS[protocol].title]
            yield _row([*titles, *cells, shuffled])


def _cell(point: RecallPoint) -> str:
    """Return a mean, its range unless all seeds agree, and the number of seeds unless it is 20."""
    low, high = min(point.accuracies), max(point.accuracies)
    text = f"{point.mean:.3f}"
    if f"{low:.2f}" != f"{high:.2f}":
        text += f" ({low:.2f} to {high:.2f})"
    n_seeds = len(point.accuracies)
    return text if n_seeds == _FULL_BAND else f"{text}, {n_seeds} seed{'s' * (n_seeds > 1)}"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
