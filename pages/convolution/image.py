"""A filter moved over a picture that the class paints: every window, its nine products, and the feature map."""

from typing import NamedTuple

import numpy as np
import streamlit as st
from torch import Tensor

from lm_core.experiments.convolution.examples import VERTICAL
from lm_core.models.convolution import ConvolutionTrace, trace_convolution
from pages.convolution.pictures import (
    choose_filter,
    choose_picture,
    filter_of,
    keep_painted,
    picture_of,
    type_filter,
    type_picture,
    written_sum,
)
from pages.shared import page
from pages.shared.components.cell_grids import (
    Grid,
    GridPainting,
    Outline,
    Stack,
    cell_grids,
    follow_hand,
)
from pages.shared.numbers import significant
from pages.shared.ui.lesson import (
    answer_meaning,
)

_HEIGHT = 305
_ASKED = ("T", VERTICAL)
_BAR = Outline(0, 1, 1, 6)
"""Places of the feature map at which the filter sees nothing but the bar of the T."""
_FIRST = 4 * 8 + 2
_STEP = "window"
_ANSWERS = {"As much as along the stem: ±3": 3.0, "About half: ±2": 2.0, "Nothing: 0": 0.0}


class Scene(NamedTuple):
    """A picture (10, 10), a filter (3, 3), and by which names they were chosen."""

    names: tuple[str, str]
    picture: Tensor
    weights: Tensor


def _choose_scene(screen: page.FirstScreen) -> Scene:
    """Draw the choice of a picture and a filter, and return both."""
    with screen.controls:
        names = choose_picture(), choose_filter()
        with st.popover("More", icon=":material/tune:"):
            typed = type_picture(), type_filter()
    with screen.beside:
        return Scene(names, picture_of(names[0], typed[0]), filter_of(names[1], typed[1]))


def image(screen: page.FirstScreen) -> None:
    """Draw a picture, a filter over one window of it, and the feature map."""
    scene = _choose_scene(screen)
    trace = trace_convolution(scene.picture[None], scene.weights[None])
    feature_map = trace.output.numpy()
    asked = _ask(screen, scene, feature_map)
    with screen.picture:
        st.markdown(f"**{_finding(scene, feature_map, asked)}**")
        page.playback_bar(
            _STEP,
            feature_map.size,
            lambda step: _draw(scene, trace, step, asked),
            label="Window",
            start=_FIRST,
            seconds_per_step=0.5,
        )
    page.note_beside(
        screen,
        "A *filter* is a small grid of weights. It is laid on every *window* of the picture, the"
        " nine products are added up, and the sums are the *feature map*, so the map is large"
        " where the picture has what the weights ask for. **Paint on the picture**, or click a"
        " cell of the map.",
    )
    if not page.is_presenting():
        st.markdown(
            r"In two dimensions: $[W \circledast X]_{i,j} = \sum_{u=0}^{H-1} \sum_{v=0}^{W-1}"
            r" w_{u,v}\, x_{i+u,\,j+v}$,"
            f" here with H = W = {len(scene.weights)}: {scene.weights.numel()} weights for all"
            f" {feature_map.size} windows, because all windows share them; a full matrix would have"
            f" {feature_map.size} · {scene.picture.numel()} ="
            f" {feature_map.size * scene.picture.numel():,}."
        )


def _ask(screen: page.FirstScreen, scene: Scene, feature_map: np.ndarray) -> page.Asked:
    if scene.names != _ASKED:
        return page.Asked()
    found = _along_the_bar(feature_map)
    strongest = np.abs(feature_map).max()
    return page.ask(
        screen,
        "filter",
        "How strongly does this filter respond to the bar of the T, between its ends?",
        _ANSWERS,
        right=answer_meaning(float(found.max()), _ANSWERS),
        reason=f"**{found.max():g}** at all {found.size} places: left and right of the window are"
        " alike there, so −1 and +1 cancel. Only a change from left to right is seen,"
        f" ±{strongest:g} at the stem.",
    )


def _along_the_bar(feature_map: np.ndarray) -> np.ndarray:
    return np.abs(feature_map[_BAR.row, _BAR.column : _BAR.column + _BAR.width])


def _finding(scene: Scene, feature_map: np.ndarray, asked: page.Asked) -> str:
    if asked.masks:
        return "The filter responds to both sides of the stem; and to the bar?"
    if scene.names == _ASKED:
        return "The filter sees the sides of the stem, ±3, and of the bar nothing but its ends"
    low, high = feature_map.min(), feature_map.max()
    n_zero = int((np.abs(feature_map) < 1e-6).sum())
    if low == high == 0:
        return "This filter responds to nothing in this picture: paint something"
    numbers = f"from {significant(low, 3)} to {significant(high, 3)}"
    return f"Responses reach {numbers}; at {n_zero} of {feature_map.size} places it is 0"


def _draw(scene: Scene, trace: ConvolutionTrace, step: int, asked: page.Asked) -> None:
    follow_hand()
    feature_map = trace.output.numpy().copy()
    row, column = divmod(step, feature_map.shape[1])
    side = len(scene.weights)
    products = trace.products[0, row, column].numpy()
    total = feature_map[row, column]
    is_masked = asked.masks
    outlines, note = [Outline(row, column, 1, 1)], ""
    if asked.prediction is not None:
        if is_masked:
            feature_map[_BAR.row, _BAR.column : _BAR.column + _BAR.width] = np.nan
        elif asked.guess is not None:
            outlines.append(_BAR._replace(is_dashed=True))
            note = f"dashed: you said {_ANSWERS[asked.guess]:g}"
    is_asked = bool(np.isnan(feature_map[row, column]))
    window = scene.picture[row : row + side, column : column + side]
    pairs = zip(scene.weights.flatten().tolist(), window.flatten().tolist(), strict=True)
    reach = max(1.0, float(scene.weights.abs().max()))
    cell_grids(
        [
            Stack(
                [
                    Grid(
                        "Picture",
                        scene.picture.numpy(),
                        "to be painted on",
                        f"{int(scene.picture.sum())} of {scene.picture.numel()} cells are 1.",
                        is_signed=False,
                        has_numbers=False,
                        outlines=[Outline(row, column, side, side)],
                    )
                ],
                1.25,
                60,
            ),
            Stack(
                [
                    Grid("Filter", scene.weights.numpy(), reach=reach),
                    Grid(
                        "Products",
                        np.full_like(products, np.nan) if is_asked else products,
                        "sum ?" if is_asked else f"sum {_plain(total)}",
                        reach=reach,
                    ),
                ],
                0.58,
                30,
            ),
            Stack(
                [
                    Grid(
                        "Feature map",
                        feature_map,
                        note,
                        f"At row {row + 1}, column {column + 1} it is"
                        f" {'asked for' if is_asked else _plain(total)}.",
                        reach=max(1.0, float(np.nanmax(np.abs(feature_map)))),
                        outlines=outlines,
                        is_picked=True,
                        largest=40.0,
                    )
                ],
                1.25,
                100,
            ),
        ],
        key="image_grids",
        name="convolution",
        height=_HEIGHT,
        hint="What is the sum?" if is_asked else written_sum(list(pairs), float(total)),
        painting=GridPainting(0, 1, 0.0, keep_painted),
        on_pick=lambda _, at_row, at_column: page.go_to(
            _STEP, at_row * feature_map.shape[1] + at_column
        ),
    )


def _plain(value: float) -> str:
    return f"{round(float(value), 2) + 0.0:g}".replace("-", "−")
