"""What a model generates: the distribution of the next token, draws from it, surprisal along a text."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION, visible

_TICKS = {"linear": [0, 0.2, 0.4, 0.6, 0.8, 1], "sqrt": [0, 0.01, 0.05, 0.1, 0.25, 0.5, 1]}
_BY_RANK = alt.EncodingSortField("rank", op="min")
"""The order of the rows, as a column: without it an axis keeps the order of the first rows it saw."""
_PLAIN_X = alt.Axis(labelAngle=0, labelOverlap="greedy", labelFont="monospace", ticks=False)


def distribution_frame(
    symbols: Sequence[str],
    before: np.ndarray,
    after: np.ndarray,
    *,
    order: Literal["probability", "vocabulary"] = "probability",
) -> pd.DataFrame:
    """Return the next token's distribution before and after the sampling chain, all of it.

    Parameters
    ----------
    symbols : sequence of V str
    before, after : ndarrays of shape (V,)
        Probabilities; what the chain blocked has 0 in `after`.
    order : str
        Most probable first (ties by id), or as in the vocabulary.

    Returns
    -------
    DataFrame
        Columns id, symbol, before, after, kept; the rows are in the order of the bars.
    """
    if not len(symbols) == len(before) == len(after):
        raise ValueError(
            f"one probability per symbol: {len(symbols)} symbols, {len(before)} before,"
            f" {len(after)} after"
        )
    frame = pd.DataFrame(
        {
            "id": np.arange(len(symbols)),
            "symbol": [visible(symbol) for symbol in symbols],
            "before": np.asarray(before, float),
            "after": np.asarray(after, float),
            "kept": np.asarray(after) > 0,
        }
    )
    if order == "probability":
        frame = frame.sort_values("before", ascending=False, kind="stable", ignore_index=True)
    return frame


def distribution_chart(
    frame: pd.DataFrame,
    *,
    cutoff: str = "",
    selected: int | None = None,
    scale: Literal["linear", "sqrt"] = "linear",
    height: int = 280,
    unit: str = "character",
) -> Drawing:
    """Draw a `distribution_frame`: grey outlines before, filled bars after, the cut-off between.

    Every column can be clicked over its whole height: the selection ``picked`` holds the ids (see
    `picked_id`). Blocked symbols are dashed.

    Parameters
    ----------
    frame : DataFrame
    cutoff : str
        What cut, written at the rule behind the last symbol kept; the rule is drawn only where
        the symbols kept are the first ones.
    selected : int, optional
        Id of a symbol to mark: the one that was drawn or picked.
    scale : str
        ``sqrt`` makes the improbable visible.
    unit : str
        What a token is called.
    """
    edge = _last_kept(frame) if cutoff else None
    at_edge = np.arange(len(frame)) == (-1 if edge is None else edge)
    there_is_room = edge is not None and edge + 1 < 0.7 * len(frame)
    data = frame.assign(
        rank=np.arange(len(frame)),
        cut=at_edge,
        note_right=np.where(at_edge & there_is_room, cutoff, ""),
        note_left=np.where(at_edge & (not there_is_room), cutoff, ""),
        top=frame[["before", "after"]].max(axis=1),
        selected=frame["id"] == selected,
    )
    description = f"Bars: the probability of each {unit}, before and after the sampling chain."
    return Drawing(_distribution_spec(scale, height, unit), data, description)


@cache
def _distribution_spec(scale: str, height: int, unit: str) -> dict[str, Any]:
    x = alt.X("symbol:N", sort=_BY_RANK, axis=_PLAIN_X, title=f"next {unit}")
    y_scale = alt.Scale(domain=[0, 1], type=scale)
    axis = alt.Axis(format="%", title="probability", values=_TICKS[scale])
    tooltip = [
        alt.Tooltip("symbol:N", title=unit),
        alt.Tooltip("before:Q", format=".3%"),
        alt.Tooltip("after:Q", format=".3%"),
    ]
    base = alt.Chart().encode(x=x)
    outline = base.mark_bar(filled=False, stroke=GREY, strokeWidth=1.2).encode(
        alt.Y("before:Q", scale=y_scale, axis=axis),
        strokeDash=alt.condition("datum.kept", alt.value([1, 0]), alt.value([2, 2])),
    )
    filled = base.mark_bar(color=BLUE, width=alt.RelativeBandSize(0.62)).encode(
        alt.Y("after:Q", scale=y_scale)
    )
    behind = alt.X("symbol:N", sort=_BY_RANK, bandPosition=1)
    rule = (
        alt.Chart()
        .mark_rule(color=VERMILLION, strokeWidth=2)
        .encode(behind, opacity=_only_where("datum.cut"))
    )
    notes = [
        alt.Chart()
        .mark_text(align=align, dx=dx)
        .encode(behind, y=alt.value(8), text=f"note_{side}:N")
        for side, align, dx in (("right", "left", 6), ("left", "right", -6))
    ]
    mark = base.mark_point(
        shape="triangle-down", filled=True, size=90, color=ORANGE, yOffset=-10, clip=False
    ).encode(alt.Y("top:Q", scale=y_scale), opacity=_only_where("datum.selected"))
    target = (
        base.mark_bar(opacity=0, cursor="pointer")
        .encode(y=alt.datum(1, scale=y_scale), tooltip=tooltip)
        .add_params(alt.selection_point(name="picked", fields=["id"], on="click"))
    )
    layers = (outline, filled, rule, *notes, mark, target)
    return specification(alt.layer(*layers).properties(height=height))


def _only_where(test: str) -> dict[str, Any]:
    return alt.condition(test, alt.value(1), alt.value(0))


def picked_id(selection: Mapping[str, Any]) -> int | None:
    """Return the id of the bar clicked in a `distribution_chart`, None if none is."""
    points = selection.get("picked") or []
    return int(points[0]["id"]) if points else None


def _last_kept(frame: pd.DataFrame) -> int | None:
    """Return the row behind which everything is cut, None where no line could show it."""
    n_kept = int(frame["kept"].sum())
    if n_kept in (0, len(frame)) or not frame["kept"].iloc[:n_kept].all():
        return None
    return n_kept - 1


def counts_over_theory(
    frame: pd.DataFrame, *, height: int = 280, unit: str = "character"
) -> Drawing:
    """Draw a `counts_frame`: how often each symbol was drawn over how often it should have been.

    Grey ticks are the theory, grey lines its range of two standard errors, sqrt(p (1 - p) / n).
    """
    title = f"share of {int(frame['count'].sum()):,} draws"
    data = frame.assign(rank=np.arange(len(frame)))
    description = f"Bars: how often each {unit} was drawn, over how often it should have been."
    return Drawing(_counts_spec(title, height, unit), data, description)


@cache
def _counts_spec(title: str, height: int, unit: str) -> dict[str, Any]:
    x = alt.X("symbol:N", sort=_BY_RANK, axis=_PLAIN_X, title=unit)
    y_scale = alt.Scale(domain=[0, 1], type="sqrt")
    base = alt.Chart().encode(x=x)
    drawn = base.mark_bar(color=BLUE, opacity=0.85).encode(
        alt.Y(
            "share:Q", scale=y_scale, axis=alt.Axis(format="%", title=title, values=_TICKS["sqrt"])
        ),
        tooltip=[
            alt.Tooltip("symbol:N", title=unit),
            alt.Tooltip("count:Q", title="drawn"),
            alt.Tooltip("expected:Q", format=".1f"),
        ],
    )
    band = base.mark_rule(color=GREY).encode(alt.Y("low:Q", scale=y_scale), y2="high:Q")
    theory = base.mark_tick(color=GREY, thickness=2).encode(alt.Y("theory:Q", scale=y_scale))
    return specification(alt.layer(drawn, band, theory).properties(height=height))


def counts_frame(
    symbols: Sequence[str], counts: np.ndarray, probabilities: np.ndarray
) -> pd.DataFrame:
    """Return counts beside the theory: symbol, count, expected, share, theory, low, high.

    Parameters
    ----------
    symbols : sequence of V str
        In the order of the bars.
    counts : ndarray of int, shape (V,)
        Their sum n is at least 1.
    probabilities : ndarray of shape (V,)
    """
    counts, theory = np.asarray(counts), np.asarray(probabilities, float)
    n = counts.sum()
    if n < 1:
        raise ValueError("counts must hold at least one draw")
    spread = 2 * np.sqrt(theory * (1 - theory) / n)
    return pd.DataFrame(
        {
            "symbol": [visible(symbol) for symbol in symbols],
            "count": counts,
            "expected": n * theory,
            "share": counts / n,
            "theory": theory,
            "low": np.clip(theory - spread, 0, 1),
            "high": np.clip(theory + spread, 0, 1),
        }
    )


def surprisal_frame(
    tokens: Sequence[str], surprisal_bits: Sequence[float], entropy_bits: Sequence[float]
) -> pd.DataFrame:
    """Return one row per written token: position (from 1), token, surprisal, entropy."""
    if not len(tokens) == len(surprisal_bits) == len(entropy_bits):
        raise ValueError(
            f"one value per token: {len(tokens)} tokens, {len(surprisal_bits)}"
            f" surprisals, {len(entropy_bits)} entropies"
        )
    return pd.DataFrame(
        {
            "position": np.arange(1, len(tokens) + 1),
            "token": [visible(token) for token in tokens],
            "surprisal": np.asarray(surprisal_bits, float),
            "entropy": np.asarray(entropy_bits, float),
        }
    )


def surprisal_line(
    frame: pd.DataFrame,
    *,
    most_bits: float = 12.0,
    window: int = 200,
    height: int = 190,
    unit: str = "character",
) -> Drawing:
    """Draw a `surprisal_frame`: surprisal (blue) along entropy, its expected value (dashed grey).

    Parameters
    ----------
    frame : DataFrame
    most_bits : float
        Top of the fixed axis; what lies above is drawn at it.
    window : int
        So many tokens fit before the axis grows, in steps of as many.
    unit : str
        What a token is called.
    """
    last = window * max(1, -(-len(frame) // window))
    lines = {
        name: list(zip(frame["position"], frame[name], strict=True))
        for name in ("entropy", "surprisal")
    }
    styles = {"entropy": LineStyle(GREY, 1), "surprisal": LineStyle(BLUE)}
    x, y = Axis(unit, (1, last)), Axis("bits", (0, most_bits))
    return line_chart(lines, styles, x, y, height=height)
