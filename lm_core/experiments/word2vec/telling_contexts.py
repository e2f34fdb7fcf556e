"""Which words are found near a word far more often than by chance, in the texts that vectors were trained on.

    python -m lm_core experiment word2vec --contexts

makes the shipped tables: for each frequent word its most telling contexts. They hold which words are
near which, and no text.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import safetensors.numpy
from safetensors import SafetensorError

from lm_core.assets import RESULTS, absence
from lm_core.errors import ResultError
from lm_core.files import write_whole

SHIPPED = RESULTS / "word2vec-contexts.safetensors"
WINDOW = 5
"""Words to each side that are near."""

MOST_WORDS, MOST_CONTEXTS, PER_WORD = 2_500, 10_000, 130
"""Words with a row, words that can be a context, and contexts of a row: the most frequent, the most telling."""

STOP_WORDS = 120
"""So many of the most frequent words say nothing as contexts: *the*, *of*, *was*."""

_FEWEST = 3  # times together: what is rarer is chance
_STEPS = 16  # of a stored ratio, to a bit


class TellingContexts(NamedTuple):
    """The most telling contexts of frequent words."""

    ids: np.ndarray
    """uint16, of shape (N, PER_WORD). Of the context words; 0 where a row has fewer."""
    bits: np.ndarray
    """Float array of shape (N, PER_WORD). *Pointwise mutual information*: log2 of how many times
    more often the context is near than by chance; 0 where a row has fewer."""

    def shared(self, first: int, second: int) -> list[tuple[int, float, float]]:
        """Return the contexts of both words, with their bits for each; the most telling for both first."""
        rows = [
            {
                int(i): float(b)
                for i, b in zip(self.ids[word], self.bits[word], strict=True)
                if b > 0
            }
            for word in (first, second)
        ]
        both = [(i, rows[0][i], rows[1][i]) for i in rows[0].keys() & rows[1].keys()]
        return sorted(both, key=lambda each: (-min(each[1:]), each[0]))


def counts_near(words: np.ndarray, n_words: int, n_contexts: int, window: int) -> np.ndarray:
    """Return how often each context is within the window of each word: (n_words, n_contexts).

    Parameters
    ----------
    words : int array of shape (N,), the text, in ids by frequency
    n_words, n_contexts : int, the most frequent so many
    """
    counts = np.zeros(n_words * n_contexts, np.int32)
    for step in range(1, window + 1):
        for near, far in ((words[:-step], words[step:]), (words[step:], words[:-step])):
            known = (near < n_words) & (far < n_contexts)
            pairs = near[known].astype(np.int64) * n_contexts + far[known]
            found, times = np.unique(pairs, return_counts=True)
            counts[found] += times.astype(np.int32)
    return counts.reshape(n_words, n_contexts)


def telling_contexts(words: np.ndarray, counts: np.ndarray, window: int) -> TellingContexts:
    """Return for each word the contexts with the largest log-likelihood ratio.

    The log-likelihood ratio (Dunning 1993) says how far a count is beyond chance. Ranking by it, not
    by the pointwise mutual information, keeps pairs out that met a few times by accident.

    Parameters
    ----------
    words : int array of shape (N,), the text
    counts : int array of shape (n_words, n_contexts), of `counts_near`
    """
    n_words, n_contexts = counts.shape
    often = np.bincount(words, minlength=max(counts.shape))
    ids = np.zeros((n_words, PER_WORD), np.uint16)
    bits = np.zeros((n_words, PER_WORD))
    for word in range(n_words):
        expected = 2 * window * often[word] * often[:n_contexts] / len(words)
        near = counts[word].astype(float)
        is_telling = (near >= _FEWEST) & (near > expected)
        is_telling[:STOP_WORDS] = False
        is_telling[word] = False
        ratio = np.log(near[is_telling] / expected[is_telling])
        likelihood = 2 * (near[is_telling] * ratio - near[is_telling] + expected[is_telling])
        best = np.argsort(-likelihood, kind="stable")[:PER_WORD]
        ids[word, : len(best)] = np.flatnonzero(is_telling)[best]
        bits[word, : len(best)] = ratio[best] / np.log(2)
    return TellingContexts(ids, bits)


def save_contexts(tables: Mapping[str, tuple[int, TellingContexts]], path: Path = SHIPPED) -> None:
    """Write the tables by the names of their vectors, each with the size of its vocabulary.

    Bits are rounded to sixteenths.
    """
    arrays = {}
    for name, (size, table) in tables.items():
        arrays[f"{name}.size"] = np.array([size], np.uint32)
        arrays[f"{name}.ids"] = table.ids
        arrays[f"{name}.bits"] = (table.bits * _STEPS).round().clip(0, 255).astype(np.uint8)
    write_whole(path, safetensors.numpy.save(arrays))


def load_contexts(name: str, size: int, path: Path = SHIPPED) -> TellingContexts | None:
    """Read the table of some vectors; None if there is none of that name and size of the vocabulary.

    Raises ResultError if the file is missing or damaged.
    """
    try:
        arrays = safetensors.numpy.load(path.read_bytes())
    except OSError as error:
        raise ResultError(absence() or f"{path.name} is missing: {error.strerror}") from error
    except SafetensorError as error:
        raise ResultError(f"{path.name} is damaged: {error}") from error
    if arrays.get(f"{name}.size", [0])[0] != size:
        return None
    return TellingContexts(arrays[f"{name}.ids"], arrays[f"{name}.bits"] / _STEPS)
