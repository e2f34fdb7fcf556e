"""What is set for the five models, and what each gives the right word once it has learned."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.order_matters.models import MODELS, STEPS, WINDOW, expected, learn
from lm_core.experiments.order_matters.sentences import (
    BETWEEN,
    ORDERS,
    corpus_of,
    words_put_between,
)
from lm_core.models.language_model import LanguageModel
from pages.shared import page

RESTORED = "This order has the words as written, so no model reads anything new."


class Settings(NamedTuple):
    """What the models read, and how."""

    between: int = page.field(
        page.pick,
        "Words put in between",
        tuple(range(len(BETWEEN) + 1)),
        0,
        width=190,
        help="Behind the first word of both sentences, in training, too: "
        + ", ".join(BETWEEN)
        + ". So what decides lies further back.",
    )
    window: int = page.field(page.pick, "Words in the window", (1, 2, 3, 4, 5, 6, 8), 2, width=190)
    order: str = page.field(
        page.choice,
        "Read",
        ORDERS,
        width=240,
        help="How the words before the missing one are read after the training. The hollow dots show the new"
        " probabilities; the filled ones stay, because they are those of the order that was learned.",
    )
    asked_sentence: int = page.folded(page.segments, "Sentence", {1: "the second", 0: "the first"})
    order_steps: int = page.folded(page.pick, "Steps of training", (40, STEPS, 160, 320), STEPS)
    order_seed: int = page.folded(page.number, "Seed of weights and of shuffling", 0, 999, 0)


@st.cache_resource(max_entries=96, show_spinner=False)
def _model(
    name: str, sentences: tuple[str, ...], between: int, window: int, seed: int, steps: int
) -> LanguageModel:
    """Return one of the models after its training, which is done once for all visitors."""
    corpus = words_put_between(corpus_of(*sentences), between)
    with page.page_turns.lent():
        return learn(name, corpus, window=window, seed=seed, steps=steps)


def probabilities_of(
    sentences: tuple[str, ...],
    chosen: Settings,
    before: tuple[int, ...],
    read: tuple[int, ...],
    word: int,
) -> dict[str, tuple[float, float]]:
    """Return each model's probability of the right word, as written and as read."""
    found = {}
    for name in MODELS:
        window = chosen.window if name == WINDOW else 1  # the others are the same for every window
        model = _model(
            name, sentences, chosen.between, window, chosen.order_seed, chosen.order_steps
        )
        with page.model_calls:
            first, second = (float(expected(model, words)[-1, word]) for words in (before, read))
        found[name] = (first, second)
    return found
