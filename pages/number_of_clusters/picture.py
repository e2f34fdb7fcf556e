"""The points as both methods see them, and under them each criterion against the number of clusters."""

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import pandas as pd
import streamlit as st

from pages.number_of_clusters.comparison import Comparison, Settings
from pages.shared.charts.clustering import criterion_frame, criterion_lines
from pages.shared.charts.drawing import Drawing
from pages.shared.clustering.data import IRIS
from pages.shared.clustering.panels import em_panel, k_means_panel
from pages.shared.components.cluster_panels import Scene, bounds_of, cluster_panels
from pages.shared.numbers import significant
from pages.shared.ui.figures import show_chart

_CRITERIA = {"inertia": "inertia", "silhouette": "silhouette", "bic": "BIC", "aic": "AIC"}
_WITHOUT, _FIT = "without groups", "−2 ln L"


class Answer(NamedTuple):
    """What is known of BIC's pick: whether it may be drawn, and what visitor and class expected."""

    revealed: bool
    guess: int | None = None
    of_class: tuple[tuple[int, int], ...] = ()


def finding(settings: Settings, comparison: Comparison, answer: Answer) -> str:
    """Return what the picture shows, in a line: how many groups there are, and who picks how many."""
    data = settings.data
    true = f"{len(data.groups)} {'species' if data.name == IRIS else 'true groups'}"
    if not data.groups:
        true = "No groups" if data.name == "no structure" else "No group is known"
    picks = [
        f"{title} {best if name != 'bic' or answer.revealed else '?'}"
        for name, title in _CRITERIA.items()
        if name != "inertia" and (best := comparison.best(name))
    ]
    said = f"{picks[0].replace(' ', ' picks ')}, {', '.join(picks[1:])}"
    return f"{true}: {said}"


def draw(settings: Settings, comparison: Comparison, answer: Answer) -> None:
    """Draw the points at the left, and at their right the criteria."""
    points, against = st.columns([1, 2], gap="small")
    with points:
        _draw_panels(settings, comparison)
    with against:
        _draw_criteria(settings, comparison, answer)


def _draw_panels(settings: Settings, comparison: Comparison) -> None:
    """Draw the points as both methods see them with the K on screen."""
    candidate = comparison.of[min(settings.clusters, len(comparison.of)) - 1]
    data, (hard, soft) = settings.data, (candidate.hard, candidate.soft)
    plane = data.plane
    drawn, means = plane.project(data.points).numpy(), plane.project(soft.mixture.means)
    scene = Scene(
        drawn,
        data.directions,
        bounds_of(drawn, means.numpy()),
        f"clusters-k-{candidate.clusters}",
        plane.is_whole,
        rows=data.rows,
        is_fixed=True,
        aspect=2.2,
    )
    inertia, likelihood = (significant(x, 4) for x in (candidate.inertia, soft.log_likelihood))
    with_k = f"· K = {candidate.clusters}"
    panels = (
        k_means_panel(hard, plane, f"{with_k}, inertia {inertia}"),
        em_panel(soft, plane, f"{with_k}, log-likelihood {likelihood}"),
    )
    cluster_panels(scene, panels, key="clusters_panels")


def _draw_criteria(settings: Settings, comparison: Comparison, answer: Answer) -> None:
    """Draw each criterion against K, two in a row."""
    fit = [-2.0 * candidate.soft.log_likelihood for candidate in comparison.of]
    references = {
        "inertia": (_WITHOUT, comparison.without_groups),
        "silhouette": ("", None),
        "bic": (_FIT, fit),
        "aic": (_FIT, fit),
    }
    names = list(_CRITERIA)
    for row in (names[:2], names[2:]):
        with st.container(horizontal=True, key=f"pairs_{row[0]}", gap="small"):
            for name in row:
                _criterion(settings, comparison, name, *references[name], answer)


def _criterion(
    settings: Settings,
    comparison: Comparison,
    name: str,
    reference: str,
    expected: Sequence[float] | None,
    answer: Answer,
) -> None:
    title = _CRITERIA[name]
    values = tuple(getattr(candidate, name) for candidate in comparison.of)
    best = None if name == "inertia" else comparison.best(name)
    if not any(map(math.isfinite, values)):
        st.info(f"There is no {title} of a single cluster.")
        return
    is_asked, is_masked = name == "bic", name == "bic" and not answer.revealed
    drawn = _Criterion(
        title, values, best, reference, None if expected is None else tuple(expected), is_masked
    )
    show_chart(
        _drawing(drawn, settings.clusters, answer if is_asked else Answer(revealed=True)),
        partial(_shown, drawn),
        key=f"criterion_{name}",
        alt=_in_words(title, values, best, is_masked=is_masked),
        name=f"{name}-by-clusters",
        is_small=True,
    )


class _Criterion(NamedTuple):
    """What a chart of a criterion shows beside the K on screen and the visitor's guess."""

    title: str
    values: tuple[float, ...]
    best: int | None
    reference: str
    expected: tuple[float, ...] | None
    is_masked: bool

    @property
    def frame(self) -> pd.DataFrame:
        return criterion_frame(self.values, self.best, self.expected)


@lru_cache(maxsize=512)
def _drawing(criterion: _Criterion, now: int, answer: Answer) -> Drawing:
    """Return the chart, drawn once for all who look at the same points."""
    return criterion_lines(
        criterion.frame,
        title=criterion.title,
        now=now,
        reference=criterion.reference,
        guess=answer.guess,
        of_class=answer.of_class,
        is_masked=criterion.is_masked,
    )


def _shown(criterion: _Criterion) -> pd.DataFrame:
    frame = criterion.frame
    return frame.drop(columns=["value", "best"]) if criterion.is_masked else frame


def _in_words(title: str, values: Sequence[float], best: int | None, *, is_masked: bool) -> str:
    if is_masked:
        return f"{title} by number of clusters, not drawn before the question is answered."
    pairs = [(k, value) for k, value in enumerate(values, start=1) if math.isfinite(value)]
    said = ", ".join(f"{k}: {significant(value, 4)}" for k, value in pairs)
    picks = f" Picks {best}." if best else ""
    return f"{title} by number of clusters. {said}.{picks}"
