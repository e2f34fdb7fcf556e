"""What the numbers say: objectives by step, one point in both formulas, and where these come from."""

import math
from collections.abc import Mapping, Sequence

import pyarrow as pa
import streamlit as st
from torch import Tensor

from lm_core.clustering.gaussian_mixture import log_joint
from lm_core.clustering.k_means import squared_distances
from pages.clustering.runs import Moment
from pages.clustering.settings import Settings
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.clustering.panels import responsibilities_of
from pages.shared.numbers import percent, significant

_MOST_TERMS = 3
_STYLES = dict.fromkeys(("inertia", "log-likelihood"), page.LineStyle(BLUE)) | {
    "lower bound": page.LineStyle(VERMILLION, 1)
}


def objectives(now: Moment) -> None:
    """Draw inertia and log-likelihood after each step."""
    left, right = st.columns(2, gap="medium")
    runs = now.runs
    likelihoods = {"log-likelihood": runs.log_likelihoods, "lower bound": runs.lower_bounds}
    with left:
        inertias, phases = {"inertia": runs.inertias}, ("assignment", "update")
        _by_step("inertia", "inertia of k-means", inertias, phases, now.step)
    with right:
        phases = ("E-step", "M-step")
        _by_step("likelihood", "log-likelihood of EM", likelihoods, phases, now.step)
    inertia, inertia_at_end = _now_and_at_end(runs.inertias, now.step)
    likelihood, likelihood_at_end = _now_and_at_end(runs.log_likelihoods, now.step)
    st.markdown(
        f"*Inertia* is the sum of squared distances between points and their centres. It is **{inertia}**"
        f" now and {inertia_at_end} at the end, and no step raises it. The *log-likelihood*, the sum of"
        f" log p(x), is **{likelihood}** now and {likelihood_at_end} at the end, and never falls. An"
        " E-step raises the dashed *lower bound* until it touches the log-likelihood, and an M-step then"
        " raises both. That is why the log-likelihood never falls."
    )


def _now_and_at_end(values: Sequence[float], step: int) -> tuple[str, str]:
    return significant(values[min(step, len(values) - 1)], 4), significant(values[-1], 4)


def _by_step(
    key: str, title: str, lines: Mapping[str, Sequence[float]], phases: tuple[str, str], step: int
) -> None:
    """Draw what each step of a method achieved, with the present step of the first line ringed."""
    drawn = {
        name: [(i, value) for i, value in enumerate(values) if math.isfinite(value)]
        for name, values in lines.items()
    }
    first, last = next(iter(lines)), max(pairs[-1][0] for pairs in drawn.values() if pairs)
    step, at_end = min(step, last), significant(lines[first][-1], 4)
    page.show_lines(
        key,
        drawn,
        _STYLES,
        page.Axis("step", (0, max(last, 1))),
        page.Axis.around(title, [value for pairs in drawn.values() for _, value in pairs]),
        beside={
            "phase": {name: [phases[i % 2] for i, _ in pairs] for name, pairs in drawn.items()}
        },
        said=f"{first.capitalize()} by step: {at_end} at the end.",
        rings={first: [pair for pair in drawn[first] if pair[0] == step]},
        now=step,
        height=200,
    )


def chosen_point(settings: Settings) -> int:
    """Draw the choice of a point, from 1; return its index."""
    n = len(settings.data.points)
    st.header("One point in numbers", anchor=False)
    if st.session_state.get("point", 1) > n:
        st.session_state["point"] = n
    label = f"Point, from 1 to {n}, or click on one in the picture"
    return page.number("point", label, 1, n, 1, width=320) - 1


def one_point(now: Moment, index: int) -> None:
    """Put the numbers of the chosen point into both methods' formulas."""
    data, mixture = now.settings.data, now.soft.shared_by
    point = data.points[index : index + 1]
    distances = squared_distances(point, now.hard.centres)[0].sqrt().tolist()
    logs = log_joint(point, mixture)[0]
    joints, weights = logs.exp().tolist(), mixture.weights.tolist()
    shares = responsibilities_of(now.soft)[index].tolist()
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
    place = ", ".join(significant(value, 3) for value in data.points[index].tolist()[:6])
    more = ", …" if data.points.shape[1] > 6 else ""
    name = "".join(c for c in data.rows[index] if c.isalnum() or c in " '-") if data.rows else ""
    nearest, best = distances.index(min(distances)), shares.index(max(shares))
    st.markdown(
        f"Point {index + 1}{f' *{name}*' if name else ''} at ({place}{more}) is in cluster"
        f" **{int(now.hard.labels[index]) + 1}** of k-means, because at the assignment its centre"
        f" was the nearest. The nearest centre now is {nearest + 1}, at a distance of"
        f" {significant(distances[nearest], 3)}. In EM, the *responsibility* of component"
        f" {best + 1} for it is **{percent(shares[best], 1)}**:"
    )
    st.latex(_formula(index + 1, best + 1, logs, shares[best]))


def _formula(point: int, best: int, logs: Tensor, share: float) -> str:
    # More terms would not fit; the table has them.
    terms = logs.tolist() if len(logs) <= _MOST_TERMS else [float(logs.logsumexp(0))]
    normal = rf"\mathcal{{N}}(x\,;\mu_{{{best}}},\Sigma_{{{best}}})"
    return (
        rf"\begin{{aligned}}r_{{{point},{best}}} &= \frac{{\pi_{{{best}}}\,{normal}}}"
        r"{\sum_k \pi_k\,\mathcal{N}(x\,;\mu_k,\Sigma_k)} \\[1ex] &= "
        rf"\frac{{{_tex(float(logs[best - 1]))}}}{{{' + '.join(map(_tex, terms))}}} = {share:.3f}"
        r"\end{aligned}"
    )


def _tex(log: float) -> str:
    """Return e to this power as a reader wants it; as a power of e where no number can hold it."""
    if abs(log) > 700.0:
        return "0" if log == -math.inf else rf"e^{{{log:.0f}}}"
    number = math.exp(log)
    if 0.001 <= number < 1000:
        return f"{number:.4f}".rstrip("0").rstrip(".")
    mantissa, exponent = f"{number:.2e}".split("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def formulas() -> None:
    """Write what each method makes small or large, and where its steps come from."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(
            "**k-means**: rₙₖ is 1 if point n belongs to cluster k and 0 otherwise, one 1 in each row of R."
        )
        st.latex(r"J(R, \mu) = \sum_n \sum_k r_{nk}\, \lVert x_n - \mu_k \rVert^2")
        st.markdown(
            "With R fixed, J is smallest where its derivative is 0, and that is the mean of the cluster:"
        )
        st.latex(r"\frac{\partial J}{\partial \mu_k} = -2 \sum_n r_{nk}\,(x_n - \mu_k) = 0")
        st.latex(r"\Rightarrow\; \mu_k = \sum_n r_{nk}\, x_n \,/\, \sum_n r_{nk}")
        st.markdown(
            "A cluster without points has a column of zeros in R: the derivative is 0 wherever μₖ is, so any place"
            " would do, and the fraction is 0/0. This page then gives it the point that is farthest from its own"
            " centre, so that no cluster is wasted."
        )
    with right:
        st.markdown(
            "**EM**: a *latent variable* z says from which component a point was drawn. Nobody has seen it, so the"
            " density of x is the sum over all its values:"
        )
        st.latex(r"p(x) = \sum_k p(z = k)\, p(x \mid z = k)")
        st.latex(r"= \sum_k \pi_k\, \mathcal{N}(x; \mu_k, \Sigma_k)")
        st.markdown(
            "The logarithm of a sum does not split, so the derivative keeps all parameters together:"
        )
        st.latex(
            r"\frac{\partial}{\partial \mu_k} \sum_n \log p(x_n) = \sum_n r_{nk}\, \Sigma_k^{-1} (x_n - \mu_k)"
        )
        st.latex(r"r_{nk} = \pi_k\, \mathcal{N}(x_n; \mu_k, \Sigma_k) \,/\, p(x_n)")
        st.markdown(
            "It is 0 at a weighted mean, but the weights rₙₖ depend on the very means that are sought, so nobody can"
            " solve for them at once. EM takes turns: the E-step fixes the weights, the M-step takes the means."
            " Gradient ascent climbs the same hill, but needs a rate and must keep weights and covariances valid."
        )
