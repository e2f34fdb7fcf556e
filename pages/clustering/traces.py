"""Under the picture: what each half-step achieved, and one point's numbers in the formula."""

import math

import streamlit as st
from torch import Tensor

from lm_core.clustering.gaussian_mixture import log_joint
from lm_core.clustering.k_means import squared_distances
from lm_core.clustering.number_of_clusters import dimension_of
from pages.clustering.choices import Choice
from pages.clustering.walk import Walk
from pages.shared import charts
from pages.shared.clustering.panels import responsibilities_of
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

_MOST_TERMS = 3
_LIKELIHOOD, _BOUND = "log-likelihood", "lower bound"


def objectives(walk: Walk, step: int) -> None:
    """Draw inertia and log-likelihood after each half-step."""
    left, right = st.columns(2, gap="medium")
    inertia = walk.inertias[min(step, len(walk.inertias) - 1)]
    likelihood = walk.log_likelihoods[min(step, len(walk.log_likelihoods) - 1)]
    with left:
        frame = charts.objective_frame({"inertia": walk.inertias}, ("assign", "update"))
        show_chart(
            charts.objective_trace(frame, now=step, title="inertia of k-means"),
            frame,
            key="inertia",
            alt=f"Inertia by half-step: {inertia:.4g} now, {walk.inertias[-1]:.4g} at the end.",
            name="inertia",
        )
    with right:
        lines = {_LIKELIHOOD: walk.log_likelihoods, _BOUND: walk.lower_bounds}
        frame = charts.objective_frame(lines, ("E", "M"))
        show_chart(
            charts.objective_trace(frame, now=step, title="log-likelihood of EM"),
            frame,
            key="likelihood",
            alt=f"Log-likelihood by half-step: {likelihood:.4g} now,"
            f" {walk.log_likelihoods[-1]:.4g} at the end.",
            name="log-likelihood",
        )
    st.markdown(
        f"*Inertia*, the sum of squared distances to the own centre, is **{inertia:.4g}** now and"
        f" {walk.inertias[-1]:.4g} at the end: no assignment and no update can raise it. The"
        f" *log-likelihood*, the sum of log p(x), is **{likelihood:.4g}** now and"
        f" {walk.log_likelihoods[-1]:.4g} at the end, and never falls. An E-step leaves the mixture"
        " as it is and lifts the dashed lower bound up to the log-likelihood; an M-step lifts both."
    )


def collapses(walk: Walk, step: int) -> None:
    """Say which components of EM stand on too little at a half-step.

    Where all points lie on a line or a plane, every component is flat, and does no harm.
    """
    _, soft = walk.steps.at(step)
    if not soft.collapses or dimension_of(soft.points) < soft.points.shape[1]:
        return
    reasons = "; ".join(collapse.reason for collapse in soft.collapses)
    st.warning(
        f"EM: {reasons}. *What can go wrong with a mixture?* shows why.",
        icon=":material/compress:",
    )


def chosen_point(choice: Choice) -> int:
    """Draw the choice of a point, from 1; return its index."""
    n = len(choice.data.points)
    st.subheader("One point in numbers", anchor=False)
    if st.session_state.get("point", 1) > n:
        st.session_state["point"] = n
    label = f"Point, from 1 to {n}; or click on one in the picture"
    return control(st.number_input, "point", label, 1, n, 1, width=320) - 1


def one_point(choice: Choice, walk: Walk, step: int, index: int) -> None:
    """Put the numbers of the chosen point into both methods' formulas."""
    point = choice.data.points[index : index + 1]
    hard, soft = walk.steps.at(step)
    distances = squared_distances(point, hard.centres)[0].sqrt().tolist()
    logs = log_joint(point, soft.shared_by)[0]
    joints = logs.exp().tolist()
    shares = responsibilities_of(soft)[index].tolist()
    weights = soft.shared_by.weights.tolist()
    columns = {
        "distance to k-means' centre": distances,
        "weight π": weights,
        "density N(x)": [j / w if w else 0.0 for j, w in zip(joints, weights, strict=True)],
        "π N(x)": joints,
        "responsibility": shares,
    }
    digits = {name: st.column_config.NumberColumn(format="%.4g") for name in columns}
    numbers = {"cluster": list(range(1, len(shares) + 1)), **columns}
    st.dataframe(numbers, hide_index=True, height="content", column_config=digits)
    _formula(choice, index, int(hard.labels[index]), distances, logs, shares)


def _formula(
    choice: Choice,
    index: int,
    label: int,
    distances: list[float],
    logs: Tensor,
    shares: list[float],
) -> None:
    best = max(range(len(shares)), key=shares.__getitem__)
    place = ", ".join(f"{value:.3g}" for value in choice.data.points[index].tolist()[:6])
    more = ", …" if choice.data.points.shape[1] > 6 else ""
    name = f" *{_plain(choice.data.rows[index])}*" if choice.data.rows else ""
    nearest = min(range(len(distances)), key=distances.__getitem__)
    st.markdown(
        f"Point {index + 1}{name} at ({place}{more}) belongs to cluster **{label + 1}** of k-means;"
        f" its nearest centre now is {nearest + 1}, {distances[nearest]:.3g} away. EM gives"
        f" component {best + 1} a share of **{shares[best]:.1%}** in it:"
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
