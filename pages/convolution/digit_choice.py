"""Digits of the page: chosen, drawn, moved, and read by every network."""

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from lm_core.experiments.convolution.digits import (
    CANVAS,
    LEVELS,
    MARGIN,
    load_digits,
    on_canvas,
    split_digits,
)
from lm_core.experiments.convolution.examples import read_picture, write_picture
from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.study import CNN, DIGIT_NETWORKS, GLOBAL_CNN, MLP
from lm_core.experiments.convolution.training import CENTRED, PLACES
from lm_core.models.convolution import shifted
from pages.shared import page
from pages.shared.components.cell_grids import Grid, GridPainting, Outline
from pages.shared.numbers import percent
from pages.shared.ui.text_input import checked_text, read_or_keep, say_limits

MOVED, INSIDE = "Moved digits", "Inside"
_OWN = "Your own"
RIGHT, DOWN = "digit_right", "digit_down"  # the controls that move the digit
_DIGIT, _OWN_DIGIT = "digit", "own_digit"
_LETTERS = "abcdefghijklmnopq"
_LONGEST = 200
_FIRST = "3"
_EXAMPLE = 2  # which of the test digits of a kind is shown
_BRUSH = 0.75
IN_WORDS = {CNN: "CNN", GLOBAL_CNN: "CNN with global pooling", MLP: "MLP"}
"""What each network is called in a sentence."""


class Shown(NamedTuple):
    """What is on screen."""

    view: str
    places: str
    canvas: Tensor  # shape (12, 12): the digit before it is moved, from 0 to 16
    right: int  # how it is moved
    down: int  # how it is moved

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drawn."""
        return not bool(self.canvas.any())

    @property
    def image(self) -> Tensor:
        """What the networks read, (1, 12, 12)."""
        return shifted(self.canvas[None] / LEVELS, self.down, self.right)


@st.cache_resource(max_entries=1, show_spinner=False)
def _examples() -> dict[str, Tensor]:
    """Return a test digit of each kind on its canvas, from 0 to 16."""
    _, test = split_digits(load_digits())
    return {
        str(digit): LEVELS * on_canvas(test.images[test.labels == digit])[_EXAMPLE]
        for digit in range(10)
    }


def choose_digit(screen: page.FirstScreen) -> Shown:
    """Draw the choice of a digit, its place and the view; raises ResultError if there are no digits."""
    examples = _examples()
    with screen.controls:
        view = page.segments("view", "Show", (MOVED, INSIDE))
        places = page.segments("learned", "Learned from", PLACES, CENTRED)
        with st.popover("More", icon=":material/tune:"):
            name = page.control(st.selectbox, _DIGIT, "Digit", [*examples, _OWN], int(_FIRST))
            right = page.slider(RIGHT, "Move right by", -MARGIN, MARGIN, 1)
            down = page.slider(DOWN, "Move down by", -MARGIN, MARGIN, 0)
            typed = _type_digit(write_picture(examples[_FIRST].numpy(), _LETTERS))
    with screen.beside:
        canvas = examples[name] if name != _OWN else _own_digit(typed, examples[_FIRST])
    return Shown(str(view), str(places), canvas, int(right), int(down))


def _type_digit(start: str) -> str:
    typed = page.control(
        st.text_area,
        _OWN_DIGIT,
        f"Your own digit: {CANVAS} rows of letters, a is white, q black",
        start,
        max_chars=_LONGEST,
        height=320,
        help="It is easier to draw it on the canvas.",
    )
    say_limits({_OWN_DIGIT: _LONGEST})
    return str(typed)


def _own_digit(typed: str, start: Tensor) -> Tensor:
    def read(raw: str) -> Tensor:
        return read_picture(checked_text(raw, most=_LONGEST, name="the digit"), CANVAS, _LETTERS)

    return read_or_keep(_OWN_DIGIT, typed, read, write_picture(start.numpy(), _LETTERS))


def _keep_drawn(cells: np.ndarray) -> None:
    """Make what was drawn the digit; it is where it was drawn, so no longer moved."""
    st.session_state[_OWN_DIGIT] = write_picture(cells, _LETTERS)
    st.session_state[_DIGIT] = _OWN
    st.session_state[RIGHT] = st.session_state[DOWN] = 0


NOTHING = "Nothing is drawn, and each network still names a digit: draw one"


def read_digit(results: ConvolutionResults, shown: Shown) -> dict[str, Tensor]:
    """Return the probability of each digit by each network, (10,)."""
    with page.model_calls, torch.no_grad():
        return {
            name: results.digit_networks[name, shown.places](shown.image)[0].softmax(0)
            for name in DIGIT_NETWORKS
        }


def answer_in_words(probabilities: Tensor) -> str:
    """Return which digit a network sees, and how sure it is."""
    best = int(probabilities.argmax())
    return f"reads {best} ({percent(float(probabilities[best]))})"


def canvas_grid(shown: Shown) -> Grid:
    """Return the canvas with the digit where it was moved to, and a frame for centred ones."""
    cells = (LEVELS * shown.image[0]).round().numpy()
    frame = Outline(MARGIN, MARGIN, CANVAS - 2 * MARGIN, CANVAS - 2 * MARGIN, is_dashed=True)
    return Grid(
        "Digit",
        cells,
        "draw here",
        "Inside the dashed frame it is centred.",
        reach=float(LEVELS),
        is_signed=False,
        has_numbers=False,
        outlines=[frame],
    )


def painting() -> GridPainting:
    """Return what lets a digit be drawn on the first grid: it becomes the own one."""
    return GridPainting(0, LEVELS, _BRUSH, _keep_drawn)
