"""Which models judge the pairs: their titles, their lines, and what they have read."""

from collections.abc import Sequence

import streamlit as st

from lm_core.experiments.minimal_pairs.results import MinimalPairResults
from lm_core.experiments.minimal_pairs.unigram import UNIGRAM, UNIGRAM_TITLE
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, GREY, PURPLE
from pages.shared.models.book_models import BEST_WRITER, finished_models, snapshots_of

STEPS_OF = "book-subword-transformer"
"""The model whose steps of training are shipped and were scored."""
_SHOWN = (UNIGRAM, "book-ngram", "full-lstm", STEPS_OF, BEST_WRITER)
_SHORT = dict(
    zip(
        _SHOWN,
        ("unigram", "n-gram", "LSTM, 1 book", "transformer, 1 book", "transformer, 33 books"),
        strict=True,
    )
)
"""What those are called in pictures, where there is no room for their sizes."""
_COLOURS = {
    "KneserNeyConfig": GREY,
    "LSTMLanguageModelConfig": BLUE,
    "TransformerLanguageModelConfig": PURPLE,
}


def titles() -> dict[str, str]:
    """Return the models to choose from, by name: the one that counts single words first, the best writer last."""
    found = finished_models()
    order = sorted(found, key=lambda name: _SHOWN.index(name) if name in _SHOWN else 2)
    return {UNIGRAM: UNIGRAM_TITLE} | {name: found[name] for name in order}


def scored_titles() -> dict[str, str]:
    """Return the titles of those that were put to the benchmark, by name, in the same order."""
    scored = page.shipped(MinimalPairResults).models
    return {name: title for name, title in titles().items() if name in scored}


def choose_models(offered: dict[str, str]) -> list[str]:
    """Draw which models are compared, and return their names in the order in which they are offered."""
    shown = [name for name in _SHOWN if name in offered]
    chosen = page.several("models", "Models", offered, shown)
    return [name for name in offered if name in (chosen or shown)]


def short_title(name: str) -> str:
    """Return what a model is called in pictures."""
    return _SHORT.get(name) or titles()[name]


def styles_of(names: Sequence[str]) -> dict[str, page.LineStyle]:
    """Return how each model's line is drawn, by short title: a colour by family, and a dash within it."""
    styles: dict[str, page.LineStyle] = {}
    for name in sorted(names, key=lambda name: name != BEST_WRITER):
        colour = _colour(name)
        dash = sum(style.colour == colour for style in styles.values()) % 3
        styles[short_title(name)] = page.LineStyle(colour, dash)
    return styles


@st.cache_data(max_entries=64, show_spinner=False)
def _colour(name: str) -> str:
    if name == UNIGRAM:
        return GREY
    return _COLOURS.get(str(snapshots_of(name)[-1].config["family"]), GREEN)
