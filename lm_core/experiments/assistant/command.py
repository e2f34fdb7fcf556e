"""Tune the book's writer on answered prompts, and measure how models answer by number of examples."""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
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
from lm_core.experiments.assistant.tuning import (
    BATCH,
    LENGTH,
    PEAK,
    STEPS,
    TUNED,
    WORDS,
    WRITER,
    frequent_words,
    lessons,
    tune,
)
from lm_core.files import write_whole
from lm_core.models.language_model import LanguageModel
from lm_core.models.registry import config_to_dict
from lm_core.results import provenance
from lm_core.rng import generator
from lm_core.text.training_text import Book, load_book
from lm_core.training.checkpoints import SHIPPED as CHECKPOINTS
from lm_core.training.checkpoints import Checkpoint, load_checkpoint, load_shipped, save_checkpoint
from lm_core.training.evaluation import carried_losses, per_character
from lm_core.training.model_vocabulary import vocabulary_of

HELP = "ask models with none, one or many examples, and tune the book's writer to answer"
CHARACTERS_MODEL = "full-lstm"
"""A second writer that is only asked."""
_SCORED = 20_000
"""Tokens of the unseen part of the book that are read before and after the tuning."""
_ASKED = {
    WRITER: [(SHORT, RIGHT), (SHORT, SHUFFLED), (NAMED, RIGHT)],
    TUNED: [(SHORT, RIGHT), (SHORT, SHUFFLED), (SHORT, LEARNED), (NAMED, RIGHT)],
    CHARACTERS_MODEL: [(SHORT, RIGHT)],
}
"""In which forms and under which conditions each model is asked."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--tune", action="store_true", help="tune the writer first (default: the shipped one)"
    )
    parser.add_argument("--steps", type=int, default=STEPS, help="of the tuning")
    parser.add_argument("--trials", type=int, default=TRIALS, help="questions of each kind")
    parser.add_argument(
        "--runs",
        type=Path,
        help="folder of measurements that are kept, so that a second run goes on",
    )
    parser.add_argument(
        "--only",
        choices=sorted(_ASKED),
        help="measure one model into the folder, and write no results",
    )
    parser.add_argument(
        "--checkpoints", type=Path, default=CHECKPOINTS, help="folder of the tuned model"
    )
    AssistantResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Tune if asked to, then print a row for each model, task, style and condition, and write them all."""
    torch.set_num_threads(1)
    began = time.perf_counter()
    book = load_book(vocabulary_of(load_shipped(WRITER).meta))
    if arguments.tune:
        _tune(book, arguments.steps, arguments.checkpoints)
    if arguments.only:
        _kept_cells(arguments.only, _load(arguments.only, arguments), arguments)
        return
    models = {name: _load(name, arguments) for name in _ASKED}
    losses = {name: _loss(models[name].model, book) for name in (WRITER, TUNED)}
    print(f"nats per character of the book: {losses}", flush=True)
    cells = [c for name, model in models.items() for c in _kept_cells(name, model, arguments)]
    made = provenance(
        device="cpu",
        seconds=time.perf_counter() - began,
        corpus=book.corpus,
        corpus_sha256=book.sha256,
        seed=SEED,
        trials=arguments.trials,
        tuning=models[TUNED].meta.recipe,
        weights={name: model.meta.weights_sha256 for name, model in models.items()},
    )
    AssistantResults(made, tuple(cells), losses).save(arguments.out)


def _load(name: str, arguments: argparse.Namespace) -> Checkpoint:
    if name == TUNED:
        return load_checkpoint(arguments.checkpoints / TUNED)
    return load_shipped(name)


def _kept_cells(name: str, checkpoint: Checkpoint, arguments: argparse.Namespace) -> list[Cell]:
    """Return a model's measurements, from the folder of kept ones if they are there."""
    if arguments.runs is None:
        return list(_cells(name, checkpoint, arguments.trials))
    key = f"{name}-{checkpoint.meta.weights_sha256[:12]}-{arguments.trials}.json"
    path: Path = arguments.runs / key
    if not path.exists():
        cells = list(_cells(name, checkpoint, arguments.trials))
        write_whole(path, json.dumps(cells).encode())
    return [Cell(*row) for row in json.loads(path.read_text(encoding="utf-8"))]


def _cells(name: str, checkpoint: Checkpoint, trials: int) -> Iterator[Cell]:
    vocabulary = vocabulary_of(checkpoint.meta)
    for task in TASKS:
        for style, condition in _ASKED[name]:
            row = list(
                measure(name, checkpoint.model, vocabulary, task, style, condition, trials=trials)
            )
            shares = "".join(f"{cell.accuracy:6.0%}" for cell in row)
            written = "".join(f"{cell.written:6.0%}" for cell in row)
            print(f"{name:<26}{task:<10}{style:<6}{condition:<9}{shares}  {written}", flush=True)
            yield from row


def _tune(book: Book, steps: int, folder: Path) -> None:
    """Tune the writer, and write its checkpoint."""
    model, meta = load_shipped(WRITER)
    vocabulary = book.vocabulary
    pairs = lessons(frequent_words(vocabulary.decode(book.train)))
    seconds = 0.0
    model.train()
    for step in tune(model, pairs, vocabulary, generator(SEED), steps=steps):
        seconds = step.seconds
        if step.step % 50 == 0 or step.step == 1:
            print(f"{step.step:6d}{step.loss:8.3f}{seconds:8.0f} s", flush=True)
    recipe = {
        "steps": steps,
        "batch": BATCH,
        "length": LENGTH,
        "learning_rate": PEAK,
        "words": WORDS,
        "optimizer": "muon",
        "from": WRITER,
    }
    tuned = replace(
        meta,
        name=TUNED,
        title="Transformer 4 x 256, tuned to answer",
        seed=SEED,
        steps=steps,
        characters_seen=0,
        seconds=round(seconds, 1),
        device="cpu",
        losses={},
        recipe=recipe,
        config=config_to_dict(model.config),
        experiment=AssistantResults.NAME,
        storage="int8_rows",
        date=provenance(device="cpu", seconds=seconds)["date"],
        libraries={"torch": torch.__version__},
    )
    save_checkpoint(folder, model.eval(), tuned)


def _loss(model: LanguageModel, book: Book) -> float:
    """Return the mean loss of a stretch of the book that no model has learned from."""
    tokens = torch.from_numpy(book.validation[:_SCORED])
    lengths = book.vocabulary.lengths[book.validation[1:_SCORED]]
    return float(per_character(carried_losses(model, tokens), lengths).mean())
