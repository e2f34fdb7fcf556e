"""Attention small enough to follow with a pencil: the lecture notes' example, and typed matrices."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, TextError
from lm_core.models.attention import attend, causal_mask

WORDS = ("a", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog")
FOX = 3
"""Place of the query word."""

PRINTED_SCORES = (4.0, 6.0, 6.1, 4.0, 6.0, 1.0, -3.0, -4.0, -3.0)
PRINTED_WEIGHTS = (0.05, 0.36, 0.40, 0.06, 0.13, 0.0, 0.0, 0.0, 0.0)
"""As the lecture notes have them; no softmax of the printed scores gives them."""

MOST_ROWS, MOST_COLUMNS, LARGEST = 4, 4, 100.0
_TRIED = torch.arange(-100, 101, dtype=torch.float64) / 10
_SEPARATORS = re.compile(r"[\s,;]+")


class SingleEdit(NamedTuple):
    """The best change of one score alone."""

    place: int
    """Which score, from 0."""
    score: float
    """Its best value, of -10, -9.9, ..., 10."""
    distance: float
    """In [0, 1]. `distance` between the weights that follow and those that were wanted."""


def weights_of(
    scores: Sequence[float], place: int, *, is_causal: bool = False, divisor: float = 1.0
) -> Tensor:
    """Return the attention weights of one word from its scores.

    Raises SettingError if the place is not one of the words', or the divisor not positive.

    The result: float64 Tensor of shape (T,).

    Parameters
    ----------
    scores : sequence of T float
    place : int, of the query word, from 0
    is_causal : bool, whether the words after it are masked
    divisor : float, above 0, what the scores are divided by before the softmax
    """
    keys = torch.tensor(scores, dtype=torch.float64)[:, None]
    if not 0 <= place < len(keys):
        raise SettingError(f"place must lie in [0, {len(keys) - 1}], got {place}")
    if not divisor > 0.0:
        raise SettingError(f"divisor must be positive, got {divisor}")
    mask = causal_mask(len(keys))[place : place + 1] if is_causal else None
    # A query of 1 makes each key of one number its own score.
    return attend(keys.new_ones(1, 1), keys, keys, mask, scale=1.0 / divisor).weights[0]


def distance(weights: Tensor, others: Tensor) -> Tensor:
    """Return which share of the weight would have to move, (...): 0 the same, 1 nothing in common.

    `weights`, `others`: Tensor of shape (..., T).
    """
    return (weights - others).abs().sum(-1) / 2


def single_edits(
    scores: Sequence[float], wanted: Sequence[float], **settings: float
) -> list[SingleEdit]:
    """Find for each score the value that brings the weights nearest to given ones, the others fixed.

    Parameters
    ----------
    scores, wanted : sequences of T float, scores, and the weights that should follow from them
    **settings
        `divisor`, as for `weights_of`.
    """
    target = torch.tensor(wanted, dtype=torch.float64)
    edits = []
    for place in range(len(scores)):
        tried = torch.tensor(scores, dtype=torch.float64).repeat(len(_TRIED), 1)
        tried[:, place] = _TRIED
        weights = (tried / settings.get("divisor", 1.0)).softmax(-1)
        nearest = distance(weights, target).min(0)
        edits.append(SingleEdit(place, float(_TRIED[nearest.indices]), float(nearest.values)))
    return edits


def read_matrix(typed: str, name: str) -> Tensor:
    r"""Return a small matrix that somebody typed: a line for each row, numbers apart by spaces.

    Raises TextError if there is no number, something else than numbers, too many of them, a number
    beyond `LARGEST`, or rows of different lengths.

    `name`: str, by which messages call it. The result: float64 Tensor of shape (rows, columns), at
    most `MOST_ROWS` by `MOST_COLUMNS`.

    Examples
    --------
    >>> read_matrix("1 0\n0.5, -2", "Q").tolist()
    [[1.0, 0.0], [0.5, -2.0]]
    """
    lines = [line.strip(" \t,;[]") for line in typed.splitlines()]
    rows = [_numbers(line, name) for line in lines if line]
    if not rows:
        raise TextError(f"{name} needs at least one row of numbers, got none")
    if len(rows) > MOST_ROWS or max(map(len, rows)) > MOST_COLUMNS:
        raise TextError(
            f"{name} may have at most {MOST_ROWS} rows of {MOST_COLUMNS} numbers, got"
            f" {len(rows)} rows, the longest of {max(map(len, rows))}"
        )
    lengths = {len(row) for row in rows}
    if len(lengths) > 1:
        raise TextError(
            f"all rows of {name} must be of one length, got rows of"
            f" {' and '.join(map(str, sorted(lengths)))} numbers"
        )
    return torch.tensor(rows, dtype=torch.float64)


def _numbers(line: str, name: str) -> list[float]:
    numbers = []
    for part in _SEPARATORS.split(line):
        try:
            number = float(part.replace("\N{MINUS SIGN}", "-"))
        except ValueError:
            raise TextError(f"{name} must hold numbers, got {part[:20]!r}") from None
        if not math.isfinite(number) or abs(number) > LARGEST:
            raise TextError(f"numbers of {name} must lie within ±{LARGEST:g}, got {part[:20]!r}")
        numbers.append(number)
    return numbers
