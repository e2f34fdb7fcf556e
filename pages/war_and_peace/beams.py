"""Beam search beside sampling: the most probable text is not the best one."""

import math

import streamlit as st

from lm_core.generation.beam_search import Beam, beam_search
from lm_core.generation.text_generation import GeneratedToken
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.war_and_peace.library import model_of
from pages.war_and_peace.opening import Opening


def beams(opening: Opening, written: tuple[GeneratedToken, ...]) -> None:
    """Search for probable continuations of the prompt, and compare with what was written."""
    left, right = st.columns(2)
    with left:
        width = control(st.select_slider, "width", "Beams", [1, 2, 4, 8, 16, 32], 8)
    with right:
        length = control(
            st.slider, "beam_length", f"{opening.vocabulary.unit.capitalize()}s", 20, 160, 80, 20
        )
    unit = opening.vocabulary.unit
    found = _search(opening.meta.name, opening.meta.weights_sha256, opening.ids, width, length)
    for beam in found[:4]:
        per_token = -beam.log_probability / length
        with st.container(border=True):
            st.text(opening.vocabulary.decode([*opening.ids, *beam.tokens]))
            st.caption(
                f"probability e^{beam.log_probability:.1f}:"
                f" {per_token / math.log(2):.2f} bits a {unit}"
            )
    best = -found[0].log_probability / length / math.log(2)
    st.markdown(
        f"The best of {width} beams needs **{best:.2f} bits a {unit}**; the text on the desk"
        f" {_bits_per_token(written):.2f}. A search for the most probable text finds common"
        " words that lead to common words, and often the same ones again: probable is not the same"
        " as good."
    )


def _bits_per_token(written: tuple[GeneratedToken, ...]) -> float:
    """Return the mean surprisal of a written text, nan for none."""
    if not written:
        return math.nan
    return -sum(math.log2(max(w.model_probability, 1e-12)) for w in written) / len(written)


@st.cache_data(max_entries=32, show_spinner="Searching")
def _search(
    name: str, weights_sha256: str, ids: tuple[int, ...], width: int, length: int
) -> list[Beam]:
    with model_calls:
        return beam_search(model_of(name, weights_sha256), ids, width, length)
