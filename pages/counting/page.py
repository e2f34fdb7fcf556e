"""Learning to count: a small RNN is trained on runs of numbers, in front of the class."""

import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.counting.inference import continue_counting, parse_numbers
from lm_core.experiments.counting.training import train_counting
from lm_core.models.counting_network import CountingNetwork
from lm_core.models.recurrent import RNNCell
from pages.counting.answers import draw_epoch, draw_unseen_prompts
from pages.counting.training import (
    EPOCH,
    choose_initialisation,
    counting_run,
    offer_checkpoint,
    train_with,
)
from pages.shared.ui.controls import control
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this
from pages.shared.ui.messages import show_error
from pages.shared.ui.playback import playback_bar

page_header(
    "counting",
    "A recurrent network reads 0 1 2 3 4 5, then 1 2 3 4 5 6, and so on up to 127. After each number"
    " it predicts the next one. To the network the numbers are only symbols.",
)

# Controls -------------------------------------------------------------------------------------
asking, generating, starting, training = st.columns(
    [1.5, 1, 1.4, 1.25], vertical_alignment="bottom", gap="small"
)
with asking:
    text = control(st.text_input, "prompt", "Prompt: numbers from 0 to 127", "7 8 9 10")
with generating:
    n_generated = control(st.slider, "generated", "Numbers to generate", 1, 20, 6)
with starting:
    initialisation = choose_initialisation()
with training, st.container(horizontal=True, wrap=False):
    config = train_with(initialisation)
with st.container():  # a place of its own, so that a message moves nothing below it
    try:
        prompt = parse_numbers(text, config.network.numbers)
    except TextError as error:
        prompt = None
        show_error(error, icon=":material/123:")

# Compute --------------------------------------------------------------------------------------
run = counting_run(config)

# Picture --------------------------------------------------------------------------------------
if not run.is_trained:
    st.caption("The network is not trained yet: its weights are random. Press *Train*.")
playback_bar(
    EPOCH,
    len(run.epochs),
    lambda step: draw_epoch(run, step, prompt, n_generated),
    label="Epoch",
    seconds_per_step=0.5,
)
if run.is_trained:
    offer_checkpoint(run)

# Predict --------------------------------------------------------------------------------------
st.subheader("Prompts that training never had", anchor=False)
prediction = predict_then_reveal(
    "longer",
    f"All runs in training have {config.length} numbers. How often is the network right after"
    f" prompts of {2 * config.length} numbers?",
    ("Always", "About half of the time", "Hardly ever"),
)
if prediction.revealed and run.is_trained:
    draw_unseen_prompts(run)
elif prediction.revealed:
    st.info("Train the network first: the button is beside the prompt.")

# Code and suggestions -------------------------------------------------------------------------
show_source(RNNCell, CountingNetwork, train_counting, continue_counting)
try_this(
    [
        "Generate 20 numbers after 7 8 9 10. Where is the first mistake, and does the network"
        " recover?",
        "Train with the other initialisation and the same seed. What changes for prompts of 12"
        " numbers?",
        "Enter 125 126 127, then 7 9 11, with three different seeds. Which answers stay the same?",
        "Go back to the first epoch that continues 7 8 9 10 with 11. How large is the loss there?",
    ]
)
