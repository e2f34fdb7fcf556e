"""Which formula is derived, at which values, and how."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.gradients.expressions import LONGEST, VARIABLES, Computed, compute
from pages.shared import page

FORMULA = "log(x) + x*y - sin(y)"  # the example of Griewank & Walther, and of Baydin et al
VALUES = {"x": 2.0, "y": 5.0, "z": 1.0, "w": 1.0}
REVERSE, FORWARD = "Reverse (VJP)", "Forward (JVP)"
_READ_LAST = "formula_read_last"


class Settings(NamedTuple):
    """What was typed and chosen."""

    formula: str = page.field(page.text, "Formula", FORMULA, max_chars=LONGEST, width=225)
    sweep: str = page.field(page.choice, "Sweep", (REVERSE, FORWARD), width=155)
    value_x: float = page.folded(page.number, "x", -100.0, 100.0, VALUES["x"], 0.5)
    value_y: float = page.folded(page.number, "y", -100.0, 100.0, VALUES["y"], 0.5)
    value_z: float = page.folded(page.number, "z", -100.0, 100.0, VALUES["z"], 0.5)
    value_w: float = page.folded(page.number, "w", -100.0, 100.0, VALUES["w"], 0.5)
    input: str = page.folded(page.choice, "Forward from", VARIABLES)
    output: int = page.folded(page.number, "Reverse from formula", 1, 3, 1)


class Chosen(NamedTuple):
    """A formula that was computed, the sweep, and where it begins."""

    formula: str
    values: dict[str, float]
    computed: Computed
    is_reverse: bool
    start: int

    @property
    def word(self) -> str:
        """What the sweep carries is called."""
        return "adjoint" if self.is_reverse else "tangent"


def choose_formula(screen: page.FirstScreen) -> Chosen:
    """Draw formula, sweep and values; what cannot be computed is said, and the last picture stays."""
    settings = page.controls(Settings, screen)
    with screen.controls:
        page.say_limits({"formula": LONGEST})
    typed = (settings.value_x, settings.value_y, settings.value_z, settings.value_w)
    with screen.beside:
        values = dict(zip(VALUES, typed, strict=True))
        formula, values, computed = _computed(settings.formula, values)
    if is_reverse := settings.sweep == REVERSE:
        start = computed.outputs[min(settings.output, len(computed.outputs)) - 1]
    else:
        first = next(iter(computed.inputs.values()))
        start = computed.inputs.get(settings.input, first)
    return Chosen(formula, values, computed, is_reverse, start)


def _computed(formula: str, values: dict[str, float]) -> tuple[str, dict[str, float], Computed]:
    """Compute the formula; if that cannot be, say why and go on with what could be computed last."""
    try:
        found = compute(page.checked_text(formula, most=LONGEST, name="the formula"), values)
    except LMCoreError as error:
        page.show_error(error, icon=":material/functions:")
        formula, values = st.session_state.get(_READ_LAST, (FORMULA, VALUES))
        return formula, values, compute(formula, values)
    st.session_state[_READ_LAST] = formula, values
    return formula, values, found
