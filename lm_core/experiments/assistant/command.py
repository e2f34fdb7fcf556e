"""Tune the book's writer on answered prompts, and measure how models answer by number of examples."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import torch

from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.study import (
    LEARNED,
    RIGHT,
    SEED,
    SHUFFLED,
    TRIALS,
    Cell,
    measure,
)
from lm_core.experiments.assistant.tasks import NAMED, SHORT, TASKS
from lm_core.experiments.assistant.tuned_writer import tune_writer
from lm_core.experiments.assistant.tuning import STEPS, TUNED, WRITER
from lm_core.experiments.commands import Report, experiment, flag, made_once, option
from lm_core.models.language_model import LanguageModel
from lm_core.text.training_text import Book, load_book
from lm_core.training.checkpoints import SHIPPED as CHECKPOINTS
from lm_core.training.checkpoints import Checkpoint, load_checkpoint, load_shipped
from lm_core.training.evaluation import carried_losses, per_character
from lm_core.training.model_vocabulary import vocabulary_of
from lm_core.training.recipes import LIBRARY_TRANSFORMER

CHARACTERS_MODEL = "full-lstm"
"""A writer that is only asked, as is the one that read 33 books."""
_SCORED = 20_000
"""Tokens of the unseen part of the book that are read before and after the tuning."""
_ASKED = {
    WRITER: [(SHORT, RIGHT), (SHORT, SHUFFLED), (NAMED, RIGHT)],
    TUNED: [(SHORT, RIGHT), (SHORT, SHUFFLED), (SHORT, LEARNED), (NAMED, RIGHT)],
    CHARACTERS_MODEL: [(SHORT, RIGHT)],
    LIBRARY_TRANSFORMER.name: [(SHORT, RIGHT)],
}
"""In which forms and under which conditions each model is asked."""


@experiment(
    "ask models with none, one or many examples, and tune the book's writer to answer",
    AssistantResults,
    flag("--tune", "tune the writer first (default: the shipped one)"),
    option("--steps", STEPS, help="of the tuning"),
    option("--trials", TRIALS, help="questions of each kind"),
    option("--runs", help="folder of measurements, so that a second run goes on", type=Path),
    option("--only", help="one model, into the folder; write no results", choices=sorted(_ASKED)),
    option("--checkpoints", CHECKPOINTS, help="folder of the tuned model"),
)
def run(report: Report) -> AssistantResults | None:
    """Tune if asked to, then print a row for each model, task, style and condition, and write them all."""
    arguments = report.options
    book = load_book(vocabulary_of(load_shipped(WRITER).meta))
    if arguments.tune:
        tune_writer(book, arguments.steps, arguments.checkpoints)
    if arguments.only:
        _kept_cells(report, arguments.only, _load(arguments.only, arguments))
        return None
    models = {name: _load(name, arguments) for name in _ASKED}
    losses = {name: _loss(models[name].model, book) for name in (WRITER, TUNED)}
    report(f"nats per character of the book: {losses}")
    cells = [c for name, model in models.items() for c in _kept_cells(report, name, model)]
    made = report.provenance(
        book,
        seed=SEED,
        trials=arguments.trials,
        tuning=models[TUNED].meta.recipe,
        weights={name: model.meta.weights_sha256 for name, model in models.items()},
    )
    return AssistantResults(made, tuple(cells), losses)


def _load(name: str, arguments: argparse.Namespace) -> Checkpoint:
    if name == TUNED:
        return load_checkpoint(arguments.checkpoints / TUNED)
    return load_shipped(name)


def _kept_cells(report: Report, name: str, checkpoint: Checkpoint) -> list[Cell]:
    """Return a model's measurements, from the folder of kept ones if they are there."""
    runs, trials = report.options.runs, report.options.trials
    if runs is None:
        return list(_cells(report, name, checkpoint))
    key = f"{name}-{checkpoint.meta.weights_sha256[:12]}-{trials}.json"
    rows = made_once(runs / key, lambda: list(_cells(report, name, checkpoint)))
    return [Cell(*row) for row in rows]


def _cells(report: Report, name: str, checkpoint: Checkpoint) -> Iterator[Cell]:
    vocabulary, trials = vocabulary_of(checkpoint.meta), report.options.trials
    for task in TASKS:
        for style, condition in _ASKED[name]:
            yield from report.each(
                measure(name, checkpoint.model, vocabulary, task, style, condition, trials=trials)
            )


def _loss(model: LanguageModel, book: Book) -> float:
    """Return the mean loss of a stretch of the book that no model has learned from."""
    tokens = torch.from_numpy(book.validation[:_SCORED])
    lengths = book.vocabulary.lengths[book.validation[1:_SCORED]]
    return float(per_character(carried_losses(model, tokens), lengths).mean())
