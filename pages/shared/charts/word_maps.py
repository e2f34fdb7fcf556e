"""Maps of words: points in the plane, with lines from a word to its true neighbours."""

import json
from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import TEXT_SIZE, Drawing
from pages.shared.charts.palette import BLUE, GREY, GROUPS, ORANGE, VERMILLION

_LETTER, _LINE = 0.0085, 0.042  # of the axes: the room that a label takes on a laptop
_NARROW, _TIMES = 450, 2.9  # pixels: on a phone a letter takes so many times the room
_IS_SHOWN = {"wide": f"width >= {_NARROW}", "narrow": f"width < {_NARROW}"}
_LINE_HEIGHT, _LEGEND_ROW, _AROUND_LEGEND = 16, 20, 35  # pixels, of text on a phone
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
    points : ndarray of shape (n, 2)
    groups : sequence of str, what colours the words that have no other role
    chosen : int, index of the word whose neighbours are shown
    near, far : collections of int, its true neighbours that are near in the picture, and those that are not
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
    titles : pair of str, of the axes
    groups : tuple of str, all groups, in the order of their colours
    bounds : pair of pairs of float, optional
        The ends of both axes, where several maps share them; by default what the points need.
    text_growth : float, how many times larger than on a laptop words are written
    """
    columns = {name: frame[name].to_numpy() for name in frame}
    axes = bounds or (_range(columns["x"]), _range(columns["y"]))
    for axis, (low, high) in zip("xy", axes, strict=True):
        columns[axis] = (columns[axis] - low) / (high - low)
    is_start = columns["role"] == "chosen"
    is_end = np.isin(columns["role"], ["near here", "far here"]) & is_start.any()
    for axis in "xy":
        start = columns[axis][is_start.argmax()]
        columns[f"from_{axis}"] = np.where(is_end, start, np.nan)

    def arranged(text_size: int) -> pa.Table:
        """Return the rows with their names apart: text for the back row is larger where a map is narrow as well."""
        wide = text_growth * _LINE
        # A projector's maps are as high as the screen, a phone's leave little beside the legend.
        on_phone = max(wide, _least_line(groups, height)) if text_size == TEXT_SIZE else wide
        by_letter = _TIMES * text_size / TEXT_SIZE * _LETTER
        for size, letter, line in (
            ("wide", text_growth * _LETTER, wide),
            ("narrow", by_letter, on_phone),
        ):
            names = _placed(columns, letter, line)
            columns[f"{size}_x"], columns[f"{size}_y"] = (
                names[:, 0],
                (names[:, 1] + names[:, 3]) / 2,
            )
            ends = _leaders(columns, names, letter, line)
            columns[f"{size}_to_x"], columns[f"{size}_to_y"] = ends.T
        return pa.table({name: pa.array(c, from_pandas=True) for name, c in columns.items()})

    description = "Points with their names; lines lead from a chosen one to its true neighbours."
    spec = _map_spec(titles, groups, height)
    return Drawing(spec, arranged(TEXT_SIZE), description, arranged)


def _least_line(groups: tuple[str, ...], height: int) -> float:
    """Return the height of a line of text on a phone, of the axis that the rows of the legend leave."""
    rows = 1 if len(groups) <= 3 else (len(groups) + 1) // 2
    legend = rows * _LEGEND_ROW + _AROUND_LEGEND if len(groups) > 1 else 0
    return _LINE_HEIGHT / (height - legend)


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
    columns : dict of ndarray, with word, role, x and y in [0, 1]
    letter, line : float, width and height of a letter, in units of the axes
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


def _map_spec(titles: tuple[str, str], groups: tuple[str, ...], height: int) -> vl.Spec:
    square = vl.scale(0, 1)
    plain: vl.Spec = {"labels": False, "ticks": False, "grid": False}
    axes = {
        channel: {"scale": square, "axis": {"title": title or None, **plain}}
        for channel, title in zip("xy", titles, strict=True)
    }
    point = {channel: vl.field(f"{channel}:Q", **axis) for channel, axis in axes.items()}
    sizes = ("wide", "narrow")
    names = [
        {channel: vl.field(f"{size}_{channel}:Q", **axis) for channel, axis in axes.items()}
        for size in sizes
    ]
    return vl.layered(
        _lines(point, groups),
        *(_leader_lines(point, size) for size in sizes),
        _words(point, groups),
        _marked_words(point, groups),
        *(_names(place, size) for place, size in zip(names, sizes, strict=True)),
        height=height,
        resolve={"scale": {"color": "independent"}},
    )


def _names(place: vl.Spec, size: str) -> vl.Spec:
    """Return the words as they are written on a wide or a narrow screen."""
    opacity = f"!({_IS_SHOWN[size]}) ? 0 : datum.role == 'other' ? 0.85 : 1"
    look: vl.Spec = {"align": "left", "baseline": "middle", "opacity": vl.expression(opacity)}
    return vl.mark("text", place, {"text": "word:N"}, when=f"isValid(datum.{size}_x)", **look)


def _leader_lines(point: vl.Spec, size: str) -> vl.Spec:
    """Return the lines that lead to the names on a wide or a narrow screen."""
    to = {"x2": f"{size}_to_x", "y2": f"{size}_to_y"}
    opacity = vl.expression(f"{_IS_SHOWN[size]} ? 0.8 : 0")
    when = f"isValid(datum.{size}_to_x)"
    return vl.mark("rule", point, to, when=when, color=GREY, strokeWidth=0.8, opacity=opacity)


def _lines(point: vl.Spec, groups: tuple[str, ...]) -> vl.Spec:
    """Return the lines to the true neighbours; without a colour of their own where colours are groups."""
    is_far = "datum.role == 'far here'"
    far, near = (GREY, GREY) if len(groups) > 1 else (ORANGE, BLUE)
    line = {
        "x2": "from_x",
        "y2": "from_y",
        "strokeDash": vl.either(is_far, [4, 4], [1, 0]),
        "color": vl.either(is_far, far, near),
    }
    return vl.mark("rule", point, line, when="isValid(datum.from_x)", strokeWidth=1.5, opacity=0.8)


_ROLE = {
    "shape": vl.colours("role:N", tuple(_SHAPES.values()), tuple(_SHAPES)),
    "tooltip": ["word:N", "group:N", "role:N"],
}


def _group_scale(groups: tuple[str, ...]) -> vl.Spec:
    return {"domain": list(groups), "range": list(GROUPS[: len(groups)])}


def _words(point: vl.Spec, groups: tuple[str, ...]) -> vl.Spec:
    """Return a point for each word, in the colour of its group; it can be clicked."""
    # Three groups have room in one row; a second row would be left out of the picture's height.
    columns = vl.expression(_COLUMNS) if groups[3:] else 3
    legend = {"orient": "top", "title": None, "columns": columns}
    colour = vl.field(
        "group:N",
        scale=_group_scale(groups) if groups else {"range": [GREY]},
        legend=legend if len(groups) > 1 else None,
    )
    look: vl.Spec = {"filled": True, "size": 42, "opacity": 0.9, "cursor": "pointer"}
    return vl.clickable(vl.mark("point", point, _ROLE, {"color": colour}, **look), "pick", "word")


def _marked_words(point: vl.Spec, groups: tuple[str, ...]) -> vl.Spec:
    """Return a larger mark for the chosen word and for its true neighbours, in the colour of its group if it has one."""
    has_none = f"indexof({json.dumps(groups)}, datum.group) < 0"
    of_group = vl.field("group:N", legend=None, scale=_group_scale(groups))
    of_role = vl.colours("role:N", tuple(_ROLE_COLOURS.values()), tuple(_ROLE_COLOURS))
    look: vl.Spec = {
        "size": vl.either("datum.role == 'chosen'", 190, 95),
        "color": of_role if len(groups) < 2 else vl.either(has_none, GREY, of_group),
    }
    return vl.mark(
        "point", point, _ROLE, look, when="datum.role != 'other'", filled=True, opacity=1
    )
