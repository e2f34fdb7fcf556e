"""What the numbers on screen say: wrong points, objectives by step, and one point in both formulas."""

import math
from functools import partial

import pyarrow as pa
import streamlit as st
from torch import Tensor

from lm_core.clustering.datasets import iris
from lm_core.clustering.gaussian_mixture import log_joint
from lm_core.clustering.initialisation import initial_centres
from lm_core.clustering.k_means import squared_distances
from lm_core.clustering.metrics import misassigned
from lm_core.clustering.side_by_side import run
from pages.clustering.in_words import why_k_means_errs
from pages.clustering.results import Runs, errors_of
from pages.clustering.settings import Settings
from pages.shared.charts.clustering import objective_frame, objective_lines
from pages.shared.clustering.panels import METHODS, responsibilities_of
from pages.shared.numbers import percent, significant
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

_PUBLISHED = {
    "two blobs": ("0 of 100", ""),
    "95 : 5": ("“many wrong assignments” of 100", ""),
    "95 : 5, stretched": ("bad, without a count", "good, without a count"),
    "Iris": ("at least 16 of 150", "5 of 150, loss about 181"),
}
"""In the text, code and notes of the blog series."""
_MOST_TERMS = 3
_LIKELIHOOD, _BOUND = "log-likelihood", "lower bound"


def wrong_points_table(settings: Settings, runs: Runs, step: int) -> None:
    """Count the points in wrong clusters, now and at the end, where the truth is known."""
    data = settings.data
    if data.labels is None:
        return
    rows = []
    published = _PUBLISHED.get(data.name)
    ends = zip(_labels(runs, step), _labels(runs, len(runs.steps)), strict=True)
    for i, (now, end) in enumerate(ends):
        row = {
            "method": METHODS[i],
            "wrong now": errors_of(now, data.labels),
            "wrong at the end": errors_of(end, data.labels),
            "of": len(data.labels),
        }
        rows.append(row | ({"published": published[i]} if published else {}))
    st.dataframe(
        pa.Table.from_pylist(rows),
        hide_index=True,
        height="content",
        column_config={
            "published": st.column_config.Column(help="In the blog series and its code")
        },
    )
    _explain_errors(settings, runs, rows)


@st.cache_data
def _iris_by_default() -> tuple[float, int]:
    """Return negative log-likelihood and errors of EM on Iris, begun where k-means ends."""
    flowers = iris()
    centres = initial_centres(flowers.points, 3, "k-means++", 0)
    end = run(flowers.points, centres, em_after_k_means=True).soft[-1]
    found = end.responsibilities.argmax(1)
    return -end.log_likelihood, misassigned(found, flowers.labels)


def _labels(runs: Runs, step: int) -> tuple:
    hard, soft = runs.steps.at(step)
    return hard.labels, responsibilities_of(soft).argmax(1)


def _explain_errors(settings: Settings, runs: Runs, rows: list[dict]) -> None:
    hard, soft = (row["wrong at the end"] for row in rows)
    likelihood = runs.log_likelihoods[-1]
    sentence = (
        f"At the end, k-means has **{hard}** of {rows[0]['of']} points in a wrong cluster, and EM"
        f" **{soft}**. Clusters are matched with the true groups so that the fewest points are wrong."
    )
    if settings.data.name == "Iris":
        sentence += (
            f" EM's negative log-likelihood is {-likelihood:.2f}. With K = 3, full covariances and all"
            f" four columns, EM from the k-means clusters reaches {_iris_by_default()[0]:.2f} with"
            f" {_iris_by_default()[1]} errors. From the initial centres EM often stops at a worse"
            " optimum."
        )
    elif settings.data.labels is not None:
        sentence += why_k_means_errs(runs.steps.hard[-1], settings.data.labels)
    st.markdown(sentence)


def objectives(runs: Runs, step: int) -> None:
    """Draw inertia and log-likelihood after each step."""
    left, right = st.columns(2, gap="medium")
    inertia = runs.inertias[min(step, len(runs.inertias) - 1)]
    likelihood = runs.log_likelihoods[min(step, len(runs.log_likelihoods) - 1)]
    with left:
        lines = {"inertia": runs.inertias}
        show_chart(
            objective_lines(lines, now=step, title="inertia of k-means"),
            partial(objective_frame, lines, ("assignment", "update")),
            key="inertia",
            alt=f"Inertia by step: {significant(inertia, 4)} now, {significant(runs.inertias[-1], 4)} at the end.",
            name="inertia",
        )
    with right:
        lines = {_LIKELIHOOD: runs.log_likelihoods, _BOUND: runs.lower_bounds}
        show_chart(
            objective_lines(lines, now=step, title="log-likelihood of EM"),
            partial(objective_frame, lines, ("E-step", "M-step")),
            key="likelihood",
            alt=f"Log-likelihood by step: {significant(likelihood, 4)} now,"
            f" {significant(runs.log_likelihoods[-1], 4)} at the end.",
            name="log-likelihood",
        )
    st.markdown(
        "*Inertia* is the sum of squared distances between points and their centres. It is"
        f" **{significant(inertia, 4)}** now and {significant(runs.inertias[-1], 4)} at the end, and no step raises it. The"
        f" *log-likelihood*, the sum of log p(x), is **{significant(likelihood, 4)}** now and"
        f" {significant(runs.log_likelihoods[-1], 4)} at the end, and never falls. An E-step raises the dashed"
        " lower bound to the log-likelihood. An M-step raises both."
    )


def chosen_point(settings: Settings) -> int:
    """Draw the choice of a point, from 1; return its index."""
    n = len(settings.data.points)
    st.header("One point in numbers", anchor=False)
    if st.session_state.get("point", 1) > n:
        st.session_state["point"] = n
    label = f"Point, from 1 to {n}, or click on one in the picture"
    return control(st.number_input, "point", label, 1, n, 1, width=320) - 1


def one_point(settings: Settings, runs: Runs, step: int, index: int) -> None:
    """Put the numbers of the chosen point into both methods' formulas."""
    point = settings.data.points[index : index + 1]
    hard, soft = runs.steps.at(step)
    distances = squared_distances(point, hard.centres)[0].sqrt().tolist()
    logs = log_joint(point, soft.shared_by)[0]
    joints = logs.exp().tolist()
    shares = responsibilities_of(soft)[index].tolist()
    weights = soft.shared_by.weights.tolist()
    columns = {
        "distance to the k-means centre": distances,
        "weight π": weights,
        "density N(x)": [j / w if w else 0.0 for j, w in zip(joints, weights, strict=True)],
        "π N(x)": joints,
        "responsibility": shares,
    }
    digits = {name: st.column_config.NumberColumn(format="%.4g") for name in columns}
    numbers = pa.table({"cluster": list(range(1, len(shares) + 1)), **columns})
    st.dataframe(numbers, hide_index=True, height="content", column_config=digits)
    _formula(settings, index, int(hard.labels[index]), distances, logs, shares)


def _formula(
    settings: Settings,
    index: int,
    label: int,
    distances: list[float],
    logs: Tensor,
    shares: list[float],
) -> None:
    best = max(range(len(shares)), key=shares.__getitem__)
    place = ", ".join(significant(value, 3) for value in settings.data.points[index].tolist()[:6])
    more = ", …" if settings.data.points.shape[1] > 6 else ""
    name = f" *{_plain(settings.data.rows[index])}*" if settings.data.rows else ""
    nearest = min(range(len(distances)), key=distances.__getitem__)
    st.markdown(
        f"Point {index + 1}{name} at ({place}{more}) is in cluster **{label + 1}** of k-means. Its"
        f" nearest centre now is {nearest + 1}, at a distance of {significant(distances[nearest], 3)}. In EM, the"
        f" *responsibility* of component {best + 1} for it is **{percent(shares[best], 1)}**:"
    )
    # More terms would not fit; the table has them.
    are_few = len(shares) <= _MOST_TERMS
    below = " + ".join(map(_tex, logs.tolist())) if are_few else _tex(float(logs.logsumexp(0)))
    st.latex(
        rf"\begin{{aligned}}r_{{{index + 1},{best + 1}}} &= \frac{{\pi_{{{best + 1}}}\,\mathcal{{N}}(x\,;\mu_{{{best + 1}}},"
        rf"\Sigma_{{{best + 1}}})}}{{\sum_k \pi_k\,\mathcal{{N}}(x\,;\mu_k,\Sigma_k)}}"
        rf" \\[1ex] &= \frac{{{_tex(float(logs[best]))}}}{{{below}}} = {shares[best]:.3f}\end{{aligned}}"
    )


def _plain(name: str) -> str:
    return "".join(c for c in name if c.isalnum() or c in " '-")


def _tex(log: float) -> str:
    """Return e to this power as a reader wants it; as a power of e where no number can hold it."""
    if abs(log) > 700.0:
        return "0" if log == -math.inf else rf"e^{{{log:.0f}}}"
    number = math.exp(log)
    if 0.001 <= number < 1000:
        return f"{number:.4f}".rstrip("0").rstrip(".")
    mantissa, exponent = f"{number:.2e}".split("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
