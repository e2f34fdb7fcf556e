"""A probability estimated along one quantity: from one sample, from others, and the truth."""

from typing import Any

import numpy as np
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import TEXT_SIZE, Drawing, with_columns
from pages.shared.charts.palette import BLUE, GREY, ORANGE, PURPLE, SKY

OWN, TRUTH, OTHER = "your sample", "truth", "other sample"
_BIRD, _ELSE, _NOW, _NAMES, _NAMES_ABOVE = "bird", "no bird", "now", "names", "names above"
_DOMAIN = (0.8, 400.0)
_TICKS = (1, 2, 5, 10, 20, 50, 100, 200)


def estimate_table(
    lengths: np.ndarray, curves: np.ndarray, truth: np.ndarray | None = None
) -> pa.Table:
    """Return the curves as rows: sample (from 0, the own), curve, length, probability.

    Parameters
    ----------
    lengths : ndarray of shape (G,), in cm
    curves : ndarray of shape (R, G), of P(bird), the own sample's first; NaN where a sample says nothing
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
    lengths, is_bird : ndarray of shape (n,)
        The animals: birds are triangles at the top, others circles at the bottom.
    now : float, the length to mark, in cm
    is_stepped : bool, whether the estimates are equal throughout an interval, and change at once at its end
    """
    names = [f"━ {OWN}"]
    shown = table["curve"].unique().to_pylist()
    if TRUTH in shown:
        names.append(f"╍ {TRUTH}")
    if OTHER in shown:
        names.append(f"─ {OTHER}s")
    names.append("▲ a bird")
    stagger = 0.045 + 0.018 * (np.arange(len(lengths)) % 4)
    # No reader sees these heights as numbers: they have no more digits than the curves travel with.
    height_of = np.where(is_bird, 1.0 + stagger, -stagger).astype(np.float32).astype(float)
    animals = pa.table(
        {
            "curve": np.where(is_bird, _BIRD, _ELSE),
            "length": np.clip(lengths, *_DOMAIN).astype(float),
            "probability": height_of,
        }
    )
    description = "Lines: the estimated probability of a bird against the length in cm."

    def arranged(text_size: int) -> pa.Table:
        """Return the rows with the names of the marks in one line; in two as text for the back row."""
        lines = {_NAMES_ABOVE: names[:2], _NAMES: names[2:]}
        lines = {_NAMES: names} if text_size == TEXT_SIZE else lines
        labels = ["\N{NO-BREAK SPACE}\N{NO-BREAK SPACE} ".join(line) for line in lines.values()]
        marks = pa.table({"curve": [_NOW, *lines], "length": [float(now)] * (1 + len(lines))})
        rows = pa.concat_tables([table, animals, marks], promote_options="default")
        return with_columns(rows, label=[""] * (len(rows) - len(lines)) + labels)

    return Drawing(_spec(height, is_stepped=is_stepped), arranged(TEXT_SIZE), description, arranged)


def _spec(height: int, *, is_stepped: bool) -> vl.Spec:
    upright = {"title": "P(bird)", "values": [0, 0.25, 0.5, 0.75, 1], "format": ".2~f"}
    level = {"title": "length (cm)", "values": list(_TICKS), "format": "~f", "grid": False}
    x = {"x": vl.field("length:Q", scale=vl.scale(*_DOMAIN, type="log"), axis=level)}
    y = {"y": vl.field("probability:Q", scale=vl.scale(-0.12, 1.12), axis=upright)}
    tooltip = ["curve:N", "length:Q .3~g"]
    animal = {"tooltip": tooltip}
    curve = {"tooltip": [*tooltip, "probability:Q .2f"]}
    line: vl.Spec = {"invalid": "break-paths-show-path-domains"}
    if is_stepped:
        line["interpolate"] = "step"
    dots: vl.Spec = {"filled": True, "opacity": 0.75}
    corner = {"x": vl.value(0), "y": vl.value(0), "text": "label:N"}

    def of(kind: str, mark: str, *encodings: vl.Spec, **look: Any) -> vl.Spec:
        return vl.mark(mark, *encodings, when=f"datum.curve === '{kind}'", **look)

    return vl.layered(
        of(_NOW, "rule", x, color=GREY, strokeDash=[3, 3]),
        of(
            OTHER,
            "line",
            x,
            y,
            {"detail": "sample:N"},
            color=SKY,
            strokeWidth=1,
            opacity=0.55,
            **line,
        ),
        of(TRUTH, "line", x, y, curve, color=GREY, strokeWidth=3, strokeDash=[7, 4]),
        of(OWN, "line", x, y, curve, color=BLUE, strokeWidth=3, **line),
        of(_BIRD, "point", x, y, animal, shape="triangle-up", color=ORANGE, size=34, **dots),
        of(_ELSE, "point", x, y, animal, shape="circle", color=PURPLE, size=26, **dots),
        of(_NAMES, "text", corner, align="left", baseline="bottom", dy=-4),
        of(_NAMES_ABOVE, "text", corner, align="left", baseline="bottom", dy=-30),
        height=height,
    )
