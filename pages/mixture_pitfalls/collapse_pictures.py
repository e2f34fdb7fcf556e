"""A step of EM while a component collapses: its ellipses, and how narrow each component is."""

import math
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.clustering import side_by_side
from lm_core.clustering.em import EMStep
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.clustering.data import Data
from pages.shared.clustering.panels import em_panel
from pages.shared.components.cluster_panels import Scene, bounds_of, cluster_panels
from pages.shared.numbers import significant

POINTS, SEED = 60, 1
_MARGIN = 0.9
"""Around the ringed point: room for the ellipses that it begins with."""
WIDEN, _KEEP, SHRINK = "Widen it over a group", "Keep its width", "Shrink it to nothing"
_NARROWEST = 1e-8  # of the axis
_LINES = {"1": page.LineStyle(BLUE), "2": page.LineStyle(VERMILLION, 1)}
"""The components, by their numbers in the picture: longer names have no room beside the lines."""


class Shown(NamedTuple):
    """The run on screen: its points, its steps, how narrow each component is at each, the ringed point."""

    data: Data
    steps: tuple[EMStep, ...]
    widths: tuple[tuple[float, float], ...]
    point: int
    asked: page.Asked[float]  # what a visitor expects of component 2 at the end


def expected_widths(widths: tuple[tuple[float, float], ...]) -> dict[str, float]:
    """Return the standard deviation for which each answer stands: that of a group, its own, or none."""
    (group, own), *_ = widths
    return {WIDEN: group, _KEEP: own, SHRINK: _NARROWEST}


def draw_step(place: DeltaGenerator, shown: Shown, step: int) -> None:
    """Draw the components at a step, and their widths up to it."""
    now = shown.steps[step]
    with place:
        st.markdown(
            f"**Component 2 holds {now.statistics.counts[1]:.2f} of {POINTS} points with a standard"
            f" deviation of {significant(shown.widths[step][1], 2)}**"
        )
        left, right = st.columns([1.7, 1], gap="small")
        with left:
            _panel(shown, step)
        with right:
            _widths(shown, step)


def _panel(shown: Shown, step: int) -> None:
    now = shown.steps[step]
    likelihood = side_by_side.log_likelihoods(shown.steps)[step]
    said = "infinite" if math.isinf(likelihood) else f"{likelihood:.1f}".replace("-", "−")
    drawn = shown.data.points.numpy()
    scene = Scene(
        drawn,
        shown.data.directions,
        bounds_of(drawn, drawn[shown.point] + [[0.0, _MARGIN], [0.0, -_MARGIN]]),
        f"collapse-step-{step}",
        is_flat=True,
        chosen=shown.point,
        is_fixed=True,
        aspect=1.9,
    )
    title = f"· iteration {now.iteration}, {now.phase}-step: log-likelihood {said}"
    cluster_panels(scene, [em_panel(now, shown.data.plane, title)], key="collapse_panel")


def _widths(shown: Shown, step: int) -> None:
    """Draw how narrow each component has become, up to this step."""
    so_far = list(enumerate(shown.widths[: step + 1]))
    lines = {name: [(i, w[k]) for i, w in so_far] for k, name in enumerate(_LINES)}
    last = max(len(shown.steps) - 1, 1) if step else 4
    now = significant(shown.widths[step][1], 2)
    page.show_chart(
        page.line_chart(
            lines,
            _LINES,
            page.Axis("step", (0, last)),
            page.Axis("standard deviation of 1 and 2", (_NARROWEST, 10.0), is_logarithmic=True),
            guess=shown.asked.at(lambda width: (last, width)),
            now=step,
            has_points=True,
            height=230,
        ),
        pd.DataFrame([(i, *w) for i, w in so_far], columns=["step", *_LINES]),
        key="widths",
        alt=f"Smallest standard deviation of each component by step: {now} for component 2 in step"
        f" {step}.",
        name="standard-deviations",
        is_small=True,
    )
