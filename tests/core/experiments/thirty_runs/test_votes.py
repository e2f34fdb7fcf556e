"""Votes on pairs of texts, and the scores that they give them."""

import pytest
import torch

from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.experiments.preferences.rules import RULES
from lm_core.experiments.thirty_runs import votes as voting


@pytest.fixture(scope="module")
def results():
    return PreferenceResults.load(PreferenceResults.shipped())


@pytest.mark.parametrize("rule", RULES)
def test_texts_are_spread_over_the_scores_and_fall(results, rule):
    texts = voting.texts_of(results, "Sonya turned to", rule)
    assert len(set(texts.texts)) == voting.N_TEXTS
    assert texts.scores.tolist() == sorted(texts.scores.tolist(), reverse=True)
    rewards = results.candidate_rewards[rule][[*results.candidates].index("Sonya turned to")]
    widest = float(rewards.double().max() - rewards.double().min())
    spread = float(texts.scores[0] - texts.scores[-1])
    assert spread == pytest.approx(widest * results.rules[rule].model.deviation)


def test_each_pair_comes_once_a_round_and_changes_its_sides():
    n = len(voting.PAIRS)
    first, second = ([voting.ballot(k + start) for k in range(n)] for start in (0, n))
    assert first == [*voting.PAIRS]
    assert [pair[::-1] for pair in second] == first
    assert voting.vote_of(n, 1.0) == voting.vote_of(0, 0.0) == (0, 1)


def test_many_votes_of_the_model_s_own_give_its_scores_again(results):
    texts = voting.texts_of(results, "Sonya turned to", "calmer")
    cast = [voting.vote_of(n, voting.drawn_vote(texts, n)) for n in range(4_000)]
    fitted = voting.fitted_scores(cast)
    centred = texts.scores - texts.scores.mean()
    torch.testing.assert_close(fitted, centred, atol=0.25, rtol=0.0)
    assert float(fitted.sum()) == pytest.approx(0.0, abs=1e-6)


def test_without_votes_all_scores_are_0():
    assert voting.fitted_scores([]).tolist() == [0.0] * voting.N_TEXTS


def test_agreement_is_that_of_all_pairs_of_votes(results):
    a, b = voting.Vote(0, 1), voting.Vote(1, 0)
    assert voting.agreement_among([a, voting.Vote(2, 3)]) is None
    assert voting.agreement_among([a, a, b]) == pytest.approx(1 / 3)
    texts = voting.texts_of(results, "Sonya turned to", "calmer")
    assert [voting.agrees(texts, vote) for vote in (a, b)] == [1.0, 0.0]
