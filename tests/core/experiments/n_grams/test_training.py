"""The network that counting is equivalent to: which counts it meets, and which it cannot."""

import math

import numpy as np
import pytest
import torch

from lm_core.errors import SettingError
from lm_core.experiments.n_grams.results import NAMES, NGramResults
from lm_core.experiments.n_grams.training import NGramTrainingConfig, target, train_on_counts
from lm_core.models.ngram_network import NGramNetworkConfig

COUNTS = np.array([[5, 0, 1], [0, 0, 0], [2, 7, 40]])
SMALL = NGramNetworkConfig(3, 2)


def last(config, counts, dtype=torch.float32):
    *_, snapshot = train_on_counts(config, counts, dtype)
    return snapshot


@pytest.mark.parametrize("n", [2, 3])
def test_the_training_of_the_page_meets_the_smoothed_counts_to_a_thousandth(n):
    counts = NGramResults.load().tables[NAMES][n - 1].row(np.arange(27 ** (n - 1)))
    config = NGramTrainingConfig(NGramNetworkConfig(27, n))
    snapshot = last(config, counts)
    np.testing.assert_allclose(snapshot.probabilities, target(counts, config.k), atol=1e-3)
    assert snapshot.difference < 1e-3


def test_with_more_steps_it_meets_them_to_a_millionth():
    config = NGramTrainingConfig(SMALL, k=0.5, steps=1500)
    snapshot = last(config, COUNTS, torch.float64)
    np.testing.assert_allclose(snapshot.probabilities, target(COUNTS, 0.5), atol=1e-6)


def test_the_loss_ends_at_the_entropy_of_the_counts():
    q = (COUNTS + 1) / (COUNTS + 1).sum()
    entropy = -(q * np.log(target(COUNTS, 1.0))).sum()
    snapshot = last(NGramTrainingConfig(SMALL, steps=600), COUNTS, torch.float64)
    assert snapshot.loss == pytest.approx(entropy, abs=1e-6)


def test_a_count_of_zero_is_never_met_and_its_weight_falls_on_and_on():
    lows = [
        last(NGramTrainingConfig(SMALL, k=0.0, steps=steps), COUNTS).weight[0, 1]
        for steps in (100, 300, 900)
    ]
    assert lows[0] > lows[1] > lows[2]
    snapshot = last(NGramTrainingConfig(SMALL, k=0.0, steps=900), COUNTS)
    assert snapshot.probabilities[0, 1] > 0


def test_a_context_without_a_count_keeps_its_first_weights():
    first, *_, end = train_on_counts(NGramTrainingConfig(SMALL, k=0.0, steps=50), COUNTS)
    torch.testing.assert_close(first.weight[1], end.weight[1], rtol=0, atol=0)
    assert not math.isnan(end.difference)


def test_the_seed_decides_where_it_begins():
    starts = [next(train_on_counts(NGramTrainingConfig(SMALL, seed=s), COUNTS)) for s in (0, 0, 1)]
    assert torch.equal(starts[0].weight, starts[1].weight)
    assert not torch.equal(starts[0].weight, starts[2].weight)


@pytest.mark.parametrize(
    "counts", [COUNTS[:2], np.zeros((3, 3), int)], ids=["another shape", "nothing"]
)
def test_counts_that_do_not_fit_are_errors(counts):
    with pytest.raises(SettingError):
        next(train_on_counts(NGramTrainingConfig(SMALL, k=0.0), counts))
