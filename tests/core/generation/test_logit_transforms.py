import math
from itertools import combinations

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.generation.logit_transforms import (
    apply_temperature,
    keep_min_p,
    keep_mirostat,
    keep_top_k,
    keep_top_n_sigma,
    keep_top_p,
    keep_typical,
    next_mu,
    penalise_repetition,
)
from lm_core.rng import generator

SEEDS = range(8)
TRANSFORMS = {
    "greedy": lambda logits: apply_temperature(logits, 0.0),
    "temperature": lambda logits: apply_temperature(logits, 0.5),
    "top-k": lambda logits: keep_top_k(logits, 3),
    "top-p": lambda logits: keep_top_p(logits, 0.7),
    "min-p": lambda logits: keep_min_p(logits, 0.2),
    "typical": lambda logits: keep_typical(logits, 0.7),
    "top-n-sigma": lambda logits: keep_top_n_sigma(logits, 1.0),
    "repetition": lambda logits: penalise_repetition(logits, torch.tensor([0, 2]), 1.3),
    "mirostat": lambda logits: keep_mirostat(logits, 2.5),
}
NEUTRAL = {
    "temperature": lambda logits: apply_temperature(logits, 1.0),
    "top-k 0": lambda logits: keep_top_k(logits, 0),
    "top-k V": lambda logits: keep_top_k(logits, logits.shape[-1]),
    "top-p": lambda logits: keep_top_p(logits, 1.0),
    "min-p": lambda logits: keep_min_p(logits, 0.0),
    "typical": lambda logits: keep_typical(logits, 1.0),
    "top-n-sigma": lambda logits: keep_top_n_sigma(logits, 0.0),
    "repetition": lambda logits: penalise_repetition(logits, torch.tensor([0, 2]), 1.0),
    "no history": lambda logits: penalise_repetition(logits, torch.tensor([], dtype=int), 1.5),
}


def random_logits(seed: int, *shape: int) -> torch.Tensor:
    return torch.randn(shape or (9,), generator=generator(seed)) * 2.0


def logits_of(*probabilities: float) -> torch.Tensor:
    return torch.tensor(probabilities, dtype=torch.float64).log()


def kept(logits: torch.Tensor) -> list[int]:
    return (logits > -math.inf).nonzero().flatten().tolist()


# Laws that hold for all of them ---------------------------------------------------------------


@pytest.mark.parametrize("name", NEUTRAL)
def test_a_neutral_setting_changes_nothing(name):
    logits = random_logits(0, 4, 9)
    assert torch.equal(NEUTRAL[name](logits), logits)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_each_transform_changes_something_but_not_its_argument(name):
    logits = random_logits(1)
    before = logits.clone()
    assert not torch.equal(TRANSFORMS[name](logits), logits)
    assert torch.equal(logits, before)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_rows_are_treated_one_by_one(name):
    logits = random_logits(2, 2, 3, 9)
    rows = [TRANSFORMS[name](row) for row in logits.reshape(6, 9)]
    torch.testing.assert_close(TRANSFORMS[name](logits).reshape(6, 9), torch.stack(rows))


@pytest.mark.parametrize("name", [name for name in TRANSFORMS if name != "repetition"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_most_probable_token_survives_and_the_blocked_stay_blocked(name, seed):
    logits = random_logits(seed)
    logits[[1, 4]] = -math.inf
    after = TRANSFORMS[name](logits)
    assert not after.isnan().any()
    assert not {1, 4} & set(kept(after))
    if name != "typical":
        assert int(logits.argmax()) in kept(after)


@pytest.mark.parametrize("name", [n for n in TRANSFORMS if n not in ("repetition", "temperature")])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_cut_leaves_the_logits_of_what_it_keeps(name, seed):
    logits = random_logits(seed)
    after = TRANSFORMS[name](logits)
    torch.testing.assert_close(after[kept(after)], logits[kept(after)], rtol=0, atol=0)


# One by one -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_temperature_keeps_the_order_and_equals_powers_of_probabilities(seed):
    logits = random_logits(seed)
    after = apply_temperature(logits, 0.5)
    assert after.argsort().tolist() == logits.argsort().tolist()
    squared = logits.softmax(-1) ** 2
    torch.testing.assert_close(after.softmax(-1), squared / squared.sum())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_small_temperature_comes_close_to_greedy(seed):
    logits = random_logits(seed)
    greedy = apply_temperature(logits, 0.0).softmax(-1)
    assert greedy[logits.argmax()] == 1.0
    torch.testing.assert_close(apply_temperature(logits, 1e-3).softmax(-1), greedy)


def test_greedy_takes_the_lower_id_on_ties():
    assert kept(apply_temperature(torch.tensor([0.0, 3.0, 1.0, 3.0]), 0.0)) == [1]


@pytest.mark.parametrize("k", range(1, 7))
def test_top_k_keeps_exactly_k_on_ties_and_the_lower_ids(k):
    logits = torch.tensor([1.0, 2.0, 1.0, 1.0, 2.0, 1.0])
    assert kept(keep_top_k(logits, k)) == sorted([1, 4, 0, 2, 3, 5][:k])


@pytest.mark.parametrize("p", [1e-6, 0.2, 0.5, 0.9, 0.999999])
@pytest.mark.parametrize("seed", SEEDS)
def test_top_p_keeps_a_smallest_set_that_reaches_p(p, seed):
    probabilities = random_logits(seed).double().softmax(-1)
    chosen = kept(keep_top_p(probabilities.log(), p))
    assert probabilities[chosen].sum() >= p - 1e-12
    smaller = combinations(range(len(probabilities)), len(chosen) - 1)
    assert all(probabilities[list(ids)].sum() < p for ids in smaller)


def test_top_p_stops_where_p_is_reached_exactly():
    assert kept(keep_top_p(logits_of(0.25, 0.5, 0.25), 0.75)) == [0, 1]
    assert kept(keep_top_p(logits_of(0.25, 0.5, 0.25), 0.7500001)) == [0, 1, 2]


def test_top_p_just_below_and_at_one_never_fails():
    # The source's loop runs off its list at p = 1 for every other distribution.
    for seed in range(200):
        logits = random_logits(seed, 70)
        assert len(kept(keep_top_p(logits, 1.0))) == 70
        assert kept(keep_top_p(logits, 1.0 - 1e-12))


def test_min_p_compares_with_the_most_probable():
    logits = logits_of(0.5, 0.3, 0.15, 0.05)
    assert kept(keep_min_p(logits, 0.29)) == [0, 1, 2]
    assert kept(keep_min_p(logits, 0.31)) == [0, 1]
    assert kept(keep_min_p(logits, 1.0)) == [0]


def test_typical_may_cut_the_most_probable_and_reaches_its_mass():
    # Entropy 1.64 nats; surprises .92, 1.90 x 3 (nearest, by .26), 2.81 x 3.
    probabilities = (0.4, 0.15, 0.15, 0.15, 0.05, 0.05, 0.05)
    assert kept(keep_typical(logits_of(*probabilities), 0.4)) == [1, 2, 3]
    assert kept(keep_typical(logits_of(*probabilities), 0.5)) == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", SEEDS)
def test_typical_equals_its_definition(seed):
    probabilities = random_logits(seed).double().softmax(-1).tolist()
    entropy = -sum(p * math.log(p) for p in probabilities)
    order = sorted(range(9), key=lambda i: abs(-math.log(probabilities[i]) - entropy))
    expected, mass = [], 0.0
    while mass < 0.6:
        expected.append(order[len(expected)])
        mass += probabilities[expected[-1]]
    assert kept(keep_typical(logits_of(*probabilities), 0.6)) == sorted(expected)


def test_top_n_sigma_by_hand_and_at_any_temperature():
    logits = torch.tensor([4.0, 2.0, 0.0, 0.0, -6.0])  # mean 0, deviation sqrt(56 / 5) = 3.35
    assert kept(keep_top_n_sigma(logits, 1.0)) == [0, 1]
    assert kept(keep_top_n_sigma(logits, 1.2)) == [0, 1, 2, 3]
    assert kept(keep_top_n_sigma(apply_temperature(logits, 3.0), 1.0)) == [0, 1]


def test_top_n_sigma_leaves_blocked_tokens_out_of_mean_and_deviation():
    logits = torch.tensor([24.0, -math.inf, 22.0, 20.0, 20.0, 14.0])
    assert kept(keep_top_n_sigma(logits, 1.18)) == [0, 2]
    assert kept(keep_top_n_sigma(logits, 1.2)) == [0, 2, 3, 4]


def test_repetition_penalty_by_hand():
    logits = torch.tensor([2.0, -2.0, 0.0, 3.0, -1.0])
    after = penalise_repetition(logits, torch.tensor([0, 1, 2, 0, 0]), 2.0)
    assert after.tolist() == [1.0, -4.0, 0.0, 3.0, -1.0]


def test_repetition_penalty_with_a_history_for_each_row():
    logits = torch.ones(2, 3)
    after = penalise_repetition(logits, torch.tensor([[0, 0], [1, 2]]), 2.0)
    assert after.tolist() == [[0.5, 1.0, 1.0], [1.0, 0.5, 0.5]]


def test_mirostat_keeps_what_surprises_by_at_most_mu_bits():
    logits = logits_of(0.5, 0.25, 0.125, 0.125)
    assert kept(keep_mirostat(logits, 2.01)) == [0, 1]
    assert kept(keep_mirostat(logits, 1.99)) == [0]
    assert kept(keep_mirostat(logits, 0.0)) == [0]
    rows = keep_mirostat(logits.expand(2, -1), torch.tensor([1.99, 3.01]))
    assert [kept(row) for row in rows] == [[0], [0, 1, 2, 3]]


def test_mirostat_opens_up_after_a_dull_token_and_closes_after_a_surprise():
    assert next_mu(4.0, 1.0, tau=2.0, rate=0.5) == 4.5
    assert next_mu(4.0, 5.0, tau=2.0, rate=0.5) == 2.5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: apply_temperature(x, -1.0), r"temperature must be 0 or lie in .*got -1.0"),
        (lambda x: apply_temperature(x, math.nan), "temperature must .* got nan"),
        (lambda x: apply_temperature(x, math.inf), "temperature must .* got inf"),
        (lambda x: keep_top_k(x, -1), r"top_k must be a whole number in \[0, 1e\+09\], got -1"),
        (lambda x: keep_top_k(x, 1.5), "top_k must be a whole number .* got 1.5"),
        (lambda x: keep_top_p(x, 0.0), r"top_p must lie in \(0, 1\], got 0.0"),
        (lambda x: keep_top_p(x, 1.01), "top_p must .* got 1.01"),
        (lambda x: keep_min_p(x, -0.1), "min_p must .* got -0.1"),
        (lambda x: keep_typical(x, 0.0), "typical_p must .* got 0.0"),
        (lambda x: keep_top_n_sigma(x, -1.0), "top_n_sigma must .* got -1.0"),
        (lambda x: penalise_repetition(x, torch.tensor([0]), 0.0), "repetition_penalty must .*0.0"),
        (lambda x: keep_top_p(x, "a"), "top_p must .* got 'a'"),
    ],
)
def test_settings_out_of_range_are_named(call, message):
    with pytest.raises(SettingError, match=message):
        call(torch.zeros(3))
