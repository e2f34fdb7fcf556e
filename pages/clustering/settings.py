"""The controls: points, number of clusters, initialisation, covariances, and what is changed by hand."""

from typing import NamedTuple

import streamlit as st
import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import INITIALISATIONS, initial_centres
from lm_core.errors import PointsError
from lm_core.experiments.clustering.editing import PointEdit, read_centres, read_edits, with_edits
from pages.clustering.editing import BY_HAND, END, edits_field, follow_points
from pages.shared.clustering.data import DATA_WIDTH, GENERATED, OWN, Data, data_names, load
from pages.shared.components.cluster_panels import MOST_CLUSTERS, MOST_POINTS
from pages.shared.ui.controls import control
from pages.shared.ui.first_screen import FirstScreen
from pages.shared.ui.messages import show_error
from pages.shared.ui.playback import go_to

FROM_CENTRES, FROM_CLUSTERS = "from the same centres", "from the k-means clusters"
TRUTH, WRONG = "true groups", "wrong points"
SHOWN = ("borders", "paths of centres", TRUTH, WRONG, "lines to centres")
_SECONDS = {"slow": 1.6, "normal": 0.8, "fast": 0.5}
_AT_END, _NEXT_STEP = "clusters_at_end", "clusters_next_step"


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
    seconds_per_step : float
        While it plays.
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
    seconds_per_step: float

    @property
    def drawn_from(self) -> Tensor:
        """The points that initial centres are drawn from; see `_source_of_centres`."""
        return _source_of_centres(self.untouched, self.data.points, len(self.centres))

    def without_truth(self) -> "Settings":
        """Return settings that show nothing of the true groups."""
        return self._replace(shown=tuple(x for x in self.shown if x not in (TRUTH, WRONG)))


def choose_settings(screen: FirstScreen) -> Settings:
    """Draw the controls; what cannot be clustered stops the page with a message."""
    with screen.controls:
        name = control(
            st.selectbox,
            "data",
            "Points",
            data_names(),
            1,
            on_change=_other_points,
            width=DATA_WIDTH,
        )
        clusters = control(
            st.slider, "clusters", "Clusters K", 1, MOST_CLUSTERS, 2, on_change=_stay, width=300
        )
        with st.popover("More", icon=":material/tune:"):
            chosen = _more(name)
            drawn = load(name, chosen.n, chosen.seed, place=screen.picture)
            follow_points(drawn.fingerprint)
            typed = edits_field(can_travel=name != OWN)
    with screen.picture:
        data, edits = _with_edits(drawn, typed)
        if clusters > len(data.points):
            st.error(
                f"{clusters} clusters need at least {clusters} points; there are {len(data.points)}."
            )
            clusters = len(data.points)
        source = _source_of_centres(drawn.points, data.points, clusters)
        centres = _centres(source, clusters, chosen)
    return Settings(
        data,
        drawn.points,
        edits,
        centres,
        chosen.initialisation,
        chosen.kind,
        chosen.seed,
        chosen.restart,
        chosen.em_after_k_means,
        chosen.shown,
        _SECONDS[chosen.speed],
    )


class _More(NamedTuple):
    """What is set under *More*; all but `n`, `centres` and `speed` as in `Settings`."""

    n: int
    seed: int
    restart: int
    initialisation: str
    kind: CovarianceKind
    em_after_k_means: bool
    shown: tuple[str, ...]
    speed: str
    centres: str


def _more(name: str) -> _More:
    initialisation = control(
        st.selectbox,
        "initialisation",
        "Initialisation",
        [*INITIALISATIONS, BY_HAND],
        on_change=_stay,
    )
    kind = control(
        st.selectbox,
        "covariance",
        "Covariances of EM",
        [str(k) for k in CovarianceKind],
        on_change=_stay,
    )
    n = 100
    if name in GENERATED:
        n = control(st.slider, "points", "Number of points", 10, MOST_POINTS, 100, 10)
    seed = control(st.number_input, "seed", "Seed of the points", 0, 9999, 8, on_change=_stay)
    restart = control(
        st.number_input, "restart", "Number of the restart", 1, 999, 1, on_change=_stay,
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
        st.pills,
        "drawn",
        "Show",
        SHOWN,
        selection_mode="multi",
        default=list(SHOWN[:-1]),
        help="True groups and wrong points appear once the question beside the picture is answered.",
    )
    speed = control(
        st.segmented_control,
        "speed",
        "Playback speed",
        list(_SECONDS),
        default="normal",
        required=True,
    )
    control(
        st.toggle,
        "predict",
        "Guess each move",
        False,
        help="Before each update step and M-step, click where the centre marked ? will move.",
        on_change=_begin_guessing,
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
    return _More(
        n,
        seed,
        restart,
        initialisation,
        CovarianceKind(kind),
        em_from == FROM_CLUSTERS,
        tuple(shown),
        speed,
        typed,
    )


def _begin_guessing() -> None:
    """Go to the first step: there the centres move most, and at the last one nothing is left to guess."""
    if st.session_state.get("predict"):
        st.session_state[_NEXT_STEP] = 0


def _other_points() -> None:
    """Centres placed by hand among other points mean nothing among these."""
    # A page that follows a link, as phones do that a class's presenter leads, may have no choice drawn yet.
    if st.session_state.get("initialisation") == BY_HAND:
        st.session_state["initialisation"] = next(iter(INITIALISATIONS))
    st.session_state[_NEXT_STEP] = 0
    _stay()


def _stay() -> None:
    """Stay at the end, if that is on screen, however many steps the process will have."""
    if st.session_state.get(_AT_END, False):
        st.session_state[_NEXT_STEP] = END


def remember_end(*, is_last: bool) -> None:
    """Remember whether the last step is on screen: other settings are then shown at their end, too."""
    st.session_state[_AT_END] = is_last


def go_to_next_step() -> None:
    """Go where changed settings lead; call it just before the slider of the steps is drawn.

    A step that is set in a run that draws no slider would be lost, and the one before come back.
    """
    step = st.session_state.pop(_NEXT_STEP, None)
    if step is not None:
        go_to("step", step)


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


def _source_of_centres(untouched: Tensor, points: Tensor, clusters: int) -> Tensor:
    """Return what initial centres are drawn from: the points that nobody has changed by hand.

    A point that is added or moved then leaves the start as it was, and what it changes is its own
    doing. Only where there are fewer of them than clusters are all points drawn from.
    """
    return untouched if len(untouched) >= clusters else points


def _centres(points: Tensor, clusters: int, chosen: _More) -> Tensor:
    """Return the centres to start from; those by hand are filled up, or cut, to K."""
    by = (chosen.seed, chosen.restart)
    if chosen.initialisation != BY_HAND:
        return initial_centres(points, clusters, chosen.initialisation, *by)
    drawn = initial_centres(points, clusters, next(iter(INITIALISATIONS)), *by)
    if not chosen.centres.strip():
        st.caption("No centre is placed yet: drag one, or type them under *More*.")
        return drawn
    try:
        placed = read_centres(chosen.centres, points.shape[1])
    except PointsError as error:
        show_error(f"{error}. The centres are drawn at random instead.")
        return drawn
    return torch.cat([placed, drawn[len(placed) :]])[:clusters]
