"""Random restarts: fifty initialisations on the same points, and where each of them leads."""

from collections import Counter

import streamlit as st

from lm_core.clustering.initialisation import INITIALISATIONS
from lm_core.clustering.side_by_side import Restart, random_restarts
from pages.clustering.editing import BY_HAND, END
from pages.clustering.settings import Settings
from pages.shared.charts.clustering import picked_restart, restart_frame, restart_histogram
from pages.shared.clustering.data import asked_for
from pages.shared.numbers import significant
from pages.shared.paced import Paced, more_of
from pages.shared.ui.figures import show_chart
from pages.shared.ui.playback import go_to

RESTARTS = 50
_MORE = "restarts_more"
_CHARTS = ("restarts_inertia", "restarts_likelihood")


def take_clicked_restart() -> None:
    """Show the restart that was clicked in a histogram; call it before the controls are drawn."""
    for key in _CHARTS:
        selection = st.session_state.get(key, {}).get("selection", {})
        clicked = picked_restart(selection)
        if clicked is not None and st.session_state.get(f"{key}_taken") != clicked:
            st.session_state["restart"] = clicked
            go_to("step", END)
            if st.session_state.get("initialisation") == BY_HAND:
                st.session_state["initialisation"] = next(iter(INITIALISATIONS))
        st.session_state[f"{key}_taken"] = clicked


def restarts(settings: Settings) -> None:
    """Draw both histograms of the restarts, once they have been asked for."""
    st.header("Random restarts", anchor=False)
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
    drawn = _drawing(key, settings, initialisation)
    if not drawn.found or st.session_state.get(_MORE):
        _go_on(drawn)
    found = tuple(drawn.found)
    _histograms(settings, found)
    _explain(found)
    more_of(drawn, f"{len(found)} of {RESTARTS} restarts", _MORE)


def _go_on(drawn: Paced[Restart]) -> None:
    """Draw more restarts; a control that is moved meanwhile stops the drawing."""
    bar = st.progress(len(drawn.found) / RESTARTS, "Drawing restarts")
    drawn.go_on(told=lambda n: bar.progress(n / RESTARTS, f"{n} of {RESTARTS} restarts"))
    bar.empty()


@st.cache_resource(max_entries=64, show_spinner=False)
def _drawing(key: str, _settings: Settings, _initialisation: str) -> Paced[Restart]:
    """Return the restarts drawn so far, of all visitors, and how to draw more."""
    return Paced(
        random_restarts(
            _settings.data.points,
            len(_settings.centres),
            _initialisation,
            _settings.seed,
            RESTARTS,
            _settings.kind,
            drawn_from=_settings.drawn_from,
            em_after_k_means=_settings.em_after_k_means,
        ),
        RESTARTS,
    )


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
            frame = restart_frame(numbers, led_to)
            if frame.empty:
                st.info("In every restart a component collapsed: no log-likelihood is finite.")
                continue
            show_chart(
                restart_histogram(frame, title=title, chosen=now),
                frame,
                key=key,
                alt=f"{len(frame)} restarts by {title}: from {significant(frame['value'].min(), 5)} to"
                f" {significant(frame['value'].max(), 5)}."
                + (f" The square is restart {now}." if now else ""),
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
