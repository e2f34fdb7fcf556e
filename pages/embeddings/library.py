"""The word vectors that come with the lab, opened once for all visitors."""

from pathlib import Path
from typing import NamedTuple

import streamlit as st

from lm_core.analysis.word_space import WordSpace
from lm_core.errors import CheckpointError
from lm_core.experiments.word2vec.recipes import (
    SNAPSHOT_SHARES,
    SNAPSHOT_WORDS,
    WORDS,
    snapshot_name,
)
from lm_core.models.embeddings import WordVectors
from lm_core.training import checkpoints
from lm_core.training.checkpoints import CheckpointMeta, list_checkpoints, load_checkpoint

INPUT, OUTPUT = "input", "output"
TABLES = (INPUT, OUTPUT)
_FAVOURITE = "library-skip-gram"


class Snapshot(NamedTuple):
    """The most frequent words' vectors as of a share of the training."""

    share: float
    space: WordSpace


@st.cache_data(max_entries=1, show_spinner=False)
def models() -> dict[str, CheckpointMeta]:
    """Return the provenances of the finished word vectors by name, the favourite first.

    Raises
    ------
    CheckpointError
        If there are none.
    """
    folder = checkpoints.SHIPPED
    found = [m for m in list_checkpoints(folder) if m.vocabulary == WORDS and not m.snapshot_of]
    if not found:
        raise CheckpointError(
            f"no word vectors in {folder}: make them with: python -m lm_core experiment word2vec --out {folder}"
        )
    found.sort(key=lambda meta: (meta.name != _FAVOURITE, meta.name))
    return {meta.name: meta for meta in found}


def folder_of(name: str) -> Path:
    """Return the folder of a model's checkpoint."""
    return checkpoints.SHIPPED / name


def is_skip_gram(meta: CheckpointMeta) -> bool:
    """Return whether the vectors come from skip-gram; the others come from CBOW."""
    return meta.recipe.get("method") == "skip-gram"


@st.cache_resource(max_entries=2, show_spinner="Opening the word vectors")
def _vectors(name: str, weights_sha256: str) -> WordVectors:
    del weights_sha256  # part of the key
    return load_checkpoint(folder_of(name)).model


def space_of(meta: CheckpointMeta, table: str, *, subtract_mean: bool = False) -> WordSpace:
    """Return one of a model's two tables; it is shared by all visitors and never changed."""
    return _space(meta.name, meta.weights_sha256, table, subtract_mean)


@st.cache_resource(max_entries=8, show_spinner=False)
def _space(name: str, weights_sha256: str, table: str, subtract_mean: bool) -> WordSpace:
    vectors = _vectors(name, weights_sha256)
    numbers = getattr(vectors, table).detach()
    return WordSpace.of(vectors.vocabulary, numbers, subtract_mean=subtract_mean)


def mean_cosine(meta: CheckpointMeta, table: str, *, subtract_mean: bool) -> float:
    """Return the mean cosine of two words drawn blindly from one of a model's tables."""
    return _mean_cosine(meta.name, meta.weights_sha256, table, subtract_mean)


@st.cache_data(max_entries=16, show_spinner=False)
def _mean_cosine(name: str, weights_sha256: str, table: str, subtract_mean: bool) -> float:
    return _space(name, weights_sha256, table, subtract_mean).mean_cosine()


def snapshots_of(meta: CheckpointMeta, table: str) -> list[Snapshot]:
    """Return the kept snapshots of a training, the finished model's frequent words last."""
    kept = _snapshots(meta.name, meta.weights_sha256, table)
    return [*kept, Snapshot(1.0, space_of(meta, table).most_frequent(SNAPSHOT_WORDS))]


@st.cache_resource(max_entries=4, show_spinner="Opening the snapshots of the training")
def _snapshots(name: str, weights_sha256: str, table: str) -> list[Snapshot]:
    del weights_sha256
    kept = []
    for share in SNAPSHOT_SHARES:
        folder = folder_of(snapshot_name(name, share))
        if folder.is_dir():
            model = load_checkpoint(folder).model
            space = WordSpace.of(model.vocabulary, getattr(model, table).detach())
            kept.append(Snapshot(share, space))
    return kept
