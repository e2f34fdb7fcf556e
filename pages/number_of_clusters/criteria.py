"""The criteria for every number of clusters: computed once, drawn, and explained with their numbers."""

import math
from typing import NamedTuple

import streamlit as st
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.number_of_clusters import (
    Candidate,
    candidates,
    dimension_of,
    inertia_without_groups,
)
from lm_core.errors import LMCoreError
from pages.shared import charts
from pages.shared.clustering.data import IRIS, Data, asked_for, data_names, load
from pages.shared.clustering.panels import em_panel, k_means_panel
from pages.shared.components.cluster_panels import bounds_of, cluster_panels
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.messages import show_error

MOST = 8
"""Numbers of clusters that are compared: 1 to 8."""

_WITHOUT = "without groups"


class Settings(NamedTuple):
    """All that the controls are set to."""

    data: Data
    kind: CovarianceKind
    seed: int
    clusters: int


class Comparison(NamedTuple):
    """The candidates for K = 1, 2, ..., and the inertia that points without groups would leave."""

    of: tuple[Candidate, ...]
    without_groups: tuple[float, ...]

    def best(self, criterion: str) -> int | None:
        """Return the K that ``silhouette``, ``bic`` or ``aic`` picks; None where it has no say."""
        sign = -1.0 if criterion == "silhouette" else 1.0
        scored = [(sign * getattr(c, criterion), c.clusters) for c in self.of]
        scored = [pair for pair in scored if math.isfinite(pair[0])]
        return min(scored)[1] if scored else None


def choose_settings() -> Settings:
    """Draw the controls; what cannot be clustered stops the page with a message."""
    names = data_names()
    columns = st.columns([2.1, 1.7, 1.5, 0.9], vertical_alignment="bottom")
    with columns[0]:
        name = control(st.selectbox, "data", "Points", names, names.index(IRIS))
    with columns[1]:
        clusters = control(st.slider, "clusters", "Clusters K on screen", 1, MOST, 2)
    with columns[2]:
        kind = control(
            st.selectbox, "covariance", "Covariances of EM", [str(k) for k in CovarianceKind]
        )
    with columns[3], st.popover("More", icon=":material/tune:"):
        n = control(
            st.slider, "points", "Number of points", 10, 2000, 200, 10, help="Of generated data."
        )
        seed = control(st.number_input, "seed", "Seed", 0, 9999, 1)
    return Settings(load(name, n, seed), CovarianceKind(kind), seed, clusters)


def compare(settings: Settings) -> Comparison | None:
    """Return all candidates, once they have been asked for; on arrival they are."""
    key = f"{settings.data.fingerprint}{settings.kind}{settings.seed}"
    if not asked_for("choosing", key, f"Compare K = 1 to {MOST}", first_is_free=True):
        return None
    try:
        return _compared(key, settings.kind, settings.seed, settings.data.points)
    except LMCoreError as error:
        show_error(error)
        return None


@st.cache_resource(max_entries=32, show_spinner="Fitting every number of clusters")
def _compared(key: str, kind: CovarianceKind, seed: int, _points: Tensor) -> Comparison:
    found = tuple(candidates(_points, MOST, kind, seed))
    width = dimension_of(_points)
    return Comparison(
        found,
        tuple(inertia_without_groups(found[0].inertia, c.clusters, width) for c in found),
    )


def draw_panels(settings: Settings, comparison: Comparison) -> Candidate:
    """Draw the points as both methods see them with the K on screen."""
    candidate = comparison.of[min(settings.clusters, len(comparison.of)) - 1]
    data, (hard, soft) = settings.data, (candidate.hard, candidate.soft)
    plane = data.plane
    drawn, means = plane.project(data.points).numpy(), plane.project(soft.mixture.means)
    cluster_panels(
        drawn,
        (
            k_means_panel(
                hard, plane, f"· K = {candidate.clusters}, inertia {candidate.inertia:.4g}"
            ),
            em_panel(
                soft,
                plane,
                f"· K = {candidate.clusters}, log-likelihood {soft.log_likelihood:.4g}",
            ),
        ),
        key="clusters_panels",
        names=data.directions,
        bounds=bounds_of(drawn, means.numpy()),
        hint="Hover over a point to read its clusters.",
        name=f"clusters-k-{candidate.clusters}",
        is_flat=plane.is_whole,
        rows=data.rows,
        is_fixed=True,
    )
    return candidate


def criteria(settings: Settings, comparison: Comparison) -> None:
    """Draw each criterion against K."""
    columns = st.columns(4)
    for column, (name, title) in zip(
        columns,
        {
            "inertia": "inertia",
            "silhouette": "silhouette",
            "bic": "BIC",
            "aic": "AIC",
        }.items(),
        strict=True,
    ):
        with column:
            _criterion(settings, comparison, name, title)
    st.caption(
        "A square marks the number that a criterion picks: the largest silhouette, the smallest BIC"
        " or AIC. With inertia one looks for an *elbow*, a bend in the curve. The grey line is the"
        " inertia of evenly spread points without groups."
    )


def _criterion(settings: Settings, comparison: Comparison, name: str, title: str) -> None:
    values = [getattr(candidate, name) for candidate in comparison.of]
    best = None if name == "inertia" else comparison.best(name)
    reference = comparison.without_groups if name == "inertia" else None
    frame = charts.criterion_frame(values, best, reference)
    if frame.empty:
        st.info(f"There is no {title} of a single cluster.")
        return
    said = ", ".join(f"{k}: {value:.4g}" for k, value in enumerate(values, start=1))
    show_chart(
        charts.criterion_lines(frame, title=title, now=settings.clusters, reference=_WITHOUT),
        frame,
        key=f"criterion_{name}",
        alt=f"{title} by number of clusters. {said}. Picks {best}.",
        name=f"{name}-by-clusters",
    )


def elbow(comparison: Comparison) -> None:
    """Say why there may be no elbow to see."""
    inertias = [candidate.inertia for candidate in comparison.of]
    if len(inertias) < 3 or not inertias[0]:
        return
    st.subheader("Why you may not see an elbow", anchor=False)
    expected = [e / inertias[0] for e in comparison.without_groups]
    falls = "; ".join(
        f"K = {k}: {inertias[k - 1] / inertias[0]:.0%} (without groups {expected[k - 1]:.0%})"
        for k in range(2, min(5, len(inertias)) + 1)
    )
    st.markdown(
        "Inertia falls with every further centre, whatever the points are. Even for points without"
        f" groups its curve bends like an elbow. As shares of the inertia at K = 1: {falls}. Groups show"
        " as a *gap* to the grey line that opens at their number. Where groups overlap or differ in"
        " size, the gap opens slowly and no corner appears."
    )


def information(settings: Settings, comparison: Comparison) -> None:
    """Weigh what the log-likelihood gains against what the parameters cost, around BIC's pick."""
    picked = comparison.best("bic")
    if picked is None or len(comparison.of) < 2:
        return
    picked = min(picked, len(comparison.of) - 1)
    now, after = comparison.of[picked - 1], comparison.of[picked]
    st.subheader("Why BIC picks this number", anchor=False)
    st.markdown(
        f"BIC picks **{comparison.best('bic')}**, AIC **{comparison.best('aic')}**. "
        + _account(now, after)
        + (
            f"{MOST} is the largest number compared here. "
            if comparison.best("bic") == MOST
            else ""
        )
        + _iris(settings, comparison)
    )


def _account(now: Candidate, after: Candidate) -> str:
    gain = 2.0 * (after.soft.log_likelihood - now.soft.log_likelihood)
    parameters = after.soft.mixture.free_parameters - now.soft.mixture.free_parameters
    n = len(now.hard.points)
    comparison = "less" if gain < parameters * math.log(n) else "more"
    return (
        f"From {now.clusters} to {after.clusters} components, twice the log-likelihood grows by"
        f" {gain:.1f}. The model then has {parameters} more parameters. BIC charges"
        f" ln {n} = {math.log(n):.2f} for each, {parameters * math.log(n):.1f} in all: the gain is"
        f" {comparison} than the penalty. AIC charges 2 for each, {2 * parameters} in all. "
    )


def _iris(settings: Settings, comparison: Comparison) -> str:
    if settings.data.name != IRIS or len(comparison.of) < 3:
        return (
            "Both criteria ask how many normal distributions describe the points best. A group of"
            " another shape needs several of them."
        )
    two, three = comparison.of[1], comparison.of[2]
    why = (
        "*versicolor* and *virginica* overlap so much that one wide component describes both nearly"
        " as well"
        if two.bic < three.bic
        else "here a third component gains more than its penalty"
    )
    return (
        f"There are three species. With {settings.kind} covariances BIC is {two.bic:.1f} for two"
        f" components and {three.bic:.1f} for three: {why}. BIC selects the model that describes the"
        " lengths best for its size, not the number of species."
    )
