"""Word vectors as pictures: neighbours, all pairs of a few words, analogies, maps flat and in space."""

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, GROUPS, ORANGE, SIGNED, VERMILLION

_INKS = "#ffffff", "#1a1a1a"
"""On a strong and on a pale colour."""

_LETTER, _LINE = 0.0105, 0.042  # of the axes: the room that a label takes on a laptop
_NARROW, _TIMES = 450, 2.4  # pixels: on a phone a letter takes so many times the room
_COLUMNS = f"width < {_NARROW} ? 2 : 8"
_ROOM = 0.06  # around the outermost points
_SHAPES = {"chosen": "diamond", "near here": "square", "far here": "triangle-up", "other": "circle"}
_COLOURS = {"chosen": VERMILLION, "near here": BLUE, "far here": ORANGE, "other": GREY}

Bounds = tuple[tuple[float, float], tuple[float, float]]


def neighbour_frame(
    words: Sequence[str], cosines: Sequence[float], counts: Sequence[int]
) -> pd.DataFrame:
    """Return one row per word: place (from 1), word, cosine, count (how often it occurs)."""
    places = range(1, len(words) + 1)
    columns = (places, words, cosines, counts)
    return pd.DataFrame(dict(zip(("place", "word", "cosine", "count"), columns, strict=True)))


def neighbour_bars(
    frame: pd.DataFrame, colour: str, *, chosen: str = "", height: int = 290
) -> Drawing:
    """Draw a `neighbour_frame`, the nearest above; a bar can be clicked: the selection is ``pick``.

    Parameters
    ----------
    frame : DataFrame
    colour : str
    chosen : str
        A word whose bar is outlined, if it is there.
    """
    data = frame.assign(
        chosen=frame["word"] == chosen,
        text=frame["cosine"].map("{:.3f}".format).str.replace("-", "−"),
    )
    low = -1.0 if (frame["cosine"] < 0).any() else 0.0
    description = "Bars: the cosine of each neighbour, the nearest above."
    return Drawing(_bar_spec(colour, low, height), data, description)


@cache
def _bar_spec(colour: str, low: float, height: int) -> dict[str, Any]:
    y = alt.Y(
        "word:N",
        sort=alt.EncodingSortField("place"),
        axis=alt.Axis(title=None, ticks=False, domain=False, labelLimit=130, labelOverlap=False),
    )
    scale = alt.Scale(domain=[low, 1.0], nice=False)
    x = alt.X("cosine:Q", scale=scale, axis=alt.Axis(title="cosine", tickCount=5, format="~g"))
    tooltip = ["word:N", alt.Tooltip("cosine:Q", format=".4f"), alt.Tooltip("count:Q", format=",")]
    base = alt.Chart().encode(y=y, tooltip=tooltip)
    bars = (
        base.mark_bar(color=colour, height={"band": 0.72}, cursor="pointer")
        .encode(
            x=x,
            stroke=alt.condition("datum.chosen", alt.value(VERMILLION), alt.value(None)),
            strokeWidth=alt.condition("datum.chosen", alt.value(3), alt.value(0)),
        )
        .add_params(alt.selection_point(name="pick", fields=["word"], on="click"))
    )
    numbers = base.mark_text(align="left", dx=5).encode(x=x, text="text:N")
    return specification(alt.layer(bars, numbers).properties(height=height))


def picked_word(selection: Mapping[str, Any]) -> str | None:
    """Return the word that was clicked in a chart of this package, if any."""
    points = selection.get("pick") or []
    return str(points[0]["word"]) if points and "word" in points[0] else None


# All pairs ------------------------------------------------------------------------------------


def similarity_frame(words: Sequence[str], cosines: np.ndarray) -> pd.DataFrame:
    """Return one row per pair: row, column (places from 0), first, second, cosine."""
    row, column = np.indices(cosines.shape)
    names = np.array(words, object)
    return pd.DataFrame(
        {
            "row": row.ravel(),
            "column": column.ravel(),
            "first": names[row.ravel()],
            "second": names[column.ravel()],
            "cosine": cosines.ravel().astype(float),
        }
    )


def similarity_matrix(frame: pd.DataFrame, *, height: int = 400) -> Drawing:
    """Draw a `similarity_frame` as a heat map with its numbers: blue is negative, orange positive."""
    cosines = frame["cosine"]
    data = frame.assign(
        text=(cosines.round(2) + 0.0)
        .map("{:.2f}".format)
        .str.replace("-", "−")
        .str.replace("0.", ".", regex=False),
        ink=np.where(cosines.abs() > 0.75, *_INKS),
    )
    n = int(frame["row"].max()) + 1
    return Drawing(_matrix_spec(n, height), data, "Heat map: the cosine of every pair of words.")


@cache
def _matrix_spec(n: int, height: int) -> dict[str, Any]:
    plain = {"title": None, "ticks": False, "domain": False, "labelLimit": 110}
    x = alt.X(
        "second:N",
        sort=alt.EncodingSortField("column", op="min"),
        axis=alt.Axis(orient="top", labelAngle=-60, labelOverlap=False, **plain),
    )
    y = alt.Y("first:N", sort=alt.EncodingSortField("row", op="min"), axis=alt.Axis(**plain))
    colour = alt.Color(
        "cosine:Q",
        scale=alt.Scale(domain=[-1, -0.5, 0, 0.5, 1], range=list(SIGNED)),
        legend=None,
    )
    base = alt.Chart().encode(
        x=x, y=y, tooltip=["first:N", "second:N", alt.Tooltip("cosine:Q", format=".4f")]
    )
    cells = base.mark_rect(stroke=GREY, strokeWidth=0.4).encode(color=colour)
    size = alt.ExprRef(f"clamp(0.36 * width / {n}, 9, 17)")
    numbers = base.mark_text(fontSize=size).encode(
        text="text:N", color=alt.Color("ink:N", scale=None)
    )
    chart = alt.layer(cells, numbers).resolve_scale(color="independent")
    return specification(chart.properties(height=height))


# Analogies -------------------------------------------------------------------------------------


def analogy_frame(
    words: Sequence[str], points: np.ndarray, arrows: Sequence[tuple[int, int]]
) -> pd.DataFrame:
    """Return one row per word and per arrow: kind ("word" or an arrow's number), word, x, y, to_x, to_y.

    Parameters
    ----------
    words : sequence of str
    points : ndarray of shape (n, 2)
    arrows : sequence of pairs of int
        From which word's place to which.
    """
    rows: list[tuple] = [
        ("word", word, x, y, np.nan, np.nan) for word, (x, y) in zip(words, points, strict=True)
    ]
    for i, (start, end) in enumerate(arrows):
        name = f"{words[start]} → {words[end]}"
        rows.append((f"arrow {i + 1}", name, *points[start], *points[end]))
    return pd.DataFrame(rows, columns=["kind", "word", "x", "y", "to_x", "to_y"])


def analogy_plane(frame: pd.DataFrame, *, height: int = 380) -> Drawing:
    """Draw an `analogy_frame`: the first arrow is the step, the second the same step elsewhere.

    One unit is as long across as up, at most: the narrower side decides.
    """
    words = frame[frame["kind"] == "word"]
    middle = [(words[axis].min() + words[axis].max()) / 2 for axis in ("x", "y")]
    reach = [float(words[axis].max() - words[axis].min()) for axis in ("x", "y")]
    half = 0.5 * max(*reach, 1e-6) * 1.3
    data = frame.assign(
        **{
            column: (frame[column] - centre) / half
            for columns, centre in zip((("x", "to_x"), ("y", "to_y")), middle, strict=True)
            for column in columns
        }
    )
    return Drawing(_analogy_spec(height), data, "Arrows between words in the plane of both steps.")


@cache
def _analogy_spec(height: int) -> dict[str, Any]:
    scale = alt.Scale(domain=[-1, 1], nice=False)
    axis = alt.Axis(title=None, labels=False, ticks=False, grid=False)
    base = alt.Chart().encode(
        x=alt.X("x:Q", scale=scale, axis=axis), y=alt.Y("y:Q", scale=scale, axis=axis)
    )
    is_arrow = "datum.kind != 'word'"
    colour = alt.Color(
        "kind:N",
        legend=None,
        scale=alt.Scale(domain=["arrow 1", "arrow 2", "word"], range=[BLUE, VERMILLION, GREY]),
    )
    shafts = (
        base.transform_filter(is_arrow)
        .mark_rule(strokeWidth=3)
        .encode(
            x2="to_x:Q",
            y2="to_y:Q",
            color=colour,
            strokeDash=alt.condition(
                "datum.kind == 'arrow 2'", alt.value([6, 4]), alt.value([1, 0])
            ),
        )
    )
    turn = "atan2((datum.y - datum.to_y) * height, (datum.to_x - datum.x) * width) * 180 / PI + 90"
    heads = (
        base.transform_filter(is_arrow)
        .mark_point(shape="triangle-up", filled=True, size=230, opacity=1, angle=alt.ExprRef(turn))
        .encode(x=alt.X("to_x:Q", scale=scale), y=alt.Y("to_y:Q", scale=scale), color=colour)
    )
    is_word = base.transform_filter("datum.kind == 'word'")
    dots = is_word.mark_point(filled=True, size=60, color=GREY, opacity=1).encode(
        tooltip=["word:N"]
    )
    names = is_word.mark_text(dy=-16, fontWeight="bold").encode(text="word:N")
    return specification(alt.layer(shafts, heads, dots, names).properties(height=height))


# Maps ------------------------------------------------------------------------------------------


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
) -> Drawing:
    """Draw a `map_frame`; a point can be clicked: the selection is ``pick``.

    Words are written where there is room, the chosen one and its true neighbours first. Lines lead
    from the chosen word to its true neighbours, dashed to those that are far in the picture.

    Parameters
    ----------
    frame : DataFrame
    titles : pair of str
        Of the axes.
    groups : tuple of str
        All groups, in the order of their colours.
    bounds : pair of pairs of float, optional
        The ends of both axes, where several maps share them; by default what the points need.
    """
    (low_x, high_x), (low_y, high_y) = bounds or (_range(frame["x"]), _range(frame["y"]))
    data = frame.assign(
        x=(frame["x"] - low_x) / (high_x - low_x),
        y=(frame["y"] - low_y) / (high_y - low_y),
    )
    labels, on_a_phone = (_labels(data, letter) for letter in (_LETTER, _TIMES * _LETTER))
    is_wide = [bool(label) and not narrow for label, narrow in zip(labels, on_a_phone, strict=True)]
    data = data.assign(label=labels, only_wide=is_wide, from_x=np.nan, from_y=np.nan)
    if (data["role"] == "chosen").any():
        start = data[data["role"] == "chosen"].iloc[0]
        is_end = data["role"].isin(["near here", "far here"])
        data.loc[is_end, "from_x"], data.loc[is_end, "from_y"] = start["x"], start["y"]
    description = "Words as points; lines lead from the chosen word to its true neighbours."
    return Drawing(_titled(_map_spec(groups, height), titles), data, description)


def _range(values: pd.Series) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = _ROOM * (high - low) or 1.0
    return low - room, high + room


def _labels(data: pd.DataFrame, letter: float) -> list[str]:
    """Return each word where there is room for it, letters so wide, the important ones first."""
    words, roles = data["word"].tolist(), data["role"].tolist()
    left, middle = data["x"].to_numpy(), data["y"].to_numpy()
    right = left + letter * (data["word"].str.len().to_numpy() + 2)
    ranks = {"chosen": 0, "near here": 1, "far here": 1, "other": 2}
    labels, taken = [""] * len(words), np.zeros(len(words), bool)
    for i in sorted(range(len(words)), key=lambda i: ranks[roles[i]]):
        beside = (left[taken] <= right[i]) & (left[i] <= right[taken])
        is_free = not (beside & (np.abs(middle[taken] - middle[i]) <= _LINE)).any()
        if is_free or roles[i] == "chosen":
            labels[i], taken[i] = words[i], True
    return labels


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
    opacity = f"datum.only_wide && width < {_NARROW} ? 0 : datum.role == 'other' ? 0.75 : 1"
    names = (
        base.transform_filter("datum.label != ''")
        .mark_text(align="left", dx=7, opacity=alt.ExprRef(opacity))
        .encode(text="label:N")
    )
    layers = alt.layer(_lines(base), _words(base, groups), _marked_words(base), names)
    return specification(layers.resolve_scale(color="independent").properties(height=height))


def _lines(base: alt.Chart) -> alt.Chart:
    """Return the lines to the true neighbours."""
    is_far = "datum.role == 'far here'"
    return (
        base.transform_filter("isValid(datum.from_x)")
        .mark_rule(strokeWidth=1.5, opacity=0.8)
        .encode(
            x2="from_x:Q",
            y2="from_y:Q",
            strokeDash=alt.condition(is_far, alt.value([4, 4]), alt.value([1, 0])),
            color=alt.condition(is_far, alt.value(ORANGE), alt.value(BLUE)),
        )
    )


def _shape() -> alt.Shape:
    scale = alt.Scale(domain=list(_SHAPES), range=list(_SHAPES.values()))
    return alt.Shape("role:N", legend=None, scale=scale)


def _words(base: alt.Chart, groups: tuple[str, ...]) -> alt.Chart:
    """Return a point for each word, in the colour of its group; it can be clicked."""
    scale = alt.Scale(domain=list(groups), range=list(GROUPS[: len(groups)]))
    legend = alt.Legend(orient="top", title=None, columns=alt.ExprRef(_COLUMNS))
    colour = alt.Color(
        "group:N",
        scale=scale if groups else alt.Scale(range=[GREY]),
        legend=legend if len(groups) > 1 else None,
    )
    return (
        base.mark_point(filled=True, size=42, opacity=0.9, cursor="pointer")
        .encode(shape=_shape(), color=colour, tooltip=["word:N", "group:N", "role:N"])
        .add_params(alt.selection_point(name="pick", fields=["word"], on="click"))
    )


def _marked_words(base: alt.Chart) -> alt.Chart:
    """Return a larger mark for the chosen word and for its true neighbours."""
    scale = alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))
    is_chosen = "datum.role == 'chosen'"
    return (
        base.transform_filter("datum.role != 'other'")
        .mark_point(filled=True, opacity=1)
        .encode(
            shape=_shape(),
            size=alt.condition(is_chosen, alt.value(190), alt.value(95)),
            color=alt.Color("role:N", legend=None, scale=scale),
            tooltip=["word:N", "group:N", "role:N"],
        )
    )


# A map in space ------------------------------------------------------------------------------

_MARKS = {"chosen": "diamond", "near here": "square", "far here": "cross", "other": "circle"}
_NAMED = 40
"""Words of a space whose names are written, beside the chosen one and its true neighbours."""

_DISTANCE = 2.1
"""Of the camera, in units of the space's reach."""


def space_figure(
    frame: pd.DataFrame,
    *,
    groups: Sequence[str],
    turn: int,
    tilt: int,
    ink: str,
    text_size: int,
    height: int = 560,
) -> dict[str, Any]:
    """Return a Plotly figure, as plain values, of words in three dimensions.

    Plain values, so that Plotly's figures are imported only when somebody looks into a space.

    Parameters
    ----------
    frame : DataFrame
        A `map_frame` with a column z.
    groups : sequence of str
        All groups, in the order of their colours.
    turn, tilt : int
        From where the camera looks, in degrees: round the vertical axis, and above the horizon.
    ink : str
        Colour of the names.
    text_size : int
    """
    colour_of = dict(zip(groups, GROUPS, strict=False))
    traces = _space_lines(frame)
    others = frame[frame["role"] == "other"]
    for group in [*groups, *sorted(set(others["group"]) - set(groups))]:
        rows = others[others["group"] == group]
        if len(rows):
            traces.append(
                _points(rows, group, "other", colour_of.get(group, GREY), rows.index < _NAMED)
            )
    names = {"near here": "true neighbour, near here", "far here": "true neighbour, far here"}
    for role in ("near here", "far here", "chosen"):
        rows = frame[frame["role"] == role]
        if len(rows):
            name = names.get(role, str(rows["word"].iloc[0]))
            traces.append(_points(rows, name, role, _COLOURS[role], np.ones(len(rows), bool)))
    axis = {"showticklabels": False, "showbackground": False, "zerolinecolor": GREY}
    letters = {"color": ink, "size": text_size}
    layout = {
        "height": height,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "font": letters,
        "legend": {"orientation": "h", "y": 1.0, "yanchor": "bottom", "font": letters},
        "uirevision": f"{turn} {tilt}",  # a view turned by hand stays until another is chosen
        "scene": {
            "aspectmode": "data",
            "camera": {"eye": _eye(turn, tilt)},
            **{f"{name}axis": axis | {"title": {"text": ""}} for name in "xyz"},
        },
    }
    return {"data": traces, "layout": layout}


def _eye(turn: int, tilt: int) -> dict[str, float]:
    yaw, pitch = math.radians(turn), math.radians(tilt)
    return {
        "x": _DISTANCE * math.cos(pitch) * math.sin(yaw),
        "y": -_DISTANCE * math.cos(pitch) * math.cos(yaw),
        "z": _DISTANCE * math.sin(pitch),
    }


def _points(
    rows: pd.DataFrame, name: str, role: str, colour: str, is_named: np.ndarray
) -> dict[str, Any]:
    is_other = role == "other"
    return {
        "type": "scatter3d",
        "mode": "markers+text",
        "name": name,
        **{axis: rows[axis].tolist() for axis in "xyz"},
        "text": [w if named else "" for w, named in zip(rows["word"], is_named, strict=True)],
        "hovertext": rows["word"].tolist(),
        "hoverinfo": "text",
        "textposition": "middle right",
        "marker": {"symbol": _MARKS[role], "size": 4 if is_other else 7, "color": colour},
    }


def _space_lines(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a line from the chosen word to each true neighbour, dashed to the far ones."""
    lines = []
    chosen = frame[frame["role"] == "chosen"]
    for role, dash in (("near here", "solid"), ("far here", "dash")):
        for _, end in frame[frame["role"] == role].iterrows():
            places = {axis: [float(chosen[axis].iloc[0]), float(end[axis])] for axis in "xyz"}
            line = {"color": _COLOURS[role], "dash": dash, "width": 3}
            lines.append(
                {"type": "scatter3d", "mode": "lines", **places, "line": line}
                | {"showlegend": False, "hoverinfo": "skip"}
            )
    return lines
