"""Make a model of the book from its recipe, in the foreground; call it again to resume."""

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

from lm_core.errors import SettingError
from lm_core.ngrams.recipe import save_shipped_ngram
from lm_core.text.alphabets import SOURCE
from lm_core.text.book import Book, load_book
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.passage_filter import PassageFilter, save_filter
from lm_core.training.checkpoints import load_checkpoint
from lm_core.training.recipes import RECIPES, Recipe
from lm_core.training.run import LOG_EVERY, run_recipe

HELP = "train a model of the book"
PASSAGES = "copied-passages"


def _save_passages(book: Book, folder: Path) -> Path:
    """Hash the whole book into the filter that recognises copied passages."""
    passages = PassageFilter.build(book.ids, alphabet=SOURCE.name, corpus_sha256=book.sha256)
    save_filter(folder / PASSAGES, passages)
    return folder / PASSAGES


_COUNTED: dict[str, Callable[[Book, Path], Path]] = {
    "book-ngram": save_shipped_ngram,
    PASSAGES: _save_passages,
}
"""What is counted in seconds, not trained in steps: made from the book, saved in a folder."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("recipe", help=f"one of {', '.join(sorted(RECIPES | _COUNTED))}")
    parser.add_argument("--steps", type=int, help="optimizer steps (default: the recipe's)")
    parser.add_argument("--seed", type=int, help="start of all randomness (default: the recipe's)")
    parser.add_argument(
        "--start", type=Path, help="folder of the checkpoint that the recipe starts from, if any"
    )
    parser.add_argument(
        "--out", type=Path, help="folder of the run (default: LM_LAB_HOME/runs/RECIPE)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Train to the end and say where the result lies."""
    name = arguments.recipe
    home = Path(os.environ.get("LM_LAB_HOME", Path.home() / ".cache" / "lm-lab"))
    folder = arguments.out or home / "runs" / name
    torch.set_num_threads(1)  # one thread a process was measured fastest on shared cores
    if name in _COUNTED:
        print(_COUNTED[name](load_book(SOURCE), folder))
    elif name in RECIPES:
        chosen = {n: v for n in ("steps", "seed") if (v := getattr(arguments, n)) is not None}
        recipe = RECIPES[name]
        recipe = replace(recipe, training=replace(recipe.training, **chosen))
        print(_train(recipe, folder, arguments.start))
    else:
        raise SettingError(f"recipe must be one of {sorted(RECIPES | _COUNTED)}, got {name!r}")


def _train(recipe: Recipe, folder: Path, start: Path | None) -> Path:
    book = load_book(SOURCE)
    steps = run_recipe(
        recipe,
        torch.from_numpy(book.train),
        folder,
        validation=torch.from_numpy(book.validation),
        corpus=WAR_AND_PEACE.name,
        corpus_sha256=book.sha256,
        start=load_checkpoint(start) if start else None,
    )
    for step in steps:
        if step.step % LOG_EVERY == 0 or step.step == recipe.training.steps:
            held_out = "" if step.held_out_loss is None else f"  held out {step.held_out_loss:.4f}"
            left = step.seconds / step.step * (recipe.training.steps - step.step)
            sys.stderr.write(
                f"step {step.step:6d} of {recipe.training.steps}  loss {step.loss:.4f}{held_out}"
                f"  {left / 60:.0f} min left\n"
            )
    return folder / recipe.name
