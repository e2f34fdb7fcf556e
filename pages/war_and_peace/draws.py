"""A thousand draws from one distribution: what chance lays over theory."""

import streamlit as st
from pages.war_and_peace.session import GenerationSession

from lm_core.generation.batch_generation import next_character_counts
from lm_core.rng import generator
from pages.shared import charts
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

_MOST_BARS = 70  # as many as there are characters; of more tokens, the most probable


def draws(session: GenerationSession, seed: int) -> None:
    """Draw the next token many times, without writing it."""
    unit = session.vocabulary.unit
    n_draws = control(
        st.select_slider,
        "draws",
        "Draws",
        [10, 30, 100, 300, 1_000, 3_000, 10_000],
        1_000,
        format_func=lambda n: f"{n:,}",
    )
    probabilities = session.generation.chain_trace().probabilities
    counts = next_character_counts(probabilities, n_draws, generator(seed)).numpy()
    order = probabilities.argsort(descending=True, stable=True).numpy()
    symbols = [session.vocabulary.symbols[i] for i in order]
    theory = probabilities.numpy()[order]
    frame = charts.counts_frame(symbols, counts[order], theory)
    show_chart(
        charts.counts_over_theory(frame.head(_MOST_BARS), unit=unit),
        frame,
        key="writing_draws",
        alt=f"Shares of {n_draws} draws of the next {unit} over their probabilities.",
        name="draws",
    )
    outside = int(((frame["share"] < frame["low"]) | (frame["share"] > frame["high"])).sum())
    possible = int((frame["theory"] > 0).sum())
    never = int(((frame["theory"] > 0) & (frame["count"] == 0)).sum())
    st.markdown(
        f"**{n_draws:,} draws** of the next {unit}, after everything on the desk above."
        f" {outside} of {possible} possible {unit}s lie more than two standard errors from"
        f" their probability; {never} were never drawn at all."
    )
