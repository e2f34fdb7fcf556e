"""Make a model of the book from its recipe, in the foreground; call it again to resume."""

import argparse
import contextlib
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch

from lm_core.errors import SettingError
from lm_core.experiments.commands import carried_out
from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.experiments.war_and_peace.ngrams import save_shipped_ngram
from lm_core.files import write_whole
from lm_core.generation.ngram_membership import NgramFilter, save_filter
from lm_core.jobs.records import Marker, RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder, home
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.library import FILES, load_library
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import LIBRARY_SUBWORDS, SUBWORD_VOCABULARIES, SubwordVocabulary
from lm_core.text.word_corpora import sha256_of_parts
from lm_core.training.devices import DEVICES, choose_device
from lm_core.training.recipes import RECIPES, Recipe

HELP = "train a model of the book"
NGRAM_FILTERS = {"ngram-filter": SOURCE, "ngram-filter-full": FULL}
LOG_EVERY = 50


def _save_ngram(folder: Path) -> Path:
    return save_shipped_ngram(load_book(SOURCE), folder)


def _save_filter(folder: Path, name: str) -> Path:
    """Hash the whole book into the filter that recognises copied passages, in the filter's characters."""
    characters = NGRAM_FILTERS[name]
    book = load_book(characters)
    passages = NgramFilter.build(book.ids, vocabulary=characters.name, corpus_sha256=book.sha256)
    save_filter(folder / name, passages)
    return folder / name


def _save_subwords(folder: Path, name: str) -> Path:
    """Learn the subwords of a vocabulary on the training part of its corpus."""
    characters, size = SUBWORD_VOCABULARIES[name]
    load = load_library if name == LIBRARY_SUBWORDS else load_book
    text = characters.decode(load(characters).train)
    subwords = SubwordVocabulary.learn(name, characters, text, size)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path := folder / f"{name}.json", to_tokenizer_json(subwords.tokenizer))
    return path


_COUNTED: dict[str, Callable[[Path], Path]] = {
    "book-ngram": _save_ngram,
    **{name: partial(_save_filter, name=name) for name in NGRAM_FILTERS},
    **{name: partial(_save_subwords, name=name) for name in SUBWORD_VOCABULARIES},
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
        "--teachers",
        type=Path,
        nargs="+",
        default=[],
        metavar="FOLDER",
        help="folders of the checkpoints that the recipe learns from, if they are not shipped",
    )
    parser.add_argument(
        "--out", type=Path, help="folder of the run (default: its own in LM_LAB_HOME/runs)"
    )
    parser.add_argument(
        "--devices",
        type=int,
        default=1,
        metavar="N",
        help="processors or graphics cards that share each batch; default: 1",
    )
    parser.add_argument("--device", choices=DEVICES, help="default: LM_LAB_DEVICE, or auto")


def run(arguments: argparse.Namespace) -> None:
    """Train to the end and say where the result lies."""
    name = arguments.recipe
    torch.set_num_threads(1)  # one thread a process was measured fastest on shared cores
    if name in _COUNTED:
        folder = arguments.out or home() / "counted"
        print(_COUNTED[name](folder))
    elif name in RECIPES:
        chosen = {n: v for n in ("steps", "seed") if (v := getattr(arguments, n)) is not None}
        recipe = RECIPES[name]
        recipe = replace(recipe, training=replace(recipe.training, **chosen))
        print(_train(recipe, arguments))
    else:
        raise SettingError(f"recipe must be one of {sorted(RECIPES | _COUNTED)}, got {name!r}")


def _train(recipe: Recipe, arguments: argparse.Namespace) -> Path:
    config = run_config(
        recipe,
        corpus=recipe.corpus,
        corpus_sha256=sha256_of_parts(FILES[recipe.corpus]),
        vocabulary=recipe.vocabulary,
        start=arguments.start,
        teachers=arguments.teachers,
        devices=arguments.devices,
    )
    run = RunFolder(arguments.out) if arguments.out else RunFolder.keyed(config.fingerprint())
    steps = train_here(run, config, device=choose_device(arguments.device))
    with _pausing(run):
        carried_out(steps, recipe.name, recipe.training.steps, LOG_EVERY)
    if run.status().state is not RunState.FINISHED:
        sys.stderr.write(f"{run.status().state}; the same command continues from here\n")
    return run.checkpoint


@contextlib.contextmanager
def _pausing(run: RunFolder) -> Iterator[None]:
    """Let Ctrl-C pause the run after its present step."""
    before = signal.signal(signal.SIGINT, lambda *_: run.mark(Marker.PAUSE))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
