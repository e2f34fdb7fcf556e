"""Trained models by name, shipped or trained here, each loaded once for all visitors."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any
from weakref import ref

import streamlit as st

from lm_core.training.checkpoints import (
    Checkpoint,
    CheckpointMeta,
    damaged_checkpoints,
    load_checkpoint,
    load_shipped,
    read_meta,
)
from pages.shared.models.pretrained import PRETRAINED, pretrained_fault, pretrained_model
from pages.shared.trainings.trainings import folder_of_checkpoint, is_trained_here
from pages.shared.turns import page_turns
from pages.shared.ui.messages import show_error

_MOST_NAMED = 3
_MOST_BYTES = 66 * 2**20
"""The largest writer beside another, or the four that `/minimal-pairs` compares."""
_WEIGHT_BYTES = 4


class KeptModels:
    """The models that were asked for last, as many as there is room for.

    So a server's memory does not grow with the number of models that are shipped. One that was let go
    while somebody's text still needs it is found again there, and not loaded a second time beside it.

    `most_bytes`: int, of all their weights together; the model asked for last is kept whatever its size.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[tuple[str, str], Checkpoint] = OrderedDict()
        self._let_go: dict[tuple[str, str], tuple[ref[Any], CheckpointMeta]] = {}
        self._lock = Lock()

    def get(self, key: tuple[str, str], load: Callable[[], Checkpoint]) -> Checkpoint:
        """Return a model, loaded if it is not among the kept ones."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = self._still_used(key) or load()
                self._make_room()
            self._kept.move_to_end(key)
            return self._kept[key]

    def _still_used(self, key: tuple[str, str]) -> Checkpoint | None:
        """Return a model that was let go, if somebody holds it."""
        used = {known: (of(), meta) for known, (of, meta) in self._let_go.items()}
        self._let_go = {known: (ref(m), meta) for known, (m, meta) in used.items() if m is not None}
        return Checkpoint(*used[key]) if key in self._let_go else None

    def _make_room(self) -> None:
        """Let those go that were asked for longest ago."""
        while len(self._kept) > 1 and self._n_bytes() > self._most_bytes:
            key, (model, meta) = self._kept.popitem(last=False)
            self._let_go[key] = ref(model), meta

    def _n_bytes(self) -> int:
        return sum(_WEIGHT_BYTES * kept.meta.parameter_count for kept in self._kept.values())


def provenance_of(name: str) -> CheckpointMeta:
    """Return a model's provenance, without its weights.

    Raises CheckpointError if there is none of that name, or it is damaged.

    `name`: str, of a shipped checkpoint, or of one that a training has left.
    """
    return read_meta(folder_of_checkpoint(name))


def model_named(name: str, weights_sha256: str = "") -> Checkpoint:
    """Return a model with its provenance, shared by all visitors: read it, never change it.

    Raises CheckpointError if there is none of that name, or it is damaged.

    Parameters
    ----------
    name : str, of a shipped checkpoint, or of one that a training has left
    weights_sha256 : str, optional
        From its provenance, where that was read: a model that was trained again under the same name is
        another model.
    """
    if name == PRETRAINED:
        return pretrained_model()
    weights_sha256 = weights_sha256 or provenance_of(name).weights_sha256
    with page_turns.lent():
        return _kept_models().get((name, weights_sha256), lambda: _load(name))


def derived_model(name: str, weights_sha256: str, derive: Callable[[], Checkpoint]) -> Checkpoint:
    """Return a model that is made of a shipped one, kept among the others.

    Parameters
    ----------
    weights_sha256 : str, of what it is made with
    derive : callable, which must not ask for another model here
    """
    with page_turns.lent():
        return _kept_models().get((name, weights_sha256), derive)


@st.cache_resource(max_entries=1, show_spinner=False)
def _kept_models() -> KeptModels:
    return KeptModels(_MOST_BYTES)


def _load(name: str) -> Checkpoint:
    with st.spinner("Opening the model"):
        if is_trained_here(name):
            return load_checkpoint(folder_of_checkpoint(name))
        return load_shipped(name)


def name_damaged() -> None:
    """Name the shipped models that cannot be read, where a page offers those that can."""
    if damaged := _damaged():
        more = len(damaged) - _MOST_NAMED
        reasons = "; ".join(list(damaged.values())[:_MOST_NAMED])
        others = f"; and {more} more" if more > 0 else ""
        show_error(f"Left out, because they cannot be read: {reasons}{others}", st.warning)
    if fault := pretrained_fault():
        show_error(f"Left out, because it cannot be read: {fault}", st.warning)


@st.cache_data(max_entries=1, show_spinner=False)
def _damaged() -> dict[str, str]:
    return damaged_checkpoints()
