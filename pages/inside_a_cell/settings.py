"""The settings: two networks, how they were trained, and the digits that both read."""

import contextlib
from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.inside_a_cell import training
from lm_core.experiments.inside_a_cell.study import CLIPS, LEARNING_RATES, SNAPSHOTS, grid
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, SKY, VERMILLION
from pages.shared.ui.text_input import last_readable, read_or_keep

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
TAUGHT_BY = {
    "last": " Only this gradient teaches the network here, so where hardly anything arrives it learns hardly anything.",
    "all": " Here the early answers teach as well, because from them the way back to the first digit is short.",
}
"""What teaches a network, by the answers that training asks for."""
_ASKED = dict(zip(("after every digit", "after the last digit"), training.LOSS_STEPS, strict=True))
_PI = "31415926535897932384"


class Side(NamedTuple):
    """One of the two networks, and its colour."""

    place: str  # "left" or "right"
    title: str
    colour: str
    config: training.FirstSymbolConfig
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


def _of_all(widget: Callable[..., Any], name: str, label: str, *args: Any, **settings: Any) -> Any:
    """Draw a control on which all of the page depends: when it is moved the whole page runs, at once."""
    return page.control(widget, name, label, *args, on_change=st.rerun, **settings)


def choose_comparison() -> Comparison:
    """Draw the controls in one row; of a sequence that cannot be read, the one before stays."""
    left = _variety("left", "Left network", "rnn")
    right = _variety("right", "Right network", "lstm-4")
    updates = _of_all(
        st.select_slider,
        "updates",
        "Updates of training",
        (0, *SNAPSHOTS),
        SNAPSHOTS[-1],
        width=230,
    )
    with st.popover("More", icon=":material/tune:"):
        parts = page.segments("parts", "Show", ("State", "Gates"))
        typed = _digits()
        loss_steps, rate, clip, radius = _training_controls()
    digits = read_or_keep("digits", typed, training.read_digits, _PI)
    first, second = (
        Side(
            place,
            training.VARIANTS[variant].title,
            _COLOURS[variant],
            training.FirstSymbolConfig(variant, rate, clip, loss_steps, updates=SNAPSHOTS[-1]),
            updates,
            radius,
        )
        for place, variant in (("left", left), ("right", right))
    )
    return Comparison((first, second), digits, parts)


def number_of_digits() -> int:
    """Return how many digits are read, before their control is drawn."""
    typed = st.session_state.get("digits", st.query_params.get("digits", _PI))
    for text in (typed, last_readable("digits", _PI)):
        with contextlib.suppress(TextError):
            return len(training.read_digits(text))
    return len(_PI)


def _digits() -> str:
    return _of_all(
        st.text_input,
        "digits",
        "Digits to read",
        _PI,
        help=(
            "Type 2 to 40 digits of your own. The networks were trained on sequences of 20, so longer"
            " ones are new to them."
        ),
    )


def _variety(name: str, label: str, default: str) -> str:
    return _of_all(
        st.selectbox,
        name,
        label,
        list(training.VARIANTS),
        list(training.VARIANTS).index(default),
        format_func=lambda variant: training.VARIANTS[variant].title,
        width=250,
        help="The IRNN has ReLU instead of tanh, and its W_hh begins as the identity, so at first it"
        " keeps its state as it is. The forget bias is the forget gate's initial bias; at 4 the gate"
        " begins open.",
    )


def _training_controls() -> tuple[str, float, float | None, float | None]:
    """Draw the controls of the training, and of the rescaling after it."""
    asked = _of_all(
        st.segmented_control,
        "loss",
        "The first digit is asked for",
        list(_ASKED),
        default=list(_ASKED)[-1],
        required=True,
        help="In training the network is asked after every digit or after the last. After every"
        " digit, the early answers teach the network what to store, because their way back is short;"
        " after the last one, all that it learns comes through the gradient over 19 steps.",
    )
    rate = _of_all(
        st.select_slider,
        "learning_rate",
        "Learning rate",
        sorted(LEARNING_RATES),
        0.01,
        format_func=lambda rate: f"{rate:g}",
        help="The learning rate of the first update; from there it falls in a straight line to 0.",
    )
    clip = _of_all(
        st.segmented_control,
        "clipping",
        "Gradient clipping",
        list(_CLIPS),
        default=list(_CLIPS)[-1],
        required=True,
    )
    st.caption(
        "Nothing is trained on this page, so a change is seen at once. These three select one of"
        f" {len(grid())} trained networks: {len(training.VARIANTS)} cells, asked after every digit or the"
        f" last, {len(LEARNING_RATES)} rates, with clipping and without."
    )
    radius = _of_all(
        st.select_slider,
        "spectral_radius",
        "Rescale W_hh, after the updates, to spectral radius",
        list(_RADII),
        _UNCHANGED,
        help="Scales the recurrent weights, of a gated cell those of each gate, to this spectral radius."
        " Everything else stays as trained, so what changes is due to the recurrent weights alone.",
    )
    return _ASKED[asked], rate, _CLIPS[clip], _RADII[radius]
