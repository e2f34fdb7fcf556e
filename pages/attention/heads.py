"""All heads at once: small pictures, and one number for each of them."""

from functools import partial

import pandas as pd
import streamlit as st

from lm_core.analysis.head_patterns import HeadPattern
from pages.attention import traces
from pages.attention.interventions import described
from pages.attention.patterns import clear_patterns, clear_patterns_on_the_book
from pages.shared.components.attention import data_popover, head_pictures
from pages.shared.csv_files import safe_csv
from pages.shared.numbers import percent

SHORT = {
    "itself": "itself",
    "previous token": "before",
    "first token": "first",
    "start of the word": "start",
    "end of the word before": "gap",
    "start of the sentence": "sentence",
    "same token earlier": "same",
    "token after the same token": "after same",
    "token after the same two tokens": "after same 2",
    "name of a pronoun": "name",
    "opening quote": "quote",
}
"""Names that fit under a small picture."""


# Small pictures -------------------------------------------------------------------------------


def all_heads(choice: traces.Choice) -> None:
    """Draw the small pictures; a click chooses the head that everything below shows."""
    config, heads = choice.sentence.config, choice.heads
    patterns = clear_patterns(choice.sentence)
    is_ablated = [
        [
            (i, j) in choice.intervention.heads or i in choice.intervention.layers
            for j in range(config.heads)
        ]
        for i in range(config.layers)
    ]
    changes = described(choice.intervention)
    head_pictures(
        heads.shades,
        (config.layers, config.heads, len(choice.sentence.symbols)),
        key="all_heads",
        chosen=(choice.layer, choice.head),
        names=[
            [f"{SHORT[p.pattern]} {percent(p.share)}" if p else "" for p in row] for row in patterns
        ],
        notes=[
            [_note(here, on_the_book) for here, on_the_book in zip(*rows, strict=True)]
            for rows in zip(patterns, clear_patterns_on_the_book(choice.sentence), strict=True)
        ],
        is_ablated=is_ablated,
        is_causal=choice.is_causal,
        label=f"All {config.layers * config.heads} heads{f' ({changes})' if changes else ''}",
        name="attention-all-heads",
        on_choose=_choose_head,
    )


def heads_data(choice: traces.Choice) -> None:
    """Fold away the numbers of all heads."""
    data_popover(
        partial(_table, choice),
        key="all_heads_data",
        name="heads",
        more={"weights": partial(weights_csv, choice)},
    )


def _choose_head(place: list[int]) -> None:
    st.session_state["layer"], st.session_state["head"] = place[0] + 1, place[1] + 1


def _note(here: HeadPattern | None, on_the_book: HeadPattern | None) -> str:
    """Return what a head attends to: on the sentence if that is clear, or else on the book."""
    if here:
        return f"{here.pattern} {percent(here.share)}"
    if on_the_book:
        return f"on the book: {on_the_book.pattern} {percent(on_the_book.share)}"
    return "no clear pattern"


def _table(choice: traces.Choice) -> pd.DataFrame:
    heads = choice.heads
    return pd.DataFrame(
        {
            "layer": i + 1,
            "head": j + 1,
            "pattern": pattern.pattern if pattern else "",
            "share": pattern.share if pattern else None,
            "entropy, bits": heads.entropy[i, j],
            "peak": heads.peak[i, j],
            "first token": heads.first[i, j],
        }
        for i, row in enumerate(clear_patterns(choice.sentence))
        for j, pattern in enumerate(row)
    )


def weights_csv(choice: traces.Choice) -> str:
    """Return the weights of all heads from one thousandth on, as the model computes them."""
    weights = choice.trace.weights
    places = (weights >= 0.001).nonzero()
    frame = pd.DataFrame(places.numpy(), columns=["layer", "head", "query", "key"])
    frame[["layer", "head"]] += 1
    frame["weight"] = weights[tuple(places.T)].numpy().round(5)
    return safe_csv(frame)


# One number for each head ---------------------------------------------------------------------


def name_of(place: tuple[int, ...]) -> str:
    """Return layer and head as they are counted on the page."""
    return f"{place[0] + 1}.{place[1] + 1}"
