"""A dog, a cat and a few sentences: what counts and a network expect after words that never came together."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.neural_language_model.sentences import (
    CONTEXT_SIZE,
    FRAMES,
    MOST_CHARACTERS,
    SENTENCES,
    SentenceCorpus,
    SentenceSnapshot,
    count_tables,
    counted_after,
    learn_sentences,
    read_sentences,
    what_was_read,
    words_after,
)
from lm_core.models.ngram_counts import CountTable
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.shared import page
from pages.shared.charts.palette import GREEN, GUESS
from pages.shared.charts.predictions import (
    REST,
    prediction_bars,
    prediction_table,
    with_stage_that_waits,
)
from pages.shared.charts.word_maps import map_frame, word_map
from pages.shared.numbers import percent
from pages.shared.turns import model_calls
from pages.shared.ui import text_input
from pages.shared.ui.figures import show_chart
from pages.shared.ui.markdown import as_code
from pages.shared.ui.what_was_read import read_and_say, show_what_was_read

FRAME = "sentence_frame"
"""Name of the control that says which step of the training is shown."""

CONTEXT, LONGEST_CONTEXT = "the cat goes through the", 80
_ROOMS = ("kitchen", "garden", "door")
_ANSWERS = {"0 %": 0.0, "8 %": 3 / 36, "50 %": 0.5, "99 %": 0.99}
_SEED = 2
_ROWS = 6
_AKIN = 2
_ROOM = 0.2
_GROWTH = 1.6
"""The map is half as wide as those for which its names are laid out."""

_HEIGHT = 270
_NETWORK = "network"


class Learned(NamedTuple):
    """Sentences, their counts, and a network that has learned them."""

    corpus: SentenceCorpus
    tables: tuple[CountTable, ...]
    snapshots: tuple[SentenceSnapshot, ...]


class Asked(NamedTuple):
    """What comes after which words."""

    text: str  # as it was typed
    ids: tuple[int, ...]
    is_first: bool  # whether sentences and words are those that the page opens on


def _choose_sentences() -> tuple[str, int]:
    """Draw the sentences and the seed, and return both as they were typed."""
    typed = page.control(
        st.text_area,
        "sentences",
        "Sentences, each in its own line",
        SENTENCES,
        max_chars=MOST_CHARACTERS,
        height=320,
        in_link=False,
        help="The link does not carry them, so nobody who gets it reads them.",
    )
    text_input.say_limits({"sentences": MOST_CHARACTERS})
    seed = page.number("sentence_seed", "Seed of the first weights", 0, 999, _SEED)
    return str(typed), int(seed)


def dog_and_cat(screen: page.FirstScreen) -> None:
    """Draw the words' map beside what counts and the network expect, step by step."""
    with screen.controls:
        typed_context = _choose_context()
        with st.popover("More", icon=":material/tune:"):
            typed, seed = _choose_sentences()
    with screen.beside:
        text_input.read_or_keep("sentences", typed, read_sentences, SENTENCES)
        sentences = text_input.last_readable("sentences", SENTENCES)
        if sentences != SENTENCES:
            show_what_was_read(what_was_read(sentences), "sentences")
        learned = _learned(sentences, seed)
        asked = _read_context(typed_context, sentences, learned.corpus)
        question = _ask(screen, learned, asked)
    with screen.picture:
        page.playback_bar(
            FRAME,
            len(FRAMES),
            lambda i: _draw(learned, asked, i, question),
            label="Frame of the training",
            start=len(FRAMES) - 1,
            seconds_per_step=0.5,
        )
    if not question.masks:
        page.note_beside(screen, _explained(learned, asked))
    if not page.is_presenting():
        st.markdown(_shared(learned, asked))


@st.cache_resource(max_entries=24, show_spinner="Training")
def _learned(sentences: str, seed: int) -> Learned:
    """Return a training, done once for all visitors."""
    corpus = read_sentences(sentences)
    with model_calls:
        return Learned(corpus, count_tables(corpus), learn_sentences(corpus, seed))


def _choose_context() -> str:
    """Draw the field for the words before, and return what was typed."""
    typed = page.text(
        "words_before",
        "What comes after …",
        CONTEXT,
        max_chars=LONGEST_CONTEXT,
        label_visibility="collapsed",
        placeholder="words of the sentences",
        width=280,
    )
    text_input.say_limits({"words_before": LONGEST_CONTEXT})
    return str(typed)


def _read_context(typed: str, sentences: str, corpus: SentenceCorpus) -> Asked:
    """Return what comes before; if it cannot be read, the last that could."""

    def read(raw: str) -> tuple[Asked, WhatWasRead]:
        text_input.checked_text(raw, most=LONGEST_CONTEXT, name="the beginning")
        ids = corpus.encode(raw)
        if not ids:
            raise TextError("type at least one word of the sentences")
        spelled = " ".join(corpus.words[i] for i in ids)
        asked = Asked(spelled, ids, (sentences, spelled) == (SENTENCES, CONTEXT))
        return asked, sentence_as_read(raw, spelled)

    start = CONTEXT if sentences == SENTENCES else corpus.words[corpus.sentences[0][0]]
    return read_and_say("words_before", typed, read, start)


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
        _ANSWERS,
        right=found,
        reason=f"**{percent(found)}**. The cat is near the dog on the map, so what was learned of the"
        f" dog holds for it, too. Counts after the last {CONTEXT_SIZE} words say"
        f" {percent(whole)}, because they never saw these; after the last {n_words} they say"
        f" {percent(seen)}, but those have forgotten the cat.",
    )


def _share(learned: Learned, probabilities: np.ndarray) -> float:
    return float(sum(probabilities[learned.corpus.words.index(word)] for word in _ROOMS))


# Picture --------------------------------------------------------------------------------------


def _draw(learned: Learned, asked: Asked, i: int, question: page.Asked) -> None:
    snapshot = learned.snapshots[i]
    left, right = st.columns([1, 1.5], gap="small")
    with left:
        _map(learned, asked, i)
    with right:
        st.markdown(f"**After {as_code(asked.text)}, {snapshot.step} steps**")
        table = _expected(learned, asked, snapshot, question)
        show_chart(
            prediction_bars(table, unit="word", colour=GREEN, says_zero=True, height=_HEIGHT),
            table,
            key="dog_and_cat_next",
            alt=_said(table),
            name="next-word",
        )
        if question.prediction is not None and question.guess is not None and not question.masks:
            st.caption(f"Outlines: {GUESS}, shared among the three rooms.")


def _expected(
    learned: Learned, asked: Asked, snapshot: SentenceSnapshot, question: page.Asked
) -> pa.Table:
    """Return what counts and the network expect; the network's share waits for the guess."""
    words = learned.corpus.words
    whole, seen, n_words = counted_after(learned.tables, asked.ids)
    stages = {f"n = {CONTEXT_SIZE + 1}": whole, f"n = {n_words + 1}": seen}
    if question.masks:
        rooms = {words.index(room) for room in _ROOMS}
        counted = _without_rest(prediction_table(words, stages, most=_ROWS))
        return with_stage_that_waits(counted, _NETWORK, rooms)
    found = {**stages, _NETWORK: snapshot.after(asked.ids)}
    table = _without_rest(prediction_table(words, found, most=_ROWS))
    guessed = question.guess if question.prediction is not None else None
    if guessed is None:
        return table
    share = _ANSWERS[guessed] / len(_ROOMS)
    outlined = [
        row | {"before": share} if row["stage"] == _NETWORK and words[row["id"]] in _ROOMS else row
        for row in table.to_pylist()
    ]
    return pa.Table.from_pylist(outlined, table.schema)


def _without_rest(table: pa.Table) -> pa.Table:
    """Return a table of predictions without what is folded together, each stage by itself."""
    rows = [
        row | {"is_cut": False, "before": 0.0} for row in table.to_pylist() if row["id"] != REST
    ]
    return pa.Table.from_pylist(rows, table.schema)


def _said(table: pa.Table) -> str:
    """Return the bars that are seen, stage by stage; of one that waits only that it does."""
    rows = table.to_pylist()
    waiting = [f"{row['stage']}: ?" for row in rows if row["probability"] is None][:1]
    seen = [
        f"{row['stage']}: {row['symbol']} {percent(row['probability'])}"
        for row in rows
        if row["probability"] is not None and row["probability"] > 0.005
    ]
    return "; ".join(seen + waiting)


def _rarest(learned: Learned, asked: Asked) -> int:
    """Return the word of a context that the sentences have least often: what it is about."""
    ids = learned.corpus.ids
    return min(asked.ids, key=lambda word: int((ids == word).sum()))


def _akin(learned: Learned, word: int) -> list[tuple[int, float]]:
    """Return the words that some same word follows, the nearest at the end of the training first."""
    corpus, last = learned.corpus, learned.snapshots[-1]
    own = words_after(corpus, word)
    akin = [i for i in range(1, len(corpus.words)) if i != word and own & words_after(corpus, i)]
    return sorted(((i, last.distance(word, i)) for i in akin), key=lambda pair: pair[1])[:_AKIN]


def _map(learned: Learned, asked: Asked, i: int) -> None:
    """Draw the embeddings, all steps on the same axes."""
    words, snapshot = learned.corpus.words, learned.snapshots[i]
    chosen = _rarest(learned, asked)
    akin = [word for word, _ in _akin(learned, chosen)]
    said = ", ".join(f"{snapshot.distance(chosen, k):.2f} from {as_code(words[k])}" for k in akin)
    st.markdown(
        f"**{as_code(words[chosen])} is {said}**" if said else f"**{as_code(words[chosen])}**"
    )
    every = np.concatenate([s.embedding.numpy() for s in learned.snapshots])
    low, high = every.min(0) - _ROOM, every.max(0) + _ROOM
    frame = map_frame(
        words[1:],
        snapshot.embedding[1:].numpy(),
        [""] * (len(words) - 1),
        chosen=chosen - 1,
        near=[k - 1 for k in akin[:1]],
        far=[k - 1 for k in akin[1:]],
    )
    show_chart(
        word_map(
            frame,
            titles=("first number", "second number"),
            bounds=((low[0], high[0]), (low[1], high[1])),
            height=_HEIGHT,
            text_growth=_GROWTH,
        ),
        frame[["word", "x", "y"]],
        key="dog_and_cat_map",
        alt=f"Distances of {words[chosen]} from other words: "
        + ", ".join(f"{words[k]} {snapshot.distance(chosen, k):.2f}" for k in akin),
        name="word-map",
        is_small=True,
    )


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
            f"Counts have never seen {last} {'here' if n_read == 1 else 'together'}, so they give 0"
            f" to every word. The longest end that they know has {n_words}."
        )
    chosen = _rarest(learned, asked)
    akin = _akin(learned, chosen)
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


def _shared(learned: Learned, asked: Asked) -> str:
    """Return which words follow both the word that the context is about and those akin to it."""
    corpus, chosen = learned.corpus, _rarest(learned, asked)
    own = words_after(corpus, chosen)

    def listed(ids: frozenset[int]) -> str:
        return ", ".join(as_code(corpus.words[i]) for i in sorted(ids)) or "nothing"

    lines = [
        f"In the sentences {as_code(corpus.words[chosen])} is followed by {listed(own)}. The more"
        " of these another word shares, the more alike their numbers become, because the same"
        " predictions have to follow."
    ]
    for word, _ in _akin(learned, chosen):
        after = words_after(corpus, word)
        lines.append(
            f"- {as_code(corpus.words[word])} shares {listed(own & after)}; alone it has"
            f" {listed(after - own)}."
        )
    return "\n".join(lines)
