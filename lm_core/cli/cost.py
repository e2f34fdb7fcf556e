"""Measure what attention costs on this machine, and what its approximations cost in nats."""

import argparse
from pathlib import Path

import torch

from lm_core.experiments.ablations.results import SHIPPED as TRAINED
from lm_core.experiments.attention_cost.generation_cost import WritingCost
from lm_core.experiments.attention_cost.measure import AttentionCost
from lm_core.experiments.attention_cost.results import (
    SHIPPED,
    Approximation,
    CostResults,
    approximations,
    mean_loss_of,
    plan,
    processor_name,
    save_results,
)
from lm_core.jobs.records import now
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import load_checkpoint

HELP = "measure time and memory of attention"
_JUDGED_CHARACTERS = 65_536


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--out", type=Path, default=SHIPPED, help="file to write (default: the shipped results)"
    )
    parser.add_argument(
        "--rounds", type=int, default=7, help="runs of which the shortest counts (default: 7)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Print one row a measurement, then write them all."""
    torch.set_num_threads(1)
    checkpoint = load_checkpoint(TRAINED / "whole")
    tokens = torch.from_numpy(load_book(SOURCE).validation[:_JUDGED_CHARACTERS])
    costs, writing, near = [], [], []
    for record in plan(rounds=arguments.rounds, second_limit=2.0):
        (writing if isinstance(record, WritingCost) else costs).append(record)
        _print_row(record)
    for record in approximations(checkpoint.model, tokens, rounds=arguments.rounds):
        near.append(record)
        _print_row(record)
    results = CostResults(
        costs=tuple(costs),
        approximations=tuple(near),
        exact_loss=mean_loss_of(checkpoint.model, tokens),
        model=checkpoint.meta.title,
        writing=tuple(writing),
        machine=processor_name(),
        date=now(),
        torch=torch.__version__,
    )
    save_results(arguments.out, results)


def _print_row(record: AttentionCost | WritingCost | Approximation) -> None:
    match record:
        case AttentionCost():
            row = (
                f"{record.method:<14}{record.length:6d}{1e3 * record.seconds:10.3f} ms"
                f"{record.peak_bytes / 2**20:10.2f} MiB"
            )
        case WritingCost():
            row = (
                f"next character{record.length:6d}{1e3 * record.cached_seconds:10.3f} ms with the"
                f" cache of {record.cache_bytes:,} bytes, {1e3 * record.anew_seconds:.3f} ms without"
            )
        case Approximation():
            row = (
                f"{record.method:<14}{record.size:6d}{1e3 * record.seconds:10.3f} ms"
                f"  {record.loss:.4f} nats"
            )
    print(row, flush=True)
