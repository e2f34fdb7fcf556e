"""Learning to count: a small RNN is trained on runs of numbers, in front of the class."""

from functools import partial

import streamlit as st

from lm_core.experiments.counting.inference import continue_counting, parse_numbers
from lm_core.experiments.counting.training import train_counting
from lm_core.models.counting_network import CountingNetwork
from lm_core.models.recurrent import RNNCell
from pages.counting import answers
from pages.counting.training import EPOCH, counting_run, offer_checkpoint, train_with
from pages.counting.unseen_prompts import draw_unseen_prompts
from pages.shared import page
from pages.shared.ui.lesson import page_header, show_source, try_this

_PROMPT = "7 8 9 10"

page_header(
    "counting",
    "A recurrent network has learned from runs of six numbers, such as 7 8 9 10 11 12, so it predicts"
    " what comes next. How far does it count beyond the length that it knows?",
)

# Controls -------------------------------------------------------------------------------------
screen = page.first_screen()
with screen.controls:
    text = page.text("prompt", "Prompt: numbers from 0 to 127", _PROMPT)
    n_generated = page.slider("generated", "Numbers to generate", 1, 20, 12, width=230)
    config = train_with()
with screen.picture:
    prompt = page.read_or_keep(
        "prompt", text, partial(parse_numbers, numbers=config.network.numbers), _PROMPT
    )

# Compute --------------------------------------------------------------------------------------
run = counting_run(config)

# Picture --------------------------------------------------------------------------------------
with screen.picture:
    if not run.is_trained:
        st.markdown("This network is not trained yet: its weights are random. Press *Train*.")
    page.playback_bar(
        EPOCH,
        len(run.epochs),
        lambda step: answers.draw_epoch(run, step, prompt, n_generated),
        label="Epoch",
    )

# Predict --------------------------------------------------------------------------------------
question = (
    f"All runs in training have {config.length} numbers. How often is the network right after"
    f" prompts of {2 * config.length} numbers?"
)
asked = page.ask(screen, "longer", question, answers.OFTEN)
with screen.beside:
    if not asked.masks and run.is_trained:
        answers.judge(run, asked)
    elif not asked.masks:
        st.info("Train the network first: the button is above the picture.")

# Explanation ----------------------------------------------------------------------------------
answers.explain(run)
answers.draw_loss(run)
if run.is_trained:
    offer_checkpoint(run)
if not asked.masks and run.is_trained:
    st.header("Prompts that training never had", anchor=False)
    draw_unseen_prompts(run, asked)

# Code and suggestions -------------------------------------------------------------------------
show_source(RNNCell, CountingNetwork, train_counting, continue_counting)
try_this()
