"""Which steps a gradient reaches, and how a training went that depends on it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY

GRADIENT_AXES = ((1e-10, 1e2), (1e-10, 1e6))
"""The usual one, and one for gradients that explode."""
_PLAIN = {"labelAngle": 0, "ticks": False, "domain": False}


def gradient_frame(
    sides: Mapping[str, np.ndarray], symbols: Sequence[str], now: int
) -> pd.DataFrame:
    """Return one row per network and step up to the answer's: step, symbol, network, norm.

    Parameters
    ----------
    sides : mapping of str to ndarray of shape (T,)
        Norms of the gradient of the answer after step `now`, by the network's name.
    symbols : sequence of T str
    now : int
        From 0.
    """
    return pd.DataFrame(
        [
            {"step": step + 1, "symbol": symbols[step], "network": name, "norm": float(norms[step])}
            for step in range(now + 1)
            for name, norms in sides.items()
        ],
        columns=["step", "symbol", "network", "norm"],
    )


def gradient_bars(
    frame: pd.DataFrame, colours: Mapping[str, str], *, steps: int, height: int = 300
) -> Drawing:
    """Draw a `gradient_frame`: bars on one of two logarithmic axes, the second network's outlined.

    What lies outside the axis is drawn at its end; an exact zero has a cross instead of a bar.

    Parameters
    ----------
    frame : DataFrame
    colours : mapping of str to str
        By the network's name, in the order of the bars.
    steps : int
        T, the end of the axis.
    """
    axis = GRADIENT_AXES[0] if not frame["norm"].max() > GRADIENT_AXES[0][1] else GRADIENT_AXES[1]
    low, high = axis
    shown = frame["norm"].clip(1.3 * low, high)
    data = frame.assign(shown=shown, floor=low, is_zero=frame["norm"] == 0)
    description = "Bars on a logarithmic axis: the gradient of the answer by step, two networks."
    return Drawing(_gradient_spec(tuple(colours.items()), steps, axis, height), data, description)


@lru_cache(maxsize=64)
def _gradient_spec(
    colours: tuple[tuple[str, str], ...], steps: int, axis: tuple[float, float], height: int
) -> dict[str, Any]:
    names = [name for name, _ in colours]
    x = alt.X(
        "step:O",
        scale=alt.Scale(domain=list(range(1, steps + 1))),
        axis=alt.Axis(title="step", labelOverlap="greedy", **_PLAIN),
    )
    y_scale = alt.Scale(type="log", domain=list(axis), nice=False)
    y_axis = alt.Axis(
        values=[10.0**power for power in range(-10, 7, 2)],
        format=".0e",
        title="gradient norm (log)",
        domain=False,
    )
    colour = alt.Color(
        "network:N",
        scale=alt.Scale(domain=names, range=[colour for _, colour in colours]),
        legend=alt.Legend(orient="top", title=None, labelLimit=320, columns=1),
    )
    base = alt.Chart().encode(x=x, xOffset=alt.XOffset("network:N", sort=names), color=colour)
    bars = base.mark_bar(strokeWidth=1.5).encode(
        alt.Y("shown:Q", scale=y_scale, axis=y_axis),
        y2="floor:Q",
        stroke=alt.Stroke(
            "network:N", scale=alt.Scale(domain=names, range=[c for _, c in colours]), legend=None
        ),
        fillOpacity=alt.condition(f"datum.network == {names[0]!r}", alt.value(1), alt.value(0.25)),
        opacity=alt.condition("datum.is_zero", alt.value(0), alt.value(1)),
        tooltip=["network:N", "step:O", "symbol:N", alt.Tooltip("norm:Q", format=".3e")],
    )
    zeros = (
        base.transform_filter("datum.is_zero")
        .mark_text(text="×", dy=-8)
        .encode(alt.Y("floor:Q", scale=y_scale))
    )
    return specification(alt.layer(bars, zeros).properties(height=height))


def reach_frame(norms: np.ndarray) -> pd.DataFrame:
    """Return a gradient map (T, T) as rows: answer, step (both from 1), norm; no step after the answer."""
    answer, step = np.tril_indices(len(norms))
    return pd.DataFrame(
        {"answer": answer + 1, "step": step + 1, "norm": norms[answer, step].astype(float)}
    )


def reach_map(frame: pd.DataFrame, *, height: int = 320) -> Drawing:
    """Draw a `reach_frame`: answers down, steps across; where nothing arrives stands a cross.

    The colours run from 1e-8 to 10, on a logarithmic scale.
    """
    data = frame.assign(power=np.log10(frame["norm"].clip(1e-8, 10.0)), is_zero=frame["norm"] == 0)
    description = "Heat map: the gradient of each answer with respect to each step before it."
    return Drawing(_reach_spec(int(frame["answer"].max()), height), data, description)


@lru_cache(maxsize=64)
def _reach_spec(steps: int, height: int) -> dict[str, Any]:
    every = list(range(1, steps + 1))
    axis = {"labelOverlap": "greedy", **_PLAIN}
    base = alt.Chart().encode(
        alt.X("step:O", scale=alt.Scale(domain=every), axis=alt.Axis(title="step", **axis)),
        alt.Y(
            "answer:O", scale=alt.Scale(domain=every), axis=alt.Axis(title="answer after", **axis)
        ),
    )
    colour = alt.Color(
        "power:Q",
        scale=alt.Scale(domain=[-8, 1], scheme="viridis"),
        legend=alt.Legend(
            orient="bottom",
            direction="horizontal",
            title=None,
            values=[-8, -4, 0],
            labelExpr="'1e' + datum.value",
            gradientLength=160,
            gradientThickness=8,
        ),
    )
    tooltip = ["answer:O", "step:O", alt.Tooltip("norm:Q", format=".3e")]
    reached = (
        base.transform_filter("!datum.is_zero").mark_rect().encode(color=colour, tooltip=tooltip)
    )
    cut = base.transform_filter("datum.is_zero").mark_text(text="×").encode(tooltip=tooltip)
    return specification(alt.layer(reached, cut).properties(height=height))


def learning_lines(
    frame: pd.DataFrame,
    field: str,
    colours: Mapping[str, str],
    *,
    title: str,
    domain: tuple[float, float],
    references: Mapping[str, float],
    logarithmic: bool = False,
    height: int = 300,
) -> alt.LayerChart:
    """Draw one quantity of two trainings by update, the second network's dashed.

    Parameters
    ----------
    frame : DataFrame
        Columns update, network and `field`.
    references : mapping of str to float
        Heights to draw as thin grey lines with their names.
    """
    names = list(colours)
    y = alt.Y(
        f"{field}:Q",
        scale=alt.Scale(
            type="log" if logarithmic else "linear", domain=list(domain), clamp=True, nice=False
        ),
        axis=alt.Axis(title=title, tickCount=5, format="~g"),
    )
    rows = pd.DataFrame({"name": list(references), field: list(references.values())})
    rules = alt.Chart(rows).encode(y=y)
    lines = (
        alt.Chart(frame)
        .mark_line(strokeWidth=1.8)
        .encode(
            alt.X("update:Q", title="update"),
            y,
            color=alt.Color(
                "network:N",
                scale=alt.Scale(domain=names, range=list(colours.values())),
                legend=alt.Legend(orient="top", title=None, labelLimit=320, columns=1),
            ),
            strokeDash=alt.StrokeDash(
                "network:N", scale=alt.Scale(domain=names, range=[[1, 0], [5, 3]]), legend=None
            ),
            tooltip=["network:N", "update:Q", f"{field}:Q"],
        )
    )
    return alt.layer(
        rules.mark_rule(color=GREY, strokeWidth=1),
        rules.mark_text(align="right", dy=-8).encode(text="name:N", x=alt.value("width")),
        lines,
    ).properties(height=height)
