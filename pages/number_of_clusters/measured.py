"""What every number of clusters leads to, for the points chosen."""

import math
from typing import NamedTuple

import streamlit as st
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.number_of_clusters import (
    Candidate,
    candidates,
    dimension_of,
    inertia_without_groups,
)
from lm_core.errors import LMCoreError
from pages.shared.clustering.data import IRIS, Data, asked_for, data_names, load
from pages.shared.ui.controls import control

MOST = 8
"""Numbers of clusters that are compared: 1 to 8."""


class Choice(NamedTuple):
    """All that the controls say."""

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


def choose() -> Choice:
    """Draw the controls; what cannot be clustered stops the page with a message."""
    names = data_names()
    columns = st.columns([2.1, 1.7, 1.5, 0.9], vertical_alignment="bottom")
    with columns[0]:
        name = control(st.selectbox, "data", "Points", names, names.index(IRIS))
    with columns[1]:
        clusters = control(st.slider, "k", "Clusters on screen", 1, MOST, 2)
    with columns[2]:
        kind = control(st.selectbox, "kind", "EM's covariances", [str(k) for k in CovarianceKind])
    with columns[3], st.popover("More", icon=":material/tune:"):
        n = control(
            st.slider, "n", "Number of points", 10, 2000, 200, 10, help="Of those drawn here."
        )
        seed = control(st.number_input, "seed", "Seed", 0, 9999, 1)
    return Choice(load(name, n, seed), CovarianceKind(kind), seed, clusters)


def compare(choice: Choice) -> Comparison | None:
    """Return all candidates, once they have been asked for; on arrival they are."""
    key = f"{choice.data.fingerprint}{choice.kind}{choice.seed}"
    if not asked_for("choosing", key, f"Compare K = 1 to {MOST}", first_is_free=True):
        return None
    try:
        return _compared(key, choice.kind, choice.seed, choice.data.points)
    except LMCoreError as error:
        st.error(str(error))
        return None


@st.cache_resource(max_entries=32, show_spinner="Fitting every number of clusters")
def _compared(key: str, kind: CovarianceKind, seed: int, _points: Tensor) -> Comparison:
    found = tuple(candidates(_points, MOST, kind, seed))
    width = dimension_of(_points)
    return Comparison(
        found,
        tuple(inertia_without_groups(found[0].inertia, c.clusters, width) for c in found),
    )
