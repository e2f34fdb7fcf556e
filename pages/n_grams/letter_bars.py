"""What comes after a context: its letters by how often they follow."""

import numpy as np
import streamlit as st

from lm_core.experiments.n_grams.results import SYMBOLS_OF
from pages.n_grams.counted import OF, Spelled, results
from pages.shared import page
from pages.shared.charts import predictions
from pages.shared.numbers import percent
from pages.shared.ui.markdown import as_code

HEIGHT = 260
_HIDDEN = "?"


def context_as_code(spelled: Spelled, place: int, n: int) -> str:
    """Return the context of a place as inline code."""
    symbols = SYMBOLS_OF[spelled.counted]
    context = "".join(symbols[i] for i in spelled.context(place, n))
    return as_code(context) if context else "nothing"


def name_of(symbol: str) -> str:
    """Return what a symbol is called."""
    return {" ": "a space", ".": "the end (.)"}.get(symbol, symbol)


def draw_bars(spelled: Spelled, n: int, place: int, row: np.ndarray, asked: page.Asked) -> None:
    """Draw the letters after a context by their probability."""
    symbols, total = SYMBOLS_OF[spelled.counted], int(row.sum())
    context = context_as_code(spelled, place, n)
    if not total:
        least = results().minimum[spelled.counted][len(spelled.context(place, n))]
        st.info(
            f"{OF[spelled.counted].capitalize()} never have {context}"
            + (f", or fewer than {least} times" if least > 1 else "")
            + ": plain counts predict nothing here. Lower n."
        )
        return
    is_masked = asked.masks
    marked: int | None = spelled.ids[place]
    mark = "in your word"
    if is_masked:
        symbols, marked = (_HIDDEN,) * len(symbols), None
    elif asked.prediction is not None and asked.guess is not None:
        named = {name_of(symbol): i for i, symbol in enumerate(symbols)}
        marked, mark = named[asked.guess], "your guess"
    table = predictions.prediction_table(symbols, {"": row / total}, most=7, marked=marked)
    st.markdown(f"**After {context}, seen {total:,} times:**")
    best = np.argsort(-row, kind="stable")[:4].tolist()
    page.show_chart(
        predictions.prediction_bars(table, unit="letter", mark=mark, height=HEIGHT),
        key="n_grams_next",
        alt="Letters wait for the guess."
        if is_masked
        else "; ".join(f"{name_of(symbols[i])} {percent(row[i] / total, 1)}" for i in best),
        name="next-letter",
    )
