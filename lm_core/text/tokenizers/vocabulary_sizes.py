"""What a larger vocabulary buys: a text cut by more and more merges, counted at each size."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lm_core.text.tokenizers.byte_pair import BytePairTokenizer


class SizedCut(NamedTuple):
    """A text as a tokenizer of some size cuts it.

    Attributes
    ----------
    n_merges : int
    vocabulary_size : int
    n_tokens : int
        Of the whole text.
    """

    n_merges: int
    vocabulary_size: int
    n_tokens: int


def learn_sizes(
    text: str, n_merges: Sequence[int]
) -> tuple[BytePairTokenizer, tuple[SizedCut, ...]]:
    """Learn byte pairs on a text, and count its tokens whenever so many merges are known.

    Parameters
    ----------
    text : str
    n_merges : sequence of int
        Rising.

    Returns
    -------
    tokenizer : BytePairTokenizer
        With the last number of merges, or all that there are.
    sizes : tuple of SizedCut
    """
    start = BytePairTokenizer.fit(text, 256)
    learner, merges, sizes = start.learner(text), [], []
    for wanted in n_merges:
        while len(merges) < wanted and (merge := learner.step()) is not None:
            merges.append(merge.pair)
        n_tokens = sum(len(piece) * times for piece, times in learner.pieces())
        sizes.append(SizedCut(len(merges), len(learner.symbols), n_tokens))
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
