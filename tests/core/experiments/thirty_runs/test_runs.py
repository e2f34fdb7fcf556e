"""Runs by their numbers, and what they say together."""

import math
import statistics

import pytest
import torch

from lm_core.clustering import k_means
from lm_core.errors import SettingError
from lm_core.experiments.estimation.experiment import Method
from lm_core.experiments.thirty_runs import runs

VALUES = [3.0, 1.0, 2.0, 5.0]


def test_means_and_bands_are_those_of_the_textbook():
    for n, found in enumerate(runs.running_means(VALUES), start=1):
        assert found.mean == pytest.approx(statistics.mean(VALUES[:n]))
        error = statistics.stdev(VALUES[:n]) / math.sqrt(n) if n > 1 else 0.0
        assert (found.low, found.high) == pytest.approx(
            (found.mean - 2 * error, found.mean + 2 * error)
        )


def test_the_band_covers_the_mean_of_a_normal_law_nearly_always():
    rng = torch.Generator().manual_seed(0)
    drawn = torch.randn(400, 30, generator=rng, dtype=torch.float64)
    covered = [
        last.low <= 0.0 <= last.high
        for row in drawn.tolist()
        for last in runs.running_means(row)[-1:]
    ]
    assert 0.90 < sum(covered) / len(covered) < 0.99


def test_nothing_has_come_in_yet():
    assert runs.running_means([]) == []
    assert runs.running_lowest([]) == []


def test_the_lowest_so_far_only_falls():
    assert runs.running_lowest(VALUES) == [3.0, 1.0, 1.0, 1.0]
    assert runs.reaches_lowest([1.0001, 3.0, 1.0]) == [True, False, True]


def test_one_run_does_not_say_how_much_runs_differ():
    assert runs.standard_deviation(VALUES) == pytest.approx(statistics.stdev(VALUES))
    with pytest.raises(SettingError):
        runs.standard_deviation(VALUES[:1])


@pytest.mark.parametrize(
    "run",
    [
        lambda number: runs.estimate_of_sample(Method.LOGISTIC, 10, number),
        lambda number: runs.inertia_of_start("95 : 5", 2, number),
    ],
)
def test_a_run_depends_on_its_number_alone(run):
    first = [run(number) for number in range(4)]
    assert [run(number) for number in reversed(range(4))] == first[::-1]
    assert len(set(first)) > 1


def test_a_straight_logit_is_biased_here_and_a_network_is_not():
    off = {}
    for method in (Method.LOGISTIC, Method.NETWORK):
        values = [runs.estimate_of_sample(method, 40, number) for number in range(30)]
        last = runs.running_means(values)[-1]
        off[method] = not last.low <= runs.true_probability_of_bird() <= last.high
    assert off == {Method.LOGISTIC: True, Method.NETWORK: False}


def test_more_units_fail_less_often():
    two, four = (sum(runs.failures_of_starts(units, 30)) for units in (2, 4))
    assert four < two < 30


def test_all_restarts_are_of_the_same_points(monkeypatch):
    seen = []
    fit = k_means.fit
    monkeypatch.setattr(
        k_means, "fit", lambda points, centres: seen.append(points) or fit(points, centres)
    )
    for number in range(3):
        runs.inertia_of_start("moons", 4, number)
    assert all(torch.equal(points, seen[0]) for points in seen)
