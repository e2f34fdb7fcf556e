"""Words by how often they appear in a text, and the law that Zipf saw in them.

The k-th most frequent word of a long text appears there about C / k^s times, with s near 1: on
logarithmic axes a straight line of slope -s.

References
----------
Zipf 1949, "Human Behavior and the Principle of Least Effort".
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lm_core.errors import SettingError
from lm_core.text.word_vocabulary import words_of

_POINTS = 60  # ranks that a line is fitted on, evenly over the logarithm


def ranked_words(text: str) -> list[tuple[str, int]]:
    """Return the different words of a text, as `words_of` reads them, the most frequent first.

    Equally frequent ones follow the order of letters, which tells nothing of the text.

    Examples
    --------
    >>> ranked_words("It's his. His, it's -- 3 his")
    [('his', 3), ("it's", 2)]
    """
    return by_frequency(words_of(text))


def by_frequency(words: Iterable[str]) -> list[tuple[str, int]]:
    """Return the different words with their counts, the most frequent first, then by their letters."""
    return sorted(Counter(words).items(), key=lambda counted: (-counted[1], counted[0]))


class PowerLaw(NamedTuple):
    """A straight line through counts by rank, both logarithmic."""

    slope: float
    """-1 in Zipf's own law."""
    first_count: float
    """What the line gives the most frequent word."""
    share_explained: float
    """In [0, 1]. Of the variance of the logarithms of the counts it was fitted on."""

    def expected_count(self, rank: float) -> float:
        """Return the count that the line gives the word of a rank, from 1."""
        return self.first_count * rank**self.slope


def fit_power_law(counts: Sequence[int], first: int, last: int) -> PowerLaw:
    """Fit a line by least squares to words from one rank to another.

    The ranks that count are spread evenly over the logarithm: otherwise nine tenths of the words of a
    book, its rarest, would decide alone. Raises SettingError if these are no two ranks of a word,
    in order.

    Parameters
    ----------
    counts : sequence of int, by rank, the highest first
    first, last : int, ranks from 1, both included
    """
    if not 1 <= first < last <= len(counts):
        raise SettingError(
            f"the ranks must rise and lie in 1 to {len(counts)}, got {first} to {last}"
        )
    ranks = np.unique(np.round(np.geomspace(first, last, _POINTS)).astype(int))
    x, y = np.log(ranks), np.log(np.asarray(counts, float)[ranks - 1])
    slope, height = np.polyfit(x, y, 1)
    unexplained = ((y - slope * x - height) ** 2).sum()
    spread = ((y - y.mean()) ** 2).sum()
    explained = 1.0 - unexplained / spread if spread else 1.0
    return PowerLaw(float(slope), float(np.exp(height)), float(explained))
