"""Words as points: cosines, neighbours, analogies, the odd one out, and axes made of words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError
from lm_core.text.word_vocabulary import WordVocabulary

_ROWS = 4_096  # at a time: the whole table is never copied


class Neighbour(NamedTuple):
    """A word near another."""

    id: int
    cosine: float
    """In [-1, 1]."""


def unit_vectors(vectors: Tensor) -> Tensor:
    """Return vectors (..., D) brought to length 1; a vector of zeros stays one."""
    length = vectors.norm(dim=-1, keepdim=True)
    return vectors / length.clamp_min(torch.finfo(vectors.dtype).tiny)


class PairNumbers(NamedTuple):
    """What goes into the cosine of two words."""

    dot: float
    """Sum of the products of their numbers."""
    lengths: tuple[float, float]
    cosine: float
    """In [-1, 1]. The dot product by both lengths."""


@dataclass(frozen=True, eq=False)
class WordSpace:
    """A table of word vectors, seen from 0 or from the mean of all words.

    The table is shared with its model and never copied: a cosine with the mean taken off both sides
    is found from the products with the vectors as they are.
    """

    vocabulary: WordVocabulary
    vectors: Tensor
    """Of shape (V, D). As they were learned."""
    origin: Tensor
    """Of shape (D,). What is taken off every vector: zeros, or the mean of all."""
    lengths: Tensor
    """Of shape (V,). Of the vectors from there."""

    @classmethod
    def of(
        cls, vocabulary: WordVocabulary, vectors: Tensor, *, subtract_mean: bool = False
    ) -> "WordSpace":
        """Return vectors (V, D) as seen from 0, or from their mean."""
        origin = vectors.mean(0) if subtract_mean else torch.zeros_like(vectors[0])
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
        """Return the cosines (among,) of the most frequent words, or of all, with a direction (D,).

        Raises ShapeError if the direction is not as wide as the vectors.
        """
        if wanted.shape != self.vectors.shape[1:]:
            raise ShapeError(
                f"the direction must be as wide as the vectors, {tuple(self.vectors.shape)}, got"
                f" {tuple(wanted.shape)}"
            )
        products = self.vectors[:among] @ wanted - self.origin @ wanted
        return products / _not_zero(self.lengths[:among] * wanted.norm())

    def nearest(
        self, wanted: Tensor, n: int, *, exclude: Sequence[int] = (), among: int | None = None
    ) -> list[Neighbour]:
        """Return the `n` words of the largest cosines with a direction (D,).

        Parameters
        ----------
        wanted : Tensor of shape (D,)
        exclude : sequence of int, words that are left out
        among : int, only so many of the most frequent words are searched
        """
        cosines = self.cosines(wanted, among)
        return _highest(cosines, n, exclude=[i for i in exclude if i < len(cosines)])

    def analogy(
        self, a: int, b: int, c: int, n: int, *, among: int | None = None
    ) -> list[Neighbour]:
        """Return the words nearest to ``a - b + c``, each at length 1, the three left out.

        *king - man + woman* is ``analogy(king, man, woman, n)``.

        References
        ----------
        Mikolov, Yih & Zweig 2013, "Linguistic Regularities in Continuous Space Word Representations".
        """
        first, second, third = self.unit((a, b, c))
        return self.nearest(first - second + third, n, exclude=(a, b, c), among=among)

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

    def most_alike(self, ids: Sequence[int], n: int) -> list[tuple[int, int, float]]:
        """Return the n pairs of some words with the largest cosines, the largest first; no word is in two pairs.

        `ids`: sequence of int, different words.
        """
        cosines = self.matrix(ids).fill_diagonal_(-torch.inf)
        pairs = []
        for _ in range(min(n, len(ids) // 2)):
            a, b = sorted(divmod(int(cosines.argmax()), len(ids)))
            pairs.append((ids[a], ids[b], float(cosines[a, b])))
            cosines[[a, b]] = -torch.inf
            cosines[:, [a, b]] = -torch.inf
        return pairs

    def mean_cosine(self) -> float:
        """Return the mean cosine of two words drawn at random, each with itself among them."""
        total = sum(
            ((rows - self.origin) / _not_zero(lengths)[:, None]).sum(0)
            for rows, lengths in zip(
                self.vectors.split(_ROWS), self.lengths.split(_ROWS), strict=True
            )
        )
        return float((total / len(self.vectors)).square().sum())


def _highest(cosines: Tensor, n: int, *, exclude: Sequence[int] = ()) -> list[Neighbour]:
    """Return the `n` words of the largest cosines (V,), some left out, the largest first."""
    cosines = cosines.clone()
    cosines[list(exclude)] = -torch.inf
    best = cosines.topk(max(0, min(n, len(cosines) - len(set(exclude)))))
    return [Neighbour(int(i), float(c)) for i, c in zip(best.indices, best.values, strict=True)]


def odd_one_out(vectors: Tensor, words: Sequence[int]) -> tuple[int, Tensor]:
    """Return which of some words fits the others least, and how well each fits.

    Raises SettingError if there are fewer than three.

    Parameters
    ----------
    vectors : Tensor of shape (V, D), of length 1
    words : sequence of int, at least 3 ids

    Returns
    -------
    int, Tensor of shape (len(words),)
        A place in `words`; the mean cosine of each word with the others.
    """
    if len(words) < 3:
        raise SettingError(f"words must be at least 3, got {len(words)}")
    chosen = vectors[list(words)]
    cosines = chosen @ chosen.T
    fits = (cosines.sum(1) - cosines.diagonal()) / (len(words) - 1)
    return int(fits.argmin()), fits


def axis_between(low: Tensor, high: Tensor) -> Tensor:
    """Return the direction (D,) of length 1 from some words to others.

    Raises SettingError if both ends are the same.

    Parameters
    ----------
    low, high : Tensors of shape (n, D) and (m, D)
        The words at the ends, each at length 1: the axis leads from the mean of the ones to that of
        the others.
    """
    if low.dim() != 2 or high.dim() != 2 or low.shape[1] != high.shape[1]:
        raise ShapeError(
            f"low and high must be (n, D) and (m, D), got {tuple(low.shape)} and"
            f" {tuple(high.shape)}"
        )
    difference = high.mean(0) - low.mean(0)
    if float(difference.norm()) < 1e-6:
        raise SettingError(
            "the two ends of an axis must differ: choose other words for one of them"
        )
    return unit_vectors(difference)


def _not_zero(lengths: Tensor) -> Tensor:
    return lengths.clamp_min(torch.finfo(lengths.dtype).tiny)
