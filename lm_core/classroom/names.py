"""Codes that can be read from a projector, and the friendly names of who joins."""

import random
import secrets
from collections.abc import Collection

CODE_LETTERS = "BCDHJKLMNPRSTVWXZ"
"""Without vowels, of which words are made, and without those taken for digits or one another."""
CODE_LENGTH, PASSCODE_LENGTH = 4, 8
LONGEST_ALIAS = 24

_ANIMALS = [
    "Otter",
    "Badger",
    "Heron",
    "Lynx",
    "Robin",
    "Beaver",
    "Falcon",
    "Gecko",
    "Hare",
    "Ibis",
    "Jackdaw",
    "Koala",
    "Lemur",
    "Marten",
    "Newt",
    "Osprey",
    "Panda",
    "Quail",
    "Raven",
    "Seal",
    "Tapir",
    "Urchin",
    "Vole",
    "Walrus",
    "Yak",
    "Zebra",
    "Puffin",
    "Hedgehog",
    "Swift",
    "Moose",
]
_COLOURS = [
    "Amber",
    "Blue",
    "Copper",
    "Green",
    "Indigo",
    "Jade",
    "Lilac",
    "Mint",
    "Olive",
    "Plum",
    "Ruby",
    "Silver",
]


def room_code() -> str:
    """Return a room's code at random, 83,521 are possible."""
    return _letters(CODE_LENGTH)


def passcode() -> str:
    """Return a passcode at random: 32 bits of it, which nobody guesses in a day."""
    return _letters(PASSCODE_LENGTH)


def _letters(length: int) -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def plain_code(written: str) -> str:
    """Return a code as rooms have it, however it was typed.

    Examples
    --------
    >>> plain_code(" kr-tp ")
    'KRTP'
    """
    return "".join(filter(str.isalnum, written[:40])).upper()


def free_alias(taken: Collection[str], rng: random.Random) -> str:
    """Return an animal that nobody is called yet; then coloured ones, then numbered ones.

    Parameters
    ----------
    taken : collection of str
    rng : random.Random

    Examples
    --------
    >>> free_alias(set(), random.Random(0)) in _ANIMALS
    True
    """
    coloured = [f"{colour} {animal}" for colour in _COLOURS for animal in _ANIMALS]
    known = {alias.casefold() for alias in taken}
    for names in (_ANIMALS, coloured):
        if free := [name for name in names if name.casefold() not in known]:
            return rng.choice(free)
    number = 2
    while (alias := f"{rng.choice(_ANIMALS)} {number}").casefold() in known:
        number += 1
    return alias
