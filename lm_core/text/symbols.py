"""Texts as rows of ids: letters for words, letters and a few signs for sentences."""

import re
import unicodedata
from collections.abc import Sequence

import torch
from torch import Tensor

from lm_core.errors import TextError

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SENTENCE_SIGNS = " ',"
END = 0
"""Start of a word, end of a word, and padding."""

N_LETTERS = 1 + len(LETTERS)
N_SENTENCE_SYMBOLS = N_LETTERS + len(SENTENCE_SIGNS)
LETTERS_SCALE = 12
"""A word's length in its vector is in units of twelve letters."""

MOST_WORD_LETTERS = 16
MOST_SENTENCE_CHARACTERS = 120

_ID = {symbol: i for i, symbol in enumerate(LETTERS + SENTENCE_SIGNS, 1)}
_SYMBOL: list[str] = ["", *LETTERS, *SENTENCE_SIGNS]


def encode_rows(texts: Sequence[str]) -> tuple[Tensor, Tensor]:
    """Return texts as rows of ids, filled up with `END`, and their lengths.

    Returns
    -------
    ids : int64 Tensor of shape (B, T), T is the longest text's length
    lengths : int64 Tensor of shape (B,)
    """
    lengths = torch.tensor([len(text) for text in texts])
    ids = torch.zeros(len(texts), int(lengths.max()), dtype=torch.long)
    for row, text in zip(ids, texts, strict=True):
        row[: len(text)] = torch.tensor([_ID[symbol] for symbol in text])
    return ids, lengths


def reversed_rows(rows: Tensor, lengths: Tensor) -> Tensor:
    """Return the first ``lengths`` entries of each row of (B, T, ...) reversed; padding keeps its place."""
    positions = torch.arange(rows.shape[1], device=rows.device)
    back = lengths[:, None] - 1 - positions
    return rows[torch.arange(len(rows))[:, None], torch.where(back >= 0, back, positions)]


def symbol_of(index: int) -> str:
    """Return the symbol of an id; nothing for `END`."""
    return _SYMBOL[index]


def plain(text: str) -> str:
    """Return a text in lower case, its accents and curled apostrophes made plain.

    Examples
    --------
    >>> plain("Bolkónski’s")
    "bolkonski's"
    """
    decomposed = unicodedata.normalize("NFD", text.replace("’", "'"))
    return "".join(c for c in decomposed if not unicodedata.combining(c)).lower()


def read_word(text: str) -> str:
    """Return a visitor's word as the models read it.

    Raises TextError if it is empty, too long, or holds anything but letters from a to z.
    """
    word = plain(text.strip())
    if not word:
        raise TextError(f"the word is empty: write 1 to {MOST_WORD_LETTERS} letters from a to z")
    if len(word) > MOST_WORD_LETTERS:
        raise TextError(
            f"a word may have at most {MOST_WORD_LETTERS} letters, got {len(word):,}: shorten it by"
            f" {len(word) - MOST_WORD_LETTERS:,}"
        )
    if strange := sorted(set(word) - set(LETTERS)):
        raise TextError(
            f"a word may hold letters from a to z only, got {strange[:5]}: leave it out"
        )
    return word


def read_sentence(text: str) -> str:
    """Return a visitor's sentence as the models read it: other signs are left out, dashes are spaces.

    Raises TextError if nothing of it is left, or it is too long.
    """
    if len(text) > 4 * MOST_SENTENCE_CHARACTERS:
        raise _too_long(len(text))
    sentence = as_sentence(text)
    if not re.search("[a-z]", sentence):
        raise TextError("there is no letter in the sentence: write a few English words")
    if len(sentence) > MOST_SENTENCE_CHARACTERS:
        raise _too_long(len(sentence))
    return sentence


def as_sentence(text: str) -> str:
    """Return what the models read of a text: letters, spaces, commas and apostrophes.

    Examples
    --------
    >>> as_sentence("Eh bien--my dear Prince!")
    'eh bien my dear prince'
    """
    spaced = re.sub(r"[\s\-–—_]+", " ", plain(text))
    return re.sub(r" +", " ", re.sub(r"[^a-z ',]", "", spaced)).strip(" ,'")


def _too_long(length: int) -> TextError:
    return TextError(
        f"a sentence may have at most {MOST_SENTENCE_CHARACTERS} characters, got {length:,}: shorten"
        f" it by {length - MOST_SENTENCE_CHARACTERS:,}"
    )
