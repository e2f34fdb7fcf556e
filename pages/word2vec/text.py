"""The text that is learned from, the settings of the training, and the window that slides over the text."""

from itertools import pairwise
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
from lm_core.text.training_text import load_body
from lm_core.text.word_vocabulary import find_words_of_any_script
from pages.shared import page
from pages.shared.components.texts import ABSENT, MIDDLE, WINDOW, Passage, show_passages
from pages.shared.trainings.training_requests import training_setting
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.messages import show_error
from pages.word2vec.network import are_trained, ask_for_company, draw_network, how_to_read
from pages.word2vec.own_text import own_text

SYNTHETIC, BOOK, OWN = "Synthetic", "War and Peace, its beginning", "Your own"
_SENTENCES, _BOOK_CHARACTERS = 1_500, 180_000
_PARAGRAPH = 200  # characters of the first one that is read: titles and contents are shorter


class Material(NamedTuple):
    """A text, ready to be learned from, and how it is to be learned."""

    kind: str
    text: str
    short: ShortText
    minimum_count: int  # how often a word must occur to get a vector
    config: FullSoftmaxConfig

    @property
    def settings(self) -> tuple[str, int, FullSoftmaxConfig]:
        """What a training depends on."""
        return self.kind, hash((self.text, self.short.vocabulary.words)), self.config


def choose_material() -> Material:
    """Draw the choice of text and settings; the synthetic text stands in for one that cannot be used."""
    kinds = (SYNTHETIC, *((BOOK,) if locate(WAR_AND_PEACE.name) else ()), OWN)
    columns = st.columns([1.6, 1.6, 1], vertical_alignment="bottom", gap="medium")
    with columns[0]:
        kind = page.choice("text", "Text", kinds)
    with columns[1]:
        window = page.slider("window", "Window: words to each side", 1, 8, 4)
    with columns[2], st.popover("More", icon=":material/tune:") as more:
        minimum_count, config = _rarer_settings(window)
    try:
        kind, text, short = _read(kind, minimum_count)
    except (TextError, CorpusError) as error:
        show_error(error, icon=":material/text_fields:")
        kind, text, short = _read(SYNTHETIC, minimum_count)
    more.caption(_what_is_read(short, minimum_count))
    return Material(kind, text, short, minimum_count, config)


def _read(kind: str, minimum_count: int) -> tuple[str, str, ShortText]:
    """Return the kind of text on screen, the text, and what of it can be learned from.

    Raises TextError if a visitor's own text cannot be learned from, and CorpusError if the book is
    not here, or is another.
    """
    if kind != OWN:
        text = _given_text(kind)
        return kind, text, _short(text, minimum_count)
    own = own_text(minimum_count)
    if own is None:
        return _read(SYNTHETIC, minimum_count)
    return kind, *own


def _rarer_settings(window: int) -> tuple[int, FullSoftmaxConfig]:
    least = training_setting(st.slider, "least", "Minimum count of a word", 1, 20, 5)
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
    return least, config


@st.cache_data(max_entries=2, show_spinner=False)
def _given_text(kind: str) -> str:
    if kind == SYNTHETIC:
        return synthetic_text(_SENTENCES, generator(1))
    text = load_body()
    first = next((p for p in text.split("\n\n") if len(p) >= _PARAGRAPH), "")
    return text[text.index(first) :][:_BOOK_CHARACTERS]


@st.cache_resource(max_entries=16, show_spinner=False)
def _short(text: str, minimum_count: int) -> ShortText:
    return short_text(text, minimum_count)


def _what_is_read(short: ShortText, minimum_count: int) -> str:
    cut = f", of which the first {MOST_WORDS:,} are used" if short.n_words > MOST_WORDS else ""
    full = f" (no more than {MOST_VECTORS} here)" if len(short.vocabulary) == MOST_VECTORS else ""
    left_out = min(short.n_words, MOST_WORDS) - len(short.ids)
    rest = (
        f"The others are left out: {len(short.ids):,} words remain to learn from."
        if left_out
        else "No word is left out."
    )
    times = "once" if minimum_count == 1 else f"{minimum_count} times"
    return (
        f"{short.n_words:,} words{cut}; **{len(short.vocabulary):,}** different ones occur"
        f" {times} or more and get a vector{full}. {rest}"
    )


# The window -----------------------------------------------------------------------------------

PLACE = "place"
SHOWN = 26
"""Words of the text over which the window slides."""

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
    """A word of the text: as it appears there, what follows it, and as it is read."""

    text: str
    after: str
    word: str


def _first_words(material: Material) -> list[ShownWord]:
    text = material.text[:_PREVIEW]
    found = find_words_of_any_script(text)[: SHOWN + 1]
    return [
        ShownWord(text[each.begin : each.end], text[each.end : after.begin], each.word)
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
    screen = first_screen(picture=3.2, beside=1.0)
    with screen.controls if has_network else screen.picture:
        _text_with_window(words, known, known[k], near, material.minimum_count)
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
