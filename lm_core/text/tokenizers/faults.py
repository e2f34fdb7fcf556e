"""What is wrong with a ``tokenizer.json`` that has the right parts, in words where the library has none."""

from collections.abc import Iterator
from typing import Any

Part = dict[str, Any]
_MODELS = ("BPE", "WordPiece", "Unigram", "WordLevel")
_MOST_IDS = 1 << 32


def fault_of(document: Part) -> str:
    """Return what makes a tokenizer unusable, and what to do; empty where nothing is known.

    Examples
    --------
    >>> fault_of({"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}})
    'ids must be whole numbers from 0 on, “a” has -1: build the file again with the library tokenizers'
    """
    return next(_faults(document["model"]), "")


def _faults(model: Part) -> Iterator[str]:
    kind, vocab = model.get("type", "BPE"), model["vocab"]
    again = "build the file again with the library tokenizers"
    if kind not in _MODELS:
        yield f"its model is {str(kind)[:30]!r}, and {', '.join(_MODELS)} are read: choose a file with one of these"
    if not vocab:
        yield f"its vocabulary is empty, so every text would be lost: {again}"
    if not isinstance(vocab, dict):
        return
    for symbol, number in vocab.items():
        if type(number) is not int or not 0 <= number < _MOST_IDS:
            yield f"ids must be whole numbers from 0 on, “{symbol[:30]}” has {number!r}: {again}"
    for merge in model.get("merges") or ():
        pair = merge.split(" ") if isinstance(merge, str) else list(merge)
        prefix = model.get("continuing_subword_prefix") or ""
        whole = pair[0] + pair[-1].removeprefix(prefix)
        if len(pair) != 2 or not {*pair, whole} <= vocab.keys():
            yield f"its merge “{' '.join(pair)[:30]}” is of symbols that the vocabulary lacks: {again}"
            return
    unknown = model.get("unk_token")
    if kind in ("WordPiece", "WordLevel") and unknown not in vocab:
        yield (
            f"“{unknown}”, its symbol for what the vocabulary does not hold, is not in the vocabulary itself: add"
            " it, and save the file again"
        )
