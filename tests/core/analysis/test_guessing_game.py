"""Shannon's game: its bounds on cases known by hand, and a model's bits among some letters."""

import math

import numpy as np
import pytest

from lm_core.analysis.guessing_game import branching_factor, entropy_bounds, letter_bits
from lm_core.errors import SettingError, TextError
from lm_core.models.ngram import estimate
from lm_core.models.ngram_counts import NGramCountConfig, NGramCountModel, count_ngrams


def test_whoever_is_always_right_has_no_bits():
    assert entropy_bounds([1] * 9, 27) == (0.0, 0.0)


def test_all_numbers_of_guesses_alike_are_the_full_entropy():
    low, high = entropy_bounds(list(range(1, 28)), 27)
    assert low == pytest.approx(math.log2(27)) == high


def test_the_bounds_by_hand():
    # q = (3/4, 1/4): low = 2 (1/4) log2 2, high = the entropy of (3/4, 1/4).
    low, high = entropy_bounds([1, 1, 1, 2], 27)
    assert low == pytest.approx(0.5)
    assert high == pytest.approx(0.8112781)


def test_the_lower_bound_never_exceeds_the_upper():
    rng = np.random.default_rng(0)
    for _ in range(50):
        low, high = entropy_bounds(rng.integers(1, 28, 7).tolist(), 27)
        assert 0 <= low <= high + 1e-12 <= math.log2(27) + 1e-12


@pytest.mark.parametrize("guesses", [[], [0], [28]])
def test_guesses_out_of_range_are_errors(guesses):
    with pytest.raises(SettingError):
        entropy_bounds(guesses, 27)


def test_a_model_that_knows_nothing_has_the_bits_of_the_letters_that_are_allowed():
    uniform = estimate(np.arange(8), 8, 0)
    bits = letter_bits(uniform, np.array([0]), np.array([1, 2, 3, 1]), np.arange(1, 5))
    np.testing.assert_allclose(bits, 2.0, rtol=1e-5)


def test_the_letters_before_count_and_the_others_are_left_out():
    ids = np.array([0, 1, 0, 1, 0, 2, 0, 1])
    tables = [count_ngrams(ids, 3, n) for n in (1, 2)]
    model = NGramCountModel(NGramCountConfig(3, 2, "add-k", k=0.0), tables)
    assert letter_bits(model, np.array([0]), np.array([1]), np.arange(3)) == pytest.approx(
        math.log2(4 / 3)
    )
    assert letter_bits(model, np.array([0]), np.array([1]), np.array([1])) == pytest.approx(0.0)
    with pytest.raises(TextError):
        letter_bits(model, np.array([0]), np.array([2]), np.array([1]))


def test_the_branching_factor_of_a_die():
    assert branching_factor(math.log2(6)) == pytest.approx(6)
