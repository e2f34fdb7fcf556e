"""Pairs of continuations, judged by a rule, and the reward model that is fitted to them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.experiments.preferences.prompts import N_PROMPT, encode_prompts, texts_of
from lm_core.experiments.preferences.rules import Rule
from lm_core.experiments.preferences.settings import LENGTH
from lm_core.generation.rollouts import roll_out
from lm_core.models.placement import device_of
from lm_core.models.reward_model import RewardModel, continuation_features, read_with_hidden_states
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.training.preference_losses import fit_reward_weights

RIDGE = 0.1
_BATCH = 64


@dataclass(frozen=True)
class Pool:
    """Continuations that the writer wrote, M for each of N beginnings."""

    tokens: Tensor
    """int64, of shape (N, M, 4 + L)."""
    features: Tensor
    """Of shape (N, M, D). What the reward model reads: mean hidden states of the writer."""
    texts: tuple[tuple[str, ...], ...]
    """The continuations."""

    @classmethod
    def of_tensors(cls, tensors: Mapping[str, Tensor]) -> "Pool":
        """Return the pool of `tensors`."""
        tokens = tensors["tokens"]
        texts = texts_of(tokens[..., N_PROMPT:].flatten(0, 1))
        n = tokens.shape[1]
        rows = tuple(tuple(texts[i : i + n]) for i in range(0, len(texts), n))
        return cls(tokens, tensors["features"], rows)

    def tensors(self) -> dict[str, Tensor]:
        """Return what the pool is made of."""
        return {"tokens": self.tokens, "features": self.features}

    def judged(self, rule: Rule) -> Tensor:
        """Return the rule's score of every text, (N, M), in float64."""
        return torch.tensor([[rule.score(t) for t in row] for row in self.texts]).double()


class Judged(NamedTuple):
    """Pairs of which one text was preferred."""

    preferred: Tensor
    rejected: Tensor
    """`preferred` and `rejected`: int64, of shape (N,). Places of the texts among all texts of a
    pool."""

    def first(self, n: int) -> "Judged":
        """Return the first n pairs."""
        return Judged(self.preferred[:n], self.rejected[:n])

    def at(self, places: Tensor) -> "Judged":
        """Return some of the pairs."""
        return Judged(self.preferred[places], self.rejected[places])


@torch.no_grad()
def write_pool(
    writer: TransformerLanguageModel, prompts: Sequence[str], n_texts: int, rng: torch.Generator
) -> Pool:
    """Let the writer continue each beginning `n_texts` times."""
    encoded = encode_prompts(tuple(prompts)).to(device_of(writer)).repeat_interleave(n_texts, 0)
    tokens, features = [], []
    for part in encoded.split(_BATCH):
        written = roll_out(writer, part, LENGTH, rng).tokens
        _, hidden = read_with_hidden_states(writer, written)
        tokens.append(written)
        features.append(continuation_features(hidden, N_PROMPT))
    shape = (len(prompts), n_texts, -1)
    return Pool.of_tensors(
        {"tokens": torch.cat(tokens).view(shape), "features": torch.cat(features).view(shape)}
    )


def judge_pairs(scores: Tensor) -> Judged:
    """Pair the texts of each beginning two by two, and prefer the one with the higher score.

    Parameters
    ----------
    scores : Tensor of shape (N, M)
        Of which pairs with equal scores are left out, because the rule cannot tell them apart.

    Returns
    -------
    Judged
        First pairs of all beginnings, then second ones: the first few hundred have every beginning.
    """
    n, m = scores.shape
    places = torch.arange(n * m).view(n, m)[:, : m // 2 * 2].view(n, -1, 2)
    pairs = places.transpose(0, 1).reshape(-1, 2)  # (pairs, 2)
    of_pairs = scores.flatten()[pairs]
    pairs = pairs[of_pairs[:, 0] != of_pairs[:, 1]]
    better = scores.flatten()[pairs].argmax(1, keepdim=True)
    return Judged(pairs.gather(1, better)[:, 0], pairs.gather(1, 1 - better)[:, 0])


def fit_reward_model(
    features: Tensor, judged: Judged, own_texts: Tensor, ridge: float = RIDGE
) -> RewardModel:
    """Return the reward model of judged pairs.

    Parameters
    ----------
    features : Tensor of shape (M, D), of all texts of a pool
    own_texts : Tensor of shape (K, D), features of texts of the writer, on whose scores rewards are normalised
    """
    weights = fit_reward_weights(features[judged.preferred], features[judged.rejected], ridge)
    return RewardModel(weights.float()).normalised_on(own_texts.float())
