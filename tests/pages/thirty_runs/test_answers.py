"""What the answers for teachers say of thirty runs, held to the runs."""

from lm_core.experiments.estimation.experiment import Method
from lm_core.experiments.thirty_runs.runs import (
    estimate_of_sample,
    failures_of_starts,
    inertia_of_start,
    reaches_lowest,
    running_means,
    standard_deviation,
    true_probability_of_bird,
)
from tests.pages.answering import assert_says

PAGE, RUNS = "thirty-runs", 30


def estimates(method, animals, n=RUNS):
    return [estimate_of_sample(method, animals, run) for run in range(n)]


def test_less_bias_is_paid_for_with_more_spread():
    line, network = (estimates(method, 40) for method in (Method.LOGISTIC, Method.NETWORK))
    shares = [sum(found) / RUNS for found in (line, network)] + [true_probability_of_bird()]
    points = [f"{100 * standard_deviation(found):.0f}" for found in (network, line)]
    assert_says(PAGE, "Choose *Small", *(f"{100 * share:.0f}%" for share in shares), *points)


def test_more_animals_cure_spread_and_not_bias():
    found = {animals: estimates(Method.LOGISTIC, animals) for animals in (10, 40, 160)}
    spreads = [f"{100 * standard_deviation(found[animals]):.0f} points" for animals in (10, 160)]
    assert_says(PAGE, "Raise the animals", *spreads)
    means = [sum(found[animals]) / RUNS for animals in (40, 160)]
    assert all(abs(mean - 0.55) < 0.01 for mean in means)


def test_twice_as_many_runs_make_the_band_seven_tenths_as_wide():
    sixty = estimates(Method.LOGISTIC, 40, 60)
    few, many = (running_means(sixty[:n])[-1] for n in (30, 60))
    ratio = (many.high - many.low) / (few.high - few.low)
    assert_says(PAGE, "From 30 to 60", f"{ratio:.1f} times")


def test_how_often_starts_fail():
    # The page trains sixty side by side, and draws as many of them as are asked for.
    failed = {units: sum(failures_of_starts(units, 60)[:RUNS]) for units in (2, 3, 4)}
    assert_says(PAGE, "Choose 3 and 4", f"{failed[2]:.0f} of {RUNS} fail against one")
    assert failed[4] == 1
    assert failed[3] <= 2
    many = failures_of_starts(2, 300)
    both = sum(a and b for a, b in zip(many[::2], many[1::2], strict=True)) / 150
    assert_says(PAGE, "Two starts", "Nearly half of all starts", "one time in five")
    assert 0.4 < sum(many) / 300 < 0.5
    assert 0.15 < both < 0.25


def test_where_restarts_end():
    two, three = (
        [inertia_of_start("two blobs", k, start) for start in range(RUNS)] for k in (2, 3)
    )
    assert len({round(inertia, 6) for inertia in two}) == 1
    ends = len({round(inertia, 6) for inertia in three})
    assert_says(PAGE, "Choose *two blobs*", f"{ends} different ends", "one alone")
    assert sum(reaches_lowest(three)) == 1
