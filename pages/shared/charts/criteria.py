"""One criterion against the number of clusters: the best marked, the chosen marked."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, VERMILLION

_LINE, _REFERENCE = "line", "reference"


def criterion_frame(
    values: Sequence[float], best: int | None, reference: Sequence[float] | None = None
) -> pd.DataFrame:
    """Return a criterion by number of clusters: clusters, kind, value, best.

    Parameters
    ----------
    values : sequence of float
        For K = 1, 2, ...; those that are no numbers are left out.
    best : int or None
        The K that the criterion picks, if it picks one.
    reference : sequence of float, optional
        What would be expected without groups.
    """
    rows = [
        (clusters, kind, value, kind == _LINE and clusters == best)
        for kind, of_kind in ((_LINE, values), (_REFERENCE, reference or ()))
        for clusters, value in enumerate(of_kind, start=1)
        if math.isfinite(value)
    ]
    return pd.DataFrame(rows, columns=["clusters", "kind", "value", "best"])


def criterion_chart(
    frame: pd.DataFrame, *, title: str, now: int, reference: str = "", height: int = 190
) -> Drawing:
    """Draw a `criterion_frame`: a diamond is its pick, a dashed line the K on screen.

    Parameters
    ----------
    frame : DataFrame
    title : str
        Of the upright axis.
    now : int
        The K on screen.
    reference : str
        What the grey line is called.
    """
    is_last = frame["clusters"] == frame["clusters"].max()
    data = frame.assign(
        now=frame["clusters"] == now,
        label=np.select(
            [frame["best"], is_last & (frame["kind"] == _REFERENCE)], ["best", reference], ""
        ),
    )
    return Drawing(_spec(title, height), data, f"Line: {title} by number of clusters.")


@cache
def _spec(title: str, height: int) -> dict[str, Any]:
    x = alt.X(
        "clusters:Q",
        axis=alt.Axis(title="clusters K", tickMinStep=1, format="d"),
        scale=alt.Scale(zero=False, nice=False, padding=12),
    )
    y = alt.Y(
        "value:Q",
        axis=alt.Axis(title=title, tickCount=4, format=",~f"),
        scale=alt.Scale(zero=False),
    )
    tooltip = ["clusters:Q", alt.Tooltip("value:Q", title=title, format=",.5~g")]
    base = alt.Chart().encode(x=x)
    line = base.transform_filter(f"datum.kind == '{_LINE}'")
    reference = base.transform_filter(f"datum.kind == '{_REFERENCE}'")
    labels = base.transform_filter("datum.label != ''")
    layers = (
        line.transform_filter("datum.now")
        .mark_rule(color=GREY, strokeDash=[3, 3], strokeWidth=1.5)
        .encode(x="clusters:Q"),
        reference.mark_line(color=GREY, strokeWidth=1).encode(y=y),
        line.mark_line(color=BLUE, strokeWidth=2).encode(y=y),
        line.mark_point(color=BLUE, filled=True, size=45, opacity=1).encode(y=y, tooltip=tooltip),
        line.transform_filter("datum.best")
        .mark_point(color=VERMILLION, filled=True, size=170, opacity=1, shape="diamond")
        .encode(y=y, tooltip=tooltip),
        labels.transform_filter("datum.best").mark_text(dy=-14).encode(y=y, text="label:N"),
        labels.transform_filter("!datum.best")
        .mark_text(align="right", dy=-9)
        .encode(y=y, text="label:N"),
    )
    return specification(alt.layer(*layers).properties(height=height))
