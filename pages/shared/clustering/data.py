"""The points that are clustered: where they come from, and the plane that they are drawn in."""

from collections.abc import Sequence
from functools import lru_cache, partial
from hashlib import sha256
from typing import NamedTuple

import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from lm_core.analysis.projection_planes import Plane, coordinate_plane, principal_plane
from lm_core.clustering.datasets import DATA_SETS, iris
from lm_core.clustering.gaussian_mixture import Mixture
from lm_core.clustering.points import distances_from_medians, standardised
from lm_core.rng import generator
from pages.shared.clustering.own_table import own_table
from pages.shared.clustering.uploaded_table import Table
from pages.shared.clustering.words import are_shipped, choose_words
from pages.shared.numbers import percent
from pages.shared.ui.controls import begin_anew, control
from pages.shared.ui.markdown import escaped
from pages.shared.word_links import WORDS

GENERATED = tuple(name for name in DATA_SETS if name != "on a line")
IRIS, OWN = "Iris", "your own table"
PRINCIPAL = "principal components"
DATA_WIDTH = 230
"""Of the list of data sets, in pixels: its longest name is not cut."""
_UNLIKE = 100.0  # from so many times another column's spread on, a column decides k-means alone
_FAR, _MOST_FAR = 20.0, 0.05
"""A point is far away from so many usual distances on, if no more than this share of all points is."""
_WITHOUT_FAR = "without_far"
_LABELS, _NO_LABELS = "label_column", "none"


class Data(NamedTuple):
    """Points, and how they are drawn."""

    name: str
    points: Tensor  # float64, shape (N, D)
    plane: Plane
    directions: tuple[str, str]  # what the plane's two directions are called
    columns: tuple[str, ...]  # tuple of D str
    # int64, shape (n,): True groups of the first n points; those that a visitor has added have none
    labels: Tensor | None = None
    groups: tuple[str, ...] = ()  # their names
    mixture: Mixture | None = None  # what the points were drawn from
    rows: tuple[str, ...] | None = None  # tuple of N str: the points' names, where they are words
    vectors: str = ""  # title of the model whose vectors they are
    note: str = ""  # where they come from, in a sentence

    @property
    def fingerprint(self) -> str:
        """The same for the same points, whoever asks: what is cached depends on it."""
        return _fingerprint(self.points)


@lru_cache(maxsize=64)
def _fingerprint(points: Tensor) -> str:
    shape = str(tuple(points.shape)).encode()
    return sha256(shape + points.numpy().tobytes()).hexdigest()


def data_names() -> tuple[str, ...]:
    """Return what can be clustered here."""
    return (*GENERATED, IRIS, *((WORDS,) if are_shipped() else ()), OWN)


def load(name: str, n: int, seed: int, *, place: DeltaGenerator | None = None) -> Data:
    """Draw what a data set lets a visitor choose, and return its points.

    Parameters
    ----------
    name : str, of `data_names`
    n, seed : int, of generated points
    place : DeltaGenerator, where a visitor is asked for what is missing: a table, a column
    """
    if name in GENERATED:
        return generated(name, n, seed)
    if name == WORDS:
        return _words()
    place = place or st.container()
    return _iris(place) if name == IRIS else _own(place)


@st.cache_resource(max_entries=64)
def generated(name: str, n: int, seed: int) -> Data:
    """Return points drawn from a known distribution."""
    drawn = DATA_SETS[name](n, generator(seed))
    return Data(
        name,
        drawn.points,
        coordinate_plane(drawn.points, 0, 1),
        ("x", "y"),
        ("x", "y"),
        drawn.labels,
        ()
        if drawn.labels is None
        else tuple(f"group {i + 1}" for i in range(int(drawn.labels.max()) + 1)),
        drawn.mixture,
        note=f"{n:,} points drawn from a known distribution, seed {seed}.{_drawn(drawn.labels)}",
    )


def sizes_of_groups(labels: Tensor) -> str:
    """Return how many points each group has got, the largest first: of 95 : 5 it may be 96 : 4."""
    return " : ".join(map(str, sorted(labels.bincount().tolist(), reverse=True)))


def _drawn(labels: Tensor | None) -> str:
    return "" if labels is None else f" The groups have {sizes_of_groups(labels)} points."


def _iris(place: DeltaGenerator) -> Data:
    flowers = iris()
    note = "150 irises of three species, with four lengths in cm each (Anderson 1935, Fisher 1936)."
    return _of_columns(
        IRIS, flowers.features, flowers.points, flowers.labels, flowers.species, note, place
    )


def _own(place: DeltaGenerator) -> Data:
    """Return the visitor's own table, or the example until there is one."""
    table, is_example = own_table(place)
    chosen = _label_column(table)
    cells = table.labels.get(chosen, ())
    groups = tuple(dict.fromkeys(cells))
    labels = torch.tensor([groups.index(cell) for cell in cells]) if cells else None
    used = [i for i, name in enumerate(table.names) if name != chosen]
    n_rows = f"{len(table.values):,} rows"
    note = (
        f"An example of {n_rows}, until you hand in a table."
        if is_example
        else f"Your own table of {n_rows}."
    )
    names = tuple(table.names[i] for i in used)
    start = [name for name in names if name in table.coordinates] or list(names)
    begin_anew("columns", f"{table.fingerprint}{chosen}", start)
    return _of_columns(OWN, names, table.values[:, used], labels, groups, note, place, start)


def _label_column(table: Table) -> str:
    """Draw which column holds the true groups, and return its name, or that there is none."""
    options = [_NO_LABELS, *table.labels]
    if st.session_state.get(_LABELS) not in options:
        st.session_state.pop(_LABELS, None)  # of another table
    return control(
        st.selectbox,
        _LABELS,
        "Column with the true groups",
        options,
        options.index(table.label_name) if table.label_name else 0,
        help="The clusters are compared with it, so it is not used as a coordinate.",
    )


def _of_columns(
    name: str,
    columns: tuple[str, ...],
    values: Tensor,
    labels: Tensor | None,
    groups: tuple[str, ...],
    note: str,
    place: DeltaGenerator,
    start: Sequence[str] = (),
) -> Data:
    """Draw which columns count, whether they are scaled, and which plane is drawn."""
    if not set(st.session_state.get("columns", ())) <= set(columns):
        del st.session_state["columns"]  # of other points
    chosen = control(st.multiselect, "columns", "Columns to use", columns, list(start or columns))
    scaled = control(
        st.toggle,
        "scaled",
        "Scaled",
        False,
        help="Scales each column to mean 0 and standard deviation 1, so that none counts for more because of its unit.",
    )
    used = tuple(column for column in columns if column in chosen)
    if not used:
        used = tuple(start or columns)
        place.info(
            "Choose at least one column, under *More*. Until then those of the beginning are used."
        )
    points = values[:, [columns.index(column) for column in used]]
    is_far = _say_what_is_far(points, used, place)
    if labels is not None:
        labels = labels[~is_far[: len(labels)]]
    points = points[~is_far]
    if not scaled:
        _say_what_units_do(points, used, place)
    points = standardised(points) if scaled else points.clone()
    if len(used) == 1:
        points = torch.cat([points, torch.zeros_like(points)], 1)
        used = (*used, "constant")
    plane, directions = _view(points, used)
    return Data(name, points, plane, directions, used, labels, groups, note=note)


def _say_what_units_do(points: Tensor, columns: tuple[str, ...], place: DeltaGenerator) -> None:
    """Where one column's spread is a hundred times another's, offer to scale them."""
    spreads = dict(zip(columns, points.std(0, correction=0).tolist(), strict=True))
    varied = {name: spread for name, spread in spreads.items() if spread > 0.0}
    if not varied:
        return
    wide, narrow = max(varied, key=varied.__getitem__), min(varied, key=varied.__getitem__)
    ratio = varied[wide] / varied[narrow]
    if ratio < _UNLIKE:
        return
    with place.container(horizontal=True, vertical_alignment="center", key="unlike_spreads"):
        st.caption(
            f"The spread of *{escaped(wide)}* is {ratio:,.0f} times that of *{escaped(narrow)}*."
            " k-means adds squared distances over the columns, so here it sees little but the former."
            " EM judges each column by its own spread, because it estimates that spread too; *spherical*"
            " covariances have one for all columns.",
            width="stretch",
        )
        st.button(
            "Scale the columns", type="tertiary", icon=":material/fit_width:", key="scale_columns",
            on_click=partial(st.session_state.__setitem__, "scaled", True),
        )  # fmt: skip


def _say_what_is_far(points: Tensor, columns: tuple[str, ...], place: DeltaGenerator) -> Tensor:
    """Where a few points lie far from all others, say so; return which of them are left out, (N,) of bool."""
    ratios, usual = distances_from_medians(points)
    is_far = (ratios >= _FAR).any(1)
    n = int(is_far.sum())
    if not 0 < n <= max(1, _MOST_FAR * len(points)):
        return torch.zeros_like(is_far)
    begin_anew(_WITHOUT_FAR, _fingerprint(points), False)
    row, column = divmod(int(ratios.argmax()), len(columns))
    who = "One point lies" if n == 1 else f"{n} points lie"
    with place.container(horizontal=True, vertical_alignment="center", key="far_points"):
        st.caption(
            f"{who} far from all others: half of *{escaped(columns[column])}* is within"
            f" {usual[column]:.4g} of its median,"
            f" and {points[row, column]:,.8g} is {ratios[row, column] * usual[column]:,.4g} away. Distances are"
            " squared, so such a point can take a cluster for itself.",
            width="stretch",
        )
        leaves_out = control(
            st.toggle, _WITHOUT_FAR, "Leave it out" if n == 1 else "Leave them out", False
        )
    return is_far & bool(leaves_out)


def _view(points: Tensor, columns: tuple[str, ...]) -> tuple[Plane, tuple[str, str]]:
    if len(columns) == 2:
        return coordinate_plane(points, 0, 1), (columns[0], columns[1])
    pairs = [f"{a} × {b}" for i, a in enumerate(columns) for b in columns[i + 1 :]]
    shown = control(st.selectbox, "plane", "Plane", [PRINCIPAL, *pairs])
    if shown == PRINCIPAL:
        return of_principal_plane(points)
    across, up = next(
        (i, j)
        for i, a in enumerate(columns)
        for j, b in enumerate(columns)
        if f"{a} × {b}" == shown
    )
    return coordinate_plane(points, across, up), (columns[across], columns[up])


def of_principal_plane(points: Tensor) -> tuple[Plane, tuple[str, str]]:
    """Return the principal plane, and its directions' names with their shares of the variance."""
    plane = principal_plane(points)
    first, second = (
        f"component {i + 1} ({percent(s)} of variance)" for i, s in enumerate(plane.shares)
    )
    return plane, (first, second)


def _words() -> Data:
    words = choose_words()
    plane, directions = of_principal_plane(words.points)
    columns = tuple(f"component {i + 1}" for i in range(words.points.shape[1]))
    return Data(
        WORDS,
        words.points,
        plane,
        directions,
        columns,
        rows=words.words,
        vectors=words.vectors,
        note=words.note,
    )


def asked_for(name: str, key: str, label: str) -> bool:
    """Return whether a result is wanted; where nobody has asked yet, draw the button.

    Parameters
    ----------
    name : str, of the kind of result, unique on the page
    key : str, what exactly it would be computed from: other points are asked for anew
    label : str, the button's
    """
    asked = f"clusters_asked_{name}"
    if st.session_state.get(asked) == key:
        return True
    if st.button(label, type="primary", key=f"ask_{name}"):
        st.session_state[asked] = key
        st.rerun()
    return False
