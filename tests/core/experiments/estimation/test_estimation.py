"""Estimating a probability from a sample: the population, the fits, likelihood and spread."""

import math

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression as Judge

from lm_core.errors import SettingError
from lm_core.experiments.estimation import population
from lm_core.experiments.estimation.experiment import (
    EstimationSettings,
    Experiment,
    Method,
    count,
    errors,
    likelihood,
    run_experiment,
)
from lm_core.experiments.estimation.models import LogisticRegression, SmallNetwork, fit
from lm_core.rng import generator

GRID = population.population()


def test_the_shares_of_the_groups_are_a_whole():
    assert sum(group.share for group in population.GROUPS) == pytest.approx(1.0)
    assert float(GRID.mass.sum()) == pytest.approx(1.0)


def test_the_truth_is_the_share_of_birds_among_very_many_animals():
    animals = population.draw_animals((400_000,), generator(1))
    for can_fly, low, high in ((True, 9.0, 9.5), (True, 14.0, 14.5), (False, 50.0, 52.0)):
        alike = (animals.can_fly == can_fly) & (animals.lengths > low) & (animals.lengths < high)
        middle = torch.tensor([(low + high) / 2], dtype=torch.float64)
        expected = float(population.true_probability(torch.tensor(can_fly), middle))
        found = float(animals.is_bird[alike].double().mean())
        assert found == pytest.approx(expected, abs=0.03)
    assert float(animals.can_fly.double().mean()) == pytest.approx(0.6, abs=0.005)


def test_a_sample_hangs_on_the_seed_alone_and_is_never_empty():
    first, again = (population.draw_animals((3, 20), generator(7)) for _ in range(2))
    assert first.lengths.shape == (3, 20)
    assert torch.equal(first.lengths, again.lengths)
    assert not torch.equal(first.lengths, population.draw_animals((3, 20), generator(8)).lengths)
    with pytest.raises(SettingError, match=r"at least one animal, got the shape \(2, 0\)"):
        population.draw_animals((2, 0), generator(1))


@pytest.mark.parametrize("decay", [0.01, 1.0])
def test_logistic_regression_is_scikit_learns(decay):
    animals = population.draw_animals((2, 120), generator(3))
    weights = fit(LogisticRegression(), animals, generator(1), decay=decay)
    for row in range(2):
        # A column of ones for the constant, so that the prior holds for it as well.
        table = torch.cat([torch.ones(120, 1), animals.features[row]], 1)
        judge = Judge(C=1.0 / decay, fit_intercept=False, tol=1e-10, max_iter=1000)
        judge.fit(table.numpy(), animals.is_bird[row].numpy())
        np.testing.assert_allclose(weights[row], judge.coef_[0], atol=1e-4)


def test_a_sample_that_can_be_separated_is_fitted_with_finite_weights():
    animals = population.Animals(
        torch.tensor([[True, True]]),
        torch.tensor([[2.0, 30.0]], dtype=torch.float64),
        torch.tensor([[False, True]]),
    )
    weights = fit(LogisticRegression(), animals, generator(1), decay=0.001)
    assert weights.isfinite().all()
    assert weights[0, 2] > 2.0
    with pytest.raises(SettingError, match=r"decay must be positive, got 0\.0"):
        fit(LogisticRegression(), animals, generator(1), decay=0.0)


@pytest.mark.parametrize("model", [LogisticRegression(), SmallNetwork(3)])
def test_the_derivatives_are_autograds(model):
    animals = population.draw_animals((2, 7), generator(5))
    weights = torch.randn_like(model.start(2, generator(1)))
    found = model.linearised(weights, animals.features)
    torch.testing.assert_close(found.logits, model.logits(weights, animals.features))
    for row in range(2):
        features = animals.features[row : row + 1]
        expected = torch.autograd.functional.jacobian(
            lambda w, x=features: model.logits(w[None], x)[0], weights[row]
        )
        torch.testing.assert_close(found.jacobian[row], expected)


def test_the_networks_fit_has_no_gradient_left():
    animals = population.draw_animals((4, 60), generator(2))
    model = SmallNetwork(4)
    weights = fit(model, animals, generator(3), decay=0.1, iterations=300).requires_grad_()
    surprise = torch.nn.functional.binary_cross_entropy_with_logits(
        model.logits(weights, animals.features), animals.is_bird.double(), reduction="sum"
    )
    (surprise + 0.05 * weights.square().sum()).backward()
    assert weights.grad.abs().max() < 1e-2


def test_each_sample_is_fitted_by_itself():
    animals = population.draw_animals((3, 40), generator(4))
    together = fit(LogisticRegression(), animals, generator(1))
    alone = fit(
        LogisticRegression(), population.Animals(*(part[1:2] for part in animals)), generator(1)
    )
    torch.testing.assert_close(together[1:2], alone, atol=1e-5, rtol=0.0)


def test_likelihood_and_cross_entropy_by_hand():
    found = likelihood(torch.tensor([0.5, 0.2, 1.0]).double(), torch.tensor([True, False, True]))
    assert found.given.tolist() == pytest.approx([0.5, 0.8, 1.0])
    assert found.log_likelihood == pytest.approx(math.log(0.4))
    assert found.power_of_ten == pytest.approx(math.log10(0.4))
    assert found.cross_entropy == pytest.approx(-math.log(0.4) / 3)
    wrong = likelihood(torch.zeros(1), torch.tensor([True]))
    assert wrong.log_likelihood == -math.inf


def test_nothing_surprises_less_than_the_truth():
    assert 0.0 < GRID.entropy < math.log(2)
    for tilt in (0.9, 0.99):
        assert GRID.cross_entropy(tilt * GRID.truth + (1 - tilt) * 0.5) > GRID.entropy
    assert GRID.cross_entropy(torch.zeros(2, 60)) == math.inf
    animals = population.draw_animals((200_000,), generator(1))
    seen = likelihood(
        population.true_probability(animals.can_fly, animals.lengths), animals.is_bird
    )
    assert seen.cross_entropy == pytest.approx(GRID.entropy, abs=0.004)


def test_counting_is_the_share_of_birds_in_each_interval():
    lengths = torch.tensor([[2.0, 2.1, 30.0, 31.0, 32.0, 33.0]], dtype=torch.float64)
    is_bird = torch.tensor([[False, False, True, True, True, False]])
    curve = count(population.Animals(torch.ones(1, 6).bool(), lengths, is_bird), GRID, 4)[0]
    assert curve[0].isnan().all()
    at = [int((GRID.lengths - length).abs().argmin()) for length in (2.0, 30.0)]
    assert [float(curve[1, cell]) for cell in at] == [0.0, 0.75]
    assert int(curve[1].isnan().sum()) == 30


@pytest.mark.parametrize("method", Method)
def test_ones_own_sample_stays_however_many_others_there_are(method):
    one = run_experiment(EstimationSettings(method, 30, seed=4, others=0))
    many = run_experiment(EstimationSettings(method, 30, seed=4, others=5))
    assert (one.curves.shape, many.curves.shape) == ((1, 2, 60), (6, 2, 60))
    assert torch.equal(one.animals.lengths, many.animals.lengths)
    assert one.fitted.shape == (30,)
    assert ((one.fitted >= 0.0) & (one.fitted <= 1.0)).all()
    if method is not Method.NETWORK:  # whose start is drawn for all samples at once
        torch.testing.assert_close(one.curves[0], many.curves[0], equal_nan=True)


def test_spread_and_bias_by_hand():
    one, other = torch.full((2, 60), 0.2).double(), torch.full((2, 60), 0.6).double()
    experiment = Experiment(None, torch.stack([one, other]), None)
    found = errors(experiment, GRID)
    assert found.spread == pytest.approx(math.sqrt(0.08))
    expected = (GRID.mass * (0.4 - GRID.truth).square()).sum().sqrt()
    assert found.bias == pytest.approx(float(expected))


def test_more_animals_mend_the_spread_and_only_a_model_that_can_bend_mends_its_bias():
    found = {
        (method, n): errors(run_experiment(EstimationSettings(method, n)), GRID)
        for method in Method
        for n in (50, 500)
    }
    for method in Method:
        assert found[method, 500].spread < 0.6 * found[method, 50].spread
    logistic = [found[Method.LOGISTIC, n].bias for n in (50, 500)]
    assert logistic[1] == pytest.approx(logistic[0], rel=0.15)
    network = [found[Method.NETWORK, n].bias for n in (50, 500)]
    assert network[1] < 0.5 * network[0]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"n": 0}, "got 0, 8, 4 and 20"),
        ({"intervals": 0}, "got 1, 0, 4 and 20"),
        ({"hidden": 0}, "got 1, 8, 0 and 20"),
        ({"others": -1}, "got 1, 8, 4 and -1"),
    ],
)
def test_each_setting_out_of_range_is_refused(wrong, named):
    smallest = {"n": 1}
    assert EstimationSettings(Method.COUNTING, **smallest, others=0).others == 0
    with pytest.raises(SettingError, match=named):
        EstimationSettings(Method.COUNTING, **smallest | wrong)
