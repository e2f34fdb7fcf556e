"""Repeat the published experiments that no other experiment repeats, and print the whole ledger."""

import argparse
import time
from collections.abc import Callable
from functools import partial

import torch
from torch import Generator

from lm_core.experiments.published_figures import repetitions
from lm_core.experiments.published_figures.ledger import load_ledger
from lm_core.experiments.published_figures.repetitions import Permutation
from lm_core.experiments.published_figures.results import (
    CROSS_ATTENTION,
    ENCODER,
    LSTM,
    ONE_HEAD,
    RNN,
    TRANSFORMER,
    TWO_HEADS,
    Repetitions,
)
from lm_core.results import provenance
from lm_core.rng import generator

HELP = "repeat published experiments, and print every published figure beside ours"
SEEDS = range(20)
BLOB_SEEDS = range(200)
RESTARTS = range(1, 201)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--table", action="store_true", help="print the ledger, and repeat nothing")
    Repetitions.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Repeat and save, unless only the table is asked for; then print a row for each figure."""
    if not arguments.table:
        torch.set_num_threads(1)
        repeat(SEEDS, BLOB_SEEDS, RESTARTS).save(arguments.out)
    for entry in load_ledger():
        print(f"{entry.verdict:16} {entry.figure.measured:58.58} {entry.theirs:>12}  {entry.shown}")


def repeat(seeds: range, blob_seeds: range, restarts: range) -> Repetitions:
    """Carry out every repetition.

    Parameters
    ----------
    seeds : range of int
        Of the trainings and of the compared layers.
    blob_seeds : range of int
        Of drawn points, within 0..999.
    restarts : range of int
        On the irises, within 1..999.
    """
    began = time.process_time()
    blobs = {
        name: tuple(repetitions.blob_errors(name, seed) for seed in blob_seeds)
        for name in (repetitions.BALANCED, repetitions.UNBALANCED)
    }
    compared: dict[str, Callable[[Generator], float]] = {
        RNN: repetitions.rnn_difference,
        LSTM: repetitions.lstm_difference,
        ONE_HEAD: partial(repetitions.attention_difference, 3, 1),
        TWO_HEADS: partial(repetitions.attention_difference, 4, 2),
    }
    permuted: dict[str, Callable[[Generator], Permutation]] = {
        ENCODER: repetitions.encoder_permutation,
        CROSS_ATTENTION: repetitions.cross_attention_permutation,
        TRANSFORMER: repetitions.transformer_permutation,
    }
    counting = tuple(repetitions.counting_losses(seed) for seed in seeds)
    iris = tuple(repetitions.iris_restart(number) for number in restarts)
    differences = {
        name: tuple(compare(generator(seed)) for seed in seeds)
        for name, compare in compared.items()
    }
    permutations = {
        name: tuple(compare(generator(seed)) for seed in seeds)
        for name, compare in permuted.items()
    }
    return Repetitions(
        provenance(device="CPU, 1 thread", seconds=time.process_time() - began),
        counting,
        iris,
        blobs,
        tuple(repetitions.temperature_distribution()),
        tuple(repetitions.worked_queries()),
        differences,
        permutations,
    )
