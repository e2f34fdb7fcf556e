"""A loss of two parameters as a surface in three dimensions, as a Plotly figure."""

from collections.abc import Mapping
from typing import Any

import numpy as np

_HIGHEST = 0.35
"""Share of the losses, from above, that is cut off: walls hide the valley."""


def surface_figure(
    losses: np.ndarray,
    bounds: tuple[float, float, float, float],
    ways: Mapping[str, tuple[str, np.ndarray]],
    *,
    ink: str,
    text_size: int,
    height: int,
) -> dict[str, Any]:
    """Return a Plotly figure, as plain values, of a surface and the ways of descents over it.

    Parameters
    ----------
    losses : ndarray of shape (rows, columns), its top row first
    bounds : (left, right, bottom, top)
    ways : mapping of str to (colour, ndarray of shape (steps, 3)), parameters and loss of each step, by name
    ink : str, colour of the names
    """
    left, right, bottom, top = bounds
    high = float(np.quantile(losses[np.isfinite(losses)], 1.0 - _HIGHEST / 2))
    surface = {
        "type": "surface",
        "x": np.linspace(left, right, losses.shape[1]).round(3).tolist(),
        "y": np.linspace(top, bottom, losses.shape[0]).round(3).tolist(),
        "z": np.minimum(losses, high).round(4).tolist(),
        "colorscale": "Blues",
        "showscale": False,
        "opacity": 0.9,
        "hoverinfo": "skip",
        "contours": {"z": {"show": True, "color": "#ffffff", "width": 1}},
    }
    traces: list[dict[str, Any]] = [surface]
    for name, (colour, way) in ways.items():
        inside = way[
            (way[:, 0] >= left) & (way[:, 0] <= right) & (way[:, 1] >= bottom) & (way[:, 1] <= top)
        ]
        x, y, z = inside.round(4).T.tolist() if len(inside) else ([], [], [])
        traces.append(
            {
                "type": "scatter3d",
                "mode": "lines+markers",
                "name": name,
                "x": x,
                "y": y,
                "z": [min(v, high) + 0.01 * high for v in z],
                "line": {"color": colour, "width": 6},
                "marker": {"color": colour, "size": 3},
            }
        )
    letters = {"color": ink, "size": text_size}
    axis = {"showbackground": False, "color": ink}
    names = {"xaxis": "θ₁", "yaxis": "θ₂", "zaxis": "loss"}
    layout = {
        "height": height,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "font": letters,
        "legend": {"orientation": "h", "y": 1.0, "yanchor": "bottom", "font": letters},
        "uirevision": "loss",  # a view turned by hand stays while the steps go on
        "scene": {
            "camera": {"eye": {"x": -1.7, "y": -1.7, "z": 1.3}},
            **{key: axis | {"title": {"text": name}} for key, name in names.items()},
        },
    }
    return {"data": traces, "layout": layout}
