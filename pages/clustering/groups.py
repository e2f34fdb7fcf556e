"""Which method finds the true groups: the question, the points that are wrong, and why k-means errs."""

from collections.abc import Sequence

import pyarrow as pa
import streamlit as st
from torch import Tensor

from lm_core.clustering.datasets import iris
from lm_core.clustering.initialisation import initial_centres
from lm_core.clustering.metrics import inertia_of_groups, misassigned
from lm_core.clustering.side_by_side import run
from pages.clustering.runs import Moment
from pages.shared import page
from pages.shared.clustering.data import IRIS, sizes_of_groups
from pages.shared.clustering.panels import METHODS
from pages.shared.numbers import significant

BOTH, _NEITHER = "Both", "Neither"
_PUBLISHED = {
    "two blobs": ("0 of 100", ""),
    "95 : 5": ("“many wrong assignments” of 100", ""),
    "95 : 5, stretched": ("bad, without a count", "good, without a count"),
    "Iris": ("at least 16 of 150", "5 of 150, loss about 181"),
}
"""In the text, code and notes of the blog series."""
_FEW = 0.05
"""Of the points: with more in wrong clusters, the groups are not found."""


def ask_who_finds_the_groups(screen: page.FirstScreen, end: Moment) -> page.Asked[str]:
    """Ask which method finds the true groups; before it is answered, these may not be drawn."""
    data, true = end.settings.data, end.settings.data.labels
    if true is None:
        return page.Asked()

    def right() -> str:
        finds = [wrong <= _FEW * len(true) for wrong in end.errors(true)]
        if all(finds):
            return BOTH
        return METHODS[finds.index(True)] if any(finds) else _NEITHER

    def reason(_: str | None) -> str:
        hard, soft = end.errors(true)
        # A presenter says why.
        why = "" if page.is_presenting() else why_k_means_errs(end, true)
        return (
            f"**{right()}**: at the end k-means has **{hard}** of {len(true)} points in a wrong"
            f" cluster, EM **{soft}**. k-means counts distances alone, EM also how large a"
            " group is and, unless covariances are tied, how wide, so they need not agree: the true groups have"
            f" {sizes_of_groups(true)} points.{why}"
        )

    return page.ask(
        screen,
        f"groups_{''.join(filter(str.isalnum, data.name.lower()))}",
        f"The points come from {len(data.groups)} groups. Which method finds them?",
        (*METHODS, BOTH, _NEITHER),
        right=right,
        reason=reason,
    )


def why_k_means_errs(end: Moment, true: Tensor) -> str:
    """Say whether k-means has missed the true groups, or whether it prefers others.

    Nothing is said where some points have no group, or there are not as many groups as clusters.
    """
    hard = end.hard
    is_comparable = len(hard.centres) == int(true.max()) + 1 and len(true) == len(hard.points)
    if not is_comparable or end.errors(true)[0] <= _FEW * len(true):
        return ""
    best = inertia_of_groups(hard.points, true)
    sums = (
        f" The inertia, its sum of squared distances, is **{significant(hard.inertia, 4)}** here, and"
        f" **{significant(best, 4)}** for the true groups"
    )
    if hard.inertia > best:
        return (
            f"{sums}. So k-means has stopped at a *local optimum*: no further step lowers the sum, although"
            " a better division exists. Try *Next restart*, which begins from other initial centres."
        )
    return (
        f"{sums}, which is more. k-means minimises this sum, so by its own measure the wrong division is the"
        " better one, whatever the start."
    )


def wrong_points_table(now: Moment) -> None:
    """Count the points in wrong clusters, now and at the end, where the truth is known."""
    data, true = now.settings.data, now.settings.data.labels
    if true is None:
        return
    hard, soft = at_end = now.end.errors(true)
    table: dict[str, Sequence[object]] = {"method": METHODS, "wrong now": now.errors(true)}
    table |= {"wrong at the end": at_end, "of": [len(true)] * len(METHODS)}
    if data.name in _PUBLISHED:
        table["published"] = _PUBLISHED[data.name]
    where = {"published": st.column_config.Column(help="In the blog series and its code")}
    st.dataframe(pa.table(table), hide_index=True, height="content", column_config=where)
    why = why_k_means_errs(now.end, true)
    if data.name == IRIS:
        loss, wrong = _iris_by_default()
        why = (
            f" EM's negative log-likelihood is {-now.runs.log_likelihoods[-1]:.2f}. With K = 3,"
            " full covariances and all four columns, EM from the k-means clusters reaches"
            f" {loss:.2f} with {wrong} errors. From the initial centres EM often stops at a worse"
            " optimum, because each of its steps can only raise the likelihood and none leads"
            " through a valley."
        )
    st.markdown(
        f"At the end, k-means has **{hard}** of {len(true)} points in a wrong cluster, and EM"
        f" **{soft}**. Clusters are matched with the true groups so that the fewest points are wrong.{why}"
    )


@st.cache_data
def _iris_by_default() -> tuple[float, int]:
    """Return negative log-likelihood and errors of EM on Iris, begun where k-means ends."""
    flowers = iris()
    centres = initial_centres(flowers.points, 3, "k-means++", 0)
    end = run(flowers.points, centres, em_after_k_means=True).soft[-1]
    return -end.log_likelihood, misassigned(end.responsibilities.argmax(1), flowers.labels)
