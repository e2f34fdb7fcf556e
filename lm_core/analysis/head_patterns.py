"""What a head visibly does: the share of its attention that follows a rule one can name.

Each rule points, for each token of a text, at some earlier tokens. A head's score is the mean weight
that it gives to what the rule points at, over the tokens for which it points at anything; beside it
stands what a head without any preference would give, so that a rule which points at much is not
mistaken for a habit.

References
----------
Clark et al. 2019, "What Does BERT Look At?" https://arxiv.org/abs/1906.04341
Olsson et al. 2022, "In-context Learning and Induction Heads". https://arxiv.org/abs/2209.11895
"""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import ShapeError

RULES = (
    "itself",
    "previous character",
    "first character",
    "start of the word",
    "end of the word before",
    "same character earlier",
    "after the same character",
    "after the same two characters",
)


class Habit(NamedTuple):
    """How much of a head's attention follows one rule.

    Attributes
    ----------
    layer, head : int
    rule : str
        One of `RULES`.
    share : float in [0, 1]
        Mean weight on what the rule points at.
    even_share : float in [0, 1]
        What an even look at everything allowed would give.
    n_tokens : int
        Tokens for which the rule points at anything.
    """

    layer: int
    head: int
    rule: str
    share: float
    even_share: float
    n_tokens: int


def rule_targets(tokens: Tensor, word_characters: Tensor) -> dict[str, Tensor]:
    """Return what each rule points at, bool (T, T): queries down, keys across, never ahead.

    Parameters
    ----------
    tokens : int64 Tensor of shape (T,)
    word_characters : bool Tensor of shape (V,)
        Which tokens are part of words.
    """
    n = len(tokens)
    steps = torch.arange(n)
    back = steps[:, None] - steps  # (T, T)
    is_word = word_characters[tokens]
    before = torch.cat([is_word.new_zeros(1), is_word[:-1]])
    start = torch.where(is_word & ~before, steps, -1).cummax(0).values
    starts = (steps == start[:, None]) & is_word[:, None]
    gap = torch.where(~is_word, steps, -1).cummax(0).values  # the last character that is in no word
    ends = (steps == gap[:, None]) & is_word[:, None] & (gap[:, None] >= 0)
    same = (tokens[:, None] == tokens) & (back > 0)
    after_same = _shifted(same) & (back > 0)
    pairs = torch.zeros_like(same)
    pairs[1:, 1:] = same[1:, 1:] & same[:-1, :-1]
    after_pairs = _shifted(pairs) & (back > 0)
    found = (
        back == 0,
        back == 1,
        (steps == 0) & (back > 0),
        starts,
        ends,
        same,
        after_same,
        after_pairs,
    )
    return dict(zip(RULES, found, strict=True))


def habits(weights: Tensor, tokens: Tensor, word_characters: Tensor) -> list[Habit]:
    """Score every head of every layer by every rule.

    Parameters
    ----------
    weights : Tensor of shape (layers, H, T, T)
        Of a causal model, as in `TransformerTrace.weights`; a text of 200 tokens or more says more.
    tokens, word_characters
        As for `rule_targets`.

    Returns
    -------
    list of Habit
        The most marked first: those whose share is furthest above an even look's.

    Raises
    ------
    ShapeError
        If the weights are not of these tokens.
    """
    n_layers, n_heads, *squares = weights.shape
    if squares != [len(tokens)] * 2:
        raise ShapeError(f"weights must be of {len(tokens)} tokens, got {tuple(weights.shape)}")
    even = torch.ones(len(tokens), len(tokens)).tril()
    even = even / even.sum(-1, keepdim=True)
    found = []
    for rule, targets in rule_targets(tokens, word_characters).items():
        asked = targets.any(-1)
        if not asked.any():
            continue
        shares = (weights * targets).sum(-1)[..., asked].mean(-1)  # (layers, H)
        evenly = float((even * targets).sum(-1)[asked].mean())
        found += [
            Habit(layer, head, rule, float(shares[layer, head]), evenly, int(asked.sum()))
            for layer in range(n_layers)
            for head in range(n_heads)
        ]
    return sorted(found, key=lambda habit: habit.even_share - habit.share)


def _shifted(matches: Tensor) -> Tensor:
    """Point at the key after each match."""
    after = torch.zeros_like(matches)
    after[:, 1:] = matches[:, :-1]
    return after
