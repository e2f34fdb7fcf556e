"""Subwords merged into words, and the attention between subwords into that between words."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor

_APOSTROPHE = "'"
_INSIDE_WORDS = "'-"


class Word(NamedTuple):
    """Tokens that make up one word or sign, from `start` to before `end`; no text for the sentence's end."""

    text: str
    start: int
    end: int


def words_of(symbols: Sequence[str]) -> tuple[Word, ...]:
    """Merge subwords into words; an elision ends with its apostrophe, and a sign is a word of its own.

    Examples
    --------
    >>> [word.text for word in words_of([" Un", " grou", "pe", " d", "'", "hommes", ".", ""])]
    ['Un', 'groupe', "d'", 'hommes', '.', '']
    """
    starts = [
        i
        for i, symbol in enumerate(symbols)
        if i == 0
        or not symbol
        or symbol.startswith(" ")
        or not (symbol[0].isalnum() or symbol[0] in _INSIDE_WORDS)
        or symbols[i - 1].endswith(_APOSTROPHE)
    ]
    return tuple(
        Word("".join(symbols[start:end]).strip(), start, end)
        for start, end in pairwise([*starts, len(symbols)])
    )


def word_attention(attention: Tensor, target: Sequence[Word], source: Sequence[Word]) -> Tensor:
    """Merge the weights of subwords into those of words.

    What a word of the input sentence received is the sum over its subwords; what a word of the target gave is
    the mean over its own, so that rows still sum to one.

    `attention`: Tensor of shape (..., T, S). The result: Tensor of shape (..., target words, source words).
    """
    summed = torch.stack([attention[..., w.start : w.end].sum(-1) for w in source], -1)
    return torch.stack([summed[..., w.start : w.end, :].mean(-2) for w in target], -2)


def attention_entropies(attention: Tensor) -> Tensor:
    """Return the entropy of each row of weights (..., T, S) in bits, (..., T): 0 looks at one place only."""
    return torch.special.entr(attention).sum(-1) / torch.log(torch.tensor(2.0))


class Swap(NamedTuple):
    """Two neighbours of the translation that come in the other order in the input sentence."""

    target: int
    source: int
    """`target` and `source`: place of the first of the two words, in each sentence."""


def swapped_neighbours(attention: Tensor) -> tuple[Swap, ...]:
    """Find neighbouring target words whose strongest weights lie on two source neighbours, crosswise.

    As where ``a red car`` becomes ``une voiture rouge``.

    `attention`: Tensor of shape (target words, source words), from `word_attention`, of one head.

    Examples
    --------
    >>> swapped_neighbours(torch.tensor([[0.9, 0.1, 0.0], [0.1, 0.2, 0.7], [0.0, 0.6, 0.4]]))
    (Swap(target=1, source=1),)
    """
    strongest = attention.argmax(-1).tolist()
    return tuple(
        Swap(place, second)
        for place, (first, second) in enumerate(pairwise(strongest))
        if first == second + 1
    )
