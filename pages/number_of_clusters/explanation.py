"""Why the criteria pick what they pick, with the numbers on screen."""

import math

import streamlit as st

from lm_core.clustering.number_of_clusters import RESTARTS, Candidate
from lm_core.clustering.restarts import KINDS, STARTS_OF_A_KIND
from pages.number_of_clusters.comparison import MOST, Comparison, Settings
from pages.shared import page
from pages.shared.clustering.data import IRIS
from pages.shared.numbers import percent

ANSWERS = {"1": 1, "2": 2, "3": 3, "4 or more": 4}


def judge(comparison: Comparison, asked: page.Asked[int]) -> None:
    """Say what BIC picks, and how little the next component gains."""
    picked = comparison.best("bic")
    if picked is None or len(comparison.of) < 2:
        return
    now, after = _around(comparison, picked)
    asked.judge(right=picked, reason=f"BIC picks **{picked}**. " + _gain(now, after))


def how_to_read() -> None:
    """Define the four criteria, and say what the marks are."""
    st.markdown(
        "*Inertia* is the sum of squared distances to the nearest centre. With more centres it can always be"
        " lower, so one looks for an *elbow*, a bend in its curve. The *silhouette* says how much nearer each"
        " point is to its own cluster than to the next one, from −1 to 1; the largest is the best. *BIC*"
        " and *AIC* are −2 ln L, with L the *likelihood* of the mixture, plus a penalty for each of its"
        " parameters, because with more of them the best fit is never worse; the smallest is the best.\n\nk-means and"
        f" EM only find a *local optimum*, so each is begun several times: k-means from {RESTARTS} draws"
        f" of k-means++, and EM from {len(KINDS) * STARTS_OF_A_KIND} starts, {STARTS_OF_A_KIND} each from"
        f" {', '.join(KINDS[:-1])} and {KINDS[-1]}. The smallest inertia and the largest likelihood are"
        " kept. No kind of start is best everywhere: k-means cuts across long, thin groups, and EM that"
        " begins with its clusters may stay there."
    )


def elbow(comparison: Comparison) -> None:
    """Say why there may be no elbow to see."""
    inertias = [candidate.inertia for candidate in comparison.of]
    if len(inertias) < 3 or not inertias[0]:
        return
    st.header("Why you may not see an elbow", anchor=False)
    expected = [e / inertias[0] for e in comparison.without_groups]
    falls = "; ".join(
        f"K = {k}: {percent(inertias[k - 1] / inertias[0])} (without groups {percent(expected[k - 1])})"
        for k in range(2, min(5, len(inertias)) + 1)
    )
    st.markdown(
        "The lowest possible inertia never rises with a further centre, whatever the points are, because the"
        " other centres can stay, so each point is at most as far from its nearest one as before. Even for points without groups its curve"
        f" bends like an elbow. As shares of the inertia at K = 1: {falls}. Groups show as a *gap*"
        " to the grey line that opens at their number. Where groups overlap or differ in size, the"
        " gap often opens slowly and no corner appears."
    )


def information(settings: Settings, comparison: Comparison) -> None:
    """Weigh what the log-likelihood gains against what the parameters cost, around BIC's pick."""
    picked = comparison.best("bic")
    if picked is None or len(comparison.of) < 2:
        return
    st.header("Why BIC picks this number", anchor=False)
    st.markdown(
        f"BIC picks **{picked}**, AIC **{comparison.best('aic')}**. "
        + _account(*_around(comparison, picked))
        + (f"{MOST} is the largest number compared here. " if picked == MOST else "")
        + _iris(settings, comparison)
    )


def _around(comparison: Comparison, picked: int) -> tuple[Candidate, Candidate]:
    """Return BIC's pick and the next one; before the last, these two."""
    picked = min(picked, len(comparison.of) - 1)
    return comparison.of[picked - 1], comparison.of[picked]


def _gain(now: Candidate, after: Candidate) -> str:
    gain, parameters = _difference(now, after)
    penalty = parameters * math.log(len(now.hard.points))
    return (
        f"From {now.clusters} to {after.clusters} components the fit improves by {gain:.1f} and the"
        f" penalty grows by {penalty:.1f}, so {'it pays' if gain > penalty else 'it does not pay'}."
    )


def _difference(now: Candidate, after: Candidate) -> tuple[float, int]:
    """Return by how much twice the log-likelihood grows, and the number of parameters."""
    gain = 2.0 * (after.soft.log_likelihood - now.soft.log_likelihood)
    return gain, after.soft.mixture.free_parameters - now.soft.mixture.free_parameters


def _account(now: Candidate, after: Candidate) -> str:
    gain, parameters = _difference(now, after)
    n = len(now.hard.points)
    comparison = "less" if gain < parameters * math.log(n) else "more"
    return (
        f"From {now.clusters} to {after.clusters} components, twice the log-likelihood grows by"
        f" {gain:.1f}. The model then has {parameters} more parameters. BIC charges ln {n} ="
        f" {math.log(n):.2f} for each, {parameters * math.log(n):.1f} in all: the gain is"
        f" {comparison} than the penalty. AIC charges 2 for each, {2 * parameters} in all"
        f"{', so it allows more components' if n > math.e**2 else ''}. "
    )


def _iris(settings: Settings, comparison: Comparison) -> str:
    if settings.data.name != IRIS or len(comparison.of) < 3:
        return (
            "Both criteria ask how many normal distributions describe the points best, so a group"
            " of another shape may need several of them."
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
        f" components and {three.bic:.1f} for three: {why}. BIC selects the model that describes"
        " the lengths best for its size, so it need not find the number of species."
    )
