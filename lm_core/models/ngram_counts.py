"""Counting n-grams, and three ways to make probabilities of the counts.

An n-gram c v is a context c of n - 1 symbols and the symbol v that came after it. With n(c v) its
count and n(c) the sum over all v,

    maximum likelihood   p(v | c) = n(c v) / n(c)
    add-k                p(v | c) = (n(c v) + k) / (n(c) + k V)
    interpolation        p_n(v | c) = w_n n(c v) / n(c) + (1 - w_n) p_{n-1}(v | c'),   p_0 = 1 / V

where c' is c without its oldest symbol; after a context that was never seen, interpolation is the
shorter context's prediction. The weights are those that make a text likely which was not counted:
fitted to the counted text itself, the longest context would take all the weight.
`lm_core.models.ngram` has the fourth way, Kneser-Ney's.

References
----------
Jelinek & Mercer 1980, "Interpolated estimation of Markov source parameters from sparse data".
Chen & Goodman 1998, TR-10-98. https://dash.harvard.edu/handle/1/25104739
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError, TextError
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.ngram import pack

NONE, ADD_K, INTERPOLATION = "none", "add-k", "interpolation"
SMOOTHINGS = (NONE, ADD_K, INTERPOLATION)


@dataclass(frozen=True)
class CountTable:
    """The n-grams of one length, in ascending order of their keys."""

    vocabulary_size: int
    """V. A key is the n-gram read as a number in base V."""
    keys: np.ndarray
    counts: np.ndarray
    """`keys` and `counts`: int64, of shape (number of different n-grams,)."""

    @cached_property
    def contexts(self) -> np.ndarray:
        """Keys of the contexts that were seen, ascending."""
        return np.unique(self.keys // self.vocabulary_size)

    @cached_property
    def totals(self) -> np.ndarray:
        """How often each of the `contexts` was seen."""
        starts = np.searchsorted(self.keys, self.contexts * self.vocabulary_size)
        return np.add.reduceat(self.counts, starts) if len(starts) else self.counts

    def of_ngrams(self, keys: np.ndarray) -> np.ndarray:
        """Return how often each of these n-grams was seen, in the shape of `keys`."""
        return _found(self.keys, self.counts, keys)

    def of_contexts(self, contexts: np.ndarray) -> np.ndarray:
        """Return how often each of these contexts was seen, in the shape of `contexts`."""
        return _found(self.contexts, self.totals, contexts)

    def row(self, contexts: np.ndarray) -> np.ndarray:
        """Return the counts of all symbols after each context: shape (..., V)."""
        starts = np.asarray(contexts)[..., None] * self.vocabulary_size
        return self.of_ngrams(starts + np.arange(self.vocabulary_size))

    def after(self, minimum: int) -> "CountTable":
        """Return the table of those contexts only that were seen so often, their rows complete."""
        is_kept = self.of_contexts(self.keys // self.vocabulary_size) >= minimum
        return CountTable(self.vocabulary_size, self.keys[is_kept], self.counts[is_kept])


def _found(keys: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the value of each wanted key, 0 for one that is not there."""
    if not len(keys):
        return np.zeros(np.shape(wanted), np.int64)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], 0)


def count_ngrams(
    ids: np.ndarray, vocabulary_size: int, n: int, is_predicted: np.ndarray | None = None
) -> CountTable:
    """Count the n-grams of a text.

    Raises SettingError if n is out of range, and TextError if the text is shorter than n.

    Parameters
    ----------
    ids : int ndarray of shape (N,)
    vocabulary_size : int, V, with V to the power n below 2^63
    n : int, at least 1
    is_predicted : bool ndarray of shape (N,), optional
        Which ids may be an n-gram's last; by default all that have a whole context before them.
    """
    if n < 1 or vocabulary_size**n >= 2**63:
        raise SettingError(f"n must be at least 1 and V ** n below 2^63, got {n}")
    if len(ids) < n:
        raise TextError(f"a text must have at least n = {n} symbols, got {len(ids)}")
    keys = pack(ids, vocabulary_size, n)
    if is_predicted is not None:
        keys = keys[is_predicted[n - 1 :]]
    return CountTable(vocabulary_size, *np.unique(keys, return_counts=True))


class Evidence(NamedTuple):
    """What tables of n = 1, 2, ... symbols know about some n-grams."""

    counts: np.ndarray
    """int64, of shape (number of tables, ...). n(c v)."""
    totals: np.ndarray
    """int64, of shape (number of tables, ...). n(c); it broadcasts against the counts."""

    def upto(self, n: int) -> "Evidence":
        """Return what the tables of at most n symbols know."""
        return Evidence(self.counts[:n], self.totals[:n])


def evidence_of_text(
    tables: Sequence[CountTable], ids: np.ndarray, is_predicted: np.ndarray | None = None
) -> Evidence:
    """Return what is known about each predicted id of a text after the ids before it.

    Without `is_predicted`, those are predicted that have the longest table's context before them.
    """
    longest, size = len(tables), tables[0].vocabulary_size
    places = np.arange(longest - 1, len(ids))
    if is_predicted is not None:
        places = places[is_predicted[longest - 1 :]]
    counts, totals = [], []
    for n, table in enumerate(tables, start=1):
        keys = pack(ids, size, n)[places - (n - 1)]
        counts.append(table.of_ngrams(keys))
        totals.append(table.of_contexts(keys // size))
    return Evidence(np.array(counts), np.array(totals))


def evidence_after(tables: Sequence[CountTable], context: Sequence[int]) -> Evidence:
    """Return what is known about all symbols after one context: counts (tables, V), totals (tables, 1).

    A table that looks back further than the context goes knows nothing.
    """
    size = tables[0].vocabulary_size
    rows = []
    for n, table in enumerate(tables, start=1):
        if len(context) < n - 1:
            rows.append(np.zeros(size, np.int64))
            continue
        key = 0
        for symbol in list(context)[len(context) - (n - 1) :]:
            key = key * size + int(symbol)
        rows.append(table.row(np.array(key)))
    counts = np.array(rows)
    return Evidence(counts, counts.sum(1, keepdims=True))


# Probabilities --------------------------------------------------------------------------------


def maximum_likelihood(evidence: Evidence) -> np.ndarray:
    """Return n(c v) / n(c) by the longest table; 0 after a context that was never seen."""
    counts, totals = evidence.counts[-1], evidence.totals[-1]
    return counts / np.maximum(totals, 1)


def add_k(evidence: Evidence, k: float, vocabulary_size: int) -> np.ndarray:
    """Return the probabilities by the longest table as if every n-gram had been seen k times more."""
    counts, totals = evidence.counts[-1], evidence.totals[-1]
    return (counts + k) / (totals + k * vocabulary_size)


def interpolate(evidence: Evidence, weights: Sequence[float], vocabulary_size: int) -> np.ndarray:
    """Return the interpolated probabilities; `weights` has one for each table, the shortest first."""
    counts, totals = np.broadcast_arrays(evidence.counts, evidence.totals)
    probability = np.full(counts.shape[1:], 1 / vocabulary_size)
    for n, weight in enumerate(weights):
        own = counts[n] / np.maximum(totals[n], 1)
        reliance = np.where(totals[n] > 0, weight, 0.0)
        probability = reliance * own + (1 - reliance) * probability
    return probability


def fit_weights(
    evidence: Evidence, vocabulary_size: int, steps: int = 60
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Fit the weights of `interpolate` by EM to a text that was not counted.

    The E-step asks, of each symbol, how likely each table was the one that it came from; the M-step
    sets a table's weight to its share of what came from it or from a shorter one.

    `evidence`: Evidence, about each symbol of that text: `evidence_of_text`.

    Returns
    -------
    weights : tuple of float, one for each table, the shortest first
    losses : tuple of float, mean nats of the text before each step; they never rise
    """
    counts, totals = evidence
    own = counts / np.maximum(totals, 1)
    is_seen = totals > 0
    weights = np.full(len(counts), 0.5)
    losses = []
    for _ in range(steps):
        reached = [np.full(own.shape[1:], 1 / vocabulary_size)]
        for n, weight in enumerate(weights):
            reliance = weight * is_seen[n]
            reached.append(reliance * own[n] + (1 - reliance) * reached[-1])
        losses.append(float(-np.log(reached[-1]).mean()))
        share = np.ones(own.shape[1:])  # of each symbol that came from table n or a shorter one
        for n in reversed(range(len(weights))):
            taken = share * weights[n] * is_seen[n] * own[n] / reached[n + 1]
            weights[n] = taken.sum() / max(float((share * is_seen[n]).sum()), 1e-12)
            share = share - taken
    return tuple(weights.tolist()), tuple(losses)


# A model --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NGramCountConfig:
    """How an `NGramCountModel` makes probabilities of its counts."""

    vocabulary_size: int
    n: int
    """It looks back at n - 1 symbols."""
    smoothing: str = INTERPOLATION
    """One of `SMOOTHINGS`."""
    k: float = 1.0
    """Added to every count by ``add-k``."""
    weights: tuple[float, ...] = ()
    """Of ``interpolation``: n of them."""
    start: int = -1
    """The symbol that stands before every text; -1 for none."""

    def __post_init__(self) -> None:
        if self.smoothing not in SMOOTHINGS:
            raise SettingError(f"smoothing must be one of {SMOOTHINGS}, got {self.smoothing!r}")
        if self.n < 1 or (self.smoothing == INTERPOLATION and len(self.weights) != self.n):
            raise SettingError(
                f"interpolation needs n >= 1 weights, got n = {self.n} and {len(self.weights)}"
            )
        if not self.k >= 0:
            raise SettingError(f"k must be at least 0, got {self.k}")


class NGramCountModel(LanguageModel):
    """Counts as a language model. The state is the last n - 1 symbols, int64 of shape (B, n - 1)."""

    def __init__(self, config: NGramCountConfig, tables: Sequence[CountTable]) -> None:
        super().__init__()
        if len(tables) < config.n:
            raise SettingError(f"there must be tables up to n = {config.n}, got {len(tables)}")
        self.config, self.tables = config, tuple(tables[: config.n])

    def initial_state(self, batch: int) -> State:
        """Return a history of nothing but the symbol that stands before every text."""
        return (torch.full((batch, self.config.n - 1), self.config.start, dtype=torch.int64),)

    def forward(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T) tokens; return log-probabilities (B, T, V) and the last n - 1 tokens."""
        if tokens.dim() != 2:
            raise ShapeError(f"tokens must have shape (B, T), got {tuple(tokens.shape)}")
        text = torch.cat([state[0], tokens], 1)
        size = self.config.n - 1
        rows = [
            [self.probabilities(history[t : t + size]) for t in range(1, len(history) - size + 1)]
            for history in text.tolist()
        ]
        with np.errstate(divide="ignore"):
            logits = torch.from_numpy(np.log(np.array(rows))).float()
        return logits, (text[:, text.shape[1] - size :].clone(),)

    def probabilities(self, context: Sequence[int]) -> np.ndarray:
        """Return the distribution after the last symbols, float64 of shape (V,); all 0 where nothing is known.

        Symbols before the text (-1) are left out: the shorter contexts decide.
        """
        config = self.config
        known = [symbol for symbol in context if symbol >= 0]
        evidence = evidence_after(self.tables, known)
        if config.smoothing == INTERPOLATION:
            return interpolate(evidence, config.weights, self.vocabulary_size)
        if config.smoothing == ADD_K:
            return add_k(evidence, config.k, self.vocabulary_size)
        return maximum_likelihood(evidence)
