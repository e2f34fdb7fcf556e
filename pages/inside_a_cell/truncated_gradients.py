"""Backpropagation through time that is cut after some steps: what is left of a gradient."""

import numpy as np
import streamlit as st

from pages.inside_a_cell import gradient_matrix_chart
from pages.inside_a_cell.networks import gradients_of
from pages.inside_a_cell.settings import Comparison, Side
from pages.shared import page
from pages.shared.numbers import percent


@page.fragment
def truncated_gradients(comparison: Comparison) -> None:
    """Draw the gradient of every output with respect to every step, truncated at a chosen window."""
    st.header("Truncated backpropagation through time", anchor=False)
    length = len(comparison.digits)
    st.markdown(
        "Networks learn from long texts in windows. *Truncated backpropagation through time*"
        " passes the state on from window to window, but not the gradient, so an earlier window is"
        " remembered but not learned from. Each row is an output, each column a step up to it; ×"
        " is exactly zero."
    )
    window = page.slider(
        "window",
        "Steps in a window",
        1,
        40,
        5,
        help="If the window is as long as the sequence or longer, nothing is truncated.",
    )
    for column, side in zip(st.columns(2, gap="medium"), comparison.sides, strict=True):
        with column:
            _one_matrix(side, comparison, window)
    first = (length - 1) // window * window
    left = sum(s % window + 1 for s in range(length))
    everything = length * (length + 1) // 2
    if first == 0:
        st.markdown(f"A window of {window} truncates nothing in these {length} steps.")
        return
    st.markdown(
        f"With windows of **{window}** steps, the output of step {length} has a gradient only for steps"
        f" {first + 1} to {length}, because the window begins there. The gradient of the {first} steps"
        " before is exactly 0, whatever the cell: an LSTM cannot learn across windows either, although"
        f" its state passes from one to the next. {left} of {everything} pairs of output and step have a"
        f" gradient ({percent(left / everything)})."
    )


def _one_matrix(side: Side, comparison: Comparison, window: int) -> None:
    norms = gradients_of(side, comparison.digits, window).by_state
    table = gradient_matrix_chart.gradient_matrix_table(norms)
    reached = int(np.count_nonzero(norms[-1]))
    finding = f"{side.title}: the last output has a gradient for {reached} of {len(norms)} steps"
    st.markdown(f"**{finding}**")
    page.show_chart(
        gradient_matrix_chart.gradient_matrix(table),
        table,
        key=f"inside_{side.place}_truncated",
        alt=f"{finding}, with windows of {window} steps.",
        name=f"truncated-gradients-{side.config.variant}",
    )
