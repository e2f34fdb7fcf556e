"""Tokenizers in the format ``tokenizer.json``, which Hugging Face's library reads too.

Of that format's many kinds, four are read: what this project writes, byte-level encodings such as
GPT-2's, encodings with visible spaces such as Llama 2's, and WordPiece as in BERT.
"""

import json
from typing import Any

from lm_core.errors import LMCoreError, TextError
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.tokenizer_kinds import WORDS, AnyTokenizer, tokenizer_of

MOST_BYTES = 16 << 20
"""Longest file that is read; GPT-2's has 1.4 MB."""

_BYTE_LEVEL = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": True,
    "use_regex": True,
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
        "pre_tokenizer": _BYTE_LEVEL if is_bytes else WORDS,
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


def from_tokenizer_json(content: bytes) -> AnyTokenizer:
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
        return tokenizer_of(json.loads(content))
    except LMCoreError as error:
        raise TextError(str(error)) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise TextError(
            "the file must be the tokenizer.json of a byte-pair encoding or of WordPiece, with a"
            f" model and its vocab: {type(error).__name__}: {error}"
        ) from error


def _decoder(byte_fallback: bool) -> dict[str, Any]:
    parts = [{"type": "ByteFallback"}] if byte_fallback else []
    return {"type": "Sequence", "decoders": [*parts, {"type": "Fuse"}]}
