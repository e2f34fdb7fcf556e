"""What does attention cost? Time and memory against length, from the shipped results or measured now."""

import streamlit as st

from lm_core.experiments.attention_cost.measurement import (
    METHODS,
    measure_attention,
    measure_generation,
)
from lm_core.models.attention import attend
from lm_core.models.efficient_attention import kernel_attention, local_attention
from pages.attention_cost import by_length
from pages.attention_cost.approximations import approximations
from pages.attention_cost.how_cost_grows import explain
from pages.attention_cost.measurements import (
    Measurements,
    draw_and_measure,
    measured_here,
    shipped_measurements,
)
from pages.attention_cost.one_more_character import one_more_character
from pages.shared import page
from pages.shared.ui.lesson import page_header, show_source, try_this

page_header(
    "attention-cost",
    "Each token attends to every token before it, so a text twice as long has four times as many pairs."
    " How long does that take, and what can be saved?",
)
shipped = shipped_measurements()

# Controls -------------------------------------------------------------------------------------
screen = page.first_screen()
with screen.controls:
    quantity = page.segments("quantity", "Draw", [by_length.TIME, by_length.MEMORY])
    methods = page.several("methods", "Methods", list(METHODS), list(METHODS))

# Predict --------------------------------------------------------------------------------------
asked = by_length.ask(screen, shipped)
page.note_beside(screen, by_length.ABOUT_METHODS)


# Picture --------------------------------------------------------------------------------------
def draw(measured: Measurements) -> None:
    """Draw measurements into the picture, and below the first screen what made them."""
    with screen.picture, st.container(key="live_cost"):
        by_length.cost_by_length(measured, quantity, methods, asked)
    st.caption(measured.provenance)


draw_and_measure(shipped, draw)

# Explanation ----------------------------------------------------------------------------------
measurements = measured_here() or shipped
if not asked.masks:
    explain(measurements, shipped)
approximations()
one_more_character(measurements if measurements.generation else shipped)

# Code and suggestions -------------------------------------------------------------------------
show_source(attend, local_attention, kernel_attention, measure_attention, measure_generation)
try_this()
