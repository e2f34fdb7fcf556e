"""Tokenizers of other models: any ``tokenizer.json``, read by Hugging Face's library `tokenizers`.

A file is a small program: it changes texts, splits them by expressions and puts symbols together.
What a stranger's file may do here is therefore bounded before the library sees it: its length, how
many times longer it makes a text, its expressions (those of known models, because an expression can
be written so that it never ends), and the longest word that WordPiece tries to spell.

References
----------
https://huggingface.co/docs/tokenizers
"""

import base64
import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from lm_core.errors import TextError
from lm_core.text.file_limits import LIMITS
from lm_core.text.tokenizers.byte_pair import BYTES_OF_SYMBOLS, GPT2_PATTERN
from lm_core.text.tokenizers.faults import fault_of
from lm_core.text.tokenizers.other_files import what_bytes_are, what_it_is
from lm_core.text.tokenizers.tokenizer import Token
from lm_core.text.what_was_read import WhatWasRead

if TYPE_CHECKING:
    import tokenizers

Part = dict[str, Any]

MOST_BYTES = LIMITS.tokenizer
"""Longest file that is read; GPT-2's has 1.4 MB."""

MOST_CHARACTERS = 1_000
"""Of a word that WordPiece spells: the work grows with their square. BERT's have 100 at most."""

LONGEST_AFFIX = 16
"""Characters that mark the inside or the end of a word: they are copied for each piece that is tried."""

LONGEST_SYMBOL = 256
"""Characters of an entry of the vocabulary; the longest runs of spaces in GPT-4o's have 128."""

MOST_STEPS = 16
"""That a file may take to change and split a text."""

MOST_GROWTH = 200
"""How many times longer a file may make a text."""

_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_CAPITALS, _SMALL = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_BEFORE_LETTERS = r"[^\r\n\p{L}\p{N}]?"
_GPT_4 = rf"{_CONTRACTION}|{_BEFORE_LETTERS}\p{{L}}+|%s| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}"
GPT_4O_PATTERN = (
    rf"{_BEFORE_LETTERS}{_CAPITALS}*{_SMALL}+{_CONTRACTION}?"
    rf"|{_BEFORE_LETTERS}{_CAPITALS}+{_SMALL}*{_CONTRACTION}?"
    rf"|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"
)
_DEEP_SEEK = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
    rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_SPACES}"
).replace('\\"', '"')
_CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
_GPT_4_SHORT = (
    rf"'(?i:[sdmt]|ll|ve|re)|{_BEFORE_LETTERS}+\p{{L}}+|%s| ?[^\s\p{{L}}\p{{N}}]++[\r\n]*|\s*[\r\n]"
)
_TEKKEN = (
    rf"{_BEFORE_LETTERS}{_CAPITALS}*{_SMALL}+|{_BEFORE_LETTERS}{_CAPITALS}+{_SMALL}*"
    rf"|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"
)
_KNOWN_EXPRESSIONS = frozenset(
    {GPT2_PATTERN, _GPT_4 % r"\p{N}{1,3}", _GPT_4 % r"\p{N}", GPT_4O_PATTERN, _DEEP_SEEK, _CLIP}
    | {_GPT_4_SHORT % n + r"|\s+(?!\S)|\s+" for n in (r"\p{N}{1,3}", r"\p{N}{1,2}", r"\p{N}")}
    | {_TEKKEN, "", ".", "(?s:.)", r"\w+", r"\S+", r"\w+|[^\w\s]+", " ", r"\W+"}
    | {r"\p{N}{1,3}", r"\p{N}", r"\p{N}+", r"\d", r"\d+", "[0-9]", "[0-9][0-9][0-9]"}
    | {r"\s", r"\s+", " {2,}", r"\n", r"[\r\n]", "[一-龥\u3040-ゟ\u30a0-ヿ]+"}
)
"""GPT-2's and RoBERTa's, GPT-4's and Llama 3's, Qwen's, minbpe's and nanochat's, GPT-4o's, Mistral's
Tekken's, DeepSeek's, CLIP's; single characters, words, digits, spaces."""

_STEPS_IN = {"normalizer": "normalizers", "pre_tokenizer": "pretokenizers", "decoder": "decoders"}
_AFFIXES = ("continuing_subword_prefix", "end_of_word_suffix")
_GROWTH = {"ByteLevel": 2, "Metaspace": 4}
_BYTE = re.compile("<0x([0-9A-F]{2})>")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST_NAMED, _PREVIEWED = 4, 6
_VISIBLE_SPACE = "\N{LOWER ONE EIGHTH BLOCK}"
_UNSEEN = "a \U00013000 \ua66e"  # a text with characters for which no vocabulary has a symbol


@dataclass(frozen=True)
class Spelling:
    """What a ``tokenizer.json`` says of its symbols."""

    kind: str
    """The model's: BPE, WordPiece, Unigram or WordLevel."""
    unknown: str | None
    """The symbol for what the vocabulary does not hold."""
    symbol_of: dict[int, str]
    """By id, in the order of the ids."""
    added: frozenset[str]
    """Symbols that stand for themselves."""
    is_byte_level: bool
    shows_spaces: bool
    falls_back: bool
    """`is_byte_level`, `shows_spaces` and `falls_back`: whether symbols are bytes in GPT-2's
    letters, spell spaces visibly, or include bytes."""

    @property
    def read(self) -> WhatWasRead:
        """What the file was read as, for the visitor."""
        spelled = (
            "symbols of bytes, so that it can spell every text"
            if self.is_byte_level or self.falls_back
            else f"{self.unknown} for what it does not hold"
            if self.unknown
            else "no symbol for what it does not hold, which it leaves out"
        )
        facts = (f"a tokenizer.json: {self.kind}", f"{len(self.symbol_of):,} symbols", spelled)
        marks = sorted(self.added)
        several = (
            f"{len(marks):,} of them are marks, such as {', '.join(marks[:_MOST_NAMED])}: they stand for"
            " themselves where a text spells them, and none is put around a text."
        )
        one = (
            f"1 of them is a mark, {', '.join(marks[:1])}: it stands for itself where a text spells it,"
            " and is not put around a text."
        )
        notes = (one if len(marks) == 1 else several,)
        rows = [(str(number), symbol) for number, symbol in self.symbol_of.items()]
        middle = len(rows) // 2
        some = rows if len(rows) <= _PREVIEWED else rows[middle : middle + _PREVIEWED]
        return WhatWasRead(facts, notes if marks else (), (("id", "symbol"), *some))

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes that a token stands for, spaces as spaces."""
        symbol = self.symbol_of[token_id]
        if symbol not in self.added:
            if self.is_byte_level and all(c in BYTES_OF_SYMBOLS for c in symbol):
                return bytes(BYTES_OF_SYMBOLS[c] for c in symbol)
            if self.falls_back and (byte := _BYTE.fullmatch(symbol)):
                return bytes([int(byte[1], 16)])
            if self.shows_spaces:
                symbol = symbol.replace(_VISIBLE_SPACE, " ")
        return symbol.encode("utf-8", "surrogatepass")


class Spelled:
    """A tokenizer whose `spelling` says what its symbols are."""

    spelling: Spelling

    @property
    def kind(self) -> str:
        """The model's: BPE, WordPiece, Unigram or WordLevel."""
        return self.spelling.kind

    @property
    def unknown(self) -> str | None:
        """The symbol for what the vocabulary does not hold, if there is one."""
        return self.spelling.unknown

    @property
    def symbols(self) -> tuple[str, ...]:
        """Spelling of each id, in the order of the ids."""
        return tuple(self.spelling.symbol_of.values())

    def __len__(self) -> int:
        return len(self.spelling.symbol_of)


class HuggingFaceTokenizer(Spelled):
    """A `lm_core.text.tokenizers.tokenizer.Tokenizer` around one of the library's.

    Tokens that a model puts around each text, such as ``[CLS]``, are left out; those that a file
    calls special are recognised where a text spells them.

    `document`: dict, content of a ``tokenizer.json`` that `read_tokenizer_json` has checked.
    """

    def __init__(self, document: Part) -> None:
        from tokenizers import Tokenizer  # a page that reads no file need not load the library

        # What comes after the splitting adds a model's own tokens, and may trim spaces off offsets.
        bare = document | {"post_processor": None, "truncation": None, "padding": None}
        self._library: tokenizers.Tokenizer = Tokenizer.from_str(json.dumps(bare))
        steps, model = list(_steps(document)), document["model"]
        # Without a symbol for them, BPE leaves out letters that it does not know, and counts them not.
        self._drops_letters = model.get("type", "BPE") == "BPE" and not _unknown_of(model)
        self._marks = tuple(filter(None, (model.get(name) for name in _AFFIXES)))
        ids = sorted(self._library.get_vocab().items(), key=itemgetter(1))
        self.spelling = Spelling(
            kind=type(self._library.model).__name__,
            unknown=_unknown_of(model),
            symbol_of={number: symbol for symbol, number in ids},
            added=frozenset(str(token["content"]) for token in document.get("added_tokens") or []),
            is_byte_level=any(step.get("type") == "ByteLevel" for step in steps),
            shows_spaces=any(_VISIBLE_SPACE in map(str, step.values()) for step in steps),
            falls_back=bool(model.get("byte_fallback")),
        )
        self._drops_letters &= not (self.spelling.is_byte_level or self.spelling.falls_back)

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,)."""
        return np.array(self._encoding(text).ids, np.int64)

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return the text of some ids, as the file says; special tokens are spelled out."""
        return str(self._library.decode([int(i) for i in ids], skip_special_tokens=False))

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters of the raw text that each one covers."""
        found = self._encoding(text)
        tokens = [
            Token(i, self.spelling.symbol_of[i], start, end)
            for i, (start, end) in zip(found.ids, found.offsets, strict=True)
        ]
        return _aligned(tokens, text, self._marks) if self._drops_letters else tokens

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes that a token stands for, spaces as spaces."""
        return self.spelling.bytes_of(token_id)

    def _encoding(self, text: str) -> "tokenizers.Encoding":
        """Return the library's encoding; halves of characters, which it refuses, are replaced."""
        whole = _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
        with _in_words("the file cannot encode this text"):
            return self._library.encode(whole)


def read_tokenizer_json(content: bytes) -> HuggingFaceTokenizer:
    """Read a tokenizer from a file's content.

    Raises TextError if the file is too long, is no ``tokenizer.json``, would cost too much, or
    cannot encode every text.
    """
    if len(content) > MOST_BYTES:
        raise TextError(
            f"a tokenizer.json may have {MOST_BYTES >> 20} MB, this file has"
            f" {len(content) / (1 << 20):.1f} MB"
        )
    document: Any = None
    try:
        document = json.loads(content)
        _require_bounded(document)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        if isinstance(error, TextError):
            raise
        other = what_it_is(document) or (
            what_bytes_are(content)
            if document is None
            else "choose the file of that name in a model's folder"
        )
        raise TextError(
            f"the file must be a tokenizer.json, with a model and its vocab: {other}"
        ) from error
    if fault := fault_of(document):
        raise TextError(f"the tokenizer cannot be used: {fault}")
    with _in_words("the file must be a tokenizer.json that the library tokenizers reads"):
        tokenizer = HuggingFaceTokenizer(document)
        tokenizer.encode(_UNSEEN)
    return tokenizer


def _aligned(tokens: list[Token], text: str, marks: Sequence[str]) -> list[Token]:
    """Return tokens with the characters that their own text says: each begins after the one before.

    What lies between them was left out, and holds no letter with which a symbol begins.
    """
    lowered = text.lower()
    plain = lowered if len(lowered) == len(text) else text
    place, aligned = 0, []
    for token in tokens:
        shown = token.symbol
        for mark in marks:
            shown = shown.removeprefix(mark).removesuffix(mark)
        shown = shown.replace(_VISIBLE_SPACE, " ").lower()
        begin = plain.find(shown, place) if shown else -1
        if begin >= 0:
            token = token._replace(start=begin, end=begin + len(shown))
            place = begin + len(shown)
        aligned.append(token)
    return aligned


@contextmanager
def _in_words(what: str) -> Iterator[None]:
    """Turn whatever the library raises into a `TextError`: its exceptions, and Rust's panics."""
    try:
        yield
    except BaseException as error:
        is_panic = type(error).__name__ == "PanicException"  # derived from BaseException
        if isinstance(error, TextError) or not (is_panic or isinstance(error, Exception)):
            raise
        why = (
            "one of its parts is of a kind that this version of the library does not know, so save it with"
            " another version"
            if "untagged enum" in str(error)
            else str(error)
        )
        raise TextError(f"{what}: {why}") from error


def _require_bounded(document: Part) -> None:
    """Refuse a file whose tokenizer could keep a server busy, or fill its memory."""
    model = document["model"]
    steps = list(_steps(document, "normalizer", "pre_tokenizer"))
    if len(steps) > MOST_STEPS:
        raise TextError(f"a file may change texts in {MOST_STEPS} steps, this one has {len(steps)}")
    for step in _steps(document):
        expression = step["pattern"].get("Regex") if "pattern" in step else None
        if expression is not None and expression not in _KNOWN_EXPRESSIONS:
            raise TextError(
                "the file splits texts by an expression of its own; only those of well-known models"
                " are applied here, because an expression can be written so that it never ends."
                f" It begins with {expression[:24]}"
            )
    growth = math.prod(map(_growth, steps))
    if growth > MOST_GROWTH:
        raise TextError(
            f"a file may make a text {MOST_GROWTH} times longer, this one could make it"
            f" {growth:,} times longer"
        )
    if model.get("dropout"):
        raise TextError("the file leaves merges out by chance: set its dropout to null")
    longest = model.get("max_input_chars_per_word", 1)
    if longest not in range(1, MOST_CHARACTERS + 1):
        raise TextError(
            f"words of 1 to {MOST_CHARACTERS:,} characters can be split here, the file allows"
            f" {longest!r}"
        )
    for name in _AFFIXES:
        _require_short(model.get(name) or "", LONGEST_AFFIX, f"its {name}")
    added = [token["content"] for token in document.get("added_tokens") or []]
    for entry in chain(model["vocab"], added):
        symbol = entry if isinstance(entry, str) else entry[0]
        _require_short(symbol, LONGEST_SYMBOL, "an entry of its vocabulary")


def _require_short(text: str, most: int, what: str) -> None:
    if len(text) > most:
        raise TextError(f"{what} may have {most} characters, this one has {len(text):,}")


def _steps(document: Part, *names: str) -> Iterator[Part]:
    """Yield the steps of the parts of these names, one after another."""
    waiting = [document.get(name) for name in reversed(names or _STEPS_IN)]
    while waiting:
        part = waiting.pop()
        if not part:
            continue
        if part["type"] == "Sequence":
            waiting += reversed(next(part[name] for name in _STEPS_IN.values() if name in part))
        else:
            yield part


def _growth(step: Part) -> int:
    """Return how many times longer a step can make a text, in bytes; 1 for a bounded little."""
    kind = step["type"]
    if kind == "Replace":
        return 1 + len(step["content"].encode()) // max(1, len(step["pattern"].get("String", " ")))
    if kind == "Prepend":
        return 1 + len(step["prepend"].encode())
    if kind == "Precompiled":
        compiled = base64.b64decode(step["precompiled_charsmap"])
        replacements = compiled[4 + int.from_bytes(compiled[:4], "little") :]
        return max(1, *map(len, replacements.split(b"\0")))
    return _GROWTH.get(kind, 1)


def _unknown_of(model: Part) -> str | None:
    """Return the symbol for what the vocabulary does not hold, if the model has one."""
    if model.get("unk_id") is not None:
        return str(model["vocab"][model["unk_id"]][0])
    return model.get("unk_token")
