"""A list of given names as a text of 27 symbols, split as in makemore's notebooks."""

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lm_core.errors import TextError
from lm_core.text.catalogue import NAMES
from lm_core.text.corpora import load_text

END = "."
"""Ends every name, and stands before its first letter."""

SYMBOLS = (END, *"abcdefghijklmnopqrstuvwxyz")
"""Symbol of each id; `END` has id 0."""

_ID = {symbol: i for i, symbol in enumerate(SYMBOLS)}
_SEED = 42
_TRAIN, _DEVELOPMENT = 0.8, 0.9


class NameSplit(NamedTuple):
    """The names in three parts."""

    train: tuple[str, ...]
    validation: tuple[str, ...]
    test: tuple[str, ...]
    """`train`, `validation` and `test`: 80 %, 10 % and 10 %."""


def load_names() -> tuple[str, ...]:
    """Return all names in the order of their file.

    Raises CorpusUnavailableError if the list is not on this machine.
    """
    return tuple(load_text(NAMES.name).split())


def split_names(names: Sequence[str]) -> NameSplit:
    """Shuffle with Python's random seed 42 and cut at 80 % and 90 %, as the notebooks do."""
    shuffled = list(names)
    random.Random(_SEED).shuffle(shuffled)
    first, second = int(_TRAIN * len(shuffled)), int(_DEVELOPMENT * len(shuffled))
    return NameSplit(
        tuple(shuffled[:first]), tuple(shuffled[first:second]), tuple(shuffled[second:])
    )


def encode_name(name: str) -> np.ndarray:
    """Return the ids of a name's letters, without the end.

    Raises TextError if it holds anything but the letters a to z.

    Examples
    --------
    >>> encode_name("abe").tolist()
    [1, 2, 5]
    """
    foreign = sorted(set(name) - set(SYMBOLS[1:]))
    if foreign:
        raise TextError(
            f"a name may have the letters a to z only, because the network has learned no others, got {' '.join(foreign)}"
        )
    return np.array([_ID[letter] for letter in name], np.int64)


def name_stream(
    names: Sequence[str], context_size: int, symbols: Sequence[str] = SYMBOLS
) -> tuple[np.ndarray, np.ndarray]:
    """Return names as one row of ids with gaps of `END`, and which of these are to be predicted.

    A gap is as long as the context, so that no name is read after another one. Predicted are the
    letters and the first `END` after them.

    Parameters
    ----------
    context_size : int, symbols that a model looks back at
    symbols : sequence of str, of each id, `END` first

    Returns
    -------
    ids : int64 ndarray of shape (N,)
    is_predicted : bool ndarray of shape (N,)

    Examples
    --------
    >>> ids, is_predicted = name_stream(["ab"], 2)
    >>> ids.tolist(), is_predicted.astype(int).tolist()
    ([0, 0, 1, 2, 0, 0], [0, 0, 1, 1, 1, 0])
    """
    gap = END * max(context_size, 1)
    text = gap + "".join(name + gap for name in names)
    numbers = _ID if symbols is SYMBOLS else {symbol: i for i, symbol in enumerate(symbols)}
    ids = np.array([numbers[symbol] for symbol in text], np.int64)
    is_letter = ids > 0
    is_end = np.zeros_like(is_letter)
    is_end[1:] = is_letter[:-1] & ~is_letter[1:]
    return ids, is_letter | is_end
