"""Best-of-n against all ways of choosing, and its KL against the distribution itself."""

import itertools
import math

import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.generation.best_of_n import best_of_n_kl, best_of_n_mean
from lm_core.rng import generator


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_the_mean_is_over_all_ways_to_take_n(n):
    scores, values = torch.randn(2, 5, generator=generator(4)).double()
    best = [
        max(chosen, key=lambda i: float(scores[i]))
        for chosen in itertools.combinations(range(5), n)
    ]
    expected = sum(float(values[i]) for i in best) / len(best)
    assert float(best_of_n_mean(scores, values, n)) == pytest.approx(expected)


def test_every_row_has_its_own_order():
    scores = torch.tensor([[1.0, 2.0], [2.0, 1.0]])
    values = torch.tensor([[10.0, 20.0], [30.0, 40.0]])
    assert best_of_n_mean(scores, values, 2).tolist() == [20.0, 30.0]


@pytest.mark.parametrize("n", [1, 2, 7, 64])
def test_the_kl_is_that_of_many_equally_likely_texts(n):
    """The k-th best of M equally likely texts is kept with a probability that is known."""
    m = 200_000
    below = torch.arange(m + 1, dtype=torch.float64) / m
    kept = below.pow(n).diff()
    kl = float(torch.special.xlogy(kept, kept * m).sum())
    assert best_of_n_kl(n) == pytest.approx(kl, abs=1e-4)
    assert best_of_n_kl(n) == pytest.approx(math.log(n) - (n - 1) / n)


def test_what_cannot_be_is_refused():
    with pytest.raises(SettingError, match="n must be at least 1"):
        best_of_n_kl(0)
    with pytest.raises(SettingError, match=r"n must lie in 1\.\.3"):
        best_of_n_mean(torch.zeros(3), torch.zeros(3), 4)
    with pytest.raises(ShapeError, match="one shape"):
        best_of_n_mean(torch.zeros(3), torch.zeros(4), 2)
