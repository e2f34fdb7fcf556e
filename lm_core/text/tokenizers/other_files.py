"""What a JSON file is that somebody takes for a ``tokenizer.json``, and which file to choose instead."""

import json
import re
from typing import Any

from lm_core.text.kinds_of_files import is_marked_up, what_a_file_is

_CHOOSE = "choose the file tokenizer.json beside it"
_SAVE = (
    "Build a tokenizer with the library tokenizers, such as WordLevel, and save it by"
    " tokenizer.save('tokenizer.json')"
)
_KERAS = (
    "this is a Tokenizer of Keras, a list of whole words, and not of the library tokenizers. Make a"
    " WordLevel of its word_index with that library, and save it by tokenizer.save('tokenizer.json')"
)


_BYTES = (
    (re.compile(rb"[A-Za-z0-9+/]+=+ \d+\r?\n"), "a table of tiktoken's, bytes and their ranks"),
    (re.compile(rb"\n.\n.<[a-z]+>|\n.{1,3}<[a-z]+>", re.DOTALL), "a model of SentencePiece"),
    (
        re.compile(rb"(?:<\w+>\t0\r?\n)+"),
        "a list of SentencePiece's symbols, without the rules for them",
    ),
    (
        re.compile(rb"(?:\[[A-Za-z0-9]+\]\r?\n){2,}"),
        "a vocab.txt, a list of WordPiece's symbols without the rules for them",
    ),
    (re.compile(rb"\d+ '"), "a vocabulary of RWKV"),
    (
        re.compile(rb"#version: |[^\s{[]+ [^\s{[]+\r?\n[^\s{[]+ [^\s{[]+\r?\n"),
        "a merges.txt, merges without a vocabulary",
    ),
)


def what_bytes_are(content: bytes) -> str:
    """Return what a file is that is no JSON, and what to do.

    Examples
    --------
    >>> what_bytes_are(b'{"version": "1.0", "model"')
    'it ends too early: copy or download it again'
    """
    if is_marked_up(content):
        return "this is the source of a web page: download the file itself"
    if what := what_a_file_is(content):
        return f"this is {what}: {'download the file itself' if 'LFS' in what else _CHOOSE}"
    if not content.strip():
        return "it is empty: copy or download it again"
    for beginning, what in _BYTES:
        if beginning.match(content):
            return f"this is {what}: {_CHOOSE}"
    begins = content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"{", b"["))
    if begins and not content.rstrip().endswith((b"}", b"]")):
        return "it ends too early: copy or download it again"
    return f"it is no JSON{_from_where(content)}: {_CHOOSE}, or download it again"


def _from_where(content: bytes) -> str:
    """Return from which line on a file is no JSON; empty where it is none at all."""
    try:
        json.loads(content)
    except json.JSONDecodeError as error:
        return f" from line {error.lineno}, character {error.colno} on" if error.pos else ""
    except UnicodeDecodeError:
        return ""
    return ""


def what_it_is(document: Any) -> str:
    """Return what a file is, and what to do, in sentences; empty where that is not known.

    Examples
    --------
    >>> what_it_is({"tokenizer_class": "GPT2Tokenizer"}).partition(":")[0]
    'this is a tokenizer_config.json, which holds settings and no vocabulary'
    """
    if isinstance(document, str) and '"class_name"' in document[:200]:
        return _KERAS
    if isinstance(document, list):
        return f"this is a list of {len(document):,} entries, without a model: {_CHOOSE}"
    if not isinstance(document, dict):
        return ""
    if document.get("class_name") == "Tokenizer" or "word_index" in document:
        return _KERAS
    if "tokenizer_class" in document or "chat_template" in document:
        return f"this is a tokenizer_config.json, which holds settings and no vocabulary: {_CHOOSE}"
    if "architectures" in document or "hidden_size" in document or "model_type" in document:
        return f"this is a config.json, which describes a network: {_CHOOSE}"
    if "eos_token_id" in document:
        return f"this is a generation_config.json, which says how texts are generated: {_CHOOSE}"
    if "bos_token" in document or "unk_token" in document:
        return f"this is a special_tokens_map.json, which holds no vocabulary: {_CHOOSE}"
    if "weight_map" in document:
        return f"this is the index of a model's weights: {_CHOOSE}"
    if document and _numbers_symbols(document) and all(map(_is_mark, document)):
        return f"this is an added_tokens.json, marks without the other symbols: {_CHOOSE}"
    if any(isinstance(value, dict) and _numbers_symbols(value) for value in document.values()):
        name = next(n for n, value in document.items() if isinstance(value, dict))
        return (
            f"this is a table of symbols and their numbers (“{name[:20]}”), without the rules by which a"
            f" text is split. {_SAVE}"
        )
    if document and _numbers_symbols(document):
        return (
            "this is a vocab.json, symbols and their numbers without the merges that spell words:"
            f" {_CHOOSE}, which holds both"
        )
    return ""


def _numbers_symbols(table: dict[str, Any]) -> bool:
    return bool(table) and all(type(number) is int for number in table.values())


def _is_mark(symbol: str) -> bool:
    return symbol.startswith(("<", "[")) and symbol.endswith((">", "]"))
