"""A dog, a cat and a few sentences: what counts and a network expect after words that never came together."""

import numpy as np
import streamlit as st

from lm_core.experiments.neural_language_model.sentences import (
    CONTEXT_SIZE,
    FRAMES,
    SENTENCES,
    counted_after,
    read_sentences,
    what_was_read,
)
from pages.neural_language_model.expected_words import ANSWERS, ROOMS, draw_expected, said_of
from pages.neural_language_model.few_sentences import (
    Asked,
    Learned,
    choose_context,
    choose_sentences,
    learned_from,
    read_context,
)
from pages.neural_language_model.word_company import (
    HEIGHT,
    akin_to,
    draw_map,
    draw_shared,
    rarest_of,
)
from pages.shared import page
from pages.shared.charts.palette import GREEN, GUESS
from pages.shared.charts.predictions import prediction_bars
from pages.shared.numbers import percent
from pages.shared.ui import text_input
from pages.shared.ui.markdown import as_code

FRAME = "sentence_frame"  # name of the control that says which step of the training is shown


def dog_and_cat(screen: page.FirstScreen) -> None:
    """Draw the words' map beside what counts and the network expect, step by step."""
    with screen.controls:
        typed_context = choose_context()
        with st.popover("More", icon=":material/tune:"):
            typed, seed = choose_sentences()
    with screen.beside:
        text_input.read_or_keep("sentences", typed, read_sentences, SENTENCES)
        sentences = text_input.last_readable("sentences", SENTENCES)
        if sentences != SENTENCES:
            page.show_what_was_read(what_was_read(sentences), "sentences")
        learned = learned_from(sentences, seed)
        asked = read_context(typed_context, sentences, learned.corpus)
        question = _ask(screen, learned, asked)
    with screen.picture:
        page.playback_bar(
            FRAME,
            len(FRAMES),
            lambda i: _draw(learned, asked, i, question),
            label="Frame of the training",
        )
    if not question.masks:
        page.note_beside(screen, _explained(learned, asked))
    if not page.is_presenting():
        st.markdown(draw_shared(learned, asked))


# Question -------------------------------------------------------------------------------------


def _ask(screen: page.FirstScreen, learned: Learned, asked: Asked) -> page.Asked:
    """Ask for the cat's rooms; None where something else is on screen."""
    if not asked.is_first:
        return page.Asked()
    found = _share(learned, learned.snapshots[-1].after(asked.ids))
    *counted, n_words = counted_after(learned.tables, asked.ids)
    whole, seen = (_share(learned, probabilities) for probabilities in counted)
    return page.ask(
        screen,
        "dog_and_cat",
        "Only dogs ever went through kitchen, garden or door. Which probability does the network give"
        " these three after the cat?",
        ANSWERS,
        right=found,
        reason=f"**{percent(found)}**. The cat is near the dog on the map, so what was learned of the"
        f" dog holds for it, too. Counts after the last {CONTEXT_SIZE} words have"
        f" nothing to say ({percent(whole)}), because they never saw these; after the last {n_words} they say"
        f" {percent(seen)}, but those have forgotten the cat.",
    )


def _share(learned: Learned, probabilities: np.ndarray) -> float:
    return float(sum(probabilities[learned.corpus.words.index(word)] for word in ROOMS))


# Picture --------------------------------------------------------------------------------------


def _draw(learned: Learned, asked: Asked, i: int, question: page.Asked) -> None:
    snapshot = learned.snapshots[i]
    left, right = st.columns([1, 1.5], gap="small")
    with left:
        draw_map(learned, asked, i)
    with right:
        st.markdown(f"**After {as_code(asked.text)}, {snapshot.step} steps**")
        table = draw_expected(learned, asked, snapshot, question)
        page.show_chart(
            prediction_bars(table, unit="word", colour=GREEN, says_zero=True, height=HEIGHT),
            key="dog_and_cat_next",
            alt=said_of(table),
            name="next-word",
        )
        if question.prediction is not None and question.guess is not None and not question.masks:
            st.caption(f"Outlines: {GUESS}, shared among the three rooms.")


# Words ----------------------------------------------------------------------------------------


def _explained(learned: Learned, asked: Asked) -> str:
    words = learned.corpus.words
    whole, _, n_words = counted_after(learned.tables, asked.ids)
    n_read = min(CONTEXT_SIZE, len(asked.ids))
    last = "this word" if n_read == 1 else f"the last {n_read} words"
    if whole.sum():
        counted = f"Counts have seen {last} at this place, so they know what followed."
    else:
        counted = (
            f"Counts have never seen {last} {'here' if n_read == 1 else 'together'}, so they"
            f" have nothing to say there, drawn as 0. The longest end that they know has {n_words}."
        )
    chosen = rarest_of(learned, asked)
    akin = akin_to(learned, chosen)
    if not akin:
        return f"{counted} No other word is followed by what follows {as_code(words[chosen])}."
    other, end = akin[0]
    start, name, near = learned.snapshots[0].distance(chosen, other), words[chosen], words[other]
    nearer = _nearer(learned, chosen, end)
    moved = (
        f"That has moved the two together: they were {start:.2f} apart before the training and are"
        f" {end:.2f} apart after it."
        if end < start
        else f"Yet here the training has not moved the two together: they were {start:.2f} apart before it and are"
        f" {end:.2f} apart after it. So either two numbers a word were not enough, or other words had more"
        " weight; which of the two it was is not tested."
    )
    between = f" On the map {nearer} other {'word lies' if nearer == 1 else 'words lie'} nearer."
    return (
        f"{counted} The network reads each word as its *embedding*, here two numbers. Some words follow"
        f" both {as_code(name)} and {as_code(near)}, so the same weights predict well after both if"
        f" their numbers are alike. {moved}{between if nearer else ''}"
    )


def _nearer(learned: Learned, word: int, distance: float) -> int:
    """Return how many words lie nearer to a word than that at the end of the training."""
    last, n_words = learned.snapshots[-1], len(learned.corpus.words)
    return sum(last.distance(word, i) < distance for i in range(1, n_words) if i != word)
