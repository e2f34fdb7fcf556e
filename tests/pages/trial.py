"""A page that uses every shared helper; only the tests ever see it."""

import numpy as np
import streamlit as st

from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.charts.predictions import picked_id, prediction_bars, prediction_table
from pages.shared.classroom.shown_answers import answers_fold
from pages.shared.components.texts import token_strip
from pages.shared.suggestions import Suggestion
from pages.shared.ui.controls import control, is_hidden
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import page_header, show_source
from pages.shared.ui.playback import playback_bar

page_header("trial", "A page for the tests.")
temperature = control(st.slider, "temperature", "Temperature", 0.0, 2.0, 1.0, 0.05)
model = control(
    st.selectbox, "model", "Model", ["small", "large"], format_func=lambda name: f"The {name} one"
)
seed = control(st.number_input, "seed", "Seed", 0, 999, 1)
prompt = control(st.text_input, "prompt", "Prompt", "The prince")
sure = control(st.toggle, "sure", "Sure")
control(st.select_slider, "steps", "Steps", (100, 1_000), 100, format_func="{:,} steps".format)
kinds = control(st.pills, "kinds", "Kinds", ["a", "b", "c"], selection_mode="multi", default=["a"])
st.code(f"{temperature}|{model}|{seed}|{prompt}|{sure}|{kinds}", language=None)
if not is_hidden("secret"):
    st.markdown("secret paragraph")

text = prompt + " <b>smiled</b>\nagain"
chances = [None] * len(prompt) + [0.5] * (len(text) - len(prompt))
clicked = token_strip(
    text, chances, key="strip", prompt_length=len(prompt), copied=[(len(prompt), 5)], picked=[12]
)
if clicked is not None:
    st.session_state["went_back_to"] = clicked
st.markdown(f"went back to {st.session_state.get('went_back_to')}")

before = np.array([0.1, 0.6, 0.3])
table = prediction_table(" ab", {"": np.array([0.0, 2 / 3, 1 / 3])}, before=before)
chosen = show_chart(
    prediction_bars(table),
    table,
    key="next",
    alt="Three bars",
    name="next-character",
    selectable=True,
)
st.markdown(f"picked {picked_id(chosen)}")

answer = page.ask(None, "guess", "Will it repeat itself?", ["no", "yes"])
if not answer.masks:
    st.markdown("the answer")

playback_bar("moment", 4, lambda step: st.markdown(f"moment {step}"), start=0)
show_source(visible)
answers_fold("trial", [Suggestion("Move something.", "It moves, because it can.")])
