"""A few sentences that are learned from, and the words after which a next one is expected."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.neural_language_model.sentences import (
    MOST_CHARACTERS,
    SENTENCES,
    SentenceCorpus,
    SentenceSnapshot,
    count_tables,
    learn_sentences,
    read_sentences,
)
from lm_core.models.ngram_counts import CountTable
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.shared import page
from pages.shared.ui import text_input

CONTEXT, LONGEST_CONTEXT = "the cat goes through the", 80
_SEED = 2


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


def choose_sentences() -> tuple[str, int]:
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


@st.cache_resource(max_entries=24, show_spinner="Training")
def learned_from(sentences: str, seed: int) -> Learned:
    """Return a training, done once for all visitors."""
    corpus = read_sentences(sentences)
    with page.model_calls:
        return Learned(corpus, count_tables(corpus), learn_sentences(corpus, seed))


def choose_context() -> str:
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


def read_context(typed: str, sentences: str, corpus: SentenceCorpus) -> Asked:
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
    return page.read_and_say("words_before", typed, read, start)
