"""Maps of words: points in the plane, with lines from a word to its true neighbours."""

import json
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, GROUPS, ORANGE, VERMILLION

_LETTER, _LINE = 0.0085, 0.042  # of the axes: the room that a label takes on a laptop
_NARROW, _TIMES = 450, 2.4  # pixels: on a phone a letter takes so many times the room
_IS_SHOWN = {"wide": f"width >= {_NARROW}", "narrow": f"width < {_NARROW}"}
_BESIDE = 1.5  # letters, or lines, from a point to its own name, at most
_IMPORTANCE = {"chosen": 0, "near here": 1, "far here": 1, "other": 2}
_COLUMNS = f"width < {_NARROW} ? 2 : 8"
_ROOM = 0.06  # around the outermost points
_SHAPES = {"chosen": "diamond", "near here": "square", "far here": "triangle-up", "other": "circle"}
_ROLE_COLOURS = {"chosen": VERMILLION, "near here": BLUE, "far here": ORANGE, "other": GREY}

Bounds = tuple[tuple[float, float], tuple[float, float]]


def map_frame(
    words: Sequence[str],
    points: np.ndarray,
    groups: Sequence[str],
    *,
    chosen: int | None = None,
    near: Collection[int] = (),
    far: Collection[int] = (),
) -> pd.DataFrame:
    """Return one row per word: word, x, y, group, role.

    Parameters
    ----------
    words : sequence of str
    points : ndarray of shape (n, 2)
    groups : sequence of str
        What colours the words that have no other role.
    chosen : int, optional
        Index of the word whose neighbours are shown.
    near, far : collections of int
        Its true neighbours that are near in the picture, and those that are not.
    """
    role = ["other"] * len(words)
    for name, places in (("near here", near), ("far here", far)):
        for place in places:
            role[place] = name
    if chosen is not None:
        role[chosen] = "chosen"
    return pd.DataFrame(
        {"word": list(words), "x": points[:, 0], "y": points[:, 1], "group": groups, "role": role}
    )


def word_map(
    frame: pd.DataFrame,
    *,
    titles: tuple[str, str] = ("", ""),
    groups: tuple[str, ...] = (),
    bounds: Bounds | None = None,
    height: int = 470,
    text_growth: float = 1.0,
) -> Drawing:
    """Draw a `map_frame`; a point can be clicked: the selection is ``pick``.

    Words are written where there is room, the chosen one and its true neighbours first; a thin grey line
    leads to a name from its point where it could be taken for another's. Lines lead from the chosen word
    to its true neighbours, dashed to those that are far in the picture.

    Parameters
    ----------
    frame : DataFrame
    titles : pair of str
        Of the axes.
    groups : tuple of str
        All groups, in the order of their colours.
    bounds : pair of pairs of float, optional
        The ends of both axes, where several maps share them; by default what the points need.
    text_growth : float
        How many times larger than on a laptop words are written.
    """
    columns = {name: frame[name].to_numpy() for name in frame}
    axes = bounds or (_range(columns["x"]), _range(columns["y"]))
    for axis, (low, high) in zip("xy", axes, strict=True):
        columns[axis] = (columns[axis] - low) / (high - low)
    for size, grown in (("wide", text_growth), ("narrow", _TIMES)):
        letter, line = grown * _LETTER, text_growth * _LINE
        names = _placed(columns, letter, line)
        columns[f"{size}_x"], columns[f"{size}_y"] = names[:, 0], (names[:, 1] + names[:, 3]) / 2
        ends = _leaders(columns, names, letter, line)
        columns[f"{size}_to_x"], columns[f"{size}_to_y"] = ends.T
    is_start = columns["role"] == "chosen"
    is_end = np.isin(columns["role"], ["near here", "far here"]) & is_start.any()
    for axis in "xy":
        start = columns[axis][is_start.argmax()]
        columns[f"from_{axis}"] = np.where(is_end, start, np.nan)
    table = pa.table({name: pa.array(c, from_pandas=True) for name, c in columns.items()})
    description = "Words as points; lines lead from the chosen word to its true neighbours."
    return Drawing(_titled(_map_spec(groups, height), titles), table, description)


def _range(values: np.ndarray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = _ROOM * (high - low) or 1.0
    return low - room, high + room


def _placed(columns: dict[str, np.ndarray], letter: float, line: float) -> np.ndarray:
    """Return the box in which each word is written: left, bottom, right, top; NaN without room.

    The important words come first. Each takes the first place around its point that is free of
    other names, and if possible of other points.

    Parameters
    ----------
    columns : dict of ndarray
        With word, role, x and y in [0, 1].
    letter, line : float
        Width and height of a letter, in units of the axes.
    """
    points = np.column_stack([columns["x"], columns["y"]])
    ranks = np.array([_IMPORTANCE[role] for role in columns["role"]])
    reach = np.array([letter, line / 4])
    dots = np.column_stack([points - reach, points + reach])
    taken = np.full((len(points), 4), np.nan)  # left, bottom, right, top of each name
    for i in np.argsort(ranks, kind="stable"):
        boxes = _boxes(points[i], letter * (len(columns["word"][i]) + 1), letter, line)
        is_inside = (boxes[:, :2] >= 0).all(1) & (boxes[:, 2:] <= 1).all(1)
        is_free = is_inside & ~_overlap(boxes, taken).any(1)
        is_clear = is_free & ~_overlap(boxes, dots).any(1)
        for fits in (is_clear, is_free):
            if fits.any():
                taken[i] = boxes[fits.argmax()]
                break
        else:
            if ranks[i] == 0:
                taken[i] = boxes[0]
    return taken


def _leaders(
    columns: dict[str, np.ndarray], names: np.ndarray, letter: float, line: float
) -> np.ndarray:
    """Return where the line from each point to its name ends, (n, 2); NaN where none is needed.

    None is where the name is beside its point and no other point is as near to it.
    """
    points = np.column_stack([columns["x"], columns["y"]])
    room = np.array([letter, line])
    # In letters and lines, from each name (down) to each point (across).
    nearest = points[None].clip(names[:, None, :2], names[:, None, 2:])
    apart = np.hypot(*np.moveaxis((points[None] - nearest) / room, -1, 0))
    own = apart.diagonal().copy()
    np.fill_diagonal(apart, np.inf)
    is_clear = (own < _BESIDE) & (own < apart.min(1, initial=np.inf))
    ends = np.diagonal(nearest).T.copy()
    ends[is_clear] = np.nan
    return ends


def _boxes(point: np.ndarray, width: float, letter: float, line: float) -> np.ndarray:
    """Return the places where a word can be written, the best first: left, bottom, right, top."""
    beside, across = 1.3 * letter, -width / 2
    rows = [(beside, 0.0), (-beside - width, 0.0), (across, 1.0), (across, -1.0)]
    for up in (1.0, -1.0, 2.0, -2.0, 3.0, -3.0):
        rows += [(beside / 2, up), (-beside / 2 - width, up)]
    for far in (3.0, 6.0):
        rows += [(far * beside, up) for up in (0.0, 1.5, -1.5)]
        rows += [(-far * beside - width, up) for up in (0.0, 1.5, -1.5)]
    starts = point + np.array([(x, line * (0.85 * up - 0.5)) for x, up in rows])
    return np.hstack([starts, starts + np.array([width, line])])


def _overlap(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return which of some boxes lie over which others: (n, m) of bool."""
    left, bottom, right, top = boxes.T[:, :, None]
    other_left, other_bottom, other_right, other_top = others.T
    return (left < other_right) & (other_left < right) & (bottom < other_top) & (other_bottom < top)


def _titled(spec: dict[str, Any], titles: tuple[str, str]) -> dict[str, Any]:
    """Return a map's specification with the axes' titles, which change more often than the rest."""
    layers = []
    for layer in spec["layer"]:
        encoding = dict(layer["encoding"])
        for channel, title in zip("xy", titles, strict=True):
            axis = encoding[channel]["axis"] | {"title": title or None}
            encoding[channel] = encoding[channel] | {"axis": axis}
        layers.append(layer | {"encoding": encoding})
    return spec | {"layer": layers}


@cache
def _map_spec(groups: tuple[str, ...], height: int) -> dict[str, Any]:
    scale = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(title=None, labels=False, ticks=False, grid=False)
    base = alt.Chart().encode(
        x=alt.X("x:Q", scale=scale, axis=axis), y=alt.Y("y:Q", scale=scale, axis=axis)
    )
    sizes = ("wide", "narrow")
    leaders = [_leader_lines(base, size) for size in sizes]
    names = [_names(scale, axis, size) for size in sizes]
    layers = alt.layer(
        _lines(base, groups), *leaders, _words(base, groups), _marked_words(base, groups), *names
    )
    return specification(layers.resolve_scale(color="independent").properties(height=height))


def _names(scale: alt.Scale, axis: alt.Axis, size: str) -> alt.Chart:
    """Return the words as they are written on a wide or a narrow screen."""
    opacity = f"!({_IS_SHOWN[size]}) ? 0 : datum.role == 'other' ? 0.85 : 1"
    return (
        alt.Chart()
        .transform_filter(f"isValid(datum.{size}_x)")
        .mark_text(align="left", baseline="middle", opacity=alt.ExprRef(opacity))
        .encode(
            x=alt.X(f"{size}_x:Q", scale=scale, axis=axis),
            y=alt.Y(f"{size}_y:Q", scale=scale, axis=axis),
            text="word:N",
        )
    )


def _leader_lines(base: alt.Chart, size: str) -> alt.Chart:
    """Return the lines that lead to the names on a wide or a narrow screen."""
    return (
        base.transform_filter(f"isValid(datum.{size}_to_x)")
        .mark_rule(color=GREY, strokeWidth=0.8, opacity=alt.ExprRef(f"{_IS_SHOWN[size]} ? 0.8 : 0"))
        .encode(x2=f"{size}_to_x:Q", y2=f"{size}_to_y:Q")
    )


def _lines(base: alt.Chart, groups: tuple[str, ...]) -> alt.Chart:
    """Return the lines to the true neighbours; without a colour of their own where colours are groups."""
    is_far = "datum.role == 'far here'"
    far, near = (GREY, GREY) if len(groups) > 1 else (ORANGE, BLUE)
    return (
        base.transform_filter("isValid(datum.from_x)")
        .mark_rule(strokeWidth=1.5, opacity=0.8)
        .encode(
            x2="from_x:Q",
            y2="from_y:Q",
            strokeDash=alt.condition(is_far, alt.value([4, 4]), alt.value([1, 0])),
            color=alt.condition(is_far, alt.value(far), alt.value(near)),
        )
    )


def _shape() -> alt.Shape:
    scale = alt.Scale(domain=list(_SHAPES), range=list(_SHAPES.values()))
    return alt.Shape("role:N", legend=None, scale=scale)


def _group_scale(groups: tuple[str, ...]) -> alt.Scale:
    return alt.Scale(domain=list(groups), range=list(GROUPS[: len(groups)]))


def _words(base: alt.Chart, groups: tuple[str, ...]) -> alt.Chart:
    """Return a point for each word, in the colour of its group; it can be clicked."""
    legend = alt.Legend(orient="top", title=None, columns=alt.ExprRef(_COLUMNS))
    colour = alt.Color(
        "group:N",
        scale=_group_scale(groups) if groups else alt.Scale(range=[GREY]),
        legend=legend if len(groups) > 1 else None,
    )
    return (
        base.mark_point(filled=True, size=42, opacity=0.9, cursor="pointer")
        .encode(shape=_shape(), color=colour, tooltip=["word:N", "group:N", "role:N"])
        .add_params(alt.selection_point(name="pick", fields=["word"], on="click"))
    )


def _marked_words(base: alt.Chart, groups: tuple[str, ...]) -> alt.Chart:
    """Return a larger mark for the chosen word and for its true neighbours, in the colour of its group if it has one."""
    has_none = f"indexof({json.dumps(groups)}, datum.group) < 0"
    colour: Any = alt.condition(
        has_none, alt.value(GREY), alt.Color("group:N", legend=None, scale=_group_scale(groups))
    )
    if len(groups) < 2:
        scale = alt.Scale(domain=list(_ROLE_COLOURS), range=list(_ROLE_COLOURS.values()))
        colour = alt.Color("role:N", legend=None, scale=scale)
    is_chosen = "datum.role == 'chosen'"
    return (
        base.transform_filter("datum.role != 'other'")
        .mark_point(filled=True, opacity=1)
        .encode(
            shape=_shape(),
            size=alt.condition(is_chosen, alt.value(190), alt.value(95)),
            color=colour,
            tooltip=["word:N", "group:N", "role:N"],
        )
    )
