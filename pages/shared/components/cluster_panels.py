"""Clusterings of the same points side by side, to be stepped through, dragged and guessed at."""

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from pages.shared.server.component import component
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import is_presenting

_PANELS = component(
    "cluster_panels", "pictures", "touch_editing", "cluster_pens", "cluster_scene", "cluster_state"
)

MOST_POINTS = 2_000
MOST_CLUSTERS = 10
KINDS = ("add", "point", "centre", "choose", "guess")
Pair = tuple[float, float]


class Component(NamedTuple):
    """A normal distribution in the plane."""

    weight: float
    mean: Pair
    covariance: tuple[float, float, float]  # across, both, up


class Panel(NamedTuple):
    """One clustering of the points."""

    title: str
    note: str
    # uint8, shape (N,): what each point's shape says, and its colour where there are no shares
    labels: np.ndarray
    centres: Sequence[Pair]  # K pairs
    # K pairs: the centres that the labels come from: whose borders are drawn
    assigned_by: Sequence[Pair] | None = None
    shares: np.ndarray | None = None  # shape (N, K) in [0, 1]: mix the points' colours
    # K of Component: drawn as ellipses of one and two standard deviations
    components: Sequence[Component] | None = None
    # K of Component: those that the shares come from: whose shares in the plane are drawn
    shared_by: Sequence[Component] | None = None
    trails: Sequence[Sequence[Pair]] = ()  # K sequences of pairs: where each centre has been
    wrong: np.ndarray | None = None  # bool, shape (N,): points to ring
    asked: int | None = None  # the centre that a guess is about
    guess: Pair | None = None
    answer: Pair | None = None
    said: Sequence[Pair] = ()  # where a class has put it
    median: Pair | None = None  # of those


class Foreseen(NamedTuple):
    """What will be drawn once a button of the page is pressed."""

    button: str  # the button's key
    shortcut: str  # what a browser calls the key that presses it
    panels: Sequence[Panel]


class Scene(NamedTuple):
    """What all panels have in common: the points, their plane, and what may be done in it."""

    points: np.ndarray  # shape (N, 2), at most `MOST_POINTS`, within the bounds
    names: tuple[str, str]  # of the directions
    bounds: tuple[float, float, float, float]  # left, right, bottom, top
    name: str  # of the exported files, without ending
    # Whether the plane is all there is: only then can points be moved or added, and the browser tell where
    # a moved centre's points belong.
    is_flat: bool
    hint: str = ""  # stands under the panels while nothing is pointed at
    truth: Sequence[Component] = ()  # drawn dashed
    chosen: int | None = None  # a point to ring
    rows: Sequence[str] | None = None  # N of them, the points' names
    has_background: bool = True  # borders and shares of the plane, where the plane is all there is
    has_lines: bool = False  # from each point to the centre of its cluster
    guessing: bool = False  # whether a click is a guess
    is_fixed: bool = False  # nothing can be moved: the panels are only shown
    aspect: float = 1.6  # width by height; in the presenter view they are as high as their place


@dataclass(frozen=True)
class Edit:
    """What a visitor did in a panel."""

    kind: str  # ``add`` a point, move a ``point`` or a ``centre``, ``choose`` a point, or ``guess``
    # panel and index: where, and which point or centre
    panel: int
    index: int
    place: Pair  # in the plane


def cluster_panels(
    scene: Scene,
    panels: Sequence[Panel],
    *,
    key: str,
    foreseen: Sequence[Foreseen] = (),
    on_edit: Callable[[Edit], None] | None = None,
) -> None:
    """Draw the same points once for each clustering.

    Parameters
    ----------
    foreseen : sequence of Foreseen
        Drawn by the browser as soon as a button is pressed, until the server has answered.
    on_edit : callable of Edit, called before the page runs again
    """
    left, right, bottom, top = scene.bounds
    spans = np.array([right - left, top - bottom])
    steps = np.round(65535 * (np.asarray(scene.points) - [left, bottom]) / spans).clip(0, 65535)
    data = scene._asdict()
    background = data.pop("has_background") and scene.is_flat
    data |= {
        "points": _packed(steps.astype("<u2")),
        "bounds": list(scene.bounds),
        "panels": [_panel(panel, background) for panel in panels],
        "foreseen": [
            later._asdict() | {"panels": [_panel(panel, background) for panel in later.panels]}
            for later in foreseen
        ],
        "names": list(scene.names),
        "truth": [component._asdict() for component in scene.truth],
        "rows": list(scene.rows) if scene.rows else None,
        "fills": is_presenting(),
        "text_size": chart_style().text_size,
    }

    def edited() -> None:
        sent = st.session_state[key].edited
        if sent is None or on_edit is None:
            return
        n_centres = [len(panel.centres) for panel in panels]
        try:
            edit = checked_edit(sent, len(scene.points), n_centres, scene.bounds)
        except ValueError:
            st.toast("What you changed is no longer there, so nothing has changed.")
            return
        on_edit(edit)

    _PANELS(key=key, data=data, on_edited_change=edited)


def checked_edit(
    sent: Mapping[str, Any],
    n_points: int,
    n_centres: Sequence[int],
    bounds: tuple[float, float, float, float],
) -> Edit:
    """Return what a browser sent as an edit, its place at most a few pictures away.

    Raises ValueError if it is none, or about a point or centre that there is not.
    """
    kind: Any = sent.get("kind")
    panel: Any = sent.get("panel")
    index: Any = sent.get("index")
    x, y = float(sent.get("x", math.nan)), float(sent.get("y", math.nan))
    if kind not in KINDS or not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError(f"no edit: {kind!r} at ({x}, {y})")
    if panel not in range(len(n_centres)):
        raise ValueError(f"no such panel: {panel!r}")
    among = {"point": n_points, "choose": n_points, "centre": n_centres[panel]}.get(kind, 1)
    if index not in range(among):
        raise ValueError(f"no such {kind}: {index!r}")
    left, right, bottom, top = bounds
    reach = 3.0 * max(right - left, top - bottom)
    place = min(max(x, left - reach), right + reach), min(max(y, bottom - reach), top + reach)
    return Edit(kind, panel, index, place)


def bounds_of(points: np.ndarray, *others: np.ndarray) -> tuple[float, float, float, float]:
    """Return the box around all pairs given, with a margin; never empty."""
    every = np.concatenate([np.asarray(part).reshape(-1, 2) for part in (points, *others)])
    low, high = every.min(0), every.max(0)
    margin = 0.06 * max(float((high - low).max()), 1e-9 * (1.0 + float(np.abs(every).max())))
    (left, bottom), (right, top) = (low - margin).tolist(), (high + margin).tolist()
    return left, right, bottom, top


def _panel(panel: Panel, has_background: bool) -> dict[str, Any]:
    shares = panel.shares
    return {
        "title": panel.title,
        "note": panel.note,
        "labels": _packed(panel.labels.astype(np.uint8)),
        "centres": [list(pair) for pair in panel.centres],
        "assigned_by": _pairs(panel.assigned_by),
        "shares": None if shares is None else _packed(np.round(255 * shares).astype(np.uint8)),
        "components": _components(panel.components),
        "shared_by": _components(panel.shared_by),
        "background": ("hard" if shares is None else "soft") if has_background else None,
        "trails": [[list(pair) for pair in trail] for trail in panel.trails],
        "wrong": None if panel.wrong is None else _packed(panel.wrong.astype(np.uint8)),
        "asked": panel.asked,
        "guess": list(panel.guess) if panel.guess else None,
        "answer": list(panel.answer) if panel.answer else None,
        "said": [list(pair) for pair in panel.said],
        "median": list(panel.median) if panel.median else None,
    }


def _pairs(pairs: Sequence[Pair] | None) -> list[list[float]] | None:
    return None if pairs is None else [list(pair) for pair in pairs]


def _components(components: Sequence[Component] | None) -> list[dict[str, Any]] | None:
    return None if components is None else [component._asdict() for component in components]


def _packed(numbers: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers).tobytes()).decode("ascii")
