"""The text that is learned from, and the settings of the training."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import CorpusError, TextError
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.short_text import (
    MOST_VECTORS,
    MOST_WORDS,
    KeptWords,
    ShortText,
    VectorConfig,
    short_text,
    synthetic_text,
)
from lm_core.rng import generator
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.corpora import locate
from lm_core.text.training_text import load_body
from pages.shared import page
from pages.shared.trainings.training_requests import training_setting
from pages.word2vec.own_text import own_text

SYNTHETIC, BOOK, OWN = "Synthetic", "War and Peace, its beginning", "Your own"
_SENTENCES, _BOOK_CHARACTERS = 1_500, 180_000
_LEAVE_OUT, _MAP = "leave out", f"map to {UNKNOWN}"
_PARAGRAPH = 200  # characters of the first one that is read: titles and contents are shorter


class Material(NamedTuple):
    """A text, ready to be learned from, and how it is to be learned."""

    kind: str
    text: str
    short: ShortText
    kept: KeptWords
    config: VectorConfig

    @property
    def settings(self) -> tuple[str, int, VectorConfig]:
        """What a training depends on."""
        return self.kind, hash((self.text, self.short.vocabulary.words)), self.config

    @property
    def unit(self) -> str:
        """Of what the loss is a mean."""
        return "nats a word" if isinstance(self.config, FullSoftmaxConfig) else "nats a pair"


def choose_material() -> Material:
    """Draw the choice of text and settings; the synthetic text stands in for one that cannot be used."""
    kinds = (SYNTHETIC, *((BOOK,) if locate(WAR_AND_PEACE.name) else ()), OWN)
    columns = st.columns([1.6, 1.6, 1], vertical_alignment="bottom", gap="medium")
    with columns[0]:
        kind = page.choice("text", "Text", kinds)
    with columns[1]:
        window = page.slider("window", "Window: words to each side", 1, 8, 4)
    with columns[2], st.popover("More", icon=":material/tune:") as more:
        kept, config = _rarer_settings(window)
    try:
        kind, text, short = _read(kind, kept)
    except (TextError, CorpusError) as error:
        page.show_error(error, icon=":material/text_fields:")
        kind, text, short = _read(SYNTHETIC, kept)
    more.caption(_what_is_read(short, kept.minimum_count))
    return Material(kind, text, short, kept, config)


def _read(kind: str, kept: KeptWords) -> tuple[str, str, ShortText]:
    """Return the kind of text on screen, the text, and what of it can be learned from.

    Raises TextError if a visitor's own text cannot be learned from, and CorpusError if the book is
    not here, or is another.
    """
    if kind != OWN:
        text = _given_text(kind)
        return kind, text, _short(text, kept)
    own = own_text(kept)
    if own is None:
        return _read(SYNTHETIC, kept)
    return kind, *own


def _rarer_settings(window: int) -> tuple[KeptWords, FullSoftmaxConfig]:
    minimum_count = training_setting(st.slider, "least", "Minimum count of a word", 1, 20, 5)
    rare = training_setting(
        st.segmented_control,
        "rare",
        "Rarer words",
        (_LEAVE_OUT, _MAP),
        default=_LEAVE_OUT,
        required=True,
        help=f"Left out, they make their neighbours adjacent. Mapped to `{UNKNOWN}`, they keep their places and"
        " share one vector, as in the published run, because each alone is too rare to learn one of its own.",
    )
    width = training_setting(st.select_slider, "width", "Vector size", (2, 8, 16, 32), 32)
    epochs = training_setting(st.slider, "epochs", "Epochs", 1, 15, 10)
    rate = training_setting(st.select_slider, "rate", "Learning rate", (0.01, 0.03, 0.1, 0.3), 0.1)
    is_short = training_setting(
        st.toggle,
        "max_norm",
        "Limit input embeddings to length 1",
        True,
        help="As in the published run: blog series, part II, and its notebook.",
    )
    seed = int(training_setting(st.number_input, "seed", "Seed", 0, 9_999, 1))
    config = FullSoftmaxConfig(
        width=width,
        window=window,
        max_norm=1.0 if is_short else None,
        epochs=epochs,
        learning_rate=rate,
        batch=256,
        seed=seed,
    )
    return KeptWords(minimum_count, rare == _MAP), config


@st.cache_data(max_entries=2, show_spinner=False)
def _given_text(kind: str) -> str:
    if kind == SYNTHETIC:
        return synthetic_text(_SENTENCES, generator(1))
    text = load_body()
    first = next((p for p in text.split("\n\n") if len(p) >= _PARAGRAPH), "")
    return text[text.index(first) :][:_BOOK_CHARACTERS]


@st.cache_resource(max_entries=16, show_spinner=False)
def _short(text: str, kept: KeptWords) -> ShortText:
    return short_text(text, *kept)


def _what_is_read(short: ShortText, minimum_count: int) -> str:
    cut = f", of which the first {MOST_WORDS:,} are used" if short.n_words > MOST_WORDS else ""
    full = f" (no more than {MOST_VECTORS} here)" if len(short.vocabulary) == MOST_VECTORS else ""
    left_out = min(short.n_words, MOST_WORDS) - len(short.ids)
    rest = (
        f"The others are left out: {len(short.ids):,} words remain to learn from."
        if left_out
        else "No word is left out."
    )
    if UNKNOWN in short.vocabulary:
        mapped = short.vocabulary.counts[short.vocabulary.ids[UNKNOWN]]
        rest = f"The others, {mapped:,} of {len(short.ids):,} words, are read as one word, `{UNKNOWN}`."
    times = "once" if minimum_count == 1 else f"{minimum_count} times"
    n_frequent = len(short.vocabulary) - (UNKNOWN in short.vocabulary)
    return (
        f"{short.n_words:,} words{cut}; **{n_frequent:,}** different ones occur"
        f" {times} or more and get a vector{full}. {rest}"
    )
