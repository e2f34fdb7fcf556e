"""An image, a filter at one place of it and the feature map, with several channels or as a matrix, as grids."""

from typing import NamedTuple

import numpy as np

from lm_core.experiments.convolution.examples import SMALL, STRIDED, SizeExample
from lm_core.models.convolution import ConvolutionTrace
from pages.convolution.pictures import sum_at
from pages.shared import page
from pages.shared.components.cell_grids import Grid, Outline, Stack, cell_grids

STEP = "size_place"  # the control that holds the place of the filter
_HEIGHT = 305


class Sizes(NamedTuple):
    """An image and a filter, by the name of the example, with the padding and the stride that are chosen."""

    name: str
    example: SizeExample

    @property
    def is_printed(self) -> bool:
        """Whether the lecture slides say how large the output is."""
        return (self.name, self.example.padding, self.example.stride) == (STRIDED, 1, 2)


def written_size(shape: tuple[int, ...]) -> str:
    """Return rows and columns."""
    return f"{shape[0]} × {shape[1]}"


def draw_sizes(chosen: Sizes, trace: ConvolutionTrace, step: int, asked: page.Asked) -> None:
    """Draw the filter at one place, and a click on the map as its place."""
    n_columns = trace.output.shape[1]
    place = divmod(step, n_columns)
    cell_grids(
        _stacks(chosen, trace, place, asked),
        key="size_grids",
        name="convolution-sizes",
        height=_HEIGHT - (95 if chosen.name == SMALL else 0),
        hint=sum_at(trace, place, chosen.example.stride),
        on_pick=lambda _, row, column: page.go_to(STEP, row * n_columns + column),
    )


def _stacks(
    chosen: Sizes, trace: ConvolutionTrace, place: tuple[int, int], asked: page.Asked
) -> list[Stack]:
    padding, stride = chosen.example[2:]
    (row, column), (height, width) = place, trace.weights.shape[1:]
    n_channels = len(trace.padded)
    window = Outline(row * stride, column * stride, height, width)
    names = [f" {i + 1}" if n_channels > 1 else "" for i in range(n_channels)]
    images = [
        Grid(
            f"Image{name}",
            padded.numpy(),
            written_size(chosen.example.image.shape[1:]),
            reach=20.0,
            padding=(padding, padding),
            outlines=[window],
        )
        for name, padded in zip(names, trace.padded, strict=True)
    ]
    filters = [
        Grid(f"Filter{name}", weights.numpy(), written_size((height, width)), reach=6.0)
        for name, weights in zip(names, trace.weights, strict=True)
    ]
    stacks = [Stack(images, trace.padded.shape[2]), Stack(filters, max(2.2, 0.8 * width))]
    if n_channels > 1:
        maps = [
            Grid(f"Channel{name}", map_.numpy(), reach=3.0 * float(map_.abs().max()))
            for name, map_ in zip(names, trace.by_channel, strict=True)
        ]
        stacks.append(Stack(maps, 2.5))
    stacks.append(Stack([_map_grid(trace, place, asked)], max(3.0, trace.output.shape[1])))
    if chosen.name == SMALL and trace.output.numel() <= 16:
        stacks.append(Stack([_matrix_grid(chosen.example, place)], 9))
    return stacks


def _map_grid(trace: ConvolutionTrace, place: tuple[int, int], asked: page.Asked) -> Grid:
    output = trace.output.numpy()
    if asked.masks:
        return Grid("Feature map", np.array([[np.nan]]), "? × ?", "Its size is asked for.")
    note, outlines = written_size(output.shape), [Outline(*place, 1, 1)]
    if asked.guess is not None:
        rows, columns = asked.answers[asked.guess]
        note += f"; you said {asked.guess}"
        if rows <= output.shape[0] and columns <= output.shape[1]:
            outlines.append(Outline(0, 0, rows, columns, is_dashed=True))
    return Grid(
        "Feature map" if len(trace.by_channel) == 1 else "Sum over channels",
        output,
        note,
        reach=2.5 * max(1.0, float(np.abs(output).max())),
        outlines=outlines,
        is_picked=True,
    )


def _matrix_grid(example: SizeExample, place: tuple[int, int]) -> Grid:
    matrix = example.matrix().numpy()
    row = place[0] * example.output[1] + place[1]
    return Grid(
        "The same as a matrix",
        matrix,
        f"{written_size(matrix.shape)}: y = Cx",
        reach=6.0,
        outlines=[Outline(row, 0, 1, matrix.shape[1])],
        row_names=[f"y{i + 1}" for i in range(len(matrix))],
        column_names=[f"x{i + 1}" for i in range(matrix.shape[1])],
    )
