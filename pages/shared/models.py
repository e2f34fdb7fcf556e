"""Trained models by name, shipped or trained here, each loaded once for all visitors."""

import streamlit as st

from lm_core.training.checkpoints import (
    Checkpoint,
    damaged_checkpoints,
    load_checkpoint,
    load_shipped,
)
from pages.shared.ui.messages import show_error
from pages.shared.ui.trainings import folder_of_checkpoint, is_trained_here

_MOST_NAMED = 3


def model_named(name: str, weights_sha256: str = "") -> Checkpoint:
    """Return a model with its provenance, shared by all visitors: read it, never change it.

    Parameters
    ----------
    name : str
        Of a shipped checkpoint, or of one that a training has left.
    weights_sha256 : str, optional
        From its provenance: a model that was trained again under the same name is another model.

    Raises
    ------
    CheckpointError
        If there is none of that name, or it is damaged.
    """
    return _load(name, weights_sha256)


@st.cache_resource(max_entries=32, show_spinner="Opening the model")
def _load(name: str, weights_sha256: str) -> Checkpoint:
    del weights_sha256  # part of the key
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


@st.cache_data(max_entries=1, show_spinner=False)
def _damaged() -> dict[str, str]:
    return damaged_checkpoints()
