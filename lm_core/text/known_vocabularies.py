"""The vocabularies that are known by their name."""

from functools import cache

from lm_core.errors import SettingError
from lm_core.text.character_vocabulary import FULL, SOURCE, CharacterVocabulary
from lm_core.text.subword_vocabulary import load_source_pairs

SOURCE_PAIRS = "source-pairs"
"""The characters of `SOURCE`, and parts of words learned on the training part of the book."""

SOURCE_PAIRS_SIZE = 1_024
"""Symbols of `SOURCE_PAIRS`; one stands for three characters of the book, on average."""


@cache
def vocabulary_named(name: str) -> CharacterVocabulary:
    """Return the vocabulary of that name.

    Raises
    ------
    SettingError
        If there is none.
    """
    if name == SOURCE_PAIRS:
        return load_source_pairs(name)
    known = {vocabulary.name: vocabulary for vocabulary in (SOURCE, FULL)}
    if name not in known:
        raise SettingError(
            f"vocabulary must be one of {sorted([*known, SOURCE_PAIRS])}, got {name!r}"
        )
    return known[name]
