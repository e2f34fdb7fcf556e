"""A mixture in one dimension: the histogram, the true densities, the published curves, and EM's."""

import math
from typing import NamedTuple

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from lm_core.clustering import em
from lm_core.clustering.datasets import draw, on_a_line
from lm_core.clustering.gaussian_mixture import Mixture, weighted_densities
from lm_core.clustering.initialisation import initial_centres, mixture_from_centres
from lm_core.rng import generator
from pages.shared import charts
from pages.shared.charts import LineStyle
from pages.shared.charts.palette import BLUE, GREEN, VERMILLION
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

_REACH, _HIGHEST = (-6.0, 6.0), 0.6
_TRUE, _PUBLISHED, _FITTED = "true components", "published", "fitted by EM"
_STYLES = {
    _TRUE: LineStyle(BLUE),
    _PUBLISHED: LineStyle(VERMILLION, 1),
    _FITTED: LineStyle(GREEN, 2),
}


class _Line(NamedTuple):
    points: Tensor
    mixture: Mixture
    fitted: Mixture


def draw_one_dimension() -> None:
    """Draw the published one-dimensional mixture, and say what is wrong with its picture."""
    columns = st.columns([1.2, 1, 0.8, 2], vertical_alignment="bottom")
    with columns[0]:
        n = control(st.slider, "points", "Number of points", 50, 2000, 500, 50)
    with columns[1]:
        bins = control(st.slider, "bins", "Bins", 10, 100, 100, 5)
    with columns[2]:
        seed = control(st.number_input, "seed", "Seed", 0, 9999, 1)
    with columns[3]:
        shown = control(
            st.pills, "curves", "Curves", list(_STYLES), selection_mode="multi",
            default=[_TRUE, _PUBLISHED],
        )  # fmt: skip
    line = _line(n, seed)
    x = torch.linspace(*_REACH, 241, dtype=torch.float64)
    variance = float(line.mixture.covariances[0, 0, 0])
    every = {
        _TRUE: weighted_densities(line.mixture, x).numpy(),
        _PUBLISHED: weighted_densities(line.mixture, x, stretch=math.sqrt(variance)).numpy(),
        _FITTED: weighted_densities(line.fitted, x).numpy(),
    }
    curves = {name: every[name] for name in _STYLES if name in shown}
    frame = charts.histogram_frame(line.points[:, 0].numpy(), bins, _REACH)
    show_chart(
        charts.mixture_curves(frame, x.numpy(), curves, _STYLES, highest=_HIGHEST),
        frame,
        key="one_dimension",
        alt=f"Histogram of {n} points on a line with two peaks, at -3 and 2, and as curves:"
        f" {', '.join(curves) or 'none'}.",
        name="mixture-on-a-line",
    )
    _explain(every, variance)
    _table(line)


@st.cache_resource(max_entries=64)
def _line(n: int, seed: int) -> _Line:
    drawn = draw(on_a_line(), n, generator(seed))
    centres = initial_centres(drawn.points, 2, "farthest point", seed)
    fitted = em.fit(drawn.points, mixture_from_centres(drawn.points, centres), tolerance=1e-6)
    return _Line(drawn.points, drawn.mixture, fitted.mixture)


def _explain(every: dict[str, np.ndarray], variance: float) -> None:
    true, published = (float(every[name].max()) for name in (_TRUE, _PUBLISHED))
    deviation = math.sqrt(variance)
    st.markdown(
        f"The points are drawn with a *variance* of {variance:g}, a standard deviation of √{variance:g}"
        f" = {deviation:.3f}. The published notebook passes {variance:g} to a function that expects the"
        f" *standard deviation*. Its curves are {variance / deviation:.2f} times as wide and rise to"
        f" {published:.3f} instead of {true:.3f}: {published / true:.2f} times as high. Each still covers an"
        " area equal to its weight, so nothing looks wrong without the histogram. With many points the"
        " bars extend beyond the dashed curves on both sides and stay below their tops."
    )


def _table(line: _Line) -> None:
    rows = []
    order = line.fitted.means[:, 0].argsort(descending=True).tolist()
    for component, fitted in enumerate(order):
        rows.append(
            {
                "component": component + 1,
                "weight": float(line.mixture.weights[component]),
                "weight by EM": float(line.fitted.weights[fitted]),
                "mean": float(line.mixture.means[component, 0]),
                "mean by EM": float(line.fitted.means[fitted, 0]),
                "variance": float(line.mixture.covariances[component, 0, 0]),
                "variance by EM": float(line.fitted.covariances[fitted, 0, 0]),
            }
        )
    st.dataframe(rows, hide_index=True, height="content")
