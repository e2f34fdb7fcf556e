"""What the page's answers for teachers say, held to the experiments that its controls ask for."""

import math

import pytest
import torch

from lm_core.experiments.estimation import reasons
from lm_core.experiments.estimation.experiment import (
    EstimationSettings,
    Method,
    errors,
    run_experiment,
)
from lm_core.experiments.estimation.population import GROUPS, population
from pages.shared.numbers import percent
from tests.pages.answering import assert_says

HERE = "estimation"
GRID = population()


def cell(length):
    return int((GRID.lengths - length).abs().argmin())


def of_counting(**settings):
    return run_experiment(EstimationSettings(Method.COUNTING, **settings))


def test_few_samples_have_seen_a_bird_of_eight_centimetres():
    estimates = of_counting(n=50).curves[:, 1, cell(8)]
    truth = GRID.truth[1, cell(8)]
    assert (estimates < truth).sum() > len(estimates) / 2
    without = int((estimates == 0).sum())
    said = percent(truth), percent(estimates.min()), percent(estimates.max())
    assert_says(HERE, "Hide the truth", *said, str(without), str(len(estimates)))
    by_seed = [of_counting(n=50, seed=seed).curves[:, 1, cell(8)] for seed in range(1, 8)]
    assert all((found < truth).sum() > len(found) / 2 for found in by_seed)
    largest = [float(found.max()) for found in by_seed]
    assert_says(HERE, "Hide the truth", f"is {percent(min(largest))} to {percent(max(largest))}")
    flying = {g.name: g.median for g in GROUPS if g.can_fly}
    assert flying["bats"] == 8
    assert flying["flying insects"] < 8 < flying["flying birds"]


def test_many_intervals_spread_and_few_are_biased():
    found = {n: errors(of_counting(n=50, intervals=n), GRID) for n in (2, 8, 30)}
    both = {n: math.hypot(*found[n]) for n in found}
    assert both[8] < min(both[2], both[30])
    spreads = f"{found[30].spread:.2f}", f"{found[2].spread:.2f}"
    biases = f"{found[2].bias:.2f}", f"{found[30].bias:.2f}"
    assert_says(HERE, "Count with 30 intervals", *spreads, *biases, "8")


def test_logistic_regression_rises_where_birds_become_rare():
    top = int(GRID.truth[0].argmax())
    assert float(GRID.lengths[top]) == pytest.approx(65, abs=3)
    assert float(GRID.truth[0, top]) == pytest.approx(0.5, abs=0.02)
    curve = run_experiment(EstimationSettings(Method.LOGISTIC, 500)).curves[0, 0]
    assert (curve.diff() > 0).all()
    assert curve[-1] > 0.9
    assert GRID.truth[0, -1] < 0.001
    assert_says(HERE, "Fit logistic regression", "65 cm", percent(0.9), f"{GRID.lengths[-1]:.0f}")


def test_the_weak_prior_overfits_and_the_first_sample_shows_it_most():
    def losses(prior, seed=0):
        found = run_experiment(EstimationSettings(Method.NETWORK, 20, seed=seed, decay=prior))
        return found.likelihood.cross_entropy, GRID.cross_entropy(found.curves[0])

    weak, strong = losses(0.001), losses(1.0)
    assert_says(HERE, "Fit the network", *(f"{loss:.2f}" for loss in (*weak, *strong)))
    others = [losses(0.001, seed) for seed in range(1, 5)]
    # Only some samples can be told apart, so the answer speaks of this one.
    assert_says(HERE, "Fit the network", "These twenty animals can be told apart")
    assert min(own for own, _ in others) > 0.05 > weak[0]
    assert all(whole - own < weak[1] - weak[0] for own, whole in others)
    ahead = [n for n, (_, whole) in enumerate(others, 1) if whole < losses(1.0, n)[1] - 0.01]
    assert ahead == [1]


def test_samples_of_ten_animals_are_certain_or_silent():
    place = cell(12)
    said = [float(of_counting(n=10, seed=seed).curves[0, 1, place]) for seed in range(10)]
    certain, silent = said.count(1.0), sum(map(math.isnan, said))
    (other,) = (value for value in said if value != 1.0 and not math.isnan(value))
    assert (certain, silent) == (5, 4)
    assert_says(HERE, "Count, and step", percent(other), percent(GRID.truth[1, place]))


# Why a sigmoid, this loss, a penalty ------------------------------------------------------------


def odds(spread=3.0, share=0.5):
    return reasons.log_odds(reasons.Bell(14.0, spread), reasons.Bell(8.0, spread), share)


def half(found):
    assert found.square == 0
    return -found.constant / found.slope


def test_equal_spreads_move_the_slope_alone():
    narrow, wide = odds(1.0), odds(6.0)
    assert half(narrow) == pytest.approx(half(wide)) == pytest.approx(11)
    said = f"{narrow.slope:.0f}", f"{wide.slope:.2f}"
    assert_says(HERE, "Set both spreads to 1", "11 cm", *said)


def test_a_rare_bird_must_be_longer():
    rare = odds(share=0.1)
    assert rare.slope == odds().slope
    assert_says(HERE, "Let only a tenth", f"{half(rare):.1f} cm", f"{half(odds()):.0f}")


def test_least_squares_stays_where_it_is_surely_wrong():
    ends = {
        (name, start): float(reasons.descend(name, reasons.flying_sample(200, 0), start).right[-1])
        for name in reasons.LOSSES
        for start in (-12.0, 0.0)
    }
    cross_entropy, squares = reasons.LOSSES
    assert ends[squares, 0.0] == pytest.approx(ends[cross_entropy, 0.0], abs=0.01)
    assert ends[cross_entropy, -12.0] == pytest.approx(ends[cross_entropy, 0.0], abs=0.005)
    said = percent(ends[cross_entropy, 0.0]), percent(ends[squares, -12.0])
    assert_says(HERE, "Begin at a slope of", *said, "300")


def test_least_squares_pulls_hardest_at_a_third():
    given = torch.linspace(0.01, 0.99, 981, dtype=torch.float64)
    pulls = reasons.pull(reasons.LOSSES[1], given.logit())
    assert float(given[pulls.argmax()]) == pytest.approx(1 / 3, abs=0.002)
    assert_says(HERE, "Where on the left picture", f"{pulls.max():.2f}")


def best_slope(n, decay):
    slopes = torch.linspace(0.0, 14.0, 141, dtype=torch.float64)
    nats = reasons.slope_nats(reasons.flying_sample(n, 0), slopes)
    return f"{slopes[(nats + reasons.prior_nats(slopes, decay)).argmin()]:.1f}"


def test_a_strong_prior_decides_for_a_small_sample():
    assert_says(HERE, "Take 20 animals, and", *(best_slope(20, decay) for decay in (0.01, 1, 10)))
    assert_says(HERE, "Keep λ = 1", best_slope(20, 1), best_slope(200, 1))


def test_without_a_fault_a_small_sample_asks_for_a_slope_without_end():
    def is_divided(seed):
        animals = reasons.flying_sample(20, seed)
        lengths = animals.features[:, 1]
        return bool(lengths[animals.is_bird].min() > lengths[~animals.is_bird].max())

    divided = [seed for seed in range(12) if is_divided(seed)]
    assert 0 in divided
    assert len(divided) == 6
    assert_says(HERE, "Take 20 animals, and", "first twelve samples six")
