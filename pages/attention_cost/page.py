"""What does attention cost? Time and memory against length, measured before and measured here."""

import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.attention_cost.generation_cost import measure_writing
from lm_core.experiments.attention_cost.measure import METHODS, measure_costs
from lm_core.models.attention import attend
from lm_core.models.efficient_attention import kernel_attention, local_attention
from pages.attention_cost.cache import one_more_character
from pages.attention_cost.explanation import answer, explain
from pages.attention_cost.live import draw_and_measure, measured_here
from pages.attention_cost.measured import shipped_measurements
from pages.attention_cost.near import near_enough
from pages.attention_cost.picture import MEMORY, NAIVE, TIME, cost_by_length
from pages.shared.ui.controls import control
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this

page_header(
    "attention-cost",
    "Every token looks at every one before it. How long does that take, and what can be saved?",
)
try:
    before = shipped_measurements()
except ResultError as error:
    st.error(str(error))
    st.stop()

# Controls -------------------------------------------------------------------------------------
left, right = st.columns([1, 3.6], vertical_alignment="bottom")
with left:
    quantity = control(
        st.segmented_control, "quantity", "Draw", [TIME, MEMORY], default=TIME, required=True
    )
with right:
    methods = control(
        st.pills,
        "methods",
        "Methods",
        list(METHODS),
        selection_mode="multi",
        default=list(METHODS),
    )

# Predict --------------------------------------------------------------------------------------
prediction = predict_then_reveal(
    "twice",
    "a text of 4,096 tokens instead of 2,048: how many times the time does the naive matrix take?",
    ("2 times", "4 times", "16 times"),
)
if prediction.revealed:
    answer(before, prediction.guess)
else:
    methods = [method for method in methods if method != NAIVE]

# Picture --------------------------------------------------------------------------------------
draw_and_measure(
    before,
    lambda measured: cost_by_length(measured, quantity, methods, has_square=prediction.revealed),
)

# Explanation ----------------------------------------------------------------------------------
measured = measured_here() or before
if prediction.revealed:
    explain(measured, before)
near_enough()
one_more_character(measured if measured.writing else before)

# Code and suggestions -------------------------------------------------------------------------
show_source(attend, local_attention, kernel_attention, measure_costs, measure_writing)
try_this(
    [
        "Draw memory instead of time. Which method has hardly any beside the others, and how can that"
        " be if it computes the same?",
        "Measure on this server, and again while somebody beside you does. Which lines are straight?",
        "At which length does the local window overtake the fused kernel? What would move that point?",
        "How large would the naive square be for a book of three million characters, at 4 heads and"
        " 4 bytes a number?",
    ]
)
