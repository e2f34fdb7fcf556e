"""The picture in words: what both methods have made of the points, and what its marks are."""

import streamlit as st
from torch import Tensor

from lm_core.clustering.k_means import KMeansStep
from lm_core.clustering.metrics import inertia_of_groups, misassigned
from pages.clustering.results import Runs
from pages.clustering.settings import TRUTH, WRONG, Settings
from pages.shared.clustering.panels import METHODS, responsibilities_of
from pages.shared.numbers import significant

_MOST_SIZES = 4
FEW = 0.05
"""Of the points: with more in wrong clusters, the groups are not found."""


def finding(runs: Runs, step: int, *, is_masked: bool = False) -> str:
    """Return in a line how both methods divide the points at a step; masked, without the sizes."""
    hard, soft = runs.steps.at(step)
    if is_masked:
        return f"{METHODS[0]} and {METHODS[1]} divide {_points(len(hard.labels))} into {len(hard.centres)}"
    clusters = len(hard.centres)
    found = (hard.labels, responsibilities_of(soft).argmax(1))
    n = len(hard.labels)
    k_means, em = (_sizes(labels, clusters) for labels in found)
    return f"{METHODS[0]} divides {_points(n)} {k_means}, {METHODS[1]} {em}"


def _points(n: int) -> str:
    return "1 point" if n == 1 else f"{n} points"


def _sizes(labels: Tensor, clusters: int) -> str:
    """Return how many points each cluster has, the largest first; of many clusters, the range."""
    sizes = sorted(labels.bincount(minlength=clusters).tolist(), reverse=True)
    if len(sizes) > _MOST_SIZES:
        return f"into {len(sizes)} clusters of {sizes[-1]} to {sizes[0]}"
    return " : ".join(map(str, sizes))


def why_k_means_errs(end: KMeansStep, labels: Tensor) -> str:
    """Say whether k-means has missed the true groups, or whether it prefers others.

    Parameters
    ----------
    end : KMeansStep
        The last one.
    labels : int64 Tensor of shape (n,)
        True groups; nothing is said where some points have none.
    """
    clusters, groups = len(end.centres), int(labels.max()) + 1
    if clusters != groups or len(labels) != len(end.points):
        return ""
    if misassigned(end.labels, labels) <= FEW * len(labels):
        return ""
    true = inertia_of_groups(end.points, labels)
    sums = f"The inertia, its sum of squared distances, is **{significant(end.inertia, 4)}**"
    if end.inertia > true:
        return (
            f" {sums} here, and **{significant(true, 4)}** for the true groups. So k-means has stopped at a *local"
            " optimum*: no further step lowers the sum, although a better division exists. Try *Next"
            " restart*, which begins from other initial centres."
        )
    return (
        f" {sums} here, and **{significant(true, 4)}** for the true groups, which is more. k-means minimises this sum,"
        " so it prefers the wrong division, and no other start can change that."
    )


def legend(settings: Settings) -> None:
    """Say what the marks in the picture are; what is not drawn is left out."""
    marks = [
        "● ■ ▲ a cluster; a mixed colour is shared",
        "①  a centre or mean" + (", with its path" if "paths of centres" in settings.shown else ""),
        "◯ around a mean: one and two standard deviations",
        "thick ring: the chosen point",
    ]
    if TRUTH in settings.shown and settings.data.mixture is not None:
        marks.append("dashed: the true groups")
    if WRONG in settings.shown and settings.data.labels is not None:
        marks.append("thin ring: a point in a wrong cluster")
    st.caption("  \n".join(marks))
