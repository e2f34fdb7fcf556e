"""What every tokenizer gives: tokens that know which characters they cover."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np


class Token(NamedTuple):
    """One token of a text.

    Attributes
    ----------
    id : int
    symbol : str
        As the vocabulary spells it.
    start, end : int
        The characters of the text that it covers, end excluded.
    """

    id: int
    symbol: str
    start: int
    end: int


class Tokenizer(Protocol):
    """A way to turn a text into numbers and back."""

    symbols: tuple[str, ...]

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,)."""

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return the text of some ids."""

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters that each one covers."""

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes that a token stands for, or is spelled with."""
