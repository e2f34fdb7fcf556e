"""Where all parts take place: a loss of two parameters, its picture, and a start that is dragged."""

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from lm_core.experiments.optimisers.landscapes import QUADRATIC, Landscape, landscape
from lm_core.models.perceptron import grid
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION
from pages.shared.charts.planes import contour_picture
from pages.shared.components.plane_panels import (
    Dragging,
    Line,
    Pair,
    Plane,
    PlaneMark,
    follow_hand,
    plane_panels,
)

CONDITIONS = (1, 2, 5, 10, 20, 50, 100)
FIRST_CONDITION = 50
HEIGHT = 285  # of the pictures that stand side by side, in pixels
_CELLS = 160
_X, _Y = "start_1", "start_2"
_KEYS = {
    "descents": "race_plane",
    "learning-rate": "rate_plane",
    "line-search": "search_plane",
    "minibatches": "batch_plane",
}
"""Of the pictures on the page, by the names of their files."""

STYLES = {
    "GD": page.LineStyle(VERMILLION),
    "momentum": page.LineStyle(BLUE),
    "EMA momentum": page.LineStyle(SKY, 1),
    "Nesterov": page.LineStyle(BLUE, 2),
    "AdaGrad": page.LineStyle(ORANGE, 1),
    "RMSProp": page.LineStyle(ORANGE),
    "AdaDelta": page.LineStyle(ORANGE, 2),
    "Adam": page.LineStyle(GREEN),
    "Muon": page.LineStyle(PURPLE),
    "Newton": page.LineStyle("#A0785A"),
    "line search": page.LineStyle(VERMILLION, 2),
}
"""How each method is drawn, on every part."""


class Shown(NamedTuple):
    """A loss as it is drawn."""

    landscape: Landscape
    condition: int  # of the quadratic
    start: Pair


def choose_condition() -> int:
    """Draw the choice of the quadratic's condition number, and return it."""
    return page.pick("condition", "Condition number κ", CONDITIONS, FIRST_CONDITION, width=180)


def shown_landscape(name: str, condition: int) -> Shown:
    """Draw where a descent begins, as two numbers, and return the loss with its start."""
    found = _landscape(name, condition)
    (left, right, bottom, top), (first, second) = found.bounds, found.start
    _stay_within(_X, left, right)
    x = page.number(_X, "Start, θ₁", left, right, first, 0.1, format="%.2f")
    _stay_within(_Y, bottom, top)
    y = page.number(_Y, "Start, θ₂", bottom, top, second, 0.1, format="%.2f")
    return Shown(found, condition, (x, y))


def _stay_within(key: str, low: float, high: float) -> None:
    """Move a start that another loss has left outside this one's picture."""
    if key in st.session_state:
        st.session_state[key] = min(max(float(st.session_state[key]), low), high)


@st.cache_resource(max_entries=16, show_spinner=False)
def _landscape(name: str, condition: int) -> Landscape:
    with page.model_calls:
        return landscape(name, float(condition))


@st.cache_data(max_entries=16, show_spinner=False)
def picture(name: str, condition: int) -> str:
    """Return the contours of a loss, drawn once for all visitors."""
    return contour_picture(heights(name, condition, _CELLS))


def heights(name: str, condition: int, cells: int) -> np.ndarray:
    """Return a loss above its lowest over its picture, (cells, cells), the top row first."""
    found = _landscape(name, condition)
    with page.model_calls:
        losses = found.loss(grid(found.bounds, cells)) - found.lowest
    return losses.detach().numpy()


def draw_beside(
    shown: Shown, ways: dict[str, torch.Tensor], step: int, name: str, *, is_draggable: bool = True
) -> DeltaGenerator:
    """Draw the picture of a loss with the ways of descents up to a step, and return the place beside it."""
    follow_hand()
    left, right = st.columns([1.15, 1], gap="small")
    with left:
        plane_panels(
            [_plane(shown, ways, step)],
            key=_KEYS[name],
            name=name,
            columns=1,
            height=HEIGHT,
            dragging=Dragging(0, shown.start, _drop) if is_draggable else None,
        )
    return right


def _plane(shown: Shown, ways: dict[str, torch.Tensor], step: int) -> Plane:
    found = shown.landscape
    lines, marks = [], []
    for name, way in ways.items():
        places = _inside([tuple(place) for place in way[: step + 1].tolist()], found)
        style = STYLES[name]
        if len(places) > 1:
            lines.append(Line(places, style.colour, 2.5, is_dashed=style.dash > 0))
        if places and _is_in(places[-1], found):
            # Several would write over each other: the names are at the lines beside the plane.
            marks.append(
                PlaneMark(places[-1], 2, style.colour, name if len(ways) == 1 else "", radius=6.0)
            )
    title = found.name if found.name != QUADRATIC else f"Quadratic, κ = {shown.condition}"
    return Plane(
        title,
        "",
        found.bounds,
        f"Start at ({shown.start[0]:g}, {shown.start[1]:g}); {', '.join(ways)}.",
        picture(found.name, shown.condition),
        lines,
        marks,
        ("θ₁", "θ₂"),
    )


def _inside(places: list[Pair], found: Landscape) -> list[Pair]:
    """Return a way as far as it stays near the picture."""
    left, right, bottom, top = found.bounds
    width, height = right - left, top - bottom
    kept = []
    for x, y in places:
        if not (left - width < x < right + width and bottom - height < y < top + height):
            break
        kept.append((x, y))
    return kept


def _is_in(place: Pair, found: Landscape) -> bool:
    left, right, bottom, top = found.bounds
    return left <= place[0] <= right and bottom <= place[1] <= top


def _drop(place: Pair) -> None:
    st.session_state[_X], st.session_state[_Y] = place
