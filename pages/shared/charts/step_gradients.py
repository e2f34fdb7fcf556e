"""Which steps a gradient reaches, and how a training went that depends on it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY

GRADIENT_AXES = ((1e-10, 1e4), (1e-10, 1e8))
"""The usual one, and one for gradients that explode. Above the bars is room for the names."""
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
    axis = GRADIENT_AXES[0] if not frame["norm"].max() > 100.0 else GRADIENT_AXES[1]
    low, high = axis
    shown = frame["norm"].clip(1.3 * low, high)
    data = _with_names(
        frame.assign(shown=shown, floor=low, is_zero=frame["norm"] == 0), colours, ("■", "□")
    )
    description = "Bars on a logarithmic axis: the gradient of the answer by step, two networks."
    return Drawing(_gradient_spec(steps, axis, height), data, description)


def _with_names(
    frame: pd.DataFrame, colours: Mapping[str, str], marks: tuple[str, str]
) -> pd.DataFrame:
    """Add what two networks are drawn with: place (0 or 1), colour, and in the first row their names.

    As columns they leave the specification the same whichever networks are compared.
    """
    order = {name: place for place, name in enumerate(colours)}
    names = "\n".join(f"{mark} {name}" for mark, name in zip(marks, colours, strict=True))
    return frame.assign(
        place=frame["network"].map(order),
        colour=frame["network"].map(colours),
        heading=np.where(np.arange(len(frame)) == 0, names, ""),
    )


def _headings(*, align: str) -> alt.Chart:
    """Return the layer that writes the two names into the upper corner of a chart."""
    return (
        alt.Chart()
        .transform_filter("datum.heading != ''")
        .mark_text(align=align, baseline="top", lineBreak="\n")
        .encode(x=alt.value(6 if align == "left" else "width"), y=alt.value(0), text="heading:N")
    )


@lru_cache(maxsize=64)
def _gradient_spec(steps: int, axis: tuple[float, float], height: int) -> dict[str, Any]:
    x = alt.X(
        "step:O",
        scale=alt.Scale(domain=list(range(1, steps + 1))),
        axis=alt.Axis(title="step", labelOverlap="greedy", **_PLAIN),
    )
    y_scale = alt.Scale(type="log", domain=list(axis), nice=False)
    y_axis = alt.Axis(
        values=[10.0**power for power in range(-10, 9, 2)],
        format=".0e",
        title="gradient norm (log)",
        domain=False,
    )
    base = alt.Chart().encode(x=x, xOffset=alt.XOffset("place:O", scale=alt.Scale(domain=[0, 1])))
    bars = base.mark_bar(strokeWidth=1.5).encode(
        alt.Y("shown:Q", scale=y_scale, axis=y_axis),
        y2="floor:Q",
        color=alt.Color("colour:N", scale=None),
        stroke=alt.Stroke("colour:N", scale=None),
        fillOpacity=alt.condition("datum.place == 0", alt.value(1), alt.value(0.25)),
        opacity=alt.condition("datum.is_zero", alt.value(0), alt.value(1)),
        tooltip=["network:N", "step:O", "symbol:N", alt.Tooltip("norm:Q", format=".3e")],
    )
    zeros = (
        base.transform_filter("datum.is_zero")
        .mark_text(text="×", dy=-8)
        .encode(alt.Y("floor:Q", scale=y_scale))
    )
    layers = alt.layer(bars, zeros, _headings(align="left"))
    return specification(layers.properties(height=height))


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
    height: int = 260,
) -> Drawing:
    """Draw one quantity of two trainings by update, the second network's dashed.

    Parameters
    ----------
    frame : DataFrame
        Columns update, network and `field`.
    field, title : str
        The column to draw, and the name of its axis.
    colours : mapping of str to str
        By the network's name, the first and the second.
    domain : pair of float
        The fixed axis; what lies outside is drawn at its end.
    references : mapping of str to float
        Heights to draw as thin grey lines with their names.
    """
    data = _with_names(frame, colours, ("━", "╌"))
    spec = _learning_spec(field, title, domain, tuple(references.items()), logarithmic, height)
    return Drawing(spec, data, f"Lines: {title} of two trainings by update.")


@lru_cache(maxsize=16)
def _learning_spec(
    field: str,
    title: str,
    domain: tuple[float, float],
    references: tuple[tuple[str, float], ...],
    logarithmic: bool,
    height: int,
) -> dict[str, Any]:
    scale = alt.Scale(
        type="log" if logarithmic else "linear", domain=list(domain), clamp=True, nice=False
    )
    lines = (
        alt.Chart()
        .mark_line(strokeWidth=1.8)
        .encode(
            alt.X("update:Q", title="update"),
            alt.Y(
                f"{field}:Q",
                scale=scale,
                axis=alt.Axis(title=title, tickCount=5, format=".0e" if logarithmic else "~g"),
            ),
            color=alt.Color("colour:N", scale=None),
            detail="network:N",
            strokeDash=alt.condition("datum.place == 0", alt.value([1, 0]), alt.value([5, 3])),
            tooltip=["network:N", "update:Q", f"{field}:Q"],
        )
    )
    rules = []
    for name, value in references:
        at = alt.Chart().transform_aggregate(rows="count()").encode(y=alt.datum(value, scale=scale))
        rules += [
            at.mark_rule(color=GREY, strokeWidth=1),
            at.mark_text(align="left", dy=-8, text=name).encode(x=alt.value(4)),
        ]
    layers = alt.layer(*rules, lines, _headings(align="right"))
    return specification(layers.properties(height=height))
