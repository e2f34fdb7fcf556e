"""Whether a component collapses, by the floor of its variance."""

import math
from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.clustering.em import EMStep
from pages.shared import page
from pages.shared.charts.palette import VERMILLION

FLOORS = {"none": 0.0} | {f"1e-{power}": 10.0**-power for power in range(12, 0, -1)}


class Runs(NamedTuple):
    """What came of one start, with each floor."""

    steps: dict[str, tuple[EMStep, ...]]  # by floor
    ends: dict[str, float]  # log-likelihood at the end, by floor


def draw_by_floor(runs: Runs, floor: str) -> None:
    """Draw the final log-likelihood against the floor: a straight line."""
    pairs = [(FLOORS[name], end) for name, end in runs.ends.items() if math.isfinite(end)]
    if len(pairs) < 2:
        return
    pairs.sort()
    values = [end for _, end in pairs]
    low, high = 20 * math.floor(min(values) / 20), 20 * math.ceil(max(values) / 20 + 0.05)
    name = "final"
    drawing = page.line_chart(
        {name: [pair for pair in pairs if pair[0] > 0]},
        {name: page.LineStyle(VERMILLION)},
        page.Axis("covariance floor (share of variance)", (1e-12, 1e-1), is_logarithmic=True),
        page.Axis("log-likelihood", (low, high)),
        now=FLOORS[floor] or None,
        has_points=True,
        height=260,
    )
    frame = pd.DataFrame(pairs, columns=["floor", "log-likelihood"])
    broke = [name for name, end in runs.ends.items() if math.isinf(end)]
    page.show_chart(
        drawing,
        frame,
        key="by_floor",
        alt=f"Final log-likelihood by floor: from {values[0]:.1f} at {pairs[0][0]:g} to"
        f" {values[-1]:.1f} at {pairs[-1][0]:g}.",
        name="log-likelihood-by-floor",
    )
    decade = runs.ends["1e-9"] - runs.ends["1e-8"]
    st.markdown(
        f"With a floor of 1e-8 the log-likelihood ends at {runs.ends['1e-8']:.2f}, with 1e-9 at"
        f" {runs.ends['1e-9']:.2f}: **{decade:.3f}** more. In two dimensions, a tenth of the"
        f" variance makes the peak ten times as high, and ln 10 = {math.log(10):.3f}. So a"
        " component on a single point gains this with every further factor of ten."
        + (" Without a floor the log-likelihood is infinite and EM stops." if broke else "")
    )
