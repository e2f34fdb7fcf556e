"""Byte-pair encoding: learning which neighbours to merge, and merging them.

Learning counts neighbours in the different pre-tokens of a text (words, as a rule), merges the pair that
is found most often wherever it appears, and counts again; only the pre-tokens that hold the pair are
touched. **Ties** go to the pair with the smaller ids, the left one first: ids rise with the order in
which symbols came to be, so of two pairs found equally often the one made of older symbols wins.

References
----------
Sennrich, Haddow & Birch 2016, "Neural Machine Translation of Rare Words with Subword Units".
https://arxiv.org/abs/1508.07909
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush, nsmallest
from itertools import pairwise
from typing import NamedTuple, Protocol

Pair = tuple[int, int]
"""Ids of two neighbouring symbols."""


class Merge(NamedTuple):
    """One learned merge."""

    pair: Pair
    """(int, int)."""
    id: int
    """Of the symbol that both become. A pair may spell a symbol that already exists, and shares
    its id then."""
    times: int
    """How often the pair appeared in the text."""


class MergeLearner:
    """Learn merges, one at a time; iterate over it.

    Parameters
    ----------
    pre_tokens : mapping of a tuple of ids to int
        Each different pre-token of the text, in basic symbols, with how often it appears there.
    symbols : sequence of str, spelling of each basic symbol's id
    minimum_count : int, at least 1, the learning ends before a pair that is rarer

    Attributes
    ----------
    symbols : list of str, spellings of all symbols by now
    counts : dict of pair to int, how often each pair appears in the text as it is merged by now
    """

    def __init__(
        self,
        pre_tokens: Mapping[tuple[int, ...], int],
        symbols: Sequence[str],
        *,
        minimum_count: int = 1,
    ) -> None:
        self.symbols = list(symbols)
        self.counts: dict[Pair, int] = Counter()
        self._ids = {symbol: i for i, symbol in enumerate(self.symbols)}
        self._minimum_count = max(1, minimum_count)
        self._pre_tokens = [list(pre_token) for pre_token in pre_tokens]
        self._times = list(pre_tokens.values())
        self._holders: defaultdict[Pair, set[int]] = defaultdict(set)
        for index, (pre_token, times) in enumerate(zip(self._pre_tokens, self._times, strict=True)):
            for pair in pairwise(pre_token):
                self.counts[pair] += times
                self._holders[pair].add(index)
        # Entries whose count is no longer true are passed over when they come up.
        self._queue = [(-count, pair) for pair, count in self.counts.items()]
        heapify(self._queue)

    def __iter__(self) -> Iterator[Merge]:
        """Learn on until no pair is frequent enough."""
        while (merge := self.step()) is not None:
            yield merge

    def step(self) -> Merge | None:
        """Merge the most frequent pair everywhere; None if no pair is frequent enough."""
        while self._queue:
            count, pair = -self._queue[0][0], self._queue[0][1]
            if count == self.counts.get(pair):
                break
            heappop(self._queue)
        else:
            return None
        if count < self._minimum_count:
            return None
        merge = Merge(pair, self._id_for(pair), count)
        changed = self._replace(merge)
        for each, change in changed.items():
            if not change:
                continue
            self.counts[each] = now = self.counts.get(each, 0) + change
            if now:
                heappush(self._queue, (-now, each))
            else:
                del self.counts[each]
        return merge

    def most_frequent(self, n: int) -> list[tuple[Pair, int]]:
        """Return the `n` pairs next in line with their counts, the one to be merged first."""
        return nsmallest(n, self.counts.items(), key=lambda item: (-item[1], item[0]))

    def pre_tokens(self) -> Iterator[tuple[list[int], int]]:
        """Yield each different pre-token as it is merged by now, with how often it appears in the text."""
        yield from zip(self._pre_tokens, self._times, strict=True)

    def _id_for(self, pair: Pair) -> int:
        spelled = self.symbols[pair[0]] + self.symbols[pair[1]]
        if spelled not in self._ids:
            self._ids[spelled] = len(self.symbols)
            self.symbols.append(spelled)
        return self._ids[spelled]

    def _replace(self, merge: Merge) -> dict[Pair, int]:
        """Merge the pair in all pre-tokens; return by how much each pair's count changes."""
        changed: defaultdict[Pair, int] = defaultdict(int)
        for index in self._holders.pop(merge.pair):
            before, times = self._pre_tokens[index], self._times[index]
            after = replaced(before, merge)
            if len(after) == len(before):
                continue  # an earlier merge has taken the pair away here
            for pair in pairwise(before):
                changed[pair] -= times
            for pair in pairwise(after):
                changed[pair] += times
                self._holders[pair].add(index)
            self._pre_tokens[index] = after
        return changed


def replaced(ids: Sequence[int], merge: Merge) -> list[int]:
    """Return a pre-token with a pair merged wherever it appears, from left to right.

    Examples
    --------
    >>> replaced([1, 1, 1, 2], Merge((1, 1), 3, times=1))
    [3, 1, 2]
    """
    left, right = merge.pair
    after, i, last = [], 0, len(ids) - 1
    while i <= last:
        if i < last and ids[i] == left and ids[i + 1] == right:
            after.append(merge.id)
            i += 2
        else:
            after.append(ids[i])
            i += 1
    return after


class MergeRanks(Protocol):
    """Rank and id of each pair's merge: a dict, or what finds them another way."""

    def get(self, pair: Pair, /) -> tuple[int, int] | None:
        """Return rank and id of a pair's merge, if it is merged."""


class MergeStep(NamedTuple):
    """One merge in the encoding of a pre-token."""

    rank: int
    """Of the merge: its place in the order of learning, from 0."""
    position: int
    """Basic symbols before the merged pair."""
    id: int
    """What the pair became."""


def merge_steps(ids: Sequence[int], merges: MergeRanks) -> Iterator[MergeStep]:
    """Yield the merges that encode a pre-token: always the first learned, leftmost first.

    Work grows with ``n log n``, so that a pre-token of a megabyte is no threat.

    `ids`: sequence of int, length n, the pre-token in basic symbols.
    """
    ids, n = list(ids), len(ids)
    before, after = list(range(-1, n - 1)), list(range(1, n + 1))
    found = ((i, pair, merges.get(pair)) for i, pair in enumerate(pairwise(ids)))
    queue = [(merge[0], i, pair, merge[1]) for i, pair, merge in found if merge]
    heapify(queue)
    while queue:
        rank, i, pair, both = heappop(queue)
        j = after[i]
        if j >= n or (ids[i], ids[j]) != pair:
            continue  # one of the two has become part of something else
        ids[i], ids[j] = both, -1
        after[i] = k = after[j]
        if k < n:
            before[k] = i
        for left, right in ((before[i], i), (i, k)):
            if left < 0 or right >= n:
                continue
            next_pair = ids[left], ids[right]
            if merge := merges.get(next_pair):
                heappush(queue, (merge[0], left, next_pair, merge[1]))
        yield MergeStep(rank, i, both)


def merged(ids: Sequence[int], merges: MergeRanks) -> list[tuple[int, int]]:
    """Return what all `merge_steps` make of a pre-token: (position, id) of each symbol, from the left."""
    symbols = dict(enumerate(ids))
    widths = dict.fromkeys(symbols, 1)
    for step in merge_steps(ids, merges):
        right = step.position + widths[step.position]
        del symbols[right]
        symbols[step.position] = step.id
        widths[step.position] += widths.pop(right)
    return list(symbols.items())
