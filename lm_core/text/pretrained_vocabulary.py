"""The tokens of a pretrained model, under the contract of the book's vocabularies.

Its tokens are bytes, so that one may hold a part of a character. Wherever a token has to have a
text, a character belongs to the token in which it begins; the tokens with the rest of it are empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lm_core.errors import CheckpointError, TextError
from lm_core.text.character_vocabulary import CharacterVocabulary, PreparedText
from lm_core.text.pretrained_folder import (
    VARIABLE,
    PretrainedFolder,
    pretrained_folder,
    read_record,
)
from lm_core.text.tokenizers.byte_pair import BYTES_OF_SYMBOLS, BytePairTokenizer
from lm_core.text.tokenizers.hugging_face import read_tokenizer_json
from lm_core.text.tokenizers.tokenizer import Tokenizer
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json

PRETRAINED = "pretrained-"
"""Beginning of the name of the vocabulary of a pretrained model."""

_END = "<|endoftext|>"
"""GPT-2's one special token: the two files do not say that it is one, GPT-2's own tokenizer knows."""

_MOST_ADDED = 8  # symbols, such as ``[PAD]``, that somebody may have added to a model's own

_PROBE = "The prince said: “Où?”\n"


@dataclass(frozen=True)
class PretrainedVocabulary(CharacterVocabulary):
    """The tokens of a pretrained model; none of them stands for what is unknown."""

    tokenizer: Tokenizer
    """May have fewer symbols than the vocabulary: some models have rows for nothing."""
    start: int | None
    """The token that the model has read before every text."""

    @property
    def unit(self) -> str:
        """What one symbol is called."""
        return "token"

    @property
    def start_token(self) -> int | None:
        """The token that the model has read before every text, if it has one."""
        return self.start

    @cached_property
    def _bytes(self) -> list[bytes]:
        n = len(self.tokenizer.symbols)
        return [self.tokenizer.bytes_of(i) for i in range(n)] + [b""] * (len(self) - n)

    @cached_property
    def lengths(self) -> np.ndarray:
        """Characters that begin in each symbol, int64 of shape (V,)."""
        return np.array([sum(map(_begins, content)) for content in self._bytes])

    def __contains__(self, character: str) -> bool:
        return len(character) == 1 and not "\ud800" <= character <= "\udfff"

    def known(self, ids: np.ndarray) -> np.ndarray:
        """Return for each id whether it stands for a symbol: all do."""
        return np.ones(len(ids), bool)

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 (number of tokens,); special tokens that it spells are read as such."""
        return self.tokenizer.encode(text)

    def spell(self, ids: np.ndarray | Sequence[int]) -> list[str]:
        """Return the text of each id among its neighbours: ``lengths`` many characters each."""
        spelled: list[str] = []
        waiting, owner = b"", -1  # the bytes of a character so far, and the token that it began in
        for i in map(int, ids):
            spelled.append("")
            for byte in self._bytes[i]:
                if _begins(byte):
                    if waiting:
                        spelled[owner] += _character(waiting)
                    waiting, owner = bytes([byte]), len(spelled) - 1
                elif waiting:
                    waiting += bytes([byte])
        if waiting:
            spelled[owner] += _character(waiting)
        return spelled

    def prepare(self, text: str) -> PreparedText:
        """Encode a visitor's text; nothing is lost, but for halves of characters."""
        whole = "".join(character for character in text if character in self)
        return PreparedText(whole, self.encode(whole), {})


def _begins(byte: int) -> bool:
    """Return whether a byte is the first one of a character in UTF-8."""
    return byte & 0xC0 != 0x80


def _character(content: bytes) -> str:
    """Return the character of some bytes, the first of which begins one; the replacement character if there is none."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return "\N{REPLACEMENT CHARACTER}"


def vocabulary_name(folder: PretrainedFolder) -> str:
    """Return the name of the vocabulary of a model's folder."""
    return PRETRAINED + folder.fingerprint


def pretrained_vocabulary(name: str) -> PretrainedVocabulary:
    """Return the vocabulary of the folder that the environment names.

    Raises CheckpointError if the folder is not the one of that name any more, or its tokenizer
    cannot be used.
    """
    folder = pretrained_folder()
    if folder is None or vocabulary_name(folder) != name:
        raise CheckpointError(f"the pretrained model in {VARIABLE} has changed: choose it again")
    return read_vocabulary(folder)


def read_vocabulary(folder: PretrainedFolder) -> PretrainedVocabulary:
    """Read the tokenizer of a model's folder.

    Raises CheckpointError if it cannot be read, changes texts, or has more symbols than the model.
    """
    tokenizer, n = _read_tokenizer(folder), folder.config.get("vocab_size")
    n_symbols = len(tokenizer.symbols)
    if not isinstance(n, int) or n < n_symbols:
        beyond = tokenizer.symbols[n:] if isinstance(n, int) else ()
        remedy = (
            f"if {', '.join(beyond)} came later, call model.resize_token_embeddings(len(tokenizer)) and"
            " save both again"
            if 0 < len(beyond) <= _MOST_ADDED
            else "the two must be of one model"
        )
        raise CheckpointError(
            f"{folder.path}: the tokenizer has {n_symbols:,} symbols, and the model's vocab_size is"
            f" {n!r}: {remedy}"
        )
    start = folder.config.get("bos_token_id")
    start = start if isinstance(start, int) and 0 <= start < n_symbols else None
    spelled = [_shown(tokenizer.bytes_of(i)) for i in range(n_symbols)]
    symbols = (*spelled, *(f"<unused {i}>" for i in range(n_symbols, n)))
    vocabulary = PretrainedVocabulary(
        vocabulary_name(folder), symbols, lambda text: text, tokenizer, start
    )
    if (found := vocabulary.decode(vocabulary.encode(_PROBE))) != _PROBE:
        if found == f" {_PROBE}":
            raise CheckpointError(
                f"{folder.path}: its tokenizer puts a space before each text, by which the first word"
                " would be another: set add_prefix_space to false in its tokenizer.json"
            )
        raise CheckpointError(
            f"{folder.path}: its tokenizer changes texts, which cannot be followed here: choose a model"
            " whose tokens are bytes, as those of GPT-2 and of Llama 3"
        )
    return vocabulary


def _shown(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return f"⟨{content.hex(' ').upper()}⟩"


def _read_tokenizer(folder: PretrainedFolder) -> Tokenizer:
    try:
        if len(folder.tokenizer) == 1:
            return read_tokenizer_json(folder.tokenizer[0].read_bytes())
        return _read_merges(folder)
    except (TextError, OSError, ImportError) as error:
        raise CheckpointError(f"{folder.path}: the tokenizer cannot be used: {error}") from error


def _read_merges(folder: PretrainedFolder) -> Tokenizer:
    """Read GPT-2's own two files: the ids of the symbols, and the pairs in the order of learning."""
    ids = read_record(folder.tokenizer[0])
    lines = folder.tokenizer[1].read_text(encoding="utf-8").split("\n")
    pairs = [line.split(" ") for line in lines if line and not line.startswith("#version")]
    try:
        symbols = tuple(sorted(ids, key=ids.__getitem__))
        if [ids[symbol] for symbol in symbols] != list(range(len(symbols))):
            raise TextError("the ids must be 0, 1, 2 and so on")
        merges = tuple((ids[left], ids[right]) for left, right in pairs)
    except (KeyError, ValueError, TypeError) as error:
        raise TextError(
            f"{folder.tokenizer[1].name} must hold pairs of symbols: {error!r}"
        ) from error
    special = tuple(s for s in symbols if s == _END or not all(c in BYTES_OF_SYMBOLS for c in s))
    read = BytePairTokenizer(symbols, merges, special_tokens=special)
    # Through the form of the newer files, whose reader recognises special tokens in a text.
    return read_tokenizer_json(to_tokenizer_json(read))
