"""Tokenizers that split a text into words, and the vocabulary that numbers them.

``whitespace`` splits where there is white space and nowhere else. ``basic english`` does what torchtext's
tokenizer of that name does, as the published experiments do: it lowers all letters, splits punctuation
off as tokens of its own, and deletes double quotes, colons and semicolons.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import regex

from lm_core.errors import SettingError
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.tokenizers.tokenizer import Token

Word = tuple[str, int, int]
"""A word as the vocabulary knows it, and where it starts and ends in the text."""

_WHITESPACE = regex.compile(r"\S+")
_BREAK = "<br />"
_BASIC = regex.compile(rf"{_BREAK}|['.,()!?]|(?:(?!{_BREAK})[^\s'.,()!?;:])+", regex.IGNORECASE)


def whitespace_words(text: str) -> Iterator[Word]:
    """Yield what lies between white space.

    Examples
    --------
    >>> [word for word, _, _ in whitespace_words("My name is John.")]
    ['My', 'name', 'is', 'John.']
    """
    for found in _WHITESPACE.finditer(text):
        yield found[0], found.start(), found.end()


def basic_english_words(text: str) -> Iterator[Word]:
    r"""Yield words and signs in small letters.

    Examples
    --------
    >>> [word for word, _, _ in basic_english_words('He said: "It\'s John."')]
    ['he', 'said', 'it', "'", 's', 'john', '.']
    """
    for found in _BASIC.finditer(text):
        word = found[0].replace('"', "").lower()
        if word and word != _BREAK:
            yield word, found.start(), found.end()


PRE_TOKENIZERS: dict[str, Callable[[str], Iterator[Word]]] = {
    "whitespace": whitespace_words,
    "basic english": basic_english_words,
}


@dataclass(frozen=True)
class WordTokenizer:
    """A way to split a text into words, and the numbers of the words that are known."""

    pre_tokenizer: str
    """One of `PRE_TOKENIZERS`."""
    symbols: tuple[str, ...]
    """Word of each id; special tokens first."""
    unknown: str | None = UNKNOWN
    """The special token that stands for words that are not known; without one they are left out,
    and a word spelled ``<unk>`` is a word like others."""

    def __post_init__(self) -> None:
        if self.pre_tokenizer not in PRE_TOKENIZERS:
            raise SettingError(
                f"pre_tokenizer must be one of {sorted(PRE_TOKENIZERS)}, got {self.pre_tokenizer!r}"
            )

    @classmethod
    def fit(
        cls,
        text: str,
        pre_tokenizer: str,
        *,
        special_tokens: Sequence[str] = (UNKNOWN,),
        minimum_count: int = 1,
        most_words: int | None = None,
    ) -> "WordTokenizer":
        """Give the words of a text numbers, in the order in which they first appear.

        Parameters
        ----------
        pre_tokenizer : str, one of `PRE_TOKENIZERS`
        special_tokens : sequence of str, get the first ids
        minimum_count : int, rarer words are left out
        most_words : int, optional
            Keep only so many, the most frequent (of those that are equally frequent, the earlier).
        """
        unknown = UNKNOWN if UNKNOWN in special_tokens else None
        empty = cls(pre_tokenizer, tuple(special_tokens), unknown)
        counts = Counter(word for word, _, _ in PRE_TOKENIZERS[pre_tokenizer](text))
        frequent = [word for word, n in counts.items() if n >= minimum_count]
        if most_words is not None:
            kept = set(sorted(frequent, key=counts.__getitem__, reverse=True)[:most_words])
            frequent = [word for word in frequent if word in kept]
        known = set(empty.symbols)
        words = (word for word in frequent if word not in known)
        return cls(pre_tokenizer, (*empty.symbols, *words), unknown)

    def __len__(self) -> int:
        return len(self.symbols)

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,).

        Words that are not known become ``<unk>``, or are left out where there is no such symbol.
        """
        return np.array([token.id for token in self.trace(text)], np.int64)

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return words with a space between them: the white space itself is lost."""
        return " ".join(self.symbols[int(i)] for i in ids)

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters that each one covers."""
        unknown_id = None if self.unknown is None else self._ids[self.unknown]
        return [
            Token(token_id, self.symbols[token_id], start, end)
            for word, start, end in PRE_TOKENIZERS[self.pre_tokenizer](text)
            if (token_id := self._ids.get(word, unknown_id)) is not None
        ]

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes of a token's spelling in UTF-8."""
        return self.symbols[token_id].encode("utf-8", "surrogatepass")

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {symbol: i for i, symbol in enumerate(self.symbols)}
