"""Where byte-pair encoding may not merge: the boundaries between words, numbers and punctuation.

References
----------
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.2; the
expression is that of the published GPT-2 tokenizer.
"""

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
