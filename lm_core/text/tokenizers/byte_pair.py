"""Byte-pair encoding: a tokenizer whose symbols are learned from a text.

It starts from bytes, as GPT-2's does, or from the characters of the text it learns from. Bytes can
spell everything; with characters, what was never seen is spelled in byte symbols (`byte_fallback`)
or becomes ``<unk>``. Pairs are merged within pre-tokens: words, numbers and punctuation.

References
----------
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.2; the
expression of the pre-tokens is that of the published GPT-2 tokenizer.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import regex

from lm_core.errors import SettingError
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.tokenizers.merges import (
    MergeLearner,
    MergeRanks,
    MergeStep,
    Pair,
    merge_steps,
    merged,
)
from lm_core.text.tokenizers.tokenizer import Token

BASES = ("bytes", "characters")
_MOST_REMEMBERED = 65_536  # different pre-tokens whose encoding is kept
_LONGEST_REMEMBERED = 64  # of their characters: what is longer hardly ever comes again

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""A word, number or run of signs with the space before it, or white space."""


def pre_tokenize(text: str, pattern: str = GPT2_PATTERN) -> list[str]:
    """Return the pre-tokens of a text, as an expression splits it; joined they are the text.

    Examples
    --------
    >>> pre_tokenize("Well, Prince,  so 2 towns")
    ['Well', ',', ' Prince', ',', ' ', ' so', ' 2', ' towns']
    """
    return regex.compile(pattern).findall(text)


def _printable_bytes() -> dict[int, str]:
    """Return a visible character for each byte, as GPT-2 writes them: itself where it is visible."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in visible]
    return {byte: chr(byte) for byte in visible} | {
        byte: chr(256 + i) for i, byte in enumerate(hidden)
    }


BYTE_SYMBOLS = _printable_bytes()
"""Spelling of each byte where the base is bytes; a space is spelled ``Ġ``, a line break ``Ċ``."""

BYTES_OF_SYMBOLS = {symbol: byte for byte, symbol in BYTE_SYMBOLS.items()}
"""The byte that each of these characters spells."""

FALLBACK_SYMBOLS = tuple(f"<0x{byte:02X}>" for byte in range(256))
"""Spelling of each byte where the base is characters and unknown ones are spelled in bytes."""


@dataclass(frozen=True)
class BytePairTokenizer:
    """Symbols, and the merges that lead to them."""

    symbols: Sequence[str]
    """Spelling of each id: special tokens, byte symbols of a fallback, the base's symbols, and
    then the merged ones in the order of learning."""
    merges: tuple[Pair, ...]
    """Tuple of (int, int). Pairs in the order of learning."""
    base: str = "bytes"
    """One of `BASES`."""
    special_tokens: tuple[str, ...] = ()
    """Symbols that no text is ever encoded to, but for ``<unk>``."""
    byte_fallback: bool = False
    """Whether an unknown character is spelled in bytes; only with characters as the base."""
    pattern: str = GPT2_PATTERN
    """Expression of the pre-tokens, as the package `regex` reads it."""

    def __post_init__(self) -> None:
        if self.base not in BASES:
            raise SettingError(f"base must be one of {BASES}, got {self.base!r}")
        if self.base == "characters" and not (self.byte_fallback or self.unknown):
            raise SettingError(
                f"with characters as the base, name {UNKNOWN!r} among the special tokens or switch"
                " byte_fallback on: characters that were never seen need a symbol"
            )

    @classmethod
    def fit(
        cls,
        text: str,
        vocabulary_size: int,
        *,
        base: str = "bytes",
        special_tokens: Sequence[str] = (),
        byte_fallback: bool = False,
        known_characters: str = "",
        minimum_count: int = 2,
    ) -> "BytePairTokenizer":
        """Learn merges on a text until the vocabulary has the size wished for, or no pair is left.

        Raises SettingError if the vocabulary is too small for the basic symbols, or the base is
        unknown.

        Parameters
        ----------
        vocabulary_size : int, all symbols together; at least those that there are before the first merge
        base, special_tokens, byte_fallback
            As the attributes.
        known_characters : str, get a symbol even if the text lacks them; only with characters as the base
        minimum_count : int, pairs found less often are not merged
        """
        special_tokens = tuple(special_tokens)
        basic = BYTE_SYMBOLS.values() if base == "bytes" else {*text, *known_characters}
        symbols = (*special_tokens, *(FALLBACK_SYMBOLS if byte_fallback else ()), *sorted(basic))
        start = cls(symbols, (), base, special_tokens, byte_fallback)
        if vocabulary_size < len(start.symbols):
            raise SettingError(
                f"vocabulary_size must be at least {len(start.symbols)}, the symbols before the"
                f" first merge, got {vocabulary_size}"
            )
        learner = start.learner(text, minimum_count=minimum_count)
        merges = []
        while len(learner.symbols) < vocabulary_size and (merge := learner.step()) is not None:
            merges.append(merge.pair)
        return cls(tuple(learner.symbols), tuple(merges), base, special_tokens, byte_fallback)

    def learner(self, text: str, *, minimum_count: int = 2) -> MergeLearner:
        """Return a learner of merges that begins with this tokenizer's symbols on a text."""
        counts: Counter[tuple[int, ...]] = Counter()
        for pre_token, times in Counter(self._pre_tokens(text)).items():
            counts[tuple(token_id for _, token_id in self._symbols_of(pre_token))] += times
        return MergeLearner(counts, self.symbols, minimum_count=minimum_count)

    def __len__(self) -> int:
        return len(self.symbols)

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,)."""
        ids, remembered = [], self._remembered
        for pre_token in self._pre_tokens(text):
            known = remembered.get(pre_token)
            if known is None:
                known = [token_id for _, token_id in self._symbols_of(pre_token)]
                if len(remembered) < _MOST_REMEMBERED and len(pre_token) <= _LONGEST_REMEMBERED:
                    remembered[pre_token] = known
            ids += known
        return np.array(ids, np.int64)

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return the text of some ids; bytes that are no text are shown as the replacement character.

        Special tokens are spelled out.
        """
        return b"".join(self.bytes_of(int(i)) for i in ids).decode("utf-8", "replace")

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters that each one covers.

        Tokens that are parts of one character all cover it.
        """
        tokens, start = [], 0
        traced: dict[str, list[Token]] = {}
        for pre_token in self._pre_tokens(text):
            if pre_token not in traced:
                traced[pre_token] = self._trace_pre_token(pre_token)
            tokens += [
                Token(i, symbol, start + first, start + end)
                for i, symbol, first, end in traced[pre_token]
            ]
            start += len(pre_token)
        return tokens

    def _trace_pre_token(self, pre_token: str) -> list[Token]:
        starts, ends = self._character_bounds(pre_token)
        found = self._symbols_of(pre_token)
        stops = [position for position, _ in found[1:]] + [len(starts)]
        return [
            Token(i, self.symbols[i], starts[position], ends[stop - 1])
            for (position, i), stop in zip(found, stops, strict=True)
        ]

    def steps(self, text: str) -> Iterator[MergeStep]:
        """Yield the merges that encode a text, one pre-token after another; positions are those in the pre-token."""
        for pre_token in self._pre_tokens(text):
            yield from merge_steps(list(self._basic_symbols(pre_token)), self._ranks)

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes that a token stands for."""
        symbol = self.symbols[token_id]
        if symbol in self.special_tokens:
            return symbol.encode()
        if self.base == "bytes":
            return bytes(BYTES_OF_SYMBOLS[character] for character in symbol)
        if self.byte_fallback and symbol in FALLBACK_SYMBOLS:
            return bytes([FALLBACK_SYMBOLS.index(symbol)])
        return symbol.encode("utf-8", "surrogatepass")

    def _pre_tokens(self, text: str) -> list[str]:
        return pre_tokenize(text, self.pattern)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {symbol: i for i, symbol in enumerate(self.symbols)}

    @cached_property
    def _ranks(self) -> MergeRanks:
        """Rank and id of each pair's merge."""
        spelled = self.symbols
        return {
            (left, right): (rank, self._ids[spelled[left] + spelled[right]])
            for rank, (left, right) in enumerate(self.merges)
        }

    @cached_property
    def _remembered(self) -> dict[str, list[int]]:
        return {}

    @property
    def unknown(self) -> str | None:
        """The symbol for characters that were never seen, if it has one."""
        return UNKNOWN if UNKNOWN in self.special_tokens else None

    def _symbols_of(self, pre_token: str) -> list[tuple[int, int]]:
        """Return position, in basic symbols, and id of each symbol of a pre-token."""
        return merged(list(self._basic_symbols(pre_token)), self._ranks)

    def _basic_symbols(self, pre_token: str) -> Iterator[int]:
        if self.base == "bytes":
            yield from (
                self._ids[BYTE_SYMBOLS[b]] for b in pre_token.encode("utf-8", "surrogatepass")
            )
            return
        for character in pre_token:
            yield from self._character_ids(character)

    def _character_ids(self, character: str) -> list[int]:
        """Return the basic symbols of one character, where the base is characters."""
        token_id = self._ids.get(character)
        if token_id is not None:
            return [token_id]
        if self.byte_fallback:
            return [
                self._ids[FALLBACK_SYMBOLS[b]] for b in character.encode("utf-8", "surrogatepass")
            ]
        return [self._ids[UNKNOWN]]

    def _character_bounds(self, pre_token: str) -> tuple[list[int], list[int]]:
        """Return for each basic symbol of a pre-token where its character starts and ends."""
        starts = []
        for i, character in enumerate(pre_token):
            if self.base == "bytes":
                n_symbols = len(character.encode("utf-8", "surrogatepass"))
            else:
                n_symbols = len(self._character_ids(character))
            starts += [i] * n_symbols
        return starts, [i + 1 for i in starts]
