"""Pictures and filters of the page: chosen, typed or painted, and both in the link."""

import numpy as np
import streamlit as st
from torch import Tensor

from lm_core.experiments.convolution import examples
from pages.shared.ui.controls import control
from pages.shared.ui.text_input import checked_text, read_or_keep, say_limits

OWN = "Your own"

PICTURE, MOVED_PICTURE = "image", "moved_image"
"""The controls that choose a picture, each of one part of the page."""
_OWN_PICTURE, _OWN_FILTER = "own_picture", "own_filter"
_FIRST_PICTURE = examples.write_picture(examples.PICTURES["Seven"].numpy())
_FIRST_FILTER = "1 0 −1\n2 0 −2\n1 0 −1"
_LONGEST_PICTURE, _LONGEST_FILTER = 150, 100


def choose_picture(name: str = PICTURE, first: str = "T") -> str:
    """Draw the choice of a picture as a control of that name, and return the picture's."""
    names = [*examples.PICTURES, OWN]
    return str(control(st.selectbox, name, "Picture", names, names.index(first), width=150))


def choose_filter() -> str:
    """Draw the choice of a filter, and return its name."""
    return str(control(st.selectbox, "filter", "Filter", [*examples.FILTERS, OWN], width=190))


def type_picture() -> str:
    """Draw the field with the own picture, and return what it holds."""
    typed = control(
        st.text_area,
        _OWN_PICTURE,
        "Your own picture: ten rows of 0 and 1",
        _FIRST_PICTURE,
        max_chars=_LONGEST_PICTURE,
        height=270,
        help="It is easier to paint: press or drag on the picture.",
    )
    say_limits({_OWN_PICTURE: _LONGEST_PICTURE})
    return str(typed)


def type_filter() -> str:
    """Draw the field with the own filter, and return what it holds."""
    typed = control(
        st.text_area,
        _OWN_FILTER,
        "Your own filter: three rows of three numbers",
        _FIRST_FILTER,
        max_chars=_LONGEST_FILTER,
        height=110,
    )
    say_limits({_OWN_FILTER: _LONGEST_FILTER})
    return str(typed)


def picture_of(name: str, typed: str) -> Tensor:
    """Return a picture (10, 10); the own one as it could be read last."""
    if name != OWN:
        return examples.PICTURES[name]

    def read(raw: str) -> Tensor:
        return examples.read_picture(checked_text(raw, most=_LONGEST_PICTURE, name="the picture"))

    return read_or_keep(_OWN_PICTURE, typed, read, _FIRST_PICTURE)


def filter_of(name: str, typed: str) -> Tensor:
    """Return a filter (3, 3); the own one as it could be read last."""
    if name != OWN:
        return examples.FILTERS[name]

    def read(raw: str) -> Tensor:
        return examples.read_filter(checked_text(raw, most=_LONGEST_FILTER, name="the filter"))

    return read_or_keep(_OWN_FILTER, typed, read, _FIRST_FILTER)


def keep_painted(cells: np.ndarray, name: str = PICTURE) -> None:
    """Make what was painted the picture, and choose it by the control of that name."""
    st.session_state[_OWN_PICTURE] = examples.write_picture(cells)
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


def _number(value: float) -> str:
    text = f"{round(value, 2) + 0.0:g}".replace("-", "−")
    return f"({text})" if value < 0 else text
