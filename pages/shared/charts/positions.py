"""Positions: codes as a heat map, pairs of waves as clock hands, buckets of distances as numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import (
    BLUE,
    GREEN,
    GREY,
    GUESS,
    SIGNED,
    VERMILLION,
    VIRIDIS,
    inks_on,
)

_PLAIN_AXIS: dict[str, Any] = {
    "labelAngle": 0,
    "labelFlush": False,
    "labelOverlap": "parity",
    "ticks": False,
    "domain": False,
}
_BEFORE, _AFTER = "position", "shifted"
_NUMBERS = ("sine", "cosine")
_HAND = "M0,0L0,-1.04"
"""Straight up, to just inside the rim: where a circle's radius is 2 / sqrt(pi) = 1.13."""


def code_frame(
    codes: np.ndarray, names: Sequence[str] | None = None, chosen: Sequence[int] = ()
) -> pd.DataFrame:
    """Return one row per number: position (from 0), name, coordinate (from 0), value, chosen.

    Parameters
    ----------
    codes : ndarray of shape (n, d)
    names : sequence of n str, optional
        Of the rows, all different; by default their numbers.
    chosen : sequence of int
        Rows to mark.
    """
    position, coordinate = np.indices(codes.shape)
    labels = np.asarray(names if names is not None else [str(i) for i in range(len(codes))])
    return pd.DataFrame(
        {
            "position": position.ravel(),
            "name": labels[position.ravel()],
            "coordinate": coordinate.ravel(),
            "value": codes.ravel().astype(float),
            "chosen": np.isin(position.ravel(), list(chosen)),
        }
    )


def code_map(
    frame: pd.DataFrame,
    *,
    reach: float,
    title: str = "position",
    hidden: Sequence[int] = (),
    height: int = 340,
) -> Drawing:
    """Draw a `code_frame`: rows from the top, blue is -reach, white 0, orange +reach.

    Parameters
    ----------
    frame : DataFrame
    reach : float
        Where the colours end.
    title : str
        Of the upright axis.
    hidden : sequence of int
        Rows with a question mark in place of their numbers.
    """
    first = frame["coordinate"] == 0
    is_hidden = frame["position"].isin(list(hidden))
    data = frame.assign(
        value=frame["value"].mask(is_hidden),
        head=frame["chosen"] & first,
        asked=is_hidden & first,
    )
    description = "Heat map: a row for each position, a column for each coordinate."
    ends = {"low": -reach, "half_low": -reach / 2, "half_high": reach / 2, "high": reach}
    return Drawing(filled(_map_spec(title, height), **ends), data, description)


@lru_cache(maxsize=64)
def _map_spec(title: str, height: int) -> dict[str, Any]:
    x = alt.X("coordinate:O", axis=alt.Axis(title="coordinate", **_PLAIN_AXIS))
    y = alt.Y(
        "name:N",
        sort=alt.EncodingSortField("position", op="min"),
        axis=alt.Axis(title=title or None, labelFont="monospace", labelLimit=140, **_PLAIN_AXIS),
    )
    domain: list[Any] = ["$low", "$half_low", 0, "$half_high", "$high"]
    scale = alt.Scale(domain=domain, range=list(SIGNED), clamp=True)
    legend = alt.Legend(
        orient="bottom", title=None, gradientLength=160, gradientThickness=8, tickCount=3
    )
    cells = (
        alt.Chart()
        .transform_filter("isValid(datum.value)")
        .mark_rect(strokeWidth=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("value:Q", scale=scale, legend=legend),
            stroke=alt.Stroke("value:Q", scale=scale, legend=None),  # no gaps between rows
            tooltip=["name:N", "coordinate:O", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    marks = (
        alt.Chart()
        .transform_filter("datum.head")
        .mark_rect(filled=False, stroke=VERMILLION, strokeWidth=2.5)
        .encode(x=alt.value(0), x2=alt.value("width"), y=y)
    )
    asked = (
        alt.Chart()
        .transform_filter("datum.asked")
        .mark_text(text="?", fontSize=20)
        .encode(x=alt.value(alt.ExprRef("width / 2")), y=y)
    )
    return specification(alt.layer(cells, marks, asked).properties(height=height))


def clock_frame(
    code: np.ndarray,
    shifted: np.ndarray,
    periods: Sequence[float],
    now: int,
    guess: float | None = None,
) -> pd.DataFrame:
    """Return two hands for each pair: pair (from 0), hand, sine, cosine, period, now.

    Parameters
    ----------
    code, shifted : ndarray of shape (d,)
        Sine and cosine of each pair in turn, of a position and of the one a shift further on.
    periods : sequence of d / 2 float
        Positions in which each hand goes round once.
    now : int
        The pair to mark.
    guess : float, optional
        The angle in degrees by which a visitor expected the marked hand to turn: a hand of its own.
    """
    rows: list[dict[str, Any]] = []
    for hand, vector in ((_BEFORE, code), (_AFTER, shifted)):
        for pair, (sine, cosine) in enumerate(vector.reshape(-1, 2).tolist()):
            rows.append(
                {
                    "pair": pair,
                    "hand": hand,
                    "sine": sine,
                    "cosine": cosine,
                    "period": periods[pair],
                    "now": pair == now,
                }
            )
    if guess is not None:
        angle = math.atan2(code[2 * now], code[2 * now + 1]) + math.radians(guess)
        guessed = {"hand": GUESS, "sine": math.sin(angle), "cosine": math.cos(angle)}
        rows.append({**rows[now], **guessed})
    return pd.DataFrame(rows)


def clock_chart(frame: pd.DataFrame, *, height: int = 280) -> Drawing:
    """Draw a `clock_frame`: a clock for each pair, cosine up, sine to the right, as on a clock face.

    The hand of the shifted position is dashed; the marked pair's clock has a thick rim.
    """
    period = frame["period"].map(lambda n: f"{n:,.0f}" if n >= 100 else f"{n:.1f}")
    title = "pair " + frame["pair"].astype(str) + "\none turn in " + period
    data = frame.assign(
        centre=2.5 * frame["pair"],
        zero=0.0,
        degrees=np.degrees(np.arctan2(frame["sine"], frame["cosine"])),
        title=title.where(frame["hand"] == _BEFORE, ""),
    )
    description = "Clocks: each pair of sine and cosine as a hand, at a position and shifted."
    hands = tuple(frame["hand"].unique())
    return Drawing(_clock_spec(int(frame["pair"].max()) + 1, hands, height), data, description)


@cache
def _clock_spec(pairs: int, hands: tuple[str, ...], height: int) -> dict[str, Any]:
    width = 2.5 * pairs
    x_scale = alt.Scale(domain=[-1.25, width - 1.25], nice=False)
    y_scale = alt.Scale(domain=[-1.1, 1.95], nice=False)
    radius = alt.ExprRef(f"PI * pow(min(width / {width}, height / 3.2), 2)")
    base = alt.Chart().encode(
        x=alt.X("centre:Q", scale=x_scale, axis=None), y=alt.Y("zero:Q", scale=y_scale, axis=None)
    )
    faces = base.mark_point(shape="circle", size=radius, filled=False, opacity=1).encode(
        color=alt.condition("datum.now", alt.value(VERMILLION), alt.value(GREY)),
        strokeWidth=alt.condition("datum.now", alt.value(3), alt.value(1.2)),
    )
    clock_hands = base.mark_point(shape=_HAND, size=radius, strokeWidth=3.5, opacity=1).encode(
        angle=alt.Angle("degrees:Q", scale=None),
        stroke=alt.Stroke(
            "hand:N",
            scale=alt.Scale(domain=list(hands), range=[BLUE, VERMILLION, GREEN][: len(hands)]),
            legend=alt.Legend(orient="bottom", title=None, symbolType="stroke"),
        ),
        strokeDash=alt.condition(
            f"datum.hand == '{_BEFORE}'", alt.value([1, 0]), alt.value([5, 5])
        ),
        tooltip=["pair:Q", "hand:N", *(alt.Tooltip(f"{n}:Q", format=".4f") for n in _NUMBERS)],
    )
    size = alt.ExprRef(f"clamp(width / {pairs} / 8, 9, 20)")
    titles = (
        alt.Chart()
        .mark_text(baseline="top", fontSize=size, lineBreak="\n")
        .encode(
            x=alt.X("centre:Q", scale=x_scale, axis=None),
            y=alt.datum(1.95, scale=y_scale),
            text="title:N",
        )
    )
    return specification(alt.layer(faces, clock_hands, titles).properties(height=height))


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


@dataclass(frozen=True)
class AskedPair:
    """The pair of query and key whose bucket is asked for; framed in the picture.

    Attributes
    ----------
    query, key : int
        From 0.
    guess : int or None
        The bucket that was said.
    is_answered : bool
        Whether the bucket is drawn; a question mark stands in its place otherwise.
    """

    query: int
    key: int
    guess: int | None = None
    is_answered: bool = False


def bucket_map(
    frame: pd.DataFrame,
    *,
    n_buckets: int,
    first_ahead: int | None,
    asked: AskedPair | None = None,
    height: int = 480,
) -> Drawing:
    """Draw a `bucket_frame`: queries down, keys across; what is no bucket is crossed out.

    Parameters
    ----------
    frame : DataFrame
    n_buckets : int
    first_ahead : int or None
        From this bucket on they belong to keys ahead; a key behind in one of them, or the other way
        round, gets a rim. None where keys ahead have no buckets of their own.
    asked : AskedPair, optional
        Drawn where the text is long enough to have it.
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
        ink=inks_on(frame["bucket"].clip(upper=n_buckets - 1) / (n_buckets - 1), VIRIDIS),
        asked=False,
        guess="",
    )
    if asked is not None:
        pair = (data["query"] == asked.query) & (data["key"] == asked.key)
        data.loc[pair, "asked"] = True
        if not asked.is_answered:
            data.loc[pair, "text"] = "?"
        elif asked.guess is not None:
            data.loc[pair, "guess"] = f"{GUESS}: {asked.guess}"
    description = "Heat map: the bucket of each pair of query and key."
    return Drawing(_bucket_spec(n_buckets, height), data, description)


@lru_cache(maxsize=32)
def _bucket_spec(n_buckets: int, height: int) -> dict[str, Any]:
    base = alt.Chart().encode(
        x=alt.X("key:O", axis=alt.Axis(title="key", **_PLAIN_AXIS)),
        y=alt.Y("query:O", axis=alt.Axis(title="query", **_PLAIN_AXIS)),
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
    pair = base.transform_filter("datum.asked")
    frame = pair.mark_rect(filled=False, stroke=VERMILLION, strokeWidth=3)
    guess = pair.mark_text(align="right", baseline="bottom", dx=12, dy=-12).encode(text="guess:N")
    layers = alt.layer(known, unknown, strayed, numbers, crosses, frame, guess).resolve_scale(
        color="independent"
    )
    return specification(layers.properties(height=height))
