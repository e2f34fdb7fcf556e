"""The text that is learned from, and the settings of the training."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import CorpusError, TextError
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.short_text import (
    MOST_VECTORS,
    MOST_WORDS,
    ShortText,
    short_text,
    synthetic_text,
)
from lm_core.rng import generator
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import locate
from lm_core.text.own_text import read_own_text
from lm_core.text.training_text import load_body
from pages.shared.ui.controls import control

MADE, BOOK, OWN = "Made by rule", "War and Peace, its beginning", "Your own"
LARGEST_BYTES = 300_000
_OWN_KEPT = "own_text_read"
_SENTENCES, _BOOK_CHARACTERS = 1_500, 180_000
_PARAGRAPH = 200  # characters of the first one that is read: titles and contents are shorter


class Material(NamedTuple):
    """A text, ready to be learned from, and how it is to be learned.

    Attributes
    ----------
    kind : str
    text : str
    short : ShortText
    config : FullSoftmaxConfig
    """

    kind: str
    text: str
    short: ShortText
    config: FullSoftmaxConfig

    @property
    def settings(self) -> tuple[str, int, FullSoftmaxConfig]:
        """What a training hangs on."""
        return self.kind, hash((self.text, self.short.vocabulary.words)), self.config


def choose_material() -> Material:
    """Draw the choice of text and settings; a text that cannot be learned from stops the page."""
    kinds = (MADE, *((BOOK,) if locate(WAR_AND_PEACE.name) else ()), OWN)
    columns = st.columns([1.6, 1.6, 1], vertical_alignment="bottom", gap="medium")
    with columns[0]:
        kind = control(st.selectbox, "text", "Text", kinds)
    with columns[1]:
        window = control(st.slider, "window", "Window: words to each side", 1, 8, 4)
    with columns[2], st.popover("More", icon=":material/tune:"):
        minimum_count, config = _rarer_settings(window)
    own = _own_text() if kind == OWN else ""
    if kind == OWN and not own.strip():
        st.info("Paste a text to learn from, then press Ctrl+Enter or leave the field.")
        st.stop()
    try:
        text = own if kind == OWN else _given_text(kind)
        if kind == OWN:
            text = read_own_text(own, largest_bytes=LARGEST_BYTES, shortest=1).text
        short = _own_short(text, minimum_count) if kind == OWN else _short(text, minimum_count)
    except (TextError, CorpusError) as error:
        st.error(str(error), icon=":material/text_fields:")
        st.stop()
    st.caption(_what_is_read(short, minimum_count))
    return Material(kind, text, short, config)


def _rarer_settings(window: int) -> tuple[int, FullSoftmaxConfig]:
    least = control(st.slider, "least", "Fewest times a word must stand there", 1, 20, 5)
    width = control(st.select_slider, "width", "Numbers a vector", (2, 8, 16, 32), 32)
    epochs = control(st.slider, "epochs", "Times through the text", 1, 15, 10)
    rate = control(st.select_slider, "rate", "Learning rate", (0.01, 0.03, 0.1, 0.3), 0.1)
    is_short = control(
        st.toggle, "max_norm", "Vectors read are at most 1 long", True, help="As in the source."
    )
    seed = int(control(st.number_input, "seed", "Seed", 0, 9_999, 1))
    config = FullSoftmaxConfig(
        width=width,
        window=window,
        max_norm=1.0 if is_short else None,
        epochs=epochs,
        learning_rate=rate,
        batch=256,
        seed=seed,
    )
    return least, config


def _own_text() -> str:
    st.caption(
        "Your text is kept for this visit alone: a link does not carry it, and nobody else sees it."
    )
    return st.text_area(
        f"Your text, at most {LARGEST_BYTES // 1000} kB",
        key="own_text",
        persist_state="session",
        height=150,
        placeholder="Paste a few pages: a fairy tale, an article, song texts. Words of the"
        " letters a to z are read, accents are left out.",
    )


@st.cache_data(max_entries=2, show_spinner=False)
def _given_text(kind: str) -> str:
    if kind == MADE:
        return synthetic_text(_SENTENCES, generator(1))
    text = load_body()
    first = next((p for p in text.split("\n\n") if len(p) >= _PARAGRAPH), "")
    return text[text.index(first) :][:_BOOK_CHARACTERS]


@st.cache_resource(max_entries=16, show_spinner=False)
def _short(text: str, minimum_count: int) -> ShortText:
    return short_text(text, minimum_count)


def _own_short(text: str, minimum_count: int) -> ShortText:
    """Return a visitor's text ready to be learned from; it is kept for the visit, never shared."""
    kept = st.session_state.get(_OWN_KEPT)
    if kept is None or kept[0] != (text, minimum_count):
        kept = ((text, minimum_count), short_text(text, minimum_count))
        st.session_state[_OWN_KEPT] = kept
    return kept[1]


def _what_is_read(short: ShortText, minimum_count: int) -> str:
    cut = f", of which the first {MOST_WORDS:,} are read" if short.n_words > MOST_WORDS else ""
    full = f" (no more than {MOST_VECTORS} here)" if len(short.vocabulary) == MOST_VECTORS else ""
    left_out = min(short.n_words, MOST_WORDS) - len(short.ids)
    rest = (
        f"The others are left out: {len(short.ids):,} places are left to learn from."
        if left_out
        else "No word is left out."
    )
    times = "once" if minimum_count == 1 else f"{minimum_count} times"
    return (
        f"{short.n_words:,} words{cut}; **{len(short.vocabulary):,}** different ones stand there"
        f" {times} or more and get a vector{full}. {rest}"
    )
