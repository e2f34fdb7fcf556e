"""What the networks on names have learned, as it is shipped."""

import streamlit as st

from lm_core.experiments.neural_language_model.results import NeuralLanguageModelResults
from lm_core.models.mlp import MLPLanguageModel


@st.cache_resource(max_entries=1, show_spinner=False)
def results() -> NeuralLanguageModelResults:
    """Return the shipped results, shared by all visitors.

    Raises ResultError if they cannot be read.
    """
    return NeuralLanguageModelResults.load()


@st.cache_resource(max_entries=24, show_spinner=False)
def network(context_size: int, embedding_size: int, hidden_size: int) -> MLPLanguageModel:
    """Return a trained network, shared by all visitors."""
    return results().network(context_size, embedding_size, hidden_size)
