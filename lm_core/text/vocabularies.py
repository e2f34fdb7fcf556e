"""Vocabularies by name: those of the book, in characters or in subwords, and those made from a visitor's text.

A subword vocabulary is what byte-pair encoding makes of a character vocabulary. A model of the book
reads it as it reads characters, but each token brings three of them or so. The text underneath is
the same, so losses per character can be compared.

The vocabulary of a visitor's own text has the characters that appear in it, whatever the script.
That suits scripts of some dozens of letters. Where a text has more different characters than a
vocabulary may have, the rarest become `UNKNOWN`; for Chinese or Japanese that would be a large part
of the text, and it is refused.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np

from lm_core.assets import TOKENIZERS
from lm_core.errors import SettingError, TextError
from lm_core.text.character_vocabulary import FULL, SOURCE, UNKNOWN, CharacterVocabulary
from lm_core.text.own_text import normalise_own
from lm_core.text.pretrained_vocabulary import PRETRAINED, pretrained_vocabulary
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.tokenizer_json import shipped_tokenizer

SOURCE_SUBWORDS = "source-subwords"
"""The characters of `SOURCE`, and parts of words learned on the training part of the book."""

SOURCE_SUBWORDS_SIZE = 1_024
"""Symbols of `SOURCE_SUBWORDS`; one stands for three characters of the book, on average."""

FULL_SUBWORDS = "full-subwords"
"""The characters of `FULL`, and parts of words learned on the training part of the book."""

FULL_SUBWORDS_SIZE = 2_048
"""Symbols of `FULL_SUBWORDS`: most frequent words and names are one."""

LIBRARY_SUBWORDS = "library-subwords"
"""The characters of `FULL`, and parts of words learned on the library: `lm_core.text.library`."""

LIBRARY_SUBWORDS_SIZE = 4_096
"""Symbols of `LIBRARY_SUBWORDS`: many words of every day are one."""

WIKIPEDIA_SUBWORDS = "wikipedia-subwords"
"""The characters of some articles of Wikipedia, and parts of words: the experiment `wikipedia` learns them."""

SUBWORD_VOCABULARIES = {
    SOURCE_SUBWORDS: (SOURCE, SOURCE_SUBWORDS_SIZE),
    FULL_SUBWORDS: (FULL, FULL_SUBWORDS_SIZE),
    LIBRARY_SUBWORDS: (FULL, LIBRARY_SUBWORDS_SIZE),
}
"""The characters underneath each shipped vocabulary of subwords, and its number of symbols."""

MOST_SYMBOLS = 200
"""Most symbols of a vocabulary, `UNKNOWN` included."""

MOST_UNKNOWN = 0.3
"""Share of the text above which too much of it is unknown for a model to learn to write."""

OWN = "own-"
"""Beginning of the name of every vocabulary that was made from a text."""


@dataclass(frozen=True)
class SubwordVocabulary(CharacterVocabulary):
    """Characters of a vocabulary, and parts of words that are spelled with them."""

    tokenizer: BytePairTokenizer
    """Its symbols are the vocabulary's; `UNKNOWN` has id 0."""

    @classmethod
    def learn(
        cls, name: str, base: CharacterVocabulary, text: str, size: int
    ) -> "SubwordVocabulary":
        """Learn the `size` symbols of a vocabulary on a text that the base has normalised."""
        tokenizer = BytePairTokenizer.fit(
            text,
            size,
            base="characters",
            special_tokens=(UNKNOWN,),
            known_characters="".join(base.symbols[1:]),
        )
        return cls(name, tuple(tokenizer.symbols), base.normalise, tokenizer)

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text that is already normalised; unknown characters become 0.

        The result: ndarray of int64, shape (number of tokens,).
        """
        return self.tokenizer.encode(text)


def load_subwords(name: str) -> SubwordVocabulary:
    """Return one of the shipped vocabularies of subwords.

    Raises TextError if its file is missing or damaged.
    """
    known = SUBWORD_VOCABULARIES.get(name)
    normalise = known[0].normalise if known else normalise_own
    tokenizer = shipped_tokenizer(TOKENIZERS / f"{name}.json")
    return SubwordVocabulary(name, tuple(tokenizer.symbols), normalise, tokenizer)


def characters_of(vocabulary: CharacterVocabulary) -> CharacterVocabulary | None:
    """Return `SOURCE` or `FULL`, whichever a vocabulary reads the book in; None for other texts."""
    return next((c for c in (SOURCE, FULL) if c.normalise is vocabulary.normalise), None)


@cache
def vocabulary_named(name: str) -> CharacterVocabulary:
    """Return the vocabulary of that name.

    Raises SettingError if there is none, and CheckpointError if it is a pretrained model's, and
    cannot be read.
    """
    if name.startswith(PRETRAINED):
        return pretrained_vocabulary(name)
    subwords = [*SUBWORD_VOCABULARIES, WIKIPEDIA_SUBWORDS]
    if name in subwords:
        return load_subwords(name)
    known = {vocabulary.name: vocabulary for vocabulary in (SOURCE, FULL)}
    if name not in known:
        names = sorted([*known, *subwords])
        raise SettingError(f"vocabulary must be one of {names}, got {name!r}")
    return known[name]


def own_vocabulary(text: str, most_symbols: int = MOST_SYMBOLS) -> CharacterVocabulary:
    """Return the vocabulary of a text's own characters, in the order of Unicode.

    Raises TextError if more than `MOST_UNKNOWN` of the text would be unknown.

    Parameters
    ----------
    text : str, as in `OwnText`
    most_symbols : int, at least 2
        `UNKNOWN` included. The rarest characters beyond it become unknown: see `unknown_share`.
    """
    if most_symbols < 2:
        raise SettingError(f"most_symbols must be at least 2, got {most_symbols}")
    counts = Counter(text)
    kept = sorted(counts, key=lambda character: (-counts[character], character))[: most_symbols - 1]
    n_known = sum(counts[character] for character in kept)
    if n_known < (1.0 - MOST_UNKNOWN) * len(text):
        raise TextError(
            f"the text has {len(counts):,} different characters, and the {most_symbols - 1} most"
            f" frequent make up only {n_known / len(text):.0%} of it: a model of characters needs a"
            " script with fewer, such as a vocabulary"
        )
    return vocabulary_of_characters("".join(sorted(kept)))


def vocabulary_of_characters(characters: str) -> CharacterVocabulary:
    """Return the vocabulary of these characters, ids from 1 on in the order given.

    Its name follows from the characters: ``own-`` and the beginning of their sha256. Raises
    SettingError if there are none, or one appears there twice.

    Examples
    --------
    >>> vocabulary_of_characters("abc").name
    'own-ba7816bf'
    """
    if not characters or len(set(characters)) < len(characters):
        raise SettingError(f"a vocabulary must have different characters, got {characters!r}")
    name = f"{OWN}{hashlib.sha256(characters.encode()).hexdigest()[:8]}"
    return CharacterVocabulary(name, (UNKNOWN, *characters), normalise_own)


def vocabulary_from(name: str, characters: str | None) -> CharacterVocabulary:
    """Return the vocabulary of a record that names it and, if it was made from a text, spells it out.

    Raises SettingError if the name is unknown, or is not the one that follows from the characters.
    """
    if characters is None:
        return vocabulary_named(name)
    vocabulary = vocabulary_of_characters(characters)
    if vocabulary.name != name:
        raise SettingError(
            f"the vocabulary is called {name!r}, but its characters make {vocabulary.name!r}: the record"
            " was altered"
        )
    return vocabulary


def unknown_share(ids: np.ndarray) -> float:
    """Return the share of a text, ids of shape (N,) with N >= 1, that its vocabulary does not hold."""
    return float((ids == 0).mean())
