"""The controls: points, number of clusters, start, covariances, and what a hand has changed."""

from typing import NamedTuple

import streamlit as st
import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import INITIALISATIONS, initial_centres
from lm_core.errors import PointsError
from lm_core.experiments.clustering.editing import PointEdit, read_centres, read_edits, with_edits
from pages.clustering.hands import BY_HAND, edits_field, follow_points
from pages.shared.clustering.data import GENERATED, OWN, Data, data_names, load
from pages.shared.components.cluster_panels import MOST_CLUSTERS, MOST_POINTS
from pages.shared.ui.controls import control

TOGETHER, AFTER = "from the same centres", "where k-means ends"
SHOWN = ("borders", "trails", "truth", "wrong points", "lines")


class Choice(NamedTuple):
    """All that the controls say.

    Attributes
    ----------
    data : Data
        With the visitor's edits.
    untouched : Tensor of shape (N, D)
        The points without them.
    edits : tuple of PointEdit
    centres : float64 Tensor of shape (K, D)
        Where both methods start.
    rule : str
        How these were chosen: of `INITIALISATIONS`, or by hand.
    kind : CovarianceKind
    seed, number : int
        Of the points, and of the start.
    em_after_k_means : bool
    shown : tuple of str
        Of `SHOWN`.
    """

    data: Data
    untouched: Tensor
    edits: tuple[PointEdit, ...]
    centres: Tensor
    rule: str
    kind: CovarianceKind
    seed: int
    number: int
    em_after_k_means: bool
    shown: tuple[str, ...]


def choose() -> Choice:
    """Draw the controls; what cannot be clustered stops the page with a message."""
    columns = st.columns([1.9, 1.5, 1.6, 1.4, 1.1], vertical_alignment="bottom")
    with columns[0]:
        name = control(st.selectbox, "data", "Points", data_names(), 1, on_change=_other_points)
    with columns[1]:
        clusters = control(st.slider, "clusters", "Clusters K", 1, MOST_CLUSTERS, 2)
    with columns[2]:
        rule = control(st.selectbox, "start", "Centres start", [*INITIALISATIONS, BY_HAND])
    with columns[3]:
        kind = control(st.selectbox, "kind", "EM's covariances", [str(k) for k in CovarianceKind])
    more = columns[4].popover("More", icon=":material/tune:")
    with more:
        n, seed, number, em_start, shown, typed = _more(name)
    drawn = load(name, n, seed)
    follow_points(drawn.fingerprint)
    with more:
        edits = edits_field(can_travel=name != OWN)
    data, edits = _with_edits(drawn, edits)
    if clusters > len(data.points):
        st.error(f"{clusters} clusters need at least as many points, there are {len(data.points)}.")
        st.stop()
    centres = _centres(data, clusters, rule, seed, number, typed)
    return Choice(
        data,
        drawn.points,
        edits,
        centres,
        rule,
        CovarianceKind(kind),
        seed,
        number,
        em_start == AFTER,
        tuple(shown),
    )


def _more(name: str) -> tuple[int, int, int, str, list[str], str]:
    n = 100
    if name in GENERATED:
        n = control(st.slider, "n", "Number of points", 10, MOST_POINTS, 100, 10)
    seed = control(st.number_input, "seed", "Seed of the points", 0, 9999, 8)
    number = control(
        st.number_input, "number", "Number of the start", 1, 999, 1,
        help="Each number draws its own centres: see the lottery below.",
    )  # fmt: skip
    em_start = control(
        st.segmented_control,
        "em_start",
        "EM begins",
        (TOGETHER, AFTER),
        default=TOGETHER,
        required=True,
        help="With equal weights and the covariance of all points, or with what fits the clusters"
        " that k-means has found, as scikit-learn does by default.",
    )
    shown = control(
        st.pills, "shown", "Show", SHOWN, selection_mode="multi", default=list(SHOWN[:-1])
    )
    typed = control(
        st.text_input,
        "centres",
        "Centres by hand",
        "",
        placeholder="1 4; 5 1",
        max_chars=10_000,
        help="The numbers of a centre, then a semicolon. They count where centres start by hand;"
        " dragging a centre fills them in.",
    )
    return n, seed, number, em_start, shown, typed


def _other_points() -> None:
    """Centres placed by hand among other points mean nothing among these."""
    if st.session_state["start"] == BY_HAND:
        st.session_state["start"] = next(iter(INITIALISATIONS))
    st.session_state["step"] = 0


def _with_edits(data: Data, typed: str) -> tuple[Data, tuple[PointEdit, ...]]:
    """Return the data with what is typed done to its points; what cannot be is told."""
    if not typed.strip():
        return data, ()
    try:
        edits = read_edits(typed, len(data.points))
        if not data.plane.is_whole:
            raise PointsError("points can be changed by hand only where two columns count")
        points = with_edits(data.points, edits)
        if len(points) > MOST_POINTS:
            raise PointsError(f"at most {MOST_POINTS:,} points can be drawn, not {len(points):,}")
    except PointsError as error:
        st.error(f"Points by hand: {error}. The points are shown unchanged.")
        return data, ()
    return data._replace(points=points), edits


def _centres(data: Data, clusters: int, rule: str, seed: int, number: int, typed: str) -> Tensor:
    """Return the centres to start from; those by hand are filled up, or cut, to K."""
    if rule != BY_HAND:
        return initial_centres(data.points, clusters, rule, seed, number)
    drawn = initial_centres(data.points, clusters, next(iter(INITIALISATIONS)), seed, number)
    if not typed.strip():
        st.caption("No centre is placed by hand yet: drag one, or write them under *More*.")
        return drawn
    try:
        placed = read_centres(typed, data.points.shape[1])
    except PointsError as error:
        st.error(f"{error}. The centres are drawn at random instead.")
        return drawn
    return torch.cat([placed, drawn[len(placed) :]])[:clusters]
