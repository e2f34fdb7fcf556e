"""How surprised models are by texts: bits by kind of text, and how tokens share out over ranks."""

from functools import cache
from typing import Any

import altair as alt
import pandas as pd
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, specification, with_columns
from pages.shared.charts.palette import BLUE, GREY, ORANGE

_ROW = 26
_NAMES = alt.Axis(title=None, labelLimit=340, labelOverlap=False, ticks=False, domain=False)
_ROLES = ("ours", "rival", "own text")
_COLOURS = (BLUE, ORANGE, GREY)
RANK_COLOURS = ("#009E73", "#F0E442", "#E69F00", "#CC79A7")
"""Of the classes of ranks, from the expected to the unexpected."""


def bits_by_kind(table: pa.Table) -> Drawing:
    """Draw the mean surprisal of a character by kind of text, as bars with their values.

    Parameters
    ----------
    table : Table
        Columns kind, model, role ("ours", "rival" or "own text": it sets the colour), bits,
        standard_error (0 where there is none) and is_hidden (its bar waits for a guess).
    """
    rows = table.to_pylist()
    data = with_columns(
        table,
        drawn=[0.0 if row["is_hidden"] else row["bits"] for row in rows],
        text=["?" if row["is_hidden"] else f"{row['bits']:.2f}" for row in rows],
        place=range(len(rows)),
        name=[f"{row['kind']} · {row['model']}" if row["model"] else row["kind"] for row in rows],
    )
    return Drawing(
        _bits_spec(len(rows)), data, "Bars: mean surprisal of a character by kind of text."
    )


def _rows(field: str) -> alt.Y:
    """Return the axis of names in the order of their places."""
    return alt.Y(field, sort=alt.EncodingSortField("place", op="min"), axis=_NAMES)


@cache
def _bits_spec(n: int) -> dict[str, Any]:
    base = alt.Chart().encode(y=_rows("name:N"))
    x = alt.X(
        "drawn:Q",
        axis=alt.Axis(title="bits per character", tickCount=6),
        scale=alt.Scale(domainMin=0),
    )
    bars = base.mark_bar(height=alt.RelativeBandSize(0.66)).encode(
        x=x,
        color=alt.Color(
            "role:N", scale=alt.Scale(domain=list(_ROLES), range=list(_COLOURS)), legend=None
        ),
        tooltip=["kind:N", "model:N", alt.Tooltip("text:N", title="bits per character")],
    )
    texts = base.mark_text(align="left", dx=5).encode(x=x, text="text:N")
    return specification(alt.layer(bars, texts).properties(height=40 + _ROW * n))


def rank_bars(frame: pd.DataFrame, classes: tuple[str, ...], *, of: str = "the tokens") -> Drawing:
    """Draw which share of the tokens has a rank in each class, as one divided bar for each kind of text.

    Parameters
    ----------
    frame : DataFrame
        Columns kind, rank (one of the classes) and share; the shares of a kind sum to 1.
    classes : tuple of str
        From the expected to the unexpected, at most four.
    of : str
        Of what the shares are.
    """
    data = frame.assign(
        order=frame["rank"].map(classes.index),
        place=[list(dict.fromkeys(frame["kind"])).index(kind) for kind in frame["kind"]],
    )
    return Drawing(
        _rank_spec(classes, frame["kind"].nunique(), of),
        data,
        f"Divided bars: shares of {of} by class.",
    )


@cache
def _rank_spec(classes: tuple[str, ...], n: int, of: str) -> dict[str, Any]:
    bars = (
        alt.Chart()
        .mark_bar(height=alt.RelativeBandSize(0.66))
        .encode(
            y=_rows("kind:N"),
            x=alt.X(
                "share:Q",
                stack="zero",
                axis=alt.Axis(title=f"share of {of}", format=".0%"),
                scale=alt.Scale(domain=[0, 1]),
            ),
            color=alt.Color(
                "rank:N",
                sort=list(classes),
                scale=alt.Scale(domain=list(classes), range=list(RANK_COLOURS[: len(classes)])),
                legend=alt.Legend(title=None, orient="top"),
            ),
            order="order:Q",
            tooltip=["kind:N", "rank:N", alt.Tooltip("share:Q", format=".1%")],
        )
    )
    return specification(alt.layer(bars).properties(height=130 + _ROW * n))
