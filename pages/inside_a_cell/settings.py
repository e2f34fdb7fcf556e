"""The settings: two networks, how they were trained, and the digits that both read."""

from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.errors import TextError
from lm_core.experiments.inside_a_cell.results import CLIPS, LEARNING_RATES, SNAPSHOTS, grid
from lm_core.experiments.inside_a_cell.training import VARIANTS, FirstSymbolConfig, read_digits
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, SKY, VERMILLION
from pages.shared.ui.controls import control
from pages.shared.ui.messages import show_error

_COLOURS = {
    "rnn": VERMILLION,
    "rnn-orthogonal": "#E8894F",
    "irnn": ORANGE,
    "gru": GREEN,
    "lstm": BLUE,
    "lstm-1": "#3A93C8",
    "lstm-4": SKY,
}
_UNCHANGED, _NO_CLIPPING = "unchanged", "none"
_RADII = {_UNCHANGED: None} | {f"{r:g}": r for r in (0.5, 0.7, 0.9, 1.0, 1.1, 1.3, 1.6, 2.0)}
_CLIPS = {f"to norm {clip:g}" if clip else _NO_CLIPPING: clip for clip in CLIPS}
"""By the value in the link: None, as a widget's value, would mean that nothing is chosen."""
_PI = "31415926535897932384"


class Side(NamedTuple):
    """One of the two networks, and its colour."""

    place: str  # "left" or "right"
    title: str
    colour: str
    config: FirstSymbolConfig
    updates: int
    radius: float | None  # to which W_hh is rescaled; None for no rescaling

    @property
    def name(self) -> str:
        """The network's name on charts that show both, unique even for two of a kind."""
        return f"{self.place}: {self.title}"


class Comparison(NamedTuple):
    """The values of all controls."""

    sides: tuple[Side, Side]
    digits: tuple[int, ...]
    parts: str  # "State" or "Gates"


def choose_comparison() -> Comparison:
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
        show_error(error)
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
    return Comparison(sides, digits, parts)


def _side_by_side() -> DeltaGenerator:
    """Return a row that is one row on a phone too, where columns are stacked."""
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
        help="IRNN: ReLU instead of tanh, W_hh initialised as the identity. Forget bias: the forget"
        " gate's initial bias; at 4 the gate is open.",
    )


def _training_controls() -> tuple[float, float | None, float | None]:
    """Draw the controls of the training, and of the rescaling after it."""
    rate = control(
        st.select_slider,
        "learning_rate",
        "Learning rate",
        sorted(LEARNING_RATES),
        0.01,
        format_func=lambda rate: f"{rate:g}",
        help="At the first update; it falls linearly to 0.",
    )
    clip = control(
        st.segmented_control,
        "clipping",
        "Gradient clipping",
        list(_CLIPS),
        default=list(_CLIPS)[-1],
        required=True,
    )
    st.caption(
        f"Nothing is trained on this page. Learning rate and clipping select one of {len(grid())}"
        f" trained networks: {len(VARIANTS)} cells, {len(LEARNING_RATES)} rates, with clipping and"
        " without."
    )
    radius = control(
        st.select_slider,
        "spectral_radius",
        "Rescale W_hh, after the updates, to spectral radius",
        list(_RADII),
        _UNCHANGED,
        help="Multiplies the trained recurrent matrix, in a gated cell the block of each gate. The"
        " other weights are unchanged, and nothing is trained again.",
    )
    return rate, _CLIPS[clip], _RADII[radius]
