"""What the parts of a ``tokenizer.json`` mean: which kind of tokenizer it holds, or why it is refused.

Nothing in a file is run: its expressions are compared with the ones known here, never compiled.
"""

from typing import Any, NamedTuple

from lm_core.errors import TextError
from lm_core.text.tokenizers.byte_pair import BYTE_SYMBOLS, FALLBACK_SYMBOLS, BytePairTokenizer
from lm_core.text.tokenizers.metaspace import MetaspaceTokenizer
from lm_core.text.tokenizers.pre_tokenization import GPT2_PIECES, SPACE
from lm_core.text.tokenizers.word_piece import BertText, WordPieceTokenizer

Document = dict[str, Any]
AnyTokenizer = BytePairTokenizer | MetaspaceTokenizer | WordPieceTokenizer

MOST_CHARACTERS = 1_000
"""Of a word that is cut into pieces: the work grows with their square. BERT's have 100 at most."""

WORDS = {
    "type": "Split",
    "pattern": {"Regex": GPT2_PIECES},
    "behavior": "Isolated",
    "invert": False,
}
_VISIBLE_SPACES = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}
_LLAMA_2 = {
    "type": "Sequence",
    "normalizers": [{"type": "Prepend", "prepend": SPACE}, _VISIBLE_SPACES],
}


class _Reading(NamedTuple):
    """How a byte-pair encoding reads texts: its base, its splitter, and the prefix of a metaspace."""

    base: str
    splitter: str = "GPT-2"
    prefix: str | None = None


def tokenizer_of(document: Document) -> AnyTokenizer:
    """Return the tokenizer that a file's content describes.

    Raises
    ------
    TextError
        If it is of a kind that is not known here.
    KeyError, TypeError, ValueError, AttributeError
        If parts are missing, or are not what they should be.
    """
    kind = document["model"].get("type", "BPE")
    if kind == "WordPiece":
        return _word_piece(document)
    if kind == "BPE":
        return _byte_pairs(document)
    raise TextError(
        f"byte-pair encodings and WordPiece can be read here, the file has a {kind!r} model"
    )


def _word_piece(document: Document) -> WordPieceTokenizer:
    model, reading = document["model"], document.get("normalizer") or {}
    splitter = (document.get("pre_tokenizer") or {}).get("type")
    if reading.get("type") != "BertNormalizer" or splitter != "BertPreTokenizer":
        raise TextError(
            "of WordPiece, files that read texts as BERT does can be read here; this one has"
            f" {reading.get('type')!r} and {splitter!r}"
        )
    lowers = bool(reading["lowercase"])
    strips = reading.get("strip_accents")
    symbols = _in_order(model["vocab"] | _added(document))
    mark, longest = model["continuing_subword_prefix"], model["max_input_chars_per_word"]
    if not isinstance(mark, str):
        raise TextError(f"the mark of what goes on a word must be a text, the file has {mark!r}")
    if longest not in range(1, MOST_CHARACTERS + 1):
        raise TextError(
            f"words of 1 to {MOST_CHARACTERS:,} characters can be cut here, the file allows"
            f" {longest!r}"
        )
    return WordPieceTokenizer(
        symbols,
        model["unk_token"],
        mark,
        int(longest),
        BertText(
            clean=bool(reading["clean_text"]),
            parts_chinese=bool(reading["handle_chinese_chars"]),
            strips_accents=lowers if strips is None else bool(strips),
            lowers=lowers,
        ),
    )


def _byte_pairs(document: Document) -> BytePairTokenizer | MetaspaceTokenizer:
    model = document["model"]
    reading = _reading_of(document)
    special = [t["content"] for t in document.get("added_tokens") or [] if t["special"]]
    ids = model["vocab"] | _added(document)
    symbols = _in_order(ids)
    merges = tuple(_pair(merge, ids) for merge in model["merges"])
    spelled = set(symbols)
    for left, right in merges:
        if symbols[left] + symbols[right] not in spelled:
            raise TextError(
                f"the file merges {symbols[left]!r} and {symbols[right]!r}, but has no symbol for"
                " both together"
            )
    fallback = bool(model.get("byte_fallback")) and reading.base == "characters"
    if model.get("fuse_unk") and not fallback and reading.base == "characters":
        raise TextError("the file makes one unknown token of several, which is not done here")
    _require_basic_symbols(spelled, reading.base, fallback)
    pairs = BytePairTokenizer(
        symbols, merges, reading.base, tuple(special), fallback, reading.splitter
    )
    return MetaspaceTokenizer(pairs, reading.prefix) if reading.prefix else pairs


def _reading_of(document: Document) -> _Reading:
    """Return how the file's encoding reads texts, if it is done so here."""
    model, splitter = document["model"], document.get("pre_tokenizer") or {}
    normalizer, kind = document.get("normalizer"), splitter.get("type")
    _require_plain_merging(model)
    if normalizer in (_LLAMA_2, _VISIBLE_SPACES) and not splitter:
        prefix = "always" if normalizer == _LLAMA_2 else "never"
        return _Reading("characters", "nowhere", prefix)
    if normalizer:
        raise TextError("the file changes texts before it splits them, which is not done here")
    if kind == "Metaspace" and splitter["replacement"] == SPACE:
        added = "always" if splitter.get("add_prefix_space", True) else "never"
        has_prefix = splitter.get("prepend_scheme", added) != "never"
        return _Reading(
            "characters",
            "before spaces" if splitter.get("split", True) else "nowhere",
            "where none is" if has_prefix else "never",
        )
    if kind == "ByteLevel" and splitter.get("use_regex", True):
        if splitter.get("add_prefix_space"):
            raise TextError("the file puts a space before each text, which is not done here")
        return _Reading("bytes")
    if splitter == WORDS:
        return _Reading("characters")
    raise TextError(
        "the file splits texts in a way that is not known here: byte-level encodings such as"
        f" GPT-2's and those with visible spaces such as Llama 2's can be read, this one has {kind!r}"
    )


def _require_plain_merging(model: Document) -> None:
    for name in ("continuing_subword_prefix", "end_of_word_suffix"):
        if mark := model.get(name):
            raise TextError(f"the file marks parts of words with {mark!r}, which is not done here")
    if model.get("ignore_merges"):
        raise TextError("the file looks whole words up before it merges, which is not done here")
    if model.get("dropout"):
        raise TextError("the file leaves merges out by chance, which is not done here")


def _require_basic_symbols(spelled: set[str], base: str, fallback: bool) -> None:
    """Refuse a file that could not spell every byte: some text would have no tokens."""
    needed = BYTE_SYMBOLS.values() if base == "bytes" else FALLBACK_SYMBOLS if fallback else ()
    missing = [symbol for symbol in needed if symbol not in spelled]
    if missing:
        raise TextError(
            f"the file must have a symbol for each of the 256 bytes, it lacks {len(missing)},"
            f" such as {missing[0]!r}"
        )


def _added(document: Document) -> dict[str, int]:
    return {str(token["content"]): token["id"] for token in document.get("added_tokens") or []}


def _in_order(ids: dict[str, int]) -> tuple[str, ...]:
    symbols = sorted(ids, key=ids.__getitem__)
    if [ids[symbol] for symbol in symbols] != list(range(len(symbols))):
        raise TextError("the ids of the file's symbols must be 0, 1, 2, ... without a gap")
    return tuple(symbols)


def _pair(merge: Any, ids: dict[str, int]) -> tuple[int, int]:
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    return ids[left], ids[right]
