"""Passages of a text with words marked in them; a stranger's text stays text."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.shared.components import component

_PASSAGES = component("passages")
MIDDLE, WINDOW, SHARED, ABSENT = "middle", "window", "shared", "absent"
"""How a word is marked: the one in the middle, one near it, one that is looked for, one left out."""


class Passage(NamedTuple):
    """A piece of text.

    Attributes
    ----------
    pieces : sequence of (str, str)
        Text, and how it is marked; empty where it is not.
    heading : str
        What stands above it; may be empty.
    """

    pieces: Sequence[tuple[str, str]]
    heading: str = ""


def show_passages(passages: Sequence[Passage], *, key: str) -> None:
    """Draw passages one below another.

    Parameters
    ----------
    passages : sequence of Passage
    key : str
        Unique on the page.
    """
    rows = [{"heading": p.heading, "pieces": [list(piece) for piece in p.pieces]} for p in passages]
    _PASSAGES(key=key, data={"passages": rows})
