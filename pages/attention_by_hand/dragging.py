"""A query in two dimensions, to be dragged among keys and values."""

import math

import streamlit as st
import torch

from lm_core.models.attention import attend
from pages.shared import charts
from pages.shared.components.query_pad import QUERY_REACH, Point, query_pad
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

_ARRANGEMENTS: dict[str, tuple[tuple[Point, ...], tuple[Point, ...]]] = {
    "four ways": (
        ((1.5, 0.0), (0.0, 1.5), (-1.5, 0.0), (0.0, -1.5)),
        ((2.4, 2.4), (-2.4, 2.4), (-2.4, -2.4), (2.4, -2.4)),
    ),
    "two alike": (
        ((1.5, 0.4), (1.5, -0.4), (-1.2, 1.0)),
        ((2.4, 2.0), (2.4, -2.0), (-2.4, 0.8)),
    ),
    "one long, one short": (
        ((2.6, 1.2), (0.8, -0.5), (-1.2, 0.8)),
        ((0.8, 2.6), (2.4, -1.8), (-2.4, -1.2)),
    ),
}


@st.fragment
def dragged_query() -> None:
    """Draw the pad, and below it the numbers of where the query stands now."""
    st.markdown(
        "The red arrow is a query, blue arrows are keys, orange diamonds the values that belong to"
        " them. **Drag the query's tip**, or move it by the arrow keys (with Shift in larger"
        " steps): the weights and the mix of values follow."
    )
    columns = st.columns([1.5, 1, 0.8, 0.8], gap="medium", vertical_alignment="bottom")
    with columns[0]:
        arrangement = control(st.selectbox, "keys", "Keys and values", list(_ARRANGEMENTS))
    with columns[1]:
        is_scaled = control(st.toggle, "scaled_2d", "Divide by √2", True)
    with columns[2]:
        x = _coordinate("x", "Query, across", 1.2)
    with columns[3]:
        y = _coordinate("y", "Query, up", 0.8)
    keys, values = _ARRANGEMENTS[arrangement]
    divisor = math.sqrt(2.0) if is_scaled else 1.0
    query_pad((x, y), keys, values, divisor=divisor, key="query_pad", on_drop=_place)
    _numbers((x, y), keys, values, divisor)


def _coordinate(name: str, label: str, start: float) -> float:
    return control(
        st.number_input, name, label, -QUERY_REACH, QUERY_REACH, start, 0.1, format="%.1f"
    )


def _place(point: Point) -> None:
    st.session_state["x"], st.session_state["y"] = point


def _numbers(
    query: Point, keys: tuple[Point, ...], values: tuple[Point, ...], divisor: float
) -> None:
    trace = attend(
        torch.tensor([query], dtype=torch.float64),
        torch.tensor(keys, dtype=torch.float64),
        torch.tensor(values, dtype=torch.float64),
        scale=1.0 / divisor,
    )
    scores, weights = trace.scores[0].tolist(), trace.weights[0].tolist()
    mix = ", ".join(f"{number:.2f}" for number in trace.output[0].tolist())
    best = max(range(len(weights)), key=weights.__getitem__)
    finding = f"At ({query[0]:g}, {query[1]:g}) key {best + 1} gets {weights[best]:.1%}"
    st.markdown(f"**{finding}; the mix is ({mix})**")
    names = [f"k{i + 1}" for i in range(len(keys))]
    frame = charts.weights_frame(names, scores, weights)
    length = math.hypot(*query)
    st.markdown(
        "A score is the length of the query, times the length of the key, times the cosine between"
        f" them. This query is {length:.2f} long: at length 0 all scores are 0 and the weights even,"
        " and the longer it gets in one direction, the more one key takes all. The mix never leaves"
        " the shape that the values span, because its weights are positive and add up to 1."
    )
    with st.expander("These weights as a chart, to export"):
        show_chart(
            charts.weights_chart(frame, height=40 + 34 * len(keys)),
            frame,
            key="drag_weights",
            alt=f"{finding}: "
            + ", ".join(f"{n} {w:.3f}" for n, w in zip(names, weights, strict=True)),
            name="query-weights",
        )
