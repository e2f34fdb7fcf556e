"""The hard-assignment limit: EM with one fixed, round variance becomes k-means, on one slider."""

import math
from itertools import takewhile

import streamlit as st
from torch import Tensor

from lm_core.clustering.initialisation import initial_centres
from lm_core.clustering.side_by_side import Agreement, hard_assignment_limit
from pages.shared import page
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.clustering.data import GENERATED, Data, load
from pages.shared.clustering.panels import em_panel, k_means_panel, responsibilities_of
from pages.shared.components.cluster_panels import Scene, bounds_of, cluster_panels
from pages.shared.numbers import percent

_SIGMAS = tuple(float(f"{3 * 10 ** (-i / 6):.2g}") for i in range(19))
_POINTS = 200
_AGREE, _CERTAIN = "same cluster", "certainty"
_LEAST = 0.9
_AT = {"Near 2": 2.0, "Near 1": 1.0, "Near 0.1": 0.1, "Near 0.01": 0.01}
"""The σ from which both methods may agree on nine points in ten."""


def draw_hard_assignment_limit(screen: page.FirstScreen) -> None:
    """Draw both methods at the chosen sigma, and their agreement at all of them."""
    with screen.controls:
        sigma = page.pick(
            "sigma",
            "σ of every component",
            _SIGMAS[::-1],
            _SIGMAS[0],
            format_func=lambda value: f"{value:g}",
            help="The fixed standard deviation of every component, in every direction.",
            width=260,
        )
        with st.popover("More", icon=":material/tune:"):
            name = page.control(
                st.selectbox, "data", "Points", GENERATED, GENERATED.index("unequal sizes")
            )
            clusters = page.slider("clusters", "Clusters K", 2, 6, 3)
            seed = page.number("seed", "Seed", 0, 9999, 1)
    data = load(name, _POINTS, seed)
    with page.page_turns.lent():
        found = _agreements(f"{data.fingerprint}{clusters}", clusters, seed, data.points)
    now = found[_SIGMAS.index(sigma)]
    asked = _ask(screen, found, now)
    with screen.beside:
        st.caption("A ring marks a point that EM puts into another cluster than k-means does.")
    with screen.picture:
        st.markdown(
            f"**At σ = {sigma:g} EM and k-means put {percent(now.agreeing)} of the points into the same"
            " cluster**"
        )
        _picture(data, now)
        _lines(found, now, asked)
    _explain_why()


@st.cache_resource(max_entries=32, show_spinner="Fitting every σ")
def _agreements(key: str, clusters: int, seed: int, _points: Tensor) -> tuple[Agreement, ...]:
    centres = initial_centres(_points, clusters, "k-means++", seed)
    return tuple(hard_assignment_limit(_points, centres, _SIGMAS))


def _picture(data: Data, now: Agreement) -> None:
    plane = data.plane
    drawn = plane.project(data.points).numpy()
    found = responsibilities_of(now.soft).argmax(1)
    sigma, wrong = f"{now.deviation:g}", (found != now.hard.labels).numpy()
    named = data.directions, bounds_of(drawn), f"sigma-{sigma}"
    panels = (
        k_means_panel(now.hard, plane, "· converged"),
        em_panel(now.soft, plane, f"· σ = {sigma}", wrong=wrong),
    )
    scene = Scene(drawn, *named, is_flat=True, is_fixed=True, aspect=2.2)
    cluster_panels(scene, panels, key="limit_panels")


def _lines(found: tuple[Agreement, ...], now: Agreement, asked: page.Asked[float]) -> None:
    """Draw certainty by σ, and the agreement: before the answer, down to the σ on screen."""
    rising = sorted(found, key=lambda agreement: agreement.deviation)
    least = now.deviation if asked.masks else 0.0
    lines = {
        _AGREE: [(a.deviation, a.agreeing) for a in rising if a.deviation >= least],
        _CERTAIN: [(a.deviation, a.certainty) for a in rising],
    }
    page.show_lines(
        "agreement",
        lines,
        {_AGREE: page.LineStyle(BLUE), _CERTAIN: page.LineStyle(ORANGE, 1)},
        page.Axis("σ", (_SIGMAS[-1], _SIGMAS[0]), is_logarithmic=True),
        page.Axis("share", (0.0, 1.0)),
        guess=asked.at(lambda sigma: (sigma, _LEAST)),
        now=now.deviation,
        has_points=True,
        is_small=True,
        height=170,
    )


def _ask(
    screen: page.FirstScreen, found: tuple[Agreement, ...], now: Agreement
) -> page.Asked[float]:
    agreeing = list(takewhile(lambda agreement: agreement.agreeing >= _LEAST, reversed(found)))
    sure = list(takewhile(lambda agreement: agreement.certainty > 0.999, reversed(found)))
    logarithms = {said: math.log(sigma) for said, sigma in _AT.items()}
    right = page.nearest_answer(math.log(agreeing[-1].deviation), logarithms) if agreeing else None
    return page.ask(
        screen,
        "limit",
        "Now σ falls. From where on will EM and k-means put nine points in ten into the same cluster?",
        _AT,
        right=right,
        reason=(
            f"From σ = **{agreeing[-1].deviation:g}** down it is at least {percent(_LEAST)}."
            if agreeing
            else f"On these points it stays below {percent(_LEAST)}."
        )
        + f" At σ = {now.deviation:g} the largest *responsibility* of a point, its share in one"
        f" component, is **{percent(now.certainty, 1)}** on average"
        + (
            f"; from σ = {sure[-1].deviation:g} down it is over 99.9 %, because a smaller σ makes"
            " every difference of distances count for more."
            if sure
            else "."
        ),
    )


def _explain_why() -> None:
    st.markdown(
        "Responsibilities are proportional to π exp(−d² / 2σ²), with d the distance to the mean and π the"
        " weight of the component. With a large σ the exponent is near 0 for all components, so they"
        " share a point nearly equally. With a small σ the nearest takes all: the E-step becomes the"
        " assignment step, and the M-step the update step. Where both methods still differ at the"
        " smallest σ, they have converged to different local optima."
    )
