"""What the page's answers for teachers say, held to the accuracies that were measured."""

import pytest

from lm_core.experiments.rnn_vs_lstm.results import RecallPoint, RecallResults
from pages.shared.numbers import percent
from tests.pages.answering import assert_says

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


def test_the_wide_network_breaks_earlier(points):
    lengths = [RecallPoint.shortest_below(points, name) for name in ("rnn-wide", "rnn")]
    assert lengths[0] < lengths[1]
    assert_says(HERE, "Train an RNN of 78", *map(str, lengths))


NOT_COMPUTED = {
    "Choose *clipped": "0.1 is a setting",
    "Draw lengths up to 100": "settings, and the power of one half",
}
