"""A word letter by letter, with the probability of each."""

import streamlit as st

from lm_core.experiments.n_grams.results import SYMBOLS_OF
from pages.n_grams.counted import Spelled
from pages.n_grams.letter_bars import HEIGHT
from pages.shared import page
from pages.shared.charts import predictions
from pages.shared.charts.palette import PURPLE
from pages.shared.numbers import percent

_MOST_LETTERS = 8  # letters of a word that are drawn at once
INSPECTED = "n_grams_inspected"


def draw_word(spelled: Spelled, n: int, place: int, own: list[float], *, is_masked: bool) -> None:
    """Draw the probability of each letter of the word; a click chooses one of them."""
    first = min(max(0, place - _MOST_LETTERS // 2), max(0, len(own) - _MOST_LETTERS))
    shown = range(first, min(first + _MOST_LETTERS, len(own)))
    symbols = SYMBOLS_OF[spelled.counted]
    candidates = [
        (
            i,
            spelled.symbols[i] + "|" + "".join(symbols[s] for s in spelled.context(i, n)),
            0.0 if is_masked and i == place else own[i],
        )
        for i in shown
    ]
    table = predictions.candidate_table(candidates, len(candidates), marked=place)
    st.markdown("**Letter by letter:**")
    selected = page.show_chart(
        predictions.prediction_bars(
            table,
            unit="letter",
            mark="which?" if is_masked else "chosen",
            colour=PURPLE,
            height=HEIGHT,
        ),
        key="n_grams_word",
        alt="Each letter after those before it: "
        + "; ".join(
            f"{symbol} {percent(p, 1)}"
            for i, symbol, p in candidates
            if not (is_masked and i == place)
        ),
        name="chain-rule",
        selectable=True,
    )
    if not page.is_presenting():
        st.caption("Tap a letter: what else came after the same ones.")
    clicked = predictions.picked_id(selected)
    if clicked is not None and clicked != place:
        st.session_state[INSPECTED] = ("".join(spelled.symbols), clicked)
        st.rerun()
