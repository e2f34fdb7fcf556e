"""The words that are nearest to the chosen one."""

import streamlit as st

from lm_core.analysis.word_space import Neighbour
from pages.embeddings.vectors import available, space_of
from pages.embeddings.word_choice import Choice

N = 10


def neighbours_of(choice: Choice, table: str) -> list[Neighbour]:
    """Return the chosen word's nearest words in one of the tables."""
    meta = choice.meta
    return _neighbours(
        meta.name, meta.weights_sha256, table, choice.subtract_mean, choice.among, choice.word
    )


@st.cache_resource(max_entries=1_024, show_spinner=False)
def _neighbours(
    name: str, weights_sha256: str, table: str, subtract_mean: bool, among: int | None, word: int
) -> list[Neighbour]:
    del weights_sha256  # part of the key
    space = space_of(available()[name], table, subtract_mean=subtract_mean)
    return space.nearest(space.unit([word])[0], N, exclude=[word], among=among)
