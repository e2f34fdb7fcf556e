"""A probability estimated along one quantity: from one sample, from others, and the truth."""

from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, specification, with_columns
from pages.shared.charts.palette import BLUE, GREY, ORANGE, PURPLE, SKY

OWN, TRUTH, OTHER = "your sample", "truth", "other sample"
_BIRD, _ELSE, _NOW, _NAMES = "bird", "no bird", "now", "names"
_DOMAIN = (0.8, 400.0)
_TICKS = (1, 2, 5, 10, 20, 50, 100, 200)


def estimate_table(
    lengths: np.ndarray, curves: np.ndarray, truth: np.ndarray | None = None
) -> pa.Table:
    """Return the curves as rows: sample (from 0, the own), curve, length, probability.

    Parameters
    ----------
    lengths : ndarray of shape (G,)
        In cm.
    curves : ndarray of shape (R, G)
        Of P(bird), the own sample's first; NaN where a sample says nothing.
    truth : ndarray of shape (G,), optional
    """
    kinds = [OWN, *[OTHER] * (len(curves) - 1)]
    if truth is not None:
        curves, kinds = np.vstack([curves, truth]), [*kinds, TRUTH]
    n = len(lengths)
    return pa.table(
        {
            "sample": np.repeat(np.arange(len(curves)), n),
            "curve": np.repeat(kinds, n),
            "length": np.tile(lengths, len(curves)),
            "probability": pa.array(curves.ravel(), from_pandas=True),
        }
    )


def estimate_chart(
    table: pa.Table,
    lengths: np.ndarray,
    is_bird: np.ndarray,
    *,
    now: float,
    is_stepped: bool = False,
    height: int = 300,
) -> Drawing:
    """Draw an `estimate_table`, and the animals of the own sample above and below it.

    Parameters
    ----------
    table : Table
    lengths, is_bird : ndarray of shape (n,)
        The animals: birds are triangles at the top, others circles at the bottom.
    now : float
        The length to mark, in cm.
    is_stepped : bool
        Whether the estimates are equal throughout an interval, and change at once at its end.
    """
    names = [f"━ {OWN}"]
    shown = table["curve"].unique().to_pylist()
    if TRUTH in shown:
        names.append(f"╍ {TRUTH}")
    if OTHER in shown:
        names.append(f"─ {OTHER}s")
    names.append("▲ a bird")
    stagger = 0.018 * (np.arange(len(lengths)) % 4)
    animals = pa.table(
        {
            "curve": np.where(is_bird, _BIRD, _ELSE),
            "length": np.clip(lengths, *_DOMAIN).astype(float),
            "probability": np.where(is_bird, 1.045 + stagger, -0.045 - stagger),
        }
    )
    marks = pa.table({"curve": [_NOW, _NAMES], "length": [float(now), float(now)]})
    data = pa.concat_tables([table, animals, marks], promote_options="default")
    label = "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE} ".join(names)
    data = with_columns(data, label=[""] * (len(data) - 1) + [label])
    description = "Lines: the estimated probability of a bird against the length in cm."
    return Drawing(_spec(height, is_stepped=is_stepped), data, description)


@cache
def _spec(height: int, *, is_stepped: bool) -> dict[str, Any]:
    x = alt.X(
        "length:Q",
        scale=alt.Scale(type="log", domain=list(_DOMAIN), nice=False),
        axis=alt.Axis(title="length (cm)", values=list(_TICKS), format="~f", grid=False),
    )
    y = alt.Y(
        "probability:Q",
        scale=alt.Scale(domain=[-0.12, 1.12], nice=False),
        axis=alt.Axis(title="P(bird)", values=[0, 0.25, 0.5, 0.75, 1], format=".2~f"),
    )
    base = alt.Chart().encode(x)

    def of(kind: str) -> alt.Chart:
        return base.transform_filter(alt.datum.curve == kind)

    tooltip = ["curve:N", alt.Tooltip("length:Q", format=".3~g")]
    with_value = [*tooltip, alt.Tooltip("probability:Q", format=".2f")]
    line: dict[str, Any] = {"invalid": "break-paths-show-path-domains"}
    steps: dict[str, Any] = {"interpolate": "step"} if is_stepped else {}
    layers = [
        of(_NOW).mark_rule(color=GREY, strokeDash=[3, 3]),
        of(OTHER)
        .mark_line(color=SKY, strokeWidth=1, opacity=0.55, **line, **steps)
        .encode(y, detail="sample:N"),
        of(TRUTH)
        .mark_line(color=GREY, strokeWidth=3, strokeDash=[7, 4])
        .encode(y, tooltip=with_value),
        of(OWN).mark_line(color=BLUE, strokeWidth=3, **line, **steps).encode(y, tooltip=with_value),
        of(_BIRD)
        .mark_point(shape="triangle-up", color=ORANGE, size=34, filled=True, opacity=0.75)
        .encode(y, tooltip=tooltip),
        of(_ELSE)
        .mark_point(shape="circle", color=PURPLE, size=26, filled=True, opacity=0.75)
        .encode(y, tooltip=tooltip),
        alt.Chart()
        .transform_filter(alt.datum.curve == _NAMES)
        .mark_text(align="left", baseline="bottom", dy=-4)
        .encode(x=alt.value(0), y=alt.value(0), text="label:N"),
    ]
    return specification(alt.layer(*layers).properties(height=height))
