"""A query that is dragged among keys in two dimensions: weights and output follow it."""

import math

import streamlit as st
import torch

from lm_core.models.attention import AttentionTrace, attend
from pages.shared import page
from pages.shared.charts.attention import weights_chart, weights_frame
from pages.shared.components.query_pad import QUERY_REACH, Point, query_pad
from pages.shared.numbers import percent

_ARRANGEMENTS: dict[str, tuple[tuple[Point, ...], tuple[Point, ...]]] = {
    "four ways": (
        ((1.5, 0.0), (0.0, 1.5), (-1.5, 0.0), (0.0, -1.5)),
        ((2.4, 2.4), (-2.4, 2.4), (-2.4, -2.4), (2.4, -2.4)),
    ),
    "two alike": (((1.5, 0.4), (1.5, -0.4), (-1.2, 1.0)), ((2.4, 2.0), (2.4, -2.0), (-2.4, 0.8))),
    "one long, one short": (
        ((2.6, 1.2), (0.8, -0.5), (-1.2, 0.8)),
        ((0.8, 2.6), (2.4, -1.8), (-2.4, -1.2)),
    ),
}
_LONGER = 2.0


def dragged_query(screen: page.FirstScreen) -> None:
    """Draw the pad, and the numbers for the query's present place."""
    with screen.controls:
        arrangement = page.choice("arrangement", "Keys and values", list(_ARRANGEMENTS), width=220)
        with st.popover("More", icon=":material/tune:"):
            is_scaled = page.switch("scaled", "Divide by √2", True)
            x = _coordinate("query_x", "Query, across", 1.2)
            y = _coordinate("query_y", "Query, up", 0.8)
    keys, values = _ARRANGEMENTS[arrangement]
    divisor = math.sqrt(2.0) if is_scaled else 1.0
    trace, twice_as_long = (
        _attend_to_points((factor * x, factor * y), keys, values, divisor)
        for factor in (1.0, _LONGER)
    )
    finding = _finding((x, y), trace)
    asked = _ask_about_length(
        screen, float(trace.weights.max()), float(twice_as_long.weights.max())
    )
    with screen.picture:
        mix = ", ".join(f"{number:.2f}" for number in trace.output[0].tolist())
        st.markdown(f"**{finding}; the output is ({mix})**")
        query_pad(
            (x, y),
            keys,
            values,
            divisor=divisor,
            longer=None if asked.masks else _LONGER,
            key="query_pad",
            on_drop=_place,
        )
    page.note_beside(
        screen,
        "The red arrow is a *query*, blue arrows are *keys*, diamonds their *values*. **Drag the"
        " query's tip** (or use the arrow keys): the larger its dot product with a key, the more"
        " of that key's value is in the output. The product grows with the length of the key and"
        " as the two directions come together, so a long key can win although another one points"
        " nearer.",
    )
    _numbers((x, y), trace, finding)


def _ask_about_length(screen: page.FirstScreen, now: float, twice_as_long: float) -> page.Asked:
    """Ask for the largest weight of a longer query."""
    return page.ask(
        screen,
        "length",
        "The query gets twice as long, in the same direction. What happens to the largest weight?",
        ("It grows", "It stays", "It shrinks"),
        right=("It grows" if twice_as_long > now else "It stays"),
        reason=f"From here it would go from {percent(now)} to **{percent(twice_as_long)}**, dashed in the"
        " picture. "
        + (
            "All scores double, so their differences double, and the softmax sharpens."
            if twice_as_long > now
            else "All scores are equal and stay so, and no key gains."
        ),
    )


def _coordinate(name: str, label: str, start: float) -> float:
    return page.number(name, label, -QUERY_REACH, QUERY_REACH, start, 0.1, format="%.1f")


def _place(point: Point) -> None:
    st.session_state["query_x"], st.session_state["query_y"] = point


def _attend_to_points(
    query: Point, keys: tuple[Point, ...], values: tuple[Point, ...], divisor: float
) -> AttentionTrace:
    return attend(
        torch.tensor([query], dtype=torch.float64),
        torch.tensor(keys, dtype=torch.float64),
        torch.tensor(values, dtype=torch.float64),
        scale=1.0 / divisor,
    )


def _finding(query: Point, trace: AttentionTrace) -> str:
    best = int(trace.weights[0].argmax())
    share = float(trace.weights[0, best])
    return f"At ({query[0]:g}, {query[1]:g}) key {best + 1} gets {percent(share, 1)}"


def _numbers(query: Point, trace: AttentionTrace, finding: str) -> None:
    scores, weights = trace.scores[0].tolist(), trace.weights[0].tolist()
    names = [f"k{i + 1}" for i in range(len(scores))]
    frame = weights_frame(names, scores, weights)
    st.markdown(
        "A score is the length of the query, times the length of the key, times the cosine between"
        f" them. This query has length {math.hypot(*query):.2f}. At length 0 all scores are 0 and the"
        " weights equal. The output never leaves the convex hull of the values, because weights are"
        " positive and add up to 1."
    )
    with st.expander("These weights as a chart, to export"):
        page.show_chart(
            weights_chart(frame, height=40 + 34 * len(names)),
            key="drag_weights",
            alt=f"{finding}: "
            + ", ".join(f"{n} {w:.3f}" for n, w in zip(names, weights, strict=True)),
            name="query-weights",
        )
