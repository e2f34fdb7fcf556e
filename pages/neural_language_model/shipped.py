"""What the networks on names have learned, as it is shipped."""

from functools import partial

import streamlit as st

from lm_core.experiments.neural_language_model.results import NeuralLanguageModelResults
from lm_core.models.mlp import MLPLanguageModel
from pages.shared import page

results = partial(page.shipped, NeuralLanguageModelResults)
"""Returns the shipped results, shared by all visitors."""


@st.cache_resource(max_entries=24, show_spinner=False)
def network(context_size: int, embedding_size: int, hidden_size: int) -> MLPLanguageModel:
    """Return a trained network, shared by all visitors."""
    return results().network(context_size, embedding_size, hidden_size)
