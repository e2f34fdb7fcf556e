"""A cliff in the loss of a recurrent unit: gradient descent with its gradients clipped by norm, and without."""

import math
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.gradients.cliff import BOUNDS, STEPS, ClippedDescent, descend, loss
from lm_core.models.perceptron import grid
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.charts.planes import contour_picture
from pages.shared.components import plane_panels as planes
from pages.shared.components.plane_panels import Line, Pair, Plane, PlaneMark
from pages.shared.numbers import significant

NORMS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
_RATES = (0.1, 0.2, 0.5, 1.0, 2.0)
_LEFT, _RIGHT, _LOW, _HIGH = BOUNDS
_STEPS = 60
_CELLS = 160
_HEIGHT = 285
_CLIPPED, _UNCLIPPED = "clipped", "not clipped"
_STYLES = {_CLIPPED: page.LineStyle(BLUE), _UNCLIPPED: page.LineStyle(VERMILLION, 1)}


class Chosen(NamedTuple):
    """The norm that one descent is clipped to, the learning rate of both, and where they begin."""

    clip: float = page.field(page.pick, "Longest gradient, c", NORMS, 0.2, width=180)
    clip_rate: float = page.folded(page.pick, "Learning rate η", _RATES, 0.5)
    start_w: float = page.folded(page.number, "Start, w", _LEFT, _RIGHT, 5.5, 0.1, format="%.2f")
    start_b: float = page.folded(page.number, "Start, b", _LOW, _HIGH, -2.0, 0.1, format="%.2f")


@st.cache_data(max_entries=128, show_spinner=False)
def _descents(chosen: Chosen) -> dict[str, ClippedDescent]:
    start, longest = (chosen.start_w, chosen.start_b), (chosen.clip, math.inf)
    with page.model_calls:
        found = descend(start, chosen.clip_rate, longest, _STEPS)
    return dict(zip((_CLIPPED, _UNCLIPPED), found, strict=True))


@st.cache_data(max_entries=1, show_spinner=False)
def _picture() -> str:
    with page.model_calls:
        return contour_picture(loss(grid(BOUNDS, _CELLS)).numpy())


def clipping(screen: page.FirstScreen) -> None:
    """Draw both descents on the loss, beside the norms of their gradients."""
    chosen = page.controls(Chosen, screen)
    found, thrown = _descents(chosen), "It is thrown far away"
    longest = significant(float(found[_UNCLIPPED].norms.max()), 2)
    asked = page.ask(
        screen,
        "clipping",
        "The clipped descent (blue) comes to the cliff and settles. What becomes of the same descent without"
        " clipping?",
        ("It slides down into the valley", "It stops at the cliff", thrown),
        right=thrown,
        reason=f"At the cliff its gradient has norm **{longest}**, and one step throws it out of the"
        " picture. A step is the gradient times the learning rate, so with clipping none is longer"
        f" than η·c = {chosen.clip_rate * chosen.clip:g}.",
        when=chosen == page.starts(Chosen),
    )
    shown = {name: way for name, way in found.items() if name not in asked.hides(_UNCLIPPED)}
    with screen.picture:
        st.markdown(f"**{_finding(chosen, shown)}**")
        page.playback_bar(
            "clip_step", _STEPS + 1, lambda step: _draw(chosen, shown, step), label="Steps"
        )
    page.note_beside(
        screen,
        f"The loss of one recurrent unit after {STEPS} steps, h ← w·σ(h) + b, has a wall where the"
        " unit tips over. *Clipping* shortens a gradient g to norm c and keeps its direction, so"
        " no step is longer than η·c: g′ = min(1, c/‖g‖) g. **Drag the start.**",
    )


def _finding(chosen: Chosen, shown: dict[str, ClippedDescent]) -> str:
    clipped = significant(float(shown[_CLIPPED].losses[-1]), 2)
    said = f"Clipped to {chosen.clip:g}, the loss is {clipped} after {_STEPS} steps"
    if _UNCLIPPED not in shown:
        return said
    if float(shown[_UNCLIPPED].norms.max()) <= chosen.clip:
        return f"{said}; no gradient was longer, so nothing is clipped"
    return f"{said}; not clipped, it is {significant(float(shown[_UNCLIPPED].losses[-1]), 2)}"


def _draw(chosen: Chosen, shown: dict[str, ClippedDescent], step: int) -> None:
    planes.follow_hand()
    left, right = st.columns([1, 1.15], gap="small")
    with left:
        planes.plane_panels(
            [_plane(shown, step)],
            key="cliff_plane",
            name="cliff",
            columns=1,
            height=_HEIGHT,
            dragging=planes.Dragging(0, (chosen.start_w, chosen.start_b), _drop),
        )
    with right:
        _norms(chosen, shown, step)


def _drop(place: Pair) -> None:
    st.session_state["start_w"], st.session_state["start_b"] = place


def _plane(shown: dict[str, ClippedDescent], step: int) -> Plane:
    lines, marks = [], []
    for name, way in shown.items():
        reached = way.places[: step + 1]
        far = (reached.abs().sum(1) > 1e3).nonzero().flatten().tolist()
        places = [(x, y) for x, y in reached[: far[0] + 1 if far else None].clamp(-50, 50).tolist()]
        style = _STYLES[name]
        lines.append(Line(places, style.colour, 2.5, is_dashed=style.dash > 0))
        x, y = places[-1]
        if _LEFT <= x <= _RIGHT and _LOW <= y <= _HIGH:
            marks.append(PlaneMark((x, y), 2, style.colour, name, radius=6.0))
    return Plane(
        "Loss of w and b",
        "the stronger the colour, the higher",
        BOUNDS,
        f"A cliff from upper left to lower right; step {step} of {', '.join(shown)}.",
        _picture(),
        lines,
        marks,
        ("w", "b"),
    )


def _norms(chosen: Chosen, shown: dict[str, ClippedDescent], step: int) -> None:
    ticks = (1e-4, 1e-2, 1.0, 1e2, 1e4)
    page.show_lines(
        "gradient_norm",
        {
            name: [(float(i), norm) for i, norm in enumerate(way.norms.tolist())]
            for name, way in shown.items()
        },
        _STYLES,
        page.Axis("steps", (0, _STEPS)),
        page.Axis("norm of the gradient ‖g‖", (ticks[0], ticks[-1]), True, ticks),
        beside={f"loss, {name}": way.losses.tolist() for name, way in shown.items()},
        references={"c": [(0, chosen.clip), (_STEPS, chosen.clip)]},
        now=step,
        is_small=True,
        height=_HEIGHT - 10,
    )
