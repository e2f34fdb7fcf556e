"""The transformer that is looked into, at every kept moment of its training."""

import streamlit as st

from lm_core.errors import CheckpointError
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.training.checkpoints import (
    SHIPPED,
    CheckpointMeta,
    list_checkpoints,
    load_checkpoint,
)

MODEL = "book-transformer"


@st.cache_resource(max_entries=1, show_spinner=False)
def moments() -> dict[int, CheckpointMeta]:
    """Return the model's provenance at each kept moment, by its steps, the finished model last.

    Raises
    ------
    CheckpointError
        If the model does not come with this copy of the lab.
    """
    provenances = [
        meta for meta in list_checkpoints(SHIPPED) if MODEL in (meta.name, meta.snapshot_of)
    ]
    if not any(meta.name == MODEL for meta in provenances):
        raise CheckpointError(
            f"this page looks into the model {MODEL}, which is not in {SHIPPED.name}:"
            f" train it with `python -m lm_core train {MODEL}`"
        )
    return {meta.steps: meta for meta in sorted(provenances, key=lambda meta: meta.steps)}


def provenance_of(name: str) -> CheckpointMeta:
    """Return the provenance of the model's moment of this name."""
    return next(meta for meta in moments().values() if meta.name == name)


@st.cache_resource(max_entries=8, show_spinner="Opening the model")
def model_of(name: str, weights_sha256: str) -> TransformerLanguageModel:
    """Return a model, shared by all visitors: read it, never change it."""
    del weights_sha256  # part of the key: a retrained model of the same name is another model
    return load_checkpoint(SHIPPED / name).model
