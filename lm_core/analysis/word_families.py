"""Word families: a word and its inflected forms, told by their endings, lend each other their vectors.

A rare form, *cucumbers*, has few contexts of its own and shares the meaning of its base form, *cucumber*.
The idea is that of subword vectors, with inflection in place of all strings of letters.

References
----------
Bojanowski et al. 2017, "Enriching Word Vectors with Subword Information".
https://arxiv.org/abs/1607.04606
"""

import torch
from torch import Tensor

from lm_core.analysis.word_space import unit_vectors
from lm_core.text.word_vocabulary import WordVocabulary

_ENDINGS = {
    "'s": ("",),
    "ies": ("y",),
    "es": ("", "e"),
    "s": ("",),
    "ied": ("y",),
    "ed": ("", "e"),
    "ing": ("", "e"),
}
"""Regular English inflection: endings, and what the base form may have in their place."""

_SHORTEST = 3  # letters before an ending


def base_form(word: str, vocabulary: WordVocabulary) -> str:
    """Return the known word that a word is a regular form of; itself, if there is none.

    Examples
    --------
    >>> base_form("stopped", WordVocabulary(("stop", "stopped"), (9, 5)))
    'stop'
    """
    for ending, instead in _ENDINGS.items():
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _SHORTEST:
            continue
        bases = [stem + letters for letters in instead]
        if len(stem) > _SHORTEST and stem[-1] == stem[-2]:
            bases.append(stem[:-1])
        if known := [base for base in bases if base in vocabulary]:
            return known[0]
    return word


def with_families(vectors: Tensor, vocabulary: WordVocabulary) -> Tensor:
    """Return vectors (V, D) of which each is the word's direction and its family's, in equal parts.

    The family's is the sum of the directions of all words with the same base form.
    """
    unit = unit_vectors(vectors)
    base = torch.tensor([vocabulary.ids[base_form(w, vocabulary)] for w in vocabulary.words])
    family = torch.zeros_like(unit).index_add_(0, base.to(unit.device), unit)
    return unit + unit_vectors(family)[base]
