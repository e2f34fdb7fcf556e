"""Which is less unsure of the next word: the network, counts, or both together."""

import math

import pandas as pd
import streamlit as st

from lm_core.experiments.neural_language_model.words import WordLosses
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import GREEN, GREY, ORANGE

NETWORK, _COUNTS, _BOTH = "network", "Kneser-Ney", "both, half and half"
HEIGHT, _LOW = 300, 240  # of the charts on the first screen, and of the one below it, in pixels


def draw_perplexities(losses: WordLosses, asked: page.Asked) -> None:
    """Draw the perplexity of counts by words of context, beside the network and both together."""
    counted = [(k, math.exp(loss)) for k, loss in enumerate(losses.kneser_ney)]
    n_words, last = counted[-1]
    lines, rings = {_COUNTS: counted}, {}
    styles = {_COUNTS: LineStyle(GREY, 1), NETWORK: LineStyle(GREEN), _BOTH: LineStyle(ORANGE, 2)}
    title = f"Perplexity of held-out words, by words of context: {_COUNTS} {last:.0f}"
    if not asked.masks:
        rings = {
            NETWORK: [(n_words, math.exp(losses.network))],
            _BOTH: [(n_words, math.exp(losses.mixture))],
        }
        title += "".join(f", {name} {pairs[0][1]:.0f}" for name, pairs in rings.items())
    guess = asked.at(lambda value: (n_words, last * (1 + value.typical)))
    st.markdown(f"**{title}**")
    page.show_chart(
        line_chart(
            lines,
            styles,
            Axis("words of context", (0, n_words), values=tuple(range(n_words + 1))),
            Axis("perplexity", (80.0, 350.0), True, (80, 100, 150, 200, 300)),
            rings=rings,
            guess=guess,
            has_points=True,
            height=_LOW,
        ),
        pd.DataFrame(
            [(name, *pair) for name, pairs in (lines | rings).items() for pair in pairs],
            columns=["model", "words", "perplexity"],
        ),
        key="words_perplexity_chart",
        alt=title,
        name="perplexity-of-words",
        is_small=True,
    )
