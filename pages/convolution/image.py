"""A filter moved over a picture that the class paints: every window, its nine products, and the feature map."""

import numpy as np
import streamlit as st

from lm_core.experiments.convolution.examples import VERTICAL
from lm_core.models.convolution import trace_convolution
from pages.convolution.image_grids import BAR, STEP, draw_image
from pages.convolution.pictures import PictureAndFilter, choose_names, read_both, type_both
from pages.shared import page
from pages.shared.numbers import significant

_ASKED = ("T", VERTICAL)
_FIRST = 4 * 8 + 2
_ANSWERS = {"As much as along the stem: ±3": 3.0, "About half: ±2": 2.0, "Nothing: 0": 0.0}


def _choose_scene(screen: page.FirstScreen) -> PictureAndFilter:
    with screen.controls:
        names = choose_names()
    with page.more(screen):
        typed = type_both()
    with screen.beside:
        return read_both(names, typed)


def image(screen: page.FirstScreen) -> None:
    """Draw a picture, a filter over one window of it, and the feature map."""
    scene = _choose_scene(screen)
    trace = trace_convolution(scene.picture[None], scene.weights[None])
    feature_map = trace.output.numpy()
    asked = _ask(screen, scene, feature_map)
    with screen.picture:
        st.markdown(f"**{_finding(scene, feature_map, asked)}**")
        page.playback_bar(
            STEP,
            feature_map.size,
            lambda step: draw_image(scene, trace, step, asked),
            label="Window",
            start=_FIRST,
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


def _ask(screen: page.FirstScreen, scene: PictureAndFilter, feature_map: np.ndarray) -> page.Asked:
    if scene.names != _ASKED:
        return page.Asked()
    found = _along_the_bar(feature_map)
    strongest = np.abs(feature_map).max()
    return page.ask(
        screen,
        "filter",
        "How strongly does this filter respond to the bar of the T, between its ends?",
        _ANSWERS,
        right=page.answer_meaning(float(found.max()), _ANSWERS),
        reason=f"**{found.max():g}** at all {found.size} places: left and right of the window are"
        " alike there, so −1 and +1 cancel. Only a change from left to right is seen,"
        f" ±{strongest:g} at the stem.",
    )


def _along_the_bar(feature_map: np.ndarray) -> np.ndarray:
    return np.abs(feature_map[BAR.row, BAR.column : BAR.column + BAR.width])


def _finding(scene: PictureAndFilter, feature_map: np.ndarray, asked: page.Asked) -> str:
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
