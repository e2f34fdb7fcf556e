"""The byte-pair encodings of GPT-2 and of GPT-4o, as OpenAI published them.

A file of `tiktoken` lists the tokens as bytes, each with its *rank*. The rank is at once the token's
id and the order in which it was learned, so the merges follow from the list: two neighbours are
merged if together they are a token, that of the lowest rank first.

References
----------
https://github.com/openai/tiktoken
"""

import hashlib
import lzma
from array import array
from binascii import a2b_base64
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np

from lm_core.assets import TOKENIZERS, absence, shown
from lm_core.errors import TextError
from lm_core.text.tokenizers.byte_pair import BYTE_SYMBOLS, GPT2_PATTERN, BytePairTokenizer
from lm_core.text.tokenizers.hugging_face import GPT_4O_PATTERN
from lm_core.text.tokenizers.merges import MergeRanks, Pair
from lm_core.text.tokenizers.strings_as_read import StringsAsRead


@dataclass(frozen=True)
class PublishedRanks:
    """A published list of ranks."""

    file: str
    """In `TOKENIZERS`, compressed by xz."""
    sha256: str
    """Of the list as it was published, uncompressed; `tiktoken` checks the same one."""
    pattern: str
    """Expression of the pre-tokens."""


GPT_2 = PublishedRanks(
    "r50k_base.tiktoken.xz",
    "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
    GPT2_PATTERN,
)
"""50,256 tokens. The 50,257th, ``<|endoftext|>``, is never made from a text."""

GPT_4O = PublishedRanks(
    "o200k_base.tiktoken.xz",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    GPT_4O_PATTERN,
)
"""199,998 tokens: o200k_base, of ChatGPT from GPT-4o on. Special ones are left out."""


class PackedSymbols(StringsAsRead):
    """Many short strings, written one behind the other; each is found by its hash.

    A tuple and a dict of GPT-4o's 200,000 would take 38 MB with what their making leaves behind, this takes 13.

    Parameters
    ----------
    written : str, all of them
    lengths : iterable of int, of each, in characters
    """

    def __init__(self, written: str, lengths: Iterable[int]) -> None:
        self._written = written
        self._ends = array("I", accumulate(lengths, initial=0))
        hashes = np.fromiter(map(hash, map(self.read, range(len(self)))), np.int64, len(self))
        order = hashes.argsort(kind="stable")
        self._hashes = array("q", hashes[order].tobytes())
        self._places = array("I", order.astype(np.uint32).tobytes())

    def __len__(self) -> int:
        return len(self._ends) - 1

    def read(self, place: int) -> str:
        """Return one of them."""
        return self._written[self._ends[place] : self._ends[place + 1]]

    def __contains__(self, symbol: object) -> bool:
        return isinstance(symbol, str) and self.find(symbol) is not None

    def find(self, symbol: str) -> int | None:
        """Return the first place of a string, if it is here."""
        wanted = hash(symbol)
        for i in range(bisect_left(self._hashes, wanted), len(self)):
            if self._hashes[i] != wanted:
                break
            if self.read(self._places[i]) == symbol:
                return self._places[i]
        return None


@dataclass(frozen=True)
class RankedTokenizer(BytePairTokenizer):
    """A byte-pair encoding of bytes that is given by its symbols alone, in the order of their ranks."""

    symbols: PackedSymbols

    @cached_property
    def _ids(self) -> dict[str, int]:
        """The ids of the single bytes; merged symbols are found by `_ranks`."""
        return {symbol: self.symbols.index(symbol) for symbol in BYTE_SYMBOLS.values()}

    @cached_property
    def _ranks(self) -> MergeRanks:
        return _RanksOfSymbols(self.symbols)


class _RanksOfSymbols:
    """Rank and id of each pair that spells a symbol; a dict of all such pairs would take 60 MB."""

    def __init__(self, symbols: PackedSymbols) -> None:
        self._symbols = symbols

    def get(self, pair: Pair, /) -> tuple[int, int] | None:
        rank = self._symbols.find(self._symbols[pair[0]] + self._symbols[pair[1]])
        return None if rank is None else (rank, rank)


def load_ranked_tokenizer(ranks: PublishedRanks, folder: Path = TOKENIZERS) -> RankedTokenizer:
    """Read a published byte-pair encoding: a third of a second, and 13 MB of memory for GPT-4o's.

    Raises TextError if the file is missing or damaged.
    """
    path = folder / ranks.file
    try:
        content = lzma.decompress(path.read_bytes())
    except OSError as error:
        missing = absence() or f"no readable ranks in {shown(path)}: {error.strerror}"
        raise TextError(missing) from error
    except (lzma.LZMAError, EOFError) as error:
        raise TextError(f"{shown(path)} is damaged: {error}") from error
    if hashlib.sha256(content).hexdigest() != ranks.sha256:
        raise TextError(f"{shown(path)} is damaged: its content is not the published one")
    tokens = [a2b_base64(line.split(b" ", 1)[0]) for line in content.splitlines()]
    written = b"".join(tokens).decode("latin-1").translate(BYTE_SYMBOLS)
    return RankedTokenizer(PackedSymbols(written, map(len, tokens)), (), pattern=ranks.pattern)
