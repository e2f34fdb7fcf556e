"""What the answers for teachers say of both methods, held to the page's points and starts."""

import pytest
import torch

from lm_core.clustering import k_means
from lm_core.clustering.initialisation import initial_centres, restarts_of_seed
from lm_core.clustering.metrics import inertia_of_groups, misassigned
from lm_core.clustering.side_by_side import run
from pages.shared.clustering.data import IRIS, load
from pages.shared.clustering.panels import responsibilities_of
from tests.pages.answering import assert_says

PAGE, SEED, RANDOM = "clustering", 8, "random points"
NOT_COMPUTED = {
    "Drag one centre": "the name of the points, whose ends a test above holds",
    "Switch *Guess": "what visitors find hard to guess",
    "*no structure*": "two groups of a sentence, and no figure of the points",
}


def restarted(name, clusters, restart, *, after_k_means=False):
    """Return a run of both methods from the centres of a restart, as the page makes it."""
    points = load(name, 150 if name == IRIS else 100, SEED).points
    centres = initial_centres(points, clusters, RANDOM, SEED, restart)
    return run(points, centres, em_after_k_means=after_k_means)


def wrong(name, found):
    """Return how many points each method has in a wrong group."""
    true = load(name, 150 if name == IRIS else 100, SEED).labels
    soft = responsibilities_of(found.soft[-1]).argmax(1)
    return misassigned(found.hard[-1].labels, true), misassigned(soft, true)


def test_the_start_decides_whether_k_means_finds_the_small_group():
    data = load("95 : 5", 100, SEED)
    runs = [restarted("95 : 5", 2, restart) for restart in range(1, 11)]
    assert all(misassigned(found.hard[0].labels, data.labels) > 5 for found in runs)
    errors = [wrong("95 : 5", found) for found in runs]
    assert all(em == 0 for _, em in errors)
    assert sum(k == 0 for k, _ in errors[1:]) == 3
    inertias = [f"{found.hard[-1].inertia:.0f}" for found in runs[:2]]
    assert_says(PAGE, "Step through", f"{errors[0][0]} of the 100", *inertias, "three others")
    true_means = [data.points[data.labels == group].mean(0) for group in (0, 1)]
    from_true = run(data.points, data.points.new_tensor([m.tolist() for m in true_means])).hard
    assert misassigned(from_true[-1].labels, data.labels) == 0
    assert from_true[-1].inertia < sorted(found.hard[-1].inertia for found in runs)[5]


def test_a_centre_on_a_lonely_point_may_lose_it():
    points = load("95 : 5", 100, SEED).points
    apart = torch.cdist(points, points).fill_diagonal_(torch.inf).amin(1)
    other = initial_centres(points, 2, RANDOM, SEED, 1)[1]
    keeps = []
    for lonely in apart.topk(5).indices.tolist():
        found = run(points, torch.stack([points[lonely], other])).hard
        assert found[0].labels[lonely] == 0
        keeps.append(bool(found[-1].labels[lonely] == 0))
    assert {*keeps} == {True, False}
    assert_says(PAGE, "Drag one centre", "may even have lost the point")


def test_both_methods_cut_the_moons():
    assert all(0 < n < 50 for n in wrong("moons", restarted("moons", 2, 1)))


@pytest.fixture(scope="module")
def unequal():
    return [restarted("unequal sizes", 3, restart) for restart in range(1, 51)]


def test_no_restart_finds_groups_of_unequal_sizes(unequal):
    data = load("unequal sizes", 100, SEED)
    errors = [wrong("unequal sizes", found) for found in unequal]
    assert min(k for k, _ in errors) > 35
    assert max(found.hard[-1].inertia for found in unequal) < inertia_of_groups(
        data.points, data.labels
    )
    first_k, first_em = errors[0]
    said = f"{first_em} points wrong and k-means {first_k}"
    best = min(em for _, em in errors)
    assert_says(PAGE, "*unequal sizes* with K = 3: compare the errors", said, f"come to {best}")
    assert sum(em == best for _, em in errors) == 3


def test_which_start_of_em_finds_the_species():
    own, after = (restarted(IRIS, 3, 1, after_k_means=later) for later in (False, True))
    said = []
    for found in (after, own):
        level = f"−{-found.soft[-1].log_likelihood:.0f}"
        said += [f"{wrong(IRIS, found)[1]}", level]
    assert_says(PAGE, "Iris with K", *said)
    pairs = [
        [
            (found.soft[-1].log_likelihood, wrong(IRIS, found)[1])
            for found in (
                restarted(IRIS, 3, restart, after_k_means=later) for later in (False, True)
            )
        ]
        for restart in range(1, 11)
    ]
    assert all(max(pair)[1] <= min(pair)[1] for pair in pairs)
    turned = [n for n, (own, after) in enumerate(pairs, 1) if own[0] > after[0] + 0.1]
    assert turned == [3, 5, 6]
    assert_says(PAGE, "Iris with K", "restarts 3, 5 and 6")
    level, errors = pairs[4][0]
    assert level > pairs[0][0][0]
    assert errors > pairs[0][0][1]
    assert_says(PAGE, "Iris with K", f"−{-level:.1f} with {errors} errors")


@pytest.mark.parametrize("how", [RANDOM, "k-means++"])
def test_only_a_few_restarts_come_to_the_best(how):
    points = load("95 : 5", 100, SEED).points
    starts = restarts_of_seed(points, 5, how, SEED, 50)
    found = [float(f"{k_means.fit(points, centres).inertia:.4g}") for centres in starts]
    assert found.count(min(found)) <= 5
