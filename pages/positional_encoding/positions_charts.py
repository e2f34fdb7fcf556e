"""Positions: codes as a heat map, pairs of waves as clock hands, buckets of distances as numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
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

_PLAIN_AXIS: vl.Spec = {"labelAngle": 0, "labelFlush": False, "labelOverlap": "parity", **vl.BARE}
_BEFORE, _AFTER = "position", "shifted"
_HAND = "M0,0L0,-1.04"
"""Straight up, to just inside the rim: where a circle's radius is 2 / sqrt(pi) = 1.13."""


def code_frame(
    codes: np.ndarray, names: Sequence[str] | None = None, chosen: Sequence[int] = ()
) -> pd.DataFrame:
    """Return one row per number: position (from 0), name, coordinate (from 0), value, chosen.

    Parameters
    ----------
    codes : ndarray of shape (n, d)
    names : sequence of n str, of the rows, all different; by default their numbers
    chosen : sequence of int, rows to mark
    """
    position, coordinate = (index.ravel() for index in np.indices(codes.shape))
    labels = np.asarray(names if names is not None else [str(i) for i in range(len(codes))])
    return pd.DataFrame(
        {
            "position": position,
            "name": labels[position],
            "coordinate": coordinate,
            "value": codes.ravel().astype(float),
            "chosen": np.isin(position, list(chosen)),
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
    reach : float, where the colours end
    title : str, of the upright axis
    hidden : sequence of int, rows with a question mark in place of their numbers
    """
    first = frame["coordinate"] == 0
    is_hidden = frame["position"].isin(list(hidden))
    data = frame.assign(
        value=frame["value"].mask(is_hidden), head=frame["chosen"] & first, asked=is_hidden & first
    )
    description = "Heat map: a row for each position, a column for each coordinate."
    return Drawing(_map_spec(title, reach, height), data, description)


def _map_spec(title: str, reach: float, height: int) -> vl.Spec:
    axis = {"title": title or None, "labelFont": "monospace", "labelLimit": 140, **_PLAIN_AXIS}
    row = {"y": vl.field("name:N", sort=vl.by("position"), axis=axis)}
    column = {"x": vl.field("coordinate:O", axis={"title": "coordinate", **_PLAIN_AXIS})}
    ends = [reach * place for place in vl.AROUND_ZERO]
    shades = {"domain": ends, "range": list(SIGNED), "clamp": True}
    legend = vl.GRADIENT | {"tickCount": 3}
    cell = {
        "color": vl.field("value:Q", scale=shades, legend=legend),
        "stroke": vl.field("value:Q", scale=shades, legend=None),  # no gaps between rows
        "tooltip": ["name:N", "coordinate:O", "value:Q .3f"],
    }
    whole = {"x": vl.value(0), "x2": vl.value("width")}
    middle = {"x": vl.value(vl.expression("width / 2"))}
    return vl.layered(
        vl.mark("rect", column, row, cell, when="isValid(datum.value)", strokeWidth=1),
        vl.outlined(row, whole, when="datum.head"),
        vl.mark("text", row, middle, when="datum.asked", text="?", fontSize=20),
        height=height,
    )


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
    periods : sequence of d / 2 float, positions in which each hand goes round once
    now : int, the pair to mark
    guess : float, optional
        The angle in degrees by which a visitor expected the marked hand to turn: a hand of its own.
    """
    rows = [
        (pair, hand, sine, cosine, periods[pair], pair == now)
        for hand, vector in ((_BEFORE, code), (_AFTER, shifted))
        for pair, (sine, cosine) in enumerate(vector.reshape(-1, 2).tolist())
    ]
    if guess is not None:
        angle = math.atan2(code[2 * now], code[2 * now + 1]) + math.radians(guess)
        rows.append((now, GUESS, math.sin(angle), math.cos(angle), periods[now], True))
    return pd.DataFrame(rows, columns=["pair", "hand", "sine", "cosine", "period", "now"])


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
    hands = list(frame["hand"].unique())
    return Drawing(_clock_spec(int(frame["pair"].max()) + 1, hands, height), data, description)


def _clock_spec(pairs: int, hands: Sequence[str], height: int) -> vl.Spec:
    width = 2.5 * pairs
    upright = vl.scale(-1.1, 1.95)
    across = {"x": vl.field("centre:Q", scale=vl.scale(-1.25, width - 1.25), axis=None)}
    centre = across | {"y": vl.field("zero:Q", scale=upright, axis=None)}
    radius = vl.expression(f"PI * pow(min(width / {width}, height / 3.2), 2)")
    rim = {
        "color": vl.either("datum.now", VERMILLION, GREY),
        "strokeWidth": vl.either("datum.now", 3, 1.2),
    }
    inks = {"domain": list(hands), "range": [BLUE, VERMILLION, GREEN][: len(hands)]}
    legend = {"orient": "bottom", "title": None, "symbolType": "stroke"}
    hand = {
        "angle": vl.literal("degrees:Q"),
        "stroke": vl.field("hand:N", scale=inks, legend=legend),
        "strokeDash": vl.either(f"datum.hand == '{_BEFORE}'", [1, 0], [5, 5]),
        "tooltip": [*("pair:Q", "hand:N"), *(f"{name}:Q .4f" for name in ("sine", "cosine"))],
    }
    top = {"y": {"datum": 1.95, "scale": upright}, "text": "title:N"}
    size = vl.expression(f"clamp(width / {pairs} / 8, 9, 20)")
    face: vl.Spec = {"shape": "circle", "size": radius, "filled": False, "opacity": 1}
    return vl.layered(
        vl.mark("point", centre, rim, **face),
        vl.mark("point", centre, hand, shape=_HAND, size=radius, strokeWidth=3.5, opacity=1),
        vl.mark("text", across, top, baseline="top", fontSize=size, lineBreak="\n"),
        height=height,
    )


def bucket_frame(buckets: np.ndarray, n_buckets: int) -> pd.DataFrame:
    """Return one row per pair: query, key (from 0), offset, bucket, known (whether there is such one)."""
    query, key = (index.ravel() for index in np.indices(buckets.shape))
    return pd.DataFrame(
        {
            "query": query,
            "key": key,
            "offset": key - query,
            "bucket": buckets.ravel(),
            "known": buckets.ravel() < n_buckets,
        }
    )


@dataclass(frozen=True)
class AskedPair:
    """The pair of query and key whose bucket is asked for; framed in the picture."""

    query: int  # from 0
    key: int  # from 0
    guess: int | None = None  # the bucket that was said
    # whether the bucket is drawn; a question mark stands in its place otherwise
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
    first_ahead : int or None
        From this bucket on they belong to keys ahead; a key behind in one of them, or the other way
        round, gets a rim. None where keys ahead have no buckets of their own.
    asked : AskedPair, drawn where the text is long enough to have it
    """
    n = int(frame["query"].max()) + 1
    strayed = frame["known"] & (first_ahead is not None)
    if first_ahead is not None:
        strayed &= (frame["bucket"] >= first_ahead) != (frame["offset"] > 0)
    data = frame.assign(
        strayed=strayed,
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


def _bucket_spec(n_buckets: int, height: int) -> vl.Spec:
    pair = {
        "x": vl.field("key:O", axis={"title": "key", **_PLAIN_AXIS}),
        "y": vl.field("query:O", axis={"title": "query", **_PLAIN_AXIS}),
        "tooltip": ["query:O", "key:O", "offset:Q", "bucket:Q"],
    }
    shades = {"domain": [0, n_buckets - 1], "scheme": "viridis"}
    number = {"text": "text:N", "color": vl.literal("ink:N")}
    size = vl.expression("clamp(0.84 * min(bandwidth('x'), bandwidth('y')), 9, 20)")
    sign: vl.Spec = {"fontSize": size, "baseline": "middle"}
    aside: vl.Spec = {"align": "right", "baseline": "bottom", "dx": 12, "dy": -12}
    known, unknown = "datum.known", "!datum.known"
    return vl.layered(
        vl.mark(
            "rect", pair, {"color": vl.field("bucket:Q", scale=shades, legend=None)}, when=known
        ),
        vl.outlined(pair, when=unknown, strokeWidth=1, strokeDash=[3, 3]),
        vl.outlined(pair, when="datum.strayed", strokeWidth=1.5),
        vl.mark("text", pair, number, when=known, **sign),
        vl.mark("text", pair, when=unknown, text="×", **sign),
        vl.outlined(pair, when="datum.asked", strokeWidth=3),
        vl.mark("text", pair, {"text": "guess:N"}, when="datum.asked", **aside),
        height=height,
        resolve={"scale": {"color": "independent"}},
    )
