"""Random restarts: fifty initialisations on the same points, and where each of them leads."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from lm_core.clustering.initialisation import restarts_of_seed
from lm_core.clustering.side_by_side import Restart, random_restarts
from pages.clustering.editing import END
from pages.clustering.settings import RANDOM, Settings, forget_centres_by_hand
from pages.shared import page
from pages.shared.charts.clustering import picked_restart, restart_frame, restart_histogram
from pages.shared.clustering.data import asked_for
from pages.shared.counts import counted
from pages.shared.numbers import significant
from pages.shared.paced import Paced, more_of

RESTARTS = 50
_MORE = "restarts_more"
_CHARTS = {
    "restarts_inertia": "inertia at the end of k-means",
    "restarts_likelihood": "log-likelihood at the end of EM",
}


def take_clicked_restart() -> None:
    """Show the restart that was clicked in a histogram; call it before the controls are drawn."""
    for key in _CHARTS:
        clicked = picked_restart(st.session_state.get(key, {}).get("selection", {}))
        if clicked is not None and st.session_state.get(f"{key}_taken") != clicked:
            st.session_state["restart"] = clicked
            page.go_to("step", END)
            forget_centres_by_hand()
        st.session_state[f"{key}_taken"] = clicked


def restarts(settings: Settings) -> None:
    """Draw both histograms of the restarts, once they have been asked for."""
    st.header("Random restarts", anchor=False)
    clusters, chosen = len(settings.centres), settings.chosen
    how = RANDOM if settings.is_by_hand else chosen.initialisation
    st.markdown(
        "Both methods find a *local optimum*: a solution that no further step improves, so where"
        f" they end depends on where they begin. Here are {RESTARTS} restarts with the"
        f" initialisation *{how}* and K = {clusters}:"
    )
    of = (clusters, how, chosen.seed, settings.kind, settings.em_after_k_means)
    key = f"{settings.data.fingerprint}{of}"
    if not asked_for("restarts", key, f"Draw {RESTARTS} restarts"):
        return
    drawn = _drawing(key, settings, how)
    if not drawn.found or st.session_state.get(_MORE):
        # A control that is moved meanwhile stops the drawing.
        bar = st.progress(len(drawn.found) / RESTARTS, "Drawing restarts")
        drawn.go_on(told=lambda n: bar.progress(n / RESTARTS, f"{n} of {RESTARTS} restarts"))
        bar.empty()
    found = tuple(drawn.found)
    _histograms(settings, found)
    _explain(found)
    more_of(drawn, f"{len(found)} of {RESTARTS} restarts", _MORE)


@st.cache_resource(max_entries=64, show_spinner=False)
def _drawing(key: str, _settings: Settings, _initialisation: str) -> Paced[Restart]:
    """Return the restarts drawn so far, of all visitors, and how to draw more."""
    clusters, seed = len(_settings.centres), _settings.chosen.seed
    starts = restarts_of_seed(_settings.drawn_from, clusters, _initialisation, seed, RESTARTS)
    points, kind, after = _settings.data.points, _settings.kind, _settings.em_after_k_means
    return Paced(random_restarts(points, starts, kind, em_after_k_means=after), RESTARTS)


def _histograms(settings: Settings, found: Sequence[Restart]) -> None:
    numbers, restart = [one.number for one in found], settings.chosen.restart
    now = restart if not settings.is_by_hand and restart in numbers else None
    ends = [one.inertia for one in found], [one.log_likelihood for one in found]
    columns = st.columns(2, gap="medium")
    for column, (key, title), led_to in zip(columns, _CHARTS.items(), ends, strict=True):
        with column:
            frame = restart_frame(numbers, led_to)
            if frame.empty:
                st.info("In every restart a component collapsed: no log-likelihood is finite.")
                continue
            low, high = (significant(v, 5) for v in (frame["value"].min(), frame["value"].max()))
            said = f"{len(frame)} restarts by {title}: from {low} to {high}."
            said += f" The square is restart {now}." if now else ""
            chart, name = restart_histogram(frame, title=title, chosen=now), key.replace("_", "-")
            page.show_chart(chart, frame, key=key, alt=said, name=name, selectable=True)
    st.caption(
        "Each mark is a restart. Click one to see where it leads."
        + (f" The square, restart {now}, is on screen now." if now else "")
    )


def _explain(found: Sequence[Restart]) -> None:
    inertias = Counter(float(f"{restart.inertia:.4g}") for restart in found)
    best, worst = min(inertias), max(inertias)
    likelihoods = [restart.log_likelihood for restart in found]
    top = max(likelihoods)
    near = sum(value > top - 0.5 for value in likelihoods)
    st.markdown(
        f"k-means ends at {'one inertia' if best == worst else f'{len(inertias)} different inertias'} (to four digits):"
        f" **{best:g}** in {inertias[best]} of {len(found)} restarts{'' if best == worst else f', and {worst:g} at worst'}. The best log-likelihood"
        f" of EM is **{top:.1f}**. {counted(near, 'restart')} {'comes' if near == 1 else 'come'} within 0.5 of it (itself"
        f" included), and the worst ends at {min(likelihoods):.1f}. So both methods are run from several initialisations, and the best"
        " run is kept. For EM this needs a covariance floor, because a collapsed component has the"
        " highest likelihood of all."
    )
