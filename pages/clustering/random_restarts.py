"""Random restarts: fifty initialisations on the same points, and where each of them leads."""

from collections import Counter

import streamlit as st

from lm_core.clustering.initialisation import INITIALISATIONS
from lm_core.clustering.side_by_side import Restart, random_restarts
from pages.clustering.editing import BY_HAND, END
from pages.clustering.settings import Settings
from pages.shared import charts
from pages.shared.clustering.data import asked_for
from pages.shared.ui.figures import show_chart

RESTARTS = 50
_CHARTS = ("restarts_inertia", "restarts_likelihood")


def take_clicked_restart() -> None:
    """Show the restart that was clicked in a histogram; call it before the controls are drawn."""
    for key in _CHARTS:
        selection = st.session_state.get(key, {}).get("selection", {})
        clicked = charts.picked_restart(selection)
        if clicked is not None and st.session_state.get(f"{key}_taken") != clicked:
            st.session_state.update(restart=clicked, step=END)
            if st.session_state.get("initialisation") == BY_HAND:
                st.session_state["initialisation"] = next(iter(INITIALISATIONS))
        st.session_state[f"{key}_taken"] = clicked


def restarts(settings: Settings) -> None:
    """Draw both histograms of the restarts, once they have been asked for."""
    st.subheader("Random restarts", anchor=False)
    initialisation = settings.initialisation
    if initialisation == BY_HAND:
        initialisation = next(iter(INITIALISATIONS))
    st.markdown(
        "Both methods find a *local optimum*: a solution that no further step improves. Here are"
        f" {RESTARTS} restarts with the initialisation *{initialisation}* and K = {len(settings.centres)}:"
    )
    of = (
        len(settings.centres),
        initialisation,
        settings.seed,
        settings.kind,
        settings.em_after_k_means,
    )
    key = f"{settings.data.fingerprint}{of}"
    if not asked_for("restarts", key, f"Draw {RESTARTS} restarts"):
        return
    found = _drawn(key, settings, initialisation)
    _histograms(settings, found)
    _explain(found)


def _drawn(key: str, settings: Settings, initialisation: str) -> tuple[Restart, ...]:
    """Return the restarts; a control that is moved meanwhile stops the drawing."""
    kept = _kept()
    if key not in kept:
        bar = st.progress(0.0, "Drawing restarts")
        found = []
        clusters = len(settings.centres)
        for restart in random_restarts(
            settings.data.points,
            clusters,
            initialisation,
            settings.seed,
            RESTARTS,
            settings.kind,
            em_after_k_means=settings.em_after_k_means,
        ):
            found.append(restart)
            bar.progress(len(found) / RESTARTS, f"{len(found)} of {RESTARTS} restarts")
        bar.empty()
        while len(kept) >= 64:
            kept.pop(next(iter(kept)), None)
        kept[key] = tuple(found)
    return kept[key]


@st.cache_resource
def _kept() -> dict[str, tuple[Restart, ...]]:
    """Return the restarts drawn so far, of all visitors; at most 64 sets of 50."""
    return {}


def _histograms(settings: Settings, found: tuple[Restart, ...]) -> None:
    numbers = [restart.number for restart in found]
    now = (
        settings.restart
        if settings.initialisation != BY_HAND and settings.restart in numbers
        else None
    )
    values = ([o.inertia for o in found], [o.log_likelihood for o in found])
    titles = ("inertia at the end of k-means", "log-likelihood at the end of EM")
    for column, key, title, led_to in zip(
        st.columns(2, gap="medium"), _CHARTS, titles, values, strict=True
    ):
        with column:
            frame = charts.restart_frame(numbers, led_to)
            if frame.empty:
                st.info("In every restart a component collapsed: no log-likelihood is finite.")
                continue
            show_chart(
                charts.restart_histogram(frame, title=title, chosen=now),
                frame,
                key=key,
                alt=f"{len(frame)} restarts by {title}: from {frame['value'].min():.5g} to"
                f" {frame['value'].max():.5g}." + (f" The square is restart {now}." if now else ""),
                name=key.replace("_", "-"),
                selectable=True,
            )
    st.caption(
        "Each mark is a restart. Click one to see where it leads."
        + (f" The square, restart {now}, is on screen now." if now else "")
    )


def _explain(found: tuple[Restart, ...]) -> None:
    inertias = Counter(float(f"{restart.inertia:.4g}") for restart in found)
    best, worst = min(inertias), max(inertias)
    likelihoods = [restart.log_likelihood for restart in found]
    top = max(likelihoods)
    near = sum(value > top - 0.5 for value in likelihoods)
    st.markdown(
        f"k-means ends at {len(inertias)} different inertias (to four digits): **{best:g}** in"
        f" {inertias[best]} of {len(found)} restarts, and {worst:g} at worst. The best log-likelihood"
        f" of EM is **{top:.1f}**. {near} restarts come within 0.5 of it, and the worst ends at"
        f" {min(likelihoods):.1f}. So both methods are run from several initialisations, and the best"
        " run is kept. For EM this needs a covariance floor, because a collapsed component has the"
        " highest likelihood of all."
    )
