"""How large a feature map is: padding, stride, channels, and the lecture slides' examples as matrices."""

import streamlit as st

from lm_core.experiments.convolution.examples import (
    CHANNELS,
    SIZE_EXAMPLES,
    SizeExample,
    cross_filter,
    numbered_image,
)
from lm_core.experiments.published import SLIDES
from pages.convolution.pictures import OWN
from pages.convolution.size_grids import STEP, Sizes, draw_sizes, written_size
from pages.shared import page

_OWN_SIZES = f"{OWN} sizes"
_EXAMPLE, _PADDING, _STRIDE = "example", "padding", "stride"
_MOST_ROWS, _MOST_FILTER, _MOST_PADDING, _MOST_STRIDE = 12, 7, 3, 4
_ANSWERS = {"3 × 4": (3, 4), "3 × 3": (3, 3), "5 × 7": (5, 7), "2 × 3": (2, 3)}


def _choose_sizes(screen: page.FirstScreen) -> Sizes:
    """Draw the choice of an example, padding and stride, and return them."""
    with screen.controls:
        name = page.choice(
            _EXAMPLE, "Example", [*SIZE_EXAMPLES, _OWN_SIZES], width=165, on_change=_begin_example
        )
        padding = page.slider(_PADDING, "Padding p", 0, _MOST_PADDING, 1, width=90)
        stride = page.slider(_STRIDE, "Stride s", 1, _MOST_STRIDE, 2, width=90)
    with page.more(screen):
        own = _own_sizes()
    example = SIZE_EXAMPLES.get(name, own)
    return Sizes(name, example._replace(padding=padding, stride=stride))


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
    example, trace = chosen.example, chosen.example.trace()
    asked = _ask(screen, chosen)
    with screen.picture:
        x, f = (written_size(t.shape[1:]) for t in example[:2])
        st.markdown(
            f"**{x} with padding {example.padding}, a filter of {f} and stride {example.stride} gives"
            f" {'?' if asked.masks else written_size(example.output)}**"
        )
        page.playback_bar(
            STEP,
            1 if asked.masks else trace.output.numel(),
            lambda step: draw_sizes(chosen, trace, step, asked),
            label="Place of the filter",
            start=0,
        )
    page.note_beside(
        screen,
        "*Padding* puts p rows and columns of zeros around the image; *stride* moves the filter by s"
        " cells at a time. The size of the map is a count of places, so what is left over at the end"
        " where no filter fits is dropped.",
    )
    if not page.is_presenting() and not asked.masks:
        _formula(chosen)


def _ask(screen: page.FirstScreen, chosen: Sizes) -> page.Asked:
    output = chosen.example.output
    return page.ask(
        screen,
        "size",
        "How many rows and columns does the feature map have?",
        _ANSWERS,
        right=page.answer_meaning(output, _ANSWERS),
        reason=f"**{written_size(output)}**, because the window begins once at each stride for"
        f" as long as it fits. The example is from {SLIDES} which have the result right, but"
        " print ⌊4/1⌋ on the way where ⌊8/2⌋ is meant.",
        when=chosen.is_printed,
    )


def _formula(chosen: Sizes) -> None:
    example = chosen.example
    p, s = example.padding, example.stride
    of_axes = [
        rf"\left\lfloor\frac{{{x} + 2\cdot{p} - {f} + {s}}}{{{s}}}\right\rfloor = "
        rf"\left\lfloor\frac{{{x + 2 * p - f + s}}}{{{s}}}\right\rfloor = {out}"
        for x, f, out in zip(
            example.image.shape[1:], example.weights.shape[1:], example.output, strict=True
        )
    ]
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
