"""Collapse on purpose: a narrow component on one point, and the floor that prevents it."""

import math
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st
from torch import Tensor

from lm_core.clustering import em, side_by_side
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import deviations
from lm_core.clustering.initialisation import mixture_on_a_point
from pages.shared import charts
from pages.shared.charts import Axis, LineStyle
from pages.shared.charts.palette import VERMILLION
from pages.shared.clustering.data import Data, load
from pages.shared.clustering.panels import em_panel
from pages.shared.components.cluster_panels import bounds_of, cluster_panels
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.playback import playback_bar

_FLOORS = {"none": 0.0} | {f"1e-{power}": 10.0**-power for power in range(12, 0, -1)}
_POINTS, _SEED = 60, 1
_LONELY = 5


class _Runs(NamedTuple):
    steps: dict[str, tuple[EMStep, ...]]  # by floor
    ends: dict[str, float]  # log-likelihood at the end, by floor


def draw_collapse() -> None:
    """Draw the run with the chosen floor, step by step, and the ends of the runs with all floors."""
    data = load("two blobs", _POINTS, _SEED)
    columns = st.columns([1.2, 1.4, 1.6], vertical_alignment="bottom")
    with columns[0]:
        point = control(
            st.number_input, "point", "Point of the narrow component", 1, _POINTS, _LONELY
        )
    with columns[1]:
        width = control(
            st.slider,
            "deviation",
            "Its initial standard deviation",
            0.05,
            0.6,
            0.4,
            0.05,
            format="%.2f",
        )
    with columns[2]:
        floor = control(
            st.select_slider, "floor", "Covariance floor (a variance)", list(_FLOORS), "none"
        )
    runs = _runs(point, width, data.points)
    steps = runs.steps[floor]
    playback_bar("step", len(steps), partial(_picture, data, steps, point - 1), label="Step")
    _explain(steps, floor, width)
    _by_floor(runs, floor)


@st.cache_resource(max_entries=64)
def _runs(point: int, width: float, _points: Tensor) -> _Runs:
    start = mixture_on_a_point(_points, point - 1, width)
    steps = {
        name: tuple(em.steps(_points, start, Constraint(floor=floor), tolerance=1e-6))
        for name, floor in _FLOORS.items()
    }
    return _Runs(steps, {name: side_by_side.log_likelihoods(s)[-1] for name, s in steps.items()})


def _picture(data: Data, steps: tuple[EMStep, ...], point: int, step: int) -> None:
    now = steps[step]
    likelihood = side_by_side.log_likelihoods(steps)[step]
    narrow = float(deviations(now.mixture)[1])
    drawn = data.points.numpy()
    said = "infinite" if math.isinf(likelihood) else f"{likelihood:.1f}"
    cluster_panels(
        drawn,
        [
            em_panel(
                now,
                data.plane,
                f"· iteration {now.iteration}, {now.phase}-step: log-likelihood {said}",
            ),
        ],
        key="collapse_panel",
        names=data.directions,
        bounds=bounds_of(drawn),
        hint=f"Component 2 began on the ringed point. It now holds {now.statistics.counts[1]:.2f} points,"
        f" and its smallest standard deviation is {narrow:.1e}.",
        name=f"collapse-step-{step}",
        is_flat=True,
        chosen=point,
        is_fixed=True,
    )


def _explain(steps: tuple[EMStep, ...], floor: str, width: float) -> None:
    end = steps[-1]
    if end.has_broken:
        st.error(_sentence(end) + " EM stops here.", icon=":material/compress:")
    elif end.collapses:
        st.warning(_sentence(end), icon=":material/vertical_align_bottom:")
    else:
        st.success(
            f"From a standard deviation of {width:g} component 2 has found a group. At the end it"
            f" holds {end.statistics.counts[1]:.1f} points and needs no floor.",
            icon=":material/groups:",
        )
    st.markdown(
        "A component with one point to itself gains likelihood by getting narrower. At its mean, the"
        " density of a normal distribution in two dimensions is 1 / (2πσ²). The other component"
        " still explains all other points. So the likelihood has *no maximum*: it grows without bound"
        " as σ goes to 0, for a useless solution. The *covariance floor* prevents this: no variance"
        " may fall below it, in any direction."
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
    drawing = charts.line_chart(
        {name: [pair for pair in pairs if pair[0] > 0]},
        {name: LineStyle(VERMILLION)},
        Axis("covariance floor (variance)", (1e-12, 1e-1), is_logarithmic=True),
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
        f" {runs.ends['1e-9']:.2f}: **{decade:.3f}** more. In two dimensions, a tenth of the variance"
        f" makes the peak ten times as high, and ln 10 = {math.log(10):.3f}. A component on a single"
        " point gains this with every further factor of ten."
        + (" Without a floor the log-likelihood is infinite and EM stops." if broke else "")
    )
