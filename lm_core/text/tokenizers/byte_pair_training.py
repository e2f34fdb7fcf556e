"""Byte-pair encoding learned from a text, with every step kept: what was merged, and what else could be."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.merges import Pair

MOST_MERGES = 1_000
"""So many are learned from a visitor's text at most."""


class PairCounts(NamedTuple):
    """The neighbours in a text.

    Attributes
    ----------
    most_frequent : list of (pair, int)
        Pairs with their counts, the one to be merged next first.
    n_different : int
        Different pairs that there are.
    n_tied : int
        How many are as frequent as the first.
    """

    most_frequent: list[tuple[Pair, int]]
    n_different: int
    n_tied: int


@dataclass(frozen=True)
class Learning:
    """All merges that were learned from a text, one a step.

    Attributes
    ----------
    text : str
    tokenizer : BytePairTokenizer
        After the last step.
    counts : tuple of int
        How often each merge's pair stood in the text when it was merged.
    sizes : tuple of int
        Symbols before the first step and after each.
    """

    text: str
    tokenizer: BytePairTokenizer
    counts: tuple[int, ...]
    sizes: tuple[int, ...]

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


def learn(text: str, *, base: str = "characters", most_merges: int = MOST_MERGES) -> Learning:
    """Learn merges from a text until no pair stands there twice.

    Parameters
    ----------
    text : str
    base : str
        ``bytes``, or ``characters``: those of the text, and ``<unk>`` for all others.
    most_merges : int
    """
    special = (UNKNOWN,) if base == "characters" else ()
    n_basic = len(special) + (256 if base == "bytes" else len(set(text)))
    start = BytePairTokenizer.fit(text, n_basic, base=base, special_tokens=special)
    learner = start.learner(text)
    merges, counts, sizes = [], [], [len(start)]
    while len(merges) < most_merges and (merge := learner.step()) is not None:
        merges.append(merge.pair)
        counts.append(merge.count)
        sizes.append(len(learner.symbols))
    tokenizer = BytePairTokenizer(tuple(learner.symbols), tuple(merges), base, special)
    return Learning(text, tokenizer, tuple(counts), tuple(sizes))


def merges_used(tokenizer: BytePairTokenizer, text: str) -> list[int]:
    """Return the ranks of the merges that a text is encoded with, in the order of learning."""
    return sorted({step.rank for step in tokenizer.steps(text)})


def up_to(tokenizer: BytePairTokenizer, n_merges: int) -> BytePairTokenizer:
    """Return a tokenizer that knows only so many of the merges; ids stay as they are."""
    return replace(tokenizer, merges=tokenizer.merges[:n_merges])
