"""Our byte-pair encodings as files ``tokenizer.json``, which Hugging Face's library reads too.

Files of others are read by `lm_core.text.tokenizers.hugging_face`.
"""

import json
from pathlib import Path
from typing import Any

from lm_core.assets import absence, shown
from lm_core.errors import LMCoreError, TextError
from lm_core.text.tokenizers.byte_pair import GPT2_PATTERN, BytePairTokenizer

_BYTE_LEVEL = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": True,
    "use_regex": True,
}
_WORDS = {
    "type": "Split",
    "pattern": {"Regex": GPT2_PATTERN},
    "behavior": "Isolated",
    "invert": False,
}


def to_tokenizer_json(tokenizer: BytePairTokenizer) -> bytes:
    """Return the file that holds a tokenizer."""
    return (json.dumps(_document(tokenizer), ensure_ascii=False, indent=1) + "\n").encode()


def from_tokenizer_json(content: bytes) -> BytePairTokenizer:
    """Read what `to_tokenizer_json` wrote; raises TextError if it is something else."""
    try:
        document = json.loads(content)
        model, ids = document["model"], document["model"]["vocab"]
        tokenizer = BytePairTokenizer(
            tuple(sorted(ids, key=ids.__getitem__)),
            tuple((ids[left], ids[right]) for left, right in model["merges"]),
            "bytes" if document["pre_tokenizer"] == _BYTE_LEVEL else "characters",
            tuple(token["content"] for token in document["added_tokens"]),
            model["byte_fallback"],
        )
    except (LMCoreError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise TextError(
            f"the file must hold a byte-pair encoding of ours: {type(error).__name__}: {error}"
        ) from error
    if _document(tokenizer) != document:
        raise TextError("the file must hold a byte-pair encoding of ours, this is another kind")
    return tokenizer


def shipped_tokenizer(path: Path) -> BytePairTokenizer:
    """Read a byte-pair encoding of ours that comes with the project.

    Raises TextError if the file is missing or damaged.
    """
    try:
        return from_tokenizer_json(path.read_bytes())
    except OSError as error:
        missing = absence() or f"no readable byte-pair encoding in {shown(path)}: {error.strerror}"
        raise TextError(missing) from error
    except TextError as error:
        raise TextError(f"{shown(path)} is damaged: {error}") from error


def _document(tokenizer: BytePairTokenizer) -> dict[str, Any]:
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
    return {
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
            "unk_token": tokenizer.unknown,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": tokenizer.byte_fallback,
            "ignore_merges": False,
            "vocab": {symbol: i for i, symbol in enumerate(symbols)},
            "merges": [[symbols[left], symbols[right]] for left, right in tokenizer.merges],
        },
    }


def _decoder(byte_fallback: bool) -> dict[str, Any]:
    parts = [{"type": "ByteFallback"}] if byte_fallback else []
    return {"type": "Sequence", "decoders": [*parts, {"type": "Fuse"}]}
