"""What a visitor sees without scrolling: one row of controls, the picture, and the question beside it.

Upright on a phone the picture comes first. In the presenter view only this is seen, and the picture
takes the height that the screen has left: see `appearance`.
"""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.classroom.bar import class_card
from pages.shared.ui.controls import is_presenting


class FirstScreen(NamedTuple):
    """The places of a page's first screen; draw into them with ``with``."""

    controls: DeltaGenerator  # one row, for at most three controls; the others go behind *More*
    picture: DeltaGenerator  # what the page is about: charts in it grow with a presenter's screen
    beside: DeltaGenerator  # the prediction, its verdict, and what to notice


def note_beside(screen: FirstScreen, text: str) -> None:
    """Write a few lines of Markdown beside the picture; in the presenter view the presenter says them."""
    if not is_presenting():
        screen.beside.markdown(text)


def above_and_below(left: float = 1.0, right: float = 1.0) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two places, one above the other; presented, where height is scarce, beside each other.

    `left`, `right`: float, how the width is shared out there.
    """
    if is_presenting():
        first, second = st.columns([left, right], gap="medium")
        return first, second
    return st.container(), st.container()


def first_screen(picture: float = 2.6, beside: float = 1.0) -> FirstScreen:
    """Lay out a page's first screen; call it once a page, after its header.

    `picture`, `beside`: float, how the width is shared out.
    """
    with st.container(key="first_screen"):
        controls = st.container(
            key="main_controls", horizontal=True, vertical_alignment="bottom", gap="small"
        )
        left, right = st.columns([picture, beside], gap="medium")
        screen = FirstScreen(
            controls,
            left.container(key="picture", gap="xsmall"),
            right.container(key="beside", gap="small"),
        )
        with screen.beside:
            class_card()
    return screen
