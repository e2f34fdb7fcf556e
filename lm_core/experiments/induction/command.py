"""Train the small transformers of the lesson on induction heads, and save their curves."""

import argparse
import time

import torch

from lm_core.experiments.induction.results import InductionResults
from lm_core.experiments.induction.training import LESSONS, STEPS, InductionStep, learn
from lm_core.results import provenance
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import load_book

HELP = "train small transformers with and without repetition: what makes an induction head form"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--seed", type=int, default=0, help="start of all randomness (default: 0)")
    InductionResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print each lesson as it goes, then write all curves."""
    torch.set_num_threads(1)
    started, book = time.perf_counter(), load_book(SOURCE)
    text = torch.from_numpy(book.train)
    curves: dict[str, tuple[InductionStep, ...]] = {}
    for lesson in LESSONS:
        steps = []
        for step in learn(lesson, text, len(SOURCE), arguments.seed):
            steps.append(InductionStep(step.step, *(round(value, 4) for value in step[1:])))
            print(
                f"{lesson.title:<44}{step.step:6d}{step.induction:8.3f}{step.control:8.3f}"
                f"{step.first_loss:8.3f}{step.second_loss:8.3f}",
                flush=True,
            )
        curves[lesson.title] = tuple(steps)
    made = provenance(
        device="cpu",
        seconds=time.perf_counter() - started,
        corpus=book.corpus,
        corpus_sha256=book.sha256,
        seed=arguments.seed,
        steps=STEPS,
    )
    InductionResults(made, curves).save(arguments.out)
