"""The five shipped models of the page, loaded once for all visitors."""

from typing import Any

import streamlit as st

from lm_core.training.checkpoints import SHIPPED, CheckpointMeta, read_meta
from pages.shared.models import model_named

GENERATOR, REVERSER = "name-generator", "word-reverser"
CLASSIFIERS = {
    "speech-last": "last state",
    "speech-mean": "mean state",
    "speech-both": "bidirectional",
}


@st.cache_data(max_entries=16, show_spinner=False)
def provenance_of(name: str) -> CheckpointMeta:
    """Return a shipped model's provenance."""
    return read_meta(SHIPPED / name)


def model_of(name: str) -> Any:
    """Return a shipped model, shared by all visitors: read it, never change it."""
    return model_named(name, provenance_of(name).weights_sha256).model
