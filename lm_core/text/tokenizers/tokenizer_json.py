"""Byte-pair tokenizers in the format ``tokenizer.json``, which Hugging Face's library reads too.

Of that format's many kinds, two are read: what this project writes, and byte-level encodings such as
GPT-2's. Nothing in a file is run: its expressions are compared with the one known here, never compiled.
"""

import json
from typing import Any

from lm_core.errors import TextError
from lm_core.text.alphabets import UNKNOWN
from lm_core.text.tokenizers.byte_pair import BYTE_SYMBOLS, FALLBACK_SYMBOLS, BytePairTokenizer
from lm_core.text.tokenizers.pieces import GPT2_PIECES

MOST_BYTES = 16 << 20
"""Longest file that is read; GPT-2's has 1.4 MB."""

_BYTE_LEVEL = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": True,
    "use_regex": True,
}
_WORDS = {
    "type": "Split",
    "pattern": {"Regex": GPT2_PIECES},
    "behavior": "Isolated",
    "invert": False,
}


def to_tokenizer_json(tokenizer: BytePairTokenizer) -> bytes:
    """Return the file that holds a tokenizer."""
    is_bytes, symbols = tokenizer.base == "bytes", tokenizer.symbols
    special = [
        {
            "id": symbols.index(token),
            "content": token,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for token in tokenizer.special_tokens
    ]
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": None,
        "pre_tokenizer": _BYTE_LEVEL if is_bytes else _WORDS,
        "post_processor": None,
        "decoder": _BYTE_LEVEL if is_bytes else _decoder(tokenizer.byte_fallback),
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": UNKNOWN if UNKNOWN in tokenizer.special_tokens else None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": tokenizer.byte_fallback,
            "ignore_merges": False,
            "vocab": {symbol: i for i, symbol in enumerate(symbols)},
            "merges": [[symbols[left], symbols[right]] for left, right in tokenizer.merges],
        },
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def from_tokenizer_json(content: bytes) -> BytePairTokenizer:
    """Read a tokenizer from a file's content.

    Raises
    ------
    TextError
        If the file is too long, is not JSON, or holds a tokenizer of a kind that is not known here.
    """
    if len(content) > MOST_BYTES:
        raise TextError(
            f"a tokenizer.json may have {MOST_BYTES >> 20} MB, this file has"
            f" {len(content) / (1 << 20):.1f} MB"
        )
    try:
        document = json.loads(content)
        model = document["model"]
        base = _base_of(document)
        special = [t["content"] for t in document.get("added_tokens") or [] if t["special"]]
        ids = model["vocab"] | {t["content"]: t["id"] for t in document.get("added_tokens") or []}
        symbols = _in_order(ids)
        merges = tuple(_pair(merge, ids) for merge in model["merges"])
        spelled = set(symbols)
        for left, right in merges:
            if symbols[left] + symbols[right] not in spelled:
                raise TextError(
                    f"the file merges {symbols[left]!r} and {symbols[right]!r}, but has no symbol"
                    " for both together"
                )
        fallback = bool(model.get("byte_fallback")) and base == "characters"
        _require_basic_symbols(spelled, base, fallback)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, TextError):
            raise
        raise TextError(
            "the file must be the tokenizer.json of a byte-pair encoding, with a model, its vocab"
            f" and its merges: {type(error).__name__}: {error}"
        ) from error
    return BytePairTokenizer(symbols, merges, base, tuple(special), fallback)


def _decoder(byte_fallback: bool) -> dict[str, Any]:
    parts = [{"type": "ByteFallback"}] if byte_fallback else []
    return {"type": "Sequence", "decoders": [*parts, {"type": "Fuse"}]}


def _base_of(document: dict[str, Any]) -> str:
    """Return whether the file's symbols are made of bytes or characters, if we split texts as it does."""
    model, splitter = document["model"], document.get("pre_tokenizer") or {}
    prefixes = model.get("continuing_subword_prefix") or model.get("end_of_word_suffix")
    if model.get("type", "BPE") != "BPE" or prefixes:
        raise TextError(
            f"only byte-pair encodings can be read here, the file has a {model.get('type')!r} model"
        )
    if model.get("ignore_merges"):
        raise TextError("the file looks whole words up before it merges, which is not done here")
    if document.get("normalizer"):
        raise TextError("the file changes texts before it splits them, which is not done here")
    if splitter.get("type") == "ByteLevel" and splitter.get("use_regex", True):
        if splitter.get("add_prefix_space"):
            raise TextError("the file puts a space before each text, which is not done here")
        return "bytes"
    if splitter == _WORDS:
        return "characters"
    raise TextError(
        "the file splits texts in a way that is not known here: byte-level encodings such as"
        f" GPT-2's can be read, this one has {splitter.get('type')!r}"
    )


def _require_basic_symbols(spelled: set[str], base: str, fallback: bool) -> None:
    """Refuse a file that could not spell every byte: some text would have no tokens."""
    needed = BYTE_SYMBOLS.values() if base == "bytes" else FALLBACK_SYMBOLS if fallback else ()
    missing = [symbol for symbol in needed if symbol not in spelled]
    if missing:
        raise TextError(
            f"the file must have a symbol for each of the 256 bytes, it lacks {len(missing)},"
            f" such as {missing[0]!r}"
        )


def _in_order(ids: dict[str, int]) -> tuple[str, ...]:
    symbols = sorted(ids, key=ids.__getitem__)
    if [ids[symbol] for symbol in symbols] != list(range(len(symbols))):
        raise TextError("the ids of the file's symbols must be 0, 1, 2, ... without a gap")
    return tuple(symbols)


def _pair(merge: Any, ids: dict[str, int]) -> tuple[int, int]:
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    return ids[left], ids[right]
