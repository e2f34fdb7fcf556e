"""The hard-assignment limit: EM with one fixed, round variance becomes k-means, on one slider."""

from itertools import takewhile

import pandas as pd
import streamlit as st
from torch import Tensor

from lm_core.clustering.initialisation import initial_centres
from lm_core.clustering.side_by_side import Agreement, hard_assignment_limit
from pages.shared import charts
from pages.shared.charts import Axis, LineStyle
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.clustering.data import GENERATED, Data, asked_for, load
from pages.shared.clustering.panels import em_panel, k_means_panel, responsibilities_of
from pages.shared.components.cluster_panels import bounds_of, cluster_panels
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

_SIGMAS = tuple(float(f"{3 * 10 ** (-i / 6):.2g}") for i in range(19))
_POINTS = 200
_AGREE, _CERTAIN = "same cluster", "certainty"


def draw_hard_assignment_limit() -> None:
    """Draw both methods at the chosen sigma, and their agreement at all of them."""
    columns = st.columns([2.4, 1.4, 1.2, 0.8], vertical_alignment="bottom")
    with columns[0]:
        sigma = control(
            st.select_slider,
            "sigma",
            "σ, the fixed standard deviation of every component",
            _SIGMAS,
            _SIGMAS[0],
            format_func=lambda value: f"{value:g}",
        )
    with columns[1]:
        name = control(st.selectbox, "data", "Points", GENERATED, GENERATED.index("unequal sizes"))
    with columns[2]:
        clusters = control(st.slider, "clusters", "Clusters K", 2, 6, 3)
    with columns[3]:
        seed = control(st.number_input, "seed", "Seed", 0, 9999, 1)
    data = load(name, _POINTS, seed)
    key = f"{data.fingerprint}{clusters}"
    if not asked_for("hard_assignment_limit", key, "Fit all σ", first_is_free=True):
        return
    found = _agreements(key, clusters, seed, data.points)
    now = found[_SIGMAS.index(sigma)]
    _picture(data, now)
    _lines(found, now)
    _explain(found, now)


@st.cache_resource(max_entries=32, show_spinner="Fitting every σ")
def _agreements(key: str, clusters: int, seed: int, _points: Tensor) -> tuple[Agreement, ...]:
    centres = initial_centres(_points, clusters, "k-means++", seed)
    return tuple(hard_assignment_limit(_points, centres, _SIGMAS))


def _picture(data: Data, now: Agreement) -> None:
    plane = data.plane
    drawn = plane.project(data.points).numpy()
    found = responsibilities_of(now.soft).argmax(1)
    cluster_panels(
        drawn,
        [
            k_means_panel(now.hard, plane, "· converged"),
            em_panel(
                now.soft,
                plane,
                f"· σ = {now.deviation:g}; ringed: another cluster",
                wrong=(found != now.hard.labels).numpy(),
            ),
        ],
        key="limit_panels",
        names=data.directions,
        bounds=bounds_of(drawn),
        hint="Hover over a point to read its responsibilities.",
        name=f"sigma-{now.deviation:g}",
        is_flat=True,
        is_fixed=True,
    )


def _lines(found: tuple[Agreement, ...], now: Agreement) -> None:
    rising = sorted(found, key=lambda agreement: agreement.deviation)
    lines = {
        _AGREE: [(a.deviation, a.agreeing) for a in rising],
        _CERTAIN: [(a.deviation, a.certainty) for a in rising],
    }
    frame = pd.DataFrame(
        [(a.deviation, a.agreeing, a.certainty) for a in rising],
        columns=["sigma", "agreeing", "certainty"],
    )
    show_chart(
        charts.line_chart(
            lines,
            {_AGREE: LineStyle(BLUE), _CERTAIN: LineStyle(ORANGE, 1)},
            Axis("σ", (_SIGMAS[-1], _SIGMAS[0]), is_logarithmic=True),
            Axis("share", (0.0, 1.0)),
            now=now.deviation,
            has_points=True,
            height=260,
        ),
        frame,
        key="agreement",
        alt=f"Agreement with k-means by σ: {now.agreeing:.0%} at {now.deviation:g},"
        f" {found[-1].agreeing:.0%} at {found[-1].deviation:g}.",
        name="agreement-by-sigma",
    )


def _explain(found: tuple[Agreement, ...], now: Agreement) -> None:
    sure = list(takewhile(lambda agreement: agreement.certainty > 0.999, reversed(found)))
    st.markdown(
        f"At σ = {now.deviation:g} both methods put **{now.agreeing:.1%}** of the points into the same"
        f" cluster. The largest responsibility of a point is **{now.certainty:.1%}** on average."
        " Responsibilities are proportional to exp(−d² / 2σ²), with d the distance to the mean. With a"
        " large σ all components are nearly equal. With a small σ the nearest takes all: the E-step"
        " becomes the assignment step, and the M-step the update step."
        + (f" From σ = {sure[-1].deviation:g} down the average is over 99.9%." if sure else "")
        + " Where they still differ at the smallest σ, they have converged to different local optima."
    )
