"""Pairs of waves as the hands of clocks, before and after a shift."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import (
    BLUE,
    GREEN,
    GREY,
    GUESS,
    VERMILLION,
)

_BEFORE, _AFTER = "position", "shifted"
_HAND = "M0,0L0,-1.04"
"""Straight up, to just inside the rim: where a circle's radius is 2 / sqrt(pi) = 1.13."""


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
