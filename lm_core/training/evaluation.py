"""The yardstick: nats per character of a language model on a text, under three protocols.

A   cold windows: each window of 64 characters starts from an empty state, as published figures
    measure. Much of the loss is the price of starting cold.
B   carried: one pass over the text, the state carried from its first character to its last.
B'  as B, without the Project Gutenberg licence at the end of the file.

Every model is scored on identical characters; the loss of a token of several characters is spread
over them. The standard error treats blocks of neighbouring
characters as one observation each, because characters next to each other are far from independent.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import TextError
from lm_core.models.language_model import LanguageModel

BLOCK = 5_000
"""Characters that count as one observation in the standard error."""


@dataclass(frozen=True)
class Score:
    """A mean loss and how far it can be trusted."""

    nats: float
    """Mean nats per character."""
    standard_error: float
    """Of the mean, from blocks of `BLOCK` characters."""
    n_characters: int
    """Characters scored, repeats included."""

    @property
    def bits(self) -> float:
        """Mean bits per character."""
        return self.nats / math.log(2.0)


def score(losses: np.ndarray, block: int = BLOCK) -> Score:
    """Summarise the losses of consecutive characters, shape (N,), in nats.

    Examples
    --------
    >>> score(np.array([1.0, 3.0, 1.0, 3.0]), block=2)
    Score(nats=2.0, standard_error=0.0, n_characters=4)
    """
    n_blocks = len(losses) // block
    means = losses[: n_blocks * block].reshape(n_blocks, block).mean(1)
    error = float(means.std(ddof=1) / math.sqrt(n_blocks)) if n_blocks > 1 else math.nan
    return Score(float(losses.mean()), error, len(losses))


@torch.no_grad()
def carried_losses(
    model: LanguageModel,
    tokens: Tensor,
    *,
    chunk: int = 2_000,
    on_progress: Callable[[float], None] | None = None,
) -> np.ndarray:
    """Read a text once from an empty state and return the loss of every character but the first.

    The result: ndarray of float64, shape (N - 1,), nats.

    Parameters
    ----------
    model : LanguageModel, in evaluation mode
    tokens : int64 Tensor of shape (N,)
    chunk : int, characters per call; changes memory, not the result
    on_progress : callable, receives the share that is done, from 0 to 1
    """
    _require_text(tokens, 2)
    state, parts = model.initial_state(1), []
    for start in range(0, len(tokens) - 1, chunk):
        stop = min(start + chunk, len(tokens) - 1)
        logits, state = model(tokens[None, start:stop], state)
        losses = F.cross_entropy(logits[0].double(), tokens[start + 1 : stop + 1], reduction="none")
        parts.append(losses.numpy())
        if on_progress:
            on_progress(stop / (len(tokens) - 1))
    return np.concatenate(parts)


def cold_window_losses(
    model: LanguageModel,
    tokens: Tensor,
    *,
    window: int = 64,
    stride: int = 8,
    batch: int = 512,
    on_progress: Callable[[float], None] | None = None,
) -> np.ndarray:
    """Read every `stride`-th window of a text from an empty state.

    The repository christianb93/MLLM uses every offset (stride 1); neighbouring windows share nearly all of
    their characters, so a stride of 8 has the same mean at an eighth of the work.

    Returns
    -------
    ndarray of float64, shape (n_windows, window)
        Nats; column t is the loss of the character that follows t + 1 characters of context.
    """
    _require_text(tokens, window + 1)
    windows = tokens.unfold(0, window + 1, stride)
    return window_losses(model, windows, batch=batch, on_progress=on_progress)


def short_context_losses(
    model: LanguageModel, tokens: Tensor, places: Tensor, context: int, *, batch: int = 250
) -> np.ndarray:
    """Predict the tokens at some places of a text, each from the few before it and an empty state.

    The result: ndarray of float64, shape (P,), nats.

    Parameters
    ----------
    model : LanguageModel, in evaluation mode
    tokens : int64 Tensor of shape (N,)
    places : int64 Tensor of shape (P,), of the tokens to predict, each at least `context`
    context : int, tokens that the model may see, at least 1
    """
    _require_text(tokens, context + 1)
    windows = tokens.unfold(0, context + 1, 1)[places - context]
    return window_losses(model, windows, slice(-1, None), batch=batch)[:, 0]


@torch.no_grad()
def window_losses(
    model: LanguageModel,
    windows: Tensor,
    scored: slice = slice(None),
    *,
    batch: int,
    on_progress: Callable[[float], None] | None = None,
) -> np.ndarray:
    """Read windows, each from an empty state, and return the losses of all their tokens but the first.

    The result: ndarray of float64, shape (n_windows, T or fewer), nats.

    Parameters
    ----------
    model : LanguageModel, in evaluation mode
    windows : int64 Tensor of shape (n_windows, T + 1)
    scored : slice, which of the T predictions are wanted
    """
    parts = []
    for start in range(0, len(windows), batch):
        part = windows[start : start + batch]
        logits, _ = model(part[:, :-1], model.initial_state(len(part)))
        logits, targets = logits[:, scored], part[:, 1:][:, scored]
        losses = F.cross_entropy(logits.flatten(0, 1).double(), targets.flatten(), reduction="none")
        parts.append(losses.view(targets.shape).cpu().numpy())
        if on_progress:
            on_progress(min(1.0, (start + batch) / len(windows)))
    return np.concatenate(parts)


def per_character(losses: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return the losses of tokens spread evenly over the characters that they stand for.

    `losses`, `lengths`: ndarrays of shape (N,), nats and number of characters of each token.

    Examples
    --------
    >>> per_character(np.array([3.0, 1.0]), np.array([2, 1])).tolist()
    [1.5, 1.5, 1.0]
    """
    return np.repeat(losses / lengths, lengths)


def mixed_losses(first: np.ndarray, second: np.ndarray, weight: float) -> np.ndarray:
    """Return the losses of two models mixed, ``weight * p_first + (1 - weight) * p_second``.

    Parameters
    ----------
    first, second : ndarray of shape (N,), losses in nats of the same characters
    weight : float in (0, 1)
    """
    return -np.logaddexp(math.log(weight) - first, math.log1p(-weight) - second)


def _require_text(tokens: Tensor, shortest: int) -> None:
    if len(tokens) < shortest:
        raise TextError(f"the text must have at least {shortest} characters, it has {len(tokens)}")
