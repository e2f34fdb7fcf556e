"""Words of the book: what the network and counts expect after some words, and which is less unsure."""

import math
from dataclasses import replace
from functools import partial

import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.neural_language_model.word_results import WordResults
from lm_core.experiments.neural_language_model.words import (
    END,
    UNKNOWN,
    WordLosses,
    encode_tokens,
    tokens_of,
)
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.neural_language_model.book_word_notes import RARE, explain_words, note_words
from pages.neural_language_model.perplexities import HEIGHT, NETWORK, draw_perplexities
from pages.shared import page
from pages.shared.charts.drawing import with_columns
from pages.shared.charts.palette import BLUE, GREEN
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.charts.word_vectors import neighbour_bars, neighbour_frame
from pages.shared.ui.markdown import as_code

FIRST, LONGEST = "they had been waiting for three", 80
_ANSWERS = {
    "Higher by a tenth or more": page.Answer(0.1, 0.2),
    "About the same": page.Answer(-0.1, 0.0),
    "Lower by a tenth or more": page.Answer(-math.inf, -0.2),
}
_ROWS, _NEAREST = 8, 8
_ROOM = 36  # characters of what was typed that are repeated above the bars


word_results = partial(page.shipped, WordResults)
"""Returns what was learned of the words of the book, shared by all visitors."""


def _choose_words() -> str:
    """Draw the field for the words before, and return what was typed."""
    typed = page.text("book_words", "After these words", FIRST, max_chars=LONGEST, width=330)
    page.say_limits({"book_words": LONGEST})
    return str(typed)


def words_of_the_book(screen: page.FirstScreen) -> None:
    """Draw what comes next and which words are near; below the first screen, who is less unsure."""
    with screen.controls:
        typed = _choose_words()
    found = word_results()
    with screen.beside:
        text = page.read_and_say("book_words", typed, partial(_readable, found), FIRST)
        asked = _ask(screen, found.losses)
    with screen.picture:
        left, right = st.columns([1.5, 1], gap="medium")
        with left:
            _next_word(found, text)
        with right:
            _nearest_words(found, text)
    if not asked.masks:
        page.note_beside(screen, explain_words(found))
    if not page.is_presenting():
        draw_perplexities(found.losses, asked)
        st.markdown(note_words(found, is_revealed=not asked.masks))


def _readable(found: WordResults, typed: str) -> tuple[str, WhatWasRead]:
    words = tokens_of(page.checked_text(typed, most=LONGEST, name="the beginning"))
    if not words:
        raise TextError("type at least one word in letters from a to z")
    text = " ".join(words)
    was_read = sentence_as_read(typed, text)
    if rare := [word for word in dict.fromkeys(words) if word not in found.vocabulary]:
        said = (
            f"Not among the frequent words of the book, so read as a rare word: {', '.join(rare)}."
        )
        was_read = replace(was_read, notes=(*was_read.notes, said))
    return text, was_read


# Question -------------------------------------------------------------------------------------


def _ask(screen: page.FirstScreen, losses: WordLosses) -> page.Asked:
    n_words, counted = len(losses.kneser_ney) - 1, math.exp(losses.kneser_ney[-1])
    ours, both = math.exp(losses.network), math.exp(losses.mixture)
    return page.ask(
        screen,
        "words_perplexity",
        f"After {n_words} words of held-out text, counting is as unsure as among {counted:.0f} equally"
        " likely words. And the network?",
        _ANSWERS,
        right=ours / counted - 1,
        reason=f"It is as unsure as among **{ours:.0f}**, and both together, half and half, as among"
        f" **{both:.0f}**, because each is right at places where the other is not: the counts know set phrases"
        " word for word, the network what similar words are followed by.",
    )


# Picture --------------------------------------------------------------------------------------


def _next_word(found: WordResults, text: str) -> None:
    """Draw the most probable next words of the network and of the counts, side by side."""
    with page.model_calls:
        stages = {
            NETWORK: found.after(text, found.network).numpy(),
            f"counts, n = {found.counts.config.context_size + 1}": found.after(
                text, found.counts
            ).numpy(),
        }
    names = {UNKNOWN: RARE}
    words = [names.get(word, word) for word in found.vocabulary.words]
    table = prediction_table(words, stages, most=_ROWS)
    table = with_columns(table, before=[0.0] * len(table), is_cut=[False] * len(table))
    best = words[int(stages[NETWORK].argmax())]
    title = f"Most probable for the network: {best}"
    st.markdown(f"**After {as_code(_end_of(text))}**")
    page.show_chart(
        prediction_bars(table, unit="word", colour=GREEN, height=HEIGHT),
        key="words_next",
        alt=title,
        name="next-word",
        is_small=True,
    )


def _end_of(text: str) -> str:
    """Return the end of a text as there is room for it."""
    shown = " ".join(text.split())
    return shown if len(shown) <= _ROOM else f"…{shown[-_ROOM:]}"


def _nearest_words(found: WordResults, text: str) -> None:
    """Draw the words nearest to the last one that has numbers of its own."""
    vocabulary = found.vocabulary
    ids = encode_tokens(vocabulary, tokens_of(text)).tolist()
    known = [i for i in ids if vocabulary.words[i] not in (END, UNKNOWN)]
    if not known:
        st.info("These words are too rare in the book to have numbers of their own.")
        return
    space, word = found.space(), known[-1]
    near = space.nearest(space.unit([word])[0], _NEAREST, exclude=[word, 0, 1])
    names = [vocabulary.words[each.id] for each in near]
    frame = neighbour_frame(
        names, [each.cosine for each in near], [vocabulary.counts[each.id] for each in near]
    )
    st.markdown(f"**Nearest to {as_code(vocabulary.words[word])}**")
    page.show_chart(
        neighbour_bars(frame, BLUE, height=HEIGHT),
        key="words_nearest",
        alt="; ".join(f"{row.word} {row.cosine:.2f}" for row in frame.itertuples()),
        name="nearest-words",
        is_small=True,
    )
