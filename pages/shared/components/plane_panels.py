"""Parts of the plane side by side, with pictures, lines and points; to be painted on, or with a start to be dragged."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import streamlit as st

from pages.shared.server.component import component
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import is_presenting

_PANELS = component("plane_panels", "pictures", "touch_editing")

_CHANGED = "plane_panels_changed"
Pair = tuple[float, float]
Bounds = tuple[float, float, float, float]
Painted = tuple[float, float, int]  # a point and its class, 0 or 1


class Line(NamedTuple):
    """A line through several places."""

    points: Sequence[Pair]
    colour: str | None = None  # dark grey by default: pictures are pale in every theme
    width: float = 2.5  # in pixels
    is_dashed: bool = False
    name: str = ""  # written at its last place
    # a direction: an arrow leads from the line's middle to that side of it
    towards: Pair | None = None
    opacity: float = 1.0


class PlaneMark(NamedTuple):
    """A point."""

    place: Pair
    kind: int  # 0 is a blue circle, 1 an orange triangle, 2 a diamond
    colour: str | None = None
    name: str = ""  # written beside it
    # is_ringed and is_wrong: whether it has a ring around it, or is crossed out
    is_ringed: bool = False
    is_wrong: bool = False
    radius: float = 7.0  # in pixels


_USUAL = PlaneMark._field_defaults  # what `plane_panels.js` takes for granted of a mark


class Plane(NamedTuple):
    """A part of the plane."""

    title: str  # above it, the title in bold
    note: str  # above it, the title in bold
    bounds: Bounds  # (left, right, bottom, top)
    alt: str  # what it shows, for who cannot see it
    image: str | None = None  # the address of a picture that fills it
    lines: Sequence[Line] = ()
    marks: Sequence[PlaneMark] = ()
    names: tuple[str, ...] = ()  # of the directions
    is_asked: bool = False  # whether it waits for a guess: a question mark is drawn over it


class Painting(NamedTuple):
    """A plane on which points are painted."""

    panel: int  # which of the planes
    points: Sequence[Painted]  # those that are there; the plane does not have them among its marks
    most: int  # points that it takes
    # called with all points after each stroke, before the page runs
    on_paint: Callable[[list[Painted]], None]


class Dragging(NamedTuple):
    """A place that is dragged."""

    panel: int  # in which of the planes
    place: Pair
    on_drop: Callable[[Pair], None]  # called once when it is let go, before the page runs


def plane_panels(
    planes: Sequence[Plane],
    *,
    key: str,
    name: str,
    columns: int,
    height: int,
    hint: str = "",
    painting: Painting | None = None,
    dragging: Dragging | None = None,
) -> None:
    """Draw planes in rows of so many columns.

    Parameters
    ----------
    name : str, of the exported files, without ending
    height : int, of all rows together, in pixels; in the presenter view they are as high as their place
    hint : str, stands under the planes
    """

    def painted() -> None:
        sent = st.session_state[key].painted
        if painting is not None and sent is not None:
            bounds = planes[painting.panel].bounds
            painting.on_paint(checked_points(sent["points"], bounds, painting.most))
            note_change()

    def dropped() -> None:
        sent = st.session_state[key].dropped
        if dragging is not None and sent is not None:
            dragging.on_drop(checked_place(sent["place"], planes[dragging.panel].bounds))
            note_change()

    data = {
        "panels": [_sent(plane, i, planes) for i, plane in enumerate(planes)],
        "columns": columns,
        "height": height,
        "hint": hint,
        "name": name,
        "painted": painting.panel if painting else None,
        "points": [list(point) for point in painting.points] if painting else [],
        "most": painting.most if painting else 0,
        "dragged": ({"panel": dragging.panel, "place": list(dragging.place)} if dragging else None),
        "fills": is_presenting(),
        "text_size": chart_style().text_size,
    }
    _PANELS(key=key, data=data, on_painted_change=painted, on_dropped_change=dropped)


def note_change() -> None:
    """Remember that something was painted or dropped, for `follow_hand`."""
    st.session_state[_CHANGED] = True


def follow_hand() -> None:
    """Run the whole page again if something was painted or dropped since its last run.

    Pictures that a playback bar draws are in its fragment, and only that runs by itself: call this
    first in what it draws.
    """
    if st.session_state.pop(_CHANGED, False):
        st.rerun()


def checked_points(sent: Sequence[Any], bounds: Bounds, most: int) -> list[Painted]:
    """Return what a browser sent as painted points: at most so many, within the bounds.

    Raises ValueError if something else was sent.
    """
    points = []
    for x, y, class_ in list(sent)[:most]:
        if class_ not in (0, 1):
            raise ValueError(f"no class: {class_!r}")
        points.append((*checked_place((x, y), bounds), int(class_)))
    return points


def checked_place(sent: Sequence[Any], bounds: Bounds) -> Pair:
    """Return what a browser sent as a place, moved into the bounds.

    Raises ValueError if it is no pair of finite numbers.
    """
    x, y = map(float, sent)
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError(f"no place: ({x}, {y})")
    left, right, bottom, top = bounds
    return min(max(x, left), right), min(max(y, bottom), top)


def _sent(plane: Plane, i: int, planes: Sequence[Plane]) -> dict[str, Any]:
    first = next(j for j in range(i + 1) if planes[j].marks == plane.marks)
    return {
        **plane._asdict(),
        "lines": [
            {
                "points": [[round(v, 4) for v in pair] for pair in line.points],
                "colour": line.colour,
                "width": line.width,
                "dash": line.is_dashed,
                "name": line.name,
                "towards": line.towards,
                "opacity": line.opacity,
            }
            for line in plane.lines
        ],
        "marks": first if first < i and plane.marks else [_sent_mark(m) for m in plane.marks],
    }


def _sent_mark(mark: PlaneMark) -> dict[str, Any]:
    """Return what a mark is told apart by: a panel has a hundred that are nearly alike."""
    said = {name: value for name, value in mark._asdict().items() if value != _USUAL.get(name)}
    return said | {"place": [round(v, 4) for v in mark.place]}
