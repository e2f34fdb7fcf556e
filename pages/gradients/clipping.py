"""A cliff in the loss of a recurrent unit: gradient descent with its gradients clipped by norm, and without."""

import math
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from lm_core.experiments.gradients.cliff import BOUNDS, STEPS, ClippedDescent, descend, loss
from lm_core.models.perceptron import grid
from pages.shared import charts
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.components.plane_panels import (
    Dragging,
    Line,
    Pair,
    Plane,
    PlaneMark,
    follow_hand,
    plane_panels,
)
from pages.shared.numbers import significant
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import Prediction, answer_is_masked, predict_then_reveal, show_verdict
from pages.shared.ui.playback import playback_bar

NORMS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
_RATES = (0.1, 0.2, 0.5, 1.0, 2.0)
_START: Pair = (5.5, -2.0)
_FIRST_NORM, _FIRST_RATE = 0.2, 0.5
_STEPS = 60
_CELLS = 160
_HEIGHT = 285
_FLOOR, _CEILING = 1e-4, 1e4
_CLIPPED, _UNCLIPPED = "clipped", "not clipped"
_STYLES = {_CLIPPED: charts.LineStyle(BLUE), _UNCLIPPED: charts.LineStyle(VERMILLION, 1)}
_ANSWERS = ("It slides down into the valley", "It stops at the cliff", "It is thrown far away")


class Chosen(NamedTuple):
    """Where both descents begin, their learning rate, and the norm that one is clipped to."""

    start: Pair
    rate: float
    longest: float


_FIRST = Chosen(_START, _FIRST_RATE, _FIRST_NORM)


def choose_clipping(screen: FirstScreen) -> Chosen:
    """Draw the choice of the longest gradient, the rate and the start, and return them."""
    left, right, bottom, top = BOUNDS
    with screen.controls:
        longest = control(
            st.select_slider, "clip", "Longest gradient, c", NORMS, _FIRST_NORM, width=180
        )
        with st.popover("More", icon=":material/tune:"):
            rate = control(st.select_slider, "clip_rate", "Learning rate η", _RATES, _FIRST_RATE)
            w = control(
                st.number_input, "start_w", "Start, w", left, right, _START[0], 0.1, format="%.2f"
            )
            b = control(
                st.number_input, "start_b", "Start, b", bottom, top, _START[1], 0.1, format="%.2f"
            )
    return Chosen((float(w), float(b)), float(rate), float(longest))


@st.cache_data(max_entries=128, show_spinner=False)
def _descents(chosen: Chosen) -> dict[str, ClippedDescent]:
    with model_calls:
        found = descend(chosen.start, chosen.rate, (chosen.longest, math.inf), _STEPS)
    return dict(zip((_CLIPPED, _UNCLIPPED), found, strict=True))


@st.cache_data(max_entries=1, show_spinner=False)
def _picture() -> str:
    with model_calls:
        return charts.contour_picture(loss(grid(BOUNDS, _CELLS)).numpy())


def clipping(screen: FirstScreen, chosen: Chosen) -> None:
    """Draw both descents on the loss, beside the norms of their gradients."""
    found = _descents(chosen)
    with screen.beside:
        prediction = _ask(chosen, found)
    with screen.picture:
        st.markdown(f"**{_finding(chosen, found, prediction)}**")
        playback_bar(
            "clip_step",
            _STEPS + 1,
            lambda step: _draw(chosen, found, step, prediction),
            label="Steps",
            start=_STEPS,
            seconds_per_step=0.5,
        )
    note_beside(
        screen,
        f"The loss of one recurrent unit after {STEPS} steps, h ← w·σ(h) + b, has a wall where the unit tips"
        " over. *Clipping* shortens a gradient g to norm c and keeps its direction: g′ = min(1, c/‖g‖) g."
        " **Drag the start.**",
    )


def _ask(chosen: Chosen, found: dict[str, ClippedDescent]) -> Prediction | None:
    if chosen != _FIRST:
        return None
    prediction = predict_then_reveal(
        "clipping",
        "The clipped descent (blue) comes to the cliff and settles. What becomes of the same descent without"
        " clipping?",
        _ANSWERS,
    )
    if prediction.revealed:
        longest = float(found[_UNCLIPPED].norms.max())
        show_verdict(
            prediction,
            right=_ANSWERS[2],
            reason=f"At the cliff its gradient has norm **{significant(longest, 2)}**, and one step throws it out of the"
            f" picture. Clipped, no step is longer than η·c = {chosen.rate * chosen.longest:g}.",
        )
    return prediction


def _finding(
    chosen: Chosen, found: dict[str, ClippedDescent], prediction: Prediction | None
) -> str:
    clipped = float(found[_CLIPPED].losses[-1])
    said = (
        f"After {_STEPS} steps the loss is {significant(clipped, 2)} clipped to {chosen.longest:g}"
    )
    if answer_is_masked(prediction):
        return said
    if float(found[_UNCLIPPED].norms.max()) <= chosen.longest:
        return f"{said}; no gradient was longer, so nothing is clipped"
    return f"{said}, and {significant(float(found[_UNCLIPPED].losses[-1]), 2)} not clipped"


def _draw(
    chosen: Chosen,
    found: dict[str, ClippedDescent],
    step: int,
    prediction: Prediction | None,
) -> None:
    follow_hand()
    shown = {
        name: way
        for name, way in found.items()
        if not (answer_is_masked(prediction) and name == _UNCLIPPED)
    }
    left, right = st.columns([1, 1.15], gap="small")
    with left:
        plane_panels(
            [_plane(shown, step)],
            key="cliff_plane",
            name="cliff",
            columns=1,
            height=_HEIGHT,
            dragging=Dragging(0, chosen.start, _drop),
        )
    with right:
        _norms(chosen, shown, step)


def _drop(place: Pair) -> None:
    st.session_state["start_w"], st.session_state["start_b"] = place


def _plane(shown: dict[str, ClippedDescent], step: int) -> Plane:
    lines, marks = [], []
    left, right, bottom, top = BOUNDS
    for name, way in shown.items():
        places = [(x, y) for x, y in way.places[: step + 1].tolist()]
        near = next((i for i, (x, y) in enumerate(places) if abs(x) + abs(y) > 1e3), len(places))
        places = [
            (min(max(x, -50.0), 50.0), min(max(y, -50.0), 50.0)) for x, y in places[: near + 1]
        ]
        style = _STYLES[name]
        lines.append(Line(places, style.colour, 2.5, is_dashed=style.dash > 0))
        x, y = places[-1]
        if left <= x <= right and bottom <= y <= top:
            marks.append(PlaneMark((x, y), 2, style.colour, name, radius=6.0))
    return Plane(
        "Loss of w and b",
        "the stronger the colour, the higher",
        BOUNDS,
        f"A cliff from lower left to upper right; step {step} of {', '.join(shown)}.",
        _picture(),
        lines,
        marks,
        ("w", "b"),
    )


def _norms(chosen: Chosen, shown: dict[str, ClippedDescent], step: int) -> None:
    lines = {
        name: [(float(i), max(v, _FLOOR)) for i, v in enumerate(way.norms.tolist())]
        for name, way in shown.items()
    }
    show_chart(
        charts.line_chart(
            lines,
            _STYLES,
            charts.Axis("steps", (0, _STEPS)),
            charts.Axis(
                "norm of the gradient ‖g‖", (_FLOOR, _CEILING), True, (1e-4, 1e-2, 1, 1e2, 1e4)
            ),
            references={"c": [(0, chosen.longest), (_STEPS, chosen.longest)]},
            now=step,
            height=_HEIGHT - 10,
        ),
        partial(_table, shown),
        key="gradient_norm",
        alt=f"Step {step}: "
        + "; ".join(
            f"{name} {significant(float(way.norms[step]), 3)}" for name, way in shown.items()
        ),
        name="gradient-norm",
        is_small=True,
    )


def _table(shown: dict[str, ClippedDescent]) -> pa.Table:
    columns: dict[str, list] = {"step": list(range(_STEPS + 1))}
    for name, way in shown.items():
        columns |= {f"norm, {name}": way.norms.tolist(), f"loss, {name}": way.losses.tolist()}
    return pa.table(columns)
