"""Vectors as rows of a heat map: the code of each position, or what attention makes of each word."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import SIGNED, VERMILLION

_PLAIN = {"labelAngle": 0, "ticks": False, "domain": False}


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
    frame: pd.DataFrame,
    *,
    reach: float,
    title: str = "position",
    height: int = 340,
    every: int = 1,
) -> Drawing:
    """Draw a `code_frame`: rows from the top, blue is -reach, white 0, orange +reach.

    Parameters
    ----------
    frame : DataFrame
    reach : float
        Where the colours end.
    title : str
        Of the upright axis.
    every : int
        So many rows lie between two labels.
    """
    rows, columns = int(frame["place"].max()) + 1, int(frame["coordinate"].max()) + 1
    names = tuple(frame.drop_duplicates("place")["name"])
    spec = _map_spec(names[::every], rows, columns, reach, title, height, every)
    data = frame.assign(
        right=frame["coordinate"] + 1,
        below=frame["place"] + 1,
        head=frame["chosen"] & (frame["coordinate"] == 0),
    )
    return Drawing(spec, data, "Heat map: a row for each place, a column for each coordinate.")


@lru_cache(maxsize=64)
def _map_spec(
    names: tuple[str, ...],
    rows: int,
    columns: int,
    reach: float,
    title: str,
    height: int,
    every: int,
) -> dict[str, Any]:
    labels = list(names)
    x = alt.X(
        "coordinate:Q",
        scale=alt.Scale(domain=[0, columns], nice=False),
        axis=alt.Axis(
            title="coordinate",
            grid=False,
            values=[i + 0.5 for i in range(columns)],
            labelExpr="floor(datum.value)",
            labelOverlap="greedy",
            **_PLAIN,
        ),
    )
    y = alt.Y(
        "place:Q",
        scale=alt.Scale(domain=[0, rows], reverse=True, nice=False),
        axis=alt.Axis(
            title=title or None,
            grid=False,
            values=[i * every + 0.5 for i in range(len(labels))],
            labelExpr=f"{labels!r}[floor(datum.value / {every})]",
            labelFont="monospace",
            labelLimit=140,
            labelOverlap=False,
            **_PLAIN,
        ),
    )
    scale = alt.Scale(
        domain=[-reach, -reach / 2, 0, reach / 2, reach], range=list(SIGNED), clamp=True
    )
    legend = alt.Legend(
        orient="bottom", title=None, gradientLength=160, gradientThickness=8, tickCount=3
    )
    base = alt.Chart().encode(x=x, y=y)
    cells = base.mark_rect(strokeWidth=1).encode(
        x2="right:Q",
        y2="below:Q",
        color=alt.Color("value:Q", scale=scale, legend=legend),
        stroke=alt.Stroke("value:Q", scale=scale, legend=None),  # no gaps between rows
        tooltip=["name:N", "coordinate:Q", alt.Tooltip("value:Q", format=".3f")],
    )
    marks = (
        base.transform_filter("datum.head")
        .mark_rect(filled=False, stroke=VERMILLION, strokeWidth=2.5)
        .encode(x2=alt.datum(columns), y2="below:Q")
    )
    return specification(alt.layer(cells, marks).properties(height=height))
