"""The alphabet of a visitor's own text: the characters that stand in it, whatever its script.

An alphabet of characters suits scripts of some dozens of letters. Where a text has more different
characters than an alphabet may have, the rarest become `UNKNOWN`; for Chinese or Japanese that
would be a large part of the text, and it is refused.
"""

import hashlib
from collections import Counter

import numpy as np

from lm_core.errors import SettingError, TextError
from lm_core.text.character_vocabulary import UNKNOWN, Alphabet
from lm_core.text.known_vocabularies import alphabet_named
from lm_core.text.own_text import OwnText, normalise_own
from lm_core.text.training_text import TrainingText

MOST_SYMBOLS = 200
"""Most symbols of an alphabet, `UNKNOWN` included."""

MOST_UNKNOWN = 0.3
"""Share of the text above which too much of it is unknown for a model to learn to write."""

OWN = "own-"
"""Beginning of the name of every alphabet that was made from a text."""

CORPUS = "own-text"
"""What a text is called in the stamp of a model that was trained on it."""


def own_alphabet(text: str, most_symbols: int = MOST_SYMBOLS) -> Alphabet:
    """Return the alphabet of a text's own characters, in the order of Unicode.

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
            " script with fewer, such as an alphabet"
        )
    return alphabet_of_characters("".join(sorted(kept)))


def alphabet_of_characters(characters: str) -> Alphabet:
    """Return the alphabet of these characters, ids from 1 on in the order given.

    Its name follows from the characters: ``own-`` and the beginning of their sha256.

    Raises
    ------
    SettingError
        If there are none, or one stands there twice.

    Examples
    --------
    >>> alphabet_of_characters("abc").name
    'own-ba7816bf'
    """
    if not characters or len(set(characters)) < len(characters):
        raise SettingError(f"an alphabet must have different characters, got {characters!r}")
    name = f"{OWN}{hashlib.sha256(characters.encode()).hexdigest()[:8]}"
    return Alphabet(name, (UNKNOWN, *characters), normalise_own)


def alphabet_from(name: str, characters: str | None) -> Alphabet:
    """Return the alphabet of a record that names it and, if it was made from a text, spells it out.

    Raises
    ------
    SettingError
        If the name is unknown, or is not the one that follows from the characters.
    """
    if characters is None:
        return alphabet_named(name)
    alphabet = alphabet_of_characters(characters)
    if alphabet.name != name:
        raise SettingError(
            f"the alphabet is called {name!r}, but its characters make {alphabet.name!r}: the record"
            " was altered"
        )
    return alphabet


def unknown_share(ids: np.ndarray) -> float:
    """Return the share of a text, ids of shape (N,) with N >= 1, that its alphabet does not hold."""
    return float((ids == 0).mean())


def own_training_text(own: OwnText, alphabet: Alphabet | None = None) -> TrainingText:
    """Return a visitor's text as a model reads it.

    Parameters
    ----------
    own : OwnText
    alphabet : Alphabet, optional
        That of the model which is to go on learning; by default the text's own.

    Raises
    ------
    TextError
        If the alphabet does not hold enough of the text.
    """
    if alphabet is None:
        alphabet = own_alphabet(own.text)
    prepared = alphabet.prepare(own.text)
    n_lost = sum(prepared.dropped.values())
    if n_lost > MOST_UNKNOWN * len(own.text):
        raise TextError(
            f"the alphabet {alphabet.name!r} does not hold {n_lost / len(own.text):.0%} of the text:"
            " train a new model on it, which gets the text's own alphabet"
        )
    return TrainingText(prepared.ids, alphabet, CORPUS, own.sha256)
