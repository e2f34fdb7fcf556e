"""What the class looks at: a word, one to compare it with, a model, and how cosines are taken."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.word_space import WordSpace
from lm_core.errors import TextError
from lm_core.text.word_queries import (
    WordQuery,
    nearest_spellings,
    parse_words,
    with_word_replaced,
)
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.checkpoints import CheckpointMeta
from pages.embeddings.library import INPUT, TABLES, models, space_of
from pages.shared.ui.controls import control
from pages.shared.ui.text_input import say_limits

_AMONG = {"1,500": 1_500, "5,000": 5_000, "10,000": 10_000, "all": None}
MOST_TYPED = 10_000
"""Characters that a field takes at all: what it takes and cannot be read is answered with a message."""

_FIELDS = ("word", "other", "words", "a", "b", "c", "left", "right", "low", "high")
_NEXT = "next_of_"


class Choice(NamedTuple):
    """All that the controls above the pictures say; words by their ids.

    Where no word is asked for, `word` is that of id 0.
    """

    meta: CheckpointMeta
    vocabulary: WordVocabulary
    word: int
    other: int | None
    among: int | None
    subtract_mean: bool

    def space(self, table: str = INPUT) -> WordSpace:
        """Return one of the model's tables, with the mean or without, as the switch says."""
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
        """Words among which neighbours are sought."""
        return min(self.among or len(self.vocabulary), len(self.vocabulary))


def choose(*, has_words: bool) -> Choice:
    """Draw the controls in one row; a word that cannot be looked at stops the page with a message.

    Parameters
    ----------
    has_words : bool
        Whether the word and the one to compare it with are asked for; else the choice has none.
    """
    for name in ("word", "other"):
        if (clicked := st.session_state.pop(f"{_NEXT}{name}", None)) is not None:
            st.session_state[name] = clicked
    say_limits(dict.fromkeys(_FIELDS, MOST_TYPED))
    shares = [1.9, 1.6, 2.1] if has_words else [1.6, 2.1]
    *words, model, view = st.columns(shares, vertical_alignment="bottom", gap="small")
    typed = _choose_words(words[0]) if has_words else None
    with model:
        name = control(
            st.selectbox,
            "model",
            "Vectors",
            list(models()),
            format_func=lambda name: models()[name].title,
        )
    with view, st.container(horizontal=True, wrap=False, vertical_alignment="bottom"):
        among = control(
            st.selectbox,
            "among",
            "Among the commonest",
            list(_AMONG),
            2,
            help="Words that stand in the text a few times have vectors learned from little.",
        )
        subtract_mean = control(
            st.toggle,
            "subtract_mean",
            "Subtract the mean",
            help="Takes the mean of all vectors off each of them before cosines are taken.",
        )
    meta = models()[name]
    vocabulary = space_of(meta, INPUT).vocabulary
    if typed is None:
        return Choice(meta, vocabulary, 0, None, _AMONG[among], subtract_mean)
    first = _read_one("word", typed[0], meta, vocabulary)
    if first is None:
        st.stop()
    second = _read_one("other", typed[1], meta, vocabulary)
    return Choice(meta, vocabulary, first, second, _AMONG[among], subtract_mean)


def _choose_words(place: DeltaGenerator) -> tuple[str, str]:
    """Draw the two fields; what stands in them is kept while another part of the page is looked at."""
    with place, st.container(horizontal=True, wrap=False):
        word, other = (
            control(st.text_input, name, label, start, max_chars=MOST_TYPED, persist_state="page")
            for name, label, start in (
                ("word", "Word", "king"),
                ("other", "Compared with", "queen"),
            )
        )
    return word, other


def choose_table(name: str = "table") -> str:
    """Draw which of the two tables is looked at, and return it."""
    return control(st.segmented_control, name, "Table", TABLES, default=TABLES[0], required=True)


def _read_one(
    name: str, typed: str, meta: CheckpointMeta, vocabulary: WordVocabulary
) -> int | None:
    """Return a word's id, or say what is wrong with it and offer what was meant."""
    found = read_or_say(typed, meta, vocabulary, name=name)
    return found.known[0] if found and found.known else None


def read_or_say(
    typed: str,
    meta: CheckpointMeta,
    vocabulary: WordVocabulary,
    *,
    name: str,
    fewest: int = 1,
    most: int = 1,
) -> WordQuery | None:
    """Return the words that were typed; say what cannot be read, and of unknown ones what is near.

    Parameters
    ----------
    typed : str
    meta : CheckpointMeta
    vocabulary : WordVocabulary
    name : str
        Of the control that they were typed into: a click on a suggestion writes there.
    fewest, most : int
    """
    try:
        found = parse_words(typed, vocabulary, fewest=fewest, most=most)
    except TextError as error:
        st.error(str(error), icon=":material/abc:")
        return None
    for word in found.unknown:
        _say_unknown(word, typed, meta, vocabulary, name)
    return found


def _say_unknown(
    word: str, typed: str, meta: CheckpointMeta, vocabulary: WordVocabulary, name: str
) -> None:
    shown = word if len(word) <= 30 else f"{word[:30]}…"
    least = meta.recipe.get("minimum_count", 1)
    alike = _alike(word, meta.weights_sha256, vocabulary)
    st.error(
        f"**{shown}** has no vector: it stands fewer than {least} times in the training text."
        + (" Spelled nearly so:" if alike else " No word is spelled nearly so."),
        icon=":material/search_off:",
    )
    with st.container(horizontal=True):
        for other in alike:
            st.button(
                other,
                key=f"instead_{name}_{word}_{other}",
                on_click=_write,
                args=(name, with_word_replaced(typed, word, other)),
            )


@st.cache_data(max_entries=256, show_spinner=False)
def _alike(word: str, weights_sha256: str, _vocabulary: WordVocabulary) -> list[str]:
    del weights_sha256  # part of the key, in place of the vocabulary
    return nearest_spellings(word, _vocabulary.words)


def _write(name: str, text: str) -> None:
    st.session_state[name] = text


def follow_click(chart: str, picked: str | None, name: str) -> None:
    """Write a word that was just clicked in a chart into a control, and run the page again."""
    key = f"followed_{chart}"
    is_new = picked is not None and picked != st.session_state.get(key)
    st.session_state[key] = picked
    if is_new and picked != st.session_state.get(name):
        st.session_state[f"{_NEXT}{name}"] = picked
        st.rerun()
