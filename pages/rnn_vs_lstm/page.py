"""Which network remembers the beginning? Accuracy by length, from networks that were really trained."""

import streamlit as st

from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.settings import PROTOCOLS
from lm_core.experiments.rnn_vs_lstm.training import EqualNetworks
from lm_core.models.recurrent import LSTMCell, RNNCell
from pages.rnn_vs_lstm.accuracy import (
    SHUFFLED,
    TRAINED_ON,
    accuracy_chart,
    accuracy_table,
    measured,
    not_measured,
)
from pages.rnn_vs_lstm.explanation import answer, explain, finding, how_to_read, place_of_guess
from pages.rnn_vs_lstm.training import train_a_point
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import (
    guesses_in_picture,
    page_header,
    predict_then_reveal,
    show_source,
    try_this,
)

LENGTHS = {"4 to 18": (4, 18), "4 to 100": (4, 100)}
LONGEST_SHOWN = 18  # before the class has guessed where the LSTM breaks

page_header(
    "rnn-vs-lstm",
    "A network reads L symbols, one at a time, and must then name the first. How long may the"
    " sequence be?",
)

# Controls ------------------------------------------------------------------
screen = first_screen()
with screen.controls:
    protocol = control(
        st.segmented_control,
        "protocol",
        "Training",
        list(PROTOCOLS),
        default="original",
        required=True,
        format_func=lambda name: PROTOCOLS[name].title,
        help="Clipped, lower rate: half the learning rate, gradients clipped to norm 0.3, three times"
        " the epochs, and small biases at the start.",
    )
    span = control(
        st.segmented_control,
        "lengths",
        "Lengths",
        list(LENGTHS),
        default="4 to 100",
        required=True,
    )
    with st.popover("More", icon=":material/tune:"):
        chosen = control(
            st.pills,
            "backbones",
            "Backbones",
            list(BACKBONES),
            selection_mode="multi",
            default=["rnn", "lstm"],
            format_func=lambda name: BACKBONES[name].title,
        )
        judged_by = control(
            st.segmented_control,
            "sequences",
            "Test sequences",
            [TRAINED_ON, SHUFFLED],
            default=TRAINED_ON,
            required=True,
            help="Trained on: the consecutive symbols of the training. Shuffled: every symbol after the"
            " first is random.",
        )

# Compute -------------------------------------------------------------------
lengths = LENGTHS[span]
results = measured(protocol)
in_span = [point for point in results.points if point.length <= lengths[1]]
judged = in_span if judged_by == TRAINED_ON else [point.shuffled() for point in in_span]
points = [point for point in judged if point.backbone in chosen]

# Predict -------------------------------------------------------------------
is_asked_of = protocol == "original" and judged_by == TRAINED_ON
with screen.beside:
    prediction = predict_then_reveal(
        "break",
        "The RNN fails first. From which length on does the LSTM recall less than 90 %, with the"
        " original settings?",
        ("20", "30", "50", "100", "It never does"),
    )
    if prediction.revealed:
        answer(list(measured("original").points), prediction, is_drawn=is_asked_of)
if not prediction.revealed:
    points = [point for point in points if point.backbone == "rnn" or point.length <= LONGEST_SHOWN]

# Picture -------------------------------------------------------------------
title = finding(points) if judged_by == TRAINED_ON else f"Shuffled: {finding(points)}"
numbers = accuracy_table(points)
with screen.picture:
    st.markdown(f"**{title}**")
    if left_out := not_measured(results.points, chosen):
        st.caption(f"Not trained with these settings: {', '.join(left_out)}.")
    show_chart(
        accuracy_chart(
            points,
            lengths,
            judged_by=judged_by,
            guess=guesses_in_picture(prediction, place_of_guess) if is_asked_of else None,
        ),
        numbers,
        key="recall_curve",
        alt=title,
        name=f"rnn-vs-lstm-{protocol}",
    )
st.caption(
    results.provenance,
    help="Published figures: one run a length, from the notebook MeasuringRNNAccuracy of"
    " github.com/christianb93/MLLM.",
)

# Explanation ---------------------------------------------------------------
how_to_read()
if prediction.revealed:
    explain(in_span, protocol)
    with st.expander("All numbers, and how large the networks are", icon=":material/table:"):
        st.dataframe(numbers, hide_index=True)
st.header("Train a point yourself", anchor=False)
train_a_point(protocol)

# Code and suggestions ------------------------------------------------------
show_source(RNNCell, LSTMCell, EqualNetworks)
try_this(
    [
        "Choose *clipped, lower rate* and watch the RNN's curve rise. Did the original settings"
        " measure the network, or its training?",
        "Draw lengths up to 100. Which networks stay above 90 %, and what do they have that the LSTM"
        " lacks?",
        "Test with shuffled sequences. Who has learned to remember, and who has learned to count?",
        "Train an RNN of 78 hidden units: as many parameters as the LSTM. Does size help?",
    ]
)
