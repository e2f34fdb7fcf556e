"""Attention: a number for each head, vectors, one query's weights."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, specification, with_columns
from pages.shared.charts.palette import GREY, PURPLE, SIGNED, VERMILLION, is_dark

_WEIGHTS = ("#ffffff", "#821e5f")
_PLAIN: dict[str, Any] = {"labelAngle": 0, "ticks": False, "domain": False}


# One number for each head ---------------------------------------------------------------------


def heads_table(values: np.ndarray, chosen: tuple[int, int]) -> pa.Table:
    """Return one row for each head: layer and head (from 1), value, chosen.

    Parameters
    ----------
    values : ndarray of shape (layers, H)
    chosen : (layer, head)
        From 0.
    """
    layer, head = (place.ravel() + 1 for place in np.indices(values.shape))
    return pa.table(
        {
            "layer": layer,
            "head": head,
            "value": values.ravel().astype(np.float32),
            "chosen": (layer == chosen[0] + 1) & (head == chosen[1] + 1),
        }
    )


def heads_chart(table: pa.Table, *, title: str, written: str = ".2f", height: int = 210) -> Drawing:
    """Draw a `heads_table`: layers down, heads across, each number written in its cell.

    Parameters
    ----------
    table : Table
    title : str
        What the numbers are, with their unit.
    written : str
        Their format; one with a sign has a scale around 0.
    """
    values = table["value"].to_numpy()
    reach = float(np.abs(values).max()) or 1.0
    labels = [f"{value:{written}}" for value in values]
    data = with_columns(table, share=values / reach, label=labels)
    description = f"Heat map: {title}, of each head."
    return Drawing(_heads_spec(title, written.startswith("+"), height), data, description)


@cache
def _heads_spec(title: str, is_signed: bool, height: int) -> dict[str, Any]:
    base = alt.Chart().encode(
        x=alt.X("head:O", axis=alt.Axis(title=f"head ({title})", **_PLAIN)),
        y=alt.Y("layer:O", axis=alt.Axis(title="layer", **_PLAIN)),
    )
    colours, domain = (SIGNED, [-1, -0.5, 0, 0.5, 1]) if is_signed else (_WEIGHTS, [0, 1])
    scale = alt.Scale(domain=domain, range=list(colours), interpolate="rgb")
    cells = base.mark_rect(stroke=GREY, strokeWidth=0.5).encode(
        color=alt.Color("share:Q", scale=scale, legend=None),
        tooltip=["layer:O", "head:O", alt.Tooltip("label:N", title=title)],
    )
    wants_white = is_dark("datum.share", colours, domain[0])
    labels = base.mark_text().encode(
        text="label:N", color=alt.condition(wants_white, alt.value("#ffffff"), alt.value("#000000"))
    )
    outline = base.transform_filter("datum.chosen").mark_rect(
        filled=False, stroke=VERMILLION, strokeWidth=3
    )
    return specification(alt.layer(cells, labels, outline).properties(height=height))


# Vectors --------------------------------------------------------------------------------------


def vectors_table(vectors: Mapping[str, np.ndarray]) -> pa.Table:
    """Return one row for each vector and coordinate (from 1): vector, coordinate, value."""
    sizes = list(map(len, vectors.values()))
    return pa.table(
        {
            "vector": pa.DictionaryArray.from_arrays(
                np.repeat(np.arange(len(sizes), dtype=np.int8), sizes), list(vectors)
            ),
            "coordinate": np.concatenate([np.arange(size) for size in sizes]) + 1,
            "value": np.concatenate([np.asarray(v, np.float32) for v in vectors.values()]),
        }
    )


def vectors_chart(table: pa.Table, *, height: int = 190) -> Drawing:
    """Draw a `vectors_table`: a row for each vector, blue below 0, orange above, each to its reach."""
    vector, value = (table[name].to_numpy() for name in ("vector", "value"))
    names = tuple(dict.fromkeys(vector))
    share = np.zeros(len(value), np.float32)
    for name in names:
        row = vector == name
        share[row] = value[row] / (np.abs(value[row]).max() or 1.0)
    data = with_columns(table, share=share)
    description = (
        "Heat map: the coordinates of each vector, each row with colours of its own range."
    )
    return Drawing(_vectors_spec(names, height), data, description)


@cache
def _vectors_spec(names: tuple[str, ...], height: int) -> dict[str, Any]:
    cells = (
        alt.Chart()
        .mark_rect()
        .encode(
            x=alt.X("coordinate:O", axis=alt.Axis(labelOverlap="greedy", **_PLAIN)),
            y=alt.Y(
                "vector:N",
                sort=list(names),
                scale=alt.Scale(paddingInner=0.15),
                axis=alt.Axis(title=None, labelOverlap=False, **_PLAIN),
            ),
            color=alt.Color(
                "share:Q",
                scale=alt.Scale(
                    domain=[-1, -0.5, 0, 0.5, 1], range=list(SIGNED), interpolate="rgb"
                ),
                legend=None,
            ),
            tooltip=["vector:N", "coordinate:O", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    return specification(alt.layer(cells).properties(height=height))


# The weights of one query ---------------------------------------------------------------------


def weights_frame(
    keys: Sequence[str],
    scores: Sequence[float],
    weights: Sequence[float],
    printed: Sequence[float] | None = None,
) -> pd.DataFrame:
    """Return one row per key: key, score, weight, and where weights were printed, these and the gap.

    Parameters
    ----------
    keys : sequence of str
        Names that are all different.
    scores, weights, printed : sequences of float
    """
    frame = pd.DataFrame({"key": list(keys), "score": list(scores), "weight": list(weights)})
    if printed is None:
        return frame
    return frame.assign(printed=list(printed), gap=frame["weight"] - list(printed))


def weights_chart(
    frame: pd.DataFrame, *, marks: Mapping[str, str] | None = None, height: int = 300
) -> Drawing:
    """Draw a `weights_frame`, one bar a key from the top.

    A tick marks a printed weight; beside the bar is its distance from the computed one.

    Parameters
    ----------
    frame : DataFrame
    marks : mapping of str to str, optional
        What is written beside the numbers of a key.
    height : int
        In pixels.
    """
    has_printed = "printed" in frame
    notes = frame["weight"].map("{:.3f}".format)
    if has_printed:
        notes += frame["gap"].map(" ({:+.2f})".format).str.replace("-", "−")
    marked = marks or {}
    said = [f"{marked[key]} ▸ " if key in marked else "" for key in frame["key"]]
    data = frame.assign(note=said + notes)
    description = "Bars: the weight of each key" + (
        ", with a mark at the printed one." if has_printed else "."
    )
    return Drawing(_weights_spec(tuple(frame["key"]), has_printed, height), data, description)


@cache
def _weights_spec(keys: tuple[str, ...], has_printed: bool, height: int) -> dict[str, Any]:
    size = alt.ExprRef(f"clamp(0.6 * height / {len(keys)}, 9, 22)")  # every key has a name
    y = alt.Y(
        "key:N",
        sort=list(keys),
        axis=alt.Axis(
            title=None,
            ticks=False,
            domain=False,
            labelFont="monospace",
            labelFontSize=size,
            labelOverlap=False,
            labelLimit=260,
        ),
    )
    scale = alt.Scale(domain=[0, 1.35 if has_printed else 1.1], nice=False)
    x = alt.X(
        "weight:Q",
        scale=scale,
        axis=alt.Axis(title="weight", format="~g", values=[0, 0.2, 0.4, 0.6, 0.8, 1]),
    )
    printed = [alt.Tooltip("printed:Q", format=".2f")] if has_printed else []
    tooltip: list[Any] = ["key:N", "score:Q", alt.Tooltip("weight:Q", format=".4f"), *printed]
    base = alt.Chart().encode(y=y, tooltip=tooltip)
    layers = [
        base.mark_bar(color=PURPLE).encode(x=x),
        base.mark_text(align="right", fontSize=size).encode(x=alt.value("width"), text="note:N"),
    ]
    if has_printed:
        layers.append(
            base.mark_tick(color=VERMILLION, thickness=4, size=22).encode(
                x=alt.X("printed:Q", scale=scale)
            )
        )
    return specification(alt.layer(*layers).properties(height=height))
