"""Byte-pair encoding learned from a text: each merge with what else could be merged, and each size's tokens."""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.tokenizers.byte_pair import BYTE_SYMBOLS, BytePairTokenizer, pre_tokenize
from lm_core.text.tokenizers.merges import Pair

MOST_MERGES = 1_000
"""So many are learned from a visitor's text at most."""


class PairCounts(NamedTuple):
    """The neighbours in a text."""

    most_frequent: list[tuple[Pair, int]]
    """List of (pair, int). Pairs with their counts, the one to be merged next first."""
    n_different: int
    """Different pairs that there are."""
    n_tied: int
    """How many are as frequent as the first."""


@dataclass(frozen=True)
class MergeHistory:
    """All merges that were learned from a text, one a step."""

    text: str
    tokenizer: BytePairTokenizer
    """After the last step."""
    counts: tuple[int, ...]
    """How often each merge's pair appeared in the text when it was merged."""
    sizes: tuple[int, ...]
    """Symbols before the first step and after each."""

    def __len__(self) -> int:
        return len(self.counts)

    def after(self, step: int) -> BytePairTokenizer:
        """Return the tokenizer after so many steps."""
        symbols = self.tokenizer.symbols[: self.sizes[step]]
        return replace(self.tokenizer, symbols=symbols, merges=self.tokenizer.merges[:step])

    def pair_counts(self, step: int, most: int = 12) -> PairCounts:
        """Return the pairs of the text after so many steps, the `most` frequent ones by name."""
        learner = self.after(step).learner(self.text)
        frequent = learner.most_frequent(most)
        n_tied = (
            sum(count == frequent[0][1] for count in learner.counts.values()) if frequent else 0
        )
        return PairCounts(frequent, len(learner.counts), n_tied)


def train_byte_pair(
    text: str, *, base: str = "characters", most_merges: int = MOST_MERGES
) -> MergeHistory:
    """Learn merges from a text until no pair appears there twice.

    Parameters
    ----------
    base : str
        ``bytes``, numbered by their values, or ``characters``: those of the text, and ``<unk>``
        for all others.
    """
    special = (UNKNOWN,) if base == "characters" else ()
    n_basic = len(special) + (256 if base == "bytes" else len(set(text)))
    start = BytePairTokenizer.fit(text, n_basic, base=base, special_tokens=special)
    if base == "bytes":  # each byte is numbered by its value, as everybody numbers bytes
        start = replace(start, symbols=tuple(BYTE_SYMBOLS[byte] for byte in range(256)))
    learner = start.learner(text)
    merges: list[Pair] = []
    counts, sizes = [], [len(start)]
    while len(merges) < most_merges and (merge := learner.step()) is not None:
        merges.append(merge.pair)
        counts.append(merge.times)
        sizes.append(len(learner.symbols))
    tokenizer = BytePairTokenizer(tuple(learner.symbols), tuple(merges), base, special)
    return MergeHistory(text, tokenizer, tuple(counts), tuple(sizes))


def places_of_pair(tokenizer: BytePairTokenizer, text: str, pair: Pair) -> list[int]:
    """Return with which tokens of a text the occurrences of a pair begin that a merge would take.

    As a merge does: from left to right, never one token twice, and within pre-tokens.
    """
    ends = list(accumulate(len(each) for each in pre_tokenize(text, tokenizer.pattern)))
    tokens, places, i = tokenizer.trace(text), [], 0
    while i < len(tokens) - 1:
        left, right = tokens[i], tokens[i + 1]
        is_together = bisect(ends, left.start) == bisect(ends, right.start)
        if (left.id, right.id) == pair and is_together:
            places.append(i)
            i += 1
        i += 1
    return places


def merges_used(tokenizer: BytePairTokenizer, text: str) -> list[int]:
    """Return the ranks of the merges that a text is encoded with, in the order of learning."""
    return sorted({step.rank for step in tokenizer.steps(text)})


def up_to(tokenizer: BytePairTokenizer, n_merges: int) -> BytePairTokenizer:
    """Return a tokenizer that knows only so many of the merges; ids stay as they are."""
    return replace(tokenizer, merges=tokenizer.merges[:n_merges])


class VocabularySize(NamedTuple):
    """How many tokens a text has for a vocabulary of some size."""

    n_merges: int
    vocabulary_size: int
    n_tokens: int
    """Of the whole text."""


def train_counting_tokens(
    text: str, n_merges: Sequence[int]
) -> tuple[BytePairTokenizer, tuple[VocabularySize, ...]]:
    """Learn a byte-pair encoding on a text, and count its tokens whenever so many merges are known.

    `n_merges`: sequence of int, rising.

    Returns
    -------
    tokenizer : BytePairTokenizer, with the last number of merges, or all that there are
    sizes : tuple of VocabularySize
    """
    start = BytePairTokenizer.fit(text, 256)
    learner, sizes = start.learner(text), []
    merges: list[Pair] = []
    for wanted in n_merges:
        while len(merges) < wanted and (merge := learner.step()) is not None:
            merges.append(merge.pair)
        n_tokens = sum(len(pre_token) * times for pre_token, times in learner.pre_tokens())
        sizes.append(VocabularySize(len(merges), len(learner.symbols), n_tokens))
    return BytePairTokenizer(tuple(learner.symbols), tuple(merges)), tuple(sizes)


def even_sizes(most: int, per_doubling: int = 4) -> Iterator[int]:
    """Yield numbers of merges from 0 to `most`, evenly over the logarithm of the vocabulary.

    Examples
    --------
    >>> list(even_sizes(768, per_doubling=1))
    [0, 256, 768]
    """
    step, n_merges = 0, 0
    while n_merges < most:
        yield n_merges
        step += 1
        n_merges = round(256 * 2 ** (step / per_doubling)) - 256
    yield most
