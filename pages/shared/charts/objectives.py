"""What each half-step of a clustering achieved, and how both methods agree on a slider's way."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, VERMILLION

_COLOURS = (BLUE, VERMILLION)
_DASHES = ([1, 0], [5, 3])


def objective_frame(lines: Mapping[str, Sequence[float]], halves: tuple[str, str]) -> pd.DataFrame:
    """Return what each half-step achieved: step, half-step, line, value.

    Parameters
    ----------
    lines : mapping of str to sequence of float
        One value for each half-step; infinite ones are left out.
    halves : pair of str
        What even and odd half-steps are called.
    """
    return pd.DataFrame(
        (
            (step, halves[step % 2], name, value)
            for name, values in lines.items()
            for step, value in enumerate(values)
            if math.isfinite(value)
        ),
        columns=["step", "half-step", "line", "value"],
    )


def objective_trace(frame: pd.DataFrame, *, now: int, title: str, height: int = 200) -> Drawing:
    """Draw an `objective_frame`, at most two lines, with the present half-step marked.

    Parameters
    ----------
    frame : DataFrame
    now : int
        The half-step to mark; beyond the end, the last.
    title : str
        Of the upright axis, with the unit.
    """
    names = tuple(dict.fromkeys(frame["line"]))
    now = min(now, int(frame["step"].max()))
    data = frame.assign(
        now=frame["step"] == now,
        label=[
            f"{value:,.4g}" if step == now and line == names[0] else ""
            for step, line, value in zip(frame["step"], frame["line"], frame["value"], strict=True)
        ],
    )
    description = f"Lines: {title} after each half-step, the present one marked."
    return Drawing(_spec(title, names, height), data, description)


@lru_cache(maxsize=16)
def _spec(title: str, names: tuple[str, ...], height: int) -> dict[str, Any]:
    x = alt.X(
        "step:Q",
        axis=alt.Axis(title="half-step", tickMinStep=1, format="d"),
        scale=alt.Scale(nice=False, padding=8),
    )
    y = alt.Y("value:Q", axis=alt.Axis(title=title, tickCount=5), scale=alt.Scale(zero=False))
    domain = list(names)
    legend = (
        alt.Legend(orient="bottom-right", title=None, symbolType="stroke")
        if len(names) > 1
        else None
    )
    colour = alt.Color(
        "line:N", scale=alt.Scale(domain=domain, range=_COLOURS[: len(names)]), legend=legend
    )
    dash = alt.StrokeDash(
        "line:N", scale=alt.Scale(domain=domain, range=_DASHES[: len(names)]), legend=legend
    )
    base = alt.Chart().encode(x=x)
    tooltip = ["step:Q", "half-step:N", "line:N", alt.Tooltip("value:Q", format=",.6~g")]
    layers = (
        base.transform_filter("datum.now")
        .mark_rule(color=GREY, strokeDash=[3, 3])
        .encode(x=alt.X("step:Q")),
        base.mark_line(strokeWidth=2).encode(y=y, color=colour, strokeDash=dash, tooltip=tooltip),
        base.transform_filter("datum.now")
        .mark_point(filled=True, size=90, opacity=1)
        .encode(y=y, color=colour, tooltip=tooltip),
        base.transform_filter("datum.label != ''")
        .mark_text(align="left", dx=8, dy=-10)
        .encode(y=y, text="label:N"),
    )
    return specification(alt.layer(*layers).properties(height=height))
