"""Vectors as rows of a heat map: the code of each position, or what attention makes of each word."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import SIGNED, VERMILLION


def code_frame(
    codes: np.ndarray, names: Sequence[str] | None = None, chosen: Sequence[int] = ()
) -> pd.DataFrame:
    """Return one row per number: place (from 0), name, coordinate (from 0), value, chosen.

    Parameters
    ----------
    codes : ndarray of shape (n, d)
    names : sequence of n str, optional
        Of the rows, all different; by default their numbers.
    chosen : sequence of int
        Rows to mark.
    """
    place, coordinate = np.indices(codes.shape)
    labels = np.asarray(names if names is not None else [str(i) for i in range(len(codes))])
    return pd.DataFrame(
        {
            "place": place.ravel(),
            "name": labels[place.ravel()],
            "coordinate": coordinate.ravel(),
            "value": codes.ravel().astype(float),
            "chosen": np.isin(place.ravel(), list(chosen)),
        }
    )


def code_map(
    frame: pd.DataFrame, *, reach: float, title: str = "position", height: int = 340
) -> Drawing:
    """Draw a `code_frame`: rows from the top, blue is -reach, white 0, orange +reach.

    Parameters
    ----------
    frame : DataFrame
    reach : float
        Where the colours end.
    title : str
        Of the upright axis.
    """
    data = frame.assign(head=frame["chosen"] & (frame["coordinate"] == 0))
    description = "Heat map: a row for each place, a column for each coordinate."
    return Drawing(_map_spec(reach, title, height), data, description)


@lru_cache(maxsize=64)
def _map_spec(reach: float, title: str, height: int) -> dict[str, Any]:
    plain = {
        "labelAngle": 0,
        "labelFlush": False,
        "labelOverlap": "parity",
        "ticks": False,
        "domain": False,
    }
    x = alt.X("coordinate:O", axis=alt.Axis(title="coordinate", **plain))
    y = alt.Y(
        "name:N",
        sort=alt.EncodingSortField("place", op="min"),
        axis=alt.Axis(title=title or None, labelFont="monospace", labelLimit=140, **plain),
    )
    scale = alt.Scale(
        domain=[-reach, -reach / 2, 0, reach / 2, reach], range=list(SIGNED), clamp=True
    )
    legend = alt.Legend(
        orient="bottom", title=None, gradientLength=160, gradientThickness=8, tickCount=3
    )
    cells = (
        alt.Chart()
        .mark_rect(strokeWidth=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("value:Q", scale=scale, legend=legend),
            stroke=alt.Stroke("value:Q", scale=scale, legend=None),  # no gaps between rows
            tooltip=["name:N", "coordinate:O", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    marks = (
        alt.Chart()
        .transform_filter("datum.head")
        .mark_rect(filled=False, stroke=VERMILLION, strokeWidth=2.5)
        .encode(x=alt.value(0), x2=alt.value("width"), y=y)
    )
    return specification(alt.layer(cells, marks).properties(height=height))
