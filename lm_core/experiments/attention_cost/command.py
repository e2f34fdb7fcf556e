"""Measure what attention costs on this machine, and what its approximations cost in nats."""

import argparse
import time

import torch

from lm_core.experiments.ablations.variants import VARIANTS
from lm_core.experiments.attention_cost.measurement import AttentionCost, GenerationCost
from lm_core.experiments.attention_cost.results import (
    Approximation,
    CostResults,
    mean_loss,
    measure_all,
    measure_approximations,
    processor_name,
)
from lm_core.results import provenance
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import load_shipped

HELP = "measure time and memory of attention"
_EVALUATED_CHARACTERS = 65_536


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    CostResults.add_output_option(parser)
    parser.add_argument(
        "--rounds", type=int, default=7, help="runs of which the shortest counts (default: 7)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Print one row a measurement, then write them all."""
    torch.set_num_threads(1)
    started = time.perf_counter()
    checkpoint = load_shipped(VARIANTS["full"].checkpoint)
    tokens = torch.from_numpy(load_book(SOURCE).validation[:_EVALUATED_CHARACTERS])
    costs: list[AttentionCost] = []
    generation: list[GenerationCost] = []
    for record in measure_all(rounds=arguments.rounds, second_limit=2.0):
        if isinstance(record, AttentionCost):
            costs.append(record)
        else:
            generation.append(record)
        _print_row(record)
    approximations: list[Approximation] = []
    for approximation in measure_approximations(checkpoint.model, tokens, rounds=arguments.rounds):
        approximations.append(approximation)
        _print_row(approximation)
    results = CostResults(
        costs=tuple(costs),
        generation=tuple(generation),
        approximations=tuple(approximations),
        exact_loss=mean_loss(checkpoint.model, tokens),
        model=checkpoint.meta.title,
        provenance=provenance(device=processor_name(), seconds=time.perf_counter() - started),
    )
    results.save(arguments.out)


def _print_row(record: AttentionCost | GenerationCost | Approximation) -> None:
    match record:
        case AttentionCost():
            row = (
                f"{record.method:<14}{record.length:6d}{1e3 * record.seconds:10.3f} ms"
                f"{record.peak_bytes / 2**20:10.2f} MiB"
            )
        case GenerationCost():
            row = (
                f"next character{record.length:6d}{1e3 * record.cached_seconds:10.3f} ms with the"
                f" cache of {record.cache_bytes:,} bytes,"
                f" {1e3 * record.uncached_seconds:.3f} ms without"
            )
        case Approximation():
            row = (
                f"{record.method:<14}{record.size:6d}{1e3 * record.seconds:10.3f} ms"
                f"  {record.loss:.4f} nats"
            )
    print(row, flush=True)
