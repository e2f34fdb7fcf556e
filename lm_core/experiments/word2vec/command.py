"""Train word vectors, and evaluate how well they agree with people."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lm_core.errors import SettingError
from lm_core.experiments.commands import Report, experiment, option, recipes
from lm_core.experiments.recipes import recipe_named
from lm_core.experiments.word2vec.agreement_table import rows_of
from lm_core.experiments.word2vec.recipes import (
    BOOK_CBOW,
    DEFAULT_RECIPES,
    LIBRARY_SKIP_GRAM,
    RECIPES,
    WIKITEXT_CBOW,
    of_other_seed,
    train,
)
from lm_core.experiments.word2vec.synthetic import SyntheticVectors, train_synthetic
from lm_core.experiments.word2vec.telling_contexts import (
    MOST_CONTEXTS,
    MOST_WORDS,
    WINDOW,
    counts_near,
    save_contexts,
    telling_contexts,
)
from lm_core.experiments.word2vec.telling_contexts import SHIPPED as CONTEXTS
from lm_core.jobs.run_folder import home
from lm_core.text.word_corpora import texts_of, word_corpus_named
from lm_core.text.word_vocabulary import read_words
from lm_core.training.checkpoints import SHIPPED, list_checkpoints
from lm_core.training.loop import TrainStep

_LOG_EVERY = 500


def _path(shipped: Path) -> dict[str, Any]:
    """Return the settings of an option that may have a path; without one it is the shipped one."""
    return {"type": Path, "nargs": "?", "const": shipped}


def _save_contexts(path: Path) -> None:
    """Count which words are near which in the texts of the shipped vectors."""
    tables = {}
    for recipe in (LIBRARY_SKIP_GRAM, BOOK_CBOW):
        vocabulary, words = read_words(
            texts_of(word_corpus_named(recipe.corpus)), recipe.minimum_count
        )
        size = len(vocabulary)
        counts = counts_near(words, min(MOST_WORDS, size), min(MOST_CONTEXTS, size), WINDOW)
        tables[recipe.name] = size, telling_contexts(words, counts, WINDOW)
    save_contexts(tables, path)


@experiment(
    "train word vectors, or evaluate trained ones",
    None,
    recipes(RECIPES, f"; default: all but {WIKITEXT_CBOW.name}"),
    option("--seed", help="start of all randomness (default: the recipe's)", type=int),
    option("--out", help="folder for the checkpoints (default: LM_LAB_HOME/embeddings)", type=Path),
    option(
        "--evaluate",
        help="train nothing: evaluate the word vectors in a folder of checkpoints (default: the shipped ones)",
        metavar="FOLDER",
        **_path(SHIPPED),
    ),
    option(
        "--synthetic",
        help="train on the synthetic text alone, and write its vectors (default: the shipped file)",
        metavar="FILE",
        **_path(SyntheticVectors.shipped()),
    ),
    option(
        "--contexts",
        help="train nothing: write which words are found near which (default: the shipped file)",
        metavar="FILE",
        **_path(CONTEXTS),
    ),
)
def run(report: Report) -> None:
    """Train each recipe to its end, or evaluate trained vectors; print the table.

    Raises SettingError if there is nothing to evaluate.
    """
    arguments = report.options
    if arguments.synthetic:
        train_synthetic().save(arguments.synthetic)
        return
    if arguments.contexts:
        _save_contexts(arguments.contexts)
        return
    if arguments.evaluate:
        metas = list_checkpoints(arguments.evaluate)
        folders = [arguments.evaluate / meta.name for meta in metas if meta.snapshot_of is None]
    else:
        chosen = [recipe_named(RECIPES, name) for name in arguments.recipes] or DEFAULT_RECIPES
        if arguments.seed is not None:
            chosen = [of_other_seed(recipe, arguments.seed) for recipe in chosen]
        root = arguments.out or home() / "embeddings"
        folders = [train(recipe, root, _logger(recipe.name)) for recipe in chosen]
    rows = [row for folder in folders for row in rows_of(folder)]
    if not rows:
        raise SettingError(f"there are no word vectors in {arguments.evaluate}: train some first")
    print("| vectors | words | width | WordSim-353 | unknown | SimLex-999 | unknown | words/s |")
    print("|---|---|---|---|---|---|---|---|", *rows, sep="\n")


def _logger(name: str) -> Callable[[TrainStep, float], None]:
    def log(step: TrainStep, share: float) -> None:
        if step.step % _LOG_EVERY == 0:
            sys.stderr.write(f"{name}  {share:.1%}  loss {step.loss:.3f}  {step.seconds:.0f} s\n")

    return log
