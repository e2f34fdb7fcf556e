"""How large a feature map is: padding, stride, channels, and the lecture slides' examples as matrices."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.experiments.convolution.examples import (
    CHANNELS,
    SIZE_EXAMPLES,
    SMALL,
    STRIDED,
    SizeExample,
    cross_filter,
    numbered_image,
)
from lm_core.experiments.published import SLIDES
from lm_core.models.convolution import (
    ConvolutionTrace,
    output_size,
    toeplitz_matrix,
    trace_convolution,
)
from pages.convolution.pictures import OWN, written_sum
from pages.shared import page
from pages.shared.components.cell_grids import Grid, Outline, Stack, cell_grids
from pages.shared.ui.lesson import (
    answer_meaning,
)

_HEIGHT = 305
_STEP = "size_place"
_OWN_SIZES = f"{OWN} sizes"
_EXAMPLE, _PADDING, _STRIDE = "example", "padding", "stride"
_MOST_ROWS, _MOST_FILTER, _MOST_PADDING, _MOST_STRIDE = 12, 7, 3, 4
_ANSWERS = {"3 × 4": (3, 4), "3 × 3": (3, 3), "5 × 7": (5, 7), "2 × 3": (2, 3)}


class Sizes(NamedTuple):
    """An image and a filter with padding and stride; the example's own two do not count."""

    name: str
    example: SizeExample
    padding: int
    stride: int

    @property
    def output(self) -> tuple[int, int]:
        """Rows and columns of the feature map."""
        image, weights = self.example.image.shape[1:], self.example.weights.shape[1:]
        rows, columns = (
            output_size(x, f, self.padding, self.stride)
            for x, f in zip(image, weights, strict=True)
        )
        return rows, columns

    @property
    def is_printed(self) -> bool:
        """Whether the lecture slides say how large the output is."""
        return (self.name, self.padding, self.stride) == (STRIDED, 1, 2)


def _choose_sizes(screen: page.FirstScreen) -> Sizes:
    """Draw the choice of an example, padding and stride, and return them."""
    with screen.controls:
        name = page.choice(
            _EXAMPLE, "Example", [*SIZE_EXAMPLES, _OWN_SIZES], width=165, on_change=_begin_example
        )
        padding = page.slider(_PADDING, "Padding p", 0, _MOST_PADDING, 1, width=90)
        stride = page.slider(_STRIDE, "Stride s", 1, _MOST_STRIDE, 2, width=90)
        with st.popover("More", icon=":material/tune:"):
            own = _own_sizes()
    return Sizes(name, SIZE_EXAMPLES.get(name, own), int(padding), int(stride))


def _begin_example() -> None:
    """Give an example the padding and the stride with which it is printed."""
    found = SIZE_EXAMPLES.get(st.session_state.get(_EXAMPLE, ""))
    if found is not None:
        st.session_state[_PADDING], st.session_state[_STRIDE] = found.padding, found.stride


def _own_sizes() -> SizeExample:
    st.caption(f"For *{_OWN_SIZES}*")
    rows, columns, side = (
        page.number(name, label, 1, most, start)
        for name, label, most, start in (
            ("image_rows", "Rows of the image", _MOST_ROWS, 6),
            ("image_columns", "Columns of the image", _MOST_ROWS, 8),
            ("filter_side", "Rows and columns of the filter", _MOST_FILTER, 2),
        )
    )
    return SizeExample(numbered_image(rows, columns), cross_filter(side, side), 0, 1)


def sizes(screen: page.FirstScreen) -> None:
    """Draw the padded image, the filter at one place and the feature map, with its size by the formula."""
    chosen = _choose_sizes(screen)
    rows, columns = chosen.output
    trace = trace_convolution(
        *chosen.example[:2], padding=(chosen.padding,) * 2, stride=(chosen.stride,) * 2
    )
    asked = _ask(screen, chosen)
    is_masked = asked.masks
    with screen.picture:
        x, f = (_size(t.shape[1:]) for t in chosen.example[:2])
        st.markdown(
            f"**{x} with padding {chosen.padding}, a filter of {f} and stride {chosen.stride} gives"
            f" {'?' if is_masked else _size((rows, columns))}**"
        )
        page.playback_bar(
            _STEP,
            1 if is_masked else rows * columns,
            lambda step: _draw(chosen, trace, step, asked),
            label="Place of the filter",
            seconds_per_step=0.5,
        )
    page.note_beside(
        screen,
        "*Padding* puts p rows and columns of zeros around the image; *stride* moves the filter by s"
        " cells at a time. The size of the map is a count of places, so what is left over at the end"
        " where no filter fits is dropped.",
    )
    if not page.is_presenting() and not is_masked:
        _formula(chosen)


def _size(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} × {shape[1]}"


def _ask(screen: page.FirstScreen, chosen: Sizes) -> page.Asked:
    return page.ask(
        screen,
        "size",
        "How many rows and columns does the feature map have?",
        _ANSWERS,
        right=answer_meaning(chosen.output, _ANSWERS),
        reason=f"**{_size(chosen.output)}**, because the window begins once at each stride for"
        f" as long as it fits. The example is from {SLIDES} which have the result right, but"
        " print ⌊4/1⌋ on the way where ⌊8/2⌋ is meant.",
        when=chosen.is_printed,
    )


def _draw(chosen: Sizes, trace: ConvolutionTrace, step: int, asked: page.Asked) -> None:
    output = trace.output.numpy()
    row, column = divmod(step, output.shape[1])
    pairs = [
        (weight, x)
        for channel, weights in enumerate(trace.weights)
        for weight, x in zip(
            weights.flatten().tolist(),
            trace.padded[
                channel,
                row * chosen.stride : row * chosen.stride + weights.shape[0],
                column * chosen.stride : column * chosen.stride + weights.shape[1],
            ]
            .flatten()
            .tolist(),
            strict=True,
        )
    ]
    cell_grids(
        _stacks(chosen, trace, (row, column), asked),
        key="size_grids",
        name="convolution-sizes",
        height=_HEIGHT - (95 if chosen.name == SMALL else 0),
        hint=written_sum(pairs, float(output[row, column])),
        on_pick=lambda _, r, c: st.session_state.__setitem__(_STEP, r * output.shape[1] + c),
    )


def _stacks(
    chosen: Sizes, trace: ConvolutionTrace, place: tuple[int, int], asked: page.Asked
) -> list[Stack]:
    (row, column), stride = place, chosen.stride
    height, width = trace.weights.shape[1:]
    n_channels = len(trace.padded)
    window = Outline(row * stride, column * stride, height, width)
    names = [f" {i + 1}" if n_channels > 1 else "" for i in range(n_channels)]
    images = [
        Grid(
            f"Image{name}",
            padded.numpy(),
            _size(chosen.example.image.shape[1:]),
            reach=20.0,
            padding=(chosen.padding,) * 2,
            outlines=[window],
        )
        for name, padded in zip(names, trace.padded, strict=True)
    ]
    filters = [
        Grid(f"Filter{name}", weights.numpy(), _size((height, width)), reach=6.0)
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
        stacks.append(Stack([_matrix_grid(chosen, place)], 9))
    return stacks


def _map_grid(trace: ConvolutionTrace, place: tuple[int, int], asked: page.Asked) -> Grid:
    output = trace.output.numpy()
    if asked.masks:
        return Grid("Feature map", np.array([[np.nan]]), "? × ?", "Its size is asked for.")
    note, outlines = _size(output.shape), [Outline(*place, 1, 1)]
    if asked.prediction is not None and asked.guess is not None:
        guess = _ANSWERS[asked.guess]
        note += f"; you said {asked.guess}"
        if guess[0] <= output.shape[0] and guess[1] <= output.shape[1]:
            outlines.append(Outline(0, 0, *guess, is_dashed=True))
    return Grid(
        "Feature map" if len(trace.by_channel) == 1 else "Sum over channels",
        output,
        note,
        reach=2.5 * max(1.0, float(np.abs(output).max())),
        outlines=outlines,
        is_picked=True,
    )


def _matrix_grid(chosen: Sizes, place: tuple[int, int]) -> Grid:
    """Return the matrix by which the flattened image is multiplied."""
    image = chosen.example.image.shape[1:]
    matrix = toeplitz_matrix(
        chosen.example.weights[0],
        (image[0], image[1]),
        padding=(chosen.padding,) * 2,
        stride=(chosen.stride,) * 2,
    ).numpy()
    row = place[0] * chosen.output[1] + place[1]
    return Grid(
        "The same as a matrix",
        matrix,
        f"{_size(matrix.shape)}: y = Cx",
        reach=6.0,
        outlines=[Outline(row, 0, 1, matrix.shape[1])],
        row_names=[f"y{i + 1}" for i in range(len(matrix))],
        column_names=[f"x{i + 1}" for i in range(matrix.shape[1])],
    )


def _formula(chosen: Sizes) -> None:
    p, s = chosen.padding, chosen.stride
    of_axes = []
    for x, f, out in zip(
        chosen.example.image.shape[1:], chosen.example.weights.shape[1:], chosen.output, strict=True
    ):
        of_axes.append(
            rf"\left\lfloor\frac{{{x} + 2\cdot{p} - {f} + {s}}}{{{s}}}\right\rfloor = "
            rf"\left\lfloor\frac{{{x + 2 * p - f + s}}}{{{s}}}\right\rfloor = {out}"
        )
    st.markdown(
        rf"Size by the formula $\lfloor (x + 2p - f + s)/s \rfloor$: rows ${of_axes[0]}$, columns"
        rf" ${of_axes[1]}$."
        " With 2p = f − 1 and stride 1 the size stays."
    )
    if chosen.name == CHANNELS:
        st.markdown(
            "With several *channels*, such as red, green and blue, a filter has weights for each,"
            " and the sums of all channels are added, so one filter still makes one map."
        )
