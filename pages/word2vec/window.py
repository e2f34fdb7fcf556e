"""The window that slides over the text: a word in the middle, its neighbours to each side."""

from itertools import pairwise
from typing import NamedTuple

import streamlit as st

from lm_core.text.word_vocabulary import find_words
from pages.shared.components.texts import ABSENT, MIDDLE, WINDOW, Passage, show_passages
from pages.shared.ui.controls import control
from pages.shared.ui.playback import playback_bar
from pages.word2vec.texts import Material

PLACE = "place"
SHOWN = 32
"""Words of the text over which the window is led."""

_CBOW, _SKIP_GRAM = "CBOW", "skip-gram"
_PREVIEW = 4_000  # characters in which the first words are found


def sliding_window(material: Material) -> None:
    """Draw the first words of the text with the window on them, and walk it from word to word."""
    st.subheader("The window", anchor=False)
    words = _first_words(material)
    known = [i for i, each in enumerate(words) if each.word in material.short.vocabulary]
    playback_bar(
        PLACE,
        len(known),
        lambda k: _draw(material, words, known, k),
        label="Word in the middle",
        start=min(material.config.window, len(known) - 1),
        seconds_per_step=0.6,
    )


class ShownWord(NamedTuple):
    """A word of the text: as it stands there, what follows it, and as it is read."""

    text: str
    after: str
    word: str


def _first_words(material: Material) -> list[ShownWord]:
    text = material.text[:_PREVIEW]
    found = find_words(text)[: SHOWN + 1]
    return [
        ShownWord(text[each.begin : each.end], text[each.end : after.begin], each.word)
        for each, after in pairwise(found)
    ]


def _draw(material: Material, words: list[ShownWord], known: list[int], k: int) -> None:
    if not known:
        st.info("None of the first words gets a vector.")
        return
    window = material.config.window
    near = {*known[max(0, k - window) : k], *known[k + 1 : k + 1 + window]}
    pieces = []
    for i, each in enumerate(words):
        role = MIDDLE if i == known[k] else WINDOW if i in near else ""
        pieces += [(each.text, role or ("" if i in known else ABSENT)), (each.after, "")]
    show_passages([Passage(pieces)], key="window_on_text")
    method = control(
        st.segmented_control,
        "method",
        "What is asked",
        (_CBOW, _SKIP_GRAM),
        default=_CBOW,
        required=True,
        label_visibility="collapsed",
    )
    neighbours = [words[i].word for i in sorted(near)]
    middle = words[known[k]].word
    if method == _CBOW:
        st.markdown(
            f"**CBOW** takes the mean of the *input* vectors of {_listed(neighbours)}, and holds it"
            f" against the *output* vector of every word: which of the"
            f" {len(material.short.vocabulary):,} stands in the middle? It should say **{middle}**."
        )
    else:
        st.markdown(
            f"**Skip-gram** turns it round: from the *input* vector of **{middle}** it tells, one by"
            f" one, {_listed(neighbours)}: {len(neighbours)} questions where CBOW asks one."
        )


def _listed(words: list[str]) -> str:
    return ", ".join(f"*{word}*" for word in words) or "no word"
