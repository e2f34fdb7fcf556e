"""Tokenizers of single signs: bytes, and the characters of a vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from lm_core.errors import SettingError
from lm_core.text.character_vocabulary import UNKNOWN, CharacterVocabulary
from lm_core.text.normalisation import Normaliser
from lm_core.text.tokenizers.tokenizer import Token


@dataclass(frozen=True)
class ByteTokenizer:
    """Every text as its bytes in UTF-8: 256 symbols, and nothing is ever unknown."""

    symbols: tuple[str, ...] = tuple(f"0x{byte:02X}" for byte in range(256))

    @property
    def unknown(self) -> None:
        """Nothing is ever unknown."""

    def __len__(self) -> int:
        return len(self.symbols)

    def encode(self, text: str) -> np.ndarray:
        """Return the bytes of a text, int64 of shape (number of bytes,)."""
        return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8).astype(np.int64)

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return the text of some bytes; what is no text is shown as the replacement character."""
        return bytes(int(i) for i in ids).decode("utf-8", "replace")

    def bytes_of(self, token_id: int) -> bytes:
        """Return the byte that a token is."""
        return bytes([token_id])

    def trace(self, text: str) -> list[Token]:
        """Return the bytes of a text; those of one character all cover it."""
        return [
            Token(byte, self.symbols[byte], i, i + 1)
            for i, character in enumerate(text)
            for byte in character.encode("utf-8", "surrogatepass")
        ]


@dataclass(frozen=True)
class CharacterTokenizer:
    """The symbols of a vocabulary; a text is normalised before it is read."""

    vocabulary: CharacterVocabulary
    """One whose normalisation tells where a character comes from: `SOURCE`, `FULL`, or parts of
    words over them."""

    @classmethod
    def fit(cls, text: str, vocabulary: CharacterVocabulary) -> "CharacterTokenizer":
        """Return the tokenizer of the characters of a vocabulary that a text has; others are unknown.

        So the published vocabulary is made: all of `SOURCE` appears in the book.
        """
        found = {UNKNOWN, *vocabulary.normalise(text)}
        symbols = tuple(symbol for symbol in vocabulary.symbols if symbol in found)
        if symbols == vocabulary.symbols:
            return cls(vocabulary)
        return cls(
            CharacterVocabulary(f"{vocabulary.name}, of a text", symbols, vocabulary.normalise)
        )

    def __len__(self) -> int:
        return len(self.vocabulary)

    @property
    def symbols(self) -> tuple[str, ...]:
        """Symbol of each id."""
        return self.vocabulary.symbols

    @property
    def unknown(self) -> str:
        """The symbol for characters that the vocabulary does not hold."""
        return UNKNOWN

    def normalise(self, text: str) -> str:
        """Return the text as the vocabulary reads it."""
        return self.vocabulary.normalise(text)

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,)."""
        return self.vocabulary.encode(self.normalise(text))

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return the text of some ids."""
        return self.vocabulary.decode(ids)

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters of the raw text that each one covers."""
        normaliser = self.vocabulary.normalise
        if not isinstance(normaliser, Normaliser):
            raise SettingError(f"the normalisation of {self.vocabulary.name!r} cannot be traced")
        read = normaliser.trace(text)
        ids = self.vocabulary.encode(read.text).tolist()
        after = list(accumulate(int(self.vocabulary.lengths[i]) for i in ids))
        return [
            Token(i, self.symbols[i], read.starts[first], read.ends[end - 1])
            for i, first, end in zip(ids, [0, *after], after, strict=False)
        ]

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes of a token's spelling in UTF-8."""
        return self.symbols[token_id].encode()
