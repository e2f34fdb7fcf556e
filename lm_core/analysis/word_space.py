"""Words as points: cosines of all words with one, as they are or with the mean taken off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.analysis.similarity import Neighbour, highest
from lm_core.text.word_vocabulary import WordVocabulary

_ROWS = 4_096  # at a time: the whole table is never copied


class PairNumbers(NamedTuple):
    """What goes into the cosine of two words.

    Attributes
    ----------
    dot : float
        Sum of the products of their numbers.
    lengths : pair of float
    cosine : float in [-1, 1]
        The dot product by both lengths.
    """

    dot: float
    lengths: tuple[float, float]
    cosine: float


@dataclass(frozen=True, eq=False)
class WordSpace:
    """A table of word vectors, looked at from 0 or from the mean of all words.

    The table is shared with its model and never copied: a cosine with the mean taken off both sides
    is found from the products with the vectors as they are.

    Attributes
    ----------
    vocabulary : WordVocabulary
    vectors : Tensor of shape (V, D)
        As they were learned.
    origin : Tensor of shape (D,)
        What is taken off every vector: zeros, or the mean of all.
    lengths : Tensor of shape (V,)
        Of the vectors from there.
    """

    vocabulary: WordVocabulary
    vectors: Tensor
    origin: Tensor
    lengths: Tensor

    @classmethod
    def of(
        cls, vocabulary: WordVocabulary, vectors: Tensor, *, without_mean: bool = False
    ) -> "WordSpace":
        """Look at vectors (V, D) from 0, or from their mean."""
        origin = vectors.mean(0) if without_mean else torch.zeros_like(vectors[0])
        lengths = torch.cat([(rows - origin).norm(dim=1) for rows in vectors.split(_ROWS)])
        return cls(vocabulary, vectors, origin, lengths)

    def most_frequent(self, n: int) -> "WordSpace":
        """Return the first `n` words, seen from the same origin."""
        words = self.vocabulary.most_frequent(n)
        return WordSpace(words, self.vectors[:n], self.origin, self.lengths[:n])

    def unit(self, ids: Sequence[int]) -> Tensor:
        """Return some words' vectors from the origin, brought to length 1: (n, D)."""
        chosen = self.vectors[list(ids)] - self.origin
        return chosen / _not_zero(self.lengths[list(ids)])[:, None]

    def cosines(self, wanted: Tensor, among: int | None = None) -> Tensor:
        """Return the cosines (among,) of the most frequent words, or of all, with a direction (D,)."""
        products = self.vectors[:among] @ wanted - self.origin @ wanted
        return products / _not_zero(self.lengths[:among] * wanted.norm())

    def nearest(
        self, wanted: Tensor, n: int, *, without: Sequence[int] = (), among: int | None = None
    ) -> list[Neighbour]:
        """Return the `n` words of the largest cosines with a direction (D,).

        Parameters
        ----------
        wanted : Tensor of shape (D,)
        n : int
        without : sequence of int
            Words that are passed over.
        among : int, optional
            Only so many of the most frequent words are looked at.
        """
        cosines = self.cosines(wanted, among)
        return highest(cosines, n, without=[i for i in without if i < len(cosines)])

    def analogy(
        self, a: int, b: int, c: int, n: int, *, among: int | None = None
    ) -> list[Neighbour]:
        """Return the words nearest to ``a - b + c``, each at length 1, the three passed over.

        *king - man + woman* is ``analogy(king, man, woman, n)``.

        References
        ----------
        Mikolov, Yih & Zweig 2013, "Linguistic Regularities in Continuous Space Word Representations".
        """
        first, second, third = self.unit((a, b, c))
        return self.nearest(first - second + third, n, without=(a, b, c), among=among)

    def pair(self, first: int, second: int) -> PairNumbers:
        """Return two words' dot product, lengths and cosine, as seen from the origin."""
        a, b = self.vectors[[first, second]] - self.origin
        lengths = float(self.lengths[first]), float(self.lengths[second])
        cosine = float(torch.stack(list(self.unit((first, second)))).prod(0).sum())
        return PairNumbers(float(a @ b), lengths, cosine)

    def matrix(self, ids: Sequence[int]) -> Tensor:
        """Return the cosines (n, n) of some words with each other."""
        chosen = self.unit(ids)
        return chosen @ chosen.T

    def mean_cosine(self) -> float:
        """Return the mean cosine of two words drawn at random, each with itself among them."""
        total = sum(
            ((rows - self.origin) / _not_zero(lengths)[:, None]).sum(0)
            for rows, lengths in zip(
                self.vectors.split(_ROWS), self.lengths.split(_ROWS), strict=True
            )
        )
        return float((total / len(self.vectors)).square().sum())


def _not_zero(lengths: Tensor) -> Tensor:
    return lengths.clamp_min(torch.finfo(lengths.dtype).tiny)
