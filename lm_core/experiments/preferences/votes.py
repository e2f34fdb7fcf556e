"""Judgements of the shipped pairs, by people or by a rule, and what is learned from them."""

from collections.abc import Sequence

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.experiments.preferences.comparisons import Judged, fit_reward_model
from lm_core.experiments.preferences.results import N_PAIRS, PreferenceResults
from lm_core.experiments.preferences.rules import RULES
from lm_core.experiments.preferences.tuning import PreferencePairs
from lm_core.models.reward_model import RewardModel
from lm_core.training.preference_losses import agreement

Vote = tuple[int, int]
"""A pair's number, and the side that was preferred: 0 for the left one, 1 for the right one."""

FOR_VOTES = N_PAIRS // 2
"""Pairs that are voted on; those after them are held out."""
MOST_VOTES = 2_000


def checked_votes(votes: Sequence[Sequence[int]]) -> tuple[Vote, ...]:
    """Return votes as pairs of ints.

    Raises SettingError if there are too many, or one is of a pair or of a side that there is not.
    """
    if len(votes) > MOST_VOTES:
        raise SettingError(f"there may be at most {MOST_VOTES:,} votes, got {len(votes):,}")
    for vote in votes:
        if len(vote) != 2 or not 0 <= vote[0] < N_PAIRS or vote[1] not in (0, 1):
            raise SettingError(f"a vote must be a pair in 0..{N_PAIRS - 1} and 0 or 1, got {vote}")
    return tuple((int(pair), int(side)) for pair, side in votes)


def rule_votes(results: PreferenceResults, rule: str, *, held_out: bool = False) -> list[Vote]:
    """Return how a rule judges the pairs, those left out that it cannot tell apart."""
    score = RULES[rule].score
    places = range(FOR_VOTES, N_PAIRS) if held_out else range(FOR_VOTES)
    scored = [(i, score(results.pairs[i].left), score(results.pairs[i].right)) for i in places]
    return [(i, int(right > left)) for i, left, right in scored if left != right]


def judged(votes: Sequence[Vote]) -> Judged:
    """Return votes as places among the 2 x `N_PAIRS` continuations."""
    pairs = torch.tensor(list(votes), dtype=torch.int64).reshape(-1, 2)
    preferred = 2 * pairs[:, 0] + pairs[:, 1]
    return Judged(preferred, 2 * pairs[:, 0] + 1 - pairs[:, 1])


def reward_model_of(results: PreferenceResults, votes: Sequence[Vote]) -> RewardModel:
    """Fit a reward model to votes."""
    features = results.features.float().flatten(0, 1)
    return fit_reward_model(features, judged(votes), features)


def agreement_with(results: PreferenceResults, model: RewardModel, votes: Sequence[Vote]) -> float:
    """Return the share of votes that a reward model would have cast, too."""
    scores = model.scores(results.features.float()).flatten()
    preferred, rejected = (scores[places] for places in judged(votes))
    return agreement(preferred, rejected)


def predicted(results: PreferenceResults, votes: Sequence[Vote], every: int = 1) -> list[bool]:
    """Return, of each vote after the first, whether a model of the votes before it foretells it.

    Parameters
    ----------
    votes : sequence of Vote, in the order in which they were cast
    every : int, after how many votes the model is fitted anew
    """
    right: list[bool] = []
    model = None
    for n in range(1, len(votes)):
        if model is None or n % every == 0:
            model = reward_model_of(results, votes[:n])
        right.append(agreement_with(results, model, votes[n : n + 1]) > 0.5)
    return right


def pairs_of(results: PreferenceResults, votes: Sequence[Vote]) -> PreferencePairs:
    """Return the texts of votes, for DPO."""
    tokens: Tensor = results.tokens.long().flatten(0, 1)
    return PreferencePairs(*(tokens[places] for places in judged(votes)))
