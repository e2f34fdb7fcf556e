"""A sigmoid from two bells, the pull of two losses, and a prior as a penalty, each against its definition."""

import math

import pytest
import torch
from torch.distributions import Normal

from lm_core.errors import SettingError
from lm_core.experiments.estimation import reasons
from lm_core.experiments.estimation.models import LogisticRegression

LENGTHS = torch.linspace(0.0, 30.0, 61, dtype=torch.float64)


@pytest.mark.parametrize("spreads", [(3.0, 3.0), (6.0, 3.0), (1.5, 4.0)])
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_odds_multiplied_out_are_bayes_rule(spreads, share):
    birds, others = reasons.Bell(14.0, spreads[0]), reasons.Bell(8.0, spreads[1])
    bird = share * Normal(14.0, spreads[0]).log_prob(LENGTHS).exp()
    other = (1 - share) * Normal(8.0, spreads[1]).log_prob(LENGTHS).exp()
    found = reasons.log_odds(birds, others, share)
    torch.testing.assert_close(found.posterior(LENGTHS), bird / (bird + other))
    assert (found.square == 0) == (spreads[0] == spreads[1])


def test_a_wide_bell_wins_on_both_sides():
    curve = reasons.log_odds(reasons.Bell(14.0, 6.0), reasons.Bell(8.0, 3.0), 0.5).posterior(
        LENGTHS
    )
    lowest = int(curve.argmin())
    assert 0 < lowest < len(LENGTHS) - 1
    assert curve[0] > 2 * curve[lowest]


@pytest.mark.parametrize("given", [(0.0, 1.0, 0.5), (3.0, 0.0, 0.5), (3.0, 1.0, 1.0)])
def test_bells_that_are_none_are_refused(given):
    spread, other, share = given
    with pytest.raises(SettingError, match="above 0"):
        reasons.log_odds(reasons.Bell(14.0, spread), reasons.Bell(8.0, other), share)


def test_the_pulls_are_the_derivatives_by_hand():
    p = torch.tensor([0.01, 0.3, 0.9], dtype=torch.float64)
    torch.testing.assert_close(reasons.pull(reasons.LOSSES[0], p.logit()), 1 - p)
    torch.testing.assert_close(reasons.pull(reasons.LOSSES[1], p.logit()), 2 * (1 - p) ** 2 * p)


def test_a_descent_lowers_its_loss_and_only_the_squares_stay_where_they_are_sure():
    animals = reasons.flying_sample(200, 0)
    assert animals.can_fly.all()
    assert len(animals.lengths) == 200
    for name in reasons.LOSSES:
        found = reasons.descend(name, animals, 0.0)
        assert found.right[-1] > 0.9
        assert found.given[-1] > found.given[0]
    stuck, learned = (
        float(reasons.descend(name, animals, -12.0).right[-1]) for name in reasons.LOSSES[::-1]
    )
    assert stuck < 0.5 < 0.9 < learned


def test_a_slope_has_the_constant_with_which_the_sample_is_likeliest():
    animals, slopes = reasons.flying_sample(50, 0), torch.tensor([0.0, 3.0], dtype=torch.float64)
    found = reasons.slope_nats(animals, slopes)
    constants = torch.linspace(-9.0, 9.0, 3601, dtype=torch.float64)
    for slope, nats in zip(slopes, found, strict=True):
        logits = constants[:, None] + slope * animals.features[:, 1]
        by_hand = reasons.loss_of(reasons.LOSSES[0], logits, animals.is_bird).sum(-1).min()
        assert float(nats) == pytest.approx(float(by_hand), abs=1e-4)
    share = float(animals.is_bird.double().mean())
    entropy = -share * math.log(share) - (1 - share) * math.log(1 - share)
    assert float(found[0]) == pytest.approx(50 * entropy)


def test_the_penalty_is_the_prior_but_for_a_constant():
    slopes = torch.linspace(-3.0, 3.0, 7, dtype=torch.float64)
    by_normal = -Normal(0.0, 0.25**0.5).log_prob(slopes)
    torch.testing.assert_close(reasons.prior_nats(slopes, 4.0), by_normal - by_normal[3])


def test_the_loss_is_the_likelihood_that_the_page_fits():
    animals = reasons.flying_sample(20, 1)
    weights = torch.tensor([[0.5, 0.0, 2.0]], dtype=torch.float64)
    logits = LogisticRegression().logits(weights, animals.features[None])[0]
    p = logits.sigmoid()
    given = torch.where(animals.is_bird, p, 1 - p)
    torch.testing.assert_close(
        reasons.loss_of(reasons.LOSSES[0], logits, animals.is_bird), -given.log()
    )
