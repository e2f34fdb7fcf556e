"""Which network remembers the beginning? Accuracy by length, from networks that were really trained."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.gates.taps import TappedLSTMCell
from lm_core.experiments.gates.training import draw_stream
from lm_core.experiments.rnn_vs_lstm.results import RecallPoint
from lm_core.experiments.rnn_vs_lstm.settings import PROTOCOLS
from lm_core.experiments.rnn_vs_lstm.training import EqualNetworks
from lm_core.experiments.stacked_layers.training import widest
from lm_core.models.recurrent import LSTMCell, RNNCell
from pages.rnn_vs_lstm import accuracy, explanation
from pages.rnn_vs_lstm.accuracy import BROKEN_BELOW, SHUFFLED, TITLES, TRAINED_ON
from pages.rnn_vs_lstm.gates import gates
from pages.rnn_vs_lstm.layers import layers
from pages.rnn_vs_lstm.training import train_a_point
from pages.shared import page

LENGTHS = {"4 to 18": (4, 18), "4 to 100": (4, 100)}
_TRAININGS = {name: protocol.title for name, protocol in PROTOCOLS.items()}
LONGEST_SHOWN = 18  # before the class has guessed where the LSTM breaks


class Chosen(NamedTuple):
    """What is drawn: a training, lengths, networks, and what they are tested with."""

    protocol: str = page.field(
        page.segments,
        "Training",
        _TRAININGS,
        "original",
        help="*Clipped, lower rate* trains with half the learning rate, so that single updates do less"
        " harm, with gradients clipped to norm 0.3, three times as many epochs and small biases at"
        " the start.",
    )
    lengths: str = page.field(page.segments, "Lengths", tuple(LENGTHS), "4 to 100")
    backbones: list[str] = page.folded(page.several, "Backbones", TITLES, ("rnn", "lstm"))
    sequences: str = page.folded(
        page.segments,
        "Test sequences",
        (TRAINED_ON, SHUFFLED),
        help="*Trained on* tests with runs of consecutive numbers, like those that the network learned"
        " from; there it may also count back. In *shuffled* sequences every symbol after the first"
        " is random, so only memory helps.",
    )


def recall(screen: page.FirstScreen) -> None:
    """Draw accuracy by length, explain it, and train points of it again."""
    chosen, results = page.controls(Chosen, screen), accuracy.measured()
    measured, original = results.points(chosen.protocol), results.points("original")
    breaks_at = RecallPoint.shortest_below(original, "lstm", BROKEN_BELOW)
    is_asked_of = (chosen.protocol, chosen.sequences) == ("original", TRAINED_ON)
    asked = page.ask(
        screen,
        "break",
        "The RNN fails first. From which length on does the LSTM recall less than 90 %, with the"
        " original settings?",
        {"20": 20.0, "30": 30.0, "50": 50.0, "100": 100.0, "It never does": None},
        right=str(breaks_at or "It never does"),
        reason=lambda guess: explanation.reason(original, guess, asked_in_picture=is_asked_of),
    )
    in_span = [point for point in measured if point.length <= LENGTHS[chosen.lengths][1]]
    judged = [p if chosen.sequences == TRAINED_ON else p.shuffled() for p in in_span]
    points = [point for point in judged if point.backbone in chosen.backbones]
    if asked.masks:
        points = [p for p in points if p.backbone == "rnn" or p.length <= LONGEST_SHOWN]
    with screen.picture:
        known = {point.backbone for point in measured}
        left_out = [TITLES[name] for name in chosen.backbones if name not in known]
        _picture(chosen, points, left_out, asked if is_asked_of else page.Asked())
    st.caption(
        accuracy.provenance(results, chosen.protocol),
        help="Published figures: one run a length, from the notebook MeasuringRNNAccuracy of"
        " github.com/christianb93/MLLM.",
    )
    explanation.how_to_read()
    if not asked.masks:
        explanation.explain(in_span, chosen.protocol)
        with st.expander("All numbers, and how large the networks are", icon=":material/table:"):
            st.dataframe(accuracy.accuracy_table(points), hide_index=True)
    st.header("Train a point yourself", anchor=False)
    train_a_point(chosen.protocol, original)


def _picture(
    chosen: Chosen, points: list[RecallPoint], left_out: list[str], asked: page.Asked[float | None]
) -> None:
    found = explanation.finding(points)
    title = found if chosen.sequences == TRAINED_ON else f"Shuffled: {found}"
    st.markdown(f"**{title}**")
    if left_out:
        st.caption(f"Not trained with these settings: {', '.join(left_out)}.")
    guess = asked.at(lambda length: (length, BROKEN_BELOW) if length else None)
    span = LENGTHS[chosen.lengths]
    page.show_chart(
        accuracy.accuracy_chart(points, span, judged_by=chosen.sequences, guess=guess),
        accuracy.accuracy_table(points),
        key="recall_curve",
        alt=title,
        name=f"rnn-vs-lstm-{chosen.protocol}",
    )


page.draw(
    "rnn-vs-lstm",
    "A network reads L symbols, one at a time, and must then name the first. It can do so only if"
    " something of the beginning is left in its memory: how long may the sequence be?",
    [
        page.Part("Recall", recall, (RNNCell, LSTMCell, EqualNetworks)),
        page.Part("Gates one by one", gates, (LSTMCell, TappedLSTMCell, draw_stream)),
        page.Part("Stacked layers", layers, (widest,)),
    ],
)
