"""What is compared: the controls, and every number of clusters fitted once and kept."""

import math
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.number_of_clusters import (
    Candidate,
    candidates,
    dimension_of,
    inertia_without_groups,
)
from lm_core.errors import LMCoreError
from pages.shared import page
from pages.shared.clustering.data import DATA_WIDTH, IRIS, Data, data_names, load
from pages.shared.paced import Paced, more_of
from pages.shared.ui.controls import control

MOST = 8
"""Numbers of clusters that are compared: 1 to 8."""

_MORE = "choosing_more"


class Settings(NamedTuple):
    """All that the controls are set to."""

    data: Data
    kind: CovarianceKind
    seed: int
    clusters: int


class Comparison(NamedTuple):
    """The candidates for K = 1, 2, ..., and the inertia that points without groups would leave."""

    of: tuple[Candidate, ...]
    without_groups: tuple[float, ...]

    def best(self, criterion: str) -> int | None:
        """Return the K that ``silhouette``, ``bic`` or ``aic`` picks; None where it has no say."""
        sign = -1.0 if criterion == "silhouette" else 1.0
        scored = [(sign * getattr(c, criterion), c.clusters) for c in self.of]
        scored = [pair for pair in scored if math.isfinite(pair[0])]
        return min(scored)[1] if scored else None


def choose_settings(screen: page.FirstScreen) -> Settings:
    """Draw the controls, K with the picture; what cannot be clustered stops the page with a message."""
    names = data_names()
    with screen.controls:
        name = control(st.selectbox, "data", "Points", names, names.index(IRIS), width=DATA_WIDTH)
        with st.popover("More", icon=":material/tune:"):
            kind = page.choice("covariance", "Covariances of EM", [str(k) for k in CovarianceKind])
            n = page.slider(
                "points",
                "Number of points",
                10,
                2000,
                200,
                10,
                help="How many points are drawn; data that were measured keep their own number.",
            )
            seed = page.number("seed", "Seed", 0, 9999, 1)
            data = load(name, n, seed, place=screen.picture)
    with screen.picture:
        clusters = page.slider(
            "clusters",
            "Clusters K on screen",
            1,
            MOST,
            2,
            format="K = %d",
            label_visibility="collapsed",
        )
    return Settings(data, CovarianceKind(kind), seed, clusters)


def compare(settings: Settings, place: DeltaGenerator) -> Comparison | None:
    """Return the candidates, of many points as many as a second allows; what goes wrong is said at this place."""
    comparing = _comparing_of(settings)
    with place:
        try:
            if not comparing.found or st.session_state.get(_MORE):
                with st.spinner("Fitting one number of clusters after another"):
                    comparing.go_on()
        except LMCoreError as error:
            page.show_error(error)
            return None
    return _comparison(tuple(comparing.found), dimension_of(settings.data.points))


def offer_more(settings: Settings) -> None:
    """Draw the button that compares more numbers of clusters, where some are left."""
    comparing = _comparing_of(settings)
    more_of(comparing, f"K = 1 to {len(comparing.found)} of {MOST}", _MORE)


def _comparing_of(settings: Settings) -> Paced[Candidate]:
    key = f"{settings.data.fingerprint}{settings.kind}{settings.seed}"
    return _comparing(key, settings.kind, settings.seed, settings.data.points)


@st.cache_resource(max_entries=32, show_spinner=False)
def _comparing(key: str, kind: CovarianceKind, seed: int, _points: Tensor) -> Paced[Candidate]:
    """Return the numbers of clusters fitted so far, for all visitors, and how to fit more."""
    return Paced(candidates(_points, MOST, kind, seed), MOST)


def _comparison(found: tuple[Candidate, ...], width: int) -> Comparison:
    return Comparison(
        found, tuple(inertia_without_groups(found[0].inertia, c.clusters, width) for c in found)
    )
