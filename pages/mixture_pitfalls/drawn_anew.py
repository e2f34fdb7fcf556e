"""Points drawn from the mixture that EM has fitted, one after another: a component by its weight, then a place."""

import streamlit as st
import torch

from lm_core.clustering.gaussian_mixture import Mixture, sample, weighted_densities
from lm_core.rng import generator
from pages.mixture_pitfalls.mixture_curves_chart import histogram_frame, mixture_curves
from pages.shared import page
from pages.shared.charts.palette import GREEN
from pages.shared.numbers import percent

_MOST, _LISTED, _BINS = 500, 6, 48


def draw_anew(fitted: Mixture, seed: int, reach: tuple[float, float], highest: float) -> None:
    """Draw the first points of a sequence, what each came from, and the histogram that they fill."""
    st.header("Draw from the fitted mixture", anchor=False)
    n = page.slider("drawn_anew", "Draws so far", 1, _MOST, 12, width=260)
    drawn, labels = sample(fitted, _MOST, generator(seed))
    points, components = drawn[:n, 0], labels[:n]
    weight = float(fitted.weights[components[-1]])
    st.markdown(
        f"**Draw {n}: component {int(components[-1]) + 1}, which has a probability of {percent(weight)},"
        f" and from its normal distribution {float(points[-1]):.2f}**"
    )
    x = torch.linspace(*reach, 241, dtype=torch.float64)
    frame = histogram_frame(points.numpy(), _BINS, reach)
    left, right = st.columns([2.2, 1], gap="medium")
    with left:
        page.show_chart(
            mixture_curves(
                frame,
                x.numpy(),
                {"fitted by EM": weighted_densities(fitted, x).numpy()},
                {"fitted by EM": page.LineStyle(GREEN, 2)},
                highest=highest,
                height=240,
            ),
            frame,
            key="drawn_anew_chart",
            alt=f"Histogram of {n} draws, and the curves of the fitted mixture that they come from.",
            name="drawn-from-the-mixture",
            is_small=True,
        )
    with right:
        last = range(n - 1, max(-1, n - 1 - _LISTED), -1)
        rows = [(i + 1, int(components[i]) + 1, round(float(points[i]), 3)) for i in last]
        st.dataframe(
            [dict(zip(("draw", "component", "x"), row, strict=True)) for row in rows],
            hide_index=True,
        )
    st.markdown(
        "A mixture is a recipe for data: first a component is drawn by the weights, then a point from that"
        " component's distribution. A bar that is far too high is chance while there are few draws, because"
        " one draw more changes it a lot; with hundreds the histogram comes near the curves. A fitted mixture"
        " can make up points in this way, as a language model makes up text."
    )
