"""A map of words in three dimensions, as a Plotly figure."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.shared.charts.palette import GREY, GROUPS

_MARKS = {"chosen": "diamond", "near here": "square", "far here": "cross", "other": "circle"}
_NAMED = 40
"""Words of a space whose names are written, beside the chosen one and its true neighbours."""

_DISTANCE = 1.35  # of the camera, in units of the space's reach

_TURNS, _TILTS = range(-180, 180, 15), (0, 15, 30, 45)
_FRONT = (30, 15)  # from where one looks, unless words are less crowded from elsewhere
_NAME = (0.16, 0.05)  # width and height that a name takes, of the space's longest side


def least_crowded_view(points: np.ndarray) -> tuple[int, int]:
    """Return from where the fewest of the words that are named first stand in each other's names.

    `points`: ndarray of shape (words, 3).

    Returns
    -------
    turn, tilt : int
        As `space_figure` has them; from above nothing is seen of the third dimension, so no view is steep.
    """
    named = points[:_NAMED]
    room = np.array(_NAME) * np.ptp(named, axis=0).max()

    def crowded(view: tuple[int, int]) -> int:
        yaw, pitch = map(math.radians, view)
        across = (math.cos(yaw), math.sin(yaw), 0.0)
        up = (-math.sin(pitch) * math.sin(yaw), math.sin(pitch) * math.cos(yaw), math.cos(pitch))
        seen = named @ np.array([across, up]).T
        apart = np.abs(seen[:, None] - seen[None])
        return int((apart < room).all(axis=2).sum())

    def far(view: tuple[int, int]) -> int:
        return abs(view[0] - _FRONT[0]) + abs(view[1] - _FRONT[1])

    return min(itertools.product(_TURNS, _TILTS), key=lambda view: (crowded(view), far(view)))


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
    frame : DataFrame, a `map_frame` with a column z
    groups : sequence of str, all groups, in the order of their colours
    turn, tilt : int, from where the camera looks, in degrees: round the vertical axis, and above the horizon
    ink : str, colour of the names
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
            colours = [colour_of.get(group, GREY) for group in rows["group"]]
            traces.append(_points(rows, name, role, colours, np.ones(len(rows), bool)))
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
    rows: pd.DataFrame, name: str, role: str, colour: str | list[str], is_named: np.ndarray
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
            line = {"color": GREY, "dash": dash, "width": 3}
            lines.append(
                {"type": "scatter3d", "mode": "lines", **places, "line": line}
                | {"showlegend": False, "hoverinfo": "skip"}
            )
    return lines
