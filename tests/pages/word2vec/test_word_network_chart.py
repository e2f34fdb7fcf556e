"""word2vec's network: every number is drawn, links join the strips, the true word is marked."""

import numpy as np
import pytest

from pages.word2vec.word_network_chart import OutputWord, network_chart, network_frame

pytestmark = pytest.mark.usefixtures("compared_with_the_schema")


def test_every_number_is_a_cell_and_every_word_a_link():
    context = [
        ("a", np.array([1.0, -2.0])),
        ("b", np.array([3.0, 0.0])),
        ("a", np.array([1.0, 1.0])),
    ]
    outputs = [OutputWord("x", np.ones(2), 0.75, False), OutputWord("y", np.zeros(2), 0.25, True)]
    frame = network_frame(context, np.array([0.5, 0.5]), outputs)
    counts = frame["kind"].value_counts()
    assert (counts["input"], counts["hidden"], counts["output"], counts["link"]) == (6, 2, 4, 5)
    assert frame.query("kind == 'input'")["value"].tolist() == [1.0, -2.0, 3.0, 0.0, 1.0, 1.0]
    bars = frame.query("kind == 'bar'")
    lengths = (bars["x2"] - bars["x"]).tolist()
    assert lengths[0] == 3 * lengths[1]
    assert bars["is_true"].tolist() == [False, True]
    assert set(frame.query("is_true")["word"]) == {"y"}
    drawn = network_chart(frame)
    shades = drawn.data[drawn.data["kind"] == "input"]["shade"]
    assert shades.min() == -2 / 3
    assert shades.max() == 1.0


def test_in_large_type_the_headings_are_as_short_as_on_a_phone():
    outputs = [OutputWord("x", np.ones(2), 0.75, False)]
    drawn = network_chart(network_frame([("a", np.ones(2))], np.ones(2), outputs))
    said = {
        size: drawn.table_for(size).query("kind == 'wide'")["text"].tolist() for size in (13, 24)
    }
    assert said[24] == drawn.data.query("kind == 'narrow'")["text"].tolist()
    assert all(len(short) < len(whole) for short, whole in zip(said[24], said[13], strict=True))
