"""Train Bengio's model on the book by every update rule, each at its best learning rate."""

import argparse
import time

import torch

from lm_core.experiments.optimisers.study import (
    BATCH,
    RULES,
    SEED,
    STEPS,
    OptimiserResults,
    best_of_rates,
    train,
)
from lm_core.results import provenance
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book

HELP = "train Bengio's model on the book by every update rule: loss by step and by second"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--steps", type=int, default=STEPS, help="of each training")
    OptimiserResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print a row for each rule, then write them all."""
    torch.set_num_threads(1)
    book = load_book(SOURCE)
    text = torch.from_numpy(book.train).long()
    began = time.monotonic()
    print("rule              rate    loss  seconds")
    curves = []
    for name in RULES:
        rate = best_of_rates(name, text)
        curve = train(name, rate, text, arguments.steps)
        print(f"{name:<17} {rate:<6g} {curve.losses[-1]:5.3f} {curve.seconds[-1]:7.1f}", flush=True)
        curves.append(curve)
    made = provenance(
        device="cpu",
        seconds=time.monotonic() - began,
        corpus=book.corpus,
        corpus_sha256=book.sha256,
        batch=BATCH,
        steps=arguments.steps,
        seed=SEED,
    )
    OptimiserResults(made, tuple(curves)).save(arguments.out)
