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
from pages.mixture_pitfalls.drawn_anew import draw_anew
from pages.mixture_pitfalls.mixture_curves_chart import histogram_frame, mixture_curves
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, GREY, GUESS, VERMILLION

_REACH, _HIGHEST = (-6.0, 6.0), 0.6
_TRUE, _PUBLISHED, _FITTED = "true components", "published", "fitted by EM"
_STYLES = {
    _TRUE: page.LineStyle(BLUE),
    _PUBLISHED: page.LineStyle(VERMILLION, 1),
    _FITTED: page.LineStyle(GREEN, 2),
    GUESS: page.LineStyle(GREY, 2),
}
_DRAWN = (_TRUE, _PUBLISHED, _FITTED)
_HEIGHTS = {"0.7 times": 0.7, "As high": 1.0, "1.4 times": 1.4, "2 times": 2.0}
"""How high the published curves may rise beside the true ones."""


class _Line(NamedTuple):
    points: Tensor
    mixture: Mixture
    fitted: Mixture


def draw_one_dimension(screen: page.FirstScreen) -> None:
    """Draw the published one-dimensional mixture, and say what is wrong with its picture."""
    with screen.controls:
        n = page.slider("points", "Number of points", 50, 2000, 500, 50, width=260)
        with st.popover("More", icon=":material/tune:"):
            shown = page.several(
                "curves", "Curves", list(_DRAWN), [_TRUE, _PUBLISHED])  # fmt: skip
            bins = page.slider("bins", "Bins", 10, 100, 100, 5)
            seed = page.number("seed", "Seed", 0, 9999, 1)
    line = _line(n, seed)
    x = torch.linspace(*_REACH, 241, dtype=torch.float64)
    variance = float(line.mixture.covariances[0, 0, 0])
    every = {
        _TRUE: weighted_densities(line.mixture, x).numpy(),
        _PUBLISHED: weighted_densities(line.mixture, x, stretch=math.sqrt(variance)).numpy(),
        _FITTED: weighted_densities(line.fitted, x).numpy(),
    }
    asked = page.ask(
        screen,
        "published",
        f"A published program passes the *variance*, {variance:g}, where the *standard deviation*"
        " belongs. How high do its curves rise, beside the true ones?",
        _HEIGHTS,
        right=_ratio(every),
        reason=_reason(every, variance),
    )
    known = {*shown} - asked.hides(_PUBLISHED)
    curves = {name: every[name] for name in _DRAWN if name in known}
    if asked.value:
        curves[GUESS] = weighted_densities(line.mixture, x, stretch=1.0 / asked.value).numpy()
    frame = histogram_frame(line.points[:, 0].numpy(), bins, _REACH)
    with screen.picture:
        st.markdown(f"**{_finding(every, is_masked=asked.masks)}**")
        page.show_chart(
            mixture_curves(frame, x.numpy(), curves, _STYLES, highest=_HIGHEST),
            frame,
            key="one_dimension",
            alt=f"Histogram of {n} points on a line with two peaks, at -3 and 2, and as curves:"
            f" {', '.join(curves) or 'none'}.",
            name="mixture-on-a-line",
        )
    _explain_unseen()
    _table(line)
    if not page.is_presenting():
        draw_anew(line.fitted, seed, _REACH, _HIGHEST)


def _finding(every: dict[str, np.ndarray], *, is_masked: bool) -> str:
    if is_masked:
        return f"The true curves follow the histogram, up to {every[_TRUE].max():.3f}"
    return f"The published curves rise {_ratio(every):.2f} times as high as the true ones"


def _ratio(every: dict[str, np.ndarray]) -> float:
    return float(every[_PUBLISHED].max() / every[_TRUE].max())


@st.cache_resource(max_entries=64)
def _line(n: int, seed: int) -> _Line:
    drawn = draw(on_a_line(), n, generator(seed))
    centres = initial_centres(drawn.points, 2, "farthest point", seed)
    fitted = em.fit(drawn.points, mixture_from_centres(drawn.points, centres), tolerance=1e-6)
    assert drawn.mixture is not None
    return _Line(drawn.points, drawn.mixture, fitted.mixture)


def _reason(every: dict[str, np.ndarray], variance: float) -> str:
    true, published = (float(every[name].max()) for name in (_TRUE, _PUBLISHED))
    deviation = math.sqrt(variance)
    return (
        f"The standard deviation is √{variance:g} = {deviation:.3f}. With {variance:g} in its"
        f" place the curves are {variance / deviation:.2f} times as wide, and since the area stays,"
        f" they rise to {published:.3f} instead of {true:.3f}: **{published / true:.2f} times** as"
        " high."
    )


def _explain_unseen() -> None:
    st.markdown(
        "Each curve still covers an area equal to its weight, so nothing looks wrong without the"
        " histogram. With many points the bars extend beyond the dashed curves on both sides and stay"
        " below their tops.",
        help="Published: a notebook of the blog series on mixtures.",
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
