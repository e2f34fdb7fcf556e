"""The controls: points, number of clusters, initialisation, covariances, and what is changed by hand."""

from typing import NamedTuple

import streamlit as st
import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import INITIALISATIONS, initial_centres
from lm_core.errors import PointsError
from lm_core.experiments.clustering.editing import PointEdit, read_centres, read_edits, with_edits
from pages.clustering.editing import BY_HAND, begin_anew, edits_field, follow_points, stay
from pages.shared import page
from pages.shared.clustering.data import DATA_WIDTH, GENERATED, OWN, Data, data_names, load
from pages.shared.components.cluster_panels import MOST_CLUSTERS, MOST_POINTS

FROM_CENTRES, FROM_CLUSTERS = "from the same centres", "from the k-means clusters"
BORDERS, PATHS, LINES = "borders", "paths of centres", "lines to centres"
TRUTH, WRONG = "true groups", "wrong points"
_DRAWN = (BORDERS, PATHS, TRUTH, WRONG, LINES)
RANDOM = next(iter(INITIALISATIONS))
SECONDS = {"slow": 1.6, "normal": 0.8, "fast": 0.5}


def forget_centres_by_hand() -> None:
    """Draw the centres again, where they have been placed by hand."""
    # A page that follows a link, as phones do that a class's presenter leads, may have no choice drawn yet.
    if st.session_state.get("initialisation") == BY_HAND:
        st.session_state["initialisation"] = RANDOM


def _begin_guessing() -> None:
    """Go to the first step: there the centres move most, and at the last one nothing is left to guess."""
    if st.session_state.get("predict"):
        begin_anew()


def _other_points() -> None:
    """Centres placed by hand among other points mean nothing among these."""
    forget_centres_by_hand()
    begin_anew()
    stay()


class Chosen(NamedTuple):
    """What is set behind More."""

    initialisation: str = page.folded(
        page.choice, "Initialisation", [*INITIALISATIONS, BY_HAND], on_change=stay
    )
    covariance: str = page.folded(
        page.choice, "Covariances of EM", list(map(str, CovarianceKind)), on_change=stay
    )
    points: int = page.folded(page.slider, "Number of points", 10, MOST_POINTS, 100, 10)
    seed: int = page.folded(page.number, "Seed of the points", 0, 9999, 8, on_change=stay)
    restart: int = page.folded(
        page.number, "Number of the restart", 1, 999, 1, on_change=stay,
        help=("Each number draws other initial centres, so the result may be another one: see"
        " *Random restarts* below."))  # fmt: skip
    em_initialisation: str = page.folded(
        page.segments, "Initialisation of EM", (FROM_CENTRES, FROM_CLUSTERS),
        help="From the same centres, EM begins with equal weights and gives each component the covariance"
             " of all points. From the k-means clusters, it begins with the mixture that fits the result"
             " of k-means, as scikit-learn does unless told otherwise."
        " The start matters, because EM only climbs, so it ends at a local optimum.")  # fmt: skip
    drawn: list[str] = page.folded(
        page.several, "Show", _DRAWN, _DRAWN[:-1],
        help="True groups and wrong points appear once the question beside the picture is answered.")  # fmt: skip
    speed: str = page.folded(page.segments, "Playback speed", list(SECONDS), "normal")
    predict: bool = page.folded(
        page.switch, "Guess each move", on_change=_begin_guessing,
        help="Before each update step and M-step, click where the centre marked ? will move.")  # fmt: skip
    centres: str = page.folded(
        page.text, "Centres by hand", placeholder="1 4; 5 1", max_chars=10_000,
        help="Write the numbers of each centre, then a semicolon. They are used where *Initialisation* is"
             f" *{BY_HAND}*. Dragging a centre fills them in.")  # fmt: skip


class Settings(NamedTuple):
    """All that the controls are set to."""

    data: Data  # with the visitor's edits
    untouched: Tensor  # the points without them, of shape (N, D)
    edits: tuple[PointEdit, ...]
    centres: Tensor  # where both methods start, of shape (K, D)
    drawn_from: Tensor  # what initial centres are drawn from
    chosen: Chosen
    is_masked: bool = False  # whether nothing of the true groups may be shown

    @property
    def kind(self) -> CovarianceKind:
        """Of EM's covariances."""
        return CovarianceKind(self.chosen.covariance)

    @property
    def em_after_k_means(self) -> bool:
        """Whether EM begins with the clusters of k-means."""
        return self.chosen.em_initialisation == FROM_CLUSTERS

    @property
    def is_by_hand(self) -> bool:
        """Whether the centres are placed by hand."""
        return self.chosen.initialisation == BY_HAND

    def shows(self, mark: str) -> bool:
        """Return whether the picture has marks of this kind."""
        return mark in self.chosen.drawn and not (self.is_masked and mark in (TRUTH, WRONG))


def choose_settings(screen: page.FirstScreen) -> Settings:
    """Draw the controls; what cannot be clustered stops the page with a message."""
    with screen.controls:
        name = page.choice(
            "data", "Points", data_names(), data_names()[1], on_change=_other_points, width=DATA_WIDTH)  # fmt: skip
        clusters = page.slider(
            "clusters", "Clusters K", 1, MOST_CLUSTERS, 2, 1, on_change=stay, width=300
        )
    with page.more(screen):
        chosen = page.fields(Chosen, without=() if name in GENERATED else ("points",))
        untouched = load(name, chosen.points, chosen.seed, place=screen.picture)
        follow_points(untouched.fingerprint)
        typed = edits_field(can_travel=name != OWN)
    with screen.picture:
        data, edits = _with_edits(untouched, typed)
        if clusters > (n := len(data.points)):
            st.error(f"{clusters} clusters need at least {clusters} points; there are {n}.")
            clusters = n
        # A point that is added or moved leaves the start as it was, and what it changes is its own doing.
        source = untouched.points if len(untouched.points) >= clusters else data.points
        centres = _centres(source, clusters, chosen)
    return Settings(data, untouched.points, edits, centres, source, chosen)


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
        page.show_error(f"Points by hand: {error}. The points are shown unchanged.")
        return data, ()
    return data._replace(points=points), edits


def _centres(points: Tensor, clusters: int, chosen: Chosen) -> Tensor:
    """Return the centres to start from; those by hand are filled up, or cut, to K."""
    by_hand = chosen.initialisation == BY_HAND
    how = RANDOM if by_hand else chosen.initialisation
    drawn = initial_centres(points, clusters, how, chosen.seed, chosen.restart)
    if not by_hand:
        return drawn
    if not chosen.centres.strip():
        st.caption("No centre is placed yet: drag one, or type them under *More*.")
        return drawn
    try:
        placed = read_centres(chosen.centres, points.shape[1])
    except PointsError as error:
        page.show_error(f"{error}. The centres are drawn at random instead.")
        return drawn
    return torch.cat([placed, drawn[len(placed) :]])[:clusters]
