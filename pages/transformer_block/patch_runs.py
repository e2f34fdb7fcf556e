"""The map of all patches of two prompts, and the prediction after one of them: once for all visitors."""

import numpy as np
import streamlit as st
import torch

from lm_core.analysis.patching import Patching, PatchMap, affordable_stages
from lm_core.analysis.residual_stream import Stage
from pages.shared.models.read_sentences import transformer
from pages.shared.turns import model_calls
from pages.transformer_block.prompt_pairs import PromptPair


@st.cache_resource(max_entries=32, show_spinner=False)
def patch_map(
    name: str, weights_sha256: str, a: str, b: str, answers: tuple[int, int] | None
) -> PatchMap:
    """Return what each cell decides, computed once for all visitors."""
    patching = _patching(name, weights_sha256, a, b)
    stages = affordable_stages(patching.model.config, patching.n_tokens - patching.first_different)
    bar = st.progress(0.0, "Carrying over each cell")
    try:
        return patching.map(
            answers, stages, model_turn=lambda: model_calls, on_progress=bar.progress
        )
    finally:
        bar.empty()


@st.cache_data(max_entries=64, show_spinner=False)
def patched_prediction(
    name: str, weights_sha256: str, a: str, b: str, stage: Stage, token: int
) -> np.ndarray:
    """Return the probabilities of B's next token with one cell carried over, (V,)."""
    patching = _patching(name, weights_sha256, a, b)
    place = torch.arange(patching.n_tokens)[None] == token
    with model_calls:
        return patching.patched(stage, place)[0].softmax(-1).numpy()


@st.cache_resource(max_entries=4, show_spinner=False)
def _patching(name: str, weights_sha256: str, a: str, b: str) -> Patching:
    """Return two prompts as a model has read them, for all cells that are carried over."""
    pair = PromptPair.of(name, a, b)
    with model_calls:
        return Patching(transformer(name, weights_sha256), pair.a.ids, pair.b.ids)
