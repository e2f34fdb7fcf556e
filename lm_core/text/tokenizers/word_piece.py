"""WordPiece, as BERT reads texts: each word as the longest pieces that the vocabulary knows.

A piece that does not begin a word is spelled with ``##`` before it. Where a byte-pair encoding
repeats its merges in the order of learning, this takes from the left, each time, as many characters
as it can; a word that cannot be finished so is unknown as a whole.

References
----------
Devlin et al. 2019, "BERT", section 3; the reading of texts is that of its published
``tokenization.py``.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import regex

from lm_core.errors import SettingError
from lm_core.text.normalisation import Rewriting, Rule
from lm_core.text.tokenizers.tokenizer import Token

_SIGN = r"[\p{P}!-/:-@\[-`{-~]"
_WORDS = regex.compile(rf"{_SIGN}|(?:(?!{_SIGN})\P{{White_Space}})+")
"""A sign by itself, or what stands between signs and white space."""

_CLEAN = (
    Rule(regex.compile(r"[\0\uFFFD]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]"), ""),
    Rule(regex.compile(r"\p{White_Space}"), " "),
)
_CHINESE = Rule(
    regex.compile(
        "[\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
        "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f]"
    ),
    lambda found: f" {found[0]} ",
)
_BASE_LETTERS = Rule(regex.compile(r"[^\x00-\x7f]"), lambda found: _without_accents(found[0]))
_SMALL_LETTERS = Rule(regex.compile(r"[A-Z]|[^\x00-\x7f]"), lambda found: found[0].lower())


@dataclass(frozen=True)
class BertText:
    """What is done to a text before it is cut.

    Attributes
    ----------
    clean : bool
        Whether control characters go, and all white space is one kind of space.
    parts_chinese : bool
        Whether each Chinese character is a word.
    strips_accents : bool
    lowers : bool
        Whether capitals become small letters.
    """

    clean: bool = True
    parts_chinese: bool = True
    strips_accents: bool = True
    lowers: bool = True

    @cached_property
    def rewriting(self) -> Rewriting:
        """The rules, in BERT's order."""
        return Rewriting(
            *(_CLEAN if self.clean else ()),
            *((_CHINESE,) if self.parts_chinese else ()),
            *((_BASE_LETTERS,) if self.strips_accents else ()),
            *((_SMALL_LETTERS,) if self.lowers else ()),
        )


@dataclass(frozen=True)
class WordPieceTokenizer:
    """The pieces of words that are known.

    Attributes
    ----------
    symbols : tuple of str
        Piece of each id; those that do not begin a word have `continuation` before them.
    unknown : str
        Stands for a word that cannot be spelled; one of the symbols.
    continuation : str
    longest_word : int
        Longer ones are unknown, in characters.
    reading : BertText
    """

    symbols: tuple[str, ...]
    unknown: str = "[UNK]"
    continuation: str = "##"
    longest_word: int = 100
    reading: BertText = BertText()

    def __post_init__(self) -> None:
        if self.unknown not in self.symbols:
            raise SettingError(f"the unknown symbol {self.unknown!r} must be one of the symbols")

    def __len__(self) -> int:
        return len(self.symbols)

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,)."""
        return np.array([token.id for token in self.trace(text)], np.int64)

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return words with a space between them: what stood between them is lost."""
        first, *others = [self.symbols[int(i)] for i in ids] or [""]
        mark = self.continuation
        spaced = [s.removeprefix(mark) if s.startswith(mark) else f" {s}" for s in others]
        return "".join([first, *spaced])

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters of the raw text that each one covers."""
        read = self.reading.rewriting.trace(text)
        return [
            Token(i, self.symbols[i], read.starts[at + start], read.ends[at + end - 1])
            for found in _WORDS.finditer(read.text)
            for at in [found.start()]
            for i, start, end in self._pieces(found[0])
        ]

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes of a token's spelling in UTF-8."""
        return self.symbols[token_id].encode("utf-8", "surrogatepass")

    def _pieces(self, word: str) -> list[tuple[int, int, int]]:
        """Return id, start and end of the pieces of a word."""
        unknown = [(self._ids[self.unknown], 0, len(word))]
        if len(word) > self.longest_word:
            return unknown
        pieces, start = [], 0
        while start < len(word):
            found = self._longest(word, start)
            if found is None:
                return unknown
            pieces.append((found[0], start, found[1]))
            start = found[1]
        return pieces

    def _longest(self, word: str, start: int) -> tuple[int, int] | None:
        """Return id and end of the longest piece that a word has from here; None for none."""
        mark = self.continuation if start else ""
        for end in range(len(word), start, -1):
            token_id = self._ids.get(mark + word[start:end])
            if token_id is not None:
                return token_id, end
        return None

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {symbol: i for i, symbol in enumerate(self.symbols)}


def _without_accents(character: str) -> str:
    parts = unicodedata.normalize("NFD", character)
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")
