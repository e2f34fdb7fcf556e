"""Which table, which snapshot and which word of it is shown."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.word_space import WordSpace
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.checkpoints import CheckpointMeta
from pages.embeddings.own_vectors import ask_for_vectors
from pages.embeddings.typed_words import read_or_say
from pages.embeddings.vectors import INPUT, MOST_TYPED, TABLES, available, is_own, space_of
from pages.shared import page

_AMONG = {"1,500": 1_500, "5,000": 5_000, "10,000": 10_000, "all": None}
_FIELDS = (
    *("word", "other", "words", "a", "b", "c", "left", "right", "low", "high"),
    *("target_1", "target_2", "attribute_1", "attribute_2"),
)
_NEXT = "next_of_"
_WORD_FIELDS = (("word", "Word", "king"), ("other", "Compared with", "queen"))


class Choice(NamedTuple):
    """What the controls above the pictures say; words by their ids.

    Where no word is asked for, `word` is that of id 0.
    """

    meta: CheckpointMeta
    vocabulary: WordVocabulary
    word: int
    other: int | None
    among: int | None
    subtract_mean: bool

    def space(self, table: str = INPUT) -> WordSpace:
        """Return one of the model's embeddings, with the mean subtracted if the switch says so."""
        return space_of(self.meta, table, subtract_mean=self.subtract_mean)

    @property
    def name(self) -> str:
        """The word itself."""
        return self.vocabulary.words[self.word]

    @property
    def other_name(self) -> str:
        """The word that it is compared with; empty where there is none."""
        return "" if self.other is None else self.vocabulary.words[self.other]

    @property
    def searched(self) -> int:
        """Number of words among which neighbours are searched."""
        return min(self.among or len(self.vocabulary), len(self.vocabulary))


def choose(*, has_words: bool, compares: bool = True) -> tuple[Choice, DeltaGenerator]:
    """Draw the controls side by side; a word without a vector stops the page with a message.

    Parameters
    ----------
    has_words : bool, whether a word is asked for; else the choice has none
    compares : bool, whether another word, to compare it with, is asked for too

    Returns
    -------
    Choice
    DeltaGenerator
        Behind *More*: a place for rarer controls.
    """
    for name in ("word", "other"):
        if (clicked := st.session_state.pop(f"{_NEXT}{name}", None)) is not None:
            st.session_state[name] = clicked
    page.say_limits(dict.fromkeys(_FIELDS, MOST_TYPED))
    fields = _WORD_FIELDS[: 1 + compares] if has_words else ()
    typed = {name: _choose_word(name, label, start) for name, label, start in fields}
    more = st.popover("More", icon=":material/tune:")
    offered = available()
    with more:
        name = page.choice(
            "model", "Vectors", list(offered), format_func=lambda name: offered[name].title
        )
        ask_for_vectors()
        among = page.control(
            st.selectbox,
            "among",
            "Among the most frequent",
            list(_AMONG),
            2,
            help="Vectors of rare words were learned from a few occurrences, so they are less reliable.",
        )
        subtract_mean = page.switch(
            "subtract_mean",
            "Subtract the mean",
            help="Subtracts the mean of all vectors from each of them before cosines are computed,"
            " because what all have in common says nothing about any of them.",
        )
    meta = offered[name]
    vocabulary = space_of(meta, INPUT).vocabulary
    found = {name: _read_one(name, word, meta, vocabulary) for name, word in typed.items()}
    word, other = found.get("word"), found.get("other")
    if word is None:  # what is wrong with it is said; the picture is that of the first word
        word = vocabulary.ids.get(_WORD_FIELDS[0][2], 0)
    return Choice(meta, vocabulary, word, other, _AMONG[among], subtract_mean), more


def _choose_word(name: str, label: str, start: str) -> str:
    """Draw a field; its word is kept while another part of the page is shown."""
    return page.text(name, label, start, max_chars=MOST_TYPED, persist_state="page", width=180)  # fmt: skip


def choose_table(meta: CheckpointMeta, name: str = "embedding") -> str:
    """Draw which of the two embeddings is shown, and return it; of a visitor's file there is one."""
    if is_own(meta):
        return INPUT
    return page.segments(name, "Embedding", TABLES)


def _read_one(
    name: str, typed: str, meta: CheckpointMeta, vocabulary: WordVocabulary
) -> int | None:
    """Return a word's id, or say what is wrong with it and offer what was meant."""
    found = read_or_say(typed, meta, vocabulary, name=name)
    return found.known[0] if found and found.known else None


def follow_click(chart: str, picked: str | None, name: str) -> None:
    """Write a word that was just clicked in a chart into a control, and run the page again."""
    key = f"followed_{chart}"
    is_new = picked is not None and picked != st.session_state.get(key)
    st.session_state[key] = picked
    if is_new and picked != st.session_state.get(name):
        st.session_state[f"{_NEXT}{name}"] = picked
        st.rerun()
