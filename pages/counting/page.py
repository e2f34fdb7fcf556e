"""Can it learn to count? A small network is trained on runs of numbers, in front of the class."""

import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.counting.inference import continue_counting, parse_numbers
from lm_core.experiments.counting.training import train_counting
from lm_core.models.counting_network import CountingNetwork
from lm_core.models.recurrent import RNNCell
from pages.counting.beyond import beyond_training
from pages.counting.picture import draw_epoch
from pages.counting.training import (
    EPOCH,
    choose_start,
    counting_run,
    say_how_it_was_trained,
    train_with,
)
from pages.shared.ui.controls import control
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this
from pages.shared.ui.playback import playback_bar

page_header(
    "counting",
    "A network reads 0 1 2 3 4 5, then 1 2 3 4 5 6, and so on up to 127, and is told what comes"
    " after each number. Nobody tells it what a number is.",
)

# Controls -------------------------------------------------------------------------------------
asking, writing, starting, training = st.columns(
    [1.5, 1, 1.4, 1.25], vertical_alignment="bottom", gap="small"
)
with asking:
    text = control(st.text_input, "prompt", "Prompt: numbers from 0 to 127", "7 8 9 10")
with writing:
    n_written = control(st.slider, "written", "Numbers to write", 1, 20, 6)
with starting:
    start = choose_start()
with training, st.container(horizontal=True, wrap=False):
    config = train_with(start)
with st.container():  # a place of its own: what stands below never moves for a message
    try:
        prompt = parse_numbers(text, config.network.numbers)
    except TextError as error:
        prompt = None
        st.error(str(error), icon=":material/123:")

# Compute --------------------------------------------------------------------------------------
run = counting_run(config)

# Picture --------------------------------------------------------------------------------------
if not run.is_trained:
    st.caption("Nothing has been learned yet: these are the answers of random weights. Train it.")
playback_bar(
    EPOCH,
    len(run.epochs),
    lambda step: draw_epoch(run, step, prompt, n_written),
    label="Epoch",
    seconds_per_step=0.5,
)
if run.is_trained:
    say_how_it_was_trained(run)

# Predict --------------------------------------------------------------------------------------
st.subheader("Beyond what it has seen", anchor=False)
prediction = predict_then_reveal(
    "longer",
    f"It has read runs of {config.length} numbers and no longer ones. How often will it be right"
    f" after prompts of {2 * config.length}?",
    ("Always: counting is counting", "About half of the time", "Hardly ever"),
)
if prediction.revealed and run.is_trained:
    beyond_training(run)
elif prediction.revealed:
    st.info("Train it first: the button stands beside the prompt.")

# Code and suggestions -------------------------------------------------------------------------
show_source(RNNCell.step, CountingNetwork, train_counting, continue_counting)
try_this(
    [
        "Write 20 numbers after 7 8 9 10. Where does it lose count, and does it find its way back?",
        "Train with the other starting weights and the same seed: what changes for prompts of 12?",
        "Ask for what comes after 125 126 127, then after 7 9 11, with three different seeds. Which"
        " answers stay?",
        "Go back to the epoch at which 7 8 9 10 is first answered with 11. How large was the loss?",
    ]
)
