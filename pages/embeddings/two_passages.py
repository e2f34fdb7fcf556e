"""Sentences of the book in which two words stand in the same context."""

import streamlit as st

from lm_core.analysis.shared_contexts import Concordance, SharedContext
from lm_core.text.training_text import load_body
from pages.embeddings.word_choice import Choice
from pages.shared.components.texts import MIDDLE, SHARED, Passage
from pages.shared.components.texts import WINDOW as NEAR


@st.cache_resource(max_entries=1, show_spinner="Looking up every word of the book, once")
def concordance() -> Concordance:
    """Return the book, ready to be looked up; all visitors share it."""
    return Concordance.of(load_body())


def two_passages(
    choice: Choice, text: Concordance, context: SharedContext, window: int
) -> list[Passage]:
    """Return sentences of the book with either word in a context, marked."""
    heading = (
        f"{context.word}: {context.occurrences:,} times in the book, {context.times[0]:,} near"
        f" {choice.name}, {context.times[1]:,} near {choice.other_name}"
    )
    return [
        Passage(
            [
                (p.text, _mark(p.word, p.distance, context.word, window))
                for p in text.passage(place)
            ],
            above,
        )
        for place, above in zip(context.places, (heading, ""), strict=True)
    ]


def _mark(word: str, distance: int, shared: str, window: int) -> str:
    if not word or abs(distance) > window:
        return ""
    if distance == 0:
        return MIDDLE
    return SHARED if word == shared else NEAR
