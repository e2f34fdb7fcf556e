"""Pictures and filters of the page: chosen, typed or painted, and both in the link."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from torch import Tensor

from lm_core.experiments.convolution import examples
from lm_core.models.convolution import ConvolutionTrace, windows
from pages.shared import page
from pages.shared.components.cell_grids import Grid

OWN = "Your own"

PICTURE, MOVED_PICTURE = "image", "moved_image"
"""The controls that choose a picture, each of one part of the page."""


class PictureAndFilter(NamedTuple):
    """What a filter is moved over, and the filter, with the names by which both were chosen."""

    names: tuple[str, str]
    picture: Tensor  # (10, 10)
    weights: Tensor  # (3, 3)


class _Field(NamedTuple):
    """A field for what a class types itself."""

    key: str
    label: str
    name: str  # as errors have it
    first: str
    most: int  # characters
    height: int
    read: Callable[[str], Tensor]
    help: str | None = None

    def draw(self) -> str:
        """Draw it, and return what it holds."""
        typed = page.control(
            st.text_area,
            self.key,
            self.label,
            self.first,
            max_chars=self.most,
            height=self.height,
            help=self.help,
        )
        page.say_limits({self.key: self.most})
        return str(typed)

    def numbers(self, typed: str) -> Tensor:
        """Return what was typed as numbers, as it could be read last."""
        return page.read_or_keep(
            self.key,
            typed,
            lambda raw: self.read(page.checked_text(raw, most=self.most, name=self.name)),
            self.first,
        )


_PICTURE = _Field(
    "own_picture",
    "Your own picture: ten rows of 0 and 1",
    "the picture",
    examples.write_picture(examples.PICTURES["Seven"].numpy()),
    150,
    270,
    examples.read_picture,
    "It is easier to paint: press or drag on the picture.",
)
_FILTER = _Field(
    "own_filter",
    "Your own filter: three rows of three numbers",
    "the filter",
    "1 0 −1\n2 0 −2\n1 0 −1",
    100,
    110,
    examples.read_filter,
)


def choose_names(name: str = PICTURE, first: str = "T") -> tuple[str, str]:
    """Draw the choice of a picture, as a control of that name, and of a filter; return their names."""
    pictures, filters = [*examples.PICTURES, OWN], [*examples.FILTERS, OWN]
    return (
        page.choice(name, "Picture", pictures, first, width=150),
        page.choice("filter", "Filter", filters, width=190),
    )


def type_both() -> tuple[str, str]:
    """Draw the fields with the own picture and the own filter, and return what they hold."""
    return _PICTURE.draw(), _FILTER.draw()


def read_both(names: tuple[str, str], typed: tuple[str, str]) -> PictureAndFilter:
    """Return the chosen picture and filter; own ones as they could be read last."""
    picture, weights = names
    return PictureAndFilter(
        names,
        _PICTURE.numbers(typed[0]) if picture == OWN else examples.PICTURES[picture],
        _FILTER.numbers(typed[1]) if weights == OWN else examples.FILTERS[weights],
    )


def picture_grid(title: str, picture: Tensor, **drawn: Any) -> Grid:
    """Return a picture as a grid of white and black cells."""
    return Grid(title, picture.numpy(), is_signed=False, has_numbers=False, **drawn)


def keep_painted(cells: np.ndarray, name: str = PICTURE) -> None:
    """Make what was painted the picture, and choose it by the control of that name."""
    st.session_state[_PICTURE.key] = examples.write_picture(cells)
    st.session_state[name] = OWN


def written_sum(products: list[tuple[float, float]], total: float) -> str:
    """Return a sum of products with its numbers; factors of 0 are left out.

    Examples
    --------
    >>> written_sum([(-1.0, 0.0), (1.0, 1.0), (2.0, 0.5)], 2.0)
    '1·1 + 2·0.5 = 2'
    """
    parts = [f"{_number(w)}·{_number(x)}" for w, x in products if w and x]
    return f"{' + '.join(parts) or '0'} = {_number(total)}"


def sum_at(trace: ConvolutionTrace, place: tuple[int, int], stride: int = 1) -> str:
    """Return the sum at a place of a feature map with its numbers."""
    row, column = place
    height, width = trace.weights.shape[1:]
    seen = windows(trace.padded, (height, width), (stride, stride))[:, row, column]
    pairs = zip(trace.weights.flatten().tolist(), seen.flatten().tolist(), strict=True)
    return written_sum(list(pairs), float(trace.output[place]))


def _number(value: float) -> str:
    text = f"{round(value, 2) + 0.0:g}".replace("-", "−")
    return f"({text})" if value < 0 else text
