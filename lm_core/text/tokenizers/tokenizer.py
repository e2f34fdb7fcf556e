"""What every tokenizer gives: tokens that know which characters they cover, and what is lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np


class Token(NamedTuple):
    """One token of a text."""

    id: int
    symbol: str
    """As the vocabulary spells it."""
    start: int
    end: int
    """`start` and `end`: the characters of the text that it covers, end excluded."""


class Tokenizer(Protocol):
    """A way to turn a text into numbers and back."""

    @property
    def symbols(self) -> Sequence[str]:
        """Spelling of each id, in the order of the ids."""

    @property
    def unknown(self) -> str | None:
        """The symbol for what the vocabulary does not hold, if there is one."""

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,)."""

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return the text of some ids."""

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters that each one covers."""

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes that a token stands for, or is spelled with."""


@dataclass(frozen=True)
class Encoding:
    """The tokens of a text."""

    text: str
    tokens: tuple[Token, ...]
    vocabulary_size: int
    """Of the tokenizer."""
    unknown: str | None
    """Its symbol for what the vocabulary does not hold, if it has one."""

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def n_unknown(self) -> int:
        """Tokens that stand for what the vocabulary does not hold."""
        return sum(token.symbol == self.unknown for token in self.tokens)

    @property
    def tokens_per_word(self) -> float:
        """Tokens for each stretch between white space; 0 where there is none."""
        n_words = len(self.text.split())
        return len(self) / n_words if n_words else 0.0

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """Stretches of the text, (start, end), that no token covers; empty ones left out."""
        ends = [0, *(token.end for token in self.tokens)]
        starts = [*(token.start for token in self.tokens), len(self.text)]
        return [(end, start) for end, start in zip(ends, starts, strict=True) if end < start]

    @property
    def lost(self) -> str:
        """The different characters in gaps that are no white space, in the order of the text."""
        found = "".join(self.text[start:end] for start, end in self.gaps)
        return "".join(dict.fromkeys("".join(found.split())))


def tokenize(tokenizer: Tokenizer, text: str) -> Encoding:
    """Return the tokens of a text."""
    return Encoding(text, tuple(tokenizer.trace(text)), len(tokenizer.symbols), tokenizer.unknown)


def token_text(tokenizer: Tokenizer, token_id: int) -> str:
    """Return what a token reads as: its text, or its bytes where they are no text by themselves.

    Examples
    --------
    >>> from lm_core.text.tokenizers.characters import ByteTokenizer
    >>> token_text(ByteTokenizer(), 65), token_text(ByteTokenizer(), 0xE2)
    ('A', '⟨E2⟩')
    """
    content = tokenizer.bytes_of(token_id)
    try:
        return content.decode()
    except UnicodeDecodeError:
        return f"⟨{content.hex(' ').upper()}⟩"
