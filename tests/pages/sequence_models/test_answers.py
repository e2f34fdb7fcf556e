"""What the answers for teachers say of reversed words, held to the shipped network."""

import pytest

from lm_core.experiments.sequence_models.inference import reverse_word, word_of
from lm_core.training.checkpoints import SHIPPED, load_checkpoint


@pytest.fixture(scope="module")
def is_reversed():
    model, meta = load_checkpoint(SHIPPED / "word-reverser")
    return lambda word: word_of(reverse_word(model, word)) == word[::-1], model, meta


def test_words_of_eight_letters_or_fewer_come_back(is_reversed):
    rightly = is_reversed[0]
    assert [rightly("petersburg"[:n]) for n in range(10, 3, -1)] == [False] * 2 + [True] * 5


def test_a_row_of_one_letter_is_hard_and_two_in_turn_are_not(is_reversed):
    rightly, model, _ = is_reversed
    assert word_of(reverse_word(model, 8 * "a")) == 7 * "a"
    assert rightly("abababab")


def test_shares_of_longer_names(is_reversed):
    scores = is_reversed[2].scores
    shares = [scores[f"whole words, {n} letters"] for n in (9, 10, 11)]
    assert shares == pytest.approx([3 / 5, 1 / 4, 0], abs=0.03)
