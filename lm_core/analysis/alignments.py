"""What cross-attention says about the order of words: which word looks at which, and which pairs swap.

Weights are not a dictionary: where a word of the translation looks most need not be the word that it
translates. The rules here are simple enough to be checked by eye.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from torch import Tensor

from lm_core.generation.translated_words import Swap, swapped_neighbours

ARTICLE, PREPOSITION, SIGN, OTHER = "articles", "prepositions", "signs", "other words"
CLASSES = (ARTICLE, PREPOSITION, OTHER, SIGN)

_ARTICLES = frozenset(["un", "une", "des", "le", "la", "les", "l'", "du", "au", "aux"])
_PREPOSITIONS = frozenset(
    ("à de d' dans sur sous avec sans en par pour vers devant derrière entre contre chez").split()
)


class ClassEntropy(NamedTuple):
    """How widely words of one class look."""

    name: str
    """Of `CLASSES`."""
    words: int
    bits: float
    """Mean entropy of their rows."""


def word_class(word: str) -> str:
    """Return the class of a French word: by two short lists, and by whether it has a letter.

    Examples
    --------
    >>> [word_class(word) for word in ("Une", "d'", "voiture", ".")]
    ['articles', 'prepositions', 'other words', 'signs']
    """
    plain = word.lower()
    if plain in _ARTICLES:
        return ARTICLE
    if plain in _PREPOSITIONS:
        return PREPOSITION
    return OTHER if any(c.isalnum() for c in plain) else SIGN


def content_swaps(weights: Tensor, target: Sequence[str]) -> list[Swap]:
    """Return the swaps of a translation, such as "voiture rouge" for "red car".

    Those are two neighbouring words of the translation that look most at two neighbouring words of the
    sentence, in the other order: see `swapped_neighbours`. Articles, prepositions and signs are left
    out: they look at what is beside them, and translate nothing by it.

    Parameters
    ----------
    weights : Tensor of shape (T, S), of words: see `lm_core.generation.translated_words.word_attention`
    target : sequence of T str
    """
    is_other = [word_class(word) == OTHER for word in target]
    return [s for s in swapped_neighbours(weights) if is_other[s.target] and is_other[s.target + 1]]


def entropies_by_class(words: Iterable[str], bits: Iterable[float]) -> list[ClassEntropy]:
    """Return the mean entropy of each class that has words, in the order of `CLASSES`.

    Parameters
    ----------
    words : iterable of str, of the translation
    bits : iterable of float, of each word's row
    """
    found: dict[str, list[float]] = {name: [] for name in CLASSES}
    for word, entropy in zip(words, bits, strict=True):
        found[word_class(word)].append(entropy)
    return [
        ClassEntropy(name, len(values), sum(values) / len(values))
        for name, values in found.items()
        if values
    ]
