"""Making an n-gram table small: keep the n-grams that earn their bytes.

What a dropped n-gram had goes to the shorter context, since a `KneserNey` table's back-off weight is
what the masses leave over: pruned rows sum to one by construction. So without the n-gram c v its
character would have the probability (backoff_k(c) + mass_k(v | c)) p_{k-1}(v | c'), and keeping it
saves, on the text it was counted from,

    gain(c v) = occurrences(c v) x log(p_k(v | c) / ((backoff_k(c) + mass_k(v | c)) p_{k-1}(v | c')))

nats: much if it is often needed and the shorter context would not have said the same.

References
----------
Seymore & Rosenfeld 1996, "Scalable backoff language models" (weighted difference).
Stolcke 1998, "Entropy-based Pruning of Backoff Language Models".
https://arxiv.org/abs/cs/0006025
"""

import numpy as np

from lm_core.errors import SettingError
from lm_core.models.ngram import KneserNey, pack


def prune(model: KneserNey, ids: np.ndarray, minimum_gain: float) -> KneserNey:
    """Return the table without the n-grams that save less than `minimum_gain` on the text.

    The masses kept are rounded down to half precision, so that a checkpoint with storage
    ``float16`` (2 bytes a mass, 4 or 8 a key) holds them exactly; down, because a row must never
    promise more than one. All single characters stay. Raises SettingError if `minimum_gain` is
    negative or not a number, or the table was already pruned.

    Parameters
    ----------
    model : KneserNey, as `estimate` returns it
    ids : int ndarray of shape (N,), the text that it was counted from
    minimum_gain : float, in nats over the whole text; 0 keeps every n-gram
    """
    if not minimum_gain >= 0:
        raise SettingError(f"minimum_gain must be at least 0, got {minimum_gain}")
    kept = []
    size = model.vocabulary_size
    shorter_keys = np.zeros(1, np.int64)
    shorter = np.array([1 / size])  # p_{k-1}(v | c') of each n-gram of the order below
    for k in range(model.config.context_size + 1):
        keys, masses = (tensor.numpy() for tensor in model.order(k))
        backed_off = shorter[_places(shorter_keys, keys % size**k)]
        backoffs = _backoffs(keys // size, masses)
        own = masses + backoffs * backed_off  # p_k(v | c)
        occurrences = _occurrences(keys, pack(ids, size, k + 1))
        gain = occurrences * np.log(own / ((backoffs + masses) * backed_off))
        worth = (gain >= minimum_gain) | (k == 0)
        kept.append((keys[worth], _round_down(masses[worth])))
        shorter_keys, shorter = keys, own
    return KneserNey.from_orders(size, kept)


def _places(keys: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return where each wanted key is among the sorted keys."""
    places = np.searchsorted(keys, wanted)
    if not np.array_equal(keys[np.minimum(places, len(keys) - 1)], wanted):
        raise SettingError("model must hold the end of each of its n-grams: prune it only once")
    return places


def _backoffs(contexts: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """Return, for each n-gram, what the masses of its context leave over."""
    starts = np.flatnonzero(np.diff(contexts, prepend=-1))
    left_over = 1 - np.add.reduceat(masses.astype(np.float64), starts)
    return np.repeat(left_over, np.diff(starts, append=len(contexts)))


def _occurrences(keys: np.ndarray, grams: np.ndarray) -> np.ndarray:
    """Return how often each sorted key occurs in the text's `grams`."""
    present, counts = np.unique(grams, return_counts=True)
    places = np.minimum(np.searchsorted(present, keys), len(present) - 1)
    return np.where(present[places] == keys, counts[places], 0)


def _round_down(masses: np.ndarray) -> np.ndarray:
    """Return the largest half-precision numbers that are not above the masses, as float32."""
    rounded = masses.astype(np.float16)
    return np.where(rounded > masses, np.nextafter(rounded, np.float16(0)), rounded).astype(
        np.float32
    )
