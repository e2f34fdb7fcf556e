"""Collapse on purpose: a narrow component on one point, and the floor that prevents it."""

from functools import partial

import streamlit as st
from torch import Tensor

from lm_core.clustering import em, side_by_side
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import deviations
from lm_core.clustering.initialisation import mixture_on_a_point
from pages.mixture_pitfalls.collapse_by_floor import FLOORS, Runs, draw_by_floor
from pages.mixture_pitfalls.collapse_pictures import (
    POINTS,
    SEED,
    SHRINK,
    WIDEN,
    Shown,
    draw_step,
    expected_widths,
)
from pages.shared import page
from pages.shared.clustering.data import load
from pages.shared.numbers import significant

_LONELY = 5


_ALONE = 1.5  # points: a component that holds fewer has only the one it began on
_GROUP = 2.0  # points that a component holds at least if it is more than the one it began on


def draw_collapse(screen: page.FirstScreen) -> None:
    """Draw the run with the chosen floor: its first step, and the others once they are asked for."""
    data = load("two blobs", POINTS, SEED)
    with screen.controls:
        floor = page.pick(
            "floor",
            "Covariance floor (share of all points' variance)",
            list(FLOORS),
            "none",
            width=260,
        )
        with st.popover("More", icon=":material/tune:"):
            point = page.number("point", "Point of the narrow component", 1, POINTS, _LONELY)
            width = page.slider(
                "deviation", "Its initial standard deviation", 0.05, 0.6, 0.4, 0.05, format="%.2f"
            )
    runs = _runs(point, width, data.points)
    steps = runs.steps[floor]
    widths = tuple(tuple(deviations(step.mixture).tolist()) for step in steps)
    right, reason = _answer(steps, widths)
    asked = page.ask(
        screen,
        "collapse",
        "Component 2 begins on a single point. What will EM do with it?",
        expected_widths(widths),
        right=right,
        reason=reason,
        button="Step on",
    )
    with screen.beside:
        st.caption(
            "The ellipses are one and two standard deviations of each component wide. A ring marks the"
            " point of component 2. Colours say which component is responsible for a place."
        )
    shown = Shown(data, steps, widths, point - 1, asked)
    with screen.picture:
        place = st.container(gap="xsmall")
        draw = partial(draw_step, place, shown)
        if not asked.masks:
            page.playback_bar("step", len(steps), draw, start=1, seconds_per_step=0.8)
        else:
            draw(0)
    if not asked.masks:
        _explain()
        draw_by_floor(runs, floor)


@st.cache_resource(max_entries=64)
def _runs(point: int, width: float, _points: Tensor) -> Runs:
    start = mixture_on_a_point(_points, point - 1, width)
    steps = {
        name: tuple(em.steps(_points, start, Constraint(floor=floor), tolerance=1e-6))
        for name, floor in FLOORS.items()
    }
    return Runs(steps, {name: side_by_side.log_likelihoods(s)[-1] for name, s in steps.items()})


def _answer(steps: tuple[EMStep, ...], widths: tuple[tuple[float, float], ...]) -> tuple[str, str]:
    """Return what EM does with the component, and why."""
    end = steps[-1]
    held = float(end.statistics.counts[1])
    collapsed = end.has_broken or held < _GROUP
    if collapsed:
        none = (
            "two points lie on one line, and across it their"
            if held > _ALONE
            else "a single point's"
        )
        reason = (
            f"Its standard deviation goes from {significant(widths[0][1], 2)} to {significant(widths[1][1], 2)} in one"
            f" M-step, because {none} variance is 0{'' if end.has_broken else ', so only the floor keeps it wider'}."
            f" At the last step: {_sentence(end)}{' EM stops there.' if end.has_broken else ''}"
        )
    else:
        reason = f"It finds a group: at the end it holds {held:.1f} points"
        if end.collapses:
            reason += ", because the floor kept it so wide that neighbours of its point came within reach."
        else:
            reason += " and needs no floor, because points that differ have a variance."
    return SHRINK if collapsed else WIDEN, reason


def _explain() -> None:
    st.markdown(
        "A component with one point to itself gains likelihood by getting narrower. At its mean, the"
        " density of a normal distribution in two dimensions is 1 / (2πσ²). The other component"
        " still explains all other points. So the likelihood has *no maximum*: it grows without bound"
        " as σ goes to 0, for a useless solution. The *covariance floor* prevents this: in no direction may"
        " a variance fall below this share of the variance of all points. As a share, it means the same in"
        " metres and in millimetres."
    )


def _sentence(end: EMStep) -> str:
    reason = end.collapses[0].reason
    return f"{reason[0].upper()}{reason[1:]}."
