"""Letters that come one after another: the unrolled network, and what each step predicts."""

import numpy as np
import streamlit as st

from lm_core.experiments.sequence_models.inference import LetterStep
from lm_core.text.symbols import LETTERS
from pages.sequence_models.letters_chart import letters_chart, letters_table
from pages.sequence_models.unrolled_network_chart import Unrolled, unrolled_chart, unrolled_table
from pages.shared.charts.predictions import (
    bars_in_words,
    drawn_shares,
    percentage,
    prediction_bars,
    prediction_table,
)
from pages.shared.ui.figures import show_chart

HEIGHT = 290


def draw_diagram(key: str, network: Unrolled, *, title: str, alt: str, name: str) -> None:
    """Draw the unrolled network."""
    st.markdown(f"**{title}**")
    table = unrolled_table(network)
    show_chart(
        unrolled_chart(table, height=HEIGHT), table, key=f"{key}_diagram", alt=alt, name=name
    )


def letter_steps(key: str, steps: tuple[LetterStep, ...], *, name: str, right: str = "") -> None:
    """Draw the distribution of every letter, and of the least certain one its best candidates.

    `right`: str, the letters that would be right, if that is known.
    """
    symbols = ["⊣", *LETTERS]
    i = min(range(len(steps)), key=lambda i: max(steps[i].probabilities))
    letter = steps[i].letter or "⊣"
    left, beside = st.columns([1, 1.35], gap="medium")
    with left:
        marked = symbols.index(right[i] if i < len(right) else letter)
        table = prediction_table(symbols, {"": np.array(steps[i].probabilities)}, marked=marked)
        shares = drawn_shares(table)
        likeliest = next(iter(shares))
        title = f"Least certain step, {i + 1}: {letter} with {percentage(shares[letter])}"
        if letter != likeliest:
            title += f"; {likeliest} had {percentage(shares[likeliest])}"
        st.markdown(f"**{title}**")
        show_chart(
            prediction_bars(table, unit="letter", mark="right" if right else "drawn"),
            key=f"{key}_least_certain",
            alt=f"{title}. The bars: {bars_in_words(table)}.",
            name=f"{name}-least-certain",
        )
    with beside:
        predicted = ", ".join(step.letter or "⊣" for step in steps)
        st.markdown("**All letters at each step**")
        table = letters_table(
            [step.letter for step in steps], [step.probabilities for step in steps], LETTERS
        )
        show_chart(
            letters_chart(table, height=350),
            key=f"{key}_letters",
            alt=f"{len(steps)} rows of 27 probabilities; predicted: {predicted}.",
            name=f"{name}-letters",
        )
