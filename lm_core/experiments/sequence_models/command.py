"""Train the small models between vectors and sequences, and save them as checkpoints."""

import argparse
import sys
from pathlib import Path

import torch

from lm_core.experiments.recipes import recipe_named
from lm_core.experiments.sequence_models.training import (
    RECIPES,
    SequenceTraining,
    shortened,
)
from lm_core.jobs.run_folder import home

HELP = "train the five small models of the page at /sequence-models"
LOG_EVERY = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "recipes", nargs="*", metavar="RECIPE", help=f"of {', '.join(RECIPES)}; default: all"
    )
    parser.add_argument("--steps", type=int, help="optimizer steps (default: the recipe's)")
    parser.add_argument("--seed", type=int, help="start of all randomness (default: the recipe's)")
    parser.add_argument(
        "--out", type=Path, help="folder for the checkpoints (default: LM_LAB_HOME/sequences)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Train each to its end and say where it lies."""
    torch.set_num_threads(1)  # the products are too small to be shared
    changes = {n: v for n in ("steps", "seed") if (v := getattr(arguments, n)) is not None}
    recipes = [shortened(recipe_named(RECIPES, n), **changes) for n in arguments.recipes or RECIPES]
    for recipe in recipes:
        training = SequenceTraining(recipe)
        for step in training:
            if step.step % LOG_EVERY == 0:
                sys.stderr.write(
                    f"{recipe.name}  step {step.step:6d} of {recipe.training.steps}"
                    f"  loss {step.loss:.4f}  {step.seconds:.0f} s\n"
                )
        print(training.save(arguments.out or home() / "sequences"))
