"""The shipped results, read once for all visitors."""

import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.convolution.results import ConvolutionResults
from pages.shared.ui.messages import show_error


def shipped() -> ConvolutionResults | None:
    """Return the results; if they cannot be read, say why and return None."""
    try:
        return _load()
    except ResultError as error:
        show_error(error)
        return None


@st.cache_resource(max_entries=1, show_spinner=False)
def _load() -> ConvolutionResults:
    return ConvolutionResults.load()
