"""Two rows of numbers and a convention: what is chosen of a convolution in one dimension."""

from typing import NamedTuple

import streamlit as st
import torch

from lm_core.experiments.convolution.examples import SlideRow, read_numbers
from lm_core.models.convolution import ConvolutionTrace, trace_convolution
from pages.shared import page

SLIDE_ROW = SlideRow()
FLIPPED, AS_WRITTEN = "w flipped", "w as written"
CONVENTIONS = (FLIPPED, AS_WRITTEN)
_MOST_INPUTS, _MOST_WEIGHTS, _LONGEST = 8, 5, 80
_MOST_ZEROS = 4


class Rows(NamedTuple):
    """Two rows of numbers, the zeros on each side of the first, and the convention."""

    inputs: tuple[float, ...]
    weights: tuple[float, ...]
    zeros: int
    convention: str

    @property
    def is_printed(self) -> bool:
        """Whether the lecture slides print a result for these numbers."""
        full = len(self.weights) - 1
        return (*self[:2], self.zeros) == (SLIDE_ROW.inputs, SLIDE_ROW.weights, full)

    def trace(self, convention: str) -> ConvolutionTrace:
        """Return all that is computed by a convention."""
        inputs, weights = (torch.tensor(row)[None, None] for row in self[:2])
        return trace_convolution(
            inputs, weights, padding=(0, self.zeros), is_flipped=convention == FLIPPED
        )


def choose_rows(screen: page.FirstScreen) -> Rows:
    """Draw the choice of the convention, the zeros and both rows, and return them."""
    with screen.controls:
        is_flipped = page.switch("flip", "Flip w", True)
        zeros = page.slider("zeros", "Padding p", 0, _MOST_ZEROS, 2, width=110)
        with st.popover("More", icon=":material/tune:"):
            typed = [
                page.text(
                    name,
                    f"{label}: 1 to {most} numbers",
                    " ".join(f"{number:g}" for number in start),
                    max_chars=_LONGEST,
                )
                for name, label, most, start in _FIELDS
            ]
            page.say_limits({name: _LONGEST for name, *_ in _FIELDS})
    with screen.beside:
        inputs, weights = (
            _read(name, label, most, start, raw)
            for (name, label, most, start), raw in zip(_FIELDS, typed, strict=True)
        )
    return Rows(inputs, weights, int(zeros), FLIPPED if is_flipped else AS_WRITTEN)


_FIELDS = (
    ("inputs", "x", _MOST_INPUTS, SLIDE_ROW.inputs),
    ("row_weights", "w", _MOST_WEIGHTS, SLIDE_ROW.weights),
)
"""Name, label, most numbers and start of each field."""


def _read(
    name: str, label: str, most: int, start: tuple[float, ...], raw: str
) -> tuple[float, ...]:
    def read(text: str) -> tuple[float, ...]:
        return read_numbers(page.checked_text(text, most=_LONGEST, name=label), most, label)

    return page.read_or_keep(name, raw, read, " ".join(map(str, start)))


def listed(numbers: list[float]) -> str:
    """Return a row of numbers as it is written."""
    return f"[{', '.join(f'{number:g}' for number in numbers)}]".replace("-", "−")


def is_masked(rows: Rows, asked: page.Asked) -> bool:
    """Return whether the sums on screen are what is asked for."""
    return asked.masks and rows.convention == AS_WRITTEN
