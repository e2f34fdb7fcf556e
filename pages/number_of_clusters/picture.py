"""The four criteria, and the points in as many clusters as are on screen."""

import streamlit as st

from lm_core.clustering.number_of_clusters import Candidate
from pages.number_of_clusters.measured import Choice, Comparison
from pages.shared import charts
from pages.shared.clustering.panels import em_panel, k_means_panel
from pages.shared.components.cluster_panels import bounds_of, cluster_panels
from pages.shared.ui.figures import show_chart

_WITHOUT = "without groups"


def criteria(choice: Choice, comparison: Comparison) -> None:
    """Draw each criterion against K."""
    columns = st.columns(4)
    for column, (name, title) in zip(
        columns,
        {
            "inertia": "inertia (elbow)",
            "silhouette": "silhouette",
            "bic": "BIC",
            "aic": "AIC",
        }.items(),
        strict=True,
    ):
        with column:
            _criterion(choice, comparison, name, title)
    st.caption(
        "A diamond is the number that a criterion picks: the largest silhouette, the smallest BIC or"
        " AIC. Inertia picks none: one looks for an elbow. The grey line is the inertia of points"
        " that fill their space evenly, with no groups at all."
    )


def _criterion(choice: Choice, comparison: Comparison, name: str, title: str) -> None:
    values = [getattr(candidate, name) for candidate in comparison.of]
    best = None if name == "inertia" else comparison.best(name)
    reference = comparison.without_groups if name == "inertia" else None
    frame = charts.criterion_frame(values, best, reference)
    if frame.empty:
        st.info(f"There is no {title} of a single cluster.")
        return
    said = ", ".join(f"{k}: {value:.4g}" for k, value in enumerate(values, start=1))
    show_chart(
        charts.criterion_chart(frame, title=title, now=choice.clusters, reference=_WITHOUT),
        frame,
        key=f"criterion_{name}",
        alt=f"{title} by number of clusters. {said}. Picks {best}.",
        name=f"{name}-by-clusters",
    )


def at_k(choice: Choice, comparison: Comparison) -> Candidate:
    """Draw the points as both methods see them with the K on screen."""
    candidate = comparison.of[min(choice.clusters, len(comparison.of)) - 1]
    data, (hard, soft) = choice.data, (candidate.hard, candidate.soft)
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
        key="choosing_panels",
        names=data.directions,
        bounds=bounds_of(drawn, means.numpy()),
        hint="Point at a point to read its clusters.",
        name=f"clusters-k-{candidate.clusters}",
        is_flat=plane.is_whole,
        rows=data.rows,
        is_fixed=True,
    )
    return candidate
