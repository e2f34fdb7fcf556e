"""Truncated backpropagation through time: which steps an answer can still teach."""

import numpy as np
import streamlit as st

from pages.inside_a_cell.choices import Choice, Side
from pages.inside_a_cell.measured import reach_of
from pages.shared import charts
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart


@st.fragment
def where_it_is_cut(choice: Choice) -> None:
    """Draw the gradient of every answer with respect to every step, cut at a chosen window."""
    st.subheader("Where the gradient is cut", anchor=False)
    length = len(choice.digits)
    st.markdown(
        "Long texts are learned from in pieces: *truncated backpropagation through time* passes the"
        " state on from piece to piece, but not the gradient. Each row is an answer, each column a"
        " step before it; × is exactly zero."
    )
    window = control(
        st.slider,
        "window",
        "Steps between two cuts",
        1,
        40,
        5,
        help="As long as the sequence, or longer: nothing is cut.",
    )
    for column, side in zip(st.columns(2, gap="medium"), choice.sides, strict=True):
        with column:
            _one_map(side, choice, window)
    first = (length - 1) // window * window
    uncut = sum(s % window + 1 for s in range(length))
    everything = length * (length + 1) // 2
    if first == 0:
        st.markdown(f"A window of {window} cuts nothing of these {length} steps.")
        return
    st.markdown(
        f"With a cut every **{window}** steps, the answer after step {length} can teach steps"
        f" {first + 1} to {length} alone. The {first} before get exactly 0, whatever the cell: an LSTM"
        f" cannot learn across a cut either, though its state still crosses it."
        f" {uncut} of {everything} pairs of answer and step are left ({uncut / everything:.0%})."
    )


def _one_map(side: Side, choice: Choice, window: int) -> None:
    norms = reach_of(side, choice.digits, window).by_state
    frame = charts.reach_frame(norms)
    reached = int(np.count_nonzero(norms[-1]))
    finding = f"{side.title}: the last answer reaches {reached} of {len(norms)} steps"
    st.markdown(f"**{finding}**")
    show_chart(
        charts.reach_map(frame),
        frame,
        key=f"inside_{side.place}_reach",
        alt=f"{finding}, with a cut every {window} steps.",
        name=f"reach-{side.config.variant}",
    )
