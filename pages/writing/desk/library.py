"""The models that the War and Peace page can pick, loaded once for all visitors."""

from pathlib import Path

import streamlit as st

from lm_core.language_model import LanguageModel
from lm_core.training.checkpoints import SHIPPED, CheckpointMeta, list_checkpoints, load_checkpoint

FAVOURITE = "book-lstm"
"""The model that the page opens with."""


@st.cache_data(max_entries=1, show_spinner=False)
def stamps() -> dict[str, CheckpointMeta]:
    """Return the stamp of every shipped checkpoint that writes characters, by name."""
    return {meta.name: meta for meta in list_checkpoints() if meta.alphabet == "source"}


def finished_models() -> dict[str, CheckpointMeta]:
    """Return the stamps of the finished models, the favourite first."""
    finished = {name: meta for name, meta in stamps().items() if meta.snapshot_of is None}
    return dict(sorted(finished.items(), key=lambda item: item[0] != FAVOURITE))


def moments_of(name: str) -> list[CheckpointMeta]:
    """Return the kept moments of a model's training, earliest first, the finished model last."""
    moments = [meta for meta in stamps().values() if name in (meta.name, meta.snapshot_of)]
    return sorted(moments, key=lambda meta: meta.steps)


def folder_of(meta: CheckpointMeta) -> Path:
    """Return the folder of a shipped checkpoint."""
    return SHIPPED / meta.name


def model_of(meta: CheckpointMeta) -> LanguageModel:
    """Return a checkpoint's model, shared by all visitors: read it, never change it."""
    return _model(meta.name, meta.weights_sha256)


@st.cache_resource(max_entries=12, show_spinner="Opening the model")
def _model(name: str, weights_sha256: str) -> LanguageModel:
    del weights_sha256  # part of the key: a retrained model of the same name is another model
    return load_checkpoint(SHIPPED / name).model
