"""Pairs of prompts that were tried: one word is exchanged, and the next token should change with it."""

from collections.abc import Iterator
from typing import NamedTuple


class Kind(NamedTuple):
    """Words that are exchanged, the sentences they stand in, and the answers that should follow."""

    words: tuple[tuple[str, str], ...]
    """First the word of prompt A."""
    sentences: tuple[str, ...]
    """With ``{}`` for the word."""
    answers: tuple[str, str]
    """The next tokens that should follow A and B, with the space before them."""


class Pair(NamedTuple):
    """Two prompts and what should follow them."""

    kind: str
    a: str
    b: str
    answers: tuple[str, str]


_PEOPLE = (
    ("prince", "princess"),
    ("count", "countess"),
    ("man", "woman"),
    ("old man", "old lady"),
    ("boy", "girl"),
    ("father", "mother"),
    ("brother", "sister"),
    ("husband", "wife"),
)
_SEVERAL = (
    ("soldier", "soldiers"),
    ("horse", "horses"),
    ("officer", "officers"),
    ("general", "generals"),
    ("door", "doors"),
    ("gun", "guns"),
    ("man", "men"),
    ("child", "children"),
)

KINDS = {
    "he or she": Kind(
        _PEOPLE,
        (
            "The {} answered nothing, but",
            "When the {} came home,",
            "The {} said that",
            "The {} smiled, because",
            "The {} was so tired that",
            "The {} looked at the fire, and then",
            "The {} came in, and as soon as",
            "The {} rose and went to the door, for",
        ),
        (" he", " she"),
    ),
    "his or her": Kind(
        _PEOPLE,
        (
            "The {} covered",
            "The {} shook",
            "The {} raised",
            "The {} sat at the window with",
            "The {} smiled and held out",
            "The {} came into the room and took off",
        ),
        (" his", " her"),
    ),
    "was or were": Kind(
        _SEVERAL,
        (
            "The {} of the regiment",
            "The {} in the yard",
            "The {} at the gate",
            "The {} beside the road",
            "The {} of the old house",
            "The {} who had come with the prince",
        ),
        (" was", " were"),
    ),
    "yesterday or tomorrow": Kind(
        (("Yesterday", "Tomorrow"), ("yesterday", "tomorrow")),
        ("{} I", "{} we", "{} the army", '"{} I', '"{} he', "He said that {} he"),
        (" had", " will"),
    ),
}
"""By what is asked of the model."""


def pairs() -> Iterator[Pair]:
    """Yield every pair of every kind."""
    for name, kind in KINDS.items():
        for sentence in kind.sentences:
            for a, b in kind.words:
                yield Pair(name, sentence.format(a), sentence.format(b), kind.answers)
