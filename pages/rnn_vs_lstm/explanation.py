"""The text of the page: every figure in them is read from the points on screen."""

import streamlit as st

from lm_core.experiments.published import RECALL_LENGTHS, RECALL_RNN
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.results import RecallPoint
from lm_core.experiments.rnn_vs_lstm.settings import PROTOCOLS, blind_chance, clockless_chance
from pages.rnn_vs_lstm.accuracy import BROKEN_BELOW, TITLES, VOCABULARY, memory_or_counting
from pages.shared.numbers import percent

_SIZED = ("rnn", "rnn-wide", "lstm")
"""The small network, the one with as many parameters as the third, and the third."""


def finding(points: list[RecallPoint]) -> str:
    """Return what the curves on screen show, in one sentence: which break, and which do not."""
    ends: dict[tuple[bool, int], list[str]] = {}  # titles by whether and until when they last
    for name in dict.fromkeys(point.backbone for point in points):
        below = RecallPoint.shortest_below(points, name, BROKEN_BELOW)
        longest = max(point.length for point in points if point.backbone == name)
        ends.setdefault((below is None, below or longest), []).append(TITLES[name])
    parts = [
        f"{_listed(titles)} never, up to L = {length}"
        if lasts
        else f"{_listed(titles)} below {percent(BROKEN_BELOW)} from L = {length}"
        for (lasts, length), titles in sorted(ends.items())
    ]
    return "; ".join(parts) + "." if parts else "Nothing has been measured with these settings yet."


def reason(points: list[RecallPoint], guess: str | None, *, asked_in_picture: bool) -> str:
    """Say at which length the LSTM breaks, of the points that were asked about."""
    length = RecallPoint.shortest_below(points, "lstm", BROKEN_BELOW)
    rnn = RecallPoint.shortest_below(points, "rnn", BROKEN_BELOW)
    said = "With the original settings the LSTM"
    if length is None:
        said += f" stays above {percent(BROKEN_BELOW)}."
    else:
        said += f"'s mean falls below {percent(BROKEN_BELOW)} at **L = {length}**."
        if rnn is not None:
            said += (
                f" The RNN's does so already at L = {rnn}, both of the lengths that were measured. The"
                " LSTM lasts longer, but it fails too."
            )
    if not asked_in_picture:
        return f"{said} The picture now shows other networks or other test sequences."
    is_drawn = guess is not None and guess.isdecimal()
    return f"{said} The triangle in the picture is your guess." if is_drawn else said


def how_to_read() -> None:
    """Explain the task, a point, a band and a grey dot."""
    st.markdown(
        f"Each network reads L consecutive numbers out of {VOCABULARY}, one at a time. After each"
        " of them it must name the *first*. A point is the share of sequences whose last answer is"
        " right, averaged over networks that differ only in their random start, so the band shows"
        " what luck does. It reaches from the worst of them to the best. Grey dots are the"
        " published figures, one run each. Their author repeated the RNN with `torch.nn.RNN` to be certain"
        " of his own code; from the same weights our networks have its losses, its gradients and its"
        " answers, so every step of a training with it would be the same."
    )


def explain(points: list[RecallPoint], protocol: str) -> None:
    """Explain the picture with its own numbers."""
    by_key = {(point.backbone, point.length): point for point in points}
    longest = RECALL_LENGTHS[-1]
    at_end = [point for point in points if point.length == longest]
    rnn = by_key.get(("rnn", longest))
    if rnn:
        st.markdown(_rnn(rnn, protocol))
        st.markdown(_what_it_measures(at_end))
    sized = [by_key[name, longest] for name in _SIZED if (name, longest) in by_key]
    if len(sized) == len(_SIZED):
        st.markdown(_size(*sized))
    if lstm := by_key.get(("lstm", 50)):
        st.markdown(_lstm(lstm, by_key.get(("lstm-open", 50))))
    if rnn:
        memory_or_counting(at_end)


def _rnn(rnn: RecallPoint, protocol: str) -> str:
    begin = (
        f"At L = {rnn.length} the RNN recalls **{percent(rnn.mean, 1)}** ({_spread(rnn)} over"
        f" {len(rnn.accuracies)} seeds; published: {percent(RECALL_RNN[-1], 1)})."
    )
    if protocol == "original":
        return (
            f"{begin} On its way back to the first symbol, a gradient is multiplied by the same"
            f" matrix {rnn.length - 1} times, so it probably *vanishes*. But the failure belongs to the *training* as"
            " much as to the network, because the same network recalls more with the other training: choose it"
            " above and compare. Probably each update is so large at a learning rate of 0.1 that the tiny"
            " gradient from the first symbol is lost in it; which of the changes helps was not measured alone."
        )
    ours = PROTOCOLS[protocol].settings
    return (
        f"{begin} It is the same network. The learning rate is {ours['learning_rate']:g}, gradients"
        f" are clipped to norm {ours['clip']:g}, there are {ours['epochs']} epochs, and biases"
        " start small. So what looked like a limit of the RNN was largely its training."
    )


def _size(rnn: RecallPoint, wide: RecallPoint, lstm: RecallPoint) -> str:
    return (
        f"Is it size? With {BACKBONES[rnn.backbone].width} hidden units each, the RNN has"
        f" {rnn.parameter_count:,} parameters and the LSTM {lstm.parameter_count:,}. The LSTM's"
        " cell has four times as many, because its three gates and its candidate have as many"
        " weights each as the whole cell of the RNN. The *wide RNN* matches that size:"
        f" {BACKBONES[wide.backbone].width} units, {wide.parameter_count:,} parameters. At L ="
        f" {wide.length} it recalls {percent(wide.mean, 1)}, the small RNN {percent(rnn.mean, 1)}"
        f" and the LSTM {percent(lstm.mean, 1)}."
    )


def _lstm(lstm: RecallPoint, opened: RecallPoint | None) -> str:
    measured = f"**{percent(lstm.mean, 1)}** ({_spread(lstm)}, seeds: {len(lstm.accuracies)})"
    if lstm.mean >= BROKEN_BELOW:
        return f"Trained this way, the LSTM still recalls {measured} at L = {lstm.length}."
    beside = ""
    if opened:
        beside = (
            " The *open LSTM* starts with forget gates that let 98 % of the cell pass each step"
            " (bias 4), so more of the first number is left. It recalls"
            f" **{percent(opened.mean, 1)}**."
        )
    return (
        f"The LSTM has limits too: at L = {lstm.length} it recalls {measured}. Its gates start half"
        f" open, so at first one half to the power of {lstm.length} of a number is left, which is"
        f" almost nothing.{beside}"
    )


def _what_it_measures(points: list[RecallPoint]) -> str:
    length = points[0].length
    shuffled = ", ".join(f"{TITLES[p.backbone]} {percent(p.shuffled().mean, 1)}" for p in points)
    return (
        "Is it memory? The numbers are consecutive, so a network that *counts* the steps can compute"
        " the first number from the last. A blind guess is right"
        f" {percent(blind_chance(VOCABULARY, length), 1)} of the time. A guess from the last number,"
        f" without counting, is right {percent(clockless_chance(length), 1)} of the time (the thin"
        " lines). To test memory alone, all numbers after the first are replaced by random ones: a"
        " network that has stored the first number loses nothing, one that counted back fails. At"
        f" L = {length} the share that is still right is then: {shuffled}. Choose *shuffled* under"
        " *Test sequences* to see all curves this way."
    )


def _spread(point: RecallPoint) -> str:
    return f"{percent(min(point.accuracies), 1)} to {percent(max(point.accuracies), 1)}"


def _listed(titles: list[str]) -> str:
    return titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} and {titles[-1]}"
