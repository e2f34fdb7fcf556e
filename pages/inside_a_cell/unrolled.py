"""Both networks unrolled in time, with the gradient of the last output on every edge."""

import streamlit as st

from pages.inside_a_cell.gradients import share_text
from pages.inside_a_cell.networks import gradients_of
from pages.inside_a_cell.settings import Comparison
from pages.inside_a_cell.unrolled_chart import unrolled_graph, unrolled_table
from pages.shared import page


def draw_unrolled(comparison: Comparison, read: int) -> None:
    """Draw a node for each digit that was read, and on the edges what the gradient is there."""
    if read < 2:
        return
    now, symbols = read - 1, [str(digit) for digit in comparison.digits[:read]]
    norms = {
        side.name: gradients_of(side, comparison.digits).by_state[now, :read]
        for side in comparison.sides
    }
    arrived = " and ".join(
        f"{share_text(values[0] / values[now] if values[now] else 0.0)} in the {side.title}"
        for side, values in zip(comparison.sides, norms.values(), strict=True)
    )
    finding = (
        f"Unrolled in time, each network is {read} layers deep: of the gradient at the last layer the"
        f" first receives {arrived}"
    )
    st.markdown(f"**{finding}**")
    table = unrolled_table(norms, symbols)
    page.show_chart(
        unrolled_graph(table),
        table,
        key="inside_unrolled",
        alt=f"{finding}. Each network has a row of nodes, one for each digit.",
        name="unrolled-network",
    )
    st.caption(
        "Each node is the state after a digit, and the output is asked after the last one. The gradient"
        " runs back from right to left: an edge is thick and bright where it is large, and its number"
        " is the gradient with respect to the state at its left end. Every step uses the same weights,"
        " so each digit makes the network one layer deeper, and the factor of a step is applied once more."
    )
