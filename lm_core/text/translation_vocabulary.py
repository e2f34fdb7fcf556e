"""The subwords of two languages in one vocabulary, and sentences as rows of their ids.

A sentence is read with a space before it, so that its first word is spelled with the same subwords
as a word in its middle. Case and punctuation stay as they are.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.assets import TOKENIZERS
from lm_core.errors import TextError
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.tokenizer_json import shipped_tokenizer

NAME = "multi30k-subwords"
SIZE = 4_000
"""Symbols of the shipped vocabulary: English and French learned together."""

SPECIAL_TOKENS = (UNKNOWN, "<pad>", "<start>", "<end>")
UNKNOWN_ID, PAD, START, END = range(len(SPECIAL_TOKENS))

MOST_WORDS, MOST_TOKENS = 60, 160
"""Longest sentence that is translated; the training has at most 43 words and 59 tokens."""


class Rows(NamedTuple):
    """Sentences of different lengths in one tensor."""

    ids: Tensor
    """int64, of shape (B, S). `PAD` behind the end of shorter ones."""
    lengths: Tensor
    """int64, of shape (B,)."""


@dataclass(frozen=True)
class TranslationVocabulary:
    """Symbols for both languages, four special ones included."""

    name: str
    tokenizer: BytePairTokenizer
    """With `SPECIAL_TOKENS` first."""

    @classmethod
    def learn(
        cls, name: str, sentences: Iterable[str], size: int = SIZE
    ) -> "TranslationVocabulary":
        """Learn the symbols on sentences of both languages."""
        text = "\n".join(f" {normalised(sentence)}" for sentence in sentences)
        tokenizer = BytePairTokenizer.fit(
            text, size, base="characters", special_tokens=SPECIAL_TOKENS
        )
        return cls(name, tokenizer)

    def __len__(self) -> int:
        return len(self.tokenizer)

    def encode(self, sentence: str) -> list[int]:
        """Return the ids of a sentence, without start and end; unknown characters become `UNKNOWN_ID`."""
        ids: list[int] = self.tokenizer.encode(f" {normalised(sentence)}").tolist()
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """Return the sentence of some ids up to its end."""
        ids = list(ids)
        ids = ids[: ids.index(END)] if END in ids else ids
        return self.tokenizer.decode([i for i in ids if i not in (PAD, START)]).strip()

    def symbols(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return the spelling of each id; a space at its beginning starts a word."""
        return tuple(self.tokenizer.symbols[i] for i in ids)

    def read(self, sentence: str) -> list[int]:
        """Return the ids of a visitor's sentence, the end included.

        Raises TextError if it is empty or too long.
        """
        words = len(sentence[: 100 * MOST_WORDS].split())
        if not words:
            raise TextError("the sentence is empty: write a few English words")
        if words > MOST_WORDS or len(sentence) > 100 * MOST_WORDS:
            raise TextError(
                f"a sentence may have at most {MOST_WORDS} words, got {len(sentence.split()):,}:"
                " the longest that the models learned from has 37"
            )
        ids = self.encode(sentence)
        if len(ids) >= MOST_TOKENS:
            raise TextError(
                f"a sentence may have at most {MOST_TOKENS - 1} subwords, got {len(ids):,}: words that"
                " no caption has are spelled in many"
            )
        return [*ids, END]


def normalised(sentence: str) -> str:
    """Return a sentence on one line, composed characters, straight apostrophes, one space between words.

    Examples
    --------
    >>> normalised(" l’homme   dort ")
    "l'homme dort"
    """
    return " ".join(unicodedata.normalize("NFC", sentence).replace("’", "'").split())


def padded(rows: Sequence[Sequence[int]]) -> Rows:
    """Lay sentences of different lengths, none empty, into one tensor."""
    lengths = torch.tensor([len(row) for row in rows])
    longest = int(lengths.max())
    return Rows(torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows]), lengths)


@cache
def shipped_vocabulary() -> TranslationVocabulary:
    """Return the vocabulary of the shipped models; raises TextError if its file is missing or damaged."""
    return TranslationVocabulary(NAME, shipped_tokenizer(TOKENIZERS / f"{NAME}.json"))
