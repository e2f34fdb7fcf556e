"""The words of the recall page: every figure in them is read from the points on screen."""

import streamlit as st

from lm_core.experiments.published import RECALL_LENGTHS, RECALL_RNN
from lm_core.experiments.rnn_vs_lstm.models import MODELS
from lm_core.experiments.rnn_vs_lstm.protocols import PROTOCOLS
from lm_core.experiments.rnn_vs_lstm.results import (
    RecallPoint,
    blind_chance,
    breaking_length,
    clockless_chance,
)
from pages.rnn_vs_lstm.measured import VOCABULARY

BROKEN_BELOW = 0.9
_SIZED = ("rnn", "rnn-wide", "lstm")
"""The small network, the one with as many parameters as the third, and the third."""


def finding(points: list[RecallPoint]) -> str:
    """Return what the curves on screen show, as one sentence a fate: who breaks, who holds."""
    broken: dict[int, list[str]] = {}
    held: dict[int, list[str]] = {}
    for model in dict.fromkeys(point.model for point in points):
        title = MODELS[model].title
        if (length := breaking_length(points, model, BROKEN_BELOW)) is not None:
            broken.setdefault(length, []).append(title)
        else:
            longest = max(point.length for point in points if point.model == model)
            held.setdefault(longest, []).append(title)
    parts = [
        f"{_listed(titles)} below {BROKEN_BELOW:.0%} from L = {length}"
        for length, titles in sorted(broken.items())
    ]
    parts += [f"{_listed(titles)} never, up to L = {length}" for length, titles in held.items()]
    return "; ".join(parts) + "." if parts else "Nothing measured here yet."


def answer(points: list[RecallPoint], guess: str | None) -> None:
    """Tell at which length the RNN breaks, beside the visitor's guess."""
    length = breaking_length(points, "rnn", BROKEN_BELOW)
    told = "It never does" if length is None else f"L = {length}"
    right = guess is not None and guess == (told if length is None else str(length))
    beside = "" if guess is None else (" You were right." if right else f" You said {guess}.")
    st.markdown(f"The RNN's mean falls below {BROKEN_BELOW:.0%} at: **{told}**.{beside}")


def how_to_read() -> None:
    """Say what a point, a band and a grey dot are."""
    st.markdown(
        f"Each network reads L consecutive numbers out of {VOCABULARY}, one at a time, and after each of them"
        " must name the *first*. A point is the share of sequences whose last answer is right,"
        " averaged over networks that differ only in their random start; the band reaches from the"
        " worst of them to the best, and grey dots are the source's single run."
    )


def explain(points: list[RecallPoint], protocol: str) -> None:
    """Explain the picture with its own numbers."""
    by_key = {(point.model, point.length): point for point in points}
    paragraphs = []
    if rnn := by_key.get(("rnn", RECALL_LENGTHS[-1])):
        paragraphs.append(_rnn(rnn, protocol))
        at_end = [point for point in points if point.length == rnn.length]
        paragraphs.append(_what_it_measures(at_end))
    at_one_length = [by_key.get((model, RECALL_LENGTHS[-1])) for model in _SIZED]
    if all(at_one_length):
        paragraphs.append(_size(*at_one_length))
    if lstm := by_key.get(("lstm", 50)):
        paragraphs.append(_lstm(lstm, by_key.get(("lstm-open", 50))))
    for paragraph in paragraphs:
        st.markdown(paragraph)


def _rnn(rnn: RecallPoint, protocol: str) -> str:
    low, high, n = min(rnn.accuracies), max(rnn.accuracies), len(rnn.accuracies)
    begin = (
        f"At L = {rnn.length} the RNN recalls **{rnn.mean:.1%}** ({low:.1%} to {high:.1%} over {n}"
        f" seeds; the source reports {RECALL_RNN[-1]:.1%})."
    )
    if protocol == "source":
        return (
            f"{begin} To carry a gradient back to the first symbol it is multiplied by the same"
            f" matrix {rnn.length - 1} times, and with a learning rate of 0.1 the weights jump"
            " before the little that arrives can add up. That is as much a matter of *how it is"
            " trained* as of what it is: switch the training above and compare."
        )
    ours = PROTOCOLS[protocol].settings
    return (
        f"{begin} It is the same network, with a learning rate of {ours['learning_rate']:g}, gradients"
        f" clipped to norm {ours['clip']:g}, {ours['epochs']} epochs and biases that start small:"
        " what looked like a limit of the RNN was largely its training."
    )


def _size(rnn: RecallPoint, wide: RecallPoint, lstm: RecallPoint) -> str:
    return (
        f"Is it size? With {MODELS[rnn.model].width} hidden units each, the RNN has"
        f" {rnn.parameter_count:,} parameters and the LSTM {lstm.parameter_count:,}: its three gates"
        " and what it may add to its cell have as many weights each as the whole cell of the RNN."
        f" The *wide RNN* is matched to that: {MODELS[wide.model].width} units,"
        f" {wide.parameter_count:,} parameters. At L = {wide.length} it recalls {wide.mean:.1%}, the"
        f" small one {rnn.mean:.1%}, the LSTM {lstm.mean:.1%}."
    )


def _lstm(lstm: RecallPoint, opened: RecallPoint | None) -> str:
    low, high, n = min(lstm.accuracies), max(lstm.accuracies), len(lstm.accuracies)
    measured = f"**{lstm.mean:.1%}** ({low:.1%} to {high:.1%}, seeds: {n})"
    if lstm.mean >= BROKEN_BELOW:
        return f"Trained this way, the LSTM still recalls {measured} at L = {lstm.length}."
    beside = ""
    if opened:
        beside = (
            f" Start its forget gate open (bias 4, so that 98 % of the cell passes each step) and it"
            f" recalls **{opened.mean:.1%}**."
        )
    return (
        f"The LSTM has limits too: at L = {lstm.length} it recalls {measured}."
        f" Its gates start half open, and half to the power of"
        f" {lstm.length} is nothing.{beside}"
    )


def _what_it_measures(points: list[RecallPoint]) -> str:
    length = points[0].length
    by_count = blind_chance(VOCABULARY, length), clockless_chance(length)
    shuffled = ", ".join(f"{MODELS[p.model].title} {p.shuffled().mean:.1%}" for p in points)
    return (
        "Is it memory? The numbers are consecutive, so the last one gives the first away to whoever"
        f" has *counted* the steps: a blind guess is right {by_count[0]:.1%} of the time, one that"
        f" sees the last number but has no clock {by_count[1]:.1%} (the thin lines). A network that"
        " has stored the first number would not mind if all the others were drawn anew at random."
        f" At L = {length} this is what is left: {shuffled}. *Judged by* above draws all curves this"
        " way."
    )


def _listed(titles: list[str]) -> str:
    return titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} and {titles[-1]}"
