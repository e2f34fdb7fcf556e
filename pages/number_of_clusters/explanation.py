"""Why the criteria say what they say, with the numbers on screen."""

import math

import streamlit as st

from lm_core.clustering.number_of_clusters import Candidate
from pages.number_of_clusters.measured import MOST, Choice, Comparison
from pages.shared.clustering.data import IRIS


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
        "Inertia falls with every further centre, whatever the points are, and for points without"
        f" any groups it already bends like an elbow. Of the inertia of one cluster are left: {falls}."
        " A group shows as a *gap* to the grey line that opens at its K, not as a bend alone; where"
        " groups overlap or differ in size, the gap opens slowly and there is no corner to see."
    )


def information(choice: Choice, comparison: Comparison) -> None:
    """Weigh what the log-likelihood gains against what the parameters cost, around BIC's pick."""
    picked = comparison.best("bic")
    if picked is None or len(comparison.of) < 2:
        return
    picked = min(picked, len(comparison.of) - 1)
    now, after = comparison.of[picked - 1], comparison.of[picked]
    st.subheader("Why BIC stops where it stops", anchor=False)
    st.markdown(
        f"BIC picks **{comparison.best('bic')}**, AIC **{comparison.best('aic')}**. "
        + _account(now, after)
        + (f"{MOST} is the most that is compared here. " if comparison.best("bic") == MOST else "")
        + _iris(choice, comparison)
    )


def _account(now: Candidate, after: Candidate) -> str:
    gain = 2.0 * (after.soft.log_likelihood - now.soft.log_likelihood)
    parameters = after.soft.mixture.free_parameters - now.soft.mixture.free_parameters
    n = len(now.hard.points)
    comparison = "less" if gain < parameters * math.log(n) else "more"
    return (
        f"From {now.clusters} to {after.clusters} components twice the log-likelihood grows by"
        f" {gain:.1f}. That costs {parameters} more parameters, each of which BIC prices at"
        f" ln {n} = {math.log(n):.2f}: {parameters * math.log(n):.1f} in all, so the gain is"
        f" {comparison} than the price. AIC asks only 2 for each, {2 * parameters}. "
    )


def _iris(choice: Choice, comparison: Comparison) -> str:
    if choice.data.name != IRIS or len(comparison.of) < 3:
        return (
            "Neither criterion knows groups: they ask how many normal distributions describe the"
            " points best. A group that is not shaped like one takes several."
        )
    two, three = comparison.of[1], comparison.of[2]
    why = (
        "*versicolor* and *virginica* overlap so much that one wide component describes both nearly"
        " as well"
        if two.bic < three.bic
        else "here a third component gains more than its parameters cost"
    )
    return (
        f"People know three species. With {choice.kind} covariances BIC is {two.bic:.1f} for two"
        f" components and {three.bic:.1f} for three: {why}. BIC answers which model predicts such"
        " lengths most economically, not how many names botanists use."
    )
