"""Interpolated modified Kneser-Ney: predicting a character by counting, done as well as it can be.

With k characters of context c and c' the same context without its oldest character,

    p_k(v | c) = mass_k(v | c) + backoff_k(c) p_{k-1}(v | c'),    p_{-1} = 1 / V,
    mass_k(v | c) = (n(c v) - D(n(c v))) / n(c),    backoff_k(c) = 1 - sum_v mass_k(v | c).

Every count gives up a discount D, and what is given up goes to the shorter context. At the longest
context n counts occurrences; below it n(c v) counts the *different characters that precede*
``c v``, because a shorter context is asked only where a longer one had nothing to say: "Francisco"
is frequent, but after an unseen word it is not likely.

An order is two aligned vectors, the sorted keys of its n-grams and their masses. A key is the
n-gram read as a number in base V, so the n-grams of one context are neighbours and the shorter
context is the remainder of a division. The back-off weight is never stored: being what the masses
leave over, it makes every row sum to one whatever was pruned or rounded.

References
----------
Kneser & Ney 1995, "Improved backing-off for m-gram language modeling".
Chen & Goodman 1998, "An Empirical Study of Smoothing Techniques for Language Modeling", TR-10-98
(three discounts per order). https://dash.harvard.edu/handle/1/25104739
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError, TextError
from lm_core.models.language_model import LanguageModel, State

MINIMUM_BACKOFF = 1e-6
"""Floor of the back-off weight, so that no rounding makes a character impossible."""

POSITIONS_AT_ONCE = 16_384
"""Positions computed together: their rows of V probabilities fit in a processor's cache."""

FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)
"""For an order with too few rare n-grams to estimate from, such as the 70 single characters."""


@dataclass(frozen=True)
class KneserNeyConfig:
    """Sizes of a `KneserNey` table."""

    vocabulary_size: int
    """V, at least 1."""
    entries: tuple[int, ...]
    """Stored n-grams with 0, 1, ..., K characters of context. V to the power K + 1 must stay
    below 2^63: up to 9 characters of context for a vocabulary of 78."""

    def __post_init__(self) -> None:
        if self.vocabulary_size < 1:
            raise SettingError(f"vocabulary_size must be at least 1, got {self.vocabulary_size}")
        if not self.entries or min(self.entries) < 0:
            raise SettingError(
                f"entries must hold a count of at least 0 per order, got {self.entries}"
            )
        _check_capacity(self.vocabulary_size, self.context_size)

    @property
    def context_size(self) -> int:
        """Longest context in characters, K."""
        return len(self.entries) - 1


def _check_capacity(vocabulary_size: int, context_size: int) -> None:
    if context_size < 0:
        raise SettingError(f"context_size must be at least 0, got {context_size}")
    if vocabulary_size ** (context_size + 1) >= 2**63:
        raise SettingError(
            f"vocabulary_size ** (context_size + 1) must stay below 2^63, got {vocabulary_size} **"
            f" {context_size + 1}: choose a shorter context or a smaller vocabulary"
        )


class KneserNey(LanguageModel):
    """A table of n-grams. The state is the last K tokens, int64 of shape (B, K), -1 for "none yet".

    Buffers ``keys_k`` (int32 where it suffices, else int64, ascending) and ``mass_k`` (float32),
    both of shape (entries[k],), hold the n-grams with k characters of context.
    """

    def __init__(self, config: KneserNeyConfig) -> None:
        super().__init__()
        self.config = config
        for k, entries in enumerate(config.entries):
            small = config.vocabulary_size ** (k + 1) < 2**31
            keys = torch.zeros(entries, dtype=torch.int32 if small else torch.int64)
            self.register_buffer(f"keys_{k}", keys)
            self.register_buffer(f"mass_{k}", torch.zeros(entries))
        powers = [config.vocabulary_size**k for k in range(config.context_size)]
        self.register_buffer("_powers", torch.tensor(powers, dtype=torch.int64), persistent=False)

    @classmethod
    def from_orders(
        cls, vocabulary_size: int, orders: Sequence[tuple[np.ndarray, np.ndarray]]
    ) -> "KneserNey":
        """Return the model with these ``(keys, masses)``, one pair for each context length from 0 up."""
        model = cls(KneserNeyConfig(vocabulary_size, tuple(len(keys) for keys, _ in orders)))
        for k, (keys, masses) in enumerate(orders):
            stored_keys, stored_masses = model.order(k)
            stored_keys.copy_(torch.from_numpy(keys))
            stored_masses.copy_(torch.from_numpy(masses))
        return model.eval()

    def order(self, k: int) -> tuple[Tensor, Tensor]:
        """Return the keys and the masses of the n-grams with k characters of context."""
        return self.get_buffer(f"keys_{k}"), self.get_buffer(f"mass_{k}")

    def initial_state(self, batch: int) -> State:
        """Return an empty history."""
        shape = (batch, self.config.context_size)
        return (torch.full(shape, -1, dtype=torch.int64, device=self.get_buffer("mass_0").device),)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return log-probabilities (B, T, V) and the last K tokens."""
        if tokens.dim() != 2:
            raise ShapeError(f"tokens must have shape (B, T), got {tuple(tokens.shape)}")
        if tokens.numel() and not 0 <= tokens.min() <= tokens.max() < self.vocabulary_size:
            raise SettingError(
                f"tokens must lie in [0, {self.vocabulary_size}),"
                f" got {int(tokens.min())} to {int(tokens.max())}"
            )
        batch, length = tokens.shape
        text = torch.cat([state[0], tokens], 1)  # (B, K + T)
        contexts = text.unfold(1, self.config.context_size, 1)[:, 1:].flatten(0, 1)  # (B * T, K)
        rows = [self._log_probabilities(part) for part in contexts.split(POSITIONS_AT_ONCE)]
        logits = torch.cat(rows).view(batch, length, self.vocabulary_size)
        return logits, (text[:, length:].clone(),)

    def _log_probabilities(self, contexts: Tensor) -> Tensor:
        """Climb from the uniform distribution to the longest context: (N, K) -> (N, V)."""
        n_positions, size = len(contexts), self.vocabulary_size
        newest_first = contexts.flip(1)
        # Column k - 1 packs the last k characters; a missing one makes it negative: never found.
        packed = (newest_first * self.get_buffer("_powers")).cumsum(1)
        probabilities = self.get_buffer("mass_0").new_full((n_positions, size), 1 / size)
        for k, context in enumerate([packed.new_zeros(n_positions), *packed.T]):
            probabilities = self._interpolate(k, context, probabilities)
        return (probabilities / probabilities.sum(1, keepdim=True)).log_()

    def _interpolate(self, k: int, context: Tensor, shorter: Tensor) -> Tensor:
        """Return mass + backoff * shorter; `context` (N,) packs the last k characters."""
        size, (keys, masses) = self.vocabulary_size, self.order(k)
        start = context * size
        bounds = torch.stack([start, start + size]).to(keys.dtype)
        first, last = torch.searchsorted(keys, bounds)  # n-grams of each context: first <= i < last
        n_seen = last - first
        row = torch.repeat_interleave(n_seen)  # (number of n-grams found,)
        if not len(row):
            return shorter
        found = torch.arange(len(row), device=row.device) + (last - n_seen.cumsum(0))[row]
        mass = torch.zeros_like(shorter)
        mass[row, keys[found] - bounds[0, row]] = masses[found]
        backoff = (1 - mass.sum(1, keepdim=True)).clamp_min_(MINIMUM_BACKOFF)
        return torch.addcmul(mass, backoff, shorter)  # (N, V)


# Counting -------------------------------------------------------------------------------------


def pack(ids: np.ndarray, vocabulary_size: int, length: int) -> np.ndarray:
    """Return the key of every stretch of `length` ids, read as a number in base V.

    `ids`: int ndarray of shape (N,), N >= length. The result: int64 ndarray of shape (N - length + 1,).
    """
    keys = np.zeros(len(ids) - length + 1, np.int64)
    for offset in range(length):
        keys = keys * vocabulary_size + ids[offset : offset + len(keys)]
    return keys


def estimate(ids: np.ndarray, vocabulary_size: int, context_size: int) -> KneserNey:
    """Count a text into a `KneserNey` model. Its first K characters serve as context only.

    Raises SettingError if V ** (K + 1) does not fit in 63 bits, or an id lies outside the
    vocabulary, and TextError if the text is not longer than the context.

    Parameters
    ----------
    ids : int ndarray of shape (N,), each in [0, vocabulary_size), N > context_size
    vocabulary_size : int, V
    context_size : int, longest context in characters, K, at least 0
    """
    _check_capacity(vocabulary_size, context_size)
    if len(ids) <= context_size:
        raise TextError(
            f"a text must be longer than its context of {context_size} characters, got {len(ids)}"
        )
    if ids.min() < 0 or ids.max() >= vocabulary_size:
        raise SettingError(
            f"ids must lie in [0, {vocabulary_size}), got {ids.min()} to {ids.max()}"
        )
    orders = []
    keys, counts = np.unique(pack(ids, vocabulary_size, context_size + 1), return_counts=True)
    for k in range(context_size, -1, -1):
        orders.append((keys, _masses(keys // vocabulary_size, counts)))
        # Without its first character, each different n-gram becomes one "follows" of the rest.
        keys, counts = np.unique(keys % vocabulary_size**k, return_counts=True)
    return KneserNey.from_orders(vocabulary_size, orders[::-1])


def _masses(contexts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the discounted relative frequency of each n-gram; equal `contexts` are neighbours."""
    starts = np.flatnonzero(np.diff(contexts, prepend=-1))
    totals = np.repeat(np.add.reduceat(counts, starts), np.diff(starts, append=len(counts)))
    discounts = np.array([0.0, *_discounts(counts)])
    return (counts - discounts[np.minimum(counts, 3)]) / totals


def _discounts(counts: np.ndarray) -> tuple[float, float, float]:
    """Return what a count of 1, of 2 and of 3 or more gives up (Chen & Goodman 1998, eq. 26)."""
    n1, n2, n3, n4 = (int(np.count_nonzero(counts == c)) for c in (1, 2, 3, 4))
    if 0 in (n1, n2, n3, n4):
        return FALLBACK_DISCOUNTS
    share = n1 / (n1 + 2 * n2)
    discounts = (1 - 2 * share * n2 / n1, 2 - 3 * share * n3 / n2, 3 - 4 * share * n4 / n3)
    return discounts if min(discounts) > 0 else FALLBACK_DISCOUNTS
