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
from binascii import a2b_base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import cast

from lm_core.assets import TOKENIZERS, absence, shown
from lm_core.errors import TextError
from lm_core.text.tokenizers.byte_pair import BYTE_SYMBOLS, GPT2_PATTERN, BytePairTokenizer
from lm_core.text.tokenizers.hugging_face import GPT_4O_PATTERN
from lm_core.text.tokenizers.merges import MergeRanks, Pair


@dataclass(frozen=True)
class PublishedRanks:
    """A published list of ranks.

    Attributes
    ----------
    file : str
        In `TOKENIZERS`, compressed by xz.
    sha256 : str
        Of the list as it was published, uncompressed; `tiktoken` checks the same one.
    pattern : str
        Expression of the pre-tokens.
    """

    file: str
    sha256: str
    pattern: str


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


@dataclass(frozen=True)
class RankedTokenizer(BytePairTokenizer):
    """A byte-pair encoding of bytes that is given by its symbols alone, in the order of their ranks."""

    @cached_property
    def _ranks(self) -> MergeRanks:
        return _RanksOfSymbols(self.symbols, self._ids)


class _RanksOfSymbols:
    """Rank and id of each pair that spells a symbol; a dict of all such pairs would take 60 MB."""

    def __init__(self, symbols: tuple[str, ...], ids: Mapping[str, int]) -> None:
        self._symbols, self._ids = symbols, ids

    def __contains__(self, pair: object, /) -> bool:
        left, right = cast(Pair, pair)
        return self._symbols[left] + self._symbols[right] in self._ids

    def __getitem__(self, pair: Pair, /) -> tuple[int, int]:
        rank = self._ids[self._symbols[pair[0]] + self._symbols[pair[1]]]
        return rank, rank


def load_ranked_tokenizer(ranks: PublishedRanks, folder: Path = TOKENIZERS) -> RankedTokenizer:
    """Read a published byte-pair encoding: a fifth of a second, and 40 MB of memory for GPT-4o's.

    Raises
    ------
    TextError
        If the file is missing or damaged.
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
    # All at once: 200,000 tokens with a million and a half bytes.
    written = b"".join(tokens).decode("latin-1").translate(BYTE_SYMBOLS)
    ends = list(accumulate(map(len, tokens), initial=0))
    symbols = tuple(written[start:end] for start, end in pairwise(ends))
    return RankedTokenizer(symbols, (), pattern=ranks.pattern)
