"""Two rows of numbers, their products and sums, and the matrix that says the same, as grids."""

import numpy as np

from lm_core.models.convolution import ConvolutionTrace, toeplitz_matrix
from pages.convolution.pictures import sum_at
from pages.convolution.rows import CONVENTIONS, SLIDE_ROW, Rows, is_masked, listed
from pages.shared import page
from pages.shared.components.cell_grids import Grid, Outline, Stack, cell_grids

STEP = "place"  # the control that holds the place of w
_HEIGHT = 310


def draw_rows(rows: Rows, trace: ConvolutionTrace, step: int, asked: page.Asked) -> None:
    """Draw w under x at one place, and a click on a sum as its place."""
    matrix = toeplitz_matrix(
        trace.weights[0], (1, len(rows.inputs)), padding=(0, rows.zeros)
    ).numpy()
    cell_grids(
        [
            Stack(_row_grids(rows, trace, step, asked), 1.3, 100),
            Stack([_matrix_grid(rows, matrix, step)], 0.8, 100),
        ],
        key="row_grids",
        name="convolution-in-one-dimension",
        height=_HEIGHT,
        hint="Which sum is it?"
        if is_masked(rows, asked)
        else f"z{step + 1} = {sum_at(trace, (0, step))}",
        on_pick=lambda _, row, __: page.go_to(STEP, row),
    )


def _row_grids(rows: Rows, trace: ConvolutionTrace, step: int, asked: page.Asked) -> list[Grid]:
    """Return x, w and their products below each other, and below these the sums."""
    n = len(rows.weights)
    around = trace.padded[0, 0].numpy()
    laid, products = (np.zeros_like(around) for _ in range(2))
    laid[step : step + n] = trace.weights[0, 0].numpy()
    products[step : step + n] = trace.products[0, 0, step, 0].numpy()
    inside = range(step, step + n)
    if is_masked(rows, asked):
        products[step : step + n] = np.nan
    texts = [
        f"{value:g}".replace("-", "−") if row == 0 or i in inside else ""
        for row, values in enumerate((around, laid, products))
        for i, value in enumerate(values)
    ]
    size = 2.5 * max(1.0, float(np.abs([*rows.inputs, *rows.weights]).max()))
    zeros = rows.zeros
    upper = Grid(
        f"Place {step + 1}",
        np.stack([around, laid, products]),
        f"{zeros} zeros on each side of x" if zeros else "no zeros around x",
        reach=(size, size, size * size),
        texts=texts,
        muted=[(0, i) for i in (*range(zeros), *range(len(around) - zeros, len(around)))],
        outlines=[Outline(0, step, 2, n)],
        row_names=["x", rows.convention, "products"],
        share=3.4,
    )
    return [upper, _sum_grid(rows, step, asked)]


def _sum_grid(rows: Rows, step: int, asked: page.Asked) -> Grid:
    """Return the sums by the chosen convention, by both once they were guessed, and the lecture slides'."""
    is_revealed = asked.prediction is not None and not asked.masks
    shown = CONVENTIONS if is_revealed else (rows.convention,)
    sums = [rows.trace(convention).output[0].numpy() for convention in shown]
    if is_masked(rows, asked):
        sums = [np.full_like(sums[0], np.nan)]
    names = list(shown)
    if rows.is_printed:
        sums.append(np.array(SLIDE_ROW.printed, np.float32))
        names.append("the lecture slides")
    said = ""
    if is_revealed and asked.prediction is not None and asked.guess is not None:
        said = f"you said: {asked.guess.split(':')[0]}"
    return Grid(
        "Sums z",
        np.stack(sums),
        said,
        reach=2.5 * max(1.0, float(np.nan_to_num(np.abs(sums)).max())),
        outlines=[Outline(shown.index(rows.convention), step, 1, 1)],
        row_names=names,
        share=len(sums) + 0.4,
    )


def _matrix_grid(rows: Rows, matrix: np.ndarray, step: int) -> Grid:
    return Grid(
        "Toeplitz matrix C",
        matrix,
        f"{matrix.shape[0]} × {matrix.shape[1]}, z = Cx",
        f"Row {step + 1}: {listed(matrix[step].tolist())}.",
        reach=2.0 * max(1.0, float(np.abs(matrix).max())),
        outlines=[Outline(step, 0, 1, matrix.shape[1])],
        row_names=[f"z{i + 1}" for i in range(matrix.shape[0])],
        column_names=[f"x{i + 1}" for i in range(matrix.shape[1])],
        is_picked=True,
    )
