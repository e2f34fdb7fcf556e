"""All heads of all layers at once, small, and what each of them does."""

from functools import partial

import pandas as pd
import streamlit as st

from lm_core.analysis.head_patterns import HeadPattern
from pages.attention.choices import Choice, Sentence, described
from pages.attention.measured import (
    Heads,
    habits_here,
    heads_of,
    reading,
)
from pages.shared.components.attention import data_popover, head_pictures

SHORT = {
    "itself": "itself",
    "previous character": "before",
    "first character": "first",
    "start of the word": "start",
    "end of the word before": "gap",
    "same character earlier": "same",
    "after the same character": "after same",
    "after the same two characters": "after same 2",
}
"""Names that fit under a small picture."""

_NAMED_FROM = 0.4
"""A head is named by a rule that gets so much of its attention."""


def all_heads(choice: Choice) -> None:
    """Draw the small pictures; a click chooses the head that everything below shows."""
    config, heads = choice.sentence.config, heads_of(choice)
    names = _names(choice.sentence)
    out = [
        [(i, j) in choice.intervention.heads or i in choice.intervention.layers for j in row]
        for i, row in enumerate([range(config.heads)] * config.layers)
    ]
    changes = described(choice.intervention)
    head_pictures(
        heads.shades,
        (config.layers, config.heads, len(choice.sentence.text)),
        key="all_heads",
        chosen=(choice.layer, choice.head),
        names=[[_short(name) for name in row] for row in names],
        notes=[
            [_note(heads, i, j, name) for j, name in enumerate(row)] for i, row in enumerate(names)
        ],
        out=out,
        is_causal=choice.is_causal,
        label=f"All {config.layers * config.heads} heads{f' ({changes})' if changes else ''}",
        name="attention-all-heads",
        on_choose=choose_head,
    )
    st.caption(
        "Each row is a character that looks, each column one that is looked at; the stronger the"
        f" shade, the larger the weight.{' Hatched: ahead, behind the mask.' * choice.is_causal}"
    )
    data_popover(
        partial(_table, heads, names),
        key="all_heads_data",
        name="heads",
        more={"weights": partial(weights_csv, choice)},
    )


def choose_head(place: list[int]) -> None:
    """Make a head the chosen one; call it in a callback."""
    st.session_state["layer"], st.session_state["head"] = place[0] + 1, place[1] + 1


def _names(sentence: Sentence) -> list[list[HeadPattern | None]]:
    """Return the rule that names each head, layers rows of H; None where none does."""
    best: dict[tuple[int, int], HeadPattern] = {}
    for habit in habits_here(sentence):
        if habit.share >= _NAMED_FROM and habit.share >= 2 * habit.uniform_share:
            best.setdefault((habit.layer, habit.head), habit)
    config = sentence.config
    return [[best.get((i, j)) for j in range(config.heads)] for i in range(config.layers)]


def _short(habit: HeadPattern | None) -> str:
    return f"{SHORT[habit.pattern]} {habit.share:.0%}" if habit else ""


def _note(heads: Heads, layer: int, head: int, habit: HeadPattern | None) -> str:
    name = f"{habit.share:.0%} on {habit.pattern}" if habit else "no rule here names it"
    return (
        f"{name} (as trained); mean entropy {heads.entropy[layer, head]:.1f} bits, mean peak"
        f" {heads.peak[layer, head]:.0%}, {heads.first[layer, head]:.0%} on the first token."
    )


def _table(heads: Heads, names: list[list[HeadPattern | None]]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "layer": i + 1,
            "head": j + 1,
            "what it does": habit.pattern if habit else "",
            "share": habit.share if habit else None,
            "entropy, bits": heads.entropy[i, j],
            "peak": heads.peak[i, j],
            "first token": heads.first[i, j],
        }
        for i, row in enumerate(names)
        for j, habit in enumerate(row)
    )


def weights_csv(choice: Choice) -> str:
    """Return the weights of all heads from one thousandth on, as the model computes them."""
    weights = reading(choice.sentence, choice.intervention).weights
    places = (weights >= 0.001).nonzero()
    frame = pd.DataFrame(places.numpy(), columns=["layer", "head", "query", "key"])
    frame[["layer", "head"]] += 1
    frame["weight"] = weights[tuple(places.T)].numpy().round(5)
    return frame.to_csv(index=False)
