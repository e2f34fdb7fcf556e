"""What a masked language model expects in one gap, or in several: at once, or one after another.

In several gaps the model predicts each by itself: its distributions say nothing of which word goes
with which. The probability of two words together is not their product but, by the chain rule,
``p(a, b) = p(a) p(b | a) = p(b) p(a | b)``. For a masked language model the two sides differ: its
conditional distributions belong to no joint one, so that even the order of filling matters.

References
----------
Ghazvininejad et al. 2019, "Mask-Predict" (most certain gaps first). https://arxiv.org/abs/1904.09324
Young, Du & You 2024, "Inconsistencies in Masked Language Models". https://arxiv.org/abs/2301.00068
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.language_model import LanguageModel
from lm_core.models.masked_language_model import MaskedLanguageModel, gap_probabilities

AT_ONCE, LEFT_FIRST, RIGHT_FIRST, CERTAIN_FIRST = (
    "at once",
    "left to right",
    "right to left",
    "most certain first",
)
ORDERS = (AT_ONCE, LEFT_FIRST, RIGHT_FIRST, CERTAIN_FIRST)


def covered(tokens: Tensor, places: Sequence[int], mask_id: int) -> Tensor:
    """Return a text, int64 (N,), with ``[MASK]`` at some places."""
    text = tokens.clone()
    text[list(places)] = mask_id
    return text


@torch.no_grad()
def left_probabilities(causal: LanguageModel, tokens: Tensor) -> Tensor:
    """Return what a causal model expects at each place of a text from what is left of it.

    The result: float32 Tensor of shape (N - 1, V), row i is for place i + 1: nothing stands before the first.

    Parameters
    ----------
    causal : LanguageModel, in evaluation mode
    tokens : int64 Tensor of shape (N,)
    """
    logits, _ = causal(tokens[None, :-1], causal.initial_state(1))
    probabilities: Tensor = logits[0].softmax(-1)
    return probabilities


def both_sides_probabilities(
    model: MaskedLanguageModel, tokens: Tensor, gaps: Sequence[int], word: range
) -> Tensor:
    """Return what a masked model expects at each token of a covered word, the ones before it known.

    So the word's probability is, by the chain rule, the product of its tokens'.

    The result: float32 Tensor of shape (tokens of the word, V).

    Parameters
    ----------
    tokens : int64 Tensor of shape (N,)
    gaps : sequence of int, all covered places, those of other words included
    word : range, places of the word's tokens, all of them gaps
    """
    rows = [
        covered(tokens, [g for g in gaps if g not in word[:i]], model.config.mask_id)
        for i in range(len(word))
    ]
    places = torch.tensor(list(word))[:, None]
    return gap_probabilities(model, torch.stack(rows), places)[:, 0]


class PairProbabilities(NamedTuple):
    """Two gaps, filled in three ways."""

    first: Tensor
    second: Tensor
    """`first` and `second`: int64, of shape (K,). The most probable tokens of each gap while
    both are covered, most probable first."""
    at_once: Tensor
    """Of shape (K, K). ``p(a) p(b)``, a of the first gap a row."""
    left_first: Tensor
    """Of shape (K, K). ``p(a) p(b | a)``."""
    right_first: Tensor
    """Of shape (K, K). ``p(b) p(a | b)``."""


def pair_probabilities(
    model: MaskedLanguageModel, tokens: Tensor, gaps: tuple[int, int], most: int = 6
) -> PairProbabilities:
    """Return how probable the best pairs of tokens are, by each way to fill two gaps.

    Raises SettingError if both are one place.

    Parameters
    ----------
    tokens : int64 Tensor of shape (N,), with ``[MASK]`` at whatever else is covered
    gaps : pair of int, two different places
    most : int, K
    """
    left, right = gaps
    if left == right:
        raise SettingError(f"the two gaps must be different places, got {left} twice")
    text = covered(tokens, gaps, model.config.mask_id)
    alone = gap_probabilities(model, text[None], torch.tensor([gaps]))[0]  # (2, V)
    a, b = alone[0].topk(most), alone[1].topk(most)
    given_left = text.repeat(most, 1)
    given_left[:, left] = a.indices
    given_right = text.repeat(most, 1)
    given_right[:, right] = b.indices
    places = torch.tensor([[right]] * most + [[left]] * most)
    known = gap_probabilities(model, torch.cat([given_left, given_right]), places)[:, 0]
    second, first = known[:most][:, b.indices], known[most:][:, a.indices].T  # (K, K) each
    return PairProbabilities(
        a.indices,
        b.indices,
        a.values[:, None] * b.values,
        a.values[:, None] * second,
        b.values * first,
    )


class Filled(NamedTuple):
    """Gaps that were filled."""

    tokens: Tensor
    """int64, of shape (N,)."""
    order: tuple[int, ...]
    """Places, the one that was filled first before the others."""
    probabilities: tuple[float, ...]
    """Of each token when it was filled, in that order."""


def fill_gaps(
    model: MaskedLanguageModel, tokens: Tensor, gaps: Sequence[int], order: str
) -> Filled:
    """Fill every gap with its most probable token.

    Raises SettingError if the order is unknown.

    Parameters
    ----------
    tokens : int64 Tensor of shape (N,)
    order : str
        One of `ORDERS`: at once, each as if it were alone; or one after another, what is filled
        being read when the next one is.
    """
    if order not in ORDERS:
        raise SettingError(f"order must be one of {ORDERS}, got {order!r}")
    text = covered(tokens, gaps, model.config.mask_id)
    left = sorted(gaps, reverse=order == RIGHT_FIRST)
    filled: list[int] = []
    found: list[float] = []
    while left:
        best = gap_probabilities(model, text[None], torch.tensor([left]))[0].max(-1)
        if order == AT_ONCE:
            text[left] = best.indices
            return Filled(text, tuple(left), tuple(best.values.tolist()))
        i = int(best.values.argmax()) if order == CERTAIN_FIRST else 0
        text[left[i]] = best.indices[i]
        found.append(float(best.values[i]))
        filled.append(left.pop(i))
    return Filled(text, tuple(filled), tuple(found))
