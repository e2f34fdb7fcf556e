"""What is compared: two networks, how they were trained, and the digits that both read."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import TextError
from lm_core.recurrent.first_symbol import VARIETIES, FirstSymbolConfig, read_digits
from lm_core.recurrent.first_symbol_results import CLIPS, KEPT, LEARNING_RATES
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, SKY, VERMILLION
from pages.shared.controls import control

_COLOURS = {
    "rnn": VERMILLION,
    "rnn-orthogonal": "#E8894F",
    "irnn": ORANGE,
    "gru": GREEN,
    "lstm": BLUE,
    "lstm-1": "#3A93C8",
    "lstm-4": SKY,
}
_RADII = (None, 0.5, 0.7, 0.9, 1.0, 1.1, 1.3, 1.6, 2.0)
_PI = "31415926535897932384"


class Side(NamedTuple):
    """One of the two networks, and how it is drawn."""

    place: str  # "left" or "right"
    title: str
    colour: str
    config: FirstSymbolConfig
    updates: int
    radius: float | None  # to which W_hh is rescaled; None leaves it as it is

    @property
    def name(self) -> str:
        """The network's name on charts that show both: two of a kind stay apart."""
        return f"{self.place}: {self.title}"


class Choice(NamedTuple):
    """All that the controls say."""

    sides: tuple[Side, Side]
    digits: tuple[int, ...]
    parts: str  # "State" or "Gates"


def choose() -> Choice:
    """Draw the controls; a sequence that cannot be read gets a message and stops the page."""
    varieties = list(VARIETIES)
    columns = st.columns(4)
    with columns[0]:
        left = _variety("left", "Left network", varieties.index("rnn"))
    with columns[1]:
        right = _variety("right", "Right network", varieties.index("lstm"))
    with columns[2]:
        updates = control(
            st.select_slider,
            "updates",
            "Updates of training",
            (0, *KEPT),
            0,
            format_func=lambda n: f"{n:,}",
        )
    with columns[3]:
        typed = control(
            st.text_input,
            "digits",
            "Digits to read",
            _PI,
            help="2 to 40 of your own. The networks were trained on sequences of 20.",
        )
    rate, clip, radius, parts = _training_controls()
    try:
        digits = read_digits(typed)
    except TextError as error:
        st.error(str(error))
        st.stop()
    sides = tuple(
        Side(
            place,
            VARIETIES[variety].title,
            _COLOURS[variety],
            FirstSymbolConfig(variety, rate, clip, updates=KEPT[-1]),
            updates,
            radius,
        )
        for place, variety in (("left", left), ("right", right))
    )
    return Choice(sides, digits, parts)


def _variety(name: str, label: str, index: int) -> str:
    return control(
        st.selectbox,
        name,
        label,
        list(VARIETIES),
        index,
        format_func=lambda variety: VARIETIES[variety].title,
    )


def _training_controls() -> tuple[float, float | None, float | None, str]:
    columns = st.columns(4)
    with columns[0]:
        rate = control(
            st.select_slider,
            "rate",
            "Learning rate",
            sorted(LEARNING_RATES),
            0.01,
            format_func=lambda rate: f"{rate:g}",
        )
    with columns[1]:
        clip = control(
            st.segmented_control,
            "clip",
            "Gradient clipping",
            CLIPS,
            default=CLIPS[-1],
            required=True,
            format_func=lambda clip: f"to norm {clip:g}" if clip else "none",
        )
    with columns[2]:
        radius = control(
            st.select_slider,
            "radius",
            "Spectral radius of W_hh",
            _RADII,
            format_func=lambda radius: f"{radius:g}" if radius else "as it is",
            help="Scales the recurrent matrix, of a gated cell each gate's block, to this radius.",
        )
    with columns[3]:
        parts = control(
            st.segmented_control,
            "parts",
            "Show",
            ("State", "Gates"),
            default="State",
            required=True,
        )
    return rate, clip, radius, parts
