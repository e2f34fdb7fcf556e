"""The vocabulary of a visitor's own text: the characters that stand in it, whatever its script.

An vocabulary of characters suits scripts of some dozens of letters. Where a text has more different
characters than an vocabulary may have, the rarest become `UNKNOWN`; for Chinese or Japanese that
would be a large part of the text, and it is refused.
"""

import hashlib
from collections import Counter

import numpy as np

from lm_core.errors import SettingError, TextError
from lm_core.text.character_vocabulary import UNKNOWN, CharacterVocabulary
from lm_core.text.known_vocabularies import vocabulary_named
from lm_core.text.own_text import OwnText, normalise_own
from lm_core.text.training_text import TrainingText

MOST_SYMBOLS = 200
"""Most symbols of an vocabulary, `UNKNOWN` included."""

MOST_UNKNOWN = 0.3
"""Share of the text above which too much of it is unknown for a model to learn to write."""

OWN = "own-"
"""Beginning of the name of every vocabulary that was made from a text."""

CORPUS = "own-text"
"""What a text is called in the provenance of a model that was trained on it."""


def own_vocabulary(text: str, most_symbols: int = MOST_SYMBOLS) -> CharacterVocabulary:
    """Return the vocabulary of a text's own characters, in the order of Unicode.

    Parameters
    ----------
    text : str
        As in `OwnText`.
    most_symbols : int, at least 2
        `UNKNOWN` included. The rarest characters beyond it become unknown: see `unknown_share`.

    Raises
    ------
    TextError
        If more than `MOST_UNKNOWN` of the text would be unknown.
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
            " script with fewer, such as an vocabulary"
        )
    return vocabulary_of_characters("".join(sorted(kept)))


def vocabulary_of_characters(characters: str) -> CharacterVocabulary:
    """Return the vocabulary of these characters, ids from 1 on in the order given.

    Its name follows from the characters: ``own-`` and the beginning of their sha256.

    Raises
    ------
    SettingError
        If there are none, or one stands there twice.

    Examples
    --------
    >>> vocabulary_of_characters("abc").name
    'own-ba7816bf'
    """
    if not characters or len(set(characters)) < len(characters):
        raise SettingError(f"an vocabulary must have different characters, got {characters!r}")
    name = f"{OWN}{hashlib.sha256(characters.encode()).hexdigest()[:8]}"
    return CharacterVocabulary(name, (UNKNOWN, *characters), normalise_own)


def vocabulary_from(name: str, characters: str | None) -> CharacterVocabulary:
    """Return the vocabulary of a record that names it and, if it was made from a text, spells it out.

    Raises
    ------
    SettingError
        If the name is unknown, or is not the one that follows from the characters.
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


def own_training_text(own: OwnText, vocabulary: CharacterVocabulary | None = None) -> TrainingText:
    """Return a visitor's text as a model reads it.

    Parameters
    ----------
    own : OwnText
    vocabulary : CharacterVocabulary, optional
        That of the model which is to go on learning; by default the text's own.

    Raises
    ------
    TextError
        If the vocabulary does not hold enough of the text.
    """
    if vocabulary is None:
        vocabulary = own_vocabulary(own.text)
    prepared = vocabulary.prepare(own.text)
    n_lost = sum(prepared.dropped.values())
    if n_lost > MOST_UNKNOWN * len(own.text):
        raise TextError(
            f"the vocabulary {vocabulary.name!r} does not hold {n_lost / len(own.text):.0%} of the text:"
            " train a new model on it, which gets the text's own vocabulary"
        )
    return TrainingText(prepared.ids, vocabulary, CORPUS, own.sha256)
