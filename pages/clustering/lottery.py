"""The restart lottery: fifty starts on the same points, and where each of them leads."""

from collections import Counter

import streamlit as st

from lm_core.clustering.initialisation import INITIALISATIONS
from lm_core.clustering.side_by_side import Restart, random_restarts
from pages.clustering.choices import Choice
from pages.clustering.hands import BY_HAND
from pages.shared import charts
from pages.shared.clustering.data import asked_for
from pages.shared.ui.figures import show_chart

STARTS_DRAWN = 50
_CHARTS = ("lottery_inertia", "lottery_likelihood")
_END = 10_000
"""Beyond every process: the playback_bar goes to its last step."""


def take_clicked_start() -> None:
    """Show the start that was clicked in a histogram; call it before the controls are drawn."""
    for key in _CHARTS:
        selection = st.session_state.get(key, {}).get("selection", {})
        clicked = charts.picked_start(selection)
        if clicked is not None and st.session_state.get(f"{key}_taken") != clicked:
            st.session_state.update(number=clicked, step=_END)
            if st.session_state.get("start") == BY_HAND:
                st.session_state["start"] = next(iter(INITIALISATIONS))
        st.session_state[f"{key}_taken"] = clicked


def lottery(choice: Choice) -> None:
    """Draw both histograms of outcomes, once they have been asked for."""
    st.subheader("The restart lottery", anchor=False)
    rule = choice.rule if choice.rule != BY_HAND else next(iter(INITIALISATIONS))
    st.markdown(
        f"Neither method promises the best solution, only one that no half-step improves. {STARTS_DRAWN}"
        f" starts of the kind *{rule}*, on these points with K = {len(choice.centres)}:"
    )
    settings = (len(choice.centres), rule, choice.seed, choice.kind, choice.em_after_k_means)
    key = f"{choice.data.fingerprint}{settings}"
    if not asked_for("lottery", key, f"Draw {STARTS_DRAWN} starts"):
        return
    found = _outcomes(key, choice, rule)
    _histograms(choice, found)
    _explain(found)


def _outcomes(key: str, choice: Choice, rule: str) -> tuple[Restart, ...]:
    """Return the outcomes; any control that is moved meanwhile stops the drawing."""
    kept = _kept()
    if key not in kept:
        bar = st.progress(0.0, "Drawing starts")
        found = []
        clusters = len(choice.centres)
        for outcome in random_restarts(
            choice.data.points,
            clusters,
            rule,
            choice.seed,
            STARTS_DRAWN,
            choice.kind,
            em_after_k_means=choice.em_after_k_means,
        ):
            found.append(outcome)
            bar.progress(len(found) / STARTS_DRAWN, f"{len(found)} of {STARTS_DRAWN} starts")
        bar.empty()
        while len(kept) >= 64:
            kept.pop(next(iter(kept)), None)
        kept[key] = tuple(found)
    return kept[key]


@st.cache_resource
def _kept() -> dict[str, tuple[Restart, ...]]:
    """Return the outcomes drawn so far, of all visitors; at most 64 sets of 50."""
    return {}


def _histograms(choice: Choice, found: tuple[Restart, ...]) -> None:
    numbers = [outcome.number for outcome in found]
    now = choice.number if choice.rule != BY_HAND and choice.number in numbers else None
    values = ([o.inertia for o in found], [o.log_likelihood for o in found])
    titles = ("inertia at the end of k-means", "log-likelihood at the end of EM")
    for column, key, title, led_to in zip(
        st.columns(2, gap="medium"), _CHARTS, titles, values, strict=True
    ):
        with column:
            frame = charts.outcome_frame(numbers, led_to)
            if frame.empty:
                st.info("In every start a component broke: there is no finite log-likelihood.")
                continue
            show_chart(
                charts.outcome_histogram(frame, title=title, chosen=now),
                frame,
                key=key,
                alt=f"{len(frame)} starts by {title}: from {frame['value'].min():.5g} to"
                f" {frame['value'].max():.5g}." + (f" The square is start {now}." if now else ""),
                name=key.replace("_", "-"),
                selectable=True,
            )
    st.caption(
        "Each mark is a start; click one to see where it leads."
        + (" The square is on screen now." if now else "")
    )


def _explain(found: tuple[Restart, ...]) -> None:
    inertias = Counter(float(f"{outcome.inertia:.4g}") for outcome in found)
    best, worst = min(inertias), max(inertias)
    likelihoods = [outcome.log_likelihood for outcome in found]
    top = max(likelihoods)
    near = sum(value > top - 0.5 for value in likelihoods)
    st.markdown(
        f"k-means ends at {len(inertias)} different inertias (to four digits): **{best:g}** in"
        f" {inertias[best]} of {len(found)} starts, {worst:g} at worst. EM's best log-likelihood is"
        f" **{top:.1f}**; {near} starts come within 0.5 of it, the worst ends at"
        f" {min(likelihoods):.1f}. That is why both are started several times and the best is kept;"
        " with EM only above a covariance floor, because a collapsed component has the highest"
        " likelihood of all."
    )
