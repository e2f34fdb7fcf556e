"""What the measurements say, with the numbers that are drawn."""

import streamlit as st

from lm_core.experiments.attention_cost.results import HEADS, N_FEATURES, WIDTH, WINDOW
from pages.attention_cost.measured import Measured
from pages.attention_cost.picture import FUSED, LINEAR, LOCAL, NAIVE

_ASKED = (2048, 4096)


def answer(measured: Measured, guess: str | None) -> None:
    """Tell how many times the time twice the text took, beside the visitor's guess."""
    seconds = measured.seconds(NAIVE)
    ratio = seconds[_ASKED[1]] / seconds[_ASKED[0]]
    nearest = min((2, 4, 16), key=lambda times: abs(times / ratio - 1.0))
    beside = ""
    if guess is not None:
        right = guess == f"{nearest} times"
        beside = " You were right." if right else f" You said {guess}."
    st.markdown(
        f"It takes **{ratio:.1f} times** as long ({1e3 * seconds[_ASKED[0]]:,.0f} ms and"
        f" {1e3 * seconds[_ASKED[1]]:,.0f} ms): twice as many tokens, each looking at twice as"
        f" many.{beside}"
    )


def explain(measured: Measured, before: Measured) -> None:
    """Explain the picture with the numbers of the longest text that all methods have."""
    costs = {(cost.method, cost.length): cost for cost in measured.costs}
    common = [
        length
        for method, length in costs
        if method == NAIVE and all((m, length) in costs for m in (FUSED, LOCAL, LINEAR))
    ]
    if not common:
        return explain(before, before) if measured is not before else None
    length = max(common)
    naive, fused = costs[NAIVE, length], costs[FUSED, length]
    local, linear = costs[LOCAL, length], costs[LINEAR, length]
    st.markdown(
        f"The *naive matrix* writes all scores down: at {length:,} tokens that is {HEADS} heads x"
        f" {length:,} x {length:,} numbers, and with its stages {naive.peak_bytes / 2**20:,.0f} MiB."
        " Torch's *fused kernel* computes the same, a tile at a time, and keeps no square:"
        f" {fused.peak_bytes / 2**20:.1f} MiB, and **{naive.seconds / fused.seconds:.0f} times** as"
        " fast. Its time still grows with the square of the length; only its memory does not."
    )
    st.markdown(
        f"A *local window* of {WINDOW} tokens and a *linear kernel* of {N_FEATURES} features do work"
        f" that grows with the length alone: {1e3 * local.seconds:.1f} ms and"
        f" {1e3 * linear.seconds:.1f} ms here, beside {1e3 * fused.seconds:.1f} ms. For short texts they"
        f" are no gain. (Heads of {WIDTH} numbers; queries, keys and values are random, since time does"
        " not hang on them.)"
    )
    return None
