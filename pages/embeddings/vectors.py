"""The word vectors that come with the lab, and which of them, and which word, is shown."""

from pathlib import Path
from typing import NamedTuple

import streamlit as st
from torch import Tensor

from lm_core.analysis.word_space import WordSpace
from lm_core.errors import CheckpointError
from lm_core.experiments.word2vec.recipes import SNAPSHOT_SHARES, SNAPSHOT_WORDS, snapshot_name
from lm_core.models.embeddings import WordVectors
from lm_core.models.vector_files import VectorFile
from lm_core.text.word_vocabulary import WORDS
from lm_core.training import checkpoints
from lm_core.training.checkpoints import CheckpointMeta, list_checkpoints, load_shipped
from pages.embeddings.own_vectors import OWN, own_meta, own_vectors
from pages.shared.models.language_models import model_named

INPUT, OUTPUT = "input", "output"
TABLES = (INPUT, OUTPUT)
_DEFAULT = "library-skip-gram"

MOST_TYPED = 10_000
"""Characters that a field accepts; a list of words that is too long is answered with a message."""


class Snapshot(NamedTuple):
    """The most frequent words' vectors as of a share of the training."""

    share: float
    space: WordSpace


@st.cache_resource(max_entries=1, show_spinner=False)
def models() -> dict[str, CheckpointMeta]:
    """Return the provenances of the finished word vectors by name, the default first.

    Raises CheckpointError if there are none.
    """
    folder = checkpoints.SHIPPED
    found = [m for m in list_checkpoints(folder) if m.vocabulary == WORDS and not m.snapshot_of]
    if not found:
        raise CheckpointError(
            f"no word vectors in {folder}: make them with: python -m lm_core experiment word2vec --out {folder}"
        )
    found.sort(key=lambda meta: (meta.name != _DEFAULT, meta.name))
    return {meta.name: meta for meta in found}


def folder_of(name: str) -> Path:
    """Return the folder of a model's checkpoint."""
    return checkpoints.SHIPPED / name


def is_skip_gram(meta: CheckpointMeta) -> bool:
    """Return whether the vectors come from skip-gram; the others come from CBOW."""
    return meta.recipe.get("method") == "skip-gram"


def space_of(meta: CheckpointMeta, table: str, *, subtract_mean: bool = False) -> WordSpace:
    """Return one of a model's two embeddings; it is shared by all visitors and never changed."""
    return _space(meta.name, meta.weights_sha256, table, subtract_mean)


def _space(name: str, weights_sha256: str, table: str, subtract_mean: bool) -> WordSpace:
    vectors = _vectors(name, weights_sha256)
    seen = _seen_from(name, weights_sha256, table, subtract_mean)
    return WordSpace(vectors.vocabulary, getattr(vectors, table).detach(), *seen)


def available() -> dict[str, CheckpointMeta]:
    """Return the provenances of all vectors that this visitor can choose, the default first."""
    own = own_meta()
    return models() | ({own.name: own} if own else {})


def is_own(meta: CheckpointMeta) -> bool:
    """Return whether the vectors are from a visitor's file: they have one embedding, and no training here."""
    return meta.name == OWN


def tables_of(meta: CheckpointMeta) -> tuple[str, ...]:
    """Return which embeddings a model has."""
    return TABLES[:1] if is_own(meta) else TABLES


def _vectors(name: str, weights_sha256: str) -> WordVectors | VectorFile:
    own = own_vectors() if name == OWN else None
    return own or _shipped_vectors(name, weights_sha256)


@st.cache_resource(max_entries=2, show_spinner=False)
def _shipped_vectors(name: str, weights_sha256: str) -> WordVectors:
    found: WordVectors = model_named(name, weights_sha256).model
    return found


@st.cache_resource(max_entries=16, show_spinner=False)
def _seen_from(
    name: str, weights_sha256: str, table: str, subtract_mean: bool
) -> tuple[Tensor, Tensor]:
    """Return 0 or the mean, and all vectors' lengths from there: a hundredth of what the vectors take.

    One part of the page compares both embeddings with and without the mean, in each of its runs.
    """
    vectors = _vectors(name, weights_sha256)
    numbers = getattr(vectors, table).detach()
    space = WordSpace.of(vectors.vocabulary, numbers, subtract_mean=subtract_mean)
    return space.origin, space.lengths


def mean_cosine(meta: CheckpointMeta, table: str, *, subtract_mean: bool) -> float:
    """Return the mean cosine of two random words in one of a model's embeddings."""
    return _mean_cosine(meta.name, meta.weights_sha256, table, subtract_mean)


@st.cache_data(max_entries=16, show_spinner=False)
def _mean_cosine(name: str, weights_sha256: str, table: str, subtract_mean: bool) -> float:
    return _space(name, weights_sha256, table, subtract_mean).mean_cosine()


def snapshots_of(meta: CheckpointMeta, table: str) -> list[Snapshot]:
    """Return the snapshots of a training, the finished model's frequent words last."""
    kept = _snapshots(meta.name, meta.weights_sha256, table)
    return [*kept, Snapshot(1.0, space_of(meta, table).most_frequent(SNAPSHOT_WORDS))]


@st.cache_resource(max_entries=4, show_spinner="Opening the snapshots")
def _snapshots(name: str, weights_sha256: str, table: str) -> list[Snapshot]:
    del weights_sha256
    kept = []
    for share in SNAPSHOT_SHARES:
        snapshot = snapshot_name(name, share)
        if folder_of(snapshot).is_dir():
            model = load_shipped(snapshot).model
            space = WordSpace.of(model.vocabulary, getattr(model, table).detach())
            kept.append(Snapshot(share, space))
    return kept
