"""Train the small networks of the page at /inside-a-cell, all from one seed."""

import argparse

import torch

from lm_core.experiments.inside_a_cell.results import (
    SNAPSHOTS,
    TrainedNetwork,
    TrainedNetworks,
    grid,
    train_grid,
)

HELP = "train the small networks that name the first of twenty digits"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    TrainedNetworks.add_output_option(parser)
    parser.add_argument("--seed", type=int, default=1, help="of all randomness (default: 1)")


def run(arguments: argparse.Namespace) -> None:
    """Print one row a network as soon as it is trained, then write them all."""
    torch.set_num_threads(1)
    counts = (0, *SNAPSHOTS)
    print(f"{'network':<38}{'longest gradient':>18}  accuracy after {counts} updates")
    results = train_grid(grid(arguments.seed), on_trained=_print_row)
    results.save(arguments.out)
    print(f"{len(results.networks)} networks in {results.provenance['seconds']} s: {arguments.out}")


def _print_row(name: str, trained: TrainedNetwork) -> None:
    longest = max(trained.curve.gradient_norm)
    accuracies = "".join(f"{value:8.3f}" for value in trained.accuracy.values())
    print(f"{name:<38}{longest:18.2f}  {accuracies}", flush=True)
