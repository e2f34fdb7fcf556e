"""The window that is multiplied by hand: the lecture's numbers, padding, and weights by place."""

import pytest
import torch

from lm_core.experiments.part_of_speech_tagging.worked_window import (
    PAD,
    TAGS,
    VECTORS,
    WIDTH,
    padding_share,
    worked_window,
)

WORDS = tuple(VECTORS)
MIDDLE = WORDS.index("the")


def test_five_words_are_the_fifteen_numbers_of_the_lecture():
    found = worked_window(WORDS, MIDDLE, 2)
    assert found.vectors.flatten().tolist() == [7, 9, 1, 0, 1, 5, 1, 1, 2, -1, 0, 5, 2, -1, -7]
    assert found.weights.flatten(0, 1).shape == (15, 4)
    by_hand = [
        sum(
            int(found.vectors[i, k]) * int(found.weights[i, k, tag])
            for i in range(5)
            for k in range(WIDTH)
        )
        for tag in range(len(TAGS))
    ]
    assert found.scores.tolist() == by_hand


def test_beyond_the_sentence_there_are_zeros():
    found = worked_window(WORDS, 0, 2)
    assert found.words == (PAD, PAD, "please", "increase", "the")
    assert not found.vectors[:2].any()


@pytest.mark.parametrize(("n", "share"), [(0, 0), (1, 2 / 15), (2, 6 / 25), (4, 20 / 45)])
def test_padding_grows_with_the_window(n, share):
    assert padding_share(WORDS, n) == pytest.approx(share)


def test_a_place_keeps_its_weights_when_the_window_grows():
    narrow, wide = (worked_window(WORDS, MIDDLE, n) for n in (1, 3))
    assert torch.equal(wide.weights[2:5], narrow.weights)
    assert wide.n_weights - narrow.n_weights == 4 * WIDTH * len(TAGS)
