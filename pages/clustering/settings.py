"""The controls: points, number of clusters, initialisation, covariances, and what is changed by hand."""

from typing import NamedTuple

import streamlit as st
import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import INITIALISATIONS, initial_centres
from lm_core.errors import PointsError
from lm_core.experiments.clustering.editing import PointEdit, read_centres, read_edits, with_edits
from pages.clustering.editing import BY_HAND, edits_field, follow_points
from pages.shared.clustering.data import GENERATED, OWN, Data, data_names, load
from pages.shared.components.cluster_panels import MOST_CLUSTERS, MOST_POINTS
from pages.shared.ui.controls import control
from pages.shared.ui.messages import show_error

FROM_CENTRES, FROM_CLUSTERS = "from the same centres", "from the k-means clusters"
SHOWN = ("borders", "paths of centres", "true groups", "wrong points", "lines to centres")


class Settings(NamedTuple):
    """All that the controls are set to.

    Attributes
    ----------
    data : Data
        With the visitor's edits.
    untouched : Tensor of shape (N, D)
        The points without them.
    edits : tuple of PointEdit
    centres : float64 Tensor of shape (K, D)
        Where both methods start.
    initialisation : str
        How these were chosen: of `INITIALISATIONS`, or by hand.
    kind : CovarianceKind
    seed, restart : int
        Of the points, and the number of the restart.
    em_after_k_means : bool
    shown : tuple of str
        Of `SHOWN`.
    """

    data: Data
    untouched: Tensor
    edits: tuple[PointEdit, ...]
    centres: Tensor
    initialisation: str
    kind: CovarianceKind
    seed: int
    restart: int
    em_after_k_means: bool
    shown: tuple[str, ...]


def choose_settings() -> Settings:
    """Draw the controls; what cannot be clustered stops the page with a message."""
    columns = st.columns([1.9, 1.5, 1.6, 1.4, 1.1], vertical_alignment="bottom")
    with columns[0]:
        name = control(st.selectbox, "data", "Points", data_names(), 1, on_change=_other_points)
    with columns[1]:
        clusters = control(st.slider, "clusters", "Clusters K", 1, MOST_CLUSTERS, 2)
    with columns[2]:
        initialisation = control(
            st.selectbox, "initialisation", "Initialisation", [*INITIALISATIONS, BY_HAND]
        )
    with columns[3]:
        kind = control(
            st.selectbox, "covariance", "Covariances of EM", [str(k) for k in CovarianceKind]
        )
    more = columns[4].popover("More", icon=":material/tune:")
    with more:
        n, seed, restart, em_from, shown, typed = _more(name)
    drawn = load(name, n, seed)
    follow_points(drawn.fingerprint)
    with more:
        edits = edits_field(can_travel=name != OWN)
    data, edits = _with_edits(drawn, edits)
    if clusters > len(data.points):
        st.error(
            f"{clusters} clusters need at least {clusters} points; there are {len(data.points)}."
        )
        st.stop()
    centres = _centres(data, clusters, initialisation, seed, restart, typed)
    return Settings(
        data,
        drawn.points,
        edits,
        centres,
        initialisation,
        CovarianceKind(kind),
        seed,
        restart,
        em_from == FROM_CLUSTERS,
        tuple(shown),
    )


def _more(name: str) -> tuple[int, int, int, str, list[str], str]:
    n = 100
    if name in GENERATED:
        n = control(st.slider, "points", "Number of points", 10, MOST_POINTS, 100, 10)
    seed = control(st.number_input, "seed", "Seed of the points", 0, 9999, 8)
    restart = control(
        st.number_input, "restart", "Number of the restart", 1, 999, 1,
        help="Each number draws its own centres: see *Random restarts* below.",
    )  # fmt: skip
    em_from = control(
        st.segmented_control,
        "em_initialisation",
        "Initialisation of EM",
        (FROM_CENTRES, FROM_CLUSTERS),
        default=FROM_CENTRES,
        required=True,
        help="From the centres: equal weights, and the covariance of all points for each component."
        " From the clusters: the mixture that fits the result of k-means, scikit-learn's default.",
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
        help="The numbers of a centre, then a semicolon. They are used where *Initialisation* is"
        f" *{BY_HAND}*. Dragging a centre fills them in.",
    )
    return n, seed, restart, em_from, shown, typed


def _other_points() -> None:
    """Centres placed by hand among other points mean nothing among these."""
    if st.session_state["initialisation"] == BY_HAND:
        st.session_state["initialisation"] = next(iter(INITIALISATIONS))
    st.session_state["step"] = 0


def _with_edits(data: Data, typed: str) -> tuple[Data, tuple[PointEdit, ...]]:
    """Return the data with the typed edits applied; those that cannot be get a message."""
    if not typed.strip():
        return data, ()
    try:
        edits = read_edits(typed, len(data.points))
        if not data.plane.is_whole:
            raise PointsError("points can be edited only where exactly two columns are used")
        points = with_edits(data.points, edits)
        if len(points) > MOST_POINTS:
            raise PointsError(f"at most {MOST_POINTS:,} points can be drawn, not {len(points):,}")
    except PointsError as error:
        show_error(f"Points by hand: {error}. The points are shown unchanged.")
        return data, ()
    return data._replace(points=points), edits


def _centres(
    data: Data, clusters: int, initialisation: str, seed: int, restart: int, typed: str
) -> Tensor:
    """Return the centres to start from; those by hand are filled up, or cut, to K."""
    if initialisation != BY_HAND:
        return initial_centres(data.points, clusters, initialisation, seed, restart)
    drawn = initial_centres(data.points, clusters, next(iter(INITIALISATIONS)), seed, restart)
    if not typed.strip():
        st.caption("No centre is placed yet: drag one, or type them under *More*.")
        return drawn
    try:
        placed = read_centres(typed, data.points.shape[1])
    except PointsError as error:
        show_error(f"{error}. The centres are drawn at random instead.")
        return drawn
    return torch.cat([placed, drawn[len(placed) :]])[:clusters]
