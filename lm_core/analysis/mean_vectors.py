"""Sentences as the mean of their words' vectors, and which of them are most like another text."""

from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from lm_core.analysis.word_space import WordSpace, unit_vectors
from lm_core.errors import TextError


class Match(NamedTuple):
    """A sentence, and how alike it is to what was asked for."""

    sentence: str
    cosine: float
    unknown: tuple[str, ...]
    """Its words without a vector, which do not count."""


def mean_vector(space: WordSpace, text: str) -> tuple[Tensor, tuple[str, ...]]:
    """Return the direction (D,) of the mean of a text's words, each at length 1, and its words without a vector.

    Raises TextError if none of its words has one.
    """
    words = [found.word for found in space.vocabulary.find(text)]
    known = [space.vocabulary.ids[word] for word in words if word in space.vocabulary]
    if not known:
        raise TextError(f"no word of “{text.strip()[:40]}” has a vector: use other words")
    unknown = tuple(dict.fromkeys(word for word in words if word not in space.vocabulary))
    return unit_vectors(space.unit(known).mean(0)), unknown


def search_sentences(
    space: WordSpace, asked: str, sentences: Sequence[str]
) -> tuple[list[Match], list[str]]:
    """Return the sentences by their cosine with a text, the most alike first, and those that have no vector.

    Raises TextError if no word of the text has one.
    """
    wanted, _ = mean_vector(space, asked)
    matches, without = [], []
    for sentence in sentences:
        try:
            vector, unknown = mean_vector(space, sentence)
        except TextError:
            without.append(sentence)
            continue
        matches.append(Match(sentence, float(vector @ wanted), unknown))
    return sorted(matches, key=lambda match: -match.cosine), without
