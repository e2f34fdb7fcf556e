"""Whether two lists of words differ in the words that they are near to, and whether by more than chance.

References
----------
Caliskan, Bryson & Narayanan 2017, "Semantics derived automatically from language corpora contain
human-like biases" (Science 356): the Word Embedding Association Test, WEAT.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import torch
from torch import Tensor

from lm_core.errors import SettingError

MOST_SPLITS = 50_000
"""Up to so many ways to split the words all are tried; of more, so many are drawn."""


@dataclass(frozen=True, eq=False)
class AssociationTest:
    """How far two lists are apart, and how far the same words are when they are split by chance."""

    difference: float
    """The mean association of the first list minus that of the second."""
    effect_size: float
    """The difference in standard deviations of all words' associations; 0 where these are all equal."""
    splits: Tensor
    """The difference of each split, float32 of shape (S,)."""
    is_exact: bool
    """Whether these are all the splits that there are."""

    @property
    def share(self) -> float:
        """Of the splits, how many differ at least as much in the same direction: a one-sided test's p-value."""
        n = int(
            (self.splits * math.copysign(1.0, self.difference) >= abs(self.difference) - 1e-6).sum()
        )
        return n / len(self.splits) if self.is_exact else (n + 1) / (len(self.splits) + 1)


def associations(words: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """Return how much nearer each word is to some words than to others: its mean cosine with them, less.

    `words`, `first`, `second`: Tensors of shape (N, D), (n, D) and (m, D), each row of length 1.
    The result: Tensor of shape (N,).
    """
    return (words @ first.T).mean(1) - (words @ second.T).mean(1)


def association_test(first: Tensor, second: Tensor, generator: torch.Generator) -> AssociationTest:
    """Compare the associations of two lists with those of the same words split into two by chance.

    Raises SettingError if a list has fewer than 2 words.

    Parameters
    ----------
    first, second : Tensors of shape (n,) and (m,), from `associations`
    generator : torch.Generator, draws splits where there are more than `MOST_SPLITS`
    """
    n, total = len(first), len(first) + len(second)
    if min(n, total - n) < 2:
        raise SettingError(f"each list must have at least 2 words, got {n} and {total - n}")
    every = torch.cat([first, second])
    is_exact = math.comb(total, n) <= MOST_SPLITS
    if is_exact:
        chosen = _all_splits(total, n)
    else:
        noise = torch.rand(MOST_SPLITS, total, generator=generator)
        chosen = noise.argsort(1)[:, :n]
    sums = every[chosen].sum(1)
    splits = sums / n - (every.sum() - sums) / (total - n)
    difference = float(first.mean() - second.mean())
    deviation = float(every.std())
    effect_size = difference / deviation if deviation else 0.0
    return AssociationTest(difference, effect_size, splits, is_exact)


@lru_cache(maxsize=4)
def _all_splits(total: int, n: int) -> Tensor:
    """Return all ways to choose n of so many places, int64 (S, n): read it, never change it."""
    return torch.tensor(list(combinations(range(total), n)))
