"""Which machines share which minibatch, and how."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.overfitting.machines import COMBINATIONS, SUM_OF_MEANS
from pages.shared import page

MACHINES = (1, 2, 4)
STEPS_VIEW, SPEED_VIEW = "Steps", "Speed"
_RATES = (0.02, 0.05, 0.1, 0.2)


class Chosen(NamedTuple):
    """What is drawn: one step's numbers or measured speed, and how the machines share their work."""

    view: str
    machines: int
    how: str
    is_equal: bool
    rate: float


def choose_machines(screen: page.FirstScreen) -> Chosen:
    """Draw the choice, and return it."""
    """Draw the choice of machines and of what is summed, and return it."""
    with screen.controls:
        view = page.segments("view", "Drawn", (STEPS_VIEW, SPEED_VIEW))
        if view == SPEED_VIEW:
            return Chosen(view, 4, SUM_OF_MEANS, True, 0.1)
        how = page.choice("combined", "Gradient", COMBINATIONS, width=165)
        with st.popover("More", icon=":material/tune:"):
            machines = page.pick("machines", "Machines K", MACHINES, 4)
            is_equal = page.switch("equal", "Equal parts", True)
            rate = page.pick("step_size", "Learning rate η", _RATES, 0.1)
    return Chosen(view, int(machines), str(how), bool(is_equal), float(rate))
