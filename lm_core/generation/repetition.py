"""Loops: finding where a text has begun to repeat itself, and seeing why it cannot stop.

A writer that always takes the likeliest character is a deterministic machine. What it writes next
depends on its state alone, so if the state ever recurs, everything that followed follows again. A
count table's state is the last few characters, and recurs exactly. A recurrent network's is a point
in a space of real numbers and almost never recurs; instead each round brings it nearer to where the
last one did. The loop is an attractor: the distance between rounds shrinks towards zero.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError
from lm_core.models.language_model import LanguageModel, State


@dataclass(frozen=True)
class Loop:
    """The tail of a text that repeats itself."""

    start: int
    """First character of the tail."""
    period: int
    """Characters per round."""
    repeats: int
    """Whole rounds from `start` to the end of the text, at least 2."""


@dataclass(frozen=True)
class Recurrence:
    """What a model's memory does while a loop goes round."""

    distances: tuple[float, ...]
    """Distance between the states one period apart, relative to the state's own length: item j
    is that from before round j to after it. 0 means the same state."""

    @property
    def is_exact(self) -> bool:
        """Whether the last round led back to the very same state, so that nothing can ever change."""
        return self.distances[-1] == 0.0


def find_loop(
    ids: np.ndarray, minimum_repeats: int = 3, minimum_length: int = 24, window: int = 2000
) -> Loop | None:
    """Return the loop of the smallest period in which a text ends, or None.

    Raises SettingError if `minimum_repeats` is below 2.

    Parameters
    ----------
    ids : int ndarray of shape (T,)
    minimum_repeats : int
        Whole rounds that the tail must hold, at least 2; a text may say something twice by chance.
    minimum_length : int, characters that the tail must hold; without it, every doubled letter were a loop
    window : int, characters at the end of the text that are searched

    Notes
    -----
    Read backwards, the tail is a beginning. The longest proper border of a beginning (a stretch
    that both opens and closes it) leaves over its smallest period, and the borders of all
    beginnings take linear time (Knuth, Morris & Pratt 1977).

    Examples
    --------
    >>> find_loop(np.array([9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1]), minimum_length=6)
    Loop(start=1, period=3, repeats=3)
    """
    if minimum_repeats < 2:
        raise SettingError(f"minimum_repeats must be at least 2, got {minimum_repeats}")
    backwards = np.asarray(ids)[-window:][::-1].tolist()
    best_period, best_length = len(backwards) + 1, 0
    for length, border in enumerate(_borders(backwards), start=1):
        period = length - border
        long_enough = length >= max(minimum_repeats * period, minimum_length)
        if long_enough and period <= best_period:
            best_period, best_length = period, length
    if best_length == 0:
        return None
    return Loop(len(ids) - best_length, best_period, best_length // best_period)


def _borders(symbols: list[int]) -> list[int]:
    """Return the length of the longest proper border of each beginning of a sequence."""
    borders = [0] * len(symbols)
    border = 0
    for i in range(1, len(symbols)):
        while border and symbols[i] != symbols[border]:
            border = borders[border - 1]
        border += symbols[i] == symbols[border]
        borders[i] = border
    return borders


@torch.no_grad()
def recurrence(model: LanguageModel, ids: np.ndarray, loop: Loop) -> Recurrence:
    """Read a text and compare the model's states at the same point of each round of its loop.

    Raises ShapeError if the state grows with the text, as a key-value cache does: then it never
    recurs.

    Parameters
    ----------
    model : LanguageModel, of a state that keeps its shape while it reads
    ids : int ndarray of shape (T,), the text in which `loop` was found
    """
    tokens = torch.as_tensor(np.asarray(ids))[None]  # (1, T)
    rounds = loop.start + loop.period * np.arange(loop.repeats + 1)
    state, read, vectors = model.initial_state(1), 0, []
    for end in rounds.tolist():
        if end > read:
            _, state = model(tokens[:, read:end], state)
        vectors.append(_as_vector(state))
        read = end
    return Recurrence(tuple(_relative_distance(*pair) for pair in pairwise(vectors)))


def _as_vector(state: State) -> Tensor:
    return torch.cat([tensor.flatten().double() for tensor in state])


def _relative_distance(before: Tensor, after: Tensor) -> float:
    if before.shape != after.shape:
        raise ShapeError(
            f"states must keep their shape, got {len(before)} and then {len(after)} numbers:"
            " a memory that grows never returns to where it was"
        )
    difference = float((after - before).norm())
    return difference / float(after.norm()) if difference else 0.0
