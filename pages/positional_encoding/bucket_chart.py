"""Buckets of distances as numbers, a cell for each query and key."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pages.positional_encoding.code_chart import PLAIN_AXIS
from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import (
    GUESS,
    VIRIDIS,
    inks_on,
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
        "x": vl.field("key:O", axis={"title": "key", **PLAIN_AXIS}),
        "y": vl.field("query:O", axis={"title": "query", **PLAIN_AXIS}),
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
