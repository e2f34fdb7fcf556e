"""Attention: a number for each head, vectors, one query's weights."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, with_columns
from pages.shared.charts.palette import GREY, PURPLE, SIGNED, VERMILLION

_WEIGHTS = ("#ffffff", "#821e5f")


# One number for each head ---------------------------------------------------------------------


def heads_table(values: np.ndarray, chosen: tuple[int, int]) -> pa.Table:
    """Return one row for each head: layer and head (from 1), value, chosen.

    Parameters
    ----------
    values : ndarray of shape (layers, H)
    chosen : (layer, head), from 0
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
    title : str, what the numbers are, with their unit
    written : str, their format; one with a sign has a scale around 0
    """
    values = table["value"].to_numpy()
    reach = float(np.abs(values).max()) or 1.0
    labels = [f"{value:{written}}" for value in values]
    data = with_columns(table, share=values / reach, label=labels)
    colours, domain = (
        (SIGNED, vl.AROUND_ZERO) if written.startswith("+") else (_WEIGHTS, (0.0, 1.0))
    )
    place = {
        "x": vl.field("head:O", axis={"title": f"head ({title})", **vl.UPRIGHT}),
        "y": vl.field("layer:O", axis={"title": "layer", **vl.UPRIGHT}),
    }
    cell = {
        "color": vl.colours("share:Q", colours, domain),
        "tooltip": ["layer:O", "head:O", vl.field("label:N", title=title)],
    }
    number = {"text": "label:N", "color": vl.ink("share", colours, domain[0])}
    spec = vl.layered(
        vl.mark("rect", place, cell, stroke=GREY, strokeWidth=0.5),
        vl.mark("text", place, number),
        vl.outlined(place, when="datum.chosen", strokeWidth=3),
        height=height,
    )
    return Drawing(spec, data, f"Heat map: {title}, of each head.", numbers=table)


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
    names = list(dict.fromkeys(vector))
    share = np.zeros(len(value), np.float32)
    for name in names:
        row = vector == name
        share[row] = value[row] / (np.abs(value[row]).max() or 1.0)
    rows = {"title": None, "labelOverlap": False, **vl.UPRIGHT}
    cell = {
        "x": vl.field("coordinate:O", axis={"labelOverlap": "greedy", **vl.UPRIGHT}),
        "y": vl.field("vector:N", sort=names, scale={"paddingInner": 0.15}, axis=rows),
        "color": vl.colours("share:Q"),
        "tooltip": ["vector:N", "coordinate:O", "value:Q .3f"],
    }
    return Drawing(
        vl.layered(vl.mark("rect", cell), height=height),
        with_columns(table, share=share),
        "Heat map: the coordinates of each vector, each row with colours of its own range.",
    )


# The weights of one query ---------------------------------------------------------------------


def weights_frame(
    keys: Sequence[str],
    scores: Sequence[float],
    weights: Sequence[float],
    printed: Sequence[float] | None = None,
) -> pd.DataFrame:
    """Return one row per key: key, score, weight, and where weights were printed, these and the gap.

    `keys`: sequence of str, names that are all different.
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
    marks : mapping of str to str, what is written beside the numbers of a key
    height : int, in pixels
    """
    has_printed = "printed" in frame
    notes = frame["weight"].map("{:.3f}".format)
    if has_printed:
        notes += frame["gap"].map(" ({:+.2f})".format).str.replace("-", "−")
    marked = marks or {}
    said = [f"{marked[key]} ▸ " if key in marked else "" for key in frame["key"]]
    size = vl.expression(f"clamp(0.6 * height / {len(frame)}, 9, 22)")  # every key has a name
    names: vl.Spec = {"labelFont": "monospace", "labelFontSize": size, "labelOverlap": False}
    key = {
        "y": vl.field(
            "key:N",
            sort=list(frame["key"]),
            axis={"title": None, "labelLimit": 260, **names, **vl.BARE},
        ),
        "tooltip": [
            *("key:N", "score:Q", "weight:Q .4f"),
            *(["printed:Q .2f"] if has_printed else []),
        ],
    }
    across = vl.scale(0, 1.35 if has_printed else 1.1)
    axis = {"title": "weight", "format": "~g", "values": [0, 0.2, 0.4, 0.6, 0.8, 1]}
    weight = {"x": vl.field("weight:Q", scale=across, axis=axis)}
    edge = {"x": vl.value("width"), "text": "note:N"}
    printed = {"x": vl.field("printed:Q", scale=across)}
    tick = vl.mark("tick", key, printed, color=VERMILLION, thickness=4, size=22)
    spec = vl.layered(
        vl.mark("bar", key, weight, color=PURPLE),
        vl.mark("text", key, edge, align="right", fontSize=size),
        *([tick] if has_printed else []),
        height=height,
    )
    description = "Bars: the weight of each key" + (
        ", with a mark at the printed one." if has_printed else "."
    )
    return Drawing(spec, frame.assign(note=said + notes), description, numbers=frame)
