"""A picture, a filter over one window of it, their nine products and the feature map, as grids."""

import numpy as np

from lm_core.models.convolution import ConvolutionTrace
from pages.convolution.pictures import PictureAndFilter, keep_painted, picture_grid, sum_at
from pages.shared import page
from pages.shared.components.cell_grids import (
    Grid,
    GridPainting,
    Outline,
    Stack,
    cell_grids,
    follow_hand,
)

STEP = "window"  # the control that holds the place of the filter
BAR = Outline(0, 1, 1, 6)
"""Places of the feature map at which the filter sees nothing but the bar of the T."""
_HEIGHT = 305


def draw_image(
    scene: PictureAndFilter, trace: ConvolutionTrace, step: int, asked: page.Asked
) -> None:
    """Draw the filter at one place of the picture, and a click on the map as its place."""
    follow_hand()
    feature_map = trace.output.numpy().copy()
    row, column = divmod(step, feature_map.shape[1])
    side = len(scene.weights)
    total = float(feature_map[row, column])
    if asked.masks:
        feature_map[BAR.row, BAR.column : BAR.column + BAR.width] = np.nan
    is_asked = bool(np.isnan(feature_map[row, column]))
    picture = picture_grid(
        "Picture",
        scene.picture,
        note="to be painted on",
        alt=f"{int(scene.picture.sum())} of {scene.picture.numel()} cells are 1.",
        outlines=[Outline(row, column, side, side)],
    )
    reach = max(1.0, float(scene.weights.abs().max()))
    products = trace.products[0, row, column].numpy()
    said = "?" if is_asked else _plain(total)
    in_window = Grid(
        "Products",
        np.full_like(products, np.nan) if is_asked else products,
        f"sum {said}",
        reach=reach,
    )
    cell_grids(
        [
            Stack([picture], 1.25, 60),
            Stack([Grid("Filter", scene.weights.numpy(), reach=reach), in_window], 0.58, 30),
            Stack([_map_grid(feature_map, (row, column), asked)], 1.25, 100),
        ],
        key="image_grids",
        name="convolution",
        height=_HEIGHT,
        hint="What is the sum?" if is_asked else sum_at(trace, (row, column)),
        painting=GridPainting(0, 1, 0.0, keep_painted),
        on_pick=lambda _, at_row, at_column: page.go_to(
            STEP, at_row * feature_map.shape[1] + at_column
        ),
    )


def _map_grid(feature_map: np.ndarray, place: tuple[int, int], asked: page.Asked) -> Grid:
    (row, column), value = place, float(feature_map[place])
    outlines, note = [Outline(row, column, 1, 1)], ""
    if asked.guess is not None:
        outlines.append(BAR._replace(is_dashed=True))
        note = f"dashed: you said {asked.answers[asked.guess]:g}"
    return Grid(
        "Feature map",
        feature_map,
        note,
        f"At row {row + 1}, column {column + 1} it is"
        f" {'asked for' if np.isnan(value) else _plain(value)}.",
        reach=max(1.0, float(np.nanmax(np.abs(feature_map)))),
        outlines=outlines,
        is_picked=True,
        largest=40.0,
    )


def _plain(value: float) -> str:
    return f"{round(value, 2) + 0.0:g}".replace("-", "−")
