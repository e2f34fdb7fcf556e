"""The settings: two networks, how they were trained, and the digits that both read."""

import contextlib
from typing import NamedTuple

import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.inside_a_cell import training
from lm_core.experiments.inside_a_cell.study import SNAPSHOTS
from pages.inside_a_cell.training_controls import OF_ALL, Changes, training_controls
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
TAUGHT_BY = {
    "last": " Only this gradient teaches the network here, so where hardly anything arrives it mostly learns hardly anything; the GRU at a rate of 0.03 learns all the same.",
    "all": " Here the early answers teach as well, because from them the way back to the first digit is short.",
}
"""What teaches a network, by the answers that training asks for."""
DECIDES = {
    False: "In one step W_hh stretches no gradient by more than the second number; over many steps W_hh alone would"
    " multiply it by about the first, because the parts along smaller eigenvalues are gone by then. The slopes of the"
    " units, which are at most 1, make it less.",
    True: "These numbers of its gates do not decide alone, because the gradient also comes back through the memory, on"
    " which W_hh acts only by way of the gates.",
}
"""What the spectrum of the recurrent weights says of the gradient, by whether the cell has gates."""
_PI = "31415926535897932384"


STATE, GATES, CIRCUIT = "State", "Gates", "Circuit"


class Side(NamedTuple):
    """One of the two networks, and its colour."""

    place: str  # "left" or "right"
    title: str
    colour: str
    config: training.FirstSymbolConfig
    updates: int
    changes: Changes = Changes()

    @property
    def untrained(self) -> "Side":
        """The same network before its training."""
        return self._replace(updates=0, changes=Changes())

    @property
    def fixed(self) -> str:
        """Letters of its gates that are set to 1."""
        return self.changes.fixed if self.has_gates_to_fix else ""

    @property
    def has_gates(self) -> bool:
        """Whether the network is an LSTM or a GRU."""
        return training.VARIANTS[self.config.variant].kind in ("lstm", "gru")

    @property
    def has_gates_to_fix(self) -> bool:
        """Whether the network is an LSTM."""
        return training.VARIANTS[self.config.variant].kind == "lstm"

    @property
    def name(self) -> str:
        """The network's name on charts that show both, unique even for two of a kind."""
        return f"{self.place}: {self.title}"


class Comparison(NamedTuple):
    """The values of all controls."""

    sides: tuple[Side, Side]
    digits: tuple[int, ...]
    parts: str  # "State", "Gates" or "Circuit"
    unit: int  # from 0, whose numbers are written


def choose_comparison() -> Comparison:
    """Draw the controls in one row; of a sequence that cannot be read, the one before stays."""
    left = _variety("left", "Left network", "rnn")
    right = _variety("right", "Right network", "lstm-4")
    steps = (0, *SNAPSHOTS)
    updates = page.pick("updates", "Updates of training", steps, steps[-1], width=230, **OF_ALL)
    with st.popover("More", icon=":material/tune:"):
        parts = page.segments(
            "parts",
            "Show",
            (STATE, GATES, CIRCUIT),
            help="*Circuit* draws one step of the right network with its numbers.",
        )
        unit = page.slider(
            "unit", "Unit of the circuit", 1, training.FirstSymbolConfig(left).hidden_size, 1
        )
        typed = _digits()
        loss_steps, rate, clip, changes = training_controls()
    digits = read_or_keep("digits", typed, training.read_digits, _PI)
    first, second = (
        Side(
            place,
            training.VARIANTS[variant].title,
            _COLOURS[variant],
            training.FirstSymbolConfig(variant, rate, clip, loss_steps, updates=SNAPSHOTS[-1]),
            updates,
            changes,
        )
        for place, variant in (("left", left), ("right", right))
    )
    return Comparison((first, second), digits, parts, unit - 1)


def number_of_digits() -> int:
    """Return how many digits are read, before their control is drawn."""
    typed = st.session_state.get("digits", st.query_params.get("digits", _PI))
    for text in (typed, last_readable("digits", _PI)):
        with contextlib.suppress(TextError):
            return len(training.read_digits(text))
    return len(_PI)


def _digits() -> str:
    return page.text(
        "digits",
        "Digits to read",
        _PI,
        help="Type 2 to 40 digits of your own. The networks were trained on sequences of 20, so longer"
        " ones are new to them.",
        **OF_ALL,
    )


def _variety(name: str, label: str, default: str) -> str:
    return page.choice(
        name,
        label,
        {name: variant.title for name, variant in training.VARIANTS.items()},
        default,
        width=250,
        help="The IRNN has ReLU instead of tanh, and its W_hh begins as the identity, so at first it"
        " keeps its state as it is. The forget bias is the forget gate's initial bias; at 4 the gate"
        " begins open.",
        **OF_ALL,
    )
