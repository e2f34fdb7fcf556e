"""Codes of positions as a heat map, a row for each position."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import (
    SIGNED,
)

PLAIN_AXIS: vl.Spec = {"labelFlush": False, "labelOverlap": "parity", **vl.UPRIGHT}


def code_frame(
    codes: np.ndarray, names: Sequence[str] | None = None, chosen: Sequence[int] = ()
) -> pd.DataFrame:
    """Return one row per number: position (from 0), name, coordinate (from 0), value, chosen.

    Parameters
    ----------
    codes : ndarray of shape (n, d)
    names : sequence of n str, of the rows, all different; by default their numbers
    chosen : sequence of int, rows to mark
    """
    position, coordinate = (index.ravel() for index in np.indices(codes.shape))
    labels = np.asarray(names if names is not None else [str(i) for i in range(len(codes))])
    return pd.DataFrame(
        {
            "position": position,
            "name": labels[position],
            "coordinate": coordinate,
            "value": codes.ravel().astype(float),
            "chosen": np.isin(position, list(chosen)),
        }
    )


def code_map(
    frame: pd.DataFrame,
    *,
    reach: float,
    title: str = "position",
    hidden: Sequence[int] = (),
    height: int = 340,
) -> Drawing:
    """Draw a `code_frame`: rows from the top, blue is -reach, white 0, orange +reach.

    Parameters
    ----------
    reach : float, where the colours end
    title : str, of the upright axis
    hidden : sequence of int, rows with a question mark in place of their numbers
    """
    first = frame["coordinate"] == 0
    is_hidden = frame["position"].isin(list(hidden))
    data = frame.assign(
        value=frame["value"].mask(is_hidden), head=frame["chosen"] & first, asked=is_hidden & first
    )
    description = "Heat map: a row for each position, a column for each coordinate."
    return Drawing(_map_spec(title, reach, height), data, description)


def _map_spec(title: str, reach: float, height: int) -> vl.Spec:
    axis = {"title": title or None, "labelFont": "monospace", "labelLimit": 140, **PLAIN_AXIS}
    row = {"y": vl.field("name:N", sort=vl.by("position"), axis=axis)}
    column = {"x": vl.field("coordinate:O", axis={"title": "coordinate", **PLAIN_AXIS})}
    ends = [reach * place for place in vl.AROUND_ZERO]
    shades = {"domain": ends, "range": list(SIGNED), "clamp": True}
    legend = vl.GRADIENT | {"tickCount": 3}
    cell = {
        "color": vl.field("value:Q", scale=shades, legend=legend),
        "stroke": vl.field("value:Q", scale=shades, legend=None),  # no gaps between rows
        "tooltip": ["name:N", "coordinate:O", "value:Q .3f"],
    }
    whole = {"x": vl.value(0), "x2": vl.value("width")}
    middle = {"x": vl.value(vl.expression("width / 2"))}
    return vl.layered(
        vl.mark("rect", column, row, cell, when="isValid(datum.value)", strokeWidth=1),
        vl.outlined(row, whole, when="datum.head"),
        vl.mark("text", row, middle, when="datum.asked", text="?", fontSize=20),
        height=height,
    )
