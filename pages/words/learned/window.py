"""The window that slides over the text: a word in the middle, its neighbours to each side."""

import streamlit as st

from lm_core.embeddings.vocabulary import word_spans
from pages.shared.controls import control
from pages.shared.passages import ABSENT, MIDDLE, WINDOW, Passage, show_passages
from pages.shared.stepper import stepper
from pages.words.learned.texts import Material

PLACE = "place"
SHOWN = 32
"""Words of the text over which the window is led."""

_CBOW, _SKIP_GRAM = "CBOW", "skip-gram"
_PREVIEW = 4_000  # characters in which the first words are found


def sliding_window(material: Material) -> None:
    """Draw the first words of the text with the window on them, and walk it from word to word."""
    st.subheader("The window", anchor=False)
    words = _first_words(material)
    known = [i for i, (_, word) in enumerate(words) if word in material.short.vocabulary]
    stepper(
        PLACE,
        len(known),
        lambda k: _draw(material, words, known, k),
        label="Word in the middle",
        start=min(material.config.window, len(known) - 1),
        seconds_per_step=0.6,
    )


def _first_words(material: Material) -> list[tuple[str, str]]:
    """Return the first words, each as it stands there with what follows it, and in small letters."""
    text = material.text[:_PREVIEW]
    spans = word_spans(text)[: SHOWN + 1]
    ends = [*(begin for begin, _ in spans[1:]), spans[-1][1] if spans else 0]
    return [
        (text[begin:end], text[begin:after].lower())
        for (begin, after), end in zip(spans, ends, strict=True)
    ][:SHOWN]


def _draw(material: Material, words: list[tuple[str, str]], known: list[int], k: int) -> None:
    if not known:
        st.info("None of the first words gets a vector.")
        return
    window = material.config.window
    near = {*known[max(0, k - window) : k], *known[k + 1 : k + 1 + window]}
    pieces = []
    for i, (piece, word) in enumerate(words):
        inside = piece[: len(word)]
        role = MIDDLE if i == known[k] else WINDOW if i in near else ""
        pieces += [(inside, role or ("" if i in known else ABSENT)), (piece[len(word) :], "")]
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
    neighbours = [words[i][1] for i in sorted(near)]
    middle = words[known[k]][1]
    if method == _CBOW:
        st.markdown(
            f"**CBOW** takes the mean of the *read* vectors of {_listed(neighbours)}, and holds it"
            f" against the *asked* vector of every word: which of the"
            f" {len(material.short.vocabulary):,} stands in the middle? It should say **{middle}**."
        )
    else:
        st.markdown(
            f"**Skip-gram** turns it round: from the *read* vector of **{middle}** it tells, one by"
            f" one, {_listed(neighbours)}: {len(neighbours)} questions where CBOW asks one."
        )


def _listed(words: list[str]) -> str:
    return ", ".join(f"*{word}*" for word in words) or "no word"
