"""Collapse on purpose: a narrow component on one point, and the floor that prevents it."""

import math
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from lm_core.clustering import em, side_by_side
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import deviations
from lm_core.clustering.initialisation import mixture_on_a_point
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.clustering.data import Data, load
from pages.shared.clustering.panels import em_panel
from pages.shared.components.cluster_panels import bounds_of, cluster_panels
from pages.shared.numbers import significant
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import Prediction, guesses_in_picture, predict_then_reveal, show_verdict

_FLOORS = {"none": 0.0} | {f"1e-{power}": 10.0**-power for power in range(12, 0, -1)}
_POINTS, _SEED = 60, 1
_LONELY = 5
_MARGIN = 0.9
"""Around the ringed point: room for the ellipses that it begins with."""


_WIDEN, _KEEP, _SHRINK = "Widen it over a group", "Keep its width", "Shrink it to nothing"
_NARROWEST = 1e-8
"""Of the axis."""
_GROUP = 2.0
"""Points that a component holds at least if it is more than the one it began on."""
_LINES = {"1": LineStyle(BLUE), "2": LineStyle(VERMILLION, 1)}
"""The components, by their numbers in the picture: longer names have no room beside the lines."""


class _Runs(NamedTuple):
    steps: dict[str, tuple[EMStep, ...]]  # by floor
    ends: dict[str, float]  # log-likelihood at the end, by floor


class _Shown(NamedTuple):
    """The run on screen: its points, its steps, how narrow each component is at each, the ringed point."""

    data: Data
    steps: tuple[EMStep, ...]
    widths: tuple[tuple[float, float], ...]
    point: int
    prediction: Prediction  # what a visitor expects of component 2 at the end


def draw_collapse(screen: page.FirstScreen) -> None:
    """Draw the run with the chosen floor: its first step, and the others once they are asked for."""
    data = load("two blobs", _POINTS, _SEED)
    with screen.controls:
        floor = page.pick(
            "floor",
            "Covariance floor (share of all points' variance)",
            list(_FLOORS),
            "none",
            width=260,
        )
        with st.popover("More", icon=":material/tune:"):
            point = page.number("point", "Point of the narrow component", 1, _POINTS, _LONELY)
            width = page.slider(
                "deviation", "Its initial standard deviation", 0.05, 0.6, 0.4, 0.05, format="%.2f"
            )
    runs = _runs(point, width, data.points)
    steps = runs.steps[floor]
    widths = tuple(tuple(deviations(step.mixture).tolist()) for step in steps)
    with screen.beside:
        prediction = predict_then_reveal(
            "collapse",
            "Component 2 begins on one lonely point. What will EM do with it?",
            (_WIDEN, _KEEP, _SHRINK),
            button="Step on",
        )
        if prediction.revealed:
            _verdict(prediction, steps, widths)
        st.caption(
            "The ellipses are one and two standard deviations of each component wide. A ring marks the"
            " lonely point. Colours say which component is responsible for a place."
        )
    shown = _Shown(data, steps, widths, point - 1, prediction)
    with screen.picture:
        place = st.container(gap="xsmall")
        draw = partial(_draw, place, shown)
        if prediction.revealed:
            page.playback_bar("step", len(steps), draw, start=1)
        else:
            draw(0)
    if prediction.revealed:
        _explain()
        _by_floor(runs, floor)


def _expected_widths(widths: tuple[tuple[float, float], ...]) -> dict[str, float]:
    """Return the standard deviation for which each answer stands: that of a group, its own, or none."""
    (group, own), *_ = widths
    return {_WIDEN: group, _KEEP: own, _SHRINK: _NARROWEST}


@st.cache_resource(max_entries=64)
def _runs(point: int, width: float, _points: Tensor) -> _Runs:
    start = mixture_on_a_point(_points, point - 1, width)
    steps = {
        name: tuple(em.steps(_points, start, Constraint(floor=floor), tolerance=1e-6))
        for name, floor in _FLOORS.items()
    }
    return _Runs(steps, {name: side_by_side.log_likelihoods(s)[-1] for name, s in steps.items()})


def _draw(place: DeltaGenerator, shown: _Shown, step: int) -> None:
    now = shown.steps[step]
    with place:
        st.markdown(
            f"**Component 2 holds {now.statistics.counts[1]:.2f} of {_POINTS} points with a standard"
            f" deviation of {significant(shown.widths[step][1], 2)}**"
        )
        left, right = st.columns([1.7, 1], gap="small")
        with left:
            _panel(shown, step)
        with right:
            _widths(shown, step)


def _panel(shown: _Shown, step: int) -> None:
    now = shown.steps[step]
    likelihood = side_by_side.log_likelihoods(shown.steps)[step]
    said = "infinite" if math.isinf(likelihood) else f"{likelihood:.1f}".replace("-", "−")
    drawn = shown.data.points.numpy()
    cluster_panels(
        drawn,
        [
            em_panel(
                now,
                shown.data.plane,
                f"· iteration {now.iteration}, {now.phase}-step: log-likelihood {said}",
            )
        ],
        key="collapse_panel",
        names=shown.data.directions,
        bounds=bounds_of(drawn, drawn[shown.point] + [[0.0, _MARGIN], [0.0, -_MARGIN]]),
        hint="",
        name=f"collapse-step-{step}",
        is_flat=True,
        chosen=shown.point,
        is_fixed=True,
        aspect=1.9,
    )


def _widths(shown: _Shown, step: int) -> None:
    """Draw how narrow each component has become, up to this step."""
    so_far = list(enumerate(shown.widths[: step + 1]))
    lines = {name: [(i, w[k]) for i, w in so_far] for k, name in enumerate(_LINES)}
    last = max(len(shown.steps) - 1, 1) if step else 4
    now = significant(shown.widths[step][1], 2)
    expected = _expected_widths(shown.widths)
    show_chart(
        line_chart(
            lines,
            _LINES,
            Axis("step", (0, last)),
            Axis("standard deviation of 1 and 2", (_NARROWEST, 10.0), is_logarithmic=True),
            guess=guesses_in_picture(shown.prediction, lambda said: (last, expected[said])),
            now=step,
            has_points=True,
            height=230,
        ),
        pd.DataFrame([(i, *w) for i, w in so_far], columns=["step", *_LINES]),
        key="widths",
        alt=f"Smallest standard deviation of each component by step: {now} for component 2 in step"
        f" {step}.",
        name="standard-deviations",
        is_small=True,
    )


def _verdict(
    prediction: Prediction, steps: tuple[EMStep, ...], widths: tuple[tuple[float, float], ...]
) -> None:
    end = steps[-1]
    held = float(end.statistics.counts[1])
    collapsed = end.has_broken or held < _GROUP
    if collapsed:
        reason = f"Its standard deviation goes from {significant(widths[0][1], 2)} to"
        reason += (
            f" {significant(widths[1][1], 2)} in one M-step, because the variance of a single point is 0."
            f" At the last step: {_sentence(end)}"
        )
        reason += " EM stops there." if end.has_broken else ""
    else:
        reason = f"It finds a group: at the end it holds {held:.1f} points"
        if end.collapses:
            reason += ", because the floor kept it so wide that neighbours of its point came within reach."
        else:
            reason += " and needs no floor, because points that differ have a variance."
    show_verdict(prediction, right=(_SHRINK if collapsed else _WIDEN), reason=reason)


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


def _by_floor(runs: _Runs, floor: str) -> None:
    """Draw the final log-likelihood against the floor: a straight line."""
    pairs = [(_FLOORS[name], end) for name, end in runs.ends.items() if math.isfinite(end)]
    if len(pairs) < 2:
        return
    pairs.sort()
    values = [end for _, end in pairs]
    low, high = 20 * math.floor(min(values) / 20), 20 * math.ceil(max(values) / 20 + 0.05)
    name = "final"
    drawing = line_chart(
        {name: [pair for pair in pairs if pair[0] > 0]},
        {name: LineStyle(VERMILLION)},
        Axis("covariance floor (share of variance)", (1e-12, 1e-1), is_logarithmic=True),
        Axis("log-likelihood", (low, high)),
        now=_FLOORS[floor] or None,
        has_points=True,
        height=260,
    )
    frame = pd.DataFrame(pairs, columns=["floor", "log-likelihood"])
    broke = [name for name, end in runs.ends.items() if math.isinf(end)]
    show_chart(
        drawing,
        frame,
        key="by_floor",
        alt=f"Final log-likelihood by floor: from {values[0]:.1f} at {pairs[0][0]:g} to"
        f" {values[-1]:.1f} at {pairs[-1][0]:g}.",
        name="log-likelihood-by-floor",
    )
    decade = runs.ends["1e-9"] - runs.ends["1e-8"]
    st.markdown(
        f"With a floor of 1e-8 the log-likelihood ends at {runs.ends['1e-8']:.2f}, with 1e-9 at"
        f" {runs.ends['1e-9']:.2f}: **{decade:.3f}** more. In two dimensions, a tenth of the"
        f" variance makes the peak ten times as high, and ln 10 = {math.log(10):.3f}. So a"
        " component on a single point gains this with every further factor of ten."
        + (" Without a floor the log-likelihood is infinite and EM stops." if broke else "")
    )
