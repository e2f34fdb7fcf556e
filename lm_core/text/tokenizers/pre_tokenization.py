"""Where byte-pair encoding may not merge: the boundaries between words, numbers and punctuation.

References
----------
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.2; the
expression is that of the published GPT-2 tokenizer.
"""

from collections.abc import Callable

import regex

GPT2_PIECES = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""A word, number or run of signs with the space before it, or white space."""

_PIECES = regex.compile(GPT2_PIECES)


def split_into_pieces(text: str) -> list[str]:
    """Return the pieces of a text; joined they are the text.

    Examples
    --------
    >>> split_into_pieces("Well, Prince,  so 2 towns")
    ['Well', ',', ' Prince', ',', ' ', ' so', ' 2', ' towns']
    """
    return _PIECES.findall(text)


SPACE = "\N{LOWER ONE EIGHTH BLOCK}"
"""``▁``: how SentencePiece writes a space."""

_BEFORE_SPACES = regex.compile(f"{SPACE}[^{SPACE}]*|[^{SPACE}]+")


def _whole(text: str) -> list[str]:
    return [text] if text else []


SPLITTERS: dict[str, Callable[[str], list[str]]] = {
    "GPT-2": split_into_pieces,
    "before spaces": _BEFORE_SPACES.findall,
    "nowhere": _whole,
}
"""Ways to cut a text into the pieces within which pairs are merged."""
