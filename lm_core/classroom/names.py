"""Codes that can be read from a projector, and the friendly names of who joins."""

import random
import secrets
import unicodedata
from collections.abc import Collection

from lm_core.errors import RoomError

CODE_LETTERS = "BCDHJKLMNPRSTVWXZ"
"""Without vowels, of which words are made, and without those taken for digits or one another."""
CODE_LENGTH, PASSCODE_LENGTH = 4, 8
LONGEST_ALIAS = 24
_MOST_MARKS = 2
_RESERVED = "teacher"
_IGNORABLE = [
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),  # the empty pattern of Braille
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
]
_LOOK_ALIKES = {
    "A": "0410 0391",
    "B": "0412 0392",
    "C": "0421",
    "E": "0415 0395",
    "H": "041D 0397",
    "I": "0406 0399",
    "J": "0408",
    "K": "041A 039A",
    "M": "041C 039C",
    "N": "039D",
    "O": "041E 039F",
    "P": "0420 03A1",
    "S": "0405",
    "T": "0422 03A4",
    "X": "0425 03A7",
    "Y": "0423 03A5",
    "Z": "0396",
    "a": "0430 03B1",
    "b": "0432",
    "c": "0441",
    "e": "0435",
    "h": "043D 04BB",
    "i": "0456 03B9",
    "j": "0458",
    "k": "043A 03BA",
    "m": "043C",
    "o": "043E 03BF",
    "p": "0440 03C1",
    "q": "051B",
    "s": "0455",
    "t": "0442 03C4",
    "u": "03C5",
    "v": "03BD",
    "w": "051D",
    "x": "0445 03C7",
    "y": "0443",
}
"""Code points of Cyrillic and Greek letters that pass for Latin ones; strokes and rings besides."""
_STROKES = str.maketrans("l1|\u01310", "iiiio")
_LATIN = {int(code, 16): latin for latin, codes in _LOOK_ALIKES.items() for code in codes.split()}

_ANIMALS = (
    "Otter Badger Heron Lynx Robin Beaver Falcon Gecko Hare Ibis Jackdaw Koala Lemur Marten Newt "
    "Osprey Panda Quail Raven Seal Tapir Urchin Vole Walrus Yak Zebra Puffin Hedgehog Swift Moose"
).split()
_COLOURS = ("Amber Blue Copper Green Indigo Jade Lilac Mint Olive Plum Ruby Silver").split()


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


def plain_alias(written: str) -> str:
    r"""Return a name as a class sees it: without what cannot be seen, with at most two marks a letter.

    Raises RoomError if nothing is left that can be seen, it is too long, or it passes for the
    teacher.

    Examples
    --------
    >>> plain_alias("  Ada\u200b   Lovelace ")
    'Ada Lovelace'
    """
    composed = unicodedata.normalize("NFKC", written[: 8 * LONGEST_ALIAS])
    seen = "".join(c for c in composed if not _is_ignorable(c))
    alias = " ".join(_with_few_marks(seen).split())
    if not 1 <= len(alias) <= LONGEST_ALIAS or not alias.isprintable():
        raise RoomError(f"a name has 1 to {LONGEST_ALIAS} visible characters: choose another")
    if look_of(_RESERVED) in look_of(alias):
        raise RoomError("that name is kept for who presents: choose another")
    return alias


def look_of(alias: str) -> str:
    r"""Return what a name looks like: two that are taken for each other on a projector look the same.

    Examples
    --------
    >>> look_of("\u0397\u0430re") == look_of("Hare")  # a Greek and a Cyrillic letter
    True
    """
    letters = unicodedata.normalize("NFKD", alias).translate(_LATIN).casefold().translate(_STROKES)
    seen = "".join(c for c in letters if c.isalnum() or unicodedata.category(c).startswith("M"))
    return seen or letters


def _with_few_marks(text: str) -> str:
    """Leave the first two marks of each letter: more of them paint over the lines above and below."""
    kept, n = [], 0
    for character in text:
        n = n + 1 if unicodedata.category(character).startswith("M") else 0
        if n <= _MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def _is_ignorable(character: str) -> bool:
    """Return whether a character is drawn as nothing: Unicode's Default_Ignorable_Code_Point, and blanks."""
    code = ord(character)
    return any(first <= code <= last for first, last in _IGNORABLE)


def free_alias(taken: Collection[str], rng: random.Random) -> str:
    """Return an animal that nobody is called yet; then coloured ones, then numbered ones.

    Examples
    --------
    >>> free_alias(set(), random.Random(0)) in _ANIMALS
    True
    """
    coloured = [f"{colour} {animal}" for colour in _COLOURS for animal in _ANIMALS]
    known = {look_of(alias) for alias in taken}
    for names in (_ANIMALS, coloured):
        if free := [name for name in names if look_of(name) not in known]:
            return rng.choice(free)
    number = 2
    while look_of(alias := f"{rng.choice(_ANIMALS)} {number}") in known:
        number += 1
    return alias
