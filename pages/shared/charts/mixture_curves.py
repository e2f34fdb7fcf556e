"""A histogram on a line, and the curves that should follow it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.lines import LineStyle
from pages.shared.charts.palette import GREY

_DASHES = ([1, 0], [6, 3], [2, 2])


def histogram_frame(values: np.ndarray, bins: int, reach: tuple[float, float]) -> pd.DataFrame:
    """Return a histogram that covers an area of 1: left, right, density, count."""
    counts, edges = np.histogram(values, bins=bins, range=reach)
    width = edges[1] - edges[0]
    return pd.DataFrame(
        {
            "left": edges[:-1],
            "right": edges[1:],
            "density": counts / (len(values) * width),
            "count": counts,
        }
    )


def mixture_curves(
    histogram: pd.DataFrame,
    x: np.ndarray,
    curves: Mapping[str, np.ndarray],
    styles: Mapping[str, LineStyle],
    *,
    highest: float,
    height: int = 320,
) -> Drawing:
    """Draw densities over a `histogram_frame`; each name has one curve for each component.

    Parameters
    ----------
    histogram : DataFrame
    x : ndarray of shape (M,)
    curves : mapping of str to ndarray of shape (K, M)
    looks : mapping of str to LineStyle
    highest : float
        Of the upright axis.
    """
    parts = [histogram.assign(kind="bar")]
    for name, of_components in curves.items():
        for component, values in enumerate(of_components, start=1):
            rows = {"x": x, "y": values, "name": name, "component": component, "kind": "curve"}
            parts.append(pd.DataFrame(rows))
    data = pd.concat(parts, ignore_index=True)
    shown = tuple((name, *styles[name]) for name in curves)
    low, high = float(histogram["left"].min()), float(histogram["right"].max())
    description = "A histogram of points on a line, and densities of components as curves."
    spec = filled(_density_spec(shown, height), low=low, high=high, highest=highest)
    return Drawing(spec, data, description)


@lru_cache(maxsize=16)
def _density_spec(
    styles: tuple[tuple[str, str, int], ...],
    height: int,
) -> dict[str, Any]:
    across = alt.Scale(domain=["$low", "$high"], nice=False)
    up = alt.Scale(domain=[0, "$highest"], nice=False, clamp=True)
    names = [name for name, _, _ in styles]
    legend = alt.Legend(orient="top-left", title=None, symbolType="stroke", labelLimit=400)
    colour = alt.Color(
        "name:N",
        scale=alt.Scale(domain=names, range=[colour for _, colour, _ in styles]),
        legend=legend,
    )
    dash = alt.StrokeDash(
        "name:N",
        scale=alt.Scale(domain=names, range=[_DASHES[dash] for _, _, dash in styles]),
        legend=legend,
    )
    y_axis = alt.Axis(title="density", tickCount=5)
    bars = (
        alt.Chart()
        .transform_filter("datum.kind == 'bar'")
        .mark_rect(color=GREY, opacity=0.45, stroke=GREY, strokeWidth=0.5)
        .encode(
            x=alt.X("left:Q", scale=across, axis=alt.Axis(title="x", tickCount=8)),
            x2="right:Q",
            y=alt.Y("density:Q", scale=up, axis=y_axis),
            y2=alt.datum(0),
            tooltip=[
                alt.Tooltip("left:Q", format=".2f"),
                alt.Tooltip("right:Q", format=".2f"),
                "count:Q",
                alt.Tooltip("density:Q", format=".3f"),
            ],
        )
    )
    lines = (
        alt.Chart()
        .transform_filter("datum.kind == 'curve'")
        .mark_line(strokeWidth=2.5)
        .encode(
            x=alt.X("x:Q", scale=across),
            y=alt.Y("y:Q", scale=up),
            color=colour,
            strokeDash=dash,
            detail="component:N",
        )
    )
    return specification(alt.layer(bars, lines).properties(height=height))
