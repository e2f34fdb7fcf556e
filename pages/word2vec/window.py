"""The window that slides over the first words of the text, and the network that predicts the word in its middle."""

from itertools import pairwise
from typing import NamedTuple

import streamlit as st

from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.word_vocabulary import find_words_of_any_script
from pages.shared import page
from pages.shared.components.texts import ABSENT, MIDDLE, WINDOW, Passage, show_passages
from pages.word2vec.network import are_trained, ask_for_company, draw_network, how_to_read
from pages.word2vec.text import SYNTHETIC, Material

PLACE = "place"
SHOWN = 26  # words of the text over which the window slides
_START = 12  # of the synthetic text: a ruler, whom the network knows by the soldiers around
_CBOW, _SKIP_GRAM = "CBOW", "skip-gram"
_PREVIEW = 4_000  # characters in which the first words are found


def sliding_window(material: Material) -> None:
    """Draw the network and the first words of the text, with the window to be moved over them."""
    words = _first_words(material)
    known = [i for i, each in enumerate(words) if each.word in material.short.vocabulary]
    page.playback_bar(
        PLACE,
        len(known),
        lambda k: _draw(material, words, known, k),
        label="Centre word",
        start=min(_START, len(known) - 1),
        seconds_per_step=0.6,
    )


class ShownWord(NamedTuple):
    """A word of the text: as it appears there, what follows it, and as it is learned from."""

    text: str
    after: str
    word: str


def _first_words(material: Material) -> list[ShownWord]:
    text, vocabulary = material.text[:_PREVIEW], material.short.vocabulary
    shared = UNKNOWN in vocabulary  # by all words that are rare
    found = find_words_of_any_script(text)[: SHOWN + 1]
    return [
        ShownWord(
            text[each.begin : each.end],
            text[each.end : after.begin],
            each.word if not shared or each.word in vocabulary else UNKNOWN,
        )
        for each, after in pairwise(found)
    ]


def _draw(material: Material, words: list[ShownWord], known: list[int], k: int) -> None:
    if not known:
        st.info("None of the first words gets a vector.")
        return
    window = material.config.window
    near = {*known[max(0, k - window) : k], *known[k + 1 : k + 1 + window]}
    neighbours = [words[i].word for i in sorted(near)]
    middle = words[known[k]].word
    has_network = material.kind == SYNTHETIC and are_trained(neighbours, middle)
    screen = page.first_screen(picture=3.2, beside=1.0)
    with screen.controls if has_network else screen.picture:
        _text_with_window(words, known, known[k], near, material.kept.minimum_count)
    if has_network:
        with screen.picture:
            draw_network(neighbours, middle)
    with screen.beside:
        if material.kind == SYNTHETIC:
            ask_for_company()
            how_to_read()
    _two_methods(material, neighbours, middle)


def _text_with_window(
    words: list[ShownWord], known: list[int], middle: int, near: set[int], minimum_count: int
) -> None:
    pieces = []
    for i, each in enumerate(words):
        role = MIDDLE if i == middle else WINDOW if i in near else ""
        pieces += [(each.text, role or ("" if i in known else ABSENT)), (each.after, "")]
    show_passages([Passage(pieces)], key="window_on_text")
    if len(known) < len(words):
        st.caption(
            f"Words that are crossed out occur fewer than {minimum_count} times in the text, too"
            " rarely to learn a vector for them. So the window passes over them."
        )


def _two_methods(material: Material, neighbours: list[str], middle: str) -> None:
    method = page.segments("method", "Method", (_CBOW, _SKIP_GRAM), label_visibility="collapsed")
    if method == _CBOW:
        st.markdown(
            f"**CBOW** multiplies the mean of the input embeddings of {_listed(neighbours)} with"
            f" the output embedding of each of the {len(material.short.vocabulary):,} words. The"
            f" largest product should be that of **{middle}**, because the softmax makes it the"
            " most probable word."
        )
    else:
        st.markdown(
            f"**Skip-gram** turns this round: from the input embedding of **{middle}** it predicts"
            f" each of {_listed(neighbours)}. That is {len(neighbours)} predictions where CBOW"
            " makes one, so it has more to compute."
        )


def _listed(words: list[str]) -> str:
    return ", ".join(f"*{word}*" for word in words) or "no word"
