"""Passages of the book at which a unit is on most, where the book is on the machine."""

import streamlit as st

from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import locate
from pages.shared.charts.palette import visible
from pages.shared.components.texts import ON, Tint, TintedText, tinted_texts
from pages.shared.numbers import written
from pages.transformer_block.unit_runs import book_peaks, book_tokens
from pages.transformer_block.unit_text import UnitText

_STRONGEST = 80
_PASSAGES, _AROUND = 5, 10
_WANTED, _READ = "block_passages_wanted", "block_passages_read"


def book_passages(text: UnitText, unit: int) -> None:
    """Draw the passages of the held-out part of the book at which the unit is on most, where the book is."""
    if locate(WAR_AND_PEACE.name) is None:
        st.caption(
            "The passages are looked up in *War and Peace* itself, which is not on this server:"
            " `python -m lm_core data fetch war-and-peace` fetches it."
        )
        return
    name, weights_sha256, _ = text.sentence.key
    if st.button(
        f"Read {book_tokens(name):,} tokens of the book", icon=":material/menu_book:", key=_WANTED
    ):
        st.session_state[_READ] = name
    if st.session_state.get(_READ) != name:
        st.caption(
            "The model reads a part of the book that was held out of its training, so it knows none of it by"
            " heart, and for every unit the tokens are kept at which it is on most. That takes seconds, once"
            " for the whole class."
        )
        return
    peaks, tokens = book_peaks(name, weights_sha256)
    found = peaks.strongest(unit, _PASSAGES)
    texts = []
    for passage in found:
        start = max(0, passage.place - _AROUND)
        words = [visible(token) for token in tokens[start : passage.place + _AROUND + 1]]
        at = passage.place - start
        tints = [Tint((ON,), _STRONGEST if i == at else 0, "") for i in range(len(words))]
        texts.append(TintedText(written(passage.activation, ".2f"), words, tints))
    tinted_texts(
        texts,
        key="unit_passages",
        label=f"Passages of the book at which unit {text.units.name_of(unit)} is on most",
        hint="The number is the unit's activation at the tinted token.",
        legend=[(ON, "here the unit is on most")],
    )
