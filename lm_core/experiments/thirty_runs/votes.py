"""Texts of one beginning that a class judges in pairs, one vote a run, and the scores that its votes give them.

The score of a text is that of Bradley and Terry's model: `fit_reward_weights` with one weight for each text. The
shipped reward model has scores of its own for the same texts, read off its hidden states, so both can be compared.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.rng import generator
from lm_core.training.preference_losses import agreement, fit_reward_weights

N_TEXTS = 5
PAIRS = tuple(combinations(range(N_TEXTS), 2))
"""Of places of the texts; the runs take them in turn."""
RIDGE = 0.002
"""Keeps the score of a text finite that has won, or lost, all of its votes."""


class Texts(NamedTuple):
    """What is voted on."""

    beginning: str
    texts: tuple[str, ...]
    """Of length `N_TEXTS`, continuations of it, by falling score."""
    scores: Tensor
    """Of shape (`N_TEXTS`,). Of the reward model: differences are log odds of being preferred."""


def texts_of(results: PreferenceResults, beginning: str, rule: str) -> Texts:
    """Return continuations of a beginning of `results.candidates`, evenly spread over the ranks of their reward."""
    row = [*results.candidates].index(beginning)
    scores = results.candidate_rewards[rule][row].double() * results.rules[rule].model.deviation
    ranks = torch.linspace(0, len(scores) - 1, N_TEXTS).round().long()
    places = scores.argsort(descending=True)[ranks]
    texts = results.candidates[beginning]
    return Texts(beginning, tuple(texts[place] for place in places), scores[places])


def ballot(number: int) -> tuple[int, int]:
    """Return the places of the left and the right text of a run; the sides change with each round of all pairs."""
    turn, at = divmod(number, len(PAIRS))
    first, second = PAIRS[at]
    return (second, first) if turn % 2 else (first, second)


def drawn_vote(texts: Texts, number: int) -> float:
    """Return a vote, 0.0 for the left text and 1.0 for the right, drawn from the reward model's own probabilities."""
    left, right = ballot(number)
    p = torch.sigmoid(texts.scores[right] - texts.scores[left])
    return float(torch.rand((), generator=generator(number), dtype=torch.float64) < p)


class Vote(NamedTuple):
    """The places of two texts of which one was preferred."""

    preferred: int
    rejected: int


def vote_of(number: int, value: float) -> Vote:
    """Return the vote of a run that came to `value`, 0.0 or 1.0."""
    left, right = ballot(number)
    return Vote(right, left) if value else Vote(left, right)


def fitted_scores(votes: Sequence[Vote]) -> Tensor:
    """Return the score of each text by Bradley and Terry, (`N_TEXTS`,), of mean 0; 0 for all without a vote."""
    one_hot = torch.eye(N_TEXTS, dtype=torch.float64)
    sides = torch.tensor([*votes], dtype=torch.int64).reshape(-1, 2)
    return fit_reward_weights(one_hot[sides[:, 0]], one_hot[sides[:, 1]], RIDGE)


def agrees(texts: Texts, vote: Vote) -> float:
    """Return whether the reward model would have cast a vote, too: 1.0 or 0.0."""
    return agreement(*texts.scores[[*vote]][:, None])


def agreement_among(votes: Sequence[Vote]) -> float | None:
    """Return how often two votes on the same pair are equal; None as long as no pair has two."""
    by_side = Counter(votes)
    by_pair = Counter(frozenset(vote) for vote in votes)
    n = sum(comb(count, 2) for count in by_pair.values())
    return sum(comb(count, 2) for count in by_side.values()) / n if n else None
