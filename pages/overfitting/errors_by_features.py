"""Errors of least squares by the number of features."""

from typing import NamedTuple

import pyarrow as pa

from lm_core.experiments.overfitting.double_descent import COUNTS, POINTS, Problem, errors_by_count
from lm_core.experiments.overfitting.study import DescentCurve
from pages.overfitting.scene import HEIGHT
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import significant

_TRAINING, _NEW, FIT = "training", "new points", "fit"
STYLES = {_TRAINING: LineStyle(BLUE, 1), _NEW: LineStyle(VERMILLION), FIT: LineStyle(VERMILLION)}
_FLOOR, _CEILING = 1e-3, 100.0
AT_N = COUNTS.index(POINTS)


class Chosen(NamedTuple):
    """The points, and how they are fitted."""

    noise: float
    weight_decay: float
    seed: int


def draw_errors(
    problem: Problem, chosen: Chosen, curve: DescentCurve, i: int, asked: page.Asked
) -> None:
    """Draw training and test error by the number of features."""
    is_masked = asked.masks
    guess = asked.at(lambda value: (float(COUNTS[-1]), value * curve.new[AT_N]))
    n = AT_N + 1 if is_masked else len(COUNTS)

    def pairs(row: tuple[float, ...]) -> list[tuple[float, float]]:
        return [(float(c), min(max(v, _FLOOR), _CEILING)) for c, v in zip(COUNTS, row, strict=True)]

    with page.model_calls:
        own = errors_by_count(problem, chosen.weight_decay, (COUNTS[i],)).new[0]
    ring = [(float(COUNTS[i]), min(max(own, _FLOOR), _CEILING))]
    band = [
        (x, low, high)
        for (x, low), (_, high) in zip(pairs(curve.low), pairs(curve.high), strict=True)
    ]
    page.show_chart(
        line_chart(
            {_TRAINING: pairs(curve.training), _NEW: pairs(curve.new)[:n]},
            STYLES,
            Axis("features D", (2, 1_000), True, (2, 5, 20, 100, 1_000)),
            Axis("mean squared error", (_FLOOR, _CEILING), True, (1e-3, 0.01, 0.1, 1, 10, 100)),
            bands={_NEW: band[:n]},
            references={f"D = {POINTS}": [(POINTS, _CEILING), (POINTS, _FLOOR)]},
            rings={} if is_masked and i >= n else {_NEW: ring},
            guess=guess,
            height=HEIGHT,
        ),
        pa.table(
            {
                "features": COUNTS,
                "training": curve.training,
                "new points": [*curve.new[:n], *[None] * (len(COUNTS) - n)],
            }
        ),
        key="descent_errors",
        alt=f"{COUNTS[i]} features: "
        + (
            f"error on new points {significant(own, 3)}."
            if i < n or not is_masked
            else "not yet shown."
        ),
        name="double-descent",
        is_small=True,
    )
