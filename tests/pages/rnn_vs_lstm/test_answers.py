"""What the page's answers for teachers say, held to the accuracies that were measured."""

import pytest
import torch

from lm_core.experiments.gates.taps import TAPS
from lm_core.experiments.gates.training import LETTERS, ONE_WORD, STEPS, STREAM
from lm_core.experiments.rnn_vs_lstm.results import RecallPoint, RecallResults
from lm_core.experiments.stacked_layers.training import EMBEDDING, LAYERS, TRAINING
from pages.rnn_vs_lstm.gates import gate_results
from pages.rnn_vs_lstm.layers import layers_results
from pages.shared.numbers import percent
from tests.pages.answering import assert_says
from tests.pages.rnn_vs_lstm.test_gates_and_layers import read_on

HERE = "rnn-vs-lstm"


@pytest.fixture(scope="module")
def points():
    return RecallResults.load().points("original")


def test_attention_and_two_gated_networks_stay_above_nine_tenths(points):
    held = {p.backbone for p in points if RecallPoint.shortest_below(points, p.backbone) is None}
    assert held == {"attention", "gru", "lstm-open"}


def test_attention_remembers_at_eighteen_symbols_and_not_at_a_hundred(points):
    def falls_to(backbone, length):
        (point,) = (p for p in points if (p.backbone, p.length) == (backbone, length))
        return percent(point.shuffled().mean)

    at_18 = {p.backbone: p.shuffled().mean for p in points if p.length == 18}
    assert max(at_18, key=at_18.get) == "attention"
    said = falls_to("gru", 18), falls_to("attention", 18), falls_to("attention", 100)
    assert_says(HERE, "Test with shuffled", *said)


def test_the_other_training_makes_the_same_network_remember_more(points):
    other = RecallResults.load().points("clipped")
    before, after = (
        next(p for p in some if (p.backbone, p.length) == ("rnn", 18)).shuffled().mean
        for some in (points, other)
    )
    said = f"{100 * after:.0f} % right at 18 symbols instead of {100 * before:.0f} %"
    assert_says(HERE, "Choose *clipped", said)


def test_the_wide_network_breaks_earlier(points):
    lengths = [RecallPoint.shortest_below(points, name) for name in ("rnn-wide", "rnn")]
    assert lengths[0] < lengths[1]
    assert_says(HERE, "Train an RNN of 78", *map(str, lengths))


def test_nothing_is_forgotten_that_nobody_taught_to_forget():
    begin = "Choose *One word* as training"
    assert {percent(read_on(kind, 1)[1]) for kind in TAPS} == {percent(1)}
    (second,) = {percent(read_on(kind, 1)[2]) for kind in TAPS}
    assert_says(HERE, begin, second, percent(1 / LETTERS))


def test_without_a_forget_gate_the_memory_fills_up():
    begin = "Draw *Size of the memory*"
    sizes = {kind: read_on(kind, 4, of_sizes=True) for kind in TAPS}
    grown = sizes["no-forget"]
    assert_says(HERE, begin, f"{grown[1]:.1f}", f"{grown[64]:.0f}", f"{sizes['all'][64]:.1f}")
    assert_says(HERE, begin, f"{sizes['tied'][64]:.1f}")


def test_a_missing_gate_costs_steps_where_there_is_something_to_forget():
    found, begin = gate_results(), "Draw *Steps until learned*"
    kinds = ("tied", "all", "no-output", "no-input", "no-forget")
    on_stream = [found.steps(kind, 20, STREAM, STEPS).middle for kind in kinds]
    assert on_stream == sorted(on_stream)
    on_one = [found.steps(kind, 20, ONE_WORD, STEPS).middle for kind in ("no-forget", "all")]
    assert_says(HERE, begin, *(f"{steps:.0f}" for steps in (*on_stream, *on_one)))


def test_depth_costs_at_the_start():
    curves = {n: layers_results().of(n) for n in LAYERS}
    at_300 = {n: sum(one.curve[2] for one in found) / 3 for n, found in curves.items()}
    said = f"{at_300[1]:.2f}", f"{at_300[4]:.2f}", f"{TRAINING.steps:,} steps"
    assert_says(HERE, "Move *Training step* to 300", *said)
    widths = {n: layers_results().of(n)[0].width for n in LAYERS}
    begin = "All four have about as many weights."
    assert_says(HERE, begin, f"{widths[1]}", f"{widths[4]}", f"{4 * widths[4]}")
    half = widths[1] // 2
    one, first, above = (
        sum(p.numel() for p in torch.nn.LSTM(inputs, width).parameters())
        for inputs, width in ((EMBEDDING, widths[1]), (EMBEDDING, half), (half, half))
    )
    assert_says(HERE, begin, f"{(first + 3 * above) / one:.1f} times")


NOT_COMPUTED = {
    "Draw lengths up to 100": "settings, and the power of one half",
}
