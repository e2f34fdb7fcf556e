"""Scores that come of positions: lines over the distance, and the number of each pair's bucket."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, ORANGE, PURPLE, VERMILLION

_DASHES = ([1, 0], [7, 4], [2, 3])


def distance_frame(lines: Mapping[int, np.ndarray]) -> pd.DataFrame:
    """Return one row per query and distance: query, distance, score.

    Parameters
    ----------
    lines : mapping of int to ndarray
        By the query's position: its scores of the keys 0, 1, 2, ... before it.
    """
    return pd.concat(
        [
            pd.DataFrame({"query": query, "distance": np.arange(len(scores)), "score": scores})
            for query, scores in lines.items()
        ],
        ignore_index=True,
    )


def distance_lines(frame: pd.DataFrame, *, height: int = 320) -> Drawing:
    """Draw a `distance_frame`, up to three queries; lines that agree lie on each other.

    The lines are drawn ever thinner, so that those below can be seen.
    """
    order = {query: i for i, query in enumerate(frame["query"].unique())}
    low, high = float(frame["score"].min()), float(frame["score"].max())
    margin = 0.06 * max(high - low, 1e-6)
    data = frame.assign(
        name=[f"query {query}" for query in frame["query"]],
        rank=frame["query"].map(order),
        low=low - margin,
        high=high + margin,
    )
    names = tuple(f"query {query}" for query in order)
    description = "Lines: the score of a key by its distance, for three positions of the query."
    return Drawing(_lines_spec(names, int(frame["distance"].max()), height), data, description)


@cache
def _lines_spec(names: tuple[str, ...], farthest: int, height: int) -> dict[str, Any]:
    ranks = list(range(len(names)))
    x = alt.X(
        "distance:Q",
        scale=alt.Scale(domain=[0, farthest], nice=False),
        axis=alt.Axis(title="distance of the key behind the query", tickMinStep=1),
    )
    y_scale = alt.Scale(zero=False, nice=True)
    legend = alt.Legend(orient="top", title=None, symbolType="stroke")
    lines = (
        alt.Chart()
        .mark_line()
        .encode(
            x=x,
            y=alt.Y("score:Q", scale=y_scale, axis=alt.Axis(title="score", tickCount=6)),
            color=alt.Color(
                "name:N",
                scale=alt.Scale(domain=list(names), range=[ORANGE, BLUE, PURPLE][: len(names)]),
                legend=legend,
            ),
            strokeDash=alt.StrokeDash(
                "name:N",
                scale=alt.Scale(domain=list(names), range=list(_DASHES[: len(names)])),
                legend=legend,
            ),
            strokeWidth=alt.StrokeWidth(
                "rank:O", scale=alt.Scale(domain=ranks, range=[7, 4, 2][: len(names)]), legend=None
            ),
            detail="query:N",
            tooltip=["query:Q", "distance:Q", alt.Tooltip("score:Q", format=".4f")],
        )
    )
    ends = alt.Chart().mark_rule(opacity=0).encode(y=alt.Y("low:Q", scale=y_scale), y2="high:Q")
    return specification(alt.layer(ends, lines).properties(height=height))


def bucket_frame(buckets: np.ndarray, n_buckets: int) -> pd.DataFrame:
    """Return one row per pair: query, key (from 0), offset, bucket, known (whether there is such one)."""
    query, key = np.indices(buckets.shape)
    return pd.DataFrame(
        {
            "query": query.ravel(),
            "key": key.ravel(),
            "offset": (key - query).ravel(),
            "bucket": buckets.ravel(),
            "known": buckets.ravel() < n_buckets,
        }
    )


def bucket_map(
    frame: pd.DataFrame, *, n_buckets: int, first_ahead: int | None, height: int = 480
) -> Drawing:
    """Draw a `bucket_frame`: queries down, keys across; what is no bucket is crossed out.

    Parameters
    ----------
    frame : DataFrame
    n_buckets : int
    first_ahead : int or None
        From this bucket on they belong to keys ahead; a key behind in one of them, or the other way
        round, gets a rim. None where keys ahead have no buckets of their own.
    """
    n = int(frame["query"].max()) + 1
    is_ahead = frame["offset"] > 0
    strayed = (
        (frame["bucket"] >= first_ahead) != is_ahead
        if first_ahead is not None
        else pd.Series(False, index=frame.index)
    )
    data = frame.assign(
        strayed=strayed & frame["known"],
        text=frame["bucket"].astype(str) if n <= 32 else "",
        ink=np.where(frame["bucket"] > 0.55 * n_buckets, "#1a1a1a", "#ffffff"),
    )
    description = "Heat map: the bucket of each pair of query and key."
    return Drawing(_bucket_spec(n_buckets, height), data, description)


@lru_cache(maxsize=32)
def _bucket_spec(n_buckets: int, height: int) -> dict[str, Any]:
    axis = {
        "labelAngle": 0,
        "labelFlush": False,
        "labelOverlap": "parity",
        "ticks": False,
        "domain": False,
    }
    base = alt.Chart().encode(
        x=alt.X("key:O", axis=alt.Axis(title="key", **axis)),
        y=alt.Y("query:O", axis=alt.Axis(title="query", **axis)),
        tooltip=["query:O", "key:O", "offset:Q", "bucket:Q"],
    )
    colour = alt.Color(
        "bucket:Q", scale=alt.Scale(domain=[0, n_buckets - 1], scheme="viridis"), legend=None
    )
    known = base.transform_filter("datum.known").mark_rect().encode(color=colour)
    unknown = base.transform_filter("!datum.known").mark_rect(
        filled=False, stroke=VERMILLION, strokeDash=[3, 3]
    )
    strayed = base.transform_filter("datum.strayed").mark_rect(
        filled=False, stroke=VERMILLION, strokeWidth=1.5
    )
    size = alt.ExprRef("clamp(0.7 * min(bandwidth('x'), bandwidth('y')), 6, 18)")
    numbers = (
        base.transform_filter("datum.known")
        .mark_text(fontSize=size, baseline="middle")
        .encode(text="text:N", color=alt.Color("ink:N", scale=None))
    )
    crosses = base.transform_filter("!datum.known").mark_text(
        text="×", color=GREY, fontSize=size, baseline="middle"
    )
    layers = alt.layer(known, unknown, strayed, numbers, crosses).resolve_scale(color="independent")
    return specification(layers.properties(height=height))
