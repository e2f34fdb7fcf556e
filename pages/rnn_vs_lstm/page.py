"""Who remembers the beginning? Accuracy against length, from networks that were really trained."""

import streamlit as st

from lm_core.experiments.rnn_vs_lstm.cells import ElmanCell, LSTMCell
from lm_core.experiments.rnn_vs_lstm.models import MODELS
from lm_core.experiments.rnn_vs_lstm.networks import RecallNetworks
from lm_core.experiments.rnn_vs_lstm.output_layer import OutputLayer
from lm_core.experiments.rnn_vs_lstm.protocols import PROTOCOLS
from pages.rnn_vs_lstm.explanation import answer, explain, finding, how_to_read
from pages.rnn_vs_lstm.live import train_a_point
from pages.rnn_vs_lstm.measured import (
    SEEN,
    SHUFFLED,
    chance_rows,
    mean_row,
    measured,
    source_rows,
    table,
)
from pages.shared import charts
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this

SPANS = {"4 to 18": (4, 18), "4 to 100": (4, 100)}

page_header(
    "rnn-vs-lstm",
    "A network reads L symbols, one at a time, and must then name the first. How long may the"
    " sequence be?",
)

# Controls ------------------------------------------------------------------
left, middle, right = st.columns([1.5, 1, 1.1], vertical_alignment="bottom")
with left:
    protocol = control(
        st.segmented_control,
        "training",
        "Training",
        list(PROTOCOLS),
        default="source",
        required=True,
        format_func=lambda name: PROTOCOLS[name].title,
        help="More gently: half the learning rate, clipped gradients, three times the epochs, and biases"
        " that start small.",
    )
with middle:
    span = control(
        st.segmented_control, "span", "Lengths", list(SPANS), default="4 to 18", required=True
    )
with right:
    judged_by = control(
        st.segmented_control,
        "judge",
        "Judged by sequences",
        [SEEN, SHUFFLED],
        default=SEEN,
        required=True,
        help="Those it was trained on, which are consecutive; or with every symbol after the first"
        " drawn anew at random.",
    )
chosen = control(
    st.pills,
    "networks",
    "Networks",
    list(MODELS),
    selection_mode="multi",
    default=["rnn", "lstm"],
    format_func=lambda name: MODELS[name].title,
    label_visibility="collapsed",
)

# Compute -------------------------------------------------------------------
lengths = SPANS[span]
results = measured(protocol)
in_span = [point for point in results.points if point.length <= lengths[1]]
judged = in_span if judged_by == SEEN else [point.shuffled() for point in in_span]
points = [point for point in judged if point.model in chosen]

# Predict -------------------------------------------------------------------
picture, beside = st.columns([2.6, 1], gap="medium")
with beside:
    prediction = predict_then_reveal(
        "break",
        "Trained as the source does it, at which length does the RNN first recall less than 90 %?",
        ("4", "6", "8", "10", "12", "14", "16", "18", "It never does"),
    )
    if prediction.revealed:
        answer(list(measured("source").points), prediction.guess)
        how_to_read()
if not prediction.revealed:
    points = [point for point in points if "rnn" not in point.model]
shown = sorted({point.model for point in points})

# Picture -------------------------------------------------------------------
title = finding(points) if judged_by == SEEN else f"Shuffled: {finding(points)}"
rows = [mean_row(point) for point in points] + chance_rows(lengths, judged_by)
if judged_by == SEEN:
    rows += source_rows(shown)
frame = charts.accuracy_frame(rows)
numbers = table(points)
with picture:
    st.markdown(f"**{title}**")
    show_chart(
        charts.accuracy_by_length(frame, lengths=lengths),
        numbers,
        key="recall_curve",
        alt=title,
        name=f"recall-{protocol}",
    )
    st.caption(results.provenance)

# Explanation ---------------------------------------------------------------
if prediction.revealed:
    explain(in_span, protocol)
    with st.expander("All numbers, and how large the networks are", icon=":material/table:"):
        st.dataframe(numbers, hide_index=True)
st.subheader("Train a point yourself", anchor=False)
train_a_point(protocol)

# Code and suggestions ------------------------------------------------------
show_source(RecallNetworks, ElmanCell, LSTMCell, OutputLayer)
try_this(
    [
        "Train more gently and watch the RNN's curve rise. What did the source"
        " measure: the network, or its training?",
        "Draw lengths up to 100. Which networks hold, and what do they have that the LSTM lacks?",
        "Judge by shuffled sequences. Who has learned to remember, and who has learned to count?",
        "Train an RNN of 78 hidden units: as many parameters as the LSTM. Does size help?",
    ]
)
