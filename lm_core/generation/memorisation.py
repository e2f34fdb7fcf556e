"""Which passages of a generated text appear in the book, found with the book or without it.

`BookIndex` needs the book and finds the longest match of every position exactly; where the book is
absent, `lm_core.generation.ngram_membership` recognises its short stretches and holds no text.

A passage is copied if it appears in the book letter by letter. Spans are read off from the left:
the first position whose match is long enough opens a span as long as that match, and the search
goes on behind it. So spans never overlap, and none can be prolonged.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lm_core.errors import SettingError, TextError

WORD = 8
"""Characters compared at once, as one 64-bit number."""

_BEYOND_BOOK, _BEYOND_TEXT = 0, 255  # differ from each other and from every id + 1


@dataclass(frozen=True)
class MemorisedSpan:
    """A stretch of a text that appears in the book."""

    start: int
    length: int
    """`start` and `length`: in characters of the text."""
    position_in_book: int | None = None
    """One place of the book where it appears; None if only the filter knows."""


class BookIndex:
    """A suffix array: every position of the book, in the alphabetical order of what follows it.

    Alphabetical neighbours share the longest beginnings, so the longest match of any text is a
    neighbour of the place where the text itself would be filed.

    Attributes
    ----------
    suffixes : int32 ndarray of shape (N,)
        Positions in alphabetical order. With the text itself, 5 bytes a character.
    """

    def __init__(
        self, words: np.ndarray, suffixes: np.ndarray, let_go: Callable[[], object] | None = None
    ) -> None:
        self._words = words
        self.suffixes = suffixes
        self._let_go = let_go

    @classmethod
    def of(
        cls, ids: np.ndarray, suffixes: np.ndarray, let_go: Callable[[], object] | None = None
    ) -> "BookIndex":
        """Return the index of a text (N,) that has been sorted before: its `suffixes`.

        `let_go`: callable, optional, called after a search where the suffixes lie in a file.
        """
        return cls(_words(ids, _BEYOND_BOOK), suffixes, let_go)

    @classmethod
    def build(cls, ids: np.ndarray) -> "BookIndex":
        """Sort the book: one to two seconds for three million characters, so nothing is stored.

        Raises TextError if the book is empty, and SettingError if an id does not fit.

        `ids`: int ndarray of shape (N,), each in [0, 254), N >= 1.
        """
        if len(ids) == 0:
            raise TextError("a book must hold at least one character")
        words = _words(ids, _BEYOND_BOOK)
        return cls(words, _suffix_array(words[: len(ids)]))

    def longest_matches(self, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return, for each position of a text, the longest stretch from there that the book holds.

        `ids`: int ndarray of shape (T,), each in [0, 254).

        Returns
        -------
        lengths : int64 ndarray of shape (T,), in characters; 0 if not even the first one occurs
        positions : int64 ndarray of shape (T,)
            A place in the book where it appears; meaningless where the length is 0.
        """
        words = _words(ids, _BEYOND_TEXT)
        starts = np.arange(len(ids))
        low, high = np.zeros_like(starts), np.full_like(starts, len(self.suffixes))
        for _ in range(len(self.suffixes).bit_length()):  # low <= place of the text <= high
            middle = np.minimum((low + high) // 2, len(self.suffixes) - 1)
            _, before = self._compare(self.suffixes[middle], words, starts)
            searching = low < high
            low = np.where(searching & before, middle + 1, low)
            high = np.where(searching & ~before, middle, high)
        neighbours = [np.maximum(low - 1, 0), np.minimum(low, len(self.suffixes) - 1)]
        positions = self.suffixes[np.stack(neighbours)].astype(np.int64)  # (2, T)
        if self._let_go:
            self._let_go()
        lengths = np.stack([self._compare(place, words, starts)[0] for place in positions])
        better = (lengths[1] > lengths[0]).astype(np.int64)
        return lengths[better, starts], positions[better, starts]

    def _compare(
        self, positions: np.ndarray, words: np.ndarray, starts: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return how many characters book and text share, and whether the book's come first."""
        lengths = np.zeros(len(starts), np.int64)
        before = np.zeros(len(starts), bool)
        active = np.arange(len(starts))
        while len(active):
            book = self._words[positions[active] + lengths[active]]
            text = words[starts[active] + lengths[active]]
            differs = book != text
            ended = active[differs]
            lengths[ended] += _shared_characters(book[differs] ^ text[differs])
            before[ended] = book[differs] < text[differs]
            active = active[~differs]
            lengths[active] += WORD
        return lengths, before

    def memorised_spans(self, ids: np.ndarray, minimum_length: int) -> tuple[MemorisedSpan, ...]:
        """Return the memorised passages of at least `minimum_length` characters, from left to right.

        Raises SettingError if `minimum_length` is below 1.
        """
        if minimum_length < 1:
            raise SettingError(f"minimum_length must be at least 1, got {minimum_length}")
        lengths, positions = self.longest_matches(ids)
        spans, behind = [], 0
        for start in np.flatnonzero(lengths >= minimum_length).tolist():
            if start >= behind:
                spans.append(MemorisedSpan(start, int(lengths[start]), int(positions[start])))
                behind = start + spans[-1].length
        return tuple(spans)


def _words(ids: np.ndarray, beyond: int) -> np.ndarray:
    """Return the `WORD` characters from each position as one number that sorts alphabetically.

    The result: big-endian uint64 view of shape (N + 1,), the last one lies beyond the end.
    """
    if len(ids) and not 0 <= ids.min() <= ids.max() < 254:
        raise SettingError(f"ids must lie in [0, 254), got {ids.min()} to {ids.max()}")
    letters = np.full(len(ids) + WORD, beyond, np.uint8)
    letters[: len(ids)] = ids + 1
    return np.ndarray(len(ids) + 1, ">u8", letters, strides=(1,))


def _shared_characters(difference: np.ndarray) -> np.ndarray:
    """Return how many leading bytes of non-zero 64-bit numbers are zero."""
    thresholds = np.array([256**n for n in range(1, WORD)], np.uint64)
    return WORD - 1 - np.searchsorted(thresholds, difference.astype(np.uint64), side="right")


def _suffix_array(words: np.ndarray) -> np.ndarray:
    """Sort all suffixes by prefix doubling, each round only those that still tie.

    Sorted by h characters, a suffix's rank says what its first h characters are; the rank of the
    suffix h later says what the next h are, so one more sort orders by 2 h (Manber & Myers 1993,
    "Suffix arrays"; leaving out what is settled is Larsson & Sadakane 1999).
    """
    size = len(words)
    order = np.argsort(words)
    rank = np.full(size + 1, -1, np.int64)  # rank[size]: what lies beyond the end comes first
    tied = np.arange(size)  # places in `order` that may still change
    opens = _opens_group(words[order])
    shared = WORD
    while len(tied):
        group = np.maximum.accumulate(np.where(opens, tied, 0))  # a group's rank: its first place
        rank[order[tied]] = group
        alone = opens & np.append(opens[1:], True)
        tied, group = tied[~alone], group[~alone]
        suffixes = order[tied]
        key = group * (size + 1) + rank[np.minimum(suffixes + shared, size)]
        by_key = np.argsort(key)
        order[tied] = suffixes[by_key]
        opens = _opens_group(key[by_key])
        shared *= 2
    return order.astype(np.int32)


def _opens_group(ordered: np.ndarray) -> np.ndarray:
    """Return where a value differs from the one before it; the first always does."""
    return np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]


def tokens_inside(
    spans: Sequence[MemorisedSpan], lengths: np.ndarray
) -> tuple[tuple[int, int], ...]:
    """Return start and number of the tokens that lie wholly inside each span; spans without any are left out.

    `lengths`: int ndarray of shape (N,), characters of each token of the text.

    Examples
    --------
    >>> tokens_inside([MemorisedSpan(1, 5)], np.array([2, 1, 2, 3]))
    ((1, 2),)
    """
    ends = lengths.cumsum()
    inside = []
    for span in spans:
        first = int(np.searchsorted(ends - lengths, span.start))
        last = int(np.searchsorted(ends, span.start + span.length, side="right"))
        if first < last:
            inside.append((first, last - first))
    return tuple(inside)
