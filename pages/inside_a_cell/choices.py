"""What is compared: two networks, how they were trained, and the digits that both read."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.errors import TextError
from lm_core.experiments.inside_a_cell.results import CLIPS, LEARNING_RATES, SNAPSHOTS, grid
from lm_core.experiments.inside_a_cell.training import VARIANTS, FirstSymbolConfig, read_digits
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, SKY, VERMILLION
from pages.shared.ui.controls import control

_COLOURS = {
    "rnn": VERMILLION,
    "rnn-orthogonal": "#E8894F",
    "irnn": ORANGE,
    "gru": GREEN,
    "lstm": BLUE,
    "lstm-1": "#3A93C8",
    "lstm-4": SKY,
}
_AS_IT_IS, _NO_CLIPPING = "as it is", "none"
_RADII = {_AS_IT_IS: None} | {f"{r:g}": r for r in (0.5, 0.7, 0.9, 1.0, 1.1, 1.3, 1.6, 2.0)}
_CLIPS = {f"to norm {clip:g}" if clip else _NO_CLIPPING: clip for clip in CLIPS}
"""By what the address says: None, as a widget's value, would mean that nothing is chosen."""
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
    """Draw the controls in one row; a sequence that cannot be read stops the page with a message."""
    networks, training, view = st.columns([2.5, 1.15, 1.45], vertical_alignment="bottom")
    with networks, _side_by_side():
        left = _variety("left", "Left network", "rnn")
        right = _variety("right", "Right network", "lstm")
    with training:
        updates = control(
            st.select_slider,
            "updates",
            "Updates of training",
            (0, *SNAPSHOTS),
            0,
            format_func=lambda n: f"{n:,}",
        )
    with view, _side_by_side():
        parts = control(
            st.segmented_control,
            "parts",
            "Show",
            ("State", "Gates"),
            default="State",
            required=True,
        )
        with st.popover("More", icon=":material/tune:"):
            typed = _digits()
            rate, clip, radius = _training_controls()
    try:
        digits = read_digits(typed)
    except TextError as error:
        st.error(str(error))
        st.stop()
    sides = tuple(
        Side(
            place,
            VARIANTS[variant].title,
            _COLOURS[variant],
            FirstSymbolConfig(variant, rate, clip, updates=SNAPSHOTS[-1]),
            updates,
            radius,
        )
        for place, variant in (("left", left), ("right", right))
    )
    return Choice(sides, digits, parts)


def _side_by_side() -> DeltaGenerator:
    """Return a row that stays one on a phone, where columns stand below one another."""
    return st.container(horizontal=True, wrap=False, vertical_alignment="bottom")


def _digits() -> str:
    return control(
        st.text_input,
        "digits",
        "Digits to read",
        _PI,
        help="2 to 40 of your own. The networks were trained on sequences of 20.",
    )


def _variety(name: str, label: str, default: str) -> str:
    return control(
        st.selectbox,
        name,
        label,
        list(VARIANTS),
        list(VARIANTS).index(default),
        format_func=lambda variant: VARIANTS[variant].title,
        help="IRNN: ReLU instead of tanh, W_hh starts as identity. An open forget gate is an LSTM's"
        " that starts with a bias of 1 or 4.",
    )


def _training_controls() -> tuple[float, float | None, float | None]:
    """Draw what chooses among the trainings, and what is done to a network after its own."""
    rate = control(
        st.select_slider,
        "rate",
        "Learning rate",
        sorted(LEARNING_RATES),
        0.01,
        format_func=lambda rate: f"{rate:g}",
        help="At the first update; it falls linearly to 0.",
    )
    clip = control(
        st.segmented_control,
        "clip",
        "Gradient clipping",
        list(_CLIPS),
        default=list(_CLIPS)[-1],
        required=True,
    )
    st.caption(
        f"Nothing is trained here: rate and clipping choose among {len(grid())} networks"
        f" ({len(VARIANTS)} kinds, {len(LEARNING_RATES)} rates, clipped or not) that were trained"
        " beforehand, each once."
    )
    radius = control(
        st.select_slider,
        "radius",
        "Rescale W_hh, after the updates, to spectral radius",
        list(_RADII),
        _AS_IT_IS,
        help="Multiplies the finished recurrent matrix, of a gated cell each gate's block. The other"
        " weights stay, and nothing is trained again.",
    )
    return rate, _CLIPS[clip], _RADII[radius]
