"""The models that the War and Peace page can pick, loaded once for all visitors."""

import time
from pathlib import Path

import streamlit as st

from lm_core.experiments.war_and_peace.ngrams import FULL_CONTEXT, ngram_meta
from lm_core.models.language_model import LanguageModel
from lm_core.models.ngram import estimate
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.corpora import locate
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import SOURCE_SUBWORDS
from lm_core.training.checkpoints import (
    Checkpoint,
    CheckpointMeta,
    list_checkpoints,
    load_checkpoint,
)
from pages.shared.ui.trainings import folder_of_checkpoint, trained_here

_FAVOURITE = "book-lstm"
_ALPHABETS = (SOURCE.name, SOURCE_SUBWORDS)
_COUNTED = "counted-here"
"""The n-gram with all its counts: too large to ship, counted where the book is."""


@st.cache_data(max_entries=1, show_spinner=False)
def _shipped() -> dict[str, CheckpointMeta]:
    """Return the provenance of every shipped checkpoint that writes the book, by name."""
    return {
        meta.name: meta
        for meta in list_checkpoints()
        if meta.vocabulary in _ALPHABETS and meta.experiment is None
    }


def provenances() -> dict[str, CheckpointMeta]:
    """Return the provenance of every checkpoint that writes the book, by name: shipped or trained here."""
    return _shipped() | trained_here()


def finished_models() -> dict[str, str]:
    """Return the titles of the models to pick from by name, the favourite first."""
    titles = {name: m.title for name, m in provenances().items() if m.snapshot_of is None}
    if locate(WAR_AND_PEACE.name):
        titles[_COUNTED] = f"n-gram, {FULL_CONTEXT} characters (counted now)"
    return dict(sorted(titles.items(), key=lambda item: item[0] != _FAVOURITE))


def moments_of(name: str) -> list[CheckpointMeta]:
    """Return the kept moments of a model's training, earliest first, the finished model last."""
    if name == _COUNTED:
        return [_count().meta]
    moments = [meta for meta in provenances().values() if name in (meta.name, meta.snapshot_of)]
    return sorted(moments, key=lambda meta: meta.steps)


def folder_of(meta: CheckpointMeta) -> Path | None:
    """Return the folder of a model's checkpoint; None for a model that was counted here."""
    return None if meta.name == _COUNTED else folder_of_checkpoint(meta.name)


def model_of(name: str, weights_sha256: str) -> LanguageModel:
    """Return a model, shared by all visitors: read it, never change it.

    Parameters
    ----------
    name, weights_sha256 : str
        Both from the provenance: a retrained model of the same name is another model.
    """
    return _count().model if name == _COUNTED else _load(name, weights_sha256)


@st.cache_resource(max_entries=12, show_spinner="Opening the model")
def _load(name: str, weights_sha256: str) -> LanguageModel:
    del weights_sha256  # part of the key
    return load_checkpoint(folder_of_checkpoint(name)).model


@st.cache_resource(max_entries=1, show_spinner="Counting the book")
def _count() -> Checkpoint:
    started = time.process_time()
    book = load_book(SOURCE)
    model = estimate(book.train, len(SOURCE), FULL_CONTEXT).eval()
    seconds = round(time.process_time() - started, 1)
    return Checkpoint(model, ngram_meta(model, book, name=_COUNTED, seconds=seconds))
