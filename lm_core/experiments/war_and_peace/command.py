"""Score models on the last tenth of the book.

A: 64-character windows; B: running memory; B': as B, without the licence.

The book is one text to models of the vocabulary `SOURCE` and its subwords, and another to those of
`FULL`, which has quotes and paragraphs, and no licence: only models of one text are compared.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from lm_core.errors import SettingError
from lm_core.experiments.commands import Report, experiment, flag, option
from lm_core.experiments.war_and_peace.ngrams import train_ngrams
from lm_core.experiments.war_and_peace.results import (
    COUNTED,
    MIXTURE,
    NOVEL_ONLY,
    TRAINED,
    BookLosses,
    Difference,
    Loss,
    ModelRow,
)
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.language_model import LanguageModel
from lm_core.results import provenance
from lm_core.text.character_vocabulary import SOURCE, CharacterVocabulary
from lm_core.text.training_text import Book, load_book
from lm_core.text.vocabularies import characters_of
from lm_core.training.checkpoints import (
    SHIPPED,
    CheckpointMeta,
    folder_of,
    list_checkpoints,
    list_language_models,
    load_checkpoint,
    read_meta,
    record_losses,
    save_checkpoint,
)
from lm_core.training.evaluation import (
    BLOCK,
    Score,
    carried_losses,
    cold_window_losses,
    mixed_losses,
    per_character,
    score,
)
from lm_core.training.language_modelling import mean_loss
from lm_core.training.model_vocabulary import vocabulary_of

LARGEST_RISE = 0.001
"""Nats a token that a finished model may lose by being stored in 8-bit rows; else it is not."""
_LOOK = 65_536
"""Tokens of the validation text on which that is measured."""
FULL_NGRAM = "ngram-9"
"""Names the n-gram with all its counts: too large to ship, counted on the spot."""


@experiment(
    "score models on the validation text",
    None,
    option(
        "models",
        help=f"shipped names, checkpoint folders or {FULL_NGRAM} (default: all shipped ones and it)",
        nargs="*",
    ),
    flag("--snapshots", "earlier training steps too"),
    option(
        "--ship",
        [],
        help="put what these runs have trained among the shipped models first, in 8-bit rows if that costs next to nothing",
        nargs="+",
        type=Path,
        metavar="RUN",
    ),
    option(
        "--mix",
        [],
        help="also score WEIGHT * FIRST + (1 - WEIGHT) * SECOND, under B and B'",
        nargs=3,
        action="append",
        metavar=("FIRST", "SECOND", "WEIGHT"),
    ),
    option("--stride", 8, help="between cold windows"),
    flag("--record", "write the losses into the checkpoints' provenances too"),
    option(
        "--save",
        BookLosses.shipped(),
        help="file of results to write; models not named keep their rows (default: the shipped one)",
    ),
)
def run(report: Report) -> None:
    """Print one row a model as soon as it is known."""
    arguments = report.options
    _check_mixtures(arguments.mix)
    for run_folder in arguments.ship:
        for shipped, rise in ship(RunFolder(run_folder), SHIPPED):
            print(
                f"{shipped.name}: {rise:+.4f} nats a token in 8-bit rows, shipped as {shipped.storage}",
                flush=True,
            )
    began = time.perf_counter()
    book = load_book(SOURCE)
    rows: list[ModelRow] = []
    units: dict[str, tuple[str, str]] = {}
    carried: dict[str, dict[str, np.ndarray]] = defaultdict(dict)
    print(
        f"{len(book.validation):,} characters of validation text,"
        f" sha256 of the book {book.sha256[:12]}"
    )
    print(
        f"{'model':<22}{'A':>9}{'B':>9}{'± block':>9}{'B bits':>8}{NOVEL_ONLY:>9}"
        f"{'parameters':>13}{'seen':>9}{'seconds':>9}{'B - first':>10}{'± block':>9}"
    )
    mixed_names = [name for first, second, _ in arguments.mix for name in (first, second)]
    chosen = arguments.models or _default_models(arguments.snapshots)
    for name in dict.fromkeys([*chosen, *mixed_names]):
        model, row, read = _load(name, book)
        units[name] = row.text, read.vocabulary.unit
        comparable = carried[row.text]
        scores, comparable[name] = _score(model, read, name, arguments.stride)
        difference = _difference(comparable[name], comparable)
        rows.append(replace(row, losses=_as_losses(scores), difference=difference))
        _print_row(rows[-1])
        if arguments.record and name != FULL_NGRAM:
            record_losses(folder_of(name), {p: round(s.nats, 4) for p, s in scores.items()})
    for first, second, weight in arguments.mix:
        _require_same_unit(first, second, units)
        comparable = carried[SOURCE.name]
        losses = mixed_losses(comparable[first], comparable[second], float(weight))
        name = f"{weight} {first} + {second}"
        scores = _carried_scores(losses, len(book.ids) - book.licence_start)
        difference = _difference(losses, comparable)
        row = ModelRow(name, MIXTURE, SOURCE.name, _as_losses(scores), difference=difference)
        rows.append(row)
        _print_row(rows[-1])
    if arguments.save:
        made = provenance(
            device="cpu",
            seconds=time.perf_counter() - began,
            corpus=book.corpus,
            corpus_sha256=book.sha256,
            stride=arguments.stride,
        )
        measured = _beside_others(rows, arguments.save) if arguments.models else rows
        BookLosses(made, tuple(measured)).save(arguments.save)


def _beside_others(rows: list[ModelRow], path: Path) -> list[ModelRow]:
    """Return the rows of a file, if there is one, those of the same names replaced, new ones last."""
    kept = {row.name: row for row in BookLosses.load(path).rows} if path.exists() else {}
    return list((kept | {row.name: row for row in rows}).values())


def ship(run: RunFolder, root: Path) -> Iterator[tuple[CheckpointMeta, float]]:
    """Write a run's model and its snapshots below `root`, in 8-bit rows.

    A model whose loss rises by more than `LARGEST_RISE` in them is stored as the run stored it. That is
    judged by the end of the training part, which the recipes hold out for their choices: the last
    tenth decides nothing. Raises CheckpointError if one cannot be read or written.

    Yields
    ------
    tuple of (CheckpointMeta, float)
        What was written, and by how many nats a token 8-bit rows raise its loss.
    """
    for found in list_checkpoints(run.checkpoints):
        model, meta = load_checkpoint(run.checkpoints / found.name)
        judged_by = torch.from_numpy(load_book(vocabulary_of(meta)).train[-_LOOK:])
        before = mean_loss(model, judged_by)
        folder = save_checkpoint(root, model, replace(meta, storage="int8_rows"))
        rise = mean_loss(load_checkpoint(folder).model, judged_by) - before
        if rise > LARGEST_RISE and meta.snapshot_of is None:
            save_checkpoint(root, model, meta)
        yield read_meta(folder), rise


def _check_mixtures(mixtures: list[list[str]]) -> None:
    for _, _, weight in mixtures:
        try:
            inside = 0.0 < float(weight) < 1.0
        except ValueError:
            inside = False
        if not inside:
            raise SettingError(f"the weight of a mixture must lie in (0, 1), got {weight!r}")


def _require_same_unit(first: str, second: str, units: dict[str, tuple[str, str]]) -> None:
    """Refuse a mixture with a model of longer tokens: its loss of one character is not known."""
    if {units[first], units[second]} != {(SOURCE.name, "character")}:
        raise SettingError(
            f"{first} and {second} do not both predict characters of the vocabulary"
            f" {SOURCE.name!r}, so their probabilities cannot be mixed: name two models of them"
        )


def _score(
    model: LanguageModel, book: Book, name: str, stride: int
) -> tuple[dict[str, Score], np.ndarray]:
    """Return a model's scores by protocol, and its carried losses character by character."""
    validation = torch.from_numpy(book.validation)
    losses = carried_losses(model, validation, on_progress=_progress(name, "B"))
    losses = per_character(losses, book.vocabulary.lengths[book.validation[1:]])
    n_licence = int(book.vocabulary.lengths[book.ids[book.licence_start :]].sum())
    scores = _carried_scores(losses, n_licence)
    if book.vocabulary.unit != "character":
        return scores, losses  # a window of 64 characters would begin and end within a token
    cold = cold_window_losses(model, validation, stride=stride, on_progress=_progress(name, "A"))
    # The windows that begin within one block count as one observation, as in B.
    return {"A": score(cold.mean(1), block=max(1, BLOCK // stride)), **scores}, losses


def _carried_scores(losses: np.ndarray, n_licence: int) -> dict[str, Score]:
    """Return B and B' of carried losses, whose last `n_licence` are those of the licence."""
    return {"B": score(losses), NOVEL_ONLY: score(losses[: len(losses) - n_licence])}


def _difference(losses: np.ndarray, carried: dict[str, np.ndarray]) -> Difference | None:
    """Return how much worse than the first model these losses are; None of the first itself.

    The two differ far less from block to block than either does alone, so this is the surer figure.
    """
    reference = next(iter(carried))
    if losses is carried[reference]:
        return None
    n = min(
        len(losses), len(carried[reference])
    )  # a first token of several characters is not scored
    paired = score(losses[-n:] - carried[reference][-n:])
    return Difference(reference, paired.nats, paired.standard_error)


def _default_models(with_snapshots: bool) -> list[str]:
    shipped = [m.name for m in list_language_models() if with_snapshots or m.snapshot_of is None]
    return [*shipped, FULL_NGRAM]


def _load(name: str, book: Book) -> tuple[LanguageModel, ModelRow, Book]:
    """Return a model by shipped name, folder, or counted on the spot; its row without losses; its text."""
    if name == FULL_NGRAM:
        title = "n-gram, 9 characters, all counts"
        row = ModelRow(name, COUNTED, SOURCE.name, {}, title=title, characters_seen=len(book.train))
        return train_ngrams(book.train, len(SOURCE)).full.eval(), row, book
    model, meta = load_checkpoint(folder_of(name))
    vocabulary = vocabulary_of(meta)
    row = ModelRow(
        name,
        TRAINED if meta.steps else COUNTED,
        _text_of(meta.name, vocabulary),
        {},
        meta.title,
        meta.parameter_count,
        meta.characters_seen,
        meta.seconds,
    )
    return model, row, book if vocabulary == book.vocabulary else load_book(vocabulary)


def _text_of(name: str, vocabulary: CharacterVocabulary) -> str:
    """Return which text the book is to a model: the name of the characters that it reads."""
    characters = characters_of(vocabulary)
    if characters is None:
        raise SettingError(
            f"{name} reads the vocabulary {vocabulary.name!r}, in which the book is another text:"
            " only models of the book's own vocabularies can be scored"
        )
    return characters.name


def _as_losses(scores: dict[str, Score]) -> dict[str, Loss]:
    return {protocol: Loss(s.nats, s.standard_error) for protocol, s in scores.items()}


def _print_row(row: ModelRow) -> None:
    cold = f"{row.losses['A'].nats:9.4f}" if "A" in row.losses else f"{'':>9}"
    carried, seen, difference = row.losses["B"], row.characters_seen, row.difference
    paired = f"{difference.nats:+10.4f}{difference.standard_error:9.4f}" if difference else ""
    print(
        f"{row.name:<22}{cold}{carried.nats:9.4f}{carried.standard_error:9.4f}{carried.bits:8.4f}"
        f"{row.losses[NOVEL_ONLY].nats:9.4f}{row.parameters or '':>13}"
        f"{f'{seen / 1e6:.1f} M' if seen else '':>9}{row.seconds or '':>9}{paired}",
        flush=True,
    )


def _progress(name: str, protocol: str) -> Callable[[float], None]:
    """Return a reporter that keeps one line of a terminal up to date, and is silent elsewhere."""

    def report(share: float) -> None:
        if sys.stderr.isatty():
            end = "\r" if share < 1.0 else "\r" + " " * 60 + "\r"
            sys.stderr.write(f"{name}: {protocol} {share:4.0%}{end}")

    return report
