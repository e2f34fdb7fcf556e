"""How many parameters a layer of attention holds, against the number of its heads."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY, PURPLE, VERMILLION


def head_frame(counts: Mapping[str, Sequence[tuple[int, int]]], now: int) -> pd.DataFrame:
    """Return one row per kind and number of heads: kind, heads, parameters, now.

    Parameters
    ----------
    counts : mapping of str to sequence of (heads, parameters)
        By what kind of heads they are; two kinds, the first is drawn whole.
    now : int
        The number of heads to mark.
    """
    return pd.DataFrame(
        [
            {"kind": kind, "heads": heads, "parameters": parameters, "now": heads == now}
            for kind, row in counts.items()
            for heads, parameters in row
        ]
    )


def head_chart(frame: pd.DataFrame, *, expected: int, height: int = 340) -> Drawing:
    """Draw a `head_frame` over logarithmic axes, with a grey line at the expected number."""
    kinds = tuple(frame["kind"].unique())
    heads = tuple(sorted(int(n) for n in frame["heads"].unique()))
    top = int(frame["parameters"].max())
    data = frame.assign(expected=expected)
    description = "Lines: parameters of the query, key and value matrices by number of heads."
    return Drawing(_spec(kinds, heads, expected, top, height), data, description)


@cache
def _spec(
    kinds: tuple[str, ...], heads: tuple[int, ...], expected: int, top: int, height: int
) -> dict[str, Any]:
    x = alt.X(
        "heads:O", scale=alt.Scale(domain=list(heads)), axis=alt.Axis(title="heads", labelAngle=0)
    )
    y = alt.Y(
        "parameters:Q",
        scale=alt.Scale(type="log", base=2, domain=[expected / 2, 2 * top], nice=False),
        axis=alt.Axis(
            title="numbers in Q, K, V matrices",
            values=[expected * 2**i for i in range(12) if expected * 2**i <= top],
            format=",d",
        ),
    )
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=list(kinds), range=[PURPLE, VERMILLION]),
        legend=alt.Legend(orient="top", title=None, labelLimit=300, columns=1),
    )
    shape = alt.Shape(
        "kind:N",
        scale=alt.Scale(domain=list(kinds), range=["circle", "diamond"]),
        legend=alt.Legend(orient="top", title=None, labelLimit=300, columns=1),
    )
    base = alt.Chart().encode(x=x, y=y, color=colour, tooltip=["kind:N", "heads:O", "parameters:Q"])
    lines = base.mark_line(strokeWidth=2).encode(detail="kind:N")
    points = base.mark_point(filled=True, opacity=1).encode(
        shape=shape, size=alt.condition("datum.now", alt.value(220), alt.value(70))
    )
    rule = (
        alt.Chart()
        .mark_rule(color=GREY, strokeDash=[2, 3])
        .encode(alt.Y("expected:Q", scale=alt.Scale(type="log", base=2)))
    )
    return specification(alt.layer(rule, lines, points).properties(height=height))
