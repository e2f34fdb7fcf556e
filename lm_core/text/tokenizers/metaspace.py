"""Byte-pair encoding with visible spaces: a space is the character ``▁``, as SentencePiece has it.

Llama 2 reads texts so: ``▁`` is put before the text and in place of each space, the whole is one
piece, and characters without a symbol are spelled in bytes.

References
----------
Kudo and Richardson 2018, "SentencePiece", section 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lm_core.errors import SettingError
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.merges import Pair
from lm_core.text.tokenizers.pre_tokenization import SPACE
from lm_core.text.tokenizers.tokenizer import Token

PREFIXES = ("never", "where none is", "always")
"""When a space is put before a text."""


@dataclass(frozen=True)
class MetaspaceTokenizer:
    """A byte-pair encoding of characters, and what becomes of spaces.

    Attributes
    ----------
    pairs : BytePairTokenizer
        Reads the text with visible spaces.
    prefix : str
        One of `PREFIXES`.
    """

    pairs: BytePairTokenizer
    prefix: str = "always"

    def __post_init__(self) -> None:
        if self.prefix not in PREFIXES:
            raise SettingError(f"prefix must be one of {PREFIXES}, got {self.prefix!r}")

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def symbols(self) -> tuple[str, ...]:
        """Spelling of each id, spaces visible."""
        return self.pairs.symbols

    @property
    def merges(self) -> tuple[Pair, ...]:
        """Pairs in the order of learning."""
        return self.pairs.merges

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,)."""
        return self.pairs.encode(self._written(text))

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return the text of some ids, without the space that was put before it."""
        text = b"".join(self.bytes_of(int(i)) for i in ids).decode("utf-8", "replace")
        return text if self.prefix == "never" else text.removeprefix(" ")

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters that each one covers.

        The space before a text covers none of its characters.
        """
        written = self._written(text)
        added = len(written) - len(text)
        return [
            token._replace(start=max(token.start - added, 0), end=max(token.end - added, 0))
            for token in self.pairs.trace(written)
        ]

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes that a token stands for, spaces as spaces."""
        return self.pairs.bytes_of(token_id).replace(SPACE.encode(), b" ")

    def _written(self, text: str) -> str:
        """Return a text with visible spaces."""
        visible = text.replace(" ", SPACE)
        needs_one = self.prefix == "always" or not visible.startswith(SPACE)
        return SPACE + visible if text and needs_one and self.prefix != "never" else visible
