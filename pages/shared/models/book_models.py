"""The models that write the book: shipped, trained here, or counted on the spot."""

import time
from pathlib import Path

import streamlit as st

from lm_core.assets import absence, shown
from lm_core.errors import CheckpointError
from lm_core.experiments.war_and_peace.ngrams import FULL_CONTEXT, ngram_meta
from lm_core.models.language_model import LanguageModel
from lm_core.models.ngram import estimate
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.corpora import locate
from lm_core.text.pretrained_folder import VARIABLE
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import LIBRARY_SUBWORDS, SUBWORD_VOCABULARIES
from lm_core.training.checkpoints import SHIPPED, Checkpoint, CheckpointMeta, list_checkpoints
from lm_core.training.model_vocabulary import vocabulary_of
from lm_core.training.recipes import LIBRARY_TRANSFORMER
from pages.shared.models.language_models import model_named
from pages.shared.models.pretrained import PRETRAINED, pretrained_provenance
from pages.shared.trainings.trainings import (
    folder_of_checkpoint,
    is_trained_here,
    snapshots_here,
    trained_here,
)
from pages.shared.turns import page_turns

_VOCABULARIES = (SOURCE.name, FULL.name, *SUBWORD_VOCABULARIES)
BEST_WRITER = LIBRARY_TRANSFORMER.name
"""Has read 32 other books too, and writes what is most worth reading."""
_COUNTED = "counted-here"
"""The n-gram with all its counts: too large to ship, counted where the book is."""


@st.cache_resource(max_entries=1, show_spinner=False)
def _shipped() -> dict[str, CheckpointMeta]:
    """Return the provenance of every shipped checkpoint that writes the book, by name: never change it."""
    return {
        meta.name: meta
        for meta in list_checkpoints()
        if meta.vocabulary in _VOCABULARIES and meta.experiment is None
    }


def provenances() -> dict[str, CheckpointMeta]:
    """Return the provenance of every checkpoint that writes the book, by name: shipped or trained here."""
    return _shipped() | trained_here()


def finished_models(first: str = BEST_WRITER) -> dict[str, str]:
    """Return the titles of the models to pick from by name, the one named `first` before all others.

    Raises CheckpointError if there is none.
    """
    titles = {name: m.title for name, m in provenances().items() if m.snapshot_of is None}
    if locate(WAR_AND_PEACE.name):
        titles[_COUNTED] = f"n-gram, {FULL_CONTEXT} characters (counted now)"
    if pretrained := pretrained_provenance():
        titles[PRETRAINED] = pretrained.title
    if not titles:
        raise CheckpointError(absence() or f"no model of the book can be read in {shown(SHIPPED)}")
    return dict(sorted(titles.items(), key=lambda item: item[0] != first))


def snapshots_of(name: str) -> list[CheckpointMeta]:
    """Return the saved steps of a model's training, earliest first, the finished model last.

    Raises CheckpointError if its training was deleted, or it is a pretrained one that is gone.
    """
    if name == _COUNTED:
        return [_counted().meta]
    if name == PRETRAINED:
        pretrained = pretrained_provenance()
        if pretrained is None:
            raise CheckpointError(
                f"{VARIABLE} names no pretrained model any more: choose another one"
            )
        return [pretrained]
    if is_trained_here(name):
        model = trained_here().get(name)
        if model is None:
            raise CheckpointError(
                "this model is gone, because its training was deleted: choose another one"
            )
        return [*snapshots_here(model), model]
    snapshots = [meta for meta in _shipped().values() if name in (meta.name, meta.snapshot_of)]
    return sorted(snapshots, key=lambda meta: meta.steps)


def unit_of(name: str) -> str:
    """Return what a model writes at a time: ``character`` or ``token``."""
    return vocabulary_of(snapshots_of(name)[-1]).unit


def has_read(name: str) -> str:
    """Return what a shipped model has read: the book alone, or 32 others before it."""
    is_of_library = snapshots_of(name)[-1].vocabulary == LIBRARY_SUBWORDS
    return "33 books" if is_of_library else WAR_AND_PEACE.title


def folder_of(meta: CheckpointMeta) -> Path | None:
    """Return the folder of a model's checkpoint; None for a model that was counted here, or is pretrained."""
    return None if meta.name in (_COUNTED, PRETRAINED) else folder_of_checkpoint(meta.name)


def model_of(name: str, weights_sha256: str) -> LanguageModel:
    """Return a model, shared by all visitors: read it, never change it.

    `name`, `weights_sha256`: str, both from the provenance: a retrained model of the same name is
    another model.
    """
    return _counted().model if name == _COUNTED else model_named(name, weights_sha256).model


def _counted() -> Checkpoint:
    with page_turns.lent():
        return _count()


@st.cache_resource(max_entries=1, show_spinner="Counting the book")
def _count() -> Checkpoint:
    started = time.process_time()
    book = load_book(SOURCE)
    model = estimate(book.train, len(SOURCE), FULL_CONTEXT).eval()
    seconds = round(time.process_time() - started, 1)
    return Checkpoint(model, ngram_meta(model, book, name=_COUNTED, seconds=seconds))
