"""Shannon's guessing game: how many bits a letter has for whoever guesses it, and for a model.

A player guesses each letter of a line until it is right. With q_i the share of the letters that were
right at guess i, the entropy of the letter, given the letters before it, lies between

    sum_i i (q_i - q_{i+1}) log2 i    and    - sum_i q_i log2 q_i.

References
----------
Shannon 1951, "Prediction and Entropy of Printed English".
https://www.princeton.edu/~wbialek/rome/refs/shannon_51.pdf
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from lm_core.errors import SettingError, TextError
from lm_core.models.language_model import LanguageModel


class EntropyBounds(NamedTuple):
    """Between how many bits the entropy of a letter lies."""

    low: float
    high: float


def entropy_bounds(guesses: Sequence[int], most: int) -> EntropyBounds:
    """Return Shannon's bounds from the number of guesses that each letter took.

    Raises SettingError if there is none or one is out of range.

    Parameters
    ----------
    guesses : sequence of int, at least one, each from 1 to `most`
    most : int, letters of the alphabet

    Examples
    --------
    >>> entropy_bounds([1, 1, 1, 1], 27)
    EntropyBounds(low=0.0, high=0.0)
    >>> entropy_bounds([1, 2], 2)
    EntropyBounds(low=1.0, high=1.0)
    """
    if not guesses or not 1 <= min(guesses) <= max(guesses) <= most:
        raise SettingError(f"guesses must lie in [1, {most}] and there must be one, got {guesses}")
    shares = np.bincount(guesses, minlength=most + 2)[1:] / len(guesses)
    # The bounds hold for the shares in falling order; so few letters need not have them so.
    shares = np.sort(shares)[::-1]
    place = np.arange(1, most + 1)
    low = float((place * (shares[:-1] - shares[1:]) * np.log2(place)).sum())
    positive = shares[shares > 0]
    return EntropyBounds(low, float(-(positive * np.log2(positive)).sum()) + 0.0)


@torch.no_grad()
def letter_bits(
    model: LanguageModel, before: np.ndarray, ids: np.ndarray, allowed: np.ndarray
) -> np.ndarray:
    """Return the bits that each letter of a line costs a model which knows that only some are possible.

    Raises TextError if the line has a letter that is not allowed.

    The result: float64 ndarray of shape (T,).

    Parameters
    ----------
    before : int ndarray of shape (B,), B > 0, what the model reads before the line
    ids : int ndarray of shape (T,), the line
    allowed : int ndarray
        The ids among which the player chooses; the model's probabilities of these are divided by their sum.
    """
    if not np.isin(ids, allowed).all() or not len(before):
        raise TextError("a line may have allowed letters only, after at least one symbol")
    tokens = torch.from_numpy(np.concatenate([before, ids]))[None]
    logits, _ = model(tokens[:, :-1], model.initial_state(1))
    rows = logits[0, len(before) - 1 :].double()
    possible = rows[:, torch.from_numpy(allowed)].logsumexp(1)
    chosen = rows.gather(1, torch.from_numpy(ids)[:, None])[:, 0]
    return ((possible - chosen) / math.log(2.0)).numpy()


def branching_factor(bits: float) -> float:
    """Return the perplexity: between how many equally likely letters so many bits choose.

    Examples
    --------
    >>> branching_factor(3.0)
    8.0
    """
    return float(2.0**bits)
