"""Train a model of the book from its recipe, in the foreground; call it again to resume."""

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

import torch

from lm_core.text.alphabets import SOURCE
from lm_core.text.book import load_book
from lm_core.training.recipes import RECIPES, recipe_named
from lm_core.training.run import LOG_EVERY, run_recipe

HELP = "train a model of the book"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("recipe", help=f"one of {', '.join(sorted(RECIPES))}")
    parser.add_argument("--steps", type=int, help="optimizer steps (default: the recipe's)")
    parser.add_argument("--seed", type=int, help="start of all randomness (default: the recipe's)")
    parser.add_argument(
        "--out", type=Path, help="folder of the run (default: LM_LAB_HOME/runs/RECIPE)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Train to the end and say where the checkpoint lies."""
    recipe = recipe_named(arguments.recipe)
    chosen = {n: v for n in ("steps", "seed") if (v := getattr(arguments, n)) is not None}
    recipe = replace(recipe, training=replace(recipe.training, **chosen))
    home = Path(os.environ.get("LM_LAB_HOME", Path.home() / ".cache" / "lm-lab"))
    folder = arguments.out or home / "runs" / recipe.name
    torch.set_num_threads(1)  # one thread a process was measured fastest on shared cores
    book = load_book(SOURCE)
    steps = run_recipe(
        recipe,
        torch.from_numpy(book.train).long(),
        folder,
        corpus="war-and-peace",
        corpus_sha256=book.sha256,
    )
    for step in steps:
        if step.step % LOG_EVERY == 0 or step.step == recipe.training.steps:
            held_out = "" if step.held_out_loss is None else f"  held out {step.held_out_loss:.4f}"
            left = step.seconds / step.step * (recipe.training.steps - step.step)
            sys.stderr.write(
                f"step {step.step:6d} of {recipe.training.steps}  loss {step.loss:.4f}{held_out}"
                f"  {left / 60:.0f} min left\n"
            )
    print(folder / recipe.name)
