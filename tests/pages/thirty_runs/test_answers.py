"""What the answers for teachers say of thirty runs, held to the runs."""

from itertools import islice
from statistics import fmean, stdev

import pytest
import torch

from lm_core.experiments.estimation.experiment import Method
from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.experiments.rnn_vs_lstm.backbones import build_network
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.experiments.rnn_vs_lstm.training import RecallTraining
from lm_core.experiments.thirty_runs import lengths, runs, scaling, votes, workers
from lm_core.experiments.thirty_runs.scaling import (
    SIZES,
    ScalingResults,
    fit_power_law,
    loss_above_entropy,
    shipped_source,
)
from lm_core.rng import generator
from pages.shared import page
from tests.pages.answering import assert_says
from tests.pages.visits import text, visit

PAGE, RUNS = "thirty-runs", 30


def estimates(method, animals, n=RUNS):
    return [runs.estimate_of_sample(method, animals, run) for run in range(n)]


def test_less_bias_is_paid_for_with_more_spread():
    line, network = (estimates(method, 40) for method in (Method.LOGISTIC, Method.NETWORK))
    shares = [sum(found) / RUNS for found in (line, network)] + [runs.true_probability_of_bird()]
    points = [f"{100 * runs.standard_deviation(found):.0f}" for found in (network, line)]
    assert_says(PAGE, "Choose *Small", *(f"{100 * share:.0f}%" for share in shares), *points)


def test_more_animals_cure_spread_and_not_bias():
    found = {animals: estimates(Method.LOGISTIC, animals) for animals in (10, 40, 160)}
    spreads = [
        f"{100 * runs.standard_deviation(found[animals]):.0f} points" for animals in (10, 160)
    ]
    assert_says(PAGE, "Raise the animals", *spreads)
    means = [sum(found[animals]) / RUNS for animals in (40, 160)]
    assert all(abs(mean - 0.55) < 0.01 for mean in means)


def test_twice_as_many_runs_make_the_band_seven_tenths_as_wide():
    sixty = estimates(Method.LOGISTIC, 40, 60)
    few, many = (runs.running_means(sixty[:n])[-1] for n in (30, 60))
    ratio = (many.high - many.low) / (few.high - few.low)
    assert_says(PAGE, "From 30 to 60", f"{ratio:.1f} times")


def test_how_often_starts_fail():
    # The page trains sixty side by side, and draws as many of them as are asked for.
    failed = {units: sum(runs.failures_of_starts(units, 60)[:RUNS]) for units in (2, 3, 4)}
    assert_says(PAGE, "Choose 3 and 4", f"{failed[2]:.0f} of {RUNS} fail against one")
    assert failed[4] == 1
    assert failed[3] <= 2
    many = runs.failures_of_starts(2, 300)
    both = sum(a and b for a, b in zip(many[::2], many[1::2], strict=True)) / 150
    assert_says(PAGE, "Two starts", "Nearly half of all starts", "one time in five")
    assert 0.4 < sum(many) / 300 < 0.5
    assert 0.15 < both < 0.25


def test_where_restarts_end():
    two, three = (
        [runs.inertia_of_start("two blobs", k, start) for start in range(RUNS)] for k in (2, 3)
    )
    assert len({round(inertia, 6) for inertia in two}) == 1
    assert "may end in different places" in text(
        visit("pages/thirty_runs/page.py", part="Restarts")
    )
    ends = len({round(inertia, 6) for inertia in three})
    assert_says(PAGE, "Choose *two blobs*", f"{ends} different ends", "one alone")
    assert sum(runs.reaches_lowest(three)) == 1


def lines(rate, n=RUNS):
    """Return the sizes' means in the first trainings, the line through them, and the next network's mean."""
    *networks, following = page.shipped(ScalingResults).at(rate)
    made = [divmod(number, len(networks)) for number in range(n)]
    means = {
        network.parameters: fmean(network.above_entropy[seed] for seed, at in made if at == size)
        for size, network in enumerate(networks)
    }
    return means, fit_power_law(means), fmean(following.above_entropy)


def test_at_a_lower_rate_the_next_network_lies_on_the_line():
    found = {rate: lines(rate) for rate in (0.02, 0.005)}
    smallest = [f"{min(means.items())[1]:.2f}" for means, _, _ in found.values()]
    following = [f"{last:.3f}" for _, _, last in found.values()]
    assert_says(PAGE, "Choose a learning rate", *smallest, *following)
    _, law, last = found[0.005]
    largest = max(network.parameters for network in page.shipped(ScalingResults).at(0.005))
    assert last / law.at(largest) == pytest.approx(1.0, abs=0.03)


def test_four_times_as_many_small_steps_come_as_far(monkeypatch):
    source = shipped_source()
    examples = source.draw(generator(0))
    monkeypatch.setattr(scaling, "STEPS", 4 * scaling.STEPS)
    longer = [loss_above_entropy(source, examples, SIZES[0], 0.005, seed) for seed in range(3)]
    assert_says(PAGE, "Choose a learning rate", f"to {fmean(longer):.2f}")


def test_a_half_takes_nine_times_the_weights():
    _, law, _ = lines(0.02)
    assert_says(PAGE, "How many times the weights", f"{2.0**law.exponent:.0%}")
    assert round(2.0 ** (-1.0 / law.exponent)) == 9
    largest = max(network.parameters for network in page.shipped(ScalingResults).at(0.02))
    assert_says(PAGE, "How many times the weights", f"of {largest:,} weights, already lies above")
    assert lines(0.02)[2] > 1.2 * law.at(largest)
    few, many = (f"{2.0 ** lines(0.02, n)[1].exponent:.0%}" for n in (10, 60))
    assert few == many
    assert_says(PAGE, "From 10 trainings", few)


def test_each_size_has_a_rate_of_its_own():
    results = page.shipped(ScalingResults)
    small, _, large = (
        {one.rate: one.above_entropy[:5] for one in results.of(n)}
        for n in dict.fromkeys(one.parameters for one in results.swept[scaling.ADAMW])
    )
    best_of_small, best_of_large = (
        min(each, key=lambda rate: fmean(each[rate])) for each in (small, large)
    )
    best, worse = (fmean(large[rate]) for rate in (best_of_large, best_of_small))
    said = (f"{best_of_large:g} is best now", f"loses {best:.2f}", f"At {best_of_small:g}")
    assert_says(PAGE, "Choose 62,678", *said, f"loses {worse:.2f}")
    assert round(worse / best) == 3
    assert max(map(stdev, (large[best_of_large], large[best_of_small]))) < 0.1 * (worse - best)
    spread = {rate: stdev(values) / fmean(values) for rate, values in small.items()}
    assert_says(PAGE, "At which rates", *(f"{rate:g}" for rate in sorted(spread)[:2]))
    assert min(spread[rate] for rate in sorted(spread)[:2]) > 2 * spread[best_of_small]


def test_a_rate_of_its_own_for_each_optimiser():
    results = page.shipped(ScalingResults)
    found = {
        by: {one.rate: fmean(one.above_entropy[:2]) for one in results.of(6_198, by)}
        for by in scaling.SWEPT_BY
    }
    lowest = {by: min(losses.values()) for by, losses in found.items()}
    adam, momentum, gd = (found[by] for by in (scaling.ADAMW, scaling.MOMENTUM, scaling.GD))
    said = [f"{lowest[by]:.2f}" for by in (scaling.ADAMW, scaling.MOMENTUM, scaling.GD)]
    assert_says(PAGE, "Which optimiser", *said, f"0.001 loses {adam[0.001]:.2f}")
    assert min(gd, key=gd.__getitem__) == 3.0
    assert min(adam, key=adam.__getitem__) == 0.03
    assert_says(PAGE, "Raise the rate of GD", f"loses {gd[30.0]:.2f}", f"loses {adam[0.3]:.2f}")
    assert gd[30.0] / gd[3.0] > 2 * max(adam[0.3] / adam[0.03], momentum[3.0] / momentum[1.0])


def test_dropout_is_for_few_examples():
    results = page.shipped(ScalingResults)
    found = {
        n: {one.dropout: one.above_entropy[:5] for one in results.dropped_of(n)}
        for n in scaling.FEW
    }
    means = {n: {rate: fmean(each) for rate, each in rates.items()} for n, rates in found.items()}
    few, middle, many = means.values()
    best = [min(each, key=each.__getitem__) for each in (few, middle, many)]
    assert best == [0.9, 0.3, 0.1]
    assert_says(PAGE, "Choose 2,000", f"{few[0.0]:.2f}", f"{few[0.9]:.2f}")
    assert many[0.0] - many[0.1] < 2 * stdev(found[20_000][0.1])
    near = [middle[rate] for rate in (0.1, 0.3, 0.5)]
    beyond = [f"{each - near[1]:.3f}" for each in (near[0], near[2])]
    spread = f"deviation {stdev(found[10_000][0.3]):.3f}"
    assert_says(PAGE, "At 10,000", *beyond, spread)
    others = [middle[rate] for rate in middle if rate not in (0.0, 0.9)]
    assert min(middle[0.0], middle[0.9]) > max(others)


def losses_of(what, n_wrong, *, is_median=False):
    """Return the losses of ten workers of which some send what is wrong, from the start on."""
    source = shipped_source()
    row = [what] * n_wrong + [workers.RIGHT] * (10 - n_wrong)
    rows, v = [row] * workers.STEPS, source.following.shape[1]
    return workers.descend(source.draw(generator(0)), v, rows, 10, is_median=is_median).losses


def test_turned_gradients_cancel_right_ones():
    found = {n: losses_of(workers.TURNED, n) for n in (0, 1, 4, 5, 6)}
    said = (found[5][0], *(found[n][-1] for n in (5, 1, 0)))
    assert_says(PAGE, "Choose *Sign turned*", *(f"{loss:.2f}" for loss in said))
    assert found[4][-1] < found[4][0] < found[5][-1]
    median = losses_of(workers.TURNED, 6, is_median=True)[-1]
    assert_says(PAGE, "Six of ten", f"{found[6][-1]:.2f}", "more than 20")
    assert median > 20


def test_what_late_and_sleeping_workers_do():
    right, few, every = (losses_of(workers.STALE, n) for n in (0, 3, 10))
    said = (few[-1], right[-1], every[3], max(every[3:]), every[-1])
    assert_says(PAGE, "Choose *5 steps old*", *(f"{loss:.2f}" for loss in said))
    assert min(every) == every[3]
    one = losses_of(workers.NOTHING, 9)[-1]
    assert_says(PAGE, "Choose *Nothing*", f"{one:.2f}", f"{right[-1]:.2f}")


def left_along_the_cell(training):
    """Return what the forget gates of a network let through from the second symbol to the last, of its best units."""
    (group,) = training.groups
    network = build_network("lstm", lengths.VOCABULARY, 32, group.length).to_empty(device="cpu")
    network.load_state_dict({name: found.detach()[0] for name, found in group.weights.items()})
    first = torch.arange(lengths.VOCABULARY - group.length + 1)
    with torch.no_grad():
        gates = network.backbone.read(first[:, None] + torch.arange(group.length)).trace("f")
    return float(gates[:, 1:].prod(1).amax(1).mean())


def test_forget_gates_are_half_open_at_first_and_learn_to_open():
    settings = RecallSettings(
        "lstm", (24,), (0,), vocabulary=lengths.VOCABULARY, epochs=lengths.EPOCHS
    )
    training = RecallTraining(settings)
    assert left_along_the_cell(training) < 1e-5
    list(islice(iter(training), 20))
    assert left_along_the_cell(training) > 0.9


def test_how_far_back_two_cells_remember():
    found = {
        (each.cell, each.length): each.accuracies for each in page.shipped(ScalingResults).recalled
    }
    three = {network: fmean(shares[:3]) for network, shares in found.items()}
    six = {network: fmean(shares) for network, shares in found.items()}
    moves = {
        network: abs(six[network] - three[network]) for network in found if network[0] == "rnn"
    }
    assert max(moves, key=moves.__getitem__) == ("rnn", 16)
    at_16 = (three["rnn", 16], six["rnn", 16], min(found["rnn", 16]), max(found["rnn", 16]))
    assert_says(PAGE, "Choose 60 trainings", *(f"{share:.0%}" for share in at_16))
    one = min(found["lstm", 24][:3])
    said = (three["rnn", 12], three["lstm", 24], one)
    assert_says(PAGE, "Where does the RNN", *(f"{share:.0%}" for share in said))
    assert three["rnn", 8] > 0.95
    assert sum(share < 0.96 for share in found["lstm", 24][:3]) == 1
    assert_says(PAGE, "Is the RNN at 24", f"{three['rnn', 24]:.0%}", f"{1 / 24:.0%}")


def test_texts_whose_scores_lie_apart_are_voted_on_alike():
    results = page.shipped(PreferenceResults)
    found = {}
    for rule in ("more dialogue", "calmer"):
        texts = votes.texts_of(results, "Sonya turned to", rule)
        cast = [votes.vote_of(n, votes.drawn_vote(texts, n)) for n in range(60)]
        found[rule] = (votes.agreement_among(cast), float(texts.scores[0] - texts.scores[-1]))
    assert_says(PAGE, "Choose *more dialogue*", "With *more dialogue*")
    assert found["more dialogue"][0] > found["calmer"][0]
    assert found["more dialogue"][1] > found["calmer"][1]
