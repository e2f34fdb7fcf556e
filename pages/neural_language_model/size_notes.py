"""What sizes buy, beside counting, and how it was measured."""

import pandas as pd
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.n_grams.results import NAMES as NAMES_COUNTED
from lm_core.experiments.n_grams.results import NGramResults
from lm_core.experiments.neural_language_model import study
from lm_core.experiments.published import MAKEMORE_MLP
from pages.neural_language_model.shipped import results
from pages.shared import page

PARTS = ("train", "validation", "test")
SHOWN_FIRST = 3  # longest context whose loss is drawn before the guess


def kneser_ney() -> list[tuple[float, float]]:
    """Return the held-out losses of counting, by context; none where they cannot be read."""
    try:
        scores = NGramResults.load().of_text(NAMES_COUNTED)
    except ResultError as error:
        page.show_error(error, st.warning)
        return []
    return [(score.n - 1, score.kneser_ney) for score in scores if score.n > 1]


def explain_sizes(networks: dict[int, list[study.TrainedNetwork]], hidden_size: int) -> str:
    """Say what more context costs a network, beside a table of counts."""
    many = networks[study.EMBEDDING_SIZES[-1]]
    first, last = many[study.CONTEXT_SIZES.index(SHOWN_FIRST)], many[-1]
    weights = last.config.network.parameter_count
    return (
        f"A table of counts for 8 letters of context has 27⁹ = {27**9:,} places, because it has one"
        f" for every combination. The network has **{weights:,}** weights,"
        f" {weights - first.config.network.parameter_count:,} more than for {SHOWN_FIRST} letters:"
        f" each further letter adds {study.EMBEDDING_SIZES[-1]} × {hidden_size}. Two numbers a letter are"
        " too few: the lines are"
        f" {networks[study.EMBEDDING_SIZES[0]][-1].validation - last.validation:.2f} nats"
        f" apart.{_beside_counting(last.validation)}"
    )


def _beside_counting(loss: float) -> str:
    counted = kneser_ney()
    if not counted:
        return ""
    context, least = min(counted, key=lambda pair: pair[1])
    which = "less" if least < loss else "more"
    return (
        f" Kneser-Ney's least loss, {least:.3f} with {context} letters, is {abs(least - loss):.2f} {which}."
        " The list has some names twice, so counts know some held-out names by heart."
    )


def note_sizes(part: str, asked: page.Asked) -> None:
    """Say how the networks were trained, and what was published."""
    seeds = [t.validation for t in results().of_seeds()]
    published = MAKEMORE_MLP[study.PUBLISHED.context_size]
    st.markdown(
        f"The published sizes ({study.PUBLISHED.context_size} letters, {study.PUBLISHED.embedding_size}"
        f" numbers, {study.PUBLISHED.hidden_size} units) were trained with {len(seeds)} seeds: held-out"
        f" losses from {min(seeds):.3f} to **{max(seeds):.3f}**. makemore's second notebook reports"
        f" {published[1]:.3f} after SGD; here AdamW takes {results().of_seeds()[0].config.steps:,}"
        f" steps of {results().of_seeds()[0].config.batch} letters,"
        f" {results().of_seeds()[0].seconds:.0f} s of one core, so the two are not the same"
        " training."
    )
    if asked.masks:
        return
    rows = [
        (*_sizes(t), t.config.seed, t.config.network.parameter_count, t.train, t.validation, t.test)
        for t in results().grid
    ]
    columns = ["context", "numbers", "hidden units", "seed", "weights", *PARTS]
    st.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True, height=280)


def _sizes(trained: study.TrainedNetwork) -> tuple[int, int, int]:
    n = trained.config.network
    return n.context_size, n.embedding_size, n.hidden_size
