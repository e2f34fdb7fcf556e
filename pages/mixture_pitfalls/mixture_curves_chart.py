"""A histogram on a line, and the curves that should follow it."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
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
    x : ndarray of shape (M,)
    curves : mapping of str to ndarray of shape (K, M)
    highest : float, of the upright axis
    """
    parts = [histogram.assign(kind="bar")]
    for name, of_components in curves.items():
        for component, values in enumerate(of_components, start=1):
            rows = {"x": x, "y": values, "name": name, "component": component, "kind": "curve"}
            parts.append(pd.DataFrame(rows))
    data = pd.concat(parts, ignore_index=True)
    across = vl.scale(float(histogram["left"].min()), float(histogram["right"].max()))
    up = vl.scale(0, highest, clamp=True)
    bar = {
        "x": vl.field("left:Q", scale=across, axis={"title": "x", "tickCount": 8}),
        "x2": "right",
        "y": vl.field("density:Q", scale=up, axis={"title": "density", "tickCount": 5}),
        "y2": {"datum": 0},
        "tooltip": ["left:Q .2f", "right:Q .2f", "count:Q", "density:Q .3f"],
    }
    legend = {"orient": "top-left", "title": None, "symbolType": "stroke", "labelLimit": 400}
    inks = [styles[name].colour for name in curves]
    dashes = [_DASHES[styles[name].dash] for name in curves]
    line = {
        "x": vl.field("x:Q", scale=across),
        "y": vl.field("y:Q", scale=up),
        "detail": "component:N",
    } | vl.kinds("name:N", list(curves), {"color": inks, "strokeDash": dashes}, legend=legend)
    look: vl.Spec = {"color": GREY, "opacity": 0.45, "stroke": GREY, "strokeWidth": 0.5}
    spec = vl.layered(
        vl.mark("rect", bar, when="datum.kind == 'bar'", **look),
        vl.mark("line", line, when="datum.kind == 'curve'", strokeWidth=2.5),
        height=height,
    )
    return Drawing(
        spec, data, "A histogram of points on a line, and densities of components as curves."
    )
