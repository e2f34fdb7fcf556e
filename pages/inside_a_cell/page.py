"""What does a network keep? Two recurrent cells read the same digits, opened up at every step."""

import streamlit as st

from lm_core.analysis.gradients import gradient_map
from lm_core.analysis.spectra import rescale_recurrence
from lm_core.errors import ResultError
from lm_core.models.recurrent import Cell, LSTMCell, RNNCell
from pages.inside_a_cell.choices import choose
from pages.inside_a_cell.cut import where_it_is_cut
from pages.inside_a_cell.explanation import explain
from pages.inside_a_cell.gradients import gradients_by_step
from pages.inside_a_cell.learning import while_they_learned
from pages.inside_a_cell.measured import results
from pages.inside_a_cell.one_step import one_step
from pages.inside_a_cell.reading import two_readings
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this
from pages.shared.ui.playback import playback_bar

page_header(
    "inside-a-cell",
    "Two small networks read the same digits and should name the first one at the end;"
    " guessing is right in 10%.",
)
try:
    results()
except ResultError as error:
    st.error(str(error))
    st.stop()

# Controls and picture -------------------------------------------------------------------------
choice = choose()


def after(read: int) -> None:
    """Draw all that follows the step: states, gradients, and the numbers of one unit."""
    two_readings(choice, read)
    prediction = predict_then_reveal(
        "vanishing",
        "Before any training: how much of the gradient at the last of 20 digits gets back to the"
        " first?",
        (
            "Much in the LSTM, little in the RNN",
            "Much in both",
            "Less than a thousandth in both",
        ),
    )
    if prediction.revealed:
        gradients_by_step(choice, read)
        explain(choice)
    one_step(choice, read)


length = len(choice.digits)
playback_bar("step", length + 1, after, label="Digits read", start=length)

# Closer looks ---------------------------------------------------------------------------------
where_it_is_cut(choice)
while_they_learned(choice)

# Code and suggestions -------------------------------------------------------------------------
show_source(RNNCell, LSTMCell, Cell.read, gradient_map, rescale_recurrence)
try_this(
    [
        "Leave the updates at 0 and, under *More*, rescale W_hh to 0.5, 1 and 2: does an RNN's"
        " gradient change by that factor at every step? What holds it back above 1?",
        "Rescale the untrained IRNN to a radius of 2: without a tanh nothing holds its gradient"
        " back. How much larger does it get on its way to step 1?",
        "Compare the LSTM with the LSTM whose forget gate starts open, before training: read off"
        " the forget gates what is left of the memory after 20 steps.",
        "After 1,000 updates, look at the gradient with respect to the digits: which of them does a"
        " network that has learned the task listen to?",
        "Compare the IRNN after 1,000 updates at the learning rates 0.01 and 0.001. At which does it"
        " learn, and how many of its units do the first updates leave alive?",
        "Set the learning rate to 0.03 and switch clipping off and on for the RNN with an orthogonal"
        " start: how long does its longest gradient become?",
    ]
)
